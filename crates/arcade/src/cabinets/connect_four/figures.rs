//! Figures of the stored games: today's, all of them, and those of each level (C12).

use rusqlite::Connection;
use serde::Serialize;

use super::event::Statistics;
use super::records::stamp;

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

/// Figures of all games since a moment; demos count by their discs only.
pub fn statistics(connection: &Connection, since: Option<jiff::Timestamp>) -> rusqlite::Result<Statistics> {
    let since = since.map(stamp).unwrap_or_default();
    let mut statistics = connection.query_row(
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
    statistics.discs = connection.query_row(
        "SELECT COALESCE(SUM(LENGTH(moves)), 0) FROM games WHERE started >= ?",
        [&since],
        |row| row.get(0),
    )?;
    Ok(statistics)
}

/// Figures of each level against visitors.
pub fn level_statistics(connection: &Connection) -> rusqlite::Result<Vec<LevelStatistics>> {
    let mut statement = connection.prepare(
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
    levels.collect()
}

/// Since when games are today's.
pub fn start_of_today() -> jiff::Timestamp {
    let now = jiff::Zoned::now();
    now.start_of_day().map_or_else(|_| now.timestamp(), |day| day.timestamp())
}
