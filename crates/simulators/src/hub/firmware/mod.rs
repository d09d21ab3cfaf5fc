//! The hub's operating system: takes programs, runs them, and lends them the hardware. Its life is here; what a computer
//! asks of it is in `requests`, what a program wants from it in `wishes`.

mod requests;
mod wishes;

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::{Clock, Time};

use super::line::{Line, receive};
use super::program::{Interpreter, Program, SharedChild};
use super::wire::{self, say};
use super::world::Table;
use requests::Upload;

/// How long an idle hub sleeps.
const IDLE: Duration = Duration::from_millis(100);
/// How long a hub takes to start a program.
const START_TIME: Duration = Duration::from_millis(300);
/// How long it takes to start itself.
const BOOT_TIME: Duration = Duration::from_secs(4);
/// The battery at which a hub switches itself off, and the one at which it comes back.
const FLAT: f64 = 1.0;
const CHARGED: f64 = 5.0;

/// What a hub is like.
#[derive(Clone, Debug)]
pub struct HubSettings {
    /// Memory for programs, in bytes.
    pub heap: usize,
    /// Time of one loop pass or function call on the hub's processor.
    pub work_time: Duration,
    /// Share of tunnel messages that arrive damaged.
    pub damage: f64,
    /// What will happen to it, and when, in order of time.
    pub schedule: Vec<(Time, Mishap)>,
}

impl Default for HubSettings {
    /// MicroPython at 100 MHz does about 40,000 passes of a busy loop a second.
    fn default() -> Self {
        Self { heap: 256 << 10, work_time: Duration::from_micros(25), damage: 0.0, schedule: Vec::new() }
    }
}

/// Something that happens to a hub from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mishap {
    /// The cable is pulled; the hub goes on.
    Unplug,
    /// The cable is plugged in.
    Plug,
    /// The hub restarts: its program is gone, its files are not.
    Reboot,
    /// Its battery runs flat: it switches itself off.
    Flatten,
    /// Its battery is charged; a hub that was off starts.
    Charge,
}

/// What the outside shares with a running hub.
#[derive(Debug, Default)]
pub(super) struct Shared {
    pub(super) off: AtomicBool,
    pub(super) mishaps: Mutex<VecDeque<Mishap>>,
    pub(super) child: SharedChild,
    pub(super) console: Mutex<Vec<String>>,
    /// The most that a program kept in memory when it collected its garbage, in bytes.
    pub(super) heap: AtomicU64,
}

pub(super) struct Firmware<L, C> {
    pub(super) line: L,
    pub(super) clock: C,
    pub(super) table: Table,
    pub(super) robot: usize,
    pub(super) settings: HubSettings,
    pub(super) interpreter: Interpreter,
    pub(super) shared: Arc<Shared>,
    state: State,
}

#[derive(Default)]
struct State {
    frame: Vec<u8>,
    slots: BTreeMap<u8, Vec<u8>>,
    upload: Option<Upload>,
    program: Option<Program>,
    tunnel: VecDeque<Vec<u8>>,
    report_every: Duration,
    next_report: Time,
    work: Duration,
    plug_at: Option<Time>,
    flat: bool,
}

impl<L: Line, C: Clock> Firmware<L, C> {
    pub(super) fn new(
        line: L,
        clock: C,
        table: Table,
        robot: usize,
        settings: HubSettings,
        interpreter: Interpreter,
        shared: Arc<Shared>,
    ) -> Self {
        Self { line, clock, table, robot, settings, interpreter, shared, state: State::default() }
    }

    /// Runs until it is switched off.
    pub(super) fn run(mut self) {
        while !self.shared.off.load(Ordering::Relaxed) {
            if self.state.program.is_some() {
                self.serve_program();
            } else {
                self.listen(self.clock.now() + IDLE);
            }
        }
    }

