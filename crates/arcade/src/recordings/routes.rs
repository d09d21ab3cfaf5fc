//! Recordings over HTTP: the list, moments and frames for the viewer, files down and up.

use std::io::{Read, Write};
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::{Path, Query, State};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Json, Router};
use engine::Time;
use engine::replay::reel::Moment;
use futures_util::StreamExt;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::{Semaphore, mpsc};

use super::{Shelf, ShelfError, scan};
use crate::web::{AppState, not_found, page};

/// What was done this long before a frame is shown with it.
const BEFORE: Duration = Duration::from_secs(6);
/// Pieces of a file on their way.
const PIECE: usize = 64 << 10;
const PIECES: usize = 4;
/// How many recordings are read at once.
const READERS: usize = 2;
/// Frames never change.
const FOR_EVER: &str = "private, max-age=31536000, immutable";

/// Few at a time: reading files takes memory and the disk.
#[derive(Clone, Debug)]
struct Desk {
    reading: Arc<Semaphore>,
    taking_in: Arc<Semaphore>,
}

/// The routes of this room.
pub fn routes() -> Router<AppState> {
    let desk = Desk { reading: Arc::new(Semaphore::new(READERS)), taking_in: Arc::new(Semaphore::new(1)) };
    Router::new()
        .route("/runs", get(|State(state)| async move { room_page(&state, "runs.html") }))
        .route("/runs/{id}", get(viewer))
        .route("/api/runs", get(list).post(take_in))
        .route("/api/runs/{id}", get(describe))
        .route("/api/runs/{id}/moment", get(moment))
        .route("/api/runs/{id}/frames/{frame}", get(frame))
        .route("/api/runs/{id}/file", get(file))
        .layer(Extension(desk))
}

/// An exhibition with one table has no other pages.
fn room_page(state: &AppState, file: &str) -> Response {
    if state.shows.is_empty() { not_found() } else { page(file) }
}

async fn viewer(State(state): State<AppState>, Path(id): Path<String>) -> Response {
    if state.shelf.entry(&id).is_err() { not_found() } else { room_page(&state, "show.html") }
}

async fn list(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let (used, limit) = state.shelf.room();
    let uploads = state.uploads.filter(|_| !state.shows.is_empty());
    Json(json!({
        "runs": state.shelf.list(),
        "used_bytes": used,
        "limit_bytes": limit,
        "upload_mb": uploads,
        "operator": state.operator.is_open(&headers),
    }))
    .into_response()
}

async fn describe(
    State(state): State<AppState>,
    Extension(desk): Extension<Desk>,
    Path(id): Path<String>,
) -> Response {
    let answer = desk.read(state.shelf.clone(), id, |shelf, id| {
        let entry = shelf.entry(id)?;
        let (reel, _) = shelf.reel(id)?;
        let times = reel.wall_clock().map(|wall_clock| &wall_clock.times.steps);
        Ok(json!({
            "run": entry,
            "program": reel.run().program,
            "clock": reel.run().clock,
            "marks": reel.marks(),
            "step_times": times,
        }))
    });
    answer.await.map_or_else(IntoResponse::into_response, |answer| Json(answer).into_response())
}

/// Which moment.
#[derive(Debug, Deserialize)]
struct Wanted {
    /// This frame, from 0 …
    frame: Option<u32>,
    /// … or the one before this time.
    time_ms: Option<u64>,
}

