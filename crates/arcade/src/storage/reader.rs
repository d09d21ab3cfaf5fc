//! The reader: one thread, one read-only connection, one question after the other.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread;

use rusqlite::{Connection, OpenFlags};

use super::{StorageError, file};

/// Questions that may wait; more are refused, so that a flood of them costs no memory.
const QUEUE: usize = 256;

/// A question with its way back.
pub(super) type Query = Box<dyn FnOnce(&Connection) + Send>;

/// The way to the reader; its thread ends with the last clone.
#[derive(Clone, Debug)]
pub(super) struct Reader(SyncSender<Query>);

impl Reader {
    pub(super) fn start(path: &Path) -> Result<Self, StorageError> {
        let library = Library { connection: connect(path)?, inode: file::inode(path), path: path.to_owned() };
        let (queries, inbox) = sync_channel(QUEUE);
        let thread = thread::Builder::new().name("storage-reader".to_owned());
        thread.spawn(move || library.answer(&inbox)).map_err(StorageError::Thread)?;
        Ok(Self(queries))
    }

    pub(super) fn ask(&self, query: Query) -> Result<(), StorageError> {
        self.0.try_send(query).map_err(|error| match error {
            TrySendError::Full(_) => StorageError::Busy,
            TrySendError::Disconnected(_) => StorageError::Closed,
        })
    }
}

/// The reader's side of the file.
struct Library {
    connection: Connection,
    inode: u64,
    path: PathBuf,
}

impl Library {
    fn answer(mut self, inbox: &Receiver<Query>) {
        for query in inbox {
            self.follow_file();
            // All statements of an answer see the same moment; ending it changes nothing.
            let moment = self.connection.unchecked_transaction();
            query(&self.connection);
            drop(moment);
        }
    }

    /// The writer may have written the file again; until it has, the old one is still open.
    fn follow_file(&mut self) {
        let inode = file::inode(&self.path);
        if inode != self.inode
            && inode != 0
            && let Ok(connection) = connect(&self.path)
        {
            self.connection = connection;
            self.inode = inode;
        }
    }
}

fn connect(path: &Path) -> rusqlite::Result<Connection> {
    Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
}
