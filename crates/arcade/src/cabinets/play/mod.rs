//! Games that visitors play by themselves: the page does everything, the server keeps the best games, answers other
//! programs and lends players of its own. It believes no page: a score is replayed from its keys before it is stored.

mod guests;
mod scores;
mod solve;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::limits::Allowances;
use crate::web::{AppState, not_found, page};

pub use guests::Guests;

/// What an address may ask: answers are worth a second each, pieces come faster.
const ANSWERS: Allowance = Allowance { burst: 10.0, per_second: 1.0 };
const PIECES: Allowance = Allowance { burst: 30.0, per_second: 5.0 };

/// The routes of this cabinet.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/tetris", get(|State(state)| async move { play_page(&state, "tetris.html") }))
        .route("/samegame", get(|State(state)| async move { play_page(&state, "samegame.html") }))
        .route("/connect-four", get(|State(state)| async move { play_page(&state, "connect-four.html") }))
        .route("/api/tetris/scores", get(scores::best).post(scores::enter).layer(scores::body_limit()))
        .route("/api/tetris/scores/{entry}", get(scores::one))
        .route("/api/solve", get(solve::solve))
        .route("/api/tetris/players", get(guests::list))
        .route("/api/tetris/players/{name}", get(guests::evaluator).post(guests::think))
        .layer(Extension(Bench { answers: Workbench::new(ANSWERS), guests: Workbench::new(PIECES) }))
}

/// An exhibition with one table has no other pages.
fn play_page(state: &AppState, file: &str) -> Response {
    if state.shows.is_empty() { not_found() } else { page(file) }
}

/// What costs time.
#[derive(Clone, Debug)]
struct Bench {
    answers: Workbench,
    guests: Workbench,
}

/// How many questions an address may ask at once, and how many a second it gets back.
#[derive(Clone, Copy, Debug)]
struct Allowance {
    burst: f64,
    per_second: f64,
}

/// One question at a time, and few from one address.
#[derive(Clone, Debug)]
struct Workbench {
    allowance: Allowance,
    asked: Arc<Mutex<Allowances>>,
    seats: Arc<Semaphore>,
}

impl Workbench {
    fn new(allowance: Allowance) -> Self {
        Self { allowance, asked: Arc::default(), seats: Arc::new(Semaphore::new(1)) }
    }

    /// Does `work` on a thread that may take long, if this address may ask; otherwise says that it has asked too often.
    #[allow(clippy::result_large_err, reason = "a refusal is an answer, made once a request")]
    async fn work<T: Send + 'static>(
        &self,
        address: IpAddr,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Response> {
        let allowed = {
            let mut asked = self.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.take(address, self.allowance.burst, self.allowance.per_second)
        };
        if !allowed {
            let headers = [(header::RETRY_AFTER, "1")];
            let why = format!("too many questions; {} a second are answered", self.allowance.per_second);
            let why = Json(json!({ "error": why }));
            return Err((StatusCode::TOO_MANY_REQUESTS, headers, why).into_response());
        }
        let closed = |_| refused(StatusCode::SERVICE_UNAVAILABLE, "the hall is closing");
        let _seat = self.seats.acquire().await.map_err(closed)?;
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|_| refused(StatusCode::INTERNAL_SERVER_ERROR, "no answer was found"))
    }
}

/// An answer that says why there is none.
fn refused(status: StatusCode, why: impl std::fmt::Display) -> Response {
    (status, Json(json!({ "error": why.to_string() }))).into_response()
}
