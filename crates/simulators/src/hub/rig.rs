//! One robot on its rails in front of the board: motors, stops, slide and sensors.
//!
//! Lengths along the board are in degrees of the driving motor, as the robot itself measures them: 0 at the stop on the
//! right, then 198 to the near column and 73 from column to column; rows are 97 degrees of the lifting motor apart.

use rand::{Rng, RngExt};

use super::board::{Board, COLUMNS, Disc, ROWS};
use super::magazine::Magazine;
use super::motor::{Mode, Motor};

/// Sockets of the study's robot.
pub(super) const PUSH: usize = 0;
pub(super) const COLOR: usize = 1;
pub(super) const FORCE: usize = 2;
pub(super) const DRIVE: usize = 3;
pub(super) const LIFT: usize = 4;
/// Sockets of a hub.
pub(super) const PORTS: usize = 6;

const APPROACH: f64 = 198.0;
const COLUMN_STEP: f64 = 73.0;
const ROW_STEP: f64 = 97.0;
/// The rails end here on the left.
const LEFT_STOP: f64 = APPROACH + COLUMN_STEP * (COLUMNS as f64 - 1.0) + 45.0;
/// The chain ends here at the bottom: the sensor was left there.
const BOTTOM_STOP: f64 = -2.0;
/// The chain ends here at the top.
const TOP_STOP: f64 = ROW_STEP * (ROWS as f64 - 1.0) + 40.0;
/// One step of the physics.
pub(super) const STEP_US: u64 = 5_000;
/// A pushed disc leaves the magazine at this part of the turn; a jammed one blocks the bar before.
const RELEASE_AT: f64 = 270.0;
const BLOCKS_AT: f64 = 150.0;
/// A disc falls this long.
const FALL_US: u64 = 400_000;
/// Farther from the middle of a column, a disc falls beside the board's slot.
const SLOT_HALF: f64 = 24.0;
/// Light of things at 7 mm: red, green, blue.
const RED: [f64; 3] = [520.0, 90.0, 80.0];
const YELLOW: [f64; 3] = [700.0, 520.0, 110.0];
const EMPTY: [f64; 3] = [40.0, 50.0, 60.0];
const FRAME: [f64; 3] = [60.0, 130.0, 420.0];

/// How imperfect the robot is: shares from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Imperfection {
    /// Looks at a cell that show the wrong colour as long as the sensor stays there.
    pub misread: f64,
    /// Discs that jam in the slide.
    pub jam: f64,
    /// Drives on which the wheels slip by 5 to 25 degrees.
    pub slip: f64,
    /// Degrees by which motors miss their target at most.
    pub motor_error: f64,
    /// Noise of the sensor, as a share of its value.
    pub noise: f64,
}

impl Default for Imperfection {
    /// A robot on a good day: motors of ±3 degrees, some noise, nothing that jams.
    fn default() -> Self {
        Self { misread: 0.0, jam: 0.0, slip: 0.0, motor_error: 3.0, noise: 0.04 }
    }
}

/// Something the robot did to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deed {
    /// A disc falls into a column (counted from the robot's near side).
    Fell { column: usize, disc: Disc, lands_us: u64 },
    /// A disc missed the board.
    Missed,
    /// A disc is stuck in the slide.
    Jammed,
    /// The magazine is empty.
    NothingToPush,
}

/// One robot.
#[derive(Debug)]
pub(super) struct Rig {
    motors: [Motor; PORTS],
    /// What is plugged in: 1 motor, 2 colour sensor, 3 force sensor.
    pub(super) devices: [u8; PORTS],
    magazine: Magazine,
    pub(super) jammed: bool,
    /// The disc that jammed.
    stuck: Disc,
    /// The next disc jams, and no push frees it.
    jams_next: bool,
    is_firm: bool,
    pub(super) battery: f64,
    pub(super) charging: bool,
    x: f64,
    /// Degrees that the wheels will still spin for nothing.
    slipping: f64,
    push_start: f64,
    push_done: bool,
    /// Whether a jammed disc withstands this push.
    holds: bool,
    glare: Option<((i32, i32), Option<[f64; 3]>)>,
    /// When the force sensor is pressed, and how hard.
    pub(super) press: Option<(u64, u64, u8)>,
    pub(super) beeps: Vec<(u64, u32, u32)>,
    pub(super) lights: [u8; 25],
    pub(super) buttons: [Option<(u64, u64)>; 2],
    parked_since: Option<u64>,
}

