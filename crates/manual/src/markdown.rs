//! Markdown to HTML: headings that can be linked to, links between chapters, tables that scroll on a phone.

use std::collections::BTreeMap;

use pulldown_cmark::{CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd};

use crate::contents::{contents, from_root, page_of};

/// A chapter's text as HTML. `source` is its file from the workspace's root, which its links start from.
pub(crate) fn to_html(text: &str, source: &str) -> String {
    let folder = source.rsplit_once('/').map_or("", |(folder, _)| folder);
    let mut names = Names::default();
    let events: Vec<Event<'_>> = parser(text).collect();
    let mut out: Vec<Event<'_>> = Vec::with_capacity(events.len());
    // Links that lead to files of the source tree, which a visitor of the page does not have.
    let mut unlinked = 0_u32;
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let id = names.unique(&heading_text(&events[at + 1..]));
                out.push(Event::InlineHtml(format!("<{level} id=\"{id}\">").into()));
            }
            Event::End(TagEnd::Heading(level)) => {
                out.push(Event::InlineHtml(format!("</{level}>\n").into()));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                if let Some(address) = target(folder, dest_url, *link_type) {
                    out.push(Event::Start(Tag::Link {
                        link_type: *link_type,
                        dest_url: address.into(),
                        title: title.clone(),
                        id: id.clone(),
                    }));
                } else {
                    unlinked += 1;
                    let path = from_root(folder, dest_url).unwrap_or_default();
                    let html = format!("<span class=\"source\" title=\"in the source: {}\">", escape(&path));
                    out.push(Event::InlineHtml(html.into()));
                }
            }
            // Links do not nest.
            Event::End(TagEnd::Link) if unlinked > 0 => {
                unlinked -= 1;
                out.push(Event::InlineHtml("</span>".into()));
            }
            Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
                let file = dest_url.rsplit('/').next().unwrap_or(dest_url).to_owned();
                let (title, id) = (title.clone(), id.clone());
                out.push(Event::Start(Tag::Image {
                    link_type: *link_type,
                    dest_url: file.into(),
                    title,
                    id,
                }));
            }
            // Aligned columns would need styles inside the page, which the arcade's policy forbids.
            Event::Start(Tag::Table(columns)) => {
                out.push(Event::InlineHtml("<div class=\"wide\" tabindex=\"0\">".into()));
                out.push(Event::Start(Tag::Table(
                    columns.iter().map(|_| pulldown_cmark::Alignment::None).collect(),
                )));
            }
            Event::End(TagEnd::Table) => {
                out.push(event.clone());
                out.push(Event::InlineHtml("</div>".into()));
            }
            Event::Start(Tag::CodeBlock(_)) => {
                out.push(Event::InlineHtml("<pre tabindex=\"0\"><code>".into()));
            }
            Event::End(TagEnd::CodeBlock) => out.push(Event::InlineHtml("</code></pre>\n".into())),
            other => out.push(other.clone()),
        }
    }
    let mut html = String::new();
    pulldown_cmark::html::push_html(&mut html, out.into_iter());
    html
}

/// Text between tags or quotes.
pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// One heading with what stands below it, for the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Section {
    /// The heading's anchor; empty above the first one.
    pub(crate) anchor: String,
    /// The heading.
    pub(crate) heading: String,
    /// The plain text below it.
    pub(crate) text: String,
}

/// A chapter's sections.
pub(crate) fn sections(text: &str) -> Vec<Section> {
    let mut names = Names::default();
    let mut sections = vec![Section::default()];
    let mut in_heading = false;
    let events: Vec<Event<'_>> = parser(text).collect();
    for (at, event) in events.iter().enumerate() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let heading = heading_text(&events[at + 1..]);
                // The chapter's own heading is its title; a link to it leads to the top.
                let anchor = names.unique(&heading);
                let anchor = if *level == HeadingLevel::H1 { String::new() } else { anchor };
                sections.push(Section { anchor, heading, text: String::new() });
                in_heading = true;
            }
            Event::End(TagEnd::Heading(_)) => in_heading = false,
            Event::Text(words) | Event::Code(words) if !in_heading => {
                if let Some(section) = sections.last_mut() {
                    section.text.push_str(words);
                }
            }
            Event::End(TagEnd::Paragraph | TagEnd::TableCell | TagEnd::Item | TagEnd::CodeBlock)
            | Event::SoftBreak
            | Event::HardBreak => {
                if let Some(section) = sections.last_mut() {
                    section.text.push(' ');
                }
            }
            _ => {}
        }
    }
    for section in &mut sections {
        section.text = section.text.split_whitespace().collect::<Vec<_>>().join(" ");
    }
    sections.retain(|section| !section.heading.is_empty() || !section.text.is_empty());
    sections
}

