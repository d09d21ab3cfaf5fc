//! The front end: pages and their files, embedded in the binary.

use axum::extract::Path;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

/// The front end, inside the binary; a debug build reads it from the folder, so that a reload shows a change.
#[derive(RustEmbed)]
#[folder = "../../web"]
struct Front;

/// A file under `/static/`.
pub(super) async fn static_file(Path(path): Path<String>) -> Response {
    embedded(&path)
}

/// What all pages share stands in files of its own; a page names them with `<!-- part: name -->`.
const PARTS: [(&str, &str); 2] =
    [("<!-- part: head -->", "parts/head.html"), ("<!-- part: top -->", "parts/top.html")];

/// A whole page.
pub(crate) fn page(path: &str) -> Response {
    let Some(whole) = html(path) else { return StatusCode::NOT_FOUND.into_response() };
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (headers, whole).into_response()
}

/// A page's text with all its parts.
pub(super) fn html(path: &str) -> Option<String> {
    let text = |path: &str| Front::get(path).map(|file| String::from_utf8_lossy(&file.data).into_owned());
    let fill =
        |html: String, (mark, part): &(&str, &str)| html.replace(mark, text(part).unwrap_or_default().trim());
    Some(PARTS.iter().fold(text(path)?, fill))
}

/// What stands under an address that is none of ours.
pub(crate) fn not_found() -> Response {
    let mut response = page("404.html");
    if response.status() == StatusCode::NOT_FOUND {
        response = "There is no such page. The hall is at /\n".into_response();
    }
    *response.status_mut() = StatusCode::NOT_FOUND;
    response
}

/// A file as it is.
pub(super) fn embedded(path: &str) -> Response {
    let Some(file) = Front::get(path) else { return StatusCode::NOT_FOUND.into_response() };
    let kind = match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("woff2") => "font/woff2",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    };
    // Always asked again: a page that is older than its server is worse than a few kilobytes.
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], file.data).into_response()
}
