//! The operator's password: set once with the printed code, asked for afterwards, slowed down for guessers.

use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use cookie::Cookie;
use serde::Deserialize;
use serde_json::json;

use super::sessions::{Operator, SESSION_LASTS, session_cookie};
use super::{HASH, is_from_our_page, refuse};
use crate::storage;
use crate::web::AppState;

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
    headers: HeaderMap,
    Json(body): Json<Setup>,
) -> Response {
    if !is_from_our_page(&headers) {
        return refuse(StatusCode::FORBIDDEN, "the header X-Gamebot is missing");
    }
    if let Some(seconds) = state.operator.locked_s() {
        return locked(seconds);
    }
    match state.operator.setup_code() {
        None => return refuse(StatusCode::CONFLICT, "a password is set already"),
        Some(code) if code != body.code.trim() => {
            state.operator.failed();
            return refuse(StatusCode::UNAUTHORIZED, "this is not the code that the server printed");
        }
        Some(_) => {}
    }
    if !(SHORTEST_PASSWORD..=LONGEST_PASSWORD).contains(&body.password.len()) {
        let text = format!("a password has {SHORTEST_PASSWORD} to {LONGEST_PASSWORD} characters");
        return refuse(StatusCode::UNPROCESSABLE_ENTITY, &text);
    }
    let hashed = tokio::task::spawn_blocking(move || hash(&body.password)).await.ok().flatten();
    let Some(hashed) = hashed else { return StatusCode::INTERNAL_SERVER_ERROR.into_response() };
    let kept = hashed.clone();
    let ticket = state.storage.keep(move |connection| storage::keep_secret(connection, HASH, &kept));
    if let Err(why) = state.storage.stored(ticket).await {
        return refuse(StatusCode::INTERNAL_SERVER_ERROR, &format!("the password is {why}"));
    }
    state.operator.set_hash(hashed);
    opened(&state.operator)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Login {
    password: String,
}

pub(super) async fn login(
    State(state): State<AppState>,
    headers: HeaderMap,
    Json(body): Json<Login>,
) -> Response {
    if !is_from_our_page(&headers) {
        return refuse(StatusCode::FORBIDDEN, "the header X-Gamebot is missing");
    }
    if let Some(seconds) = state.operator.locked_s() {
        return locked(seconds);
    }
    let Some(hash) = state.operator.hash() else {
        return refuse(StatusCode::CONFLICT, "no password is set yet");
    };
    // Counted before it is checked: many tries at once do not get past the limit.
    state.operator.failed();
    let right = body.password.len() <= LONGEST_PASSWORD
        && tokio::task::spawn_blocking(move || {
            PasswordHash::new(&hash)
                .is_ok_and(|hash| Argon2::default().verify_password(body.password.as_bytes(), &hash).is_ok())
        })
        .await
        .unwrap_or(false);
    if !right {
        return refuse(StatusCode::UNAUTHORIZED, "wrong password");
    }
    state.operator.succeeded();
    opened(&state.operator)
}

pub(super) async fn logout(State(state): State<AppState>, headers: HeaderMap) -> Response {
    state.operator.close_session(&headers);
    with_cookie(&session_cookie("", Duration::ZERO))
}

fn opened(operator: &Operator) -> Response {
    with_cookie(&session_cookie(&operator.open_session(), SESSION_LASTS))
}

fn with_cookie(cookie: &Cookie<'_>) -> Response {
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie.to_string())]).into_response()
}

fn locked(seconds: u64) -> Response {
    let body = json!({ "error": "too many tries", "retry_after_s": seconds });
    (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, seconds.to_string())], Json(body)).into_response()
}

/// Hashes a password for storage.
fn hash(password: &str) -> Option<String> {
    let hash: PasswordHash = Argon2::default().hash_password(password.as_bytes()).ok()?;
    Some(hash.to_string())
}
