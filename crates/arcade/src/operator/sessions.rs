//! The operator's sessions, wrong tries, and the code of the first start.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, header};
use cookie::{Cookie, SameSite};
use tokio::time::Instant;

use super::log::RecentLog;

const COOKIE: &str = "gamebot_operator";
pub(super) const SESSION_LASTS: Duration = Duration::from_hours(12);
/// Wrong passwords within [`LOCKED_FOR`] that lock the door.
const TRIES: usize = 5;
const LOCKED_FOR: Duration = Duration::from_mins(1);

/// Sessions, tries and the code of the first start.
#[derive(Clone, Debug)]
pub struct Operator {
    doors: Arc<Mutex<Doors>>,
    pub(super) log: RecentLog,
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

impl Operator {
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

    pub(super) fn open_session(&self) -> String {
        let token = crate::visitor::hex(&rand::random::<[u8; 32]>());
        self.lock().sessions.insert(token.clone(), Instant::now() + SESSION_LASTS);
        token
    }

    pub(super) fn close_session(&self, headers: &HeaderMap) {
        if let Some(token) = session_of(headers) {
            self.lock().sessions.remove(&token);
        }
    }

    /// Whether a request comes from the operator.
    pub(super) fn is_open(&self, headers: &HeaderMap) -> bool {
        let Some(token) = session_of(headers) else { return false };
        let mut doors = self.lock();
        let now = Instant::now();
        doors.sessions.retain(|_, until| *until > now);
        doors.sessions.contains_key(&token)
    }

    /// Seconds until the door may be tried again.
    pub(super) fn locked_s(&self) -> Option<u64> {
        let mut doors = self.lock();
        let now = Instant::now();
        while doors.failures.front().is_some_and(|at| now.duration_since(*at) > LOCKED_FOR) {
            doors.failures.pop_front();
        }
        let first = *doors.failures.front()?;
        let left = LOCKED_FOR.saturating_sub(now.duration_since(first)).as_secs() + 1;
        (doors.failures.len() >= TRIES).then_some(left)
    }

    pub(super) fn failed(&self) {
        self.lock().failures.push_back(Instant::now());
    }

    /// The right password was given.
    pub(super) fn succeeded(&self) {
        self.lock().failures.clear();
    }

    pub(super) fn hash(&self) -> Option<String> {
        self.lock().hash.clone()
    }

    pub(super) fn set_hash(&self, hash: String) {
        self.lock().hash = Some(hash);
    }
}

/// The cookie of a session: scripts cannot read it, other sites cannot send it.
pub(super) fn session_cookie(token: &str, lasts: Duration) -> Cookie<'_> {
    Cookie::build((COOKIE, token))
        .http_only(true)
        .same_site(SameSite::Strict)
        .path("/")
        .max_age(lasts.try_into().unwrap_or_default())
        .build()
}

fn session_of(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut parsed = cookies.flat_map(Cookie::split_parse).flatten();
    parsed.find(|cookie| cookie.name() == COOKIE).map(|cookie| cookie.value().to_owned())
}
