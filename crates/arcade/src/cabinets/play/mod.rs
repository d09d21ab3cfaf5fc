//! Games that visitors play by themselves: the page does everything, the server keeps the best games and answers other
//! programs. It believes no page: a score is replayed from its keys before it is stored.

mod scores;
mod solve;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router};
use serde_json::json;
use tokio::sync::Semaphore;

use crate::limits::Allowances;
use crate::web::AppState;

/// Questions that an address may ask at once, and how many a second it gets back.
const BURST: f64 = 10.0;
const PER_SECOND: f64 = 1.0;

/// The routes of this cabinet.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/tetris/scores", get(scores::best).post(scores::enter).layer(scores::body_limit()))
        .route("/api/solve", get(solve::solve))
        .layer(Extension(Workbench::default()))
}

/// What costs time: one question at a time, and few from one address.
#[derive(Clone, Debug)]
struct Workbench {
    allowances: Arc<Mutex<Allowances>>,
    seats: Arc<Semaphore>,
}

impl Default for Workbench {
    fn default() -> Self {
        Self { allowances: Arc::default(), seats: Arc::new(Semaphore::new(1)) }
    }
}

impl Workbench {
    /// Does `work` on a thread that may take long, if this address may ask; otherwise says that it has asked too often.
    #[allow(clippy::result_large_err, reason = "a refusal is an answer, made once a request")]
    async fn work<T: Send + 'static>(
        &self,
        address: IpAddr,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Response> {
        let allowed = {
            let mut allowances = self.allowances.lock().unwrap_or_else(PoisonError::into_inner);
            allowances.take(address, BURST, PER_SECOND)
        };
        if !allowed {
            let headers = [(header::RETRY_AFTER, "1")];
            let why = Json(json!({ "error": "too many questions; one a second is answered" }));
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
