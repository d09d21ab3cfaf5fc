//! Stored games as pages and programs ask for them (C12). Every function is one question to the reader's connection.

use connect_four::Level;
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;

use super::event::{Side, offered};
use super::{Colour, EndReason, GameNumber, ResultKind};

/// A stored game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct StoredGame {
    pub game: GameNumber,
    pub started: String,
    pub ended: Option<String>,
    pub red: Side,
    pub yellow: Side,
    pub demo: bool,
    pub result: Option<ResultKind>,
    pub winner: Option<Colour>,
    pub reason: Option<EndReason>,
    pub moves: String,
}

/// A stored turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct StoredTurn {
    pub ply: u32,
    pub column: u8,
    pub disc: Colour,
    pub at_ms: i64,
    pub think_ms: Option<u64>,
}

/// A stored robot fault.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct StoredFault {
    pub at_ms: i64,
    pub text: String,
}

/// A game with everything that is known of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct WholeGame {
    #[serde(flatten)]
    pub game: StoredGame,
    pub turns: Vec<StoredTurn>,
    pub faults: Vec<StoredFault>,
}

/// How many of a visitor's games tell how strong he is now.
const REMEMBERED: u32 = 50;

/// A game that a visitor played against the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastGame {
    /// Whether the visitor began.
    pub visitor_is_red: bool,
    /// The columns in playing order.
    pub moves: String,
}

/// Games before this number, newest first.
pub fn games(
    connection: &Connection,
    before: Option<GameNumber>,
    limit: u32,
) -> rusqlite::Result<Vec<StoredGame>> {
    let mut statement =
        connection.prepare_cached(&format!("{GAME_COLUMNS} WHERE game < ? ORDER BY game DESC LIMIT ?"))?;
    let before = before.unwrap_or(GameNumber(u64::MAX));
    statement.query_map(params![before, limit], read_game)?.collect()
}

/// Games after this number with everything that is known of them, oldest first: one portion of an export.
pub fn whole_games(
    connection: &Connection,
    after: GameNumber,
    limit: u32,
) -> rusqlite::Result<Vec<WholeGame>> {
    let mut statement =
        connection.prepare_cached(&format!("{GAME_COLUMNS} WHERE game > ? ORDER BY game LIMIT ?"))?;
    let games: Vec<_> = statement.query_map(params![after, limit], read_game)?.collect::<Result<_, _>>()?;
    games.into_iter().map(|game| whole(connection, game)).collect()
}

/// One game with its turns and faults.
pub fn whole_game(connection: &Connection, number: GameNumber) -> rusqlite::Result<Option<WholeGame>> {
    let game =
        connection.query_row(&format!("{GAME_COLUMNS} WHERE game = ?"), [number], read_game).optional()?;
    game.map(|game| whole(connection, game)).transpose()
}

fn whole(connection: &Connection, game: StoredGame) -> rusqlite::Result<WholeGame> {
    let number = game.game;
    let since_start = "CAST((julianday(at) - julianday((SELECT started FROM games g WHERE g.game = t.game))) * 86400000 + 0.5 AS INTEGER)";
    let mut statement = connection.prepare_cached(&format!(
        "SELECT ply, column, {since_start}, think_ms FROM turns t WHERE game = ? ORDER BY ply"
    ))?;
    let turns = statement
        .query_map([number], |row| {
            let ply: u32 = row.get(0)?;
            let disc = if ply % 2 == 1 { Colour::Red } else { Colour::Yellow };
            Ok(StoredTurn { ply, column: row.get(1)?, disc, at_ms: row.get(2)?, think_ms: row.get(3)? })
        })?
        .collect::<Result<_, _>>()?;
    let mut statement = connection
        .prepare_cached(&format!("SELECT {since_start}, text FROM faults t WHERE game = ? ORDER BY at"))?;
    let faults = statement
        .query_map([number], |row| Ok(StoredFault { at_ms: row.get(0)?, text: row.get(1)? }))?
        .collect::<Result<_, _>>()?;
    Ok(WholeGame { game, turns, faults })
}

/// The newest games that a visitor played to their end against a level, oldest first.
pub fn games_against(connection: &Connection, name: &str, level: Level) -> rusqlite::Result<Vec<PastGame>> {
    let mut statement = connection.prepare(&format!(
        "{GAME_COLUMNS}
         WHERE demo = 0 AND reason IN ('four', 'full')
           AND (red = ?1 COLLATE NOCASE AND red_level IS NULL AND yellow_level = ?2
                OR yellow = ?1 COLLATE NOCASE AND yellow_level IS NULL AND red_level = ?2)
         ORDER BY game DESC LIMIT {REMEMBERED}"
    ))?;
    let games = statement.query_map([name, level.name()], |row| {
        let game = read_game(row)?;
        Ok(PastGame { visitor_is_red: game.red.level.is_none(), moves: game.moves })
    })?;
    let mut games: Vec<_> = games.collect::<Result<_, _>>()?;
    games.reverse();
    Ok(games)
}

/// An ended game has its moves beside it; those of the one under way are gathered.
const GAME_COLUMNS: &str =
    "SELECT game, started, ended, red, red_level, yellow, yellow_level, demo, result, winner, reason,
    COALESCE(moves, (SELECT COALESCE(group_concat(column, ''), '') FROM
        (SELECT column FROM turns t WHERE t.game = games.game ORDER BY ply)))
    FROM games";

fn read_game(row: &Row<'_>) -> rusqlite::Result<StoredGame> {
    let side = |name: usize| -> rusqlite::Result<Side> {
        let level: Option<String> = row.get(name + 1)?;
        Ok(Side { name: row.get(name)?, level: level.as_deref().and_then(offered) })
    };
    Ok(StoredGame {
        game: row.get(0)?,
        started: row.get(1)?,
        ended: row.get(2)?,
        red: side(3)?,
        yellow: side(5)?,
        demo: row.get(7)?,
        result: row.get(8)?,
        winner: row.get(9)?,
        reason: row.get(10)?,
        moves: row.get(11)?,
    })
}
