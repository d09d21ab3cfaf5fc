//! Storage (C12): every game with its turns, times and robot faults, the
//! operator's settings and password, in one SQLite file.

use std::path::Path;

use connect_four::{Column, Level};
use rusqlite::{Connection, OptionalExtension, Row, params};
use serde::Serialize;
use thiserror::Error;

use crate::event::{Disc, Side, Statistics, offered};
use crate::name::Name;
use crate::table::{Record, Seated};

/// One step of the schema each; the file remembers how many it has.
const MIGRATIONS: &[&str] = &["
    CREATE TABLE games (
        game INTEGER PRIMARY KEY,
        started TEXT NOT NULL,
        ended TEXT,
        red TEXT NOT NULL,
        red_level TEXT,
        red_token TEXT,
        yellow TEXT NOT NULL,
        yellow_level TEXT,
        yellow_token TEXT,
        demo INTEGER NOT NULL,
        result TEXT,
        winner TEXT,
        reason TEXT
    ) STRICT;
    CREATE TABLE turns (
        game INTEGER NOT NULL REFERENCES games,
        ply INTEGER NOT NULL,
        column INTEGER NOT NULL,
        at TEXT NOT NULL,
        think_ms INTEGER,
        PRIMARY KEY (game, ply)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE faults (game INTEGER NOT NULL REFERENCES games, at TEXT NOT NULL, text TEXT NOT NULL) STRICT;
    CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE INDEX games_started ON games (started);
"];

/// Why something could not be stored or read.
#[derive(Debug, Error)]
pub enum StoreError {
    /// SQLite refused.
    #[error("database: {0}")]
    Database(#[from] rusqlite::Error),
    /// The file was written by a later version.
    #[error(
        "the database has schema {found}; this version knows up to {known}: use a newer Gamebot, or another file"
    )]
    Newer {
        /// The file's.
        found: usize,
        /// Ours.
        known: usize,
    },
}

/// The open database.
#[derive(Debug)]
pub struct Store {
    connection: Connection,
}

/// A stored game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct StoredGame {
    pub game: u64,
    pub started: String,
    pub ended: Option<String>,
    pub red: Side,
    pub yellow: Side,
    pub demo: bool,
    pub result: Option<String>,
    pub winner: Option<String>,
    pub reason: Option<String>,
    pub moves: String,
}

/// A stored turn.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct StoredTurn {
    pub ply: u32,
    pub column: u8,
    pub disc: Disc,
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

/// Figures of one level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct LevelStatistics {
    pub level: String,
    pub games: u64,
    pub visitors_won: u64,
    pub machine_won: u64,
    pub draws: u64,
}

/// A game that was under way when the server stopped.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "as the table wants them")]
pub struct Interrupted {
    pub game: u64,
    pub red: Seated,
    pub yellow: Seated,
    pub moves: Vec<Column>,
}

/// A game that a visitor played against the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastGame {
    /// Whether the visitor began.
    pub visitor_is_red: bool,
    /// The columns in playing order.
    pub moves: String,
}

