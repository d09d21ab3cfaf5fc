//! What people may do to a run that is on: the operator everything of G17, visitors the fault switches if they may.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use runs::operator::OperatorCommand;
use serde_json::json;

use super::{Now, Show};
use crate::web::{AppState, not_found};

/// The body whose faults can be switched.
const DISTURBED: &str = "simulated-robot";

/// What can be done here, and by whom.
pub(super) async fn describe(
    State(state): State<AppState>,
    Path(name): Path<String>,
    headers: HeaderMap,
) -> Response {
    let Some(show) = state.shows.find(&name) else { return not_found() };
    let faults = show.controls().as_ref().map(runs::operator::Controls::faults);
    let playing = matches!(*show.now.borrow(), Now::Playing { .. });
    let may_disturb = show.body == DISTURBED && state.hall.settings().visitors_may_disturb;
    let operator = state.operator.is_open(&headers);
    Json(json!({
        "name": show.name, "game": show.game, "body": show.body, "playing": playing,
        "faults": faults, "may_disturb": may_disturb, "operator": operator, "seat": super::seat::sight(show),
    }))
    .into_response()
}

/// A command of the operator.
pub(crate) async fn command(
    State(state): State<AppState>,
    Path(name): Path<String>,
    command: Result<Json<OperatorCommand>, JsonRejection>,
) -> Response {
    let Some(show) = state.shows.find(&name) else { return not_found() };
    give(show, command)
}

/// Fault switches of a visitor.
pub(super) async fn disturb(
    State(state): State<AppState>,
    Path(name): Path<String>,
    faults: Result<Json<OperatorCommand>, JsonRejection>,
) -> Response {
    let Some(show) = state.shows.find(&name).filter(|show| show.body == DISTURBED) else {
        return not_found();
    };
    if !state.hall.settings().visitors_may_disturb {
        return refused(StatusCode::FORBIDDEN, "the operator does not allow this at the moment");
    }
    match faults {
        Ok(Json(OperatorCommand::Faults(_))) => give(show, faults),
        Ok(_) => refused(StatusCode::FORBIDDEN, "visitors may push the fault switches only"),
        Err(_) => give(show, faults),
    }
}

fn give(show: &Show, command: Result<Json<OperatorCommand>, JsonRejection>) -> Response {
    let command = match command {
        Ok(Json(command)) => command,
        Err(rejection) => return refused(rejection.status(), &rejection.body_text()),
    };
    // Copied, so that nobody waits for the lock while the run is told.
    let controls = show.controls().clone();
    match controls.map(|controls| controls.give(command)) {
        Some(Ok(())) => StatusCode::NO_CONTENT.into_response(),
        Some(Err(_)) | None => refused(StatusCode::CONFLICT, "nothing is played at the moment"),
    }
}

pub(super) fn refused(status: StatusCode, why: &str) -> Response {
    (status, Json(json!({ "error": why }))).into_response()
}