async fn moment(
    State(state): State<AppState>,
    Extension(desk): Extension<Desk>,
    Path(id): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Response {
    let answer = desk.read(state.shelf.clone(), id, move |shelf, id| {
        let (reel, file) = shelf.reel(id)?;
        let frame = match (wanted.frame, wanted.time_ms) {
            (Some(frame), _) => frame,
            (None, Some(ms)) => reel.frame_at(&file, Time::from_nanos(ms.saturating_mul(1_000_000)))?,
            (None, None) => 0,
        };
        let mut told = told(&reel.moment(&file, frame, BEFORE)?);
        if let Some(board) = scan::board(&reel, &file, frame)? {
            told["board"] = board.into();
        }
        Ok(told)
    });
    answer.await.map_or_else(IntoResponse::into_response, |answer| Json(answer).into_response())
}

/// A moment in the words of a live show (docs/events.md).
fn told(moment: &Moment) -> Value {
    let notes: Vec<_> = moment
        .notes
        .iter()
        .map(|note| {
            let content: Value = serde_json::from_slice(&note.bytes).unwrap_or(Value::Null);
            json!({ "type": "NOTE", "topic": note.topic, "time_ms": milliseconds(note.time), "note": content })
        })
        .collect();
    json!({ "frame": moment.frame, "time_ms": milliseconds(moment.time), "tally": moment.tally, "notes": notes })
}

fn milliseconds(time: Time) -> u64 {
    u64::try_from(time.elapsed().as_millis()).unwrap_or(u64::MAX)
}

async fn frame(
    State(state): State<AppState>,
    Extension(desk): Extension<Desk>,
    Path((id, frame)): Path<(String, String)>,
) -> Response {
    let Some(frame) = frame.strip_suffix(".png").and_then(|number| number.parse().ok()) else {
        return not_found();
    };
    let answer = desk.read(state.shelf.clone(), id, move |shelf, id| {
        let (reel, file) = shelf.reel(id)?;
        Ok(reel.png(&file, frame)?)
    });
    match answer.await {
        Ok(png) => {
            ([(header::CONTENT_TYPE, "image/png"), (header::CACHE_CONTROL, FOR_EVER)], png).into_response()
        }
        Err(refusal) => refusal.into_response(),
    }
}

async fn file(State(state): State<AppState>, Path(id): Path<String>) -> Response {
    let entry = match state.shelf.entry(&id) {
        Ok(entry) => entry,
        Err(error) => return Refusal(error).into_response(),
    };
    let (sender, pieces) = mpsc::channel::<std::io::Result<Bytes>>(PIECES);
    let path = state.shelf.path(&id);
    tokio::task::spawn_blocking(move || {
        let mut file = match std::fs::File::open(path) {
            Ok(file) => file,
            Err(error) => return drop(sender.blocking_send(Err(error))),
        };
        loop {
            let mut piece = vec![0; PIECE];
            let sent = match file.read(&mut piece) {
                Ok(0) => return,
                Ok(read) => {
                    piece.truncate(read);
                    sender.blocking_send(Ok(piece.into()))
                }
                Err(error) => sender.blocking_send(Err(error)),
            };
            if sent.is_err() {
                return; // Whoever wanted it is gone.
            }
        }
    });
    let body = futures_util::stream::unfold(pieces, |mut pieces| async move {
        let piece = pieces.recv().await?;
        Some((piece, pieces))
    });
    let headers = [
        (header::CONTENT_TYPE, "application/octet-stream".to_owned()),
        (header::CONTENT_LENGTH, entry.bytes.to_string()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{id}.mcap\"")),
    ];
    (headers, Body::from_stream(body)).into_response()
}

