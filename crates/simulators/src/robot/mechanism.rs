//! The robot itself, without line and without clock: characters in, characters out, at given times.
//!
//! ```text
//!            column            load time             move time
//!   Ready ──────────► Loading ───────────► Moving ─────────────► Ready
//!     │   new game       └─ another column     ▲
//!     └────────────────────── replaces it ─────┘   Error: until somebody helps
//! ```
//!
//! To `A` it answers ready in Ready and Loading, busy in Moving, error in Error. It hears other characters only
//! where it is ready (figure 41: a character is received unless the robot is busy, and a later column replaces an
//! earlier one as long as the arm has not left).

use std::time::Duration;

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::board::{Board, Disc, State};
use super::mishap::{Mishap, Scheduled};
use super::wire::{BUSY, Character, ERROR, READY, RECEIVED};

/// How long things take.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Times {
    /// From receiving a column to the arm leaving.
    pub load: Duration,
    /// From the arm leaving to the arm being back.
    pub travel: Duration,
    /// Emptying the board and collecting the discs.
    pub empty: Duration,
    /// How long the lights of a win burn; the description says about ten seconds.
    pub lights: Duration,
    /// How long passing mishaps last: deaf, stuck in busy, unplugged.
    pub mishap: Duration,
    /// How long it takes until somebody comes and helps.
    pub help: Duration,
}

impl Default for Times {
    fn default() -> Self {
        Self {
            load: Duration::from_millis(800),
            travel: Duration::from_secs(4),
            empty: Duration::from_secs(8),
            lights: Duration::from_secs(10),
            mishap: Duration::from_secs(10),
            help: Duration::from_secs(20),
        }
    }
}

impl Times {
    /// The same robot, `speed` times as fast.
    #[must_use]
    pub fn faster(&self, speed: f64) -> Self {
        // Whatever the factor, the result is a duration: nothing overflows, nothing is negative.
        let scale = |time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() / speed).unwrap_or(time);
        Self {
            load: scale(self.load),
            travel: scale(self.travel),
            empty: scale(self.empty),
            lights: scale(self.lights),
            mishap: scale(self.mishap),
            help: scale(self.help),
        }
    }
}

/// What goes wrong by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Mishaps {
    /// At given characters.
    pub scheduled: Vec<Scheduled>,
    /// Share of characters that bring a random mishap, 0 to 1.
    pub rate: f64,
    /// Random seed.
    pub seed: u64,
}

/// The robot.
#[derive(Clone, Debug)]
pub struct Mechanism {
    times: Times,
    mishaps: Mishaps,
    dice: Xoshiro256PlusPlus,
    board: Board,
    phase: Phase,
    winner: Option<Disc>,
    /// Lights chosen since the winner was announced; they burn once there are four.
    chosen: Vec<(usize, usize)>,
    lights_out: Option<Duration>,
    next_answer_lost: bool,
    next_answer_garbled: bool,
    next_disc_jams: bool,
    deaf_until: Option<Duration>,
    stuck_until: Option<Duration>,
    plug: Plug,
    characters: u64,
    mishap_count: u64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    Ready,
    Loading { disc: Disc, column: usize, until: Duration },
    Moving { job: Job, until: Duration },
    Error { job: Job, until: Duration },
}

/// What the arm is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Job {
    Nothing,
    Drop(Disc, usize),
    Empty,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plug {
    In,
    /// Pulled by a mishap.
    OutUntil(Duration),
    /// Pulled by hand.
    Out,
}

impl Mechanism {
    /// A robot with an empty board.
    pub fn new(times: Times, mishaps: Mishaps) -> Self {
        Self {
            times,
            dice: Xoshiro256PlusPlus::seed_from_u64(mishaps.seed),
            mishaps,
            board: Board::default(),
            phase: Phase::Ready,
            winner: None,
            chosen: Vec::new(),
            lights_out: None,
            next_answer_lost: false,
            next_answer_garbled: false,
            next_disc_jams: false,
            deaf_until: None,
            stuck_until: None,
            plug: Plug::In,
            characters: 0,
            mishap_count: 0,
        }
    }

