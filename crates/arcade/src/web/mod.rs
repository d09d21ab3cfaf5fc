//! The router: pages, static files, the WebSocket, the interfaces for programs.

mod pages;
mod socket;

use axum::Router;
use axum::extract::{State, WebSocketUpgrade};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use crate::cabinets::connect_four::api;
use crate::hall::{HallHandle, Message};
use crate::operator::{self, Operator};
use crate::storage::Storage;
use pages::{embedded, page, static_file};

/// What requests need.
#[derive(Clone, Debug)]
pub struct AppState {
    /// The hall.
    pub hall: HallHandle,
    /// The database.
    pub storage: Storage,
    /// The operator's sessions and password.
    pub operator: Operator,
}

/// The whole site. Tests call it without a port.
pub fn app(state: AppState) -> Router {
    Router::new()
        .route("/", get(|| async { page("index.html") }))
        .route("/watch", get(|| async { page("watch.html") }))
        .route("/robot", get(|| async { page("robot.html") }))
        .route("/games", get(|| async { page("games.html") }))
        .route("/statistics", get(|| async { page("games.html") }))
        .route("/admin", get(|| async { page("admin.html") }))
        .route("/static/{*path}", get(static_file))
        .route("/favicon.ico", get(|| async { embedded("favicon.svg") }))
        .route("/ws", get(upgrade))
        .route("/qr.svg", get(qr_code))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .merge(api::routes())
        .merge(operator::routes(&state.operator))
        .layer(middleware::from_fn(secure))
        .with_state(state)
}

async fn upgrade(State(state): State<AppState>, socket: WebSocketUpgrade) -> Response {
    socket
        .max_message_size(socket::LARGEST_EVENT)
        .max_frame_size(socket::LARGEST_EVENT)
        // Pages say little; the library's own choice of 128 KiB would cost a full hall more than everything else.
        .read_buffer_size(socket::LARGEST_EVENT)
        .on_upgrade(move |open| socket::serve(open, state.hall))
}

async fn qr_code(State(state): State<AppState>) -> Response {
    use qrcode::QrCode;
    use qrcode::render::svg::Color;
    let address = state.hall.ask(|reply| Message::Address { reply }).await.unwrap_or_default();
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
    let progress = state.storage.progress().borrow().clone();
    match &progress.trouble {
        None => (StatusCode::OK, "ok\n").into_response(),
        Some(why) => {
            let waiting = progress.waiting();
            let text = format!("{waiting} changes wait until they can be stored: {why}\n");
            (StatusCode::SERVICE_UNAVAILABLE, text).into_response()
        }
    }
}

async fn metrics(State(state): State<AppState>) -> Response {
    let unstored = state.storage.progress().borrow().waiting();
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, state.hall.metrics().text(unstored)).into_response()
}

/// Nothing from elsewhere, in no frame, no guessing of types.
async fn secure(request: axum::extract::Request, next: Next) -> Response {
    const POLICY: &str = "default-src 'self'; img-src 'self' data:; connect-src 'self' ws: wss:; frame-ancestors 'none'; base-uri 'none'; form-action 'self'";
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    response
}
