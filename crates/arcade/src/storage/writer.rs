//! The writer: one thread that stores changes in their order. What the disk refuses waits here, in order, and is tried
//! again: there is never a gap.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};
use tokio::sync::{oneshot, watch};

use super::file::{self, Claim};
use super::reader::Query;
use super::{Progress, StorageError, Ticket};

/// How long to wait before a refused change is tried again.
const RETRY: Duration = Duration::from_millis(500);
/// Changes that may wait for the disk: two days of games.
const LONGEST_BACKLOG: usize = 200_000;
/// Changes that are written together at most: what waits for a slow disk waits for it once, not once each.
const TOGETHER: usize = 500;

/// What is stored whole or not at all.
pub(super) struct Change {
    pub(super) ticket: Ticket,
    pub(super) apply: Box<dyn Fn(&Connection) -> rusqlite::Result<()> + Send>,
}

/// What the writer is told.
pub(super) enum Command {
    Keep(Change),
    /// Only for a database in memory, which has no second connection.
    Read(Query),
    /// Store what is left and end; the sender is dropped when the file is let go of.
    Close(oneshot::Sender<()>),
}

pub(super) struct Writer {
    connection: Connection,
    home: Option<Home>,
    /// Changes that are not stored yet, oldest first.
    backlog: VecDeque<Change>,
    /// The backlog has been too long once: nothing is taken any more, so that there is no gap.
    full: bool,
    progress: watch::Sender<Progress>,
}

/// Where the database lives.
struct Home {
    path: PathBuf,
    inode: u64,
    #[expect(dead_code, reason = "its drop lets others in")]
    claim: Claim,
}

impl Writer {
    /// Starts the thread; it ends with the last sender, after a last try.
    pub(super) fn start(
        connection: Connection,
        home: Option<(PathBuf, Claim)>,
        inbox: Receiver<Command>,
        progress: watch::Sender<Progress>,
    ) -> Result<(), StorageError> {
        let home = home.map(|(path, claim)| Home { inode: file::inode(&path), path, claim });
        let writer = Self { connection, home, backlog: VecDeque::new(), full: false, progress };
        let thread = thread::Builder::new().name("storage-writer".to_owned());
        thread.spawn(move || writer.run(&inbox)).map_err(StorageError::Thread)?;
        Ok(())
    }

    fn run(mut self, inbox: &Receiver<Command>) {
        loop {
            let mut command = match self.next(inbox) {
                Ok(command) => Some(command),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => break,
            };
            // What has come meanwhile is stored with it.
            while let Some(Command::Keep(change)) = command {
                self.take(change);
                command = inbox.try_recv().ok();
            }
            self.store_all();
            match command {
                Some(Command::Read(query)) => query(&self.connection),
                Some(Command::Close(closed)) => {
                    drop(self);
                    drop(closed);
                    return;
                }
                Some(Command::Keep(_)) | None => {}
            }
        }
        self.store_all();
    }

    fn take(&mut self, change: Change) {
        if self.backlog.len() >= LONGEST_BACKLOG && !self.full {
            tracing::error!("too much waits for the disk: what happens from now on is not recorded");
            self.full = true;
        }
        if !self.full {
            self.backlog.push_back(change);
        }
    }

    fn next(&self, inbox: &Receiver<Command>) -> Result<Command, RecvTimeoutError> {
        if self.backlog.is_empty() {
            inbox.recv().map_err(|_| RecvTimeoutError::Disconnected)
        } else {
            inbox.recv_timeout(RETRY)
        }
    }

    /// Stores the backlog as far as the disk lets us, and tells how far that was.
    fn store_all(&mut self) {
        let Some(newest) = self.backlog.back().map(|change| change.ticket) else { return };
        self.look_for_file();
        let mut stored = None;
        let mut trouble = None;
        while !self.backlog.is_empty() {
            let together = self.backlog.len().min(TOGETHER);
            if let Err(error) = store(&mut self.connection, self.backlog.iter().take(together)) {
                trouble = Some(error.to_string());
                break;
            }
            stored = self.backlog.drain(..together).next_back().map(|change| change.ticket);
        }
        self.tell(newest, stored, trouble);
    }

