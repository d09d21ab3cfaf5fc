//! The order of chapters, from `docs/SUMMARY.md`: headings are parts, links are chapters.

use crate::sources::Sources;

/// Some chapters under one heading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// What they are about.
    pub title: String,
    /// In reading order.
    pub chapters: Vec<Chapter>,
}

/// One Markdown file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chapter {
    /// As the contents show it.
    pub title: String,
    /// The Markdown file, from the workspace's root: `docs/exhibition.md`.
    pub source: String,
    /// The page's file name: `exhibition.html`.
    pub page: String,
}

/// All chapters; the dated reports follow the last part by themselves.
pub fn contents() -> Vec<Part> {
    let summary = Sources::text("docs/SUMMARY.md").unwrap_or_default();
    let mut parts = parse(&summary);
    let reports = Sources::reports().into_iter().map(|source| {
        let name = source.trim_start_matches("bench_runs/").trim_end_matches(".md");
        let title = match name.split_at_checked(11) {
            Some((date, subject)) => format!("{}, {}", subject.replace('-', " "), date.trim_end_matches('-')),
            None => name.to_owned(),
        };
        Chapter { title, page: page_of(&source), source }
    });
    parts.push(Part { title: "Reports".to_owned(), chapters: reports.collect() });
    parts
}

/// The page of a Markdown file, chapter or not.
pub(crate) fn page_of(source: &str) -> String {
    let name = match source {
        "rom/README.md" => "cartridge".to_owned(),
        _ => source.rsplit('/').next().unwrap_or(source).trim_end_matches(".md").to_lowercase(),
    };
    format!("{name}.html")
}

/// A path as a Markdown file in `folder` writes it, seen from the root; `None` outside of the workspace.
pub(crate) fn from_root(folder: &str, path: &str) -> Option<String> {
    let mut whole: Vec<&str> = folder.split('/').filter(|name| !name.is_empty()).collect();
    for name in path.split('/') {
        match name {
            "" | "." => {}
            ".." => drop(whole.pop()?),
            name => whole.push(name),
        }
    }
    Some(whole.join("/"))
}

fn parse(summary: &str) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    for line in summary.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            parts.push(Part { title: title.trim().to_owned(), chapters: Vec::new() });
        }
        let chapter = line
            .trim_start_matches(['-', ' '])
            .strip_prefix('[')
            .and_then(|rest| rest.trim_end().strip_suffix(')')?.split_once("]("));
        if let (Some(part), Some((title, path))) = (parts.last_mut(), chapter)
            && let Some(source) = from_root("docs", path)
        {
            part.chapters.push(Chapter { title: title.to_owned(), page: page_of(&source), source });
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_summary_is_read() {
        let parts = parse(
            "# Summary\n\n## First\n- [Get started](start.md)\n- [Rooms](../ARCHITECTURE.md)\n## Second\n",
        );
        let sources: Vec<_> =
            parts[0].chapters.iter().map(|c| (c.source.as_str(), c.page.as_str())).collect();
        assert_eq!(sources, [("docs/start.md", "start.html"), ("ARCHITECTURE.md", "architecture.html")]);
        assert_eq!((parts.len(), parts[1].title.as_str()), (2, "Second"));
    }

    #[test]
    fn paths_do_not_leave_the_workspace() {
        assert_eq!(from_root("docs", "../rom/README.md").as_deref(), Some("rom/README.md"));
        assert_eq!(from_root("docs", "./events.md").as_deref(), Some("docs/events.md"));
        assert_eq!(from_root("docs", "../../secret"), None);
    }
}
