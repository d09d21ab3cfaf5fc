//! The search's index: every section of every chapter. The page searches it by itself (`web/js/manual.js`).

use serde::Serialize;

use crate::contents::contents;
use crate::markdown::sections;
use crate::sources::Sources;

/// A section that may be found.
#[derive(Debug, Serialize)]
struct Entry {
    page: String,
    chapter: String,
    anchor: String,
    heading: String,
    text: String,
}

/// All sections as JSON.
pub fn index() -> String {
    let mut entries = Vec::new();
    for chapter in contents().into_iter().flat_map(|part| part.chapters) {
        let text = Sources::text(&chapter.source).unwrap_or_default();
        entries.extend(sections(&text).into_iter().map(|section| Entry {
            page: chapter.page.clone(),
            chapter: chapter.title.clone(),
            anchor: section.anchor,
            heading: section.heading,
            text: section.text,
        }));
    }
    serde_json::to_string(&entries).unwrap_or_else(|_| "[]".to_owned())
}
