//! The table: one board, one or two robots in front of it, somebody who plays and helps, and what happened.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::attendant::{Attendant, Seat};
use super::board::{Board, COLUMNS, Disc};
use super::guest::GuestSeat;
use super::magazine::Magazine;
use super::rig::{Deed, Imperfection, Rig, STEP_US};

/// A table that several hubs share.
#[derive(Clone, Debug)]
pub struct Table {
    world: Arc<Mutex<World>>,
}

/// How a table is set.
#[derive(Clone, Debug)]
pub struct TableSettings {
    /// Who sits at it; a robot's colour is that of the discs in its magazine.
    pub seats: [Seat; 2],
    /// Games until everybody goes home.
    pub games: u32,
    /// Which seat begins each game; they take turns if none is named.
    pub beginner: Option<usize>,
    /// How imperfect the robots are.
    pub imperfection: Imperfection,
    /// How long a robot that calls waits for a person.
    pub help_after: Duration,
    /// Random seed.
    pub seed: u64,
}

/// How long a person usually takes to come when a robot calls.
pub const USUAL_HELP: Duration = Duration::from_secs(4);

/// One game, as somebody beside the table saw it.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct GameSeen {
    /// Columns in order, counted from the near side of the first robot.
    pub columns: Vec<usize>,
    /// Which seat began.
    pub first: usize,
    /// Which seat won; nobody in a draw.
    pub winner: Option<usize>,
    /// Turns of robots.
    pub turns: Vec<TurnSeen>,
}

/// A robot's turn, from the press of its sensor until it has left the board again.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub struct TurnSeen {
    /// Which seat.
    pub seat: usize,
    /// Discs on the board before.
    pub discs: usize,
    /// Seconds.
    pub seconds: f64,
}

/// Everything on and around the table.
#[derive(Debug)]
pub(super) struct World {
    pub(super) now: u64,
    pub(super) board: Board,
    /// Columns in the order of their discs.
    pub(super) columns: Vec<usize>,
    pub(super) rigs: Vec<Rig>,
    pub(super) how: Imperfection,
    pub(super) rng: Xoshiro256PlusPlus,
    falling: Vec<(u64, usize, Disc)>,
    pub(super) missed: u32,
    pub(super) log: Vec<(u64, String)>,
    pub(super) attendant: Attendant,
}

impl Table {
    /// A table with an empty board.
    pub fn new(settings: &TableSettings) -> Self {
        let robots = settings.seats.iter().filter_map(|seat| match seat {
            Seat::Robot { disc } => Some(Rig::new(Magazine::of(*disc))),
            Seat::Croupier => Some(Rig::new(Magazine::mixed())),
            Seat::Person { .. } | Seat::Nobody => None,
        });
        let world = World {
            now: 0,
            board: Board::default(),
            columns: Vec::new(),
            rigs: robots.collect(),
            how: settings.imperfection,
            rng: Xoshiro256PlusPlus::seed_from_u64(settings.seed),
            falling: Vec::new(),
            missed: 0,
            log: Vec::new(),
            attendant: Attendant::new(settings),
        };
        Self { world: Arc::new(Mutex::new(world)) }
    }

    /// Lends the person's seat to guests.
    #[must_use]
    pub fn with_seat_for_guests(self, seat: GuestSeat) -> Self {
        self.world().attendant.lend_seat(seat);
        self
    }

    pub(super) fn world(&self) -> MutexGuard<'_, World> {
        self.world.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The board as it stands.
    pub fn board(&self) -> Board {
        self.world().board.clone()
    }

    /// The games that have ended.
    pub fn games(&self) -> Vec<GameSeen> {
        self.world().attendant.games.clone()
    }

    /// Whether all games have been played.
    pub fn is_over(&self) -> bool {
        self.world().attendant.is_done()
    }

    /// What happened, with its time in seconds.
    pub fn log(&self) -> Vec<(f64, String)> {
        self.world().log.iter().map(|(us, what)| (*us as f64 / 1e6, what.clone())).collect()
    }

    /// Where a robot really is, in columns from its near side; −2.7 at its stop.
    pub fn robot_column(&self, robot: usize) -> f64 {
        self.world().rigs.get(robot).map_or(0.0, Rig::column)
    }

    /// A robot's lights, top row first.
    pub fn lights(&self, robot: usize) -> [u8; 25] {
        self.world().rigs.get(robot).map_or([0; 25], |rig| rig.lights)
    }

    /// Sounds a robot has made: seconds, hertz, milliseconds.
    pub fn beeps(&self, robot: usize) -> Vec<(f64, u32, u32)> {
        let world = self.world();
        let beeps = world.rigs.get(robot).map(|rig| rig.beeps.as_slice()).unwrap_or_default();
        beeps.iter().map(|&(us, hertz, ms)| (us as f64 / 1e6, hertz, ms)).collect()
    }

    /// Somebody drops a disc by hand; false if the column is full.
    pub fn drop_disc(&self, column: usize, disc: Disc) -> bool {
        let mut world = self.world();
        let dropped = world.board.drop(column, disc);
        if dropped {
            world.columns.push(column);
        }
        dropped
    }

    /// Somebody takes the top disc of a column away.
    pub fn take_disc(&self, column: usize) {
        let mut world = self.world();
        world.board.take(column);
        if let Some(at) = world.columns.iter().rposition(|&dropped| dropped == column) {
            world.columns.remove(at);
        }
    }

