//! The operator's sessions, wrong tries, and the code of the first start.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::http::{HeaderMap, header};
use tokio::time::Instant;

use super::log::RecentLog;
use super::visits::Visits;
use crate::limits::Allowances;
use crate::web::gate::Visitor;

const COOKIE: &str = "gamebot_operator";
pub(super) const SESSION_LASTS: Duration = Duration::from_hours(12);
/// Wrong passwords of one address within [`LOCKED_FOR`] that lock the door for it.
const TRIES: f64 = 5.0;
pub(super) const LOCKED_FOR: Duration = Duration::from_mins(1);

/// Sessions, tries and the code of the first start.
#[derive(Clone, Debug)]
pub struct Operator {
    doors: Arc<Mutex<Doors>>,
    pub(super) log: RecentLog,
    pub(super) visits: Visits,
}

#[derive(Debug)]
struct Doors {
    /// The password's hash, if one is set.
    hash: Option<String>,
    /// Needed to set the first password, so that only who sees the server's terminal can.
    setup_code: String,
    sessions: BTreeMap<String, Instant>,
    /// Tries of each address.
    tries: Allowances,
}

impl Operator {
    /// The operator's door; `hash` is the stored or configured password.
    pub fn new(hash: Option<String>, log: RecentLog) -> Self {
        let doors =
            Doors { hash, setup_code: new_code(), sessions: BTreeMap::new(), tries: Allowances::default() };
        Self { doors: Arc::new(Mutex::new(doors)), log, visits: Visits::default() }
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
    pub(crate) fn is_open(&self, headers: &HeaderMap) -> bool {
        let Some(token) = session_of(headers) else { return false };
        let mut doors = self.lock();
        let now = Instant::now();
        doors.sessions.retain(|_, until| *until > now);
        doors.sessions.contains_key(&token)
    }

    /// Whether somebody may try a password or the code. Counted before it is checked: many tries at once do not get past
    /// the limit. Whoever is at this machine, or has a session, is never locked out by others.
    pub(super) fn may_try(&self, visitor: Visitor, headers: &HeaderMap) -> bool {
        if visitor.is_local || self.is_open(headers) {
            return true;
        }
        self.lock().tries.take(visitor.address, TRIES, TRIES / LOCKED_FOR.as_secs_f64())
    }

    /// The right password was given.
    pub(super) fn succeeded(&self, visitor: Visitor) {
        self.lock().tries.forgive(visitor.address);
    }

    pub(super) fn hash(&self) -> Option<String> {
        self.lock().hash.clone()
    }

    pub(super) fn set_hash(&self, hash: String) {
        self.lock().hash = Some(hash);
    }
}

/// A code that cannot be guessed and can be typed: three groups of four letters and digits that look unlike each other.
fn new_code() -> String {
    const LETTERS: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz234567890";
    let letter = || char::from(LETTERS[usize::from(rand::random::<u8>()) % LETTERS.len()]);
    let group = || (0..4).map(|_| letter()).collect::<String>();
    [group(), group(), group()].join("-")
}

/// The cookie of a session: scripts cannot read it, other sites cannot send it. A token is letters and digits, so that
/// nothing needs quotes (RFC 6265).
pub(super) fn session_cookie(token: &str, lasts: Duration, visitor: Visitor) -> String {
    let secure = if visitor.is_encrypted { "; Secure" } else { "" };
    format!("{COOKIE}={token}; HttpOnly; SameSite=Strict{secure}; Path=/; Max-Age={}", lasts.as_secs())
}

fn session_of(headers: &HeaderMap) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.split_once('='));
    pairs.find(|(name, _)| name.trim() == COOKIE).map(|(_, token)| token.trim().to_owned())
}
