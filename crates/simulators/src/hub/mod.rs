//! A simulated SPIKE hub with the Connect Four robot of the study, on the real wire protocol (L1–L5, X2).
//!
//! ```text
//! computer ── line ── firmware ── program (real MicroPython) ── python/modules.py: motor, color_sensor, hub, …
//!                         │
//!                       world: board, rig (motors, slide, sensors), attendant (plays, presses, helps)
//! ```
//!
//! Time is that of an [`engine::Clock`]: simulated, or real at any speed. The program's own computing takes time too:
//! its loop passes and calls are counted (`instrument`), not measured.

mod attendant;
mod board;
mod firmware;
mod guest;
mod instrument;
mod line;
mod magazine;
mod motor;
mod paced;
mod program;
mod rig;
mod wire;
mod world;

use std::io;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::sync::{Arc, PoisonError};
use std::thread::JoinHandle;

use engine::Clock;

pub use attendant::Seat;
pub use board::{Board, COLUMNS, Disc, ROWS};
pub use firmware::{HubSettings, Mishap};
pub use guest::{DropError, GuestSeat, TableEnd, TableSight};
pub use line::Cable;
pub use paced::{PacedClock, pace};
pub use program::{HOW_TO_GET, Interpreter};
pub use rig::Imperfection;
pub use world::{GameSeen, Table, TableSettings, TurnSeen, USUAL_HELP};

use firmware::{Firmware, Shared};
use line::{Line, Terminal};

/// A hub that runs. Dropping it switches it off.
#[derive(Debug)]
pub struct Hub {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
}

impl Hub {
    /// Switches a hub on, on a cable inside this process. `clock` must be a participant of its own.
    pub fn on_cable(
        table: &Table,
        robot: usize,
        settings: HubSettings,
        clock: impl Clock,
    ) -> io::Result<(Self, Cable)> {
        let cable = Cable::new();
        let hub = Self::start(cable.clone(), table, robot, settings, clock)?;
        Ok((hub, cable))
    }

    /// Switches a hub on, on a pseudo terminal under this name.
    pub fn on_terminal(
        link: &Path,
        table: &Table,
        robot: usize,
        settings: HubSettings,
        clock: impl Clock,
    ) -> io::Result<Self> {
        Self::start(Terminal::open(link)?, table, robot, settings, clock)
    }

    fn start(
        line: impl Line,
        table: &Table,
        robot: usize,
        settings: HubSettings,
        clock: impl Clock,
    ) -> io::Result<Self> {
        let interpreter = Interpreter::find()?;
        let shared = Arc::new(Shared::default());
        let firmware =
            Firmware::new(line, clock, table.clone(), robot, settings, interpreter, Arc::clone(&shared));
        let thread = std::thread::Builder::new().name("hub".into()).spawn(move || {
            // A new participant waits for its turn first.
            firmware.clock.sleep_until(firmware.clock.now());
            firmware.run();
        })?;
        Ok(Self { shared, thread: Some(thread) })
    }

    /// Switches it off and waits until its port is gone. Not on simulated time: there a hub takes its turn only while the
    /// caller sleeps.
    pub fn switch_off(mut self) {
        let thread = self.thread.take();
        drop(self);
        // A panic of its thread is in the log already.
        let _ = thread.map(JoinHandle::join);
    }

    /// Lets something happen to it.
    pub fn happen(&self, mishap: Mishap) {
        self.shared.mishaps.lock().unwrap_or_else(PoisonError::into_inner).push_back(mishap);
    }

    /// What its programs have printed so far.
    pub fn console(&self) -> Vec<String> {
        self.shared.console.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

impl Hub {
    /// The most that its programs kept in memory whenever they collected their garbage, in bytes.
    pub fn heap_bytes(&self) -> u64 {
        self.shared.heap.load(Ordering::Relaxed)
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.shared.off.store(true, Ordering::Relaxed);
        program::kill(&self.shared.child);
    }
}
