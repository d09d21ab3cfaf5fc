//! The manual: the Markdown files of `docs/`, in the order of `docs/SUMMARY.md`, as pages with search.
//!
//! The arcade serves it at `/docs`, `cargo xtask docs` writes it into a folder. The sources are inside the binary and a
//! page is rendered when somebody asks for it, so there is no built book that could be older than its source.
//!
//! ```
//! let start = manual::page("start.html").expect("the manual has a first chapter");
//! assert_eq!(start.title, "Get started");
//! assert!(start.body.contains("gamebot arcade"));
//! assert!(manual::page("no-such-chapter.html").is_none());
//! ```

mod contents;
mod markdown;
mod search;
mod sources;

use std::borrow::Cow;
use std::fmt::Write;

pub use contents::{Chapter, Part, contents};
pub use search::index;
use sources::Sources;

/// The page that the manual opens with.
pub const FIRST: &str = "start.html";

/// One chapter, ready for a page template.
#[derive(Clone, Debug)]
pub struct Page {
    /// The chapter's title in the contents.
    pub title: String,
    /// The text, as HTML.
    pub body: String,
    /// The contents with this chapter marked, as HTML.
    pub contents: String,
    /// Links to the chapters before and after, as HTML.
    pub neighbours: String,
}

impl Page {
    /// Puts the page into a template, which names the parts as `<!-- manual: body -->`.
    pub fn fill(&self, template: &str) -> String {
        let title = markdown::escape(&self.title);
        [
            ("title", &title),
            ("body", &self.body),
            ("contents", &self.contents),
            ("neighbours", &self.neighbours),
        ]
        .into_iter()
        .fold(template.to_owned(), |html, (mark, part)| {
            html.replace(&format!("<!-- manual: {mark} -->"), part)
        })
    }
}

/// The chapter with this file name (`exhibition.html`).
pub fn page(name: &str) -> Option<Page> {
    let parts = contents();
    let chapters: Vec<&Chapter> = parts.iter().flat_map(|part| &part.chapters).collect();
    let at = chapters.iter().position(|chapter| chapter.page == name)?;
    let source = Sources::text(&chapters[at].source)?;
    let before = at.checked_sub(1).map(|before| chapters[before]);
    Some(Page {
        title: chapters[at].title.clone(),
        body: markdown::to_html(&source, &chapters[at].source),
        contents: contents_html(&parts, name),
        neighbours: neighbours_html(before, chapters.get(at + 1).copied()),
    })
}

/// A picture of the manual with its media type (`watch.png`), or another file that a chapter hands out.
pub fn attachment(name: &str) -> Option<(&'static str, Cow<'static, [u8]>)> {
    let kind = match name.rsplit_once('.')?.1 {
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "service" => "text/plain; charset=utf-8",
        _ => return None,
    };
    Some((kind, Sources::attachment(name)?))
}

/// The names of all attachments.
pub fn attachments() -> Vec<String> {
    Sources::attachments().into_iter().filter(|name| attachment(name).is_some()).collect()
}

fn contents_html(parts: &[Part], here: &str) -> String {
    let mut html = String::new();
    for part in parts {
        // Writing to a string cannot fail.
        let _ = write!(html, "<p class=\"manual-part\">{}</p><ul>", markdown::escape(&part.title));
        for chapter in &part.chapters {
            let current = if chapter.page == here { " aria-current=\"page\"" } else { "" };
            let (page, title) = (&chapter.page, markdown::escape(&chapter.title));
            let _ = write!(html, "<li><a href=\"{page}\"{current}>{title}</a></li>");
        }
        html.push_str("</ul>");
    }
    html
}

fn neighbours_html(before: Option<&Chapter>, after: Option<&Chapter>) -> String {
    let link = |chapter: &Chapter, rel: &str, arrow: [&str; 2]| {
        let title = markdown::escape(&chapter.title);
        format!("<a rel=\"{rel}\" href=\"{}\">{}{title}{}</a>", chapter.page, arrow[0], arrow[1])
    };
    let before = before.map(|chapter| link(chapter, "prev", ["← ", ""])).unwrap_or_default();
    let after = after.map(|chapter| link(chapter, "next", ["", " →"])).unwrap_or_default();
    before + &after
}
