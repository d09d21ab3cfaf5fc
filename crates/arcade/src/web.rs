//! The router: pages, static files, the WebSocket, the interfaces for programs.

use axum::Router;
use axum::extract::{Path, State, WebSocketUpgrade};
use axum::http::{HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_embed::RustEmbed;

use crate::hall::{HallHandle, Message};
use crate::{admin, api, connection};

/// The front end, inside the binary; a debug build reads it from the folder, so that a reload shows a change.
#[derive(RustEmbed)]
#[folder = "../../web"]
struct Front;

/// What requests need.
#[derive(Clone, Debug)]
pub struct AppState {
    /// The hall.
    pub hall: HallHandle,
    /// The operator's sessions and password.
    pub admin: admin::Admin,
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
        .route("/ws", get(socket))
        .route("/qr.svg", get(qr_code))
        .route("/healthz", get(health))
        .route("/metrics", get(metrics))
        .merge(api::routes())
        .merge(admin::routes(&state.admin))
        .layer(middleware::from_fn(secure))
        .with_state(state)
}

async fn socket(State(state): State<AppState>, upgrade: WebSocketUpgrade) -> Response {
    upgrade
        .max_message_size(connection::LARGEST_EVENT)
        .max_frame_size(connection::LARGEST_EVENT)
        // Pages say little; the library's own choice of 128 KiB would cost a full hall more than everything else.
        .read_buffer_size(connection::LARGEST_EVENT)
        .on_upgrade(move |socket| connection::serve(socket, state.hall))
}

async fn static_file(Path(path): Path<String>) -> Response {
    embedded(&path)
}

/// What all pages share stands in files of its own; a page names them with `<!-- part: name -->`.
const PARTS: [(&str, &str); 2] =
    [("<!-- part: head -->", "parts/head.html"), ("<!-- part: top -->", "parts/top.html")];

fn page(path: &str) -> Response {
    let text = |path: &str| Front::get(path).map(|file| String::from_utf8_lossy(&file.data).into_owned());
    let Some(html) = text(path) else { return StatusCode::NOT_FOUND.into_response() };
    let whole = PARTS
        .iter()
        .fold(html, |html, (mark, part)| html.replace(mark, text(part).unwrap_or_default().trim()));
    let headers = [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-cache")];
    (headers, whole).into_response()
}

fn embedded(path: &str) -> Response {
    let Some(file) = Front::get(path) else { return StatusCode::NOT_FOUND.into_response() };
    let kind = match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("json") => "application/json",
        _ => "application/octet-stream",
    };
    // Always asked again: a page that is older than its server is worse than a few kilobytes.
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], file.data).into_response()
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
    if state.hall.query(|_| ()).await.is_none() {
        return (StatusCode::SERVICE_UNAVAILABLE, "the hall is closed\n").into_response();
    }
    match state.hall.metrics().store_errors() {
        0 => (StatusCode::OK, "ok\n").into_response(),
        errors => {
            let text = format!("{errors} times something could not be stored; see the log\n");
            (StatusCode::SERVICE_UNAVAILABLE, text).into_response()
        }
    }
}

async fn metrics(State(state): State<AppState>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, state.hall.metrics().text()).into_response()
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
