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

/// Figures of all games since a moment. A game counts as won, lost or drawn only if it was played to its end: by four in
/// a line, or on a full board.
pub fn statistics(connection: &Connection, since: Option<jiff::Timestamp>) -> rusqlite::Result<Statistics> {
    let since = since.map(stamp).unwrap_or_default();
    connection.query_row(
        "SELECT COALESCE(SUM(against_machine AND finished), 0),
                COALESCE(SUM(against_machine AND finished AND result = 'won' AND winner_is_visitor), 0),
                COALESCE(SUM(against_machine AND finished AND result = 'won' AND NOT winner_is_visitor), 0),
                COALESCE(SUM(against_machine AND finished AND result = 'draw'), 0),
                COALESCE(SUM(between_visitors AND finished), 0),
                COALESCE(SUM(demo = 0 AND NOT finished), 0),
                COALESCE(SUM(LENGTH(moves)), 0)
         FROM (SELECT demo, result, moves,
                      reason IN ('four', 'full') AS finished,
                      (red_level IS NULL) <> (yellow_level IS NULL) AS against_machine,
                      red_level IS NULL AND yellow_level IS NULL AS between_visitors,
                      CASE winner WHEN 'red' THEN red_level IS NULL ELSE yellow_level IS NULL END AS winner_is_visitor
               FROM games WHERE ended IS NOT NULL AND started >= ?)",
        [&since],
        |row| {
            Ok(Statistics {
                games: row.get(0)?,
                visitors_won: row.get(1)?,
                machine_won: row.get(2)?,
                draws: row.get(3)?,
                between_visitors: row.get(4)?,
                unfinished: row.get(5)?,
                discs: row.get(6)?,
            })
        },
    )
}

/// Visitors' games by the hour in which they began, by the clock of this machine.
pub fn hours(connection: &Connection) -> rusqlite::Result<[u64; 24]> {
    let mut statement = connection.prepare(
        "SELECT CAST(strftime('%H', started, 'localtime') AS INTEGER), COUNT(*) FROM games WHERE demo = 0 GROUP BY 1",
    )?;
    counts(statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// Visitors' games that were played to their end, by the number of their discs.
pub fn lengths(connection: &Connection) -> rusqlite::Result<[u64; DISCS + 1]> {
    let mut statement = connection.prepare(
        "SELECT LENGTH(moves), COUNT(*) FROM games WHERE demo = 0 AND reason IN ('four', 'full') GROUP BY 1",
    )?;
    counts(statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?)
}

/// The most discs of a game.
const DISCS: usize = connect_four::CELLS as usize;

/// Pairs of place and count as an array; what lies outside is left out.
fn counts<const N: usize>(
    pairs: impl Iterator<Item = rusqlite::Result<(usize, u64)>>,
) -> rusqlite::Result<[u64; N]> {
    let mut counts = [0; N];
    for pair in pairs {
        let (place, count) = pair?;
        if let Some(place) = counts.get_mut(place) {
            *place = count;
        }
    }
    Ok(counts)
}

/// Figures of each level against visitors, games that were played to their end.
pub fn level_statistics(connection: &Connection) -> rusqlite::Result<Vec<LevelStatistics>> {
    let mut statement = connection.prepare(
        "SELECT COALESCE(red_level, yellow_level) AS level, COUNT(*),
                SUM(result = 'won' AND (winner = 'red') = (red_level IS NULL)),
                SUM(result = 'won' AND (winner = 'red') = (red_level IS NOT NULL)),
                SUM(result = 'draw')
         FROM games WHERE demo = 0 AND reason IN ('four', 'full') AND level IS NOT NULL GROUP BY level",
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::Storage;

    /// One row a game: red's level, yellow's level, result, winner, reason, moves, demo.
    const GAMES: &str = "
        (1, NULL, 'easy', 'won', 'red', 'four', '1212121', 0),
        (2, NULL, 'easy', 'won', 'yellow', 'four', '12121212', 0),
        (3, 'hard', NULL, 'draw', NULL, 'full', '1', 0),
        (4, NULL, 'easy', 'won', 'yellow', 'left', '', 0),
        (5, NULL, 'easy', 'won', 'yellow', 'inactive', '1', 0),
        (6, NULL, NULL, 'won', 'red', 'four', '1212121', 0),
        (7, NULL, NULL, 'won', 'red', 'left', '12', 0),
        (8, 'easy', 'hard', 'won', 'red', 'four', '1212121', 1),
        (9, NULL, 'easy', 'ended', NULL, 'robot', '12', 0)";

    /// Whoever leaves has not lost a game; people among themselves are no victory of the machine.
    #[tokio::test]
    async fn only_finished_games_are_won_or_lost() {
        let storage = Storage::in_memory().unwrap();
        storage.keep(|connection| {
            connection.execute_batch(&format!(
                "WITH g (game, red_level, yellow_level, result, winner, reason, moves, demo) AS (VALUES {GAMES})
                 INSERT INTO games (game, started, ended, red, yellow, red_level, yellow_level, result, winner, reason, moves, demo)
                 SELECT game, '2026-01-01T12:00:00.000Z', '2026-01-01T12:05:00.000Z', 'Ada', 'Bob', red_level, yellow_level,
                        result, winner, reason, moves, demo FROM g"
            ))
        });
        let (figures, levels, hours, lengths) = storage
            .read(|c| Ok((statistics(c, None)?, level_statistics(c)?, hours(c)?, lengths(c)?)))
            .await
            .unwrap();
        let expected = Statistics {
            games: 3,
            visitors_won: 1,
            machine_won: 1,
            draws: 1,
            between_visitors: 1,
            unfinished: 4,
            discs: 7 + 8 + 1 + 1 + 7 + 2 + 7 + 2,
        };
        assert_eq!(figures, expected);
        assert_eq!(
            levels.iter().map(|level| (level.level.as_str(), level.games)).collect::<Vec<_>>(),
            [("easy", 2), ("hard", 1)]
        );
        assert_eq!(hours.iter().sum::<u64>(), 8, "demos aside");
        assert_eq!((lengths[7], lengths[8], lengths[1]), (2, 1, 1));
    }
}
