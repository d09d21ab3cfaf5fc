//! A visitor's screenshot of any SameGame: recognised, solved, and told move by move.

use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Json, Router};
use browser::samegame::{Closing, Goal, Table};
use engine::{Picture, PixelFormat};
use samegame::board::Board;
use samegame::rules::Rules;
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::limits::Allowances;
use crate::web::gate::Visitor;
use crate::web::{AppState, not_found, page};

/// Pixels of a picture: a whole 4K screen. Pages make larger ones smaller.
const MOST_PIXELS: usize = 3840 * 2160;
const SMALLEST_SIDE: u32 = 32;
/// A second or two of one core.
const NODES: u64 = 300_000;
/// Pictures that one address may send at once, and how many a second it gets back.
const BURST: f64 = 6.0;
const PER_SECOND: f64 = 0.5;

/// One picture at a time.
#[derive(Clone, Debug)]
struct Desk {
    seat: Arc<Semaphore>,
    asked: Arc<Mutex<Allowances>>,
}

/// The routes of this cabinet.
pub fn routes() -> Router<AppState> {
    let desk = Desk { seat: Arc::new(Semaphore::new(1)), asked: Arc::default() };
    Router::new()
        .route("/screenshot", get(|State(state)| async move { screenshot_page(&state) }))
        .route("/api/samegame/see", post(see).layer(DefaultBodyLimit::max(3 * MOST_PIXELS)))
        .layer(Extension(desk))
}

fn screenshot_page(state: &AppState) -> Response {
    if state.shows.is_empty() { not_found() } else { page("screenshot.html") }
}

/// How large the picture is; its pixels are the body, three bytes each, top row first.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Size {
    width: u32,
    height: u32,
}

async fn see(
    Extension(visitor): Extension<Visitor>,
    Extension(desk): Extension<Desk>,
    Query(size): Query<Size>,
    pixels: Bytes,
) -> Response {
    let fits = (size.width as usize).checked_mul(size.height as usize).is_some_and(|count| {
        count <= MOST_PIXELS && 3 * count == pixels.len() && size.width.min(size.height) >= SMALLEST_SIDE
    });
    if !fits {
        let why = format!(
            "send width · height · 3 bytes of a picture from {SMALLEST_SIDE} pixels a side to {MOST_PIXELS} in all"
        );
        return refused(StatusCode::UNPROCESSABLE_ENTITY, why);
    }
    let allowed =
        desk.asked.lock().unwrap_or_else(PoisonError::into_inner).take(visitor.address, BURST, PER_SECOND);
    if !allowed {
        return refused(StatusCode::TOO_MANY_REQUESTS, "too many pictures; please wait a moment");
    }
    let Ok(_seat) = desk.seat.acquire().await else {
        return refused(StatusCode::SERVICE_UNAVAILABLE, "the hall is closing");
    };
    let picture =
        Picture { width: size.width, height: size.height, format: PixelFormat::Rgb8, pixels: pixels.into() };
    match tokio::task::spawn_blocking(move || answer(&picture)).await {
        Ok(Ok(answer)) => Json(answer).into_response(),
        Ok(Err(why)) => refused(StatusCode::UNPROCESSABLE_ENTITY, why),
        Err(_) => refused(StatusCode::INTERNAL_SERVER_ERROR, "the picture could not be read"),
    }
}

fn answer(picture: &Picture) -> Result<Value, String> {
    let sight = players::samegame::see::see(picture).map_err(|error| error.to_string())?;
    let (x, y) = (&sight.lattice.x, &sight.lattice.y);
    let table = Table { board: sight.board.columns().to_vec(), min_group: 2, closing: Closing::Left };
    let found = browser::samegame::solve(table, Goal::Clear, NODES, 1).map_err(|error| error.to_string())?;
    let least = sight.confidence.iter().flatten().copied().fold(1.0, f32::min);
    Ok(json!({
        "board": sight.board.columns(),
        "bounds": { "left": x.origin, "top": y.origin, "width": x.end() - x.origin, "height": y.end() - y.origin },
        "confidence": least,
        "steps": steps(&sight.board, &found.moves),
        "proof": found.proof,
        "remaining": found.remaining,
        "score": found.score,
    }))
}

/// What each move takes away, and what stands afterwards.
fn steps(board: &Board, moves: &[usize]) -> Vec<Value> {
    let mut board = board.clone();
    let mut steps = Vec::new();
    for number in moves {
        let Some((group, after)) = board.after(*number, &Rules::default()) else { break };
        steps.push(json!({ "cells": group.cells, "after": after.columns() }));
        board = after;
    }
    steps
}

fn refused(status: StatusCode, why: impl std::fmt::Display) -> Response {
    (status, Json(json!({ "error": why.to_string() }))).into_response()
}
