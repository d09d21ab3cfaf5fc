//! The operator's interface: password, sessions, settings, robot, downloads (C12).
//!
//! A session is a cookie that scripts cannot read and other sites cannot send
//! (`HttpOnly`, `SameSite=Strict`); requests that change something also need a
//! header that a form on another site cannot add.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::Argon2;
use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use axum::extract::{Request, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use futures_util::stream;
use serde::Deserialize;
use serde_json::json;
use tokio::sync::broadcast;
use tokio::time::Instant;

use devices::robot::{Direction, TrafficLine};
use simulators::robot::{BadFault, Order};

use crate::hall::{Message, RobotCommand};
use crate::web::AppState;

const COOKIE: &str = "gamebot_operator";
const SESSION_LASTS: Duration = Duration::from_hours(12);
/// Wrong passwords within [`LOCKED_FOR`] that lock the door.
const TRIES: usize = 5;
const LOCKED_FOR: Duration = Duration::from_mins(1);
const SHORTEST_PASSWORD: usize = 8;
/// Longer ones would let a stranger keep the processor busy.
const LONGEST_PASSWORD: usize = 256;
/// Name of the stored password hash.
pub(crate) const HASH: &str = "password";

/// The newest lines of the log, for the operator's page.
#[derive(Clone, Debug, Default)]
pub struct RecentLog(Arc<Mutex<VecDeque<String>>>);

impl RecentLog {
    const LINES: usize = 2000;

    /// Adds a line and forgets the oldest.
    pub fn add(&self, line: String) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == Self::LINES {
            lines.pop_front();
        }
        lines.push_back(line);
    }

    fn text(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// Sessions, tries and the code of the first start.
#[derive(Clone, Debug)]
pub struct Admin {
    doors: Arc<Mutex<Doors>>,
    log: RecentLog,
}

#[derive(Debug)]
struct Doors {
    /// The password's hash, if one is set.
    hash: Option<String>,
    /// Needed to set the first password, so that only who sees the server's terminal can.
    setup_code: String,
    sessions: BTreeMap<String, Instant>,
    failures: VecDeque<Instant>,
}

impl Admin {
    /// The operator's door; `hash` is the stored or configured password.
    pub fn new(hash: Option<String>, log: RecentLog) -> Self {
        let setup_code = format!("{:06}", rand::random::<u32>() % 1_000_000);
        let doors = Doors { hash, setup_code, sessions: BTreeMap::new(), failures: VecDeque::new() };
        Self { doors: Arc::new(Mutex::new(doors)), log }
    }

    /// The code that sets the first password; none once there is one.
    pub fn setup_code(&self) -> Option<String> {
        let doors = self.lock();
        doors.hash.is_none().then(|| doors.setup_code.clone())
    }

    fn lock(&self) -> MutexGuard<'_, Doors> {
        self.doors.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn open_session(&self) -> String {
        let token = crate::hall::hex(&rand::random::<[u8; 32]>());
        self.lock().sessions.insert(token.clone(), Instant::now() + SESSION_LASTS);
        token
    }

    fn is_open(&self, headers: &HeaderMap) -> bool {
        let Some(token) = session_of(headers) else { return false };
        let mut doors = self.lock();
        let now = Instant::now();
        doors.sessions.retain(|_, until| *until > now);
        doors.sessions.contains_key(token)
    }

    /// Seconds until the door may be tried again.
    fn locked_s(&self) -> Option<u64> {
        let mut doors = self.lock();
        let now = Instant::now();
        while doors.failures.front().is_some_and(|at| now.duration_since(*at) > LOCKED_FOR) {
            doors.failures.pop_front();
        }
        let first = *doors.failures.front()?;
        let left = LOCKED_FOR.saturating_sub(now.duration_since(first)).as_secs() + 1;
        (doors.failures.len() >= TRIES).then_some(left)
    }

    fn failed(&self) {
        self.lock().failures.push_back(Instant::now());
    }
}

/// Hashes a password for storage.
fn hash(password: &str) -> Option<String> {
    let hash: PasswordHash = Argon2::default().hash_password(password.as_bytes()).ok()?;
    Some(hash.to_string())
}

/// The routes of this module.
pub fn routes(admin: &Admin) -> Router<AppState> {
    let guarded = Router::new()
        .route("/api/admin/logout", post(logout))
        .route("/api/admin/settings", get(settings).post(change_setting))
        .route("/api/admin/game/end", post(end_game))
        .route("/api/admin/robot", post(robot))
        .route("/api/admin/robot/fault", post(robot_fault))
        .route("/api/admin/traffic", get(traffic))
        .route("/api/admin/log", get(log))
        .route("/api/admin/database", get(database))
        .route_layer(middleware::from_fn_with_state(admin.clone(), guard));
    Router::new()
        .route("/api/admin/session", get(session))
        .route("/api/admin/setup", post(setup))
        .route("/api/admin/login", post(login))
        .merge(guarded)
}

/// Lets only the operator through.
async fn guard(State(admin): State<Admin>, request: Request, next: Next) -> Response {
    if !admin.is_open(request.headers()) {
        return refuse(StatusCode::UNAUTHORIZED, "please log in");
    }
    if request.method() != axum::http::Method::GET && !is_from_our_page(request.headers()) {
        return refuse(StatusCode::FORBIDDEN, "the header X-Gamebot is missing");
    }
    next.run(request).await
}

async fn session(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let word = match (state.admin.is_open(&headers), state.admin.setup_code()) {
        (true, _) => "open",
        (false, Some(_)) => "setup",
        (false, None) => "login",
    };
    Json(json!({ "state": word })).into_response()
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Setup {
    code: String,
    password: String,
}

async fn setup(State(state): State<AppState>, headers: HeaderMap, Json(body): Json<Setup>) -> Response {
    if !is_from_our_page(&headers) {
        return refuse(StatusCode::FORBIDDEN, "the header X-Gamebot is missing");
    }
    if let Some(seconds) = state.admin.locked_s() {
        return locked(seconds);
    }
    match state.admin.setup_code() {
        None => return refuse(StatusCode::CONFLICT, "a password is set already"),
        Some(code) if code != body.code.trim() => {
            state.admin.failed();
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
    match state.hall.query(move |store| store.keep_secret(HASH, &kept)).await {
        Some(Ok(())) => {}
        _ => return refuse(StatusCode::INTERNAL_SERVER_ERROR, "the password could not be stored"),
    }
    state.admin.lock().hash = Some(hashed);
    opened(&state.admin)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Login {
    password: String,
}

async fn login(State(state): State<AppState>, headers: HeaderMap, Json(body): Json<Login>) -> Response {
    if !is_from_our_page(&headers) {
        return refuse(StatusCode::FORBIDDEN, "the header X-Gamebot is missing");
    }
    if let Some(seconds) = state.admin.locked_s() {
        return locked(seconds);
    }
    let Some(hash) = state.admin.lock().hash.clone() else {
        return refuse(StatusCode::CONFLICT, "no password is set yet");
    };
    // Counted before it is checked: many tries at once do not get past the limit.
    state.admin.failed();
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
    state.admin.lock().failures.clear();
    opened(&state.admin)
}

async fn logout(State(state): State<AppState>, headers: HeaderMap) -> Response {
    if let Some(token) = session_of(&headers) {
        state.admin.lock().sessions.remove(token);
    }
    let cookie = format!("{COOKIE}=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0");
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
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
    match state.hall.ask(|reply| Message::ChangeSetting { key, value, reply }).await {
        Some(Ok(())) => StatusCode::NO_CONTENT.into_response(),
        Some(Err(error)) => refuse(StatusCode::UNPROCESSABLE_ENTITY, &error.to_string()),
        None => closed(),
    }
}

async fn end_game(State(state): State<AppState>) -> Response {
    match state.hall.ask(|reply| Message::EndGame { reply }).await {
        Some(true) => StatusCode::NO_CONTENT.into_response(),
        Some(false) => refuse(StatusCode::CONFLICT, "no game is under way"),
        None => closed(),
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Command {
    command: RobotCommand,
}

async fn robot(State(state): State<AppState>, Json(Command { command }): Json<Command>) -> Response {
    if state.hall.say(Message::RobotCommand { command }).await {
        StatusCode::NO_CONTENT.into_response()
    } else {
        closed()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FaultBody {
    fault: String,
}

async fn robot_fault(State(state): State<AppState>, Json(FaultBody { fault }): Json<FaultBody>) -> Response {
    let order = match fault.as_str() {
        "plug" => Order::Plug,
        "unplug" => Order::Unplug,
        "repair" => Order::Repair,
        name => match name.replace('_', "-").parse() {
            Ok(fault) => Order::Fault(fault),
            Err(error) => return refuse(StatusCode::UNPROCESSABLE_ENTITY, &BadFault::to_string(&error)),
        },
    };
    match state.hall.ask(|reply| Message::RobotFault { order, reply }).await {
        Some(true) => StatusCode::NO_CONTENT.into_response(),
        Some(false) => refuse(StatusCode::CONFLICT, "only the simulated robot has faults on demand"),
        None => closed(),
    }
}

/// Every character on the robot's line, as it goes.
async fn traffic(State(state): State<AppState>) -> Response {
    let Some(lines) = state.hall.ask(|reply| Message::Traffic { reply }).await else { return closed() };
    let start = Instant::now();
    let events = stream::unfold(lines, move |mut lines| async move {
        let event = loop {
            match lines.recv().await {
                Ok(line) => break traffic_event(&line, start),
                Err(broadcast::error::RecvError::Lagged(_)) => {}
                Err(broadcast::error::RecvError::Closed) => return None,
            }
        };
        Some((Ok::<_, Infallible>(event), lines))
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

fn traffic_event(line: &TrafficLine, start: Instant) -> SseEvent {
    let direction = match line.direction {
        Direction::ToRobot => "to",
        Direction::FromRobot => "from",
    };
    let json = json!({
        "at_ms": line.at.saturating_duration_since(start).as_millis() as u64,
        "direction": direction,
        "character": char::from(line.byte).to_string(),
        "meaning": line.meaning(),
    });
    SseEvent::default().data(json.to_string())
}

async fn log(State(state): State<AppState>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], state.admin.log.text()).into_response()
}

async fn database(State(state): State<AppState>) -> Response {
    match state.hall.query(crate::store::Store::export).await {
        Some(Ok(bytes)) => {
            let headers = [
                (header::CONTENT_TYPE, "application/vnd.sqlite3"),
                (header::CONTENT_DISPOSITION, "attachment; filename=\"gamebot.sqlite\""),
            ];
            (headers, bytes).into_response()
        }
        Some(Err(error)) => refuse(StatusCode::INTERNAL_SERVER_ERROR, &error.to_string()),
        None => closed(),
    }
}

fn session_of(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';'));
    pairs.find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

fn is_from_our_page(headers: &HeaderMap) -> bool {
    headers.contains_key("x-gamebot")
}

fn opened(admin: &Admin) -> Response {
    let seconds = SESSION_LASTS.as_secs();
    let token = admin.open_session();
    let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/; Max-Age={seconds}");
    (StatusCode::NO_CONTENT, [(header::SET_COOKIE, cookie)]).into_response()
}

fn refuse(status: StatusCode, error: &str) -> Response {
    (status, Json(json!({ "error": error }))).into_response()
}

fn locked(seconds: u64) -> Response {
    let body = json!({ "error": "too many tries", "retry_after_s": seconds });
    (StatusCode::TOO_MANY_REQUESTS, [(header::RETRY_AFTER, seconds.to_string())], Json(body)).into_response()
}

fn closed() -> Response {
    refuse(StatusCode::SERVICE_UNAVAILABLE, "the hall is closed")
}
