//! The pieces that the Tetris robot was dealt: a visitor plays the same ones beside it (X1).

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

use axum::Json;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use runs::Deal;
use serde::Deserialize;
use serde_json::json;

use super::Now;
use crate::web::{AppState, not_found};

/// Whoever plays slower than the robot still wants the pieces of a game that it has ended.
const KEPT: usize = 8;

/// The pieces of the last runs, by their numbers.
#[derive(Debug, Default)]
pub(super) struct Deals(Mutex<VecDeque<(u64, Deal)>>);

impl Deals {
    /// A run begins.
    pub(super) fn begin(&self, run: u64, deal: Deal) {
        let mut deals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        deals.push_back((run, deal));
        if deals.len() > KEPT {
            deals.pop_front();
        }
    }

    /// The pieces of this run, or of the newest.
    fn find(&self, run: Option<u64>) -> Option<(u64, Deal)> {
        let deals = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        deals.iter().rev().find(|(number, _)| run.is_none_or(|run| run == *number)).cloned()
    }
}

/// Which pieces.
#[derive(Debug, Deserialize)]
pub(super) struct Wanted {
    /// Of this run; of the newest if none is named.
    run: Option<u64>,
    /// From this piece on, counted from 0.
    #[serde(default)]
    from: usize,
}

/// The pieces of a run in their order, each with the robot's points when it came.
pub(super) async fn pieces(
    State(state): State<AppState>,
    Path(name): Path<String>,
    Query(wanted): Query<Wanted>,
) -> Response {
    let show = state.shows.find(&name).filter(|show| show.game == "tetris");
    let Some((show, (run, deal))) = show.and_then(|show| Some((show, show.deals.find(wanted.run)?))) else {
        return not_found();
    };
    let dealt = deal.so_far();
    let new = dealt.pieces.iter().skip(wanted.from);
    let letters: String = new.clone().map(|(piece, _)| piece.letter()).collect();
    let scores: Vec<u32> = new.map(|&(_, score)| score).collect();
    let is_on = matches!(*show.now.borrow(), Now::Playing { run: now, .. } if now == run);
    Json(json!({
        "run": run, "level": dealt.level, "heart": dealt.heart, "from": wanted.from,
        "pieces": letters, "scores": scores, "over": dealt.is_over || !is_on,
    }))
    .into_response()
}
