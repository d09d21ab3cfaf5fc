//! No dead link: in the manual's pages, and in the Markdown files as they are read beside the source.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag};

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap()
}

/// The values of an attribute in some HTML of ours.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let mark = format!("{attribute}=\"");
    html.split(&mark).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

fn pages() -> BTreeMap<String, manual::Page> {
    let chapters = manual::contents().into_iter().flat_map(|part| part.chapters);
    chapters
        .map(|chapter| (chapter.page.clone(), manual::page(&chapter.page).expect(&chapter.page)))
        .collect()
}

#[test]
fn every_link_of_every_page_leads_somewhere() {
    let pages = pages();
    assert!(pages.len() > 20, "chapters and reports: {}", pages.len());
    let mut dead = Vec::new();
    let mut followed = 0;
    for (name, page) in &pages {
        let html = page.fill("<!-- manual: body --><!-- manual: contents --><!-- manual: neighbours -->");
        for link in values(&html, "href").into_iter().chain(values(&html, "src")) {
            followed += 1;
            if link.contains("://") || link.starts_with("mailto:") {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let file = if file.is_empty() { name } else { file };
            let leads = match pages.get(file) {
                Some(target) => anchor.is_empty() || values(&target.body, "id").contains(&anchor),
                None => anchor.is_empty() && manual::attachment(file).is_some(),
            };
            if !leads {
                dead.push(format!("{name}: {link}"));
            }
        }
    }
    assert!(followed > 500, "{followed}");
    assert_eq!(dead, [""; 0]);
}

#[test]
fn every_section_that_can_be_found_is_there() {
    let pages = pages();
    let index: serde_json::Value = serde_json::from_str(&manual::index()).unwrap();
    let entries = index.as_array().unwrap();
    assert!(entries.len() > 100, "{}", entries.len());
    for entry in entries {
        let page = &pages[entry["page"].as_str().unwrap()];
        let anchor = entry["anchor"].as_str().unwrap();
        assert!(anchor.is_empty() || values(&page.body, "id").contains(&anchor), "{entry}");
    }
    let chapters: BTreeSet<_> = entries.iter().map(|entry| entry["page"].as_str().unwrap()).collect();
    assert_eq!(chapters.len(), pages.len(), "every chapter can be found");
}

/// Every Markdown file of the workspace that people read.
fn markdown_files() -> Vec<PathBuf> {
    let root = workspace();
    let folders =
        [".", "docs", "bench_runs", "rom", "python", "fixtures", "hub", "fuzz"].map(|name| root.join(name));
    let crates = std::fs::read_dir(root.join("crates")).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<_> = folders
        .into_iter()
        .chain(crates)
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flatten()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .collect();
    files.sort();
    files
}

#[test]
fn every_relative_link_of_the_source_is_a_file() {
    let files = markdown_files();
    assert!(files.len() > 25, "{}", files.len());
    let mut dead = Vec::new();
    for file in &files {
        let text = std::fs::read_to_string(file).unwrap();
        for event in Parser::new_ext(&text, Options::ENABLE_TABLES) {
            let Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) = event else {
                continue;
            };
            let path = dest_url.split('#').next().unwrap_or_default();
            let is_elsewhere = dest_url.contains("://") || path.is_empty();
            if !is_elsewhere && !file.parent().unwrap().join(path).exists() {
                dead.push(format!("{}: {dest_url}", file.display()));
            }
        }
    }
    assert_eq!(dead, [""; 0]);
}

#[test]
fn no_chapter_is_left_out() {
    let known: BTreeSet<_> =
        manual::contents().into_iter().flat_map(|part| part.chapters).map(|c| c.source).collect();
    for entry in std::fs::read_dir(workspace().join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.strip_suffix(".md").is_some_and(|name| name != "SUMMARY") {
            assert!(known.contains(&format!("docs/{name}")), "docs/SUMMARY.md does not name {name}");
        }
    }
}