    /// Hears a byte and gives its answer, if it answers. Times must not run backwards.
    pub fn receive(&mut self, now: Duration, byte: u8) -> Option<u8> {
        self.advance(now);
        if !self.is_plugged() || self.deaf_until.is_some() {
            return None;
        }
        let character = Character::read(byte)?;
        if character == Character::Status {
            return Some(self.condition());
        }
        self.characters += 1;
        let struck = self.due_mishaps();
        for mishap in &struck {
            self.strike_before(*mishap);
        }
        let answer = self.obey(now, character).map(|answer| self.garble(answer));
        for mishap in &struck {
            self.strike_after(now, *mishap);
        }
        let lost =
            std::mem::take(&mut self.next_answer_lost) || self.deaf_until.is_some() || !self.is_plugged();
        answer.filter(|_| !lost)
    }

    /// Lets time pass.
    pub fn advance(&mut self, now: Duration) {
        while let Some(moment) = self.next_event().filter(|moment| *moment <= now) {
            self.pass(moment);
        }
    }

    /// When something will happen by itself; never if nobody says anything.
    pub fn next_event(&self) -> Option<Duration> {
        let phase = match self.phase {
            Phase::Ready => None,
            Phase::Loading { until, .. } | Phase::Moving { until, .. } | Phase::Error { until, .. } => {
                Some(until)
            }
        };
        let plug = match self.plug {
            Plug::In | Plug::Out => None,
            Plug::OutUntil(until) => Some(until),
        };
        [phase, plug, self.lights_out, self.deaf_until, self.stuck_until].into_iter().flatten().min()
    }

    /// Brings a mishap about.
    pub fn strike(&mut self, now: Duration, mishap: Mishap) {
        self.advance(now);
        self.strike_before(mishap);
        self.strike_after(now, mishap);
    }

    /// Somebody helps: the error state ends.
    pub fn repair(&mut self, now: Duration) {
        self.advance(now);
        if let Phase::Error { job, .. } = self.phase {
            self.phase = Phase::Ready;
            self.finish(now, job);
        }
    }

    /// Somebody pulls the cable or plugs it in.
    pub fn set_plugged(&mut self, now: Duration, plugged: bool) {
        self.advance(now);
        self.plug = if plugged { Plug::In } else { Plug::Out };
    }

    /// Somebody takes all discs off the board by hand.
    pub fn empty_by_hand(&mut self) {
        self.board.empty();
    }

    /// Whether anybody can talk to it.
    pub fn is_plugged(&self) -> bool {
        self.plug == Plug::In
    }

    /// All that can be known of it.
    pub fn state(&self) -> State {
        let phase = match self.phase {
            Phase::Error { .. } => "error",
            _ if self.stuck_until.is_some() => "busy",
            Phase::Ready => "ready",
            Phase::Loading { .. } => "loading",
            Phase::Moving { .. } => "busy",
        };
        State {
            phase: phase.to_owned(),
            board: self.board.rows(),
            winner: self.winner,
            lights: if self.lights_out.is_some() { self.chosen.clone() } else { Vec::new() },
            red_left: self.board.left(Disc::Red),
            yellow_left: self.board.left(Disc::Yellow),
            plugged: self.is_plugged(),
            characters: self.characters,
            faults: self.mishap_count,
            arm: self.arm(),
        }
    }

    /// The column to which the arm carries a disc.
    fn arm(&self) -> Option<usize> {
        match self.phase {
            Phase::Loading { column, .. } => Some(column),
            Phase::Moving { job, .. } | Phase::Error { job, .. } => match job {
                Job::Drop(_, column) => Some(column),
                Job::Nothing | Job::Empty => None,
            },
            Phase::Ready => None,
        }
    }

    fn condition(&self) -> u8 {
        match self.phase {
            Phase::Error { .. } => ERROR,
            _ if self.stuck_until.is_some() => BUSY,
            Phase::Ready | Phase::Loading { .. } => READY,
            Phase::Moving { .. } => BUSY,
        }
    }

    /// Does what a character asks for, if the robot hears it.
    fn obey(&mut self, now: Duration, character: Character) -> Option<u8> {
        if self.condition() != READY {
            return None;
        }
        match character {
            // Asked and answered before.
            Character::Status => return None,
            // Both are switched off in the robot's firmware: no effect, no answer.
            Character::Init | Character::Draw => return None,
            Character::NewGame => {
                self.forget_winner();
                self.phase = Phase::Moving { job: Job::Empty, until: now + self.times.empty };
            }
            Character::Winner(disc) => {
                self.forget_winner();
                self.winner = Some(disc);
            }
            Character::Disc(disc, column) => {
                self.phase = Phase::Loading { disc, column, until: now + self.times.load };
            }
            Character::Light(column, row) => self.choose_light(now, (column, row)),
        }
        Some(RECEIVED)
    }

