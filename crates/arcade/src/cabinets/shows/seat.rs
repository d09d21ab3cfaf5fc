//! The person's seat at the LEGO robot's table: a visitor takes it and drops discs by phone (X1). The table itself lets
//! the simulated person play again when they leave, or think for too long.

use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use rand::RngExt;
use runs::operator::DropError;
use serde::Deserialize;
use serde_json::{Value, json};

use super::commands::refused;
use super::{Now, Show};
use crate::web::{AppState, not_found};

/// The body with a seat.
const SEATED: &str = "simulated-lego";

/// What a visitor who sits there shows to be believed.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Seated {
    seat: String,
    column: Option<usize>,
}

/// How things stand at the table, if there is one.
pub(super) fn sight(show: &Show) -> Option<Value> {
    let is_on = matches!(*show.now.borrow(), Now::Playing { .. });
    (show.body == SEATED && is_on)
        .then(|| json!({ "taken": show.guests.is_taken(), "table": show.guests.sight() }))
}

/// Takes the seat; the answer names it for the other requests.
pub(super) async fn take(State(state): State<AppState>, Path(name): Path<String>) -> Response {
    let Some(show) = table(&state, &name) else { return not_found() };
    if !matches!(*show.now.borrow(), Now::Playing { .. }) {
        return refused(StatusCode::CONFLICT, "nothing is played at the moment");
    }
    let ticket: u64 = rand::rng().random();
    if !show.guests.take(ticket) {
        return refused(StatusCode::CONFLICT, "somebody else plays at the moment");
    }
    (StatusCode::CREATED, Json(json!({ "seat": format!("{ticket:016x}") }))).into_response()
}

/// Drops a disc.
pub(super) async fn drop_disc(
    State(state): State<AppState>,
    Path(name): Path<String>,
    seated: Result<Json<Seated>, JsonRejection>,
) -> Response {
    with_ticket(&state, &name, seated, |show, ticket, column| {
        let Some(column) = column else {
            return refused(StatusCode::UNPROCESSABLE_ENTITY, "say which column, from 0");
        };
        match show.guests.drop_disc(ticket, column) {
            Ok(()) => StatusCode::NO_CONTENT.into_response(),
            Err(error @ DropError::NotSeated) => refused(StatusCode::FORBIDDEN, &error.to_string()),
            Err(error) => refused(StatusCode::CONFLICT, &error.to_string()),
        }
    })
}

/// Gives the seat back.
pub(super) async fn leave(
    State(state): State<AppState>,
    Path(name): Path<String>,
    seated: Result<Json<Seated>, JsonRejection>,
) -> Response {
    with_ticket(&state, &name, seated, |show, ticket, _| {
        show.guests.leave(ticket);
        StatusCode::NO_CONTENT.into_response()
    })
}

fn table<'a>(state: &'a AppState, name: &str) -> Option<&'a Show> {
    state.shows.find(name).filter(|show| show.body == SEATED)
}

fn with_ticket(
    state: &AppState,
    name: &str,
    seated: Result<Json<Seated>, JsonRejection>,
    answer: impl FnOnce(&Show, u64, Option<usize>) -> Response,
) -> Response {
    let Some(show) = table(state, name) else { return not_found() };
    match seated {
        Err(rejection) => refused(rejection.status(), &rejection.body_text()),
        Ok(Json(seated)) => match u64::from_str_radix(&seated.seat, 16) {
            Ok(ticket) => answer(show, ticket, seated.column),
            Err(_) => refused(StatusCode::FORBIDDEN, &DropError::NotSeated.to_string()),
        },
    }
}
