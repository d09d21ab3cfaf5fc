//! Counters for Prometheus. Written by hand: a dozen numbers need no library.

use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::cabinets::connect_four::records::Record;

/// The counters of a hall.
#[derive(Debug, Default)]
pub struct Metrics {
    connections: AtomicU64,
    wishes: AtomicU64,
    refusals: AtomicU64,
    games_started: AtomicU64,
    games_ended: AtomicU64,
    turns: AtomicU64,
    robot_faults: AtomicU64,
    robot_down: AtomicBool,
    unrecorded: AtomicBool,
}

impl Metrics {
    /// How many pages are connected.
    pub fn connections(&self, count: usize) {
        self.connections.store(count as u64, Relaxed);
    }

    /// A page wished something.
    pub fn wish(&self) {
        self.wishes.fetch_add(1, Relaxed);
    }

    /// It was refused.
    pub fn refusal(&self) {
        self.refusals.fetch_add(1, Relaxed);
    }

    /// Something was stored.
    pub fn record(&self, record: &Record) {
        let counter = match record {
            Record::Started { .. } => &self.games_started,
            Record::Ended { .. } => &self.games_ended,
            Record::Turn { .. } => &self.turns,
            Record::Fault { .. } => &self.robot_faults,
        };
        counter.fetch_add(1, Relaxed);
    }

    /// Whether the robot works.
    pub fn robot(&self, works: bool) {
        self.robot_down.store(!works, Relaxed);
    }

    /// Whether everything that pages are shown is stored.
    pub fn recorded(&self, recorded: bool) {
        self.unrecorded.store(!recorded, Relaxed);
    }

    /// The same, for whoever asks.
    pub fn is_recorded(&self) -> bool {
        !self.unrecorded.load(Relaxed)
    }

    /// In Prometheus' text format; storage tells how many changes wait for the disk.
    pub fn text(&self, unstored: u64) -> String {
        let mut text = String::new();
        let count = |counter: &AtomicU64| counter.load(Relaxed);
        for (name, kind, help, value) in [
            ("connections", "gauge", "Pages connected now.", count(&self.connections)),
            ("wishes_total", "counter", "Events received from pages.", count(&self.wishes)),
            ("refusals_total", "counter", "Wishes refused.", count(&self.refusals)),
            ("games_started_total", "counter", "Games started.", count(&self.games_started)),
            ("games_ended_total", "counter", "Games ended.", count(&self.games_ended)),
            ("turns_total", "counter", "Discs dropped.", count(&self.turns)),
            ("robot_faults_total", "counter", "Robot faults in games.", count(&self.robot_faults)),
            ("robot_up", "gauge", "Whether the robot works.", u64::from(!self.robot_down.load(Relaxed))),
            (
                "recorded",
                "gauge",
                "Whether everything that pages are shown is stored.",
                u64::from(self.is_recorded()),
            ),
            ("unstored_changes", "gauge", "Changes that wait for the disk.", unstored),
        ] {
            // Writing to a String cannot fail.
            let _ = write!(
                text,
                "# HELP gamebot_{name} {help}\n# TYPE gamebot_{name} {kind}\ngamebot_{name} {value}\n"
            );
        }
        text
    }
}
