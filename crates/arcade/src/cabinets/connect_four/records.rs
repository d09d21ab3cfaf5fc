//! What the table keeps of its games, and what it finds again after a restart (C12).

use connect_four::{Column, Level};
use rusqlite::{Connection, Row, params};

use super::event::{Side, offered};
use super::table::Seated;
use super::{Colour, EndReason, GameNumber, ResultKind};
use crate::visitor::{Name, Token};

/// What is stored.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "named after the columns of the database")]
pub enum Record {
    Started {
        game: GameNumber,
        red: Side,
        yellow: Side,
        red_token: Option<Token>,
        yellow_token: Option<Token>,
        demo: bool,
    },
    Turn {
        game: GameNumber,
        ply: u32,
        column: Column,
        think_ms: Option<u64>,
    },
    Ended {
        game: GameNumber,
        result: ResultKind,
        winner: Option<Colour>,
        reason: EndReason,
    },
    Fault {
        game: GameNumber,
        text: String,
    },
}

/// Writes one record.
pub fn write(connection: &Connection, record: &Record, at: jiff::Timestamp) -> rusqlite::Result<()> {
    let at = stamp(at);
    match record {
        Record::Started { game, red, yellow, red_token, yellow_token, demo } => connection.execute(
            "INSERT INTO games (game, started, red, red_level, red_token, yellow, yellow_level, yellow_token, demo)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            params![
                game,
                at,
                red.name,
                red.level.map(Level::name),
                red_token.as_ref().map(Token::as_str),
                yellow.name,
                yellow.level.map(Level::name),
                yellow_token.as_ref().map(Token::as_str),
                demo
            ],
        )?,
        Record::Turn { game, ply, column, think_ms } => connection.execute(
            "INSERT INTO turns (game, ply, column, at, think_ms) VALUES (?, ?, ?, ?, ?)",
            params![game, ply, column.number(), at, think_ms],
        )?,
        Record::Ended { game, result, winner, reason } => connection.execute(
            &format!(
                "UPDATE games SET ended = ?, result = ?, winner = ?, reason = ?, red_token = NULL, yellow_token = NULL,
                 moves = {MOVES} WHERE game = ?"
            ),
            params![at, result, winner, reason, game],
        )?,
        Record::Fault { game, text } => connection
            .execute("INSERT INTO faults (game, at, text) VALUES (?, ?, ?)", params![game, at, text])?,
    };
    Ok(())
}

/// A game's columns in playing order, gathered from its turns.
pub(super) const MOVES: &str = "(SELECT COALESCE(group_concat(column, ''), '') FROM
    (SELECT column FROM turns t WHERE t.game = games.game ORDER BY ply))";

/// The number of the next game.
pub fn next_game(connection: &Connection) -> rusqlite::Result<GameNumber> {
    connection.query_row("SELECT COALESCE(MAX(game), 0) + 1 FROM games", [], |row| row.get(0))
}

/// A game that was under way when the server stopped.
#[derive(Clone, Debug, PartialEq)]
#[expect(missing_docs, reason = "as the table wants them")]
pub struct Interrupted {
    pub game: GameNumber,
    pub red: Seated,
    pub yellow: Seated,
    pub moves: Vec<Column>,
}

/// The game that was under way when the server stopped; never a demo.
pub fn interrupted(connection: &Connection) -> rusqlite::Result<Option<Interrupted>> {
    let newest: Option<GameNumber> =
        connection.query_row("SELECT MAX(game) FROM games WHERE ended IS NULL AND demo = 0", [], |row| {
            row.get(0)
        })?;
    let Some(game) = newest else { return Ok(None) };
    let (red, yellow) = connection.query_row(
        "SELECT red, red_level, red_token, yellow, yellow_level, yellow_token FROM games WHERE game = ?",
        [game],
        |row| Ok((seated(row, 0)?, seated(row, 3)?)),
    )?;
    let mut statement = connection.prepare("SELECT column FROM turns WHERE game = ? ORDER BY ply")?;
    let columns = statement.query_map([game], |row| row.get::<_, u8>(0))?;
    let moves = columns.filter_map(|column| Column::new(column.ok()?).ok()).collect();
    Ok(Some(Interrupted { game, red, yellow, moves }))
}