    /// Lets time pass until that moment, or until something has come.
    fn listen(&mut self, until: Time) {
        self.look_around();
        let mut wake = until;
        if !self.state.report_every.is_zero() {
            wake = wake.min(self.state.next_report);
        }
        if let Some(plug_at) = self.state.plug_at {
            wake = wake.min(plug_at);
        }
        let mut buffer = [0; 512];
        let count = receive(&mut self.line, &self.clock, &mut buffer, wake);
        self.look_around();
        for &byte in &buffer[..count] {
            self.take(byte);
        }
    }

    /// What happens by itself: physics, mishaps, batteries, reports.
    fn look_around(&mut self) {
        let now = self.clock.now();
        let battery = {
            let mut world = self.table.world();
            world.advance(now.as_nanos() / 1000);
            world.rigs[self.robot].battery
        };
        let due = self.settings.schedule.first().is_some_and(|&(at, _)| now >= at);
        let scheduled = due.then(|| self.settings.schedule.remove(0).1);
        let sent = || self.shared.mishaps.lock().unwrap_or_else(PoisonError::into_inner).pop_front();
        let mishap = scheduled.or_else(sent);
        match mishap {
            Some(Mishap::Flatten) => self.table.world().rigs[self.robot].battery = 0.0,
            Some(Mishap::Charge) => self.table.world().rigs[self.robot].battery = 100.0,
            Some(Mishap::Unplug) => self.set_plugged(false),
            Some(Mishap::Plug) => self.set_plugged(true),
            Some(Mishap::Reboot) => self.reboot(),
            None => {}
        }
        if battery < FLAT && !self.state.flat {
            self.state.flat = true;
            self.reboot();
            self.state.plug_at = None;
            self.table.world().note("the hub's battery is flat".to_owned());
        } else if battery > CHARGED && self.state.flat {
            self.state.flat = false;
            self.state.plug_at = Some(now + BOOT_TIME);
        }
        if self.state.plug_at.is_some_and(|at| now >= at) {
            self.state.plug_at = None;
            self.set_plugged(true);
        }
        if !self.state.report_every.is_zero() && now >= self.state.next_report {
            self.state.next_report = now + self.state.report_every;
            self.report();
        }
    }

    fn reboot(&mut self) {
        self.drop_program();
        self.state.upload = None;
        self.state.report_every = Duration::ZERO;
        self.set_plugged(false);
        self.state.plug_at = Some(self.clock.now() + BOOT_TIME);
        let mut world = self.table.world();
        world.note("the hub restarts".to_owned());
    }

    fn set_plugged(&mut self, plugged: bool) {
        self.state.frame.clear();
        if let Err(error) = self.line.set_plugged(plugged) {
            tracing::error!(%error, "the simulated hub's line");
        }
    }

    fn start_program(&mut self, slot: u8) {
        let Some(file) = self.state.slots.get(&slot) else {
            return self.send(&say::answer(say::PROGRAM, false));
        };
        let text = String::from_utf8_lossy(file).into_owned();
        self.end_program();
        self.state.tunnel.clear();
        match Program::start(&self.interpreter, &text, self.settings.heap, &self.shared.child) {
            Ok(program) => {
                self.state.program = Some(program);
                self.send(&say::answer(say::PROGRAM, true));
                self.send(&say::program(true));
                self.clock.sleep(START_TIME);
            }
            Err(error) => {
                tracing::error!("{error}");
                self.send(&say::answer(say::PROGRAM, false));
            }
        }
    }

    /// Ends the program and its motors, and tells the computer.
    fn end_program(&mut self) {
        if self.drop_program() {
            self.send(&say::program(false));
        }
    }

    /// The same without a word; whether there was a program.
    fn drop_program(&mut self) -> bool {
        let was_running = self.state.program.take().is_some();
        if was_running {
            self.table.world().rigs[self.robot].stop_all();
        }
        was_running
    }

    fn send(&mut self, message: &[u8]) {
        self.line.write(&wire::frame(message));
    }
}
