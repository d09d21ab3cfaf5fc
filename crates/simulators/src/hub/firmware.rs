//! The hub's operating system: takes programs, runs them, and lends them the hardware.

use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use engine::{Clock, Time};
use rand::RngExt;

use super::line::{Line, receive};
use super::program::{Interpreter, Program, SharedChild};
use super::rig::{COLOR, FORCE, PORTS};
use super::wire::{self, Request, say};
use super::world::Table;

/// Longest frame a hub takes.
const LONGEST_FRAME: usize = 1 << 17;
/// How long an idle hub sleeps.
const IDLE: Duration = Duration::from_millis(100);
/// How long a hub takes to start a program.
const START_TIME: Duration = Duration::from_millis(300);
/// How long it takes to start itself.
const BOOT_TIME: Duration = Duration::from_secs(4);
/// Smaller debts of computing time are collected.
const SMALLEST_WORK: Duration = Duration::from_millis(2);
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
    /// The hub starts anew: its program is gone, its files are not.
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
    pub(super) problem: Mutex<Option<String>>,
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

struct Upload {
    slot: u8,
    checksum: u32,
    running: u32,
    bytes: Vec<u8>,
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
        self.end_program(None);
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

    fn take(&mut self, byte: u8) {
        match byte {
            2 => {
                let frame = std::mem::take(&mut self.state.frame);
                let message = wire::message(&frame);
                if let Some(request) = message.as_deref().and_then(wire::request) {
                    self.obey(request);
                } else {
                    tracing::debug!(bytes = frame.len(), "a frame that a hub does not understand");
                }
            }
            1 => self.state.frame.clear(),
            _ if self.state.frame.len() < LONGEST_FRAME => self.state.frame.push(byte),
            _ => self.state.frame.clear(),
        }
    }

    fn obey(&mut self, request: Request) {
        let answer = match request {
            Request::Identity => say::identity(),
            Request::Name => say::name(),
            Request::ReportEvery { milliseconds } => {
                self.state.report_every = Duration::from_millis(milliseconds.into());
                self.state.next_report = self.clock.now() + self.state.report_every;
                say::answer(say::REPORTS, true)
            }
            Request::ClearSlot { slot } => {
                say::answer(say::SLOT_CLEARED, self.state.slots.remove(&slot).is_some())
            }
            Request::BeginFile { name, slot, checksum } => {
                let fine = name == "program.py" && slot < 20;
                self.state.upload = fine.then(|| Upload { slot, checksum, running: 0, bytes: Vec::new() });
                say::answer(say::FILE_BEGUN, fine)
            }
            Request::Chunk { checksum, bytes } => {
                say::answer(say::CHUNK_TAKEN, self.take_chunk(checksum, &bytes))
            }
            Request::Start { slot } => {
                self.start_program(slot);
                return;
            }
            Request::Stop => {
                let running = self.state.program.is_some();
                self.send(&say::answer(say::PROGRAM, running));
                if running {
                    self.end_program(Some(()));
                }
                return;
            }
            Request::Tunnel(bytes) if self.state.program.is_some() => {
                self.state.tunnel.push_back(bytes);
                return;
            }
            // LEGO calls this a known issue (spike-prime-docs, issue 8): the hub crashes.
            Request::Tunnel(_) => {
                self.table.world().note("a tunnel message without a program crashed the hub".to_owned());
                self.reboot();
                return;
            }
        };
        self.send(&answer);
    }

    fn take_chunk(&mut self, checksum: u32, bytes: &[u8]) -> bool {
        let Some(upload) = &mut self.state.upload else { return false };
        upload.running = wire::crc(upload.running, bytes);
        if upload.running != checksum {
            self.state.upload = None;
            return false;
        }
        upload.bytes.extend(bytes);
        if upload.running == upload.checksum
            && let Some(upload) =
                self.state.upload.take_if(|upload| wire::crc(0, &upload.bytes) == upload.checksum)
        {
            self.state.slots.insert(upload.slot, upload.bytes);
        }
        true
    }

