//! A copy of the whole database for the operator, without secrets and seats.

use rusqlite::Connection;

/// The bytes of a database file.
pub(super) fn export(connection: &Connection) -> rusqlite::Result<Vec<u8>> {
    let mut copy = Connection::open_in_memory()?;
    let backup = rusqlite::backup::Backup::new(connection, &mut copy)?;
    backup.run_to_completion(i32::MAX, std::time::Duration::ZERO, None)?;
    drop(backup);
    copy.execute_batch(
        "DELETE FROM secrets; UPDATE games SET red_token = NULL, yellow_token = NULL; VACUUM",
    )?;
    Ok(copy.serialize(rusqlite::MAIN_DB)?.to_vec())
}
