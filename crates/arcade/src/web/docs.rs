//! The manual at `/docs`: the crate `manual` renders it, the front end's template dresses it.

use axum::Router;
use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Redirect, Response};
use axum::routing::get;

use super::AppState;
use super::pages::{html, not_found};

/// Always asked again, as all pages: a new version of the program has a new manual.
const FRESH: &str = "no-cache";

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        // With the slash, so that addresses inside the manual are relative to it.
        .route("/docs", get(|| async { Redirect::permanent("/docs/") }))
        .route("/docs/", get(|| async { file(manual::FIRST) }))
        .route("/docs/search.json", get(|| async { answer("application/json", manual::index()) }))
        .route("/docs/{name}", get(|Path(name): Path<String>| async move { file(&name) }))
}

fn file(name: &str) -> Response {
    if let Some((kind, content)) = manual::attachment(name) {
        return answer(kind, content.into_owned());
    }
    match (manual::page(name), html("docs.html")) {
        (Some(page), Some(template)) => answer("text/html; charset=utf-8", page.fill(&template)),
        _ => not_found(),
    }
}

fn answer(kind: &'static str, body: impl IntoResponse) -> Response {
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, FRESH)], body).into_response()
}