impl Rig {
    pub(super) fn new(magazine: Magazine) -> Self {
        Self {
            stuck: magazine.next,
            magazine,
            jams_next: false,
            is_firm: false,
            motors: [Motor::still(); PORTS],
            devices: [1, 2, 3, 1, 1, 0],
            jammed: false,
            battery: 100.0,
            charging: false,
            x: 3.0,
            slipping: 0.0,
            push_start: 0.0,
            push_done: true,
            holds: false,
            glare: None,
            press: None,
            beeps: Vec::new(),
            lights: [0; 25],
            buttons: [None; 2],
            parked_since: Some(0),
        }
    }

    pub(super) fn run(&mut self, port: usize, velocity: f64, how: &Imperfection, rng: &mut impl Rng) {
        self.begin(port, how, rng);
        self.motors[port].order(Mode::Run { velocity });
    }

    pub(super) fn turn_to(
        &mut self,
        port: usize,
        target: f64,
        speed: f64,
        how: &Imperfection,
        rng: &mut impl Rng,
    ) {
        self.begin(port, how, rng);
        let error = rng.random_range(-1.0..=1.0) * how.motor_error;
        let target = target + self.motors[port].zero + error;
        self.motors[port].order(Mode::To { target, speed });
    }

    fn begin(&mut self, port: usize, how: &Imperfection, rng: &mut impl Rng) {
        if port == DRIVE && rng.random_bool(how.slip) {
            self.slipping = rng.random_range(5.0..25.0);
        }
        if port == PUSH {
            self.push_start = self.motors[PUSH].encoder;
            self.push_done = false;
            self.holds = rng.random_bool(0.5);
        }
    }

    pub(super) fn stop(&mut self, port: usize) {
        self.motors[port].order(Mode::Still);
    }

    pub(super) fn reset(&mut self, port: usize, position: f64) {
        self.motors[port].zero = self.motors[port].encoder - position;
    }

    pub(super) fn stop_all(&mut self) {
        for port in 0..PORTS {
            self.stop(port);
        }
    }

    pub(super) fn is_moving(&self) -> bool {
        self.motors.iter().any(Motor::is_moving)
    }

    /// Whether it has stood clear of the board for this long.
    pub(super) fn is_parked_for(&self, now: u64, us: u64) -> bool {
        self.parked_since.is_some_and(|since| now >= since + us)
    }

    /// Somebody asked it to go on: its turn is not over, though it still stands at its stop until this moment.
    pub(super) fn is_asked_to_go_on(&mut self, until: u64) {
        self.parked_since = self.parked_since.map(|_| until);
    }

    /// One step of time; what it did to the world, if anything.
    pub(super) fn step(&mut self, now: u64, how: &Imperfection, rng: &mut impl Rng) -> Option<Deed> {
        let mut deed = None;
        if self.is_moving() {
            // A battery that runs low pulls less.
            let pull = 0.8 + 0.2 * (self.battery / 100.0);
            self.battery = (self.battery - if self.charging { 0.0 } else { 0.000_05 }).max(0.0);
            for port in [DRIVE, LIFT, PUSH] {
                let wanted = self.motors[port].wants(pull);
                let allowed = match port {
                    DRIVE => self.drive(wanted),
                    LIFT => {
                        let y = self.motors[LIFT].encoder;
                        (y + wanted).clamp(BOTTOM_STOP, TOP_STOP) - y
                    }
                    _ => {
                        let (allowed, done) = self.push(now, wanted, how, rng);
                        deed = done;
                        allowed
                    }
                };
                self.motors[port].turned(wanted, allowed);
            }
        }
        let parked = self.x < 12.0 && !self.is_moving();
        self.parked_since = if parked { self.parked_since.or(Some(now)) } else { None };
        deed
    }

    fn drive(&mut self, wanted: f64) -> f64 {
        if self.slipping > 0.0 && wanted != 0.0 {
            self.slipping -= wanted.abs();
            return wanted;
        }
        let x = (self.x + wanted).clamp(0.0, LEFT_STOP);
        let moved = x - self.x;
        self.x = x;
        moved
    }

