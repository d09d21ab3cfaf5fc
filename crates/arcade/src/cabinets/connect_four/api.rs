//! Stored games and figures for pages and programs (C12).

use axum::body::Body;
use axum::extract::{Path, Query, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use futures_util::stream;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::archive::{self, StoredGame, WholeGame};
use super::event::Side;
use super::{Call, Colour, EndReason, GameNumber, ResultKind, figures};
use crate::hall::Message;
use crate::storage::{Storage, StorageError};
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
    let before = page.before.map(GameNumber);
    let games = state.storage.read(move |connection| archive::games(connection, before, limit)).await;
    answer(games, |games| Games { games })
}

/// A page of the list of games.
#[derive(Serialize)]
struct Games {
    games: Vec<StoredGame>,
}

async fn game(State(state): State<AppState>, Path(game): Path<u64>) -> Response {
    let game = GameNumber(game);
    match state.storage.read(move |connection| archive::whole_game(connection, game)).await {
        Ok(None) => StatusCode::NOT_FOUND.into_response(),
        other => answer(other, |game| game),
    }
}

async fn statistics(State(state): State<AppState>) -> Response {
    let figures = state.storage.read(|connection| {
        Ok(json!({
            "today": figures::statistics(connection, Some(figures::start_of_today()))?,
            "total": figures::statistics(connection, None)?,
            "levels": figures::level_statistics(connection)?,
            "hours": figures::hours(connection)?.as_slice(),
            "lengths": figures::lengths(connection)?.as_slice(),
        }))
    });
    answer(figures.await, |figures| figures)
}

async fn robot(State(state): State<AppState>) -> Response {
    let picture = state.hall.ask(|reply| Message::Call(Call::RobotPicture { reply })).await;
    answer(picture.ok_or(StorageError::Closed), |picture| picture)
}

async fn export_json(State(state): State<AppState>) -> Response {
    let lines = export(state.storage, "[", "\n]\n", |first, game| {
        let json = serde_json::to_string(game).unwrap_or_default();
        format!("{}\n{json}", if first { "" } else { "," })
    });
    ([(header::CONTENT_TYPE, "application/json")], lines).into_response()
}

async fn export_csv(State(state): State<AppState>) -> Response {
    let head = "game,started,ended,red,red_level,yellow,yellow_level,demo,result,winner,reason,moves\n";
    let lines = export(state.storage, head, "", |_, game| csv_line(&game.game));
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (header::CONTENT_DISPOSITION, "attachment; filename=\"games.csv\""),
    ];
    (headers, lines).into_response()
}

/// Games that are read at once for an export: the reader has time for others in between, and a slow download holds
/// nothing but its own few games.
const PORTION: u32 = 100;

/// What an export does next.
enum Export {
    Head,
    After { game: GameNumber, first: bool },
    Done,
}

/// All games as a body that is made while it is sent.
fn export(
    storage: Storage,
    head: &'static str,
    foot: &'static str,
    line: impl Fn(bool, &WholeGame) -> String + Copy + Send + 'static,
) -> Body {
    let portions = stream::try_unfold(Export::Head, move |state| {
        let storage = storage.clone();
        async move {
            let (after, first) = match state {
                Export::Head => {
                    let next = Export::After { game: GameNumber(0), first: true };
                    return Ok(Some((head.to_owned(), next)));
                }
                Export::After { game, first } => (game, first),
                Export::Done => return Ok::<_, StorageError>(None),
            };
            let games =
                storage.read(move |connection| archive::whole_games(connection, after, PORTION)).await?;
            let Some(last) = games.last().map(|game| game.game.game) else {
                return Ok(Some((foot.to_owned(), Export::Done)));
            };
            let text =
                games.iter().enumerate().map(|(index, game)| line(first && index == 0, game)).collect();
            Ok(Some((text, Export::After { game: last, first: false })))
        }
    });
    Body::from_stream(portions)
}

/// No field can hold a comma or a quote: names and words are plain by construction.
fn csv_line(game: &StoredGame) -> String {
    let level = |side: &Side| side.level.map_or("", connect_four::Level::name);
    format!(
        "{},{},{},{},{},{},{},{},{},{},{},{}\n",
        game.game,
        game.started,
        game.ended.as_deref().unwrap_or_default(),
        game.red.name,
        level(&game.red),
        game.yellow.name,
        level(&game.yellow),
        game.demo,
        game.result.map_or("", ResultKind::word),
        game.winner.map_or("", Colour::word),
        game.reason.map_or("", EndReason::word),
        game.moves
    )
}

/// JSON, or why there is none.
fn answer<T, J: Serialize>(result: Result<T, StorageError>, to_json: impl FnOnce(T) -> J) -> Response {
    match result {
        Ok(value) => Json(to_json(value)).into_response(),
        Err(error) => {
            let status = match error {
                // Said to whoever asks; a flood of questions must not become a flood of lines in the log.
                StorageError::Busy | StorageError::Closed => StatusCode::SERVICE_UNAVAILABLE,
                _ => {
                    tracing::error!(%error, "stored games");
                    StatusCode::INTERNAL_SERVER_ERROR
                }
            };
            (status, Json(json!({ "error": error.to_string() }))).into_response()
        }
    }
}
