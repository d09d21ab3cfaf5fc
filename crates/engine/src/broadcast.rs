//! Sending the notes of a run to live viewers (X3): the third reader of the stream.
//!
//! Notes go through a bounded channel, frames through a place that holds the
//! newest one. A viewer that reads slowly misses notes and frames and is told
//! how many; the run never waits for it, and while nobody watches, nothing is
//! written at all.
//!
//! ```
//! use engine::broadcast::{self, Sight};
//! use engine::notes::{NoteReader, Topic};
//!
//! let (mut broadcast, live) = broadcast::open();
//! assert!(!broadcast.wants(Topic::Verdict), "nobody watches");
//! let mut viewer = live.watch().unwrap();
//! broadcast.note(Topic::Verdict, engine::Time::START, br#""confirmed""#);
//! drop(broadcast); // The run has ended.
//! let Some(Sight::Note(note)) = viewer.blocking_next() else { panic!() };
//! assert_eq!(note.json, br#""confirmed""#);
//! assert!(viewer.blocking_next().is_none());
//! ```

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::broadcast::error::{RecvError, TryRecvError};
use tokio::sync::{broadcast, watch};

use crate::clock::Time;
use crate::notes::{NoteReader, Topic};
use crate::picture::{Frame, Picture};

/// Notes that a viewer may lag behind before it misses some: some seconds of a run in real time.
const NOTES: usize = 1024;
/// The shortest time between two frames for viewers: no screen shows more than 60 a second.
const FRAME_PAUSE: Duration = Duration::from_millis(16);

/// A broadcast of one run, and the handle through which viewers find it.
pub fn open() -> (Broadcast, Live) {
    let notes = broadcast::Sender::new(NOTES);
    let (frames, newest) = watch::channel(None);
    let kept = Arc::default();
    let live = Live { notes: notes.downgrade(), newest, kept: Arc::clone(&kept) };
    (Broadcast { notes, frames, kept, last_frame: None, sequence: 0 }, live)
}

/// The last note of each topic that a new viewer must know about.
type Kept = Arc<Mutex<BTreeMap<Topic, Arc<LiveNote>>>>;

/// The sending end: a reader of the run's notes.
#[derive(Debug)]
pub struct Broadcast {
    notes: broadcast::Sender<Arc<LiveNote>>,
    frames: watch::Sender<Option<Arc<LiveFrame>>>,
    kept: Kept,
    last_frame: Option<Instant>,
    sequence: u64,
}

/// Where viewers join a run; cheap to clone.
#[derive(Clone, Debug)]
pub struct Live {
    notes: broadcast::WeakSender<Arc<LiveNote>>,
    newest: watch::Receiver<Option<Arc<LiveFrame>>>,
    kept: Kept,
}

/// A note on its way to viewers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LiveNote {
    /// Its place in the stream of notes and frames.
    pub sequence: u64,
    /// What it is about.
    pub topic: Topic,
    /// When it was made, on the run's clock.
    pub time: Time,
    /// Its content.
    pub json: Vec<u8>,
}

/// A frame on its way to viewers.
#[derive(Debug)]
pub struct LiveFrame {
    /// Its place in the stream of notes and frames.
    pub sequence: u64,
    /// When it was taken, on the run's clock.
    pub captured: Time,
    /// Upper left pixel in the eye's whole view.
    pub origin: (u32, u32),
    picture: Picture,
    packed: OnceLock<Vec<u8>>,
}

impl LiveFrame {
    /// The frame as it is sent; packed by the first viewer who asks, for all of them.
    pub fn packed(&self, pack: impl FnOnce(&Picture) -> Vec<u8>) -> &[u8] {
        self.packed.get_or_init(|| pack(&self.picture))
    }

    /// The pixels.
    pub fn picture(&self) -> &Picture {
        &self.picture
    }
}

/// What a viewer receives.
#[derive(Clone, Debug)]
pub enum Sight {
    /// A note.
    Note(Arc<LiveNote>),
    /// The newest frame.
    Frame(Arc<LiveFrame>),
    /// The viewer was too slow and missed this many notes.
    Missed(u64),
}

