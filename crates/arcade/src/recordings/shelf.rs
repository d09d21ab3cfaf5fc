//! The folder of recordings: what stands there, how much room it takes, and what goes when there is no more.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use engine::replay::{Reel, ReelError};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::result;

/// Indexes that are kept for the next request; each is at most some megabytes.
const OPEN_REELS: usize = 3;
const LONGEST_NAME: usize = 60;

/// Why something cannot be done with a recording.
#[derive(Debug, Error)]
pub enum ShelfError {
    /// There is none of this name.
    #[error("there is no recording {0:?}")]
    Missing(String),
    /// It is not one that can be shown.
    #[error("{0}")]
    Unreadable(#[from] ReelError),
    /// There is no room.
    #[error("no room: recordings take {used_mb} of {limit_mb} MB, and those that are kept are not deleted")]
    Full {
        /// How much they take.
        used_mb: u64,
        /// How much they may take.
        limit_mb: u64,
    },
    /// The name is too long or holds what no name holds.
    #[error("a name has 1 to {LONGEST_NAME} characters")]
    Name,
    /// The folder does not obey.
    #[error("{what} {path:?}: {source}")]
    Folder {
        /// What was tried.
        what: &'static str,
        /// Where.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
}

/// All recordings of this server; cheap to clone.
#[derive(Clone, Debug)]
pub struct Shelf(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    folder: PathBuf,
    limit: u64,
    /// Deletes the folder with the arcade that forgets everything.
    is_temporary: bool,
    entries: Mutex<BTreeMap<String, Entry>>,
    open: Mutex<Vec<(String, Arc<Reel>)>>,
}

/// One recording in the list.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Entry {
    /// Its name in addresses.
    pub id: String,
    /// Its name for people.
    pub name: String,
    /// Whether it stays when room is needed.
    pub kept: bool,
    /// Whether a visitor brought it.
    pub uploaded: bool,
    /// The game that was played.
    pub game: String,
    /// With which body.
    pub body: String,
    /// From which seed.
    pub seed: u64,
    /// When it was put here, as RFC 3339.
    pub at: String,
    /// Its size.
    pub bytes: u64,
    /// How many frames it has.
    pub frames: u32,
    /// Its length on the run's clock.
    pub duration_ms: u64,
    /// What came of it, in the game's own figures.
    pub result: serde_json::Value,
}

/// What the file beside a recording says.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Label {
    name: String,
    kept: bool,
    uploaded: bool,
    at: String,
}

impl Shelf {
    /// The recordings of a folder, which is made when the first one comes; none for one that is deleted at the end.
    pub fn open(folder: Option<&Path>, limit_mb: u32) -> Self {
        let temporary = || {
            let name = format!("gamebot-recordings-{}-{:x}", std::process::id(), rand::random::<u64>());
            std::env::temp_dir().join(name)
        };
        let shelf = Self(Arc::new(Inner {
            folder: folder.map_or_else(temporary, Path::to_owned),
            limit: u64::from(limit_mb) << 20,
            is_temporary: folder.is_none(),
            entries: Mutex::default(),
            open: Mutex::default(),
        }));
        if folder.is_some() {
            // Reading large files takes a while; the hall opens meanwhile.
            let reading = shelf.clone();
            std::thread::spawn(move || reading.read_folder());
        }
        shelf
    }

    fn read_folder(&self) {
        let Ok(files) = fs::read_dir(&self.0.folder) else { return };
        for file in files.flatten() {
            let path = file.path();
            let is_recording = path.extension().is_some_and(|extension| extension == "mcap");
            let Some(id) = path.file_stem().and_then(|stem| stem.to_str()).filter(|id| is_id(id)) else {
                continue;
            };
            if is_recording && let Err(error) = self.list_file(id, None) {
                tracing::warn!(recording = id, %error, "is not listed");
            }
        }
    }

    /// All of them, newest first.
    pub fn list(&self) -> Vec<Entry> {
        let mut all: Vec<_> = self.entries().values().cloned().collect();
        all.sort_by(|a, b| b.at.cmp(&a.at).then_with(|| b.id.cmp(&a.id)));
        all
    }

    /// One of them.
    pub fn entry(&self, id: &str) -> Result<Entry, ShelfError> {
        self.entries().get(id).cloned().ok_or_else(|| ShelfError::Missing(id.to_owned()))
    }

    /// Bytes that all of them take, and may take.
    pub fn room(&self) -> (u64, u64) {
        (self.entries().values().map(|entry| entry.bytes).sum(), self.0.limit)
    }

    /// A place for a new recording of a game; it is not listed before [`Shelf::add`].
    pub fn place(&self, game: &str) -> Result<(String, PathBuf), ShelfError> {
        fs::create_dir_all(&self.0.folder)
            .map_err(|source| self.folder_error("cannot make the folder", source))?;
        let game: String =
            game.chars().filter(|letter| letter.is_ascii_lowercase() || *letter == '-').take(30).collect();
        let at = jiff::Zoned::now().strftime("%Y%m%d-%H%M%S").to_string();
        let id = format!("{game}-{at}-{:04x}", rand::random::<u16>());
        let path = self.path(&id);
        Ok((id, path))
    }

    /// Lists a recording that was written to its place; one that cannot be shown is deleted.
    pub fn add(&self, id: &str, is_upload: bool) -> Result<Entry, ShelfError> {
        let label =
            Label { uploaded: is_upload, at: format!("{:.3}", jiff::Timestamp::now()), ..Label::default() };
        let added = self.list_file(id, Some(label)).and_then(|entry| self.make_room(id).map(|()| entry));
        if added.is_err() {
            self.forget(id);
        }
        added
    }

