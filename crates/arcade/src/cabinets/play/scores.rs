//! The best games of Tetris, each proved: the server plays it again from its seed and its keys (P5).

use axum::Json;
use axum::extract::{DefaultBodyLimit, Path, Query, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, extract::rejection::JsonRejection};
use browser::tetris::{Choices, KeyLog, PlayerName, RulesName, Session};
use rusqlite::{Connection, OptionalExtension, params};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Bench, refused};
use crate::visitor::Name;
use crate::web::AppState;
use crate::web::gate::Visitor;

/// The keys of a game of hours.
const LARGEST_GAME: usize = 1 << 20;
/// Games in a list.
const SHOWN: u32 = 10;

/// Longer bodies than other requests have: keys.
pub(super) fn body_limit() -> DefaultBodyLimit {
    DefaultBodyLimit::max(LARGEST_GAME)
}

/// A game as a page sends it.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    name: String,
    choices: Choices,
    keys: String,
    score: u32,
    lines: u32,
    level: u8,
    /// The machine that helped; only the page knows.
    player: Option<PlayerName>,
}

/// A stored game.
#[derive(Debug, Serialize)]
struct Listed {
    /// Its number, for [`one`].
    entry: i64,
    name: String,
    score: u32,
    lines: u32,
    level: u8,
    player: Option<String>,
    at: String,
}

#[derive(Debug, Deserialize)]
pub(super) struct Which {
    rules: RulesName,
}

/// The best games under some rules.
pub(super) async fn best(State(state): State<AppState>, Query(which): Query<Which>) -> Response {
    match state.storage.read(move |connection| list(connection, which.rules)).await {
        Ok(scores) => Json(json!({ "scores": scores })).into_response(),
        Err(error) => refused(StatusCode::SERVICE_UNAVAILABLE, error),
    }
}

/// One game with its keys: pages race against it (P5).
pub(super) async fn one(State(state): State<AppState>, Path(entry): Path<i64>) -> Response {
    match state.storage.read(move |connection| find(connection, entry)).await {
        Ok(Some(game)) => Json(game).into_response(),
        Ok(None) => refused(StatusCode::NOT_FOUND, format!("there is no game {entry}")),
        Err(error) => refused(StatusCode::SERVICE_UNAVAILABLE, error),
    }
}

/// Enters a game, once it has been played again.
pub(super) async fn enter(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Extension(bench): Extension<Bench>,
    entry: Result<Json<Entry>, JsonRejection>,
) -> Response {
    let entry = match entry {
        Ok(Json(entry)) => entry,
        Err(rejection) => return refused(rejection.status(), rejection.body_text()),
    };
    let name = match Name::new(&entry.name) {
        Ok(name) => name,
        Err(invalid) => return refused(StatusCode::UNPROCESSABLE_ENTITY, invalid),
    };
    let entry = match bench.answers.work(visitor.address, move || prove(&entry).map(|()| entry)).await {
        Ok(Ok(entry)) => entry,
        Ok(Err(why)) => return refused(StatusCode::UNPROCESSABLE_ENTITY, why),
        Err(response) => return response,
    };
    let ticket = state.storage.keep(move |connection| keep(connection, name.as_str(), &entry));
    match state.storage.stored(ticket).await {
        Ok(()) => (StatusCode::CREATED, Json(json!({ "proved": true }))).into_response(),
        Err(why) => refused(StatusCode::SERVICE_UNAVAILABLE, why),
    }
}

/// Plays the game again; an error says what it really came to.
fn prove(entry: &Entry) -> Result<(), String> {
    let keys = KeyLog::parse(&entry.keys).map_err(|error| error.to_string())?;
    let game = Session::replay(entry.choices, &keys).map_err(|error| error.to_string())?;
    let (claimed, real) =
        ((entry.score, entry.lines, entry.level), (game.score(), game.lines(), game.level()));
    if claimed == real {
        return Ok(());
    }
    Err(format!(
        "these keys give {} points, {} lines, level {}; claimed were {} points, {} lines, level {}",
        real.0, real.1, real.2, claimed.0, claimed.1, claimed.2
    ))
}

fn keep(connection: &Connection, name: &str, entry: &Entry) -> rusqlite::Result<()> {
    let choices = serde_json::to_string(&entry.choices).unwrap_or_default();
    let at = jiff::Timestamp::now().to_string();
    // The same game entered again is the same game.
    connection.execute(
        "INSERT OR IGNORE INTO tetris_scores (name, rules, choices, keys, score, lines, level, player, at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        params![
            name,
            rules_word(entry.choices.rules),
            choices,
            entry.keys,
            entry.score,
            entry.lines,
            entry.level,
            entry.player.map(PlayerName::name),
            at
        ],
    )?;
    Ok(())
}

fn list(connection: &Connection, rules: RulesName) -> rusqlite::Result<Vec<Listed>> {
    let mut statement = connection.prepare_cached(
        "SELECT entry, name, score, lines, level, player, at FROM tetris_scores
         WHERE rules = ? ORDER BY score DESC, at LIMIT ?",
    )?;
    let rows = statement.query_map(params![rules_word(rules), SHOWN], |row| {
        Ok(Listed {
            entry: row.get(0)?,
            name: row.get(1)?,
            score: row.get(2)?,
            lines: row.get(3)?,
            level: row.get(4)?,
            player: row.get(5)?,
            at: row.get(6)?,
        })
    })?;
    rows.collect()
}

fn find(connection: &Connection, entry: i64) -> rusqlite::Result<Option<Value>> {
    let mut statement =
        connection.prepare_cached("SELECT name, choices, keys, score FROM tetris_scores WHERE entry = ?")?;
    let game = |row: &rusqlite::Row<'_>| {
        let choices: Value = serde_json::from_str(&row.get::<_, String>(1)?).unwrap_or_default();
        let (name, keys, score): (String, String, u32) = (row.get(0)?, row.get(2)?, row.get(3)?);
        Ok(json!({ "name": name, "choices": choices, "keys": keys, "score": score }))
    };
    statement.query_row([entry], game).optional()
}

fn rules_word(rules: RulesName) -> &'static str {
    match rules {
        RulesName::Gameboy => "gameboy",
        RulesName::Classic => "classic",
    }
}