    /// Somebody takes all discs off the board.
    pub fn clear(&self) {
        let mut world = self.world();
        world.clear();
    }

    /// Somebody presses a robot's force sensor now, for half a second.
    pub fn press(&self, robot: usize) {
        let mut world = self.world();
        let now = world.now;
        if let Some(rig) = world.rigs.get_mut(robot) {
            rig.press = Some((now, now + 500_000, 50));
        }
    }

    /// Somebody presses one of the hub's buttons (0 left, 1 right) now, for 200 ms.
    pub fn press_button(&self, robot: usize, button: usize) {
        let mut world = self.world();
        let now = world.now;
        if let Some(pressed) = world.rigs.get_mut(robot).and_then(|rig| rig.buttons.get_mut(button)) {
            *pressed = Some((now, now + 200_000));
        }
    }

    /// Changes how imperfect the robots are from now on.
    pub fn set_imperfection(&self, how: Imperfection) {
        self.world().how = how;
    }

    /// Jams the slide of a robot, or frees it.
    pub fn set_jammed(&self, robot: usize, jammed: bool) {
        if let Some(rig) = self.world().rigs.get_mut(robot) {
            rig.jammed = jammed;
        }
    }

    /// The next disc that a robot pushes jams, until somebody helps.
    pub fn jam_next(&self, robot: usize) {
        if let Some(rig) = self.world().rigs.get_mut(robot) {
            rig.jam_next();
        }
    }

    /// Somebody helps at once, whether the robot has called or not.
    pub fn help(&self, robot: usize) {
        Attendant::help_now(&mut self.world(), robot);
    }

    /// Charges a robot's battery to this percentage.
    pub fn set_battery(&self, robot: usize, percent: f64) {
        if let Some(rig) = self.world().rigs.get_mut(robot) {
            rig.battery = percent;
        }
    }

    /// Pulls a motor or sensor out of its socket (0 for A), or puts it back.
    pub fn set_plugged(&self, robot: usize, port: usize, plugged: bool) {
        const KINDS: [u8; 6] = [1, 2, 3, 1, 1, 0];
        if let Some(rig) = self.world().rigs.get_mut(robot)
            && let Some((device, kind)) = rig.devices.get_mut(port).zip(KINDS.get(port))
        {
            *device = if plugged { *kind } else { 0 };
        }
    }
}

impl World {
    /// Lets time pass.
    pub(super) fn advance(&mut self, to: u64) {
        while self.now + STEP_US <= to {
            if !self.rigs.iter().any(Rig::is_moving)
                && self.falling.is_empty()
                && !self.attendant.is_due(self.now)
            {
                // Nothing happens until somebody does something: jump, but look in ten times a second.
                let jump = (to - self.now).min(100_000) / STEP_US * STEP_US;
                self.now += jump.saturating_sub(STEP_US);
            }
            self.now += STEP_US;
            for robot in 0..self.rigs.len() {
                let deed = self.rigs[robot].step(self.now, &self.how, &mut self.rng);
                if let Some(deed) = deed {
                    self.note_deed(robot, deed);
                }
            }
            self.land();
            Attendant::step(self);
        }
    }

    fn note_deed(&mut self, robot: usize, deed: Deed) {
        let name = if self.rigs.len() > 1 { format!("robot {}", robot + 1) } else { "robot".to_owned() };
        match deed {
            Deed::Fell { column, disc, lands_us } => {
                let column = Self::seen_from(robot, column);
                self.falling.push((lands_us, column, disc));
            }
            Deed::Missed => {
                self.missed += 1;
                self.note(format!("{name}: a disc missed the board"));
            }
            Deed::Jammed => self.note(format!("{name}: a disc jammed in the slide")),
            Deed::NothingToPush => self.note(format!("{name}: the magazine is empty")),
        }
    }

    /// A jammed disc is pushed on by hand; it falls where the robot stands.
    pub(super) fn free_slide(&mut self, robot: usize) {
        if let Some(deed) = self.rigs[robot].free_slide(self.now) {
            self.note_deed(robot, deed);
        }
    }

    fn land(&mut self) {
        while let Some(at) = self.falling.iter().position(|&(lands, _, _)| lands <= self.now) {
            let (_, column, disc) = self.falling.remove(at);
            if self.board.drop(column, disc) {
                self.columns.push(column);
                self.note(format!("{disc:?} in column {}", column + 1));
            } else {
                self.missed += 1;
                self.note(format!("a disc for the full column {} fell off", column + 1));
            }
        }
    }

    /// A column as the second robot, on the other side, counts it.
    fn seen_from(robot: usize, column: usize) -> usize {
        if robot == 1 { COLUMNS - 1 - column } else { column }
    }

    pub(super) fn is_falling(&self) -> bool {
        !self.falling.is_empty()
    }

    pub(super) fn clear(&mut self) {
        self.board = Board::default();
        self.columns.clear();
        self.falling.clear();
        self.rigs.iter_mut().for_each(Rig::refill);
    }

    pub(super) fn note(&mut self, what: String) {
        tracing::debug!(seconds = self.now as f64 / 1e6, "{what}");
        self.log.push((self.now, what));
    }
}
