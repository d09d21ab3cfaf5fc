//! Storage (C12): one SQLite file, written by one thread and read by another, each with a connection of its own. Nobody
//! who stores or asks something ever waits for the disk on a task of the hall.
//!
//! ```text
//!   keep(change) ──► writer thread ──► file ──► reader thread ◄── read(query)
//!        │                 │
//!      Ticket           Progress: which tickets are stored, which wait for a disk that is full
//! ```

mod export;
mod file;
mod reader;
pub(crate) mod schema;
mod settings;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use thiserror::Error;
use tokio::sync::{oneshot, watch};

pub use settings::{keep_secret, keep_setting, secret, settings};

use reader::{Query, Reader};
use writer::{Change, Command, Writer};

/// Why the database cannot be opened, written or read.
#[derive(Debug, Error)]
pub enum StorageError {
    /// SQLite refused.
    #[error("database: {0}")]
    Database(#[from] rusqlite::Error),
    /// The file was written by a later version.
    #[error(
        "the database has schema {found}; this version knows up to {known}: use a newer Gamebot, or another file"
    )]
    Newer {
        /// The file's.
        found: usize,
        /// Ours.
        known: usize,
    },
    /// The file is damaged.
    #[error("the database is damaged: {0}")]
    Damaged(String),
    /// Another process uses the file.
    #[error("the database is in use by process {process}: stop it, or use another file (--database)")]
    InUse {
        /// Its number, as it wrote it.
        process: String,
    },
    /// The file cannot be made or opened.
    #[error("cannot open {}: {source}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Too many questions wait already.
    #[error("the database is busy; try again")]
    Busy,
    /// The storage is closed.
    #[error("the database is closed")]
    Closed,
    /// A thread cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(std::io::Error),
}

/// Names one change, in the order of [`Storage::keep`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Ticket(u64);

/// How far the writer has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// Changes up to this one are on the disk.
    pub stored: Ticket,
    /// Changes up to this one are on the disk, or kept in memory until they can be stored.
    pub handled: Ticket,
    /// Why changes are kept in memory, if they are.
    pub trouble: Option<String>,
}

impl Progress {
    /// How many changes wait for the disk.
    pub fn waiting(&self) -> u64 {
        self.handled.0.saturating_sub(self.stored.0)
    }
}

/// The way to the database. Clones lead to the same one.
#[derive(Clone, Debug)]
pub struct Storage {
    writer: Arc<Mutex<WriterEnd>>,
    /// None for a database in memory: there the writer's thread reads as well.
    reader: Option<Reader>,
    progress: watch::Receiver<Progress>,
    set_aside: Option<Arc<Path>>,
}

#[derive(Debug)]
struct WriterEnd {
    last: Ticket,
    commands: std::sync::mpsc::Sender<Command>,
}

impl Storage {
    /// Opens a database file that nobody else uses, and brings its schema up to date. One that is damaged is set aside.
    pub fn open(path: &Path) -> Result<Self, StorageError> {
        let file::Opened { connection, claim, set_aside } = file::open(path)?;
        let reader = Reader::start(path)?;
        let storage = Self::start(connection, Some((path.to_owned(), claim)), Some(reader))?;
        Ok(Self { set_aside: set_aside.map(Arc::from), ..storage })
    }

    /// A database that is forgotten at the end.
    pub fn in_memory() -> Result<Self, StorageError> {
        Self::start(schema::prepare(Connection::open_in_memory()?)?, None, None)
    }

    fn start(
        connection: Connection,
        home: Option<(PathBuf, file::Claim)>,
        reader: Option<Reader>,
    ) -> Result<Self, StorageError> {
        let (commands, inbox) = std::sync::mpsc::channel();
        let (progress, shown) = watch::channel(Progress::default());
        Writer::start(connection, home, inbox, progress)?;
        let writer = WriterEnd { last: Ticket::default(), commands };
        Ok(Self { writer: Arc::new(Mutex::new(writer)), reader, progress: shown, set_aside: None })
    }

    /// Where a damaged database was set aside when this one was opened.
    pub fn set_aside(&self) -> Option<&Path> {
        self.set_aside.as_deref()
    }

    /// Stores what is left and lets go of the file; nothing is stored afterwards.
    pub async fn close(&self) {
        let (reply, closed) = oneshot::channel();
        let sent = {
            let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            writer.commands.send(Command::Close(reply)).is_ok()
        };
        if sent {
            // The writer drops its end with everything else.
            drop(closed.await);
        }
    }