    fn push(&mut self, now: u64, wanted: f64, how: &Imperfection, rng: &mut impl Rng) -> (f64, Option<Deed>) {
        let before = self.push_start - self.motors[PUSH].encoder;
        let after = before - wanted;
        if self.push_done || wanted >= 0.0 {
            return (wanted, None);
        }
        if self.jammed && before < BLOCKS_AT && after >= BLOCKS_AT {
            if self.holds || self.is_firm {
                return (0.0, None); // It holds: the bar is blocked.
            }
            self.jammed = false;
            self.push_done = true;
            return (wanted, Some(self.fall(now, self.stuck)));
        }
        if after < RELEASE_AT {
            return (wanted, None);
        }
        self.push_done = true;
        let Some(disc) = self.magazine.take() else { return (wanted, Some(Deed::NothingToPush)) };
        let is_firm = std::mem::take(&mut self.jams_next);
        if rng.random_bool(how.jam) || is_firm {
            (self.jammed, self.stuck, self.is_firm) = (true, disc, is_firm);
            return (wanted, Some(Deed::Jammed));
        }
        (wanted, Some(self.fall(now, disc)))
    }

    /// Somebody fills the magazine and clears the slide.
    pub(super) fn refill(&mut self) {
        self.magazine.fill();
        self.jammed = false;
    }

    /// Somebody puts discs that missed the board back on top of the magazine.
    pub(super) fn put_back(&mut self, discs: u32) {
        self.magazine.put_back(discs);
    }

    /// The next disc will jam until somebody helps.
    pub(super) fn jam_next(&mut self) {
        self.jams_next = true;
    }

    /// Somebody pushes a jammed disc on: it falls where the robot stands.
    pub(super) fn free_slide(&mut self, now: u64) -> Option<Deed> {
        self.is_firm = false;
        std::mem::take(&mut self.jammed).then(|| self.fall(now, self.stuck))
    }

    /// Where a disc falls that leaves the slide here.
    fn fall(&self, now: u64, disc: Disc) -> Deed {
        let along = (self.x - APPROACH) / COLUMN_STEP;
        let column = along.round();
        let off = (along - column).abs() * COLUMN_STEP;
        if off > SLOT_HALF || !(0.0..COLUMNS as f64).contains(&column) {
            return Deed::Missed;
        }
        Deed::Fell { column: column as usize, disc, lands_us: now + FALL_US }
    }

    /// What the colour sensor says: its name for the colour, red, green, blue, all light.
    pub(super) fn color(
        &mut self,
        board: &Board,
        mirrored: bool,
        how: &Imperfection,
        rng: &mut impl Rng,
    ) -> [i32; 5] {
        let along = (self.x - APPROACH) / COLUMN_STEP;
        let up = self.motors[LIFT].encoder / ROW_STEP;
        let cell = (along.round() as i32, up.round() as i32);
        let column = usize::try_from(cell.0).ok().filter(|&column| column < COLUMNS);
        let row = usize::try_from(cell.1).ok().filter(|&row| row < ROWS);
        let shown = match (column, row) {
            (Some(column), Some(row)) => {
                let column = if mirrored { COLUMNS - 1 - column } else { column };
                board.disc(column, row).map_or(EMPTY, light_of)
            }
            _ => FRAME,
        };
        if self.glare.is_none_or(|(at, _)| at != cell) {
            let wrong = [RED, YELLOW, EMPTY][rng.random_range(0..3)];
            self.glare = Some((cell, rng.random_bool(how.misread).then_some(wrong)));
        }
        let shown = self.glare.and_then(|(_, glare)| glare).unwrap_or(shown);
        // From the middle of a hole to the plastic around it.
        let off = ((along - along.round()).powi(2) + (up - up.round()).powi(2)).sqrt();
        let frame = ((off - 0.25) / 0.15).clamp(0.0, 1.0);
        let mut rgb = [0.0; 3];
        for (index, value) in rgb.iter_mut().enumerate() {
            let light = shown[index] * (1.0 - frame) + FRAME[index] * frame;
            *value = (light * (1.0 + how.noise * rng.random_range(-1.0..=1.0))
                + rng.random_range(-6.0..=6.0))
            .clamp(0.0, 1023.0);
        }
        let all = (rgb.iter().sum::<f64>() / 2.0).min(1023.0);
        [name_of(rgb, rng), rgb[0] as i32, rgb[1] as i32, rgb[2] as i32, all as i32]
    }

    pub(super) fn force(&self, now: u64) -> u8 {
        self.press.filter(|&(from, to, _)| (from..to).contains(&now)).map_or(0, |(_, _, force)| force)
    }

