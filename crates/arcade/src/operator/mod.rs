//! The operator's interface: password, sessions, settings, robot, downloads (C12).
//!
//! A session is a cookie that scripts cannot read and other sites cannot send
//! (`HttpOnly`, `SameSite=Strict`); requests that change something also need a
//! header that a form on another site cannot add.

mod hashing;
mod log;
mod login;
mod robot;
mod sessions;
mod visits;

use std::net::IpAddr;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use serde::Deserialize;
use serde_json::json;

pub use log::RecentLog;
pub use sessions::Operator;

use crate::cabinets::connect_four::Call;
use crate::cabinets::shows;
use crate::hall::Message;
use crate::lab;
use crate::recordings;
use crate::web::AppState;

/// Name of the stored password hash.
pub(crate) const HASH: &str = "password";

/// The routes of this module.
pub fn routes(operator: &Operator) -> Router<AppState> {
    let guarded = Router::new()
        .route("/api/admin/logout", post(login::logout))
        .route("/api/admin/settings", get(settings).post(change_setting))
        .route("/api/admin/game/end", post(end_game))
        .route("/api/admin/robot", post(robot::robot))
        .route("/api/admin/robot/fault", post(robot::robot_fault))
        .route("/api/admin/traffic", get(robot::traffic))
        .route("/api/admin/visits", get(visits))
        .route("/api/admin/network", get(network))
        .route("/api/admin/storage", get(storage))
        .route("/api/admin/shows/{name}", post(shows::command))
        .route("/api/admin/lab", post(lab::start).delete(lab::stop))
        .route("/api/admin/runs/{id}", post(recordings::label).delete(recordings::delete))
        .route("/api/admin/log", get(recent_log))
        .route("/api/admin/database", get(database))
        .route_layer(middleware::from_fn_with_state(operator.clone(), guard));
    Router::new()
        .route("/api/admin/session", get(session))
        .route("/api/admin/setup", post(login::setup))
        .route("/api/admin/login", post(login::login))
        .merge(guarded)
}

/// Lets only the operator through.
async fn guard(State(operator): State<Operator>, request: Request, next: Next) -> Response {
    if !operator.is_open(request.headers()) {
        return refuse(StatusCode::UNAUTHORIZED, "please log in");
    }
    if request.method() != axum::http::Method::GET && !is_from_our_page(request.headers()) {
        return refuse(StatusCode::FORBIDDEN, "the header X-Gamebot is missing");
    }
    next.run(request).await
}

async fn session(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let word = match (state.operator.is_open(&headers), state.operator.setup_code()) {
        (true, _) => "open",
        (false, Some(_)) => "setup",
        (false, None) => "login",
    };
    Json(json!({ "state": word })).into_response()
}

async fn settings(State(state): State<AppState>) -> Response {
    match state.hall.ask(|reply| Message::ListSettings { reply }).await {
        Some(settings) => Json(json!({ "settings": settings })).into_response(),
        None => closed(),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Change {
    key: String,
    value: Option<String>,
}

async fn change_setting(State(state): State<AppState>, Json(change): Json<Change>) -> Response {
    let Change { key, value } = change;
    let changed = key.clone();
    match state.hall.ask(|reply| Message::ChangeSetting { key, value, reply }).await {
        Some(Ok(ticket)) => {
            state.operator.visits.note(visits::Visit::Setting, Some(changed));
            match state.storage.stored(ticket).await {
                Ok(()) => StatusCode::NO_CONTENT.into_response(),
                Err(why) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &format!("changed, but {why}")),
            }
        }
        Some(Err(error)) => refuse(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()),
        None => closed(),
    }
}

async fn end_game(State(state): State<AppState>) -> Response {
    match state.hall.ask(|reply| Message::Call(Call::EndGame { reply })).await {
        Some(true) => StatusCode::NO_CONTENT.into_response(),
        Some(false) => refuse(StatusCode::CONFLICT, "no game is under way"),
        None => closed(),
    }
}

async fn visits(State(state): State<AppState>) -> Response {
    Json(json!({ "visits": state.operator.visits.latest() })).into_response()
}

/// This machine's address in its network, for the warning that a QR code leads to the machine itself.
async fn network() -> Response {
    let host = crate::serve::own_address().map(|address| match address {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => format!("[{address}]"),
    });
    Json(json!({ "host": host })).into_response()
}

/// What the operator should know of the database.
async fn storage(State(state): State<AppState>) -> Response {
    let progress = state.storage.progress().borrow().clone();
    Json(json!({
        "waiting": progress.waiting(),
        "trouble": progress.trouble,
        "set_aside": state.storage.set_aside(),
    }))
    .into_response()
}

async fn recent_log(State(state): State<AppState>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], state.operator.log.text()).into_response()
}

async fn database(State(state): State<AppState>) -> Response {
    match state.storage.export().await {
        Ok(bytes) => {
            let headers = [
                (header::CONTENT_TYPE, "application/vnd.sqlite3"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"gamebot.sqlite\""),
            ];
            (headers, bytes).into_response()
        }
        Err(error) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
    }
}

fn is_from_our_page(headers: &HeaderMap) -> bool {
    headers.contains_key("x-gamebot")
}

fn refuse(status: StatusCode, error: &str) -> Response {
    (status, Json(json!({ "error": error }))).into_response()
}

fn closed() -> Response {
    refuse(StatusCode::SERVICE_UNAVAILABLE, "the hall is closed")
}