/// Takes a visitor's recording in: straight to the disk, then read, and refused if it cannot be shown.
async fn take_in(State(state): State<AppState>, Extension(desk): Extension<Desk>, body: Body) -> Response {
    let Some(limit_mb) = state.uploads.filter(|_| !state.shows.is_empty()) else {
        return refused(StatusCode::FORBIDDEN, "recordings of visitors are not taken here");
    };
    let Ok(_turn) = desk.taking_in.try_acquire() else {
        return refused(StatusCode::SERVICE_UNAVAILABLE, "another recording is being read; please try again");
    };
    let (id, path) = match state.shelf.place("upload") {
        Ok(place) => place,
        Err(error) => return Refusal(error).into_response(),
    };
    // Whatever happens on the way, a file that was not added does not stay.
    let unfinished = Unfinished { shelf: state.shelf.clone(), id: Some(id.clone()) };
    let (sender, mut pieces) = mpsc::channel::<Bytes>(PIECES);
    let writing = tokio::task::spawn_blocking(move || -> std::io::Result<()> {
        let mut file = std::fs::File::create(path)?;
        while let Some(piece) = pieces.blocking_recv() {
            file.write_all(&piece)?;
        }
        file.flush()
    });
    let mut stream = body.into_data_stream();
    let mut left = u64::from(limit_mb) << 20;
    while let Some(piece) = stream.next().await {
        let Ok(piece) = piece else {
            return refused(StatusCode::BAD_REQUEST, "the recording did not arrive whole");
        };
        let Some(rest) = left.checked_sub(piece.len() as u64) else {
            let why = format!("recordings of more than {limit_mb} MB are not taken");
            return refused(StatusCode::PAYLOAD_TOO_LARGE, why);
        };
        left = rest;
        if sender.send(piece).await.is_err() {
            break; // The disk is full; the writer says so.
        }
    }
    drop(sender);
    match writing.await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            return refused(StatusCode::INSUFFICIENT_STORAGE, format!("cannot store it: {error}"));
        }
        Err(_) => return refused(StatusCode::INTERNAL_SERVER_ERROR, "cannot store it"),
    }
    let added = tokio::task::spawn_blocking(move || unfinished.add()).await;
    match added {
        Ok(Ok(entry)) => (StatusCode::CREATED, Json(json!({ "run": entry }))).into_response(),
        Ok(Err(error)) => Refusal(error).into_response(),
        Err(_) => refused(StatusCode::INTERNAL_SERVER_ERROR, "cannot be read"),
    }
}

/// A file that is deleted unless it is added.
struct Unfinished {
    shelf: Shelf,
    id: Option<String>,
}

impl Unfinished {
    fn add(mut self) -> Result<super::Entry, ShelfError> {
        let id = self.id.take().unwrap_or_default();
        self.shelf.add(&id, true)
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(id) = self.id.take() {
            self.shelf.forget(&id);
        }
    }
}

impl Desk {
    /// Reads a recording on a thread that may block.
    async fn read<T: Send + 'static>(
        &self,
        shelf: Shelf,
        id: String,
        read: impl FnOnce(&Shelf, &str) -> Result<T, ShelfError> + Send + 'static,
    ) -> Result<T, Refusal> {
        let lost = || Refusal(ShelfError::Missing(String::new()));
        let _seat = self.reading.acquire().await.map_err(|_| lost())?;
        let answer = tokio::task::spawn_blocking(move || read(&shelf, &id)).await;
        answer.map_err(|_| lost())?.map_err(Refusal)
    }
}

/// Why a request about a recording is refused.
struct Refusal(ShelfError);

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let status = match &self.0 {
            ShelfError::Missing(_) => StatusCode::NOT_FOUND,
            ShelfError::Unreadable(_) | ShelfError::Name => StatusCode::UNPROCESSABLE_ENTITY,
            ShelfError::Full { .. } => StatusCode::INSUFFICIENT_STORAGE,
            ShelfError::Folder { .. } => StatusCode::INTERNAL_SERVER_ERROR,
        };
        refused(status, self.0)
    }
}

fn refused(status: StatusCode, why: impl std::fmt::Display) -> Response {
    (status, Json(json!({ "error": why.to_string() }))).into_response()
}

/// What the operator wants of a recording.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wish {
    name: Option<String>,
    kept: Option<bool>,
}

/// Names a recording, or keeps it.
pub(crate) async fn label(
    State(state): State<AppState>,
    Path(id): Path<String>,
    Json(wish): Json<Wish>,
) -> Response {
    match state.shelf.label(&id, wish.name.as_deref(), wish.kept) {
        Ok(entry) => Json(json!({ "run": entry })).into_response(),
        Err(error) => Refusal(error).into_response(),
    }
}

/// Deletes a recording.
pub(crate) async fn delete(State(state): State<AppState>, Path(id): Path<String>) -> Response {
    match state.shelf.delete(&id) {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => Refusal(error).into_response(),
    }
}