    /// Deletes a recording's file that was never listed.
    pub fn forget(&self, id: &str) {
        self.entries().remove(id);
        self.opened().retain(|(other, _)| other != id);
        for path in [self.path(id), self.label_path(id)] {
            // Either may never have been written.
            let _ = fs::remove_file(path);
        }
    }

    /// Deletes a recording.
    pub fn delete(&self, id: &str) -> Result<(), ShelfError> {
        self.entry(id)?;
        self.forget(id);
        Ok(())
    }

    /// Gives a recording a name, or keeps it.
    pub fn label(&self, id: &str, name: Option<&str>, kept: Option<bool>) -> Result<Entry, ShelfError> {
        let mut entry = self.entry(id)?;
        if let Some(name) = name {
            let name = name.trim();
            if name.chars().count() > LONGEST_NAME || name.is_empty() || name.chars().any(char::is_control) {
                return Err(ShelfError::Name);
            }
            name.clone_into(&mut entry.name);
        }
        entry.kept = kept.unwrap_or(entry.kept);
        self.write_label(&entry)?;
        self.entries().insert(id.to_owned(), entry.clone());
        Ok(entry)
    }

    /// The index of a recording, and its file.
    pub fn reel(&self, id: &str) -> Result<(Arc<Reel>, File), ShelfError> {
        self.entry(id)?;
        let path = self.path(id);
        let file =
            File::open(&path).map_err(|source| ShelfError::Folder { what: "cannot open", path, source })?;
        if let Some((_, reel)) = self.opened().iter().find(|(other, _)| other == id) {
            return Ok((Arc::clone(reel), file));
        }
        let reel = Arc::new(Reel::read(&file)?);
        let mut opened = self.opened();
        opened.insert(0, (id.to_owned(), Arc::clone(&reel)));
        opened.truncate(OPEN_REELS);
        Ok((reel, file))
    }

    /// Its file.
    pub fn path(&self, id: &str) -> PathBuf {
        self.0.folder.join(format!("{id}.mcap"))
    }

    fn list_file(&self, id: &str, new: Option<Label>) -> Result<Entry, ShelfError> {
        let path = self.path(id);
        let file = File::open(&path).map_err(|source| self.folder_error("cannot open a file of", source))?;
        let metadata = file.metadata().map_err(|source| self.folder_error("cannot ask", source))?;
        let reel = Reel::read(&file)?;
        let is_new = new.is_some();
        let label = new.unwrap_or_else(|| self.read_label(id, &metadata));
        let entry = Entry {
            id: id.to_owned(),
            name: label.name,
            kept: label.kept,
            uploaded: label.uploaded,
            game: printable(&reel.run().game),
            body: printable(&reel.run().body),
            seed: reel.run().seed,
            at: label.at,
            bytes: metadata.len(),
            frames: reel.frames(),
            duration_ms: u64::try_from(reel.duration().as_millis()).unwrap_or(u64::MAX),
            result: result::of(&reel, &file),
        };
        if is_new {
            self.write_label(&entry)?;
        }
        self.entries().insert(id.to_owned(), entry.clone());
        Ok(entry)
    }

    /// Deletes the oldest that are not kept until there is room; never the newest one.
    fn make_room(&self, newest: &str) -> Result<(), ShelfError> {
        loop {
            let (used, limit) = self.room();
            if used <= limit {
                return Ok(());
            }
            let oldest = self.list().into_iter().rev().find(|entry| !entry.kept && entry.id != newest);
            let Some(oldest) = oldest else {
                return Err(ShelfError::Full { used_mb: used >> 20, limit_mb: limit >> 20 });
            };
            tracing::info!(recording = oldest.id, "deleted to make room");
            self.forget(&oldest.id);
        }
    }

    /// A file that somebody put into the folder by hand is theirs: it stays.
    fn read_label(&self, id: &str, metadata: &fs::Metadata) -> Label {
        let written = fs::read(self.label_path(id)).ok().and_then(|json| serde_json::from_slice(&json).ok());
        written.unwrap_or_else(|| {
            let at = metadata.modified().ok().and_then(|time| jiff::Timestamp::try_from(time).ok());
            Label { kept: true, at: format!("{:.3}", at.unwrap_or_default()), ..Label::default() }
        })
    }

    fn write_label(&self, entry: &Entry) -> Result<(), ShelfError> {
        let Entry { name, kept, uploaded, at, .. } = entry.clone();
        let json = serde_json::to_vec(&Label { name, kept, uploaded, at }).unwrap_or_default();
        fs::write(self.label_path(&entry.id), json)
            .map_err(|source| self.folder_error("cannot write to", source))
    }

    fn label_path(&self, id: &str) -> PathBuf {
        self.0.folder.join(format!("{id}.json"))
    }

    fn folder_error(&self, what: &'static str, source: io::Error) -> ShelfError {
        ShelfError::Folder { what, path: self.0.folder.clone(), source }
    }

    fn entries(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.0.entries.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn opened(&self) -> MutexGuard<'_, Vec<(String, Arc<Reel>)>> {
        self.0.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.is_temporary {
            // It may never have been made.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Whether this may name a file of the folder.
pub fn is_id(text: &str) -> bool {
    let fine = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-' || byte == b'_';
    (1..=80).contains(&text.len()) && text.bytes().all(fine)
}

/// A stranger's word, short.
fn printable(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).take(40).collect()
}
