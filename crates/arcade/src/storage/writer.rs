//! The writer: one thread that stores changes in their order. What the disk refuses waits here, in order, and is tried
//! again: a gap never comes about.

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use rusqlite::{Connection, ErrorCode};
use tokio::sync::watch;

use super::reader::Query;
use super::{Progress, StorageError, Ticket};

/// How long to wait before a refused change is tried again.
const RETRY: Duration = Duration::from_millis(500);

/// One transaction.
pub(super) struct Change {
    pub(super) ticket: Ticket,
    pub(super) apply: Box<dyn Fn(&Connection) -> rusqlite::Result<()> + Send>,
}

/// What the writer is told.
pub(super) enum Command {
    Keep(Change),
    /// Only for a database in memory, which has no second connection.
    Read(Query),
}

pub(super) struct Writer {
    connection: Connection,
    /// Changes that are not stored yet, oldest first.
    backlog: VecDeque<Change>,
    progress: watch::Sender<Progress>,
}

impl Writer {
    /// Starts the thread; it ends with the last sender, after a last try.
    pub(super) fn start(
        connection: Connection,
        inbox: Receiver<Command>,
        progress: watch::Sender<Progress>,
    ) -> Result<(), StorageError> {
        let writer = Self { connection, backlog: VecDeque::new(), progress };
        let thread = thread::Builder::new().name("storage-writer".to_owned());
        thread.spawn(move || writer.run(&inbox)).map_err(StorageError::Thread)?;
        Ok(())
    }

    fn run(mut self, inbox: &Receiver<Command>) {
        loop {
            match self.next(inbox) {
                Ok(Command::Keep(change)) => {
                    self.backlog.push_back(change);
                    self.store_all();
                }
                Ok(Command::Read(query)) => query(&self.connection),
                Err(RecvTimeoutError::Timeout) => self.store_all(),
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.store_all();
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
        let mut stored = None;
        let mut trouble = None;
        while let Some(change) = self.backlog.front() {
            match store(&mut self.connection, change) {
                Err(error) if may_pass(&error) => {
                    trouble = Some(error.to_string());
                    break;
                }
                Err(error) => tracing::error!(%error, "a change cannot be stored and is dropped"),
                Ok(()) => {}
            }
            stored = Some(change.ticket);
            self.backlog.pop_front();
        }
        self.tell(newest, stored, trouble);
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

fn store(connection: &mut Connection, change: &Change) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    (change.apply)(&transaction)?;
    transaction.commit()
}

/// Whether the same change may be stored later: the disk is at fault, not the change.
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
        ),
        None => false,
    }
}
