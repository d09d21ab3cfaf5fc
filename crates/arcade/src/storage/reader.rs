//! The reader: one thread, one read-only connection, one question after the other.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use rusqlite::{Connection, OpenFlags};

use super::StorageError;

/// Questions that may wait; more are refused, so that a flood of them costs no memory.
const QUEUE: usize = 256;

/// A question with its way back.
pub(super) type Query = Box<dyn FnOnce(&Connection) + Send>;

/// The way to the reader; its thread ends with the last clone.
#[derive(Clone, Debug)]
pub(super) struct Reader(SyncSender<Query>);

impl Reader {
    pub(super) fn start(path: &Path) -> Result<Self, StorageError> {
        let connection = Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let (queries, inbox) = sync_channel(QUEUE);
        let thread = thread::Builder::new().name("storage-reader".to_owned());
        thread.spawn(move || answer(&connection, &inbox)).map_err(StorageError::Thread)?;
        Ok(Self(queries))
    }

    pub(super) fn ask(&self, query: Query) -> Result<(), StorageError> {
        self.0.try_send(query).map_err(|error| match error {
            TrySendError::Full(_) => StorageError::Busy,
            TrySendError::Disconnected(_) => StorageError::Closed,
        })
    }
}

fn answer(connection: &Connection, inbox: &Receiver<Query>) {
    for query in inbox {
        query(connection);
    }
}
