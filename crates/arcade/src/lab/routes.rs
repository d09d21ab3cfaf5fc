//! The lab over HTTP.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

use super::bench::{EXPERIMENTS, LabError};
use crate::web::{AppState, not_found, page};

/// The routes of this room.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/lab", get(lab_page))
        .route("/api/lab", get(list))
        .route("/api/lab/{id}/plot.svg", get(plot))
}

async fn lab_page(State(state): State<AppState>) -> Response {
    if state.shows.is_empty() { not_found() } else { page("lab.html") }
}

async fn list(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let operator = state.operator.is_open(&headers) && state.lab.can_measure();
    let experiments: Vec<_> = EXPERIMENTS
        .iter()
        .map(|(name, arguments)| json!({ "name": name, "command": format!("gamebot {}", arguments.join(" ")) }))
        .collect();
    let lab = state.lab.clone();
    let results = tokio::task::spawn_blocking(move || lab.results()).await.unwrap_or_default();
    Json(json!({
        "experiments": experiments, "results": results, "running": state.lab.running(), "operator": operator,
    }))
    .into_response()
}

async fn plot(State(state): State<AppState>, Path(id): Path<String>) -> Response {
    match state.lab.plot(&id) {
        Some(svg) => ([(header::CONTENT_TYPE, "image/svg+xml")], svg).into_response(),
        None => not_found(),
    }
}

/// What the operator wants measured.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    experiment: String,
}

pub(crate) async fn start(State(state): State<AppState>, Json(wish): Json<Wish>) -> Response {
    answer(state.lab.start(&wish.experiment))
}

pub(crate) async fn stop(State(state): State<AppState>) -> Response {
    answer(state.lab.stop())
}

fn answer(done: Result<(), LabError>) -> Response {
    let Err(error) = done else { return StatusCode::NO_CONTENT.into_response() };
    let status = match error {
        LabError::Unknown(_) => StatusCode::UNPROCESSABLE_ENTITY,
        LabError::Busy(_) | LabError::Idle => StatusCode::CONFLICT,
        LabError::Start(_) => StatusCode::INTERNAL_SERVER_ERROR,
    };
    (status, Json(json!({ "error": error.to_string() }))).into_response()
}