    /// Keeps a change: whole or not at all, and after all earlier ones. Returns at once; [`Storage::progress`] tells when
    /// it is stored. A change that the disk refuses is tried again until it is stored.
    pub fn keep(&self, change: impl Fn(&Connection) -> rusqlite::Result<()> + Send + 'static) -> Ticket {
        let mut writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
        let ticket = Ticket(writer.last.0 + 1);
        writer.last = ticket;
        // A writer that has ended has said why in the log.
        drop(writer.commands.send(Command::Keep(Change { ticket, apply: Box::new(change) })));
        // What is forgotten anyway need not be waited for.
        if self.reader.is_some() { ticket } else { Ticket::default() }
    }

    /// The newest change so far.
    pub fn newest(&self) -> Ticket {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner).last
    }

    /// Waits until a change is stored; an error if it waits for the disk.
    pub async fn stored(&self, ticket: Ticket) -> Result<(), String> {
        let mut progress = self.progress.clone();
        let handled = progress.wait_for(|progress| progress.handled >= ticket).await;
        let handled = handled.map_err(|_| StorageError::Closed.to_string())?;
        if handled.stored >= ticket {
            return Ok(());
        }
        let why = handled.trouble.clone().unwrap_or_default();
        Err(format!("not stored yet ({why}); it is tried again until it is"))
    }

    /// How far the writer has come, now and whenever that changes.
    pub fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.clone()
    }

    /// Asks the database something, on the reader's thread.
    pub async fn read<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StorageError> {
        let (reply, answer) = oneshot::channel();
        self.ask(Box::new(move |connection| {
            // Whoever asked may have gone away.
            drop(reply.send(query(connection)));
        }))?;
        Ok(answer.await.map_err(|_| StorageError::Closed)??)
    }

    /// The same for a thread that may wait.
    pub fn read_blocking<T: Send + 'static>(
        &self,
        query: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StorageError> {
        let (reply, answer) = std::sync::mpsc::channel();
        self.ask(Box::new(move |connection| drop(reply.send(query(connection)))))?;
        Ok(answer.recv().map_err(|_| StorageError::Closed)??)
    }

    /// The whole database as the bytes of a file, without secrets and seats.
    pub async fn export(&self) -> Result<Vec<u8>, StorageError> {
        self.read(export::export).await
    }

    fn ask(&self, query: Query) -> Result<(), StorageError> {
        let Some(reader) = &self.reader else {
            let writer = self.writer.lock().unwrap_or_else(PoisonError::into_inner);
            return writer.commands.send(Command::Read(query)).map_err(|_| StorageError::Closed);
        };
        reader.ask(query)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(connection: &Connection) -> rusqlite::Result<u64> {
        connection.query_row("SELECT COUNT(*) FROM settings", [], |row| row.get(0))
    }

    #[tokio::test]
    async fn what_is_stored_is_read_on_another_connection_and_found_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.sqlite");
        let storage = Storage::open(&path).unwrap();
        for number in 0..10 {
            let ticket =
                storage.keep(move |connection| keep_setting(connection, &format!("k{number}"), Some("v")));
            if number == 9 {
                storage.stored(ticket).await.unwrap();
            }
        }
        assert_eq!(storage.read(count).await.unwrap(), 10);
        storage.close().await;
        let again = Storage::open(&path).unwrap();
        assert_eq!(
            tokio::task::spawn_blocking(move || again.read_blocking(count).unwrap()).await.unwrap(),
            10
        );
    }

    #[tokio::test]
    async fn a_database_in_memory_is_read_where_it_is_written() {
        let storage = Storage::in_memory().unwrap();
        storage.keep(|connection| keep_setting(connection, "key", Some("value")));
        assert_eq!(storage.read(count).await.unwrap(), 1);
    }

    #[tokio::test]
    async fn a_reader_cannot_write() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(&folder.path().join("games.sqlite")).unwrap();
        let refused = storage.read(|connection| keep_setting(connection, "key", Some("value"))).await;
        assert!(refused.unwrap_err().to_string().contains("readonly"), "a stranger's query changes nothing");
    }

    /// A change that makes no sense is given up; those behind it are stored.
    #[tokio::test]
    async fn a_change_that_can_never_be_stored_holds_nobody_up() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(&folder.path().join("games.sqlite")).unwrap();
        storage.keep(|connection| connection.execute("INSERT INTO nowhere VALUES (1)", []).map(drop));
        let ticket = storage.keep(|connection| keep_setting(connection, "key", Some("value")));
        storage.stored(ticket).await.unwrap();
        assert_eq!(storage.read(count).await.unwrap(), 1);
    }
}
