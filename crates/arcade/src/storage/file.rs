//! The database as a file: one process at a time, for its owner's eyes alone; a damaged one is set aside, a deleted one
//! is noticed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::os::unix::fs::{MetadataExt, OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use rustix::fs::{FlockOperation, flock};

use super::{StorageError, schema};

/// Who may read and write: the file holds tokens and the password's hash.
const OWNER_ONLY: u32 = 0o600;

/// Our claim to a database; ends with the process, however it ends.
#[derive(Debug)]
pub(super) struct Claim {
    _lock: File,
}

/// An opened database.
pub(super) struct Opened {
    pub(super) connection: Connection,
    pub(super) claim: Claim,
    /// Where a damaged file was set aside.
    pub(super) set_aside: Option<PathBuf>,
}

/// Opens a database file that nobody else uses. One that is damaged is kept under another name, and a new one begun.
pub(super) fn open(path: &Path) -> Result<Opened, StorageError> {
    let claim = claim(path)?;
    make_private(path)?;
    match open_whole(path) {
        Ok(connection) => Ok(Opened { connection, claim, set_aside: None }),
        Err(error) if is_damage(&error) => {
            let aside = set_aside(path)?;
            tracing::error!(%error, file = %aside.display(), "the database is damaged: it is kept here, and a new one begun");
            make_private(path)?;
            Ok(Opened { connection: open_whole(path)?, claim, set_aside: Some(aside) })
        }
        Err(error) => Err(error),
    }
}

/// Whether the file that was opened still stands under its name.
pub(super) fn is_there(path: &Path, inode: u64) -> bool {
    fs::metadata(path).is_ok_and(|found| found.ino() == inode)
}

/// What names the opened file, whatever it is called.
pub(super) fn inode(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |found| found.ino())
}

/// Writes everything that an opened connection still sees into a new file: after somebody deleted the old one.
pub(super) fn write_again(connection: &Connection, path: &Path) -> Result<Connection, StorageError> {
    for left_behind in beside(path) {
        // They belong to the file that is gone.
        let _ = fs::remove_file(left_behind);
    }
    make_private(path)?;
    let mut copy = Connection::open(path)?;
    let backup = rusqlite::backup::Backup::new(connection, &mut copy)?;
    backup.run_to_completion(i32::MAX, std::time::Duration::ZERO, None)?;
    drop(backup);
    schema::prepare(copy)
}

fn open_whole(path: &Path) -> Result<Connection, StorageError> {
    let connection = schema::prepare(Connection::open(path)?)?;
    let verdict: String = connection.pragma_query_value(None, "quick_check", |row| row.get(0))?;
    if verdict == "ok" { Ok(connection) } else { Err(StorageError::Damaged(verdict)) }
}

fn is_damage(error: &StorageError) -> bool {
    match error {
        StorageError::Damaged(_) => true,
        StorageError::Database(error) => matches!(
            error.sqlite_error_code(),
            Some(rusqlite::ErrorCode::DatabaseCorrupt | rusqlite::ErrorCode::NotADatabase)
        ),
        _ => false,
    }
}

/// Takes the lock beside the database; whoever holds it has written its process id there.
fn claim(path: &Path) -> Result<Claim, StorageError> {
    let lock_path = named(path, "lock");
    let cannot = |source: io::Error| StorageError::File { path: lock_path.clone(), source };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(OWNER_ONLY);
    let mut lock = options.open(&lock_path).map_err(cannot)?;
    if flock(&lock, FlockOperation::NonBlockingLockExclusive).is_err() {
        let mut holder = String::new();
        // A lock without a number is as good a refusal.
        let _ = lock.read_to_string(&mut holder);
        return Err(StorageError::InUse { process: holder.trim().to_owned() });
    }
    // The number is for people; a full disk must not keep the hall closed.
    let _ =
        lock.set_len(0).and_then(|()| lock.rewind()).and_then(|()| writeln!(lock, "{}", std::process::id()));
    Ok(Claim { _lock: lock })
}

