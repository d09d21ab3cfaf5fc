//! What the operator changed: settings, and the password's hash.

use rusqlite::{Connection, OptionalExtension};

/// The operator's settings, by key.
pub fn settings(connection: &Connection) -> rusqlite::Result<Vec<(String, String)>> {
    let mut statement = connection.prepare("SELECT key, value FROM settings")?;
    statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

/// Keeps or forgets one of the operator's settings.
pub fn keep_setting(connection: &Connection, key: &str, value: Option<&str>) -> rusqlite::Result<()> {
    match value {
        Some(value) => connection.execute("INSERT OR REPLACE INTO settings VALUES (?, ?)", [key, value])?,
        None => connection.execute("DELETE FROM settings WHERE key = ?", [key])?,
    };
    Ok(())
}

/// A secret, such as the password's hash.
pub fn secret(connection: &Connection, name: &str) -> rusqlite::Result<Option<String>> {
    connection.query_row("SELECT value FROM secrets WHERE name = ?", [name], |row| row.get(0)).optional()
}

/// Keeps a secret.
pub fn keep_secret(connection: &Connection, name: &str, value: &str) -> rusqlite::Result<()> {
    connection.execute("INSERT OR REPLACE INTO secrets VALUES (?, ?)", [name, value])?;
    Ok(())
}