fn parser(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH)
}

/// Where a link leads on a page of the manual; `None` into the source tree.
fn target(folder: &str, address: &CowStr<'_>, kind: LinkType) -> Option<String> {
    if kind == LinkType::Email {
        return Some(format!("mailto:{address}"));
    }
    if address.contains("://") || address.starts_with('#') {
        return Some(address.to_string());
    }
    let (path, anchor) = address.split_once('#').map_or((&**address, ""), |(path, anchor)| (path, anchor));
    let source = from_root(folder, path)?;
    let hash = if anchor.is_empty() { String::new() } else { format!("#{anchor}") };
    if contents().iter().flat_map(|part| &part.chapters).any(|chapter| chapter.source == source) {
        return Some(page_of(&source) + &hash);
    }
    if source == "bench_runs" {
        return Some("measurements.html".to_owned());
    }
    let name = source.rsplit('/').next()?;
    let is_ours = source.starts_with("docs/") || source.starts_with("bench_runs/");
    (is_ours && crate::attachment(name).is_some()).then(|| name.to_owned())
}

fn heading_text(events: &[Event<'_>]) -> String {
    events
        .iter()
        .take_while(|event| !matches!(event, Event::End(TagEnd::Heading(_))))
        .filter_map(|event| match event {
            Event::Text(text) | Event::Code(text) => Some(&**text),
            _ => None,
        })
        .collect()
}

/// Anchors as GitHub makes them, so that links hold in both places.
#[derive(Debug, Default)]
struct Names(BTreeMap<String, u32>);

impl Names {
    fn unique(&mut self, heading: &str) -> String {
        let slug: String = heading
            .to_lowercase()
            .chars()
            .filter_map(|c| match c {
                ' ' => Some('-'),
                c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
                _ => None,
            })
            .collect();
        let seen = self.0.entry(slug.clone()).or_default();
        *seen += 1;
        if *seen == 1 { slug } else { format!("{slug}-{}", *seen - 1) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sources::Sources;

    #[test]
    fn headings_can_be_linked_to() {
        let html = to_html("# One\n## How `it` works\n## How it works\n", "docs/start.md");
        assert!(html.contains("<h2 id=\"how-it-works\">How <code>it</code> works</h2>"), "{html}");
        assert!(html.contains("<h2 id=\"how-it-works-1\">"), "{html}");
    }

    #[test]
    fn links_lead_to_pages_and_never_into_the_source() {
        let html = to_html(
            "[a](events.md#a-decision) [b](../ARCHITECTURE.md) [c](../xtask/src/deps.rs) <https://example.org/> [d](#x) [e](../bench_runs/)",
            "docs/start.md",
        );
        for part in [
            "href=\"events.html#a-decision\"",
            "href=\"architecture.html\"",
            "href=\"https://example.org/\"",
            "href=\"#x\"",
            "href=\"measurements.html\"",
        ] {
            assert!(html.contains(part), "{part}: {html}");
        }
        assert!(
            html.contains("<span class=\"source\" title=\"in the source: xtask/src/deps.rs\">c</span>"),
            "{html}"
        );
    }

    #[test]
    fn pages_need_no_styles_of_their_own() {
        let html = to_html("| a | b |\n|--:|---|\n| 1 | `x < y` |\n\n```sh\na < b\n```\n", "docs/start.md");
        assert!(!html.contains("style="), "{html}");
        assert!(html.contains("<div class=\"wide\" tabindex=\"0\"><table>"), "{html}");
        assert!(html.contains("x &lt; y") && html.contains("<code>a &lt; b\n</code></pre>"), "{html}");
    }

    #[test]
    fn sections_hold_the_text_below_their_heading() {
        let sections = sections("# Title\nlead `code`\n\n## Second\n| a | b |\n|---|---|\n| c | d |\n");
        let short: Vec<_> =
            sections.iter().map(|s| (s.anchor.as_str(), s.heading.as_str(), s.text.as_str())).collect();
        assert_eq!(short, [("", "Title", "lead code"), ("second", "Second", "a b c d")]);
    }

    #[test]
    fn every_chapter_has_a_source() {
        for chapter in contents().iter().flat_map(|part| &part.chapters) {
            assert!(Sources::text(&chapter.source).is_some(), "{chapter:?}");
        }
    }
}