    /// How long a button has been pressed, in ms.
    pub(super) fn button(&self, index: usize, now: u64) -> u64 {
        self.buttons[index]
            .filter(|&(from, to)| (from..to).contains(&now))
            .map_or(0, |(from, _)| (now - from) / 1000 + 1)
    }

    /// Position, speed, position within a turn, and status, for the program's snapshot.
    pub(super) fn motor(&self, port: usize) -> [i64; 4] {
        let motor = &self.motors[port];
        let position = (motor.encoder - motor.zero).round() as i64;
        [position, motor.velocity.round() as i64, motor.encoder.round() as i64, motor.status as i64]
    }

    /// Where it really is, in columns from the near one.
    pub(super) fn column(&self) -> f64 {
        (self.x - APPROACH) / COLUMN_STEP
    }
}

fn light_of(disc: Disc) -> [f64; 3] {
    match disc {
        Disc::Red => RED,
        Disc::Yellow => YELLOW,
    }
}

/// The sensor's own name for a colour, with its habits: red is called magenta or purple at times, yellow white or green.
fn name_of(rgb: [f64; 3], rng: &mut impl Rng) -> i32 {
    let distance = |known: [f64; 3]| -> f64 { known.iter().zip(rgb).map(|(a, b)| (a - b).powi(2)).sum() };
    let known =
        [(RED, [9, 9, 9, 2, 1]), (YELLOW, [7, 7, 7, 10, 6]), (EMPTY, [-1, -1, 0, 0, -1]), (FRAME, [3; 5])];
    let nearest = known.iter().min_by(|a, b| distance(a.0).total_cmp(&distance(b.0)));
    nearest.map_or(-1, |(_, names)| names[rng.random_range(0..5)])
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    const STILL: Imperfection =
        Imperfection { misread: 0.0, jam: 0.0, slip: 0.0, motor_error: 0.0, noise: 0.0 };

    fn steps(rig: &mut Rig, how: &Imperfection, seconds: u64) -> Vec<Deed> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        (1..=seconds * 1_000_000 / STEP_US).filter_map(|n| rig.step(n * STEP_US, how, &mut rng)).collect()
    }

    #[test]
    fn a_disc_falls_into_the_column_in_front() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut rig = Rig::new(Magazine::of(Disc::Red));
        rig.run(DRIVE, -100.0, &STILL, &mut rng);
        steps(&mut rig, &STILL, 2);
        rig.stop(DRIVE);
        steps(&mut rig, &STILL, 1);
        rig.reset(DRIVE, 0.0);
        rig.turn_to(DRIVE, 198.0 + 3.0 * 73.0, 230.0, &STILL, &mut rng);
        assert!(steps(&mut rig, &STILL, 5).is_empty());
        assert_eq!(rig.motor(DRIVE)[0], 417);
        rig.turn_to(PUSH, -360.0, 500.0, &STILL, &mut rng);
        assert!(matches!(steps(&mut rig, &STILL, 2)[..], [Deed::Fell { column: 3, .. }]));
        assert_eq!(rig.magazine.discs, 20);
    }

    #[test]
    fn the_rails_end_and_the_motor_says_so() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut rig = Rig::new(Magazine::of(Disc::Red));
        rig.turn_to(DRIVE, 2000.0, 230.0, &STILL, &mut rng);
        steps(&mut rig, &STILL, 10);
        let [position, velocity, _, status] = rig.motor(DRIVE);
        assert!(
            (660..690).contains(&position) && velocity == 0 && status == 2,
            "{position} {velocity} {status}"
        );
    }

    #[test]
    fn slip_moves_the_wheels_and_not_the_robot() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let how = Imperfection { slip: 1.0, ..STILL };
        let mut rig = Rig::new(Magazine::of(Disc::Red));
        rig.turn_to(DRIVE, 198.0, 230.0, &how, &mut rng);
        steps(&mut rig, &how, 4);
        assert_eq!(rig.motor(DRIVE)[0], 198);
        assert!((rig.x - 3.0) < 194.0 && rig.x > 170.0, "{}", rig.x);
    }

    #[test]
    fn between_two_columns_there_is_the_frame() {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut rig = Rig::new(Magazine::of(Disc::Red));
        let board = Board::default();
        rig.x = APPROACH;
        assert!(matches!(rig.color(&board, false, &STILL, &mut rng)[0], -1 | 0));
        rig.x = APPROACH + COLUMN_STEP / 2.0;
        assert_eq!(rig.color(&board, false, &STILL, &mut rng)[0], 3);
    }
}