/// Ends all games that nobody can go on with: demos, and all but the one that goes on.
pub fn end_all_but(
    connection: &Connection,
    kept: Option<GameNumber>,
    at: jiff::Timestamp,
) -> rusqlite::Result<()> {
    connection.execute(
        &format!(
            "UPDATE games SET ended = ?, result = ?, reason = ?, red_token = NULL, yellow_token = NULL, moves = {MOVES}
             WHERE ended IS NULL AND game IS NOT ?"
        ),
        params![stamp(at), ResultKind::Ended, EndReason::Restart, kept],
    )?;
    Ok(())
}

/// Forgets demos that began before a moment and have ended.
pub fn forget_demos(connection: &Connection, before: jiff::Timestamp) -> rusqlite::Result<()> {
    let old = "SELECT game FROM games WHERE demo = 1 AND ended IS NOT NULL AND started < ?";
    let before = stamp(before);
    for table in ["turns", "faults", "games"] {
        connection.execute(&format!("DELETE FROM {table} WHERE game IN ({old})"), [&before])?;
    }
    Ok(())
}

/// A side of an interrupted game; one whose token cannot be read has left.
fn seated(row: &Row<'_>, first: usize) -> rusqlite::Result<Seated> {
    let (name, level, token): (String, Option<String>, Option<String>) =
        (row.get(first)?, row.get(first + 1)?, row.get(first + 2)?);
    if let Some(level) = level.as_deref().and_then(offered) {
        return Ok(Seated::Machine(level));
    }
    let name = Name::new(&name).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(first, rusqlite::types::Type::Text, Box::new(error))
    })?;
    let token = token.as_deref().and_then(Token::parse);
    Ok(token.map_or(Seated::Left(name.clone()), |token| Seated::Human { token, name }))
}

/// RFC 3339 with milliseconds: sorts as text, and SQLite can calculate with it.
pub(super) fn stamp(at: jiff::Timestamp) -> String {
    format!("{at:.3}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::schema;

    /// C12: only demos are forgotten, only old ones, with all that belongs to them.
    #[test]
    fn old_demos_are_forgotten_and_nothing_else() {
        let connection = schema::prepare(Connection::open_in_memory().unwrap()).unwrap();
        let day = |day: i64| jiff::Timestamp::UNIX_EPOCH + jiff::SignedDuration::from_hours(24 * day);
        let side = || Side { name: "Ada".to_owned(), level: None };
        for (number, demo, began) in [(1, true, 1), (2, false, 1), (3, true, 9), (4, true, 1)] {
            let game = GameNumber(number);
            let column = Column::new(4).unwrap();
            let mut records = vec![
                Record::Started {
                    game,
                    red: side(),
                    yellow: side(),
                    red_token: None,
                    yellow_token: None,
                    demo,
                },
                Record::Turn { game, ply: 1, column, think_ms: None },
                Record::Fault { game, text: "jam".to_owned() },
            ];
            if number != 4 {
                let (result, reason) = (ResultKind::Ended, EndReason::Restart);
                records.push(Record::Ended { game, result, winner: None, reason });
            }
            for record in &records {
                write(&connection, record, day(began)).unwrap();
            }
        }
        forget_demos(&connection, day(5)).unwrap();
        for table in ["games", "turns", "faults"] {
            let mut statement =
                connection.prepare(&format!("SELECT game FROM {table} ORDER BY game")).unwrap();
            let left: Vec<u64> =
                statement.query_map([], |row| row.get(0)).unwrap().map(Result::unwrap).collect();
            assert_eq!(left, [2, 3, 4], "{table}: games of people, new demos and the one under way stay");
        }
    }
}
