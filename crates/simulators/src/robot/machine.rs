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
use super::fault::{Fault, Scheduled};
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
    /// How long passing faults last: deaf, stuck in busy, unplugged.
    pub fault: Duration,
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
            fault: Duration::from_secs(10),
            help: Duration::from_secs(20),
        }
    }
}

impl Times {
    /// The same robot, so many times faster.
    #[must_use]
    pub fn faster(&self, speed: f64) -> Self {
        // Whatever the factor, the result is a duration: nothing overflows, nothing is negative.
        let scale = |time: Duration| Duration::try_from_secs_f64(time.as_secs_f64() / speed).unwrap_or(time);
        Self {
            load: scale(self.load),
            travel: scale(self.travel),
            empty: scale(self.empty),
            lights: scale(self.lights),
            fault: scale(self.fault),
            help: scale(self.help),
        }
    }
}

/// What goes wrong by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Faults {
    /// At given characters.
    pub scheduled: Vec<Scheduled>,
    /// Share of characters that bring a random fault, 0 to 1.
    pub rate: f64,
    /// Where the dice start.
    pub seed: u64,
}

/// The robot.
#[derive(Clone, Debug)]
pub struct Machine {
    times: Times,
    faults: Faults,
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
    fault_count: u64,
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
    /// Pulled by a fault.
    OutUntil(Duration),
    /// Pulled by hand.
    Out,
}

