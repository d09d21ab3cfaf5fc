//! The operator's password: set once with the printed code, asked for afterwards, slowed down for guessers.

use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use serde::Deserialize;
use serde_json::json;
use tokio::sync::Semaphore;

use super::sessions::{LOCKED_FOR, Operator, SESSION_LASTS, session_cookie};
use super::visits::Visit;
use super::{HASH, hashing, is_from_our_page, refuse};
use crate::storage;
use crate::web::AppState;
use crate::web::gate::Visitor;

/// Passwords that are checked at the same time.
static CHECKS: Semaphore = Semaphore::const_new(2);

const SHORTEST_PASSWORD: usize = 8;
/// Longer ones would let a stranger keep the processor busy.
const LONGEST_PASSWORD: usize = 256;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Setup {
    code: String,
    password: String,
}

pub(super) async fn setup(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    Json(body): Json<Setup>,
) -> Response {
    if !is_from_our_page(&headers) {
        return refuse(StatusCode::FORBIDDEN, "the header X-Gamebot is missing");
    }
    if !state.operator.may_try(visitor, &headers) {
        return locked();
    }
    match state.operator.setup_code() {
        None => return refuse(StatusCode::CONFLICT, "a password is set already"),
        Some(code) if !code.eq_ignore_ascii_case(body.code.trim()) => {
            state.operator.visits.note(Visit::Wrong, None);
            return refuse(StatusCode::UNAUTHORIZED, "this is not the code that the server printed");
        }
        Some(_) => {}
    }
    if !(SHORTEST_PASSWORD..=LONGEST_PASSWORD).contains(&body.password.len()) {
        let text = format!("a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters");
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, &text);
    }
    let Some(hashed) = hashing::hash(body.password).await else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let kept = hashed.clone();
    let ticket = state.storage.keep(move |connection| storage::keep_secret(connection, HASH, &kept));
    if let Err(why) = state.storage.stored(ticket).await {
        return refuse(StatusCode::INTERNAL_SERVER_ERROR, &format!("the password is {why}"));
    }
    state.operator.set_hash(hashed);
    state.operator.visits.note(Visit::Setup, None);
    opened(&state.operator, visitor)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    password: String,
}

pub(super) async fn login(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
    Json(body): Json<Login>,
) -> Response {
    if !is_from_our_page(&headers) {
        return refuse(StatusCode::FORBIDDEN, "the header X-Gamebot is missing");
    }
    if !state.operator.may_try(visitor, &headers) {
        return locked();
    }
    let Some(hash) = state.operator.hash() else {
        return refuse(StatusCode::CONFLICT, "no password is set yet");
    };
    // Checking is slow on purpose; many strangers at once must not keep the processor busy.
    let permit = if visitor.is_local { CHECKS.acquire().await.ok() } else { CHECKS.try_acquire().ok() };
    let Some(_permit) = permit else { return locked() };
    let right = body.password.len() <= LONGEST_PASSWORD && hashing::matches(body.password, hash).await;
    if !right {
        state.operator.visits.note(Visit::Wrong, None);
        return refuse(StatusCode::UNAUTHORIZED, "wrong password");
    }
    state.operator.succeeded(visitor);
    state.operator.visits.note(Visit::Login, None);
    opened(&state.operator, visitor)
}

pub(super) async fn logout(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    headers: HeaderMap,
) -> Response {
    state.operator.close_session(&headers);
    state.operator.visits.note(Visit::Logout, None);
    with_cookie(session_cookie("", Duration::ZERO, visitor))
}

fn opened(operator: &Operator, visitor: Visitor) -> Response {
    with_cookie(session_cookie(&operator.open_session(), SESSION_LASTS, visitor))
}

fn with_cookie(cookie: String) -> Response {
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}

fn locked() -> Response {
    let seconds = LOCKED_FOR.as_secs();
    let body = json!({ "error": "too many tries", "retry_after_s": seconds });
    (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, seconds.to_string())], Json(body)).into_response()
}
