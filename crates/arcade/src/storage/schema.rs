//! The tables of the database, and how an older file gets them.

use rusqlite::Connection;

use super::StorageError;

/// One step each; the file remembers how many it has.
const MIGRATIONS: &[&str] = &[
    "
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
",
    // The moves of an ended game beside its result: lists and figures need not gather its turns. Indexes for what is
    // asked during games.
    "
    ALTER TABLE games ADD COLUMN moves TEXT;
    UPDATE games SET moves =
        (SELECT COALESCE(group_concat(column, ''), '') FROM (SELECT column FROM turns WHERE turns.game = games.game ORDER BY ply))
        WHERE ended IS NOT NULL;
    CREATE INDEX games_red ON games (red COLLATE NOCASE) WHERE demo = 0;
    CREATE INDEX games_yellow ON games (yellow COLLATE NOCASE) WHERE demo = 0;
    CREATE INDEX games_open ON games (game) WHERE ended IS NULL;
    CREATE INDEX faults_game ON faults (game);
",
    // The best games of Tetris with the keys that prove them.
    "
    CREATE TABLE tetris_scores (
        entry INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        rules TEXT NOT NULL,
        choices TEXT NOT NULL,
        keys TEXT NOT NULL,
        score INTEGER NOT NULL,
        lines INTEGER NOT NULL,
        level INTEGER NOT NULL,
        player TEXT,
        at TEXT NOT NULL,
        UNIQUE (choices, keys)
    ) STRICT;
    CREATE INDEX tetris_scores_best ON tetris_scores (rules, score);
",
];

/// Sets how the connection writes, and brings the schema up to date.
pub(crate) fn prepare(mut connection: Connection) -> Result<Connection, StorageError> {
    // Write-ahead logging: readers never wait for the writer, nor the writer for them.
    connection.pragma_update(None, "journal_mode", "WAL")?;
    // A transaction is on the disk when it ends: a power cut loses nothing that was stored.
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    let found: usize = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > MIGRATIONS.len() {
        return Err(StorageError::Newer { found, known: MIGRATIONS.len() });
    }
    for (number, migration) in MIGRATIONS.iter().enumerate().skip(found) {
        let transaction = connection.transaction()?;
        transaction.execute_batch(migration)?;
        transaction.pragma_update(None, "user_version", number + 1)?;
        transaction.commit()?;
    }
    Ok(connection)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is stored outlives a power cut, and readers do not wait for it.
    #[test]
    fn every_transaction_is_on_the_disk_when_it_ends() {
        const FULL: u32 = 2;
        let folder = tempfile::tempdir().unwrap();
        let connection = prepare(Connection::open(folder.path().join("games.sqlite")).unwrap()).unwrap();
        let synchronous: u32 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        let journal: String = connection.pragma_query_value(None, "journal_mode", |row| row.get(0)).unwrap();
        assert_eq!((synchronous, journal.as_str()), (FULL, "wal"));
    }

    /// A file of the first version keeps its games and gets their moves.
    #[test]
    fn an_older_file_is_brought_up_to_date() {
        let connection = Connection::open_in_memory().unwrap();
        connection.execute_batch(MIGRATIONS[0]).unwrap();
        connection
            .execute_batch(
                "PRAGMA user_version = 1;
                 INSERT INTO games (game, started, ended, red, yellow, demo, result) VALUES (3, 'a', 'b', 'Ada', 'Bob', 0, 'ended');
                 INSERT INTO turns VALUES (3, 1, 4, 'a', NULL), (3, 2, 5, 'a', NULL);",
            )
            .unwrap();
        let connection = prepare(connection).unwrap();
        let moves: String =
            connection.query_row("SELECT moves FROM games WHERE game = 3", [], |row| row.get(0)).unwrap();
        assert_eq!(moves, "45");
        let known = MIGRATIONS.len();
        connection.pragma_update(None, "user_version", known + 1).unwrap();
        let newer = prepare(connection).unwrap_err();
        assert!(matches!(newer, StorageError::Newer { found, .. } if found == known + 1), "{newer}");
    }
}
