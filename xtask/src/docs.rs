//! `cargo xtask docs`: the manual as a folder for any static web host.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::site;

/// What a page of the manual loads from `web/`.
const LOADED: &[&str] = &["css", "fonts", "js", "favicon.svg"];

/// Writes all chapters, their pictures and the search's index; returns how many files there are.
pub fn write(web: &Path, folder: &Path) -> anyhow::Result<usize> {
    let template = site::plain_page(web, "docs.html")?;
    let mut files: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    for chapter in manual::contents().into_iter().flat_map(|part| part.chapters) {
        let page = manual::page(&chapter.page).with_context(|| format!("{} has no text", chapter.source))?;
        files.push((chapter.page.into(), page.fill(&template).into_bytes()));
    }
    let first = manual::page(manual::FIRST).context("the manual has no first chapter")?;
    files.push(("index.html".into(), first.fill(&template).into_bytes()));
    files.push(("search.json".into(), manual::index().into_bytes()));
    for name in manual::attachments() {
        let (_, content) = manual::attachment(&name).with_context(|| format!("{name} is gone"))?;
        files.push((name.into(), content.into_owned()));
    }
    for name in LOADED {
        site::collect(web, Path::new(name), &mut files)?;
    }
    site::write_all(&files, folder)?;
    Ok(files.len())
}