impl Store {
    /// Opens a database file and brings its schema up to date.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        Self::prepare(Connection::open(path)?)
    }

    /// A database that is forgotten.
    pub fn in_memory() -> Result<Self, StoreError> {
        Self::prepare(Connection::open_in_memory()?)
    }

    fn prepare(mut connection: Connection) -> Result<Self, StoreError> {
        // Write-ahead logging: a turn is on its way to the disk before anyone hears of it,
        // and a killed server finds it again.
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", "NORMAL")?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        let found: usize = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
        if found > MIGRATIONS.len() {
            return Err(StoreError::Newer { found, known: MIGRATIONS.len() });
        }
        for (number, migration) in MIGRATIONS.iter().enumerate().skip(found) {
            let transaction = connection.transaction()?;
            transaction.execute_batch(migration)?;
            transaction.pragma_update(None, "user_version", number + 1)?;
            transaction.commit()?;
        }
        Ok(Self { connection })
    }

    /// Keeps what happened.
    pub fn keep(&mut self, record: &Record, at: jiff::Timestamp) -> Result<(), StoreError> {
        let at = stamp(at);
        match record {
            Record::Started { game, red, yellow, red_token, yellow_token, demo } => self.connection.execute(
                "INSERT INTO games (game, started, red, red_level, red_token, yellow, yellow_level, yellow_token, demo)
                 VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                params![
                    game,
                    at,
                    red.name,
                    red.level.map(Level::name),
                    red_token,
                    yellow.name,
                    yellow.level.map(Level::name),
                    yellow_token,
                    demo
                ],
            )?,
            Record::Turn { game, ply, column, think_ms } => self.connection.execute(
                "INSERT INTO turns (game, ply, column, at, think_ms) VALUES (?, ?, ?, ?, ?)",
                params![game, ply, column.number(), at, think_ms],
            )?,
            Record::Ended { game, result, winner, reason } => self.connection.execute(
                "UPDATE games SET ended = ?, result = ?, winner = ?, reason = ?, red_token = NULL, yellow_token = NULL
                 WHERE game = ?",
                params![at, result, winner.map(Disc::word), reason, game],
            )?,
            Record::Fault { game, text } => self
                .connection
                .execute("INSERT INTO faults (game, at, text) VALUES (?, ?, ?)", params![game, at, text])?,
        };
        Ok(())
    }

    /// The number of the next game.
    pub fn next_game(&self) -> Result<u64, StoreError> {
        Ok(self.connection.query_row("SELECT COALESCE(MAX(game), 0) + 1 FROM games", [], |row| row.get(0))?)
    }

    /// The game that was under way when the server stopped. Others that were
    /// never ended, demos among them, are ended now.
    pub fn take_interrupted(&mut self, at: jiff::Timestamp) -> Result<Option<Interrupted>, StoreError> {
        let newest: Option<u64> = self
            .connection
            .query_row("SELECT MAX(game) FROM games WHERE ended IS NULL AND demo = 0", [], |row| row.get(0))
            .optional()?
            .flatten();
        self.connection.execute(
            "UPDATE games SET ended = ?, result = 'ended', reason = 'restart', red_token = NULL, yellow_token = NULL
             WHERE ended IS NULL AND game IS NOT ?",
            params![stamp(at), newest],
        )?;
        let Some(game) = newest else { return Ok(None) };
        let (red, yellow) = self.connection.query_row(
            "SELECT red, red_level, red_token, yellow, yellow_level, yellow_token FROM games WHERE game = ?",
            [game],
            |row| Ok((seated(row, 0)?, seated(row, 3)?)),
        )?;
        let mut statement =
            self.connection.prepare("SELECT column FROM turns WHERE game = ? ORDER BY ply")?;
        let columns = statement.query_map([game], |row| row.get::<_, u8>(0))?;
        let moves = columns.filter_map(|column| Column::new(column.ok()?).ok()).collect();
        Ok(Some(Interrupted { game, red, yellow, moves }))
    }

    /// Games before this number, newest first.
    pub fn games(&self, before: Option<u64>, limit: u32) -> Result<Vec<StoredGame>, StoreError> {
        let mut statement =
            self.connection.prepare(&format!("{GAME_COLUMNS} WHERE game < ? ORDER BY game DESC LIMIT ?"))?;
        let before = before.map_or(i64::MAX, |game| i64::try_from(game).unwrap_or(i64::MAX));
        let games = statement.query_map(params![before, limit], read_game)?;
        Ok(games.collect::<Result<_, _>>()?)
    }

    /// One game with its turns and faults.
    pub fn whole_game(&self, number: u64) -> Result<Option<WholeGame>, StoreError> {
        let number = i64::try_from(number).unwrap_or(i64::MAX);
        let game = self
            .connection
            .query_row(&format!("{GAME_COLUMNS} WHERE game = ?"), [number], read_game)
            .optional()?;
        let Some(game) = game else { return Ok(None) };
        let since_start = "CAST((julianday(at) - julianday((SELECT started FROM games g WHERE g.game = t.game))) * 86400000 + 0.5 AS INTEGER)";
        let mut statement = self.connection.prepare(&format!(
            "SELECT ply, column, {since_start}, think_ms FROM turns t WHERE game = ? ORDER BY ply"
        ))?;
        let turns = statement
            .query_map([number], |row| {
                let ply: u32 = row.get(0)?;
                let disc = if ply % 2 == 1 { Disc::Red } else { Disc::Yellow };
                Ok(StoredTurn { ply, column: row.get(1)?, disc, at_ms: row.get(2)?, think_ms: row.get(3)? })
            })?
            .collect::<Result<_, _>>()?;
        let mut statement = self
            .connection
            .prepare(&format!("SELECT {since_start}, text FROM faults t WHERE game = ? ORDER BY at"))?;
        let faults = statement
            .query_map([number], |row| Ok(StoredFault { at_ms: row.get(0)?, text: row.get(1)? }))?
            .collect::<Result<_, _>>()?;
        Ok(Some(WholeGame { game, turns, faults }))
    }

    /// Figures of all games since a moment; demos count their discs only.
    pub fn statistics(&self, since: Option<jiff::Timestamp>) -> Result<Statistics, StoreError> {
        let since = since.map(stamp).unwrap_or_default();
        let mut statistics = self.connection.query_row(
            "SELECT COUNT(*),
                    COALESCE(SUM(result = 'won' AND (winner = 'red' AND red_level IS NULL OR winner = 'yellow' AND yellow_level IS NULL)), 0),
                    COALESCE(SUM(result = 'won' AND (winner = 'red' AND red_level IS NOT NULL OR winner = 'yellow' AND yellow_level IS NOT NULL)), 0),
                    COALESCE(SUM(result = 'draw'), 0)
             FROM games WHERE demo = 0 AND result IS NOT NULL AND started >= ?",
            [&since],
            |row| {
                Ok(Statistics {
                    games: row.get(0)?,
                    visitors_won: row.get(1)?,
                    machine_won: row.get(2)?,
                    draws: row.get(3)?,
                    discs: 0,
                })
            },
        )?;
        statistics.discs =
            self.connection
                .query_row("SELECT COUNT(*) FROM turns WHERE at >= ?", [&since], |row| row.get(0))?;
        Ok(statistics)
    }

    /// Figures of each level against visitors.
    pub fn level_statistics(&self) -> Result<Vec<LevelStatistics>, StoreError> {
        let mut statement = self.connection.prepare(
            "SELECT COALESCE(red_level, yellow_level) AS level, COUNT(*),
                    SUM(result = 'won' AND (winner = 'red') = (red_level IS NULL)),
                    SUM(result = 'won' AND (winner = 'red') = (red_level IS NOT NULL)),
                    SUM(result = 'draw')
             FROM games WHERE demo = 0 AND result IN ('won', 'draw') AND level IS NOT NULL GROUP BY level",
        )?;
        let levels = statement.query_map([], |row| {
            Ok(LevelStatistics {
                level: row.get(0)?,
                games: row.get(1)?,
                visitors_won: row.get(2)?,
                machine_won: row.get(3)?,
                draws: row.get(4)?,
            })
        })?;
        Ok(levels.collect::<Result<_, _>>()?)
    }

    /// The games that a visitor played to their end against a level, oldest first.
    pub fn games_against(&self, name: &str, level: Level) -> Result<Vec<PastGame>, StoreError> {
        let mut statement = self.connection.prepare(&format!(
            "{GAME_COLUMNS}
             WHERE demo = 0 AND reason IN ('four', 'full')
               AND (red = ?1 COLLATE NOCASE AND red_level IS NULL AND yellow_level = ?2
                    OR yellow = ?1 COLLATE NOCASE AND yellow_level IS NULL AND red_level = ?2)
             ORDER BY game"
        ))?;
        let games = statement.query_map([name, level.name()], |row| {
            let game = read_game(row)?;
            Ok(PastGame { visitor_is_red: game.red.level.is_none(), moves: game.moves })
        })?;
        Ok(games.collect::<Result<_, _>>()?)
    }

    /// The operator's settings, by key.
    pub fn settings(&self) -> Result<Vec<(String, String)>, StoreError> {
        let mut statement = self.connection.prepare("SELECT key, value FROM settings")?;
        let settings = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?;
        Ok(settings.collect::<Result<_, _>>()?)
    }

    /// Keeps or forgets one of the operator's settings.
    pub fn keep_setting(&self, key: &str, value: Option<&str>) -> Result<(), StoreError> {
        match value {
            Some(value) => {
                self.connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [key, value])?
            }
            None => self.connection.execute("DELETE FROM settings WHERE key = ?", [key])?,
        };
        Ok(())
    }

    /// A secret, such as the password's hash.
    pub fn secret(&self, name: &str) -> Result<Option<String>, StoreError> {
        let value =
            self.connection.query_row("SELECT value FROM secrets WHERE name = ?", [name], |row| row.get(0));
        Ok(value.optional()?)
    }

    /// Keeps a secret.
    pub fn keep_secret(&self, name: &str, value: &str) -> Result<(), StoreError> {
        self.connection.execute("INSERT OR REPLACE INTO secrets VALUES (?, ?)", [name, value])?;
        Ok(())
    }

    /// The whole database as the bytes of a file, without secrets and seats.
    pub fn export(&self) -> Result<Vec<u8>, StoreError> {
        let mut copy = Connection::open_in_memory()?;
        rusqlite::backup::Backup::new(&self.connection, &mut copy)?.run_to_completion(
            i32::MAX,
            std::time::Duration::ZERO,
            None,
        )?;
        copy.execute_batch(
            "DELETE FROM secrets; UPDATE games SET red_token = NULL, yellow_token = NULL; VACUUM",
        )?;
        Ok(copy.serialize(rusqlite::MAIN_DB)?.to_vec())
    }
}

const GAME_COLUMNS: &str = "SELECT game, started, ended, red, red_level, yellow, yellow_level, demo, result, winner, reason,
    (SELECT COALESCE(group_concat(column, ''), '') FROM (SELECT column FROM turns t WHERE t.game = games.game ORDER BY ply))
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

/// A side of an interrupted game; one that cannot be read has left.
fn seated(row: &Row<'_>, first: usize) -> rusqlite::Result<Seated> {
    let (name, level, token): (String, Option<String>, Option<String>) =
        (row.get(first)?, row.get(first + 1)?, row.get(first + 2)?);
    if let Some(level) = level.as_deref().and_then(offered) {
        return Ok(Seated::Machine(level));
    }
    let name = Name::new(&name).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(first, rusqlite::types::Type::Text, Box::new(error))
    })?;
    Ok(token.map_or(Seated::Left(name.clone()), |token| Seated::Human { token, name }))
}

/// RFC 3339 with milliseconds: sorts as text, and SQLite can reckon with it.
fn stamp(at: jiff::Timestamp) -> String {
    format!("{at:.3}")
}