impl Machine {
    /// A robot with an empty board.
    pub fn new(times: Times, faults: Faults) -> Self {
        Self {
            times,
            dice: Xoshiro256PlusPlus::seed_from_u64(faults.seed),
            faults,
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
            fault_count: 0,
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
        let struck = self.due_faults();
        for fault in &struck {
            self.strike_before(*fault);
        }
        let answer = self.obey(now, character).map(|answer| self.garble(answer));
        for fault in &struck {
            self.strike_after(now, *fault);
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

    /// Brings a fault about.
    pub fn strike(&mut self, now: Duration, fault: Fault) {
        self.advance(now);
        self.strike_before(fault);
        self.strike_after(now, fault);
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
            faults: self.fault_count,
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

    /// Faults that belong to the present character.
    fn due_faults(&mut self) -> Vec<Fault> {
        let scheduled =
            self.faults.scheduled.iter().filter(|scheduled| scheduled.character == self.characters);
        let mut due: Vec<_> = scheduled.map(|scheduled| scheduled.fault).collect();
        if self.dice.random::<f64>() < self.faults.rate {
            due.push(Fault::ALL[self.dice.random_range(0..Fault::ALL.len())]);
        }
        due
    }

    /// The part of a fault that must be there before the character is heard.
    fn strike_before(&mut self, fault: Fault) {
        self.fault_count += 1;
        match fault {
            Fault::NoAnswer => self.next_answer_lost = true,
            Fault::WrongByte => self.next_answer_garbled = true,
            Fault::Jam => self.next_disc_jams = true,
            Fault::Deaf | Fault::StuckBusy | Fault::Error | Fault::Unplug => {}
        }
    }

    /// The part of a fault that follows it.
    fn strike_after(&mut self, now: Duration, fault: Fault) {
        match fault {
            Fault::NoAnswer | Fault::WrongByte | Fault::Jam => {}
            Fault::Deaf => self.deaf_until = Some(now + self.times.fault),
            Fault::StuckBusy => self.stuck_until = Some(now + self.times.fault),
            Fault::Unplug => self.plug = Plug::OutUntil(now + self.times.fault),
            Fault::Error => {
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
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn seconds(seconds: f64) -> Duration {
        Duration::from_secs_f64(seconds)
    }

    fn robot() -> Machine {
        Machine::new(Times::default(), Faults::default())
    }

    /// Says the bytes at the times and compares the answers; `-` is none.
    fn check(machine: &mut Machine, conversation: &[(f64, u8, char)]) {
        for (at, byte, expected) in conversation {
            let answer = machine.receive(seconds(*at), *byte).map_or('-', char::from);
            assert_eq!(answer, *expected, "`{}` at {at} s", char::from(*byte));
        }
    }

    /// The tests of figure 41 that were made with the real robot, in one conversation.
    #[test]
    fn answers_as_the_real_robot_did() {
        let mut machine = robot();
        check(&mut machine, &[(0.0, b'A', '1'), (0.1, b'B', '-'), (0.2, b'D', '-'), (0.3, b'C', '4')]);
        check(&mut machine, &[(0.4, b'A', '2'), (0.5, b'G', '-'), (8.2, b'A', '2'), (8.4, b'A', '1')]);
        for (index, byte) in (b'G'..=b'T').enumerate() {
            let at = 10.0 * (index + 1) as f64;
            check(&mut machine, &[(at, byte, '4'), (at + 0.1, b'A', '1'), (at + 1.0, b'A', '2')]);
            check(&mut machine, &[(at + 2.0, b'E', '-'), (at + 6.0, b'A', '1')]);
        }
        for byte in b"UVWXYZabcdefghijklmnopqrstuvwxyz1234567890" {
            check(&mut machine, &[(200.0, *byte, '4'), (200.0, b'A', '1')]);
        }
        assert_eq!(machine.state().board[4..], ["YYYYYYY", "RRRRRRR"]);
        assert_eq!((machine.state().red_left, machine.state().yellow_left), (14, 14));
    }

    /// Figure 41, comment 5.
    #[test]
    fn a_later_column_replaces_an_earlier_one_until_the_arm_leaves() {
        let mut machine = robot();
        check(&mut machine, &[(0.0, b'G', '4'), (0.5, b'M', '4'), (1.2, b'A', '1'), (1.4, b'A', '2')]);
        check(&mut machine, &[(1.5, b'H', '-'), (6.0, b'A', '1')]);
        assert_eq!(machine.state().board[5], "......R");
    }

    /// Figure 41, comments 4 and 6.
    #[test]
    fn lights_burn_after_the_fourth_and_go_out_by_themselves() {
        let mut machine = robot();
        check(&mut machine, &[(0.0, b'U', '4'), (0.0, b'E', '4')]);
        for byte in b"456" {
            check(&mut machine, &[(1.0, *byte, '4')]);
            assert!(machine.state().lights.is_empty());
        }
        check(&mut machine, &[(2.0, b'7', '4')]);
        assert_eq!(machine.state().lights, [(0, 5), (1, 5), (2, 5), (3, 5)]);
        machine.advance(seconds(11.9));
        assert_eq!(machine.state().lights.len(), 4);
        machine.advance(seconds(12.1));
        assert!(machine.state().lights.is_empty());
    }

    #[test]
    fn a_new_game_returns_all_discs() {
        let mut machine = robot();
        check(&mut machine, &[(0.0, b'G', '4'), (10.0, b'C', '4'), (17.0, b'A', '2')]);
        assert_eq!(machine.state().board[5], "R......");
        check(&mut machine, &[(19.0, b'A', '1')]);
        assert_eq!(machine.state().board, ["......."; 6]);
        assert_eq!(machine.state().red_left, 21);
    }

    #[test]
    fn a_full_column_stops_the_arm_in_its_error_state() {
        let mut machine = robot();
        for turn in 0..7 {
            check(&mut machine, &[(10.0 * f64::from(turn), b'G', '4')]);
        }
        check(&mut machine, &[(66.0, b'A', '3'), (67.0, b'G', '-'), (68.0, b'C', '-')]);
        machine.repair(seconds(70.0));
        check(&mut machine, &[(71.0, b'A', '1')]);
        assert_eq!(machine.state().red_left, 15);
    }

    /// Every fault on the second character, a disc; what is said after it, and what stands at the end.
    #[test]
    fn faults_do_what_their_names_say() {
        let cases: [(Fault, &[(f64, u8, char)], &str); 7] = [
            (Fault::NoAnswer, &[(10.0, b'H', '-'), (11.0, b'A', '2'), (15.0, b'A', '1')], "RR....."),
            (Fault::Deaf, &[(10.0, b'H', '-'), (19.9, b'A', '-'), (20.1, b'A', '1')], "RR....."),
            (
                Fault::StuckBusy,
                &[(10.0, b'H', '4'), (10.1, b'A', '2'), (19.9, b'A', '2'), (20.1, b'A', '1')],
                "RR.....",
            ),
            (
                Fault::Error,
                &[(10.0, b'H', '4'), (10.1, b'A', '3'), (29.9, b'A', '3'), (30.1, b'A', '1')],
                "RR.....",
            ),
            (
                Fault::Jam,
                &[(10.0, b'H', '4'), (11.0, b'A', '2'), (15.0, b'A', '3'), (34.9, b'A', '1')],
                "R......",
            ),
            (Fault::Unplug, &[(10.0, b'H', '-'), (19.9, b'A', '-'), (20.1, b'A', '1')], "RR....."),
            (Fault::WrongByte, &[(15.0, b'A', '1')], "R......"),
        ];
        for (fault, conversation, board) in cases {
            let scheduled = vec![Scheduled { fault, character: 2 }];
            let mut machine = Machine::new(Times::default(), Faults { scheduled, ..Faults::default() });
            check(&mut machine, &[(0.0, b'A', '1'), (0.1, b'G', '4')]);
            check(&mut machine, conversation);
            assert_eq!(machine.state().board[5], board, "{fault}");
            assert_eq!(machine.state().faults, u64::from(fault != Fault::WrongByte), "{fault}");
            if fault == Fault::WrongByte {
                let answer = machine.receive(seconds(40.0), b'H');
                assert!(answer.is_some_and(|byte| byte != b'4'), "{answer:?}");
                assert_eq!(machine.receive(seconds(41.0), b'A'), Some(b'2'));
            }
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_faults() {
        let run = |seed| {
            let mut machine = Machine::new(Times::default(), Faults { rate: 0.3, seed, ..Faults::default() });
            let answers =
                (0..200).map(|turn| machine.receive(seconds(f64::from(turn) * 7.0), b'G' + turn as u8 % 14));
            (answers.collect::<Vec<_>>(), machine.state())
        };
        assert_eq!(run(5), run(5));
        assert_ne!(run(5), run(6));
    }

    proptest! {
        /// Any bytes, orders and waits: it never panics, its discs are never more or fewer than 42, and it comes
        /// back to ready in the end.
        #[test]
        fn nothing_breaks_the_robot(
            doings in prop::collection::vec((any::<u8>(), any::<bool>(), 0..12_000_u64), 0..300),
            rate in 0.0..1.0,
            seed: u64,
        ) {
            let mut machine = Machine::new(Times::default(), Faults { rate, seed, ..Faults::default() });
            let mut now = Duration::ZERO;
            for (byte, likely, wait) in doings {
                now += Duration::from_millis(wait);
                let byte = if likely { b'A' + byte % 26 } else { byte };
                let answer = machine.receive(now, byte);
                let state = machine.state();
                let count = |letter| state.board.iter().flat_map(|row| row.chars()).filter(|c| *c == letter).count();
                prop_assert_eq!(count('R') + state.red_left, 21);
                prop_assert_eq!(count('Y') + state.yellow_left, 21);
                prop_assert!(answer.is_none() || byte.is_ascii_alphanumeric());
                prop_assert_eq!(state.picture().lines().count(), 8);
            }
            now += Duration::from_mins(5);
            machine.advance(now);
            prop_assert_eq!(machine.next_event(), None);
            prop_assert_eq!(machine.receive(now, b'A'), Some(b'1'));
        }
    }
}