fn make_private(path: &Path) -> Result<(), StorageError> {
    let cannot = |source: io::Error| StorageError::File { path: path.to_owned(), source };
    let mut options = OpenOptions::new();
    options.read(true).write(true).create(true).truncate(false).mode(OWNER_ONLY);
    let file = options.open(path).map_err(cannot)?;
    let mode = file.metadata().map_err(cannot)?.permissions().mode();
    if mode & 0o077 != 0
        && let Err(error) = file.set_permissions(fs::Permissions::from_mode(OWNER_ONLY))
    {
        tracing::warn!(%error, file = %path.display(), "others can read the database");
    }
    for file in beside(path) {
        // SQLite gives new ones the rights of the database.
        let _ = fs::set_permissions(file, fs::Permissions::from_mode(OWNER_ONLY));
    }
    Ok(())
}

fn set_aside(path: &Path) -> Result<PathBuf, StorageError> {
    let stamp = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ").to_string();
    let aside = named(path, &format!("damaged-{stamp}"));
    fs::rename(path, &aside).map_err(|source| StorageError::File { path: path.to_owned(), source })?;
    for (file, ending) in beside(path).into_iter().zip(["wal", "shm"]) {
        // What cannot be moved would be mistaken for the new file's.
        if fs::exists(&file).unwrap_or(false) {
            let _ = fs::rename(&file, named(&aside, ending)).or_else(|_| fs::remove_file(&file));
        }
    }
    Ok(aside)
}

/// SQLite's own files beside a database.
fn beside(path: &Path) -> [PathBuf; 2] {
    let with = |ending: &str| {
        let mut name = path.as_os_str().to_owned();
        name.push(ending);
        PathBuf::from(name)
    };
    [with("-wal"), with("-shm")]
}

fn named(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    PathBuf::from(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::{Storage, keep_setting, settings};

    fn mode(path: &Path) -> u32 {
        fs::metadata(path).unwrap().permissions().mode() & 0o777
    }

    /// Tokens and a hash are in it.
    #[tokio::test]
    async fn files_are_for_their_owner_alone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        fs::write(&path, "").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
        let storage = Storage::open(&path).unwrap();
        storage
            .stored(storage.keep(|connection| keep_setting(connection, "key", Some("value"))))
            .await
            .unwrap();
        for file in fs::read_dir(folder.path()).unwrap() {
            let file = file.unwrap().path();
            assert_eq!(mode(&file), 0o600, "{}", file.display());
        }
    }

    /// Two halls on one file would overwrite each other's games.
    #[test]
    fn a_second_process_is_refused_by_the_first_ones_number() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let first = Storage::open(&path).unwrap();
        let refused = Storage::open(&path).unwrap_err().to_string();
        assert!(refused.contains(&std::process::id().to_string()), "{refused}");
        drop(first);
    }

    /// A damaged file keeps nobody from playing, and is not lost.
    #[tokio::test]
    async fn a_damaged_file_is_set_aside() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let junk = b"SQLite format 3\0 and then nothing that makes sense".repeat(100);
        fs::write(&path, &junk).unwrap();
        let storage = Storage::open(&path).unwrap();
        let aside = storage.set_aside().unwrap().to_owned();
        assert_eq!(fs::read(&aside).unwrap(), junk);
        assert_eq!(storage.read(settings).await.unwrap(), []);
    }

    /// What was deleted under our feet is written again from what is still open.
    #[tokio::test]
    async fn a_deleted_file_is_noticed_and_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let storage = Storage::open(&path).unwrap();
        storage
            .stored(storage.keep(|connection| keep_setting(connection, "first", Some("1"))))
            .await
            .unwrap();
        for file in [path.clone(), beside(&path)[0].clone(), beside(&path)[1].clone()] {
            fs::remove_file(file).unwrap();
        }
        storage
            .stored(storage.keep(|connection| keep_setting(connection, "second", Some("2"))))
            .await
            .unwrap();
        assert_eq!(storage.read(settings).await.unwrap().len(), 2);
        storage.close().await;
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        let again = Storage::open(&path).unwrap();
        assert_eq!(again.read(settings).await.unwrap(), [pair("first", "1"), pair("second", "2")]);
    }
}