    fn start_program(&mut self, slot: u8) {
        let Some(file) = self.state.slots.get(&slot) else {
            return self.send(&say::answer(say::PROGRAM, false));
        };
        let text = String::from_utf8_lossy(file).into_owned();
        self.end_program(Some(()));
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
                *self.shared.problem.lock().unwrap_or_else(PoisonError::into_inner) = Some(error.to_string());
                self.send(&say::answer(say::PROGRAM, false));
            }
        }
    }

    /// Ends the program and its motors; tells the computer unless the hub itself is going down.
    fn end_program(&mut self, tell: Option<()>) {
        if self.state.program.take().is_some() {
            self.table.world().rigs[self.robot].stop_all();
            if tell.is_some() {
                self.send(&say::program(false));
            }
        }
    }

    fn serve_program(&mut self) {
        let Some(program) = &mut self.state.program else { return };
        let Ok(wish) = program.next_wish() else {
            return self.end_program(Some(()));
        };
        self.state.work += self.settings.work_time * u32::try_from(wish.work).unwrap_or(u32::MAX);
        if self.state.work >= SMALLEST_WORK {
            let done = self.clock.now() + std::mem::take(&mut self.state.work);
            while self.clock.now() < done && self.state.program.is_some() {
                self.listen(done);
            }
        }
        let answer = self.fulfil(&wish.line);
        // Gone, if somebody stopped it meanwhile.
        if let (Some(answer), Some(program)) = (answer, &mut self.state.program)
            && program.reply(&answer).is_err()
        {
            self.end_program(Some(()));
        }
    }

    /// Does what a program wants from its hardware; nothing if the program is over.
    fn fulfil(&mut self, line: &str) -> Option<String> {
        let mut words = line.split(' ');
        let verb = words.next().unwrap_or_default();
        let rest: Vec<&str> = words.collect();
        let number = |index: usize| rest.get(index).and_then(|word| word.parse::<i64>().ok()).unwrap_or(0);
        let text = || rest.first().and_then(|hex| from_hex(hex)).unwrap_or_default();
        let port = number(0) as usize % PORTS;
        match verb {
            "wait" => {
                let until = Time::from_nanos(number(0).max(0) as u64 * 1000);
                while self.state.tunnel.is_empty() && self.clock.now() < until && self.state.program.is_some()
                {
                    self.listen(until);
                }
                return Some(self.snapshot());
            }
            "run" | "turn" | "stop" | "reset" => return Some(self.motor(verb, port, number(1), number(2))),
            "color" => return Some(self.color(port)),
            "devices" => {
                let devices = self.table.world().rigs[self.robot].devices;
                return Some(devices.map(|kind| kind.to_string()).join(" "));
            }
            "beep" => {
                let mut world = self.table.world();
                let now = world.now;
                world.rigs[self.robot].beeps.push((now, number(0) as u32, number(1) as u32));
            }
            "show" => {
                let mut lights = [0; 25];
                for (light, word) in lights.iter_mut().zip(&rest) {
                    *light = word.parse().unwrap_or(0);
                }
                self.table.world().rigs[self.robot].lights = lights;
            }
            "tunnel" => self.send_tunnel(text()),
            "heap" => {
                self.shared.heap.fetch_max(number(0).max(0) as u64, Ordering::Relaxed);
            }
            "print" => self.print(&text()),
            "end" => {
                self.end_program(Some(()));
                return None;
            }
            "died" => {
                let words = String::from_utf8_lossy(&text()).into_owned();
                let words = self.state.program.as_ref().map(|program| program.last_words(&words));
                self.print(words.unwrap_or_default().as_bytes());
                self.end_program(Some(()));
                return None;
            }
            // "work" only counts; "write" shows letters, which nobody looks at.
            _ => {}
        }
        Some("ok".to_owned())
    }

    fn motor(&mut self, verb: &str, port: usize, first: i64, second: i64) -> String {
        let mut world = self.table.world();
        let world = &mut *world;
        let rig = &mut world.rigs[self.robot];
        if rig.devices[port] != 1 {
            return "!".to_owned();
        }
        match verb {
            "run" => rig.run(port, first as f64, &world.how, &mut world.rng),
            "turn" => rig.turn_to(port, first as f64, second as f64, &world.how, &mut world.rng),
            "stop" => rig.stop(port),
            _ => rig.reset(port, first as f64),
        }
        "ok".to_owned()
    }

    fn color(&mut self, port: usize) -> String {
        let mut world = self.table.world();
        let world = &mut *world;
        let rig = &mut world.rigs[self.robot];
        if rig.devices[port] != 2 {
            return "!".to_owned();
        }
        let seen = rig.color(&world.board, self.robot == 1, &world.how, &mut world.rng);
        seen.map(|value| value.to_string()).join(" ")
    }

    /// Time, force, buttons, motors; then what came through the tunnel.
    fn snapshot(&mut self) -> String {
        let now = self.clock.now().as_nanos() / 1000;
        let world = self.table.world();
        let rig = &world.rigs[self.robot];
        let mut line = format!("{now} {} {} {}", rig.force(now), rig.button(0, now), rig.button(1, now));
        for port in 0..PORTS {
            for value in rig.motor(port) {
                let _ = write!(line, " {value}");
            }
        }
        line.push(';');
        for packet in self.state.tunnel.drain(..) {
            for byte in packet {
                let _ = write!(line, "{byte:02x}");
            }
            line.push(' ');
        }
        line
    }

    fn send_tunnel(&mut self, mut bytes: Vec<u8>) {
        if self.settings.damage > 0.0 {
            let mut world = self.table.world();
            if world.rng.random_bool(self.settings.damage) && !bytes.is_empty() {
                let at = world.rng.random_range(0..bytes.len());
                bytes[at] ^= 0x10;
            }
        }
        self.send(&say::tunnel(&bytes));
    }

    fn print(&mut self, text: &[u8]) {
        let words = String::from_utf8_lossy(text).trim_end().to_owned();
        tracing::debug!("hub: {words}");
        self.shared.console.lock().unwrap_or_else(PoisonError::into_inner).push(words);
        for message in say::console(text) {
            self.send(&message);
        }
    }

    fn report(&mut self) {
        let mut report = Vec::new();
        {
            let world = self.table.world();
            let rig = &world.rigs[self.robot];
            report.extend([0, rig.battery.round() as u8, 2]);
            report.extend(rig.lights);
            for port in (0..PORTS).filter(|&port| rig.devices[port] == 1) {
                let [position, velocity, turned, _] = rig.motor(port);
                report.extend([10, port as u8, 0x30]);
                report.extend((((turned + 180).rem_euclid(360) - 180) as i16).to_le_bytes());
                report.extend([0, 0, (velocity / 11).clamp(-100, 100) as i8 as u8]);
                report.extend((position as i32).to_le_bytes());
            }
            if rig.devices[FORCE] == 3 {
                let force = rig.force(self.clock.now().as_nanos() / 1000);
                report.extend([11, FORCE as u8, force, u8::from(force > 0)]);
            }
            if rig.devices[COLOR] == 2 {
                report.extend([12, COLOR as u8, 255, 0, 0, 0, 0, 0, 0]);
            }
        }
        self.send(&say::report(&report));
    }

    fn send(&mut self, message: &[u8]) {
        self.line.write(&wire::frame(message));
    }
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits = hex.as_bytes().chunks_exact(2);
    digits.map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect()
}