    /// Somebody may have deleted the file: then everything is written again, from what is still open.
    fn look_for_file(&mut self) {
        let Some(home) = &mut self.home else { return };
        if file::is_there(&home.path, home.inode) {
            return;
        }
        tracing::error!(file = %home.path.display(), "the database was deleted or replaced: it is written again");
        match file::write_again(&self.connection, &home.path) {
            Ok(connection) => {
                self.connection = connection;
                home.inode = file::inode(&home.path);
            }
            Err(error) => tracing::error!(%error, "the database cannot be written again"),
        }
    }

    fn tell(&self, newest: Ticket, stored: Option<Ticket>, trouble: Option<String>) {
        self.progress.send_modify(|progress| {
            match (&progress.trouble, &trouble) {
                (None, Some(error)) => {
                    tracing::error!(error, "cannot store; kept in memory and tried again");
                }
                (Some(_), None) => tracing::info!("everything is stored again"),
                (Some(_), Some(_)) | (None, None) => {}
            }
            *progress = Progress { stored: stored.unwrap_or(progress.stored), handled: newest, trouble };
        });
    }
}

/// Stores these changes in one transaction: all of them, but for those that make no sense, or none.
fn store<'a>(connection: &mut Connection, changes: impl Iterator<Item = &'a Change>) -> rusqlite::Result<()> {
    let mut transaction = connection.transaction()?;
    for change in changes {
        let part = transaction.savepoint()?;
        match (change.apply)(&part) {
            Ok(()) => part.commit()?,
            Err(error) if may_pass(&error) => return Err(error),
            Err(error) => tracing::error!(%error, "a change cannot be stored and is dropped"),
        }
    }
    transaction.commit()
}

/// Whether the same change may be stored later: the disk or the file is at fault, not the change.
fn may_pass(error: &rusqlite::Error) -> bool {
    match error.sqlite_error_code() {
        Some(code) => matches!(
            code,
            ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure
                | ErrorCode::DatabaseBusy
                | ErrorCode::DatabaseLocked
                | ErrorCode::ReadOnly
                | ErrorCode::CannotOpen
                | ErrorCode::OutOfMemory
                | ErrorCode::PermissionDenied
                | ErrorCode::NoLargeFileSupport
                | ErrorCode::DatabaseCorrupt
                | ErrorCode::NotADatabase
        ),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::storage::{Storage, keep_setting};

    /// How many transactions the write-ahead log holds: the last frame of each says how large the file is after it
    /// (<https://sqlite.org/fileformat2.html#the_write_ahead_log>).
    fn transactions(database: &Path) -> usize {
        const LOG_HEADER: usize = 32;
        const FRAME_HEADER: usize = 24;
        let log = std::fs::read(format!("{}-wal", database.display())).unwrap();
        let word = |at: usize| u32::from_be_bytes(log[at..at + 4].try_into().unwrap());
        let frame = FRAME_HEADER + word(8) as usize;
        (LOG_HEADER..log.len()).step_by(frame).filter(|at| word(at + 4) != 0).count()
    }

    /// What waits for a slow disk waits for it once, so that a game is soon recorded again.
    #[tokio::test]
    async fn what_has_waited_is_stored_together() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let storage = Storage::open(&path).unwrap();
        let before = transactions(&path);
        // A disk that is as slow as we like: somebody else writes.
        let other = Connection::open(&path).unwrap();
        other.execute_batch("BEGIN IMMEDIATE").unwrap();
        let keep = |number: u32| {
            storage.keep(move |connection| keep_setting(connection, &format!("k{number}"), Some("v")))
        };
        let tickets: Vec<_> = (0..20).map(keep).collect();
        other.execute_batch("COMMIT").unwrap();
        storage.stored(tickets[19]).await.unwrap();
        let written = transactions(&path) - before;
        assert!((1..=2).contains(&written), "the first, and what came while it waited: {written}");
    }
}