/// The receiving end: one for each page that watches.
#[derive(Debug)]
pub struct Viewer {
    first: VecDeque<Arc<LiveNote>>,
    notes: broadcast::Receiver<Arc<LiveNote>>,
    newest: watch::Receiver<Option<Arc<LiveFrame>>>,
}

impl Live {
    /// Joins as a viewer: first come the last frame and the notes that still apply, such as where the
    /// screen lies. `None` once the run has ended.
    pub fn watch(&self) -> Option<Viewer> {
        let notes = self.notes.upgrade()?.subscribe();
        let mut newest = self.newest.clone();
        newest.mark_changed();
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        Some(Viewer { first: kept.values().cloned().collect(), notes, newest })
    }

    /// How many watch.
    pub fn viewers(&self) -> usize {
        self.notes.upgrade().map_or(0, |notes| notes.receiver_count())
    }
}

impl Viewer {
    /// The next note or frame; `None` after the run's last note.
    pub async fn next(&mut self) -> Option<Sight> {
        if let Some(note) = self.first.pop_front() {
            return Some(Sight::Note(note));
        }
        loop {
            tokio::select! {
                biased;
                note = self.notes.recv() => return match note {
                    Ok(note) => Some(Sight::Note(note)),
                    Err(RecvError::Lagged(missed)) => Some(Sight::Missed(missed)),
                    Err(RecvError::Closed) => None,
                },
                Ok(()) = self.newest.changed() => {
                    if let Some(frame) = self.newest.borrow_and_update().clone() {
                        return Some(Sight::Frame(frame));
                    }
                }
            }
        }
    }

    /// The next note, for threads without a runtime; frames are asked for with [`Viewer::newest_frame`].
    pub fn blocking_next(&mut self) -> Option<Sight> {
        if let Some(note) = self.first.pop_front() {
            return Some(Sight::Note(note));
        }
        match self.notes.blocking_recv() {
            Ok(note) => Some(Sight::Note(note)),
            Err(RecvError::Lagged(missed)) => Some(Sight::Missed(missed)),
            Err(RecvError::Closed) => None,
        }
    }

    /// What has arrived already; does not wait.
    pub fn try_next(&mut self) -> Option<Sight> {
        if let Some(note) = self.first.pop_front() {
            return Some(Sight::Note(note));
        }
        match self.notes.try_recv() {
            Ok(note) => Some(Sight::Note(note)),
            Err(TryRecvError::Lagged(missed)) => Some(Sight::Missed(missed)),
            Err(TryRecvError::Empty | TryRecvError::Closed) => None,
        }
    }

    /// The newest frame, whether or not it was seen before.
    pub fn newest_frame(&self) -> Option<Arc<LiveFrame>> {
        self.newest.borrow().clone()
    }
}

impl Broadcast {
    fn next_sequence(&mut self) -> u64 {
        self.sequence += 1;
        self.sequence
    }
}

/// Whether a viewer who comes later must know the last note of this topic.
const fn holds_on(topic: Topic) -> bool {
    matches!(topic, Topic::Body | Topic::Screen | Topic::Ending | Topic::Times)
}

impl NoteReader for Broadcast {
    fn wants(&self, topic: Topic) -> bool {
        (holds_on(topic) && topic != Topic::Times) || self.notes.receiver_count() > 0
    }

    #[expect(clippy::disallowed_methods, reason = "paces what people see; nothing depends on it")]
    fn frame(&mut self, frame: &Frame) {
        let now = Instant::now();
        if self.last_frame.is_some_and(|last| now.duration_since(last) < FRAME_PAUSE) {
            return;
        }
        self.last_frame = Some(now);
        let sequence = self.next_sequence();
        self.frames.send_replace(Some(Arc::new(LiveFrame {
            sequence,
            captured: frame.captured,
            origin: frame.origin,
            picture: frame.picture.clone(),
            packed: OnceLock::new(),
        })));
    }

    fn note(&mut self, topic: Topic, time: Time, json: &[u8]) {
        let sequence = self.next_sequence();
        let note = Arc::new(LiveNote { sequence, topic, time, json: json.to_vec() });
        if holds_on(topic) {
            let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            kept.insert(topic, Arc::clone(&note));
        }
        // Sending fails only when nobody watches.
        let _ = self.notes.send(note);
    }
}
