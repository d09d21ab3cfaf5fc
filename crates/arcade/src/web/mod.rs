//! The router: pages, static files, the WebSocket, the interfaces for programs.

mod about;
mod docs;
pub mod gate;
mod listener;
mod pages;
mod socket;

use axum::extract::{DefaultBodyLimit, Query, State, WebSocketUpgrade};
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use serde::Deserialize;

use crate::cabinets::connect_four::api;
use crate::cabinets::play::{self, Guests};
use crate::cabinets::screenshot;
use crate::cabinets::shows::{self, Shows};
use crate::hall::{HallHandle, Message};
use crate::lab::{self, Lab};
use crate::operator::{self, Operator};
use crate::recordings::{self, Shelf};
use crate::storage::Storage;
use gate::{Gate, Visitor};
pub(crate) use listener::{Peer, serve};
use pages::{embedded, static_file};
pub(crate) use pages::{not_found, page};

/// The largest body of a request: a setting, a password.
const LARGEST_BODY: usize = 16 << 10;

/// What requests need.
#[derive(Clone, Debug)]
pub struct AppState {
    /// The hall.
    pub hall: HallHandle,
    /// The database.
    pub storage: Storage,
    /// How often each address asks.
    pub gate: Gate,
    /// The operator's sessions and password.
    pub operator: Operator,
    /// What Gamebot plays by itself.
    pub shows: Shows,
    /// Players from the plug-in folder.
    pub guests: Guests,
    /// Recorded runs.
    pub shelf: Shelf,
    /// Measurements.
    pub lab: Lab,
    /// The largest recording in MB that visitors may bring; none if they may not.
    pub uploads: Option<u32>,
}

/// The whole site. Tests call it without a port.
pub fn app(state: AppState) -> Router {
    Router::new()
        .route("/", get(front))
        .route("/lobby", get(|| async { page("lobby.html") }))
        .route("/watch", get(|| async { page("watch.html") }))
        .route("/robot", get(|| async { page("robot.html") }))
        .route("/games", get(|| async { page("games.html") }))
        .route("/statistics", get(|| async { page("games.html") }))
        .route("/admin", get(|| async { page("admin.html") }))
        .route("/static/{*path}", get(static_file))
        .route("/favicon.ico", get(|| async { embedded("favicon.svg") }))
        .route("/ws", get(upgrade))
        .route("/qr.svg", get(qr_code))
        .route("/about", get(|State(state)| async move { room(&state, "about.html") }))
        .route("/api/about", get(about::about))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .merge(docs::routes())
        .merge(api::routes())
        .merge(play::routes())
        .merge(shows::routes())
        .merge(recordings::routes())
        .merge(lab::routes())
        .merge(screenshot::routes())
        .merge(operator::routes(&state.operator))
        .fallback(|| async { not_found() })
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(state.clone(), gate::gate))
        .layer(middleware::from_fn(gate::secure))
        .with_state(state)
}

/// The hall, or the lobby where the settings want it first.
async fn front(State(state): State<AppState>) -> Response {
    let is_hall = state.hall.settings().front_is_hall() && !state.shows.is_empty();
    page(if is_hall { "hall.html" } else { "lobby.html" })
}

/// A page of the hall; an exhibition with one table has none of them.
fn room(state: &AppState, file: &str) -> Response {
    if state.shows.is_empty() { not_found() } else { page(file) }
}

async fn upgrade(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    peer: Option<Extension<Peer>>,
    socket: WebSocketUpgrade,
) -> Response {
    socket
        .max_message_size(socket::LARGEST_EVENT)
        .max_frame_size(socket::LARGEST_EVENT)
        // Pages say little; the library's own choice of 128 KiB would cost a full hall more than everything else.
        .read_buffer_size(socket::LARGEST_EVENT)
        .write_buffer_size(0)
        .max_write_buffer_size(socket::LARGEST_UNSENT)
        .on_upgrade(move |open| async move {
            socket::serve(open, state.hall, visitor.address).await;
            // The connection's place is free when its socket is closed.
            drop(peer);
        })
}

/// What a QR code leads to.
#[derive(Debug, Deserialize)]
struct Target {
    /// The replay of this game; without it the lobby.
    game: Option<u64>,
    /// The server's first page instead.
    #[serde(default)]
    front: bool,
}

async fn qr_code(State(state): State<AppState>, Query(target): Query<Target>) -> Response {
    use qrcode::QrCode;
    use qrcode::render::svg::Color;
    let lobby = state.hall.ask(|reply| Message::Address { reply }).await.unwrap_or_default();
    let base = lobby.trim_end_matches("/lobby").trim_end_matches('/');
    let address = match target.game {
        Some(game) => format!("{base}/games#{game}"),
        None if target.front => format!("{base}/"),
        None => lobby,
    };
    let Ok(code) = QrCode::new(&address) else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let svg = code.render::<Color<'_>>().min_dimensions(240, 240).dark_color(Color("#101820")).build();
    ([(header::CONTENT_TYPE, "image/svg+xml"), (header::CACHE_CONTROL, "no-cache")], svg).into_response()
}

async fn health(State(state): State<AppState>) -> Response {
    if state.hall.is_closed() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the hall is closed\n").into_response();
    }
    let progress = state.storage.progress();
    let writes = progress.has_changed().is_ok();
    let progress = progress.borrow();
    let trouble = match &progress.trouble {
        _ if !writes => "nothing is stored any more: the database's thread has ended\n".to_owned(),
        Some(why) => format!("{} changes wait until they can be stored: {why}\n", progress.waiting()),
        None if !state.hall.metrics().is_recorded() => {
            "the disk is slow: turns are shown before they are stored\n".to_owned()
        }
        None => return (StatusCode::OK, "ok\n").into_response(),
    };
    (StatusCode::SERVICE_UNAVAILABLE, trouble).into_response()
}

async fn metrics(State(state): State<AppState>) -> Response {
    let unstored = state.storage.progress().borrow().waiting();
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, state.hall.metrics().text(unstored)).into_response()
}
