//! Stored games and figures for pages and programs (C12).

use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::hall::Message;
use crate::store::{Store, StoreError, StoredGame, WholeGame};
use crate::web::AppState;

/// The most games on one page of the list.
const LARGEST_PAGE: u32 = 500;

/// The routes of this module.
pub fn routes() -> Router<AppState> {
    Router::new()
        .route("/api/games", get(games))
        .route("/api/games/{game}", get(game))
        .route("/api/games.json", get(export_json))
        .route("/api/games.csv", get(export_csv))
        .route("/api/statistics", get(statistics))
        .route("/api/robot", get(robot))
}

#[derive(Debug, Deserialize)]
struct Page {
    before: Option<u64>,
    limit: Option<u32>,
}

async fn games(State(state): State<AppState>, Query(page): Query<Page>) -> Response {
    let limit = page.limit.unwrap_or(50).min(LARGEST_PAGE);
    answer(
        state.hall.query(move |store| store.games(page.before, limit)).await,
        |games| json!({ "games": games }),
    )
}

async fn game(State(state): State<AppState>, Path(game): Path<u64>) -> Response {
    match state.hall.query(move |store| store.whole_game(game)).await {
        Some(Ok(None)) => StatusCode::NOT_FOUND.into_response(),
        other => answer(other, |game| game),
    }
}

async fn statistics(State(state): State<AppState>) -> Response {
    let figures = state.hall.query(|store| {
        let day_start = crate::hall::start_of_today();
        Ok(json!({
            "today": store.statistics(Some(day_start))?,
            "total": store.statistics(None)?,
            "levels": store.level_statistics()?,
        }))
    });
    answer(figures.await, |figures| figures)
}

async fn robot(State(state): State<AppState>) -> Response {
    let picture = state.hall.ask(|reply| Message::RobotPicture { reply }).await;
    answer(picture.map(Ok), |picture| picture)
}

async fn export_json(State(state): State<AppState>) -> Response {
    answer(state.hall.query(all_games).await, |games| games)
}

async fn export_csv(State(state): State<AppState>) -> Response {
    let games = match state.hall.query(|store| store.games(None, u32::MAX)).await {
        Some(Ok(games)) => games,
        other => return answer(other, |games| games),
    };
    let mut csv = String::from(
        "game,started,ended,red,red_level,yellow,yellow_level,demo,result,winner,reason,moves\n",
    );
    for game in games.iter().rev() {
        csv.push_str(&csv_line(game));
    }
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"games.csv\""),
    ];
    (headers, csv).into_response()
}

/// No field can hold a comma or a quote: names and words are plain by construction.
fn csv_line(game: &StoredGame) -> String {
    let text = |value: &Option<String>| value.clone().unwrap_or_default();
    let level = |side: &crate::event::Side| side.level.map_or("", connect_four::Level::name);
    format!(
        "{},{},{},{},{},{},{},{},{},{},{},{}\n",
        game.game,
        game.started,
        text(&game.ended),
        game.red.name,
        level(&game.red),
        game.yellow.name,
        level(&game.yellow),
        game.demo,
        text(&game.result),
        text(&game.winner),
        text(&game.reason),
        game.moves
    )
}

fn all_games(store: &Store) -> Result<Vec<WholeGame>, StoreError> {
    let games = store.games(None, u32::MAX)?;
    games.iter().rev().filter_map(|game| store.whole_game(game.game).transpose()).collect()
}

/// JSON, or why there is none.
fn answer<T, J: Serialize>(result: Option<Result<T, StoreError>>, to_json: impl FnOnce(T) -> J) -> Response {
    match result {
        Some(Ok(value)) => Json(to_json(value)).into_response(),
        Some(Err(error)) => {
            tracing::error!(%error, "stored games");
            (StatusCode::INTERNAL_SERVER_ERROR, Json(json!({ "error": error.to_string() }))).into_response()
        }
        None => {
            (StatusCode::SERVICE_UNAVAILABLE, Json(json!({ "error": "the hall is closed" }))).into_response()
        }
    }
}