    fn choose_light(&mut self, now: Duration, cell: (usize, usize)) {
        // Without a winner nothing burns, and four are enough.
        if self.winner.is_some() && self.chosen.len() < 4 {
            self.chosen.push(cell);
            if self.chosen.len() == 4 {
                self.lights_out = Some(now + self.times.lights);
            }
        }
    }

    fn forget_winner(&mut self) {
        self.winner = None;
        self.chosen.clear();
        self.lights_out = None;
    }

    /// What happens by itself at this moment.
    fn pass(&mut self, moment: Duration) {
        let due = |until: &mut Option<Duration>| until.take_if(|until| *until <= moment).is_some();
        due(&mut self.deaf_until);
        due(&mut self.stuck_until);
        if due(&mut self.lights_out) {
            self.forget_winner();
        }
        if matches!(self.plug, Plug::OutUntil(until) if until <= moment) {
            self.plug = Plug::In;
        }
        match self.phase {
            Phase::Loading { disc, column, until } if until <= moment => {
                self.phase = Phase::Moving { job: Job::Drop(disc, column), until: until + self.times.travel };
            }
            Phase::Moving { job, until } if until <= moment => {
                self.phase = Phase::Ready;
                self.finish(moment, job);
            }
            Phase::Error { job, until } if until <= moment => {
                self.phase = Phase::Ready;
                self.finish(moment, job);
            }
            Phase::Ready | Phase::Loading { .. } | Phase::Moving { .. } | Phase::Error { .. } => {}
        }
    }

    /// The end of a job: the disc falls, the board is empty, or something is stuck.
    fn finish(&mut self, now: Duration, job: Job) {
        let stuck = match job {
            Job::Nothing => false,
            Job::Drop(disc, column) => {
                std::mem::take(&mut self.next_disc_jams) || !self.board.drop_disc(disc, column)
            }
            Job::Empty => {
                self.board.empty();
                false
            }
        };
        if stuck {
            self.phase = Phase::Error { job: Job::Nothing, until: now + self.times.help };
        }
    }

    /// Mishaps that belong to the present character.
    fn due_mishaps(&mut self) -> Vec<Mishap> {
        let scheduled =
            self.mishaps.scheduled.iter().filter(|scheduled| scheduled.character == self.characters);
        let mut due: Vec<_> = scheduled.map(|scheduled| scheduled.mishap).collect();
        if self.dice.random::<f64>() < self.mishaps.rate {
            due.push(Mishap::ALL[self.dice.random_range(0..Mishap::ALL.len())]);
        }
        due
    }

    /// The part of a mishap that must be there before the character is heard.
    fn strike_before(&mut self, mishap: Mishap) {
        self.mishap_count += 1;
        match mishap {
            Mishap::NoAnswer => self.next_answer_lost = true,
            Mishap::WrongByte => self.next_answer_garbled = true,
            Mishap::Jam => self.next_disc_jams = true,
            Mishap::Deaf | Mishap::StuckBusy | Mishap::Error | Mishap::Unplug => {}
        }
    }

    /// The part of a mishap that follows it.
    fn strike_after(&mut self, now: Duration, mishap: Mishap) {
        match mishap {
            Mishap::NoAnswer | Mishap::WrongByte | Mishap::Jam => {}
            Mishap::Deaf => self.deaf_until = Some(now + self.times.mishap),
            Mishap::StuckBusy => self.stuck_until = Some(now + self.times.mishap),
            Mishap::Unplug => self.plug = Plug::OutUntil(now + self.times.mishap),
            Mishap::Error => {
                let job = match self.phase {
                    Phase::Ready => Job::Nothing,
                    Phase::Loading { disc, column, .. } => Job::Drop(disc, column),
                    Phase::Moving { job, .. } | Phase::Error { job, .. } => job,
                };
                self.phase = Phase::Error { job, until: now + self.times.help };
            }
        }
    }

    fn garble(&mut self, answer: u8) -> u8 {
        if std::mem::take(&mut self.next_answer_garbled) {
            // Any byte but the right one.
            answer.wrapping_add(self.dice.random_range(1..=u8::MAX))
        } else {
            answer
        }
    }
}

#[cfg(test)]
mod tests;
