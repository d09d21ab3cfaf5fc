//! The manual's files, inside the binary; a debug build reads them from their folders, so that a reload shows a change.

use std::borrow::Cow;

use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../docs"]
struct Docs;

#[derive(RustEmbed)]
#[folder = "../../bench_runs"]
struct Reports;

/// Chapters that stand at the workspace's root, where people look for them first.
const ROOT: &[(&str, &str)] = &[
    ("ARCHITECTURE.md", include_str!("../../../ARCHITECTURE.md")),
    ("CHANGELOG.md", include_str!("../../../CHANGELOG.md")),
    ("CONTRIBUTING.md", include_str!("../../../CONTRIBUTING.md")),
    ("rom/README.md", include_str!("../../../rom/README.md")),
];

pub(crate) struct Sources;

impl Sources {
    /// A Markdown file by its path from the workspace's root.
    pub(crate) fn text(path: &str) -> Option<String> {
        if let Some((_, text)) = ROOT.iter().find(|(known, _)| *known == path) {
            return Some((*text).to_owned());
        }
        let file = match path.split_once('/')? {
            ("docs", name) => Docs::get(name),
            ("bench_runs", name) => Reports::get(name),
            _ => None,
        }?;
        Some(String::from_utf8_lossy(&file.data).into_owned())
    }

    /// The dated reports, newest first, by their paths from the root.
    pub(crate) fn reports() -> Vec<String> {
        let is_report = |name: &str| name.strip_suffix(".md").is_some_and(|name| !name.contains('/'));
        let mut reports: Vec<_> = Reports::iter().filter(|name| is_report(name)).collect();
        // By date alone: reports of one day stay in the order of their names.
        reports.sort_by(|a, b| b.get(..10).cmp(&a.get(..10)).then_with(|| a.cmp(b)));
        reports.into_iter().map(|name| format!("bench_runs/{name}")).collect()
    }

    /// A file that is not a chapter, by its name.
    pub(crate) fn attachment(name: &str) -> Option<Cow<'static, [u8]>> {
        Docs::get(name).or_else(|| Reports::get(name)).map(|file| file.data)
    }

    /// The names of all files that may be attachments.
    pub(crate) fn attachments() -> Vec<String> {
        Docs::iter().chain(Reports::iter()).map(Cow::into_owned).collect()
    }
}
