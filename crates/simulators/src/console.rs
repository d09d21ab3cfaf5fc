//! A body on an emulated console: its screen is what the eye sees, its buttons
//! are what the hand holds (G2, G5).
//!
//! The console runs in step with the run's clock: its n-th display period
//! begins n periods after the start with the buttons that are held then, and
//! an eye waits for the next complete picture. With [`Lag`] the same console
//! is seen and held as through a camera and solenoids: later, less often, and
//! at a phase of its own.

pub mod film;

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::{Body, Clock, Eye, EyePace, Fault, Focus, Frame, Hand, Latency, Mapping, PixelFormat, Time};
use gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH, Screen, period_at, period_start, periods};
use gameboy::{Button, Console, Crash, Emulator, LinkedConsoles};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use tetris::gameboy::Buttons;

use crate::brickd::{ButtonEdge, SharedRig};
use crate::camera::Camera;
use film::{Film, FilmingEye};

/// How much later and less often a body sees and acts than the console runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lag {
    /// Time between two frames.
    pub frame_period: Duration,
    /// From a moment on the screen to the frame that shows it.
    pub shown_to_captured: Latency,
    /// From a command to its effect.
    pub commanded_to_done: Latency,
    /// When the console was switched on, after the run's clock started.
    pub switched_on: Duration,
    /// Random seed of the spreads.
    pub seed: u64,
}

/// One console or two on a cable.
#[derive(Debug)]
enum Consoles {
    One(Box<Emulator>),
    Two(Box<LinkedConsoles>),
}

/// The last pictures of a console, with their periods: cameras look when they want to, and another one may have let
/// the consoles play on meanwhile.
#[derive(Debug, Default)]
struct Reel(VecDeque<(u64, Vec<u8>)>);

impl Reel {
    /// Pictures before a frame that still show in it: a display forgets within three of them.
    const REMEMBERED: usize = 3;

    fn add(&mut self, period: u64, screen: &Screen) {
        let oldest = if self.0.len() == Self::REMEMBERED { self.0.pop_front() } else { None };
        let mut shades = oldest.map(|(_, shades)| shades).unwrap_or_default();
        shades.clear();
        shades.extend_from_slice(&screen.shades);
        self.0.push_back((period, shades));
    }
}

#[derive(Debug)]
struct Desk {
    consoles: Consoles,
    held: [Buttons; 2],
    /// Changes of the held buttons on their way, in the order in which they take effect.
    coming: Vec<(Time, Change)>,
    /// What presses each console's buttons, if no hand here does.
    fingers: [Option<Fingers>; 2],
    /// What each console has shown last, if a camera films it.
    reels: [Option<Reel>; 2],
    switched_on: Duration,
    /// Display periods that have passed.
    passed: u64,
    crash: Option<Crash>,
}

/// What presses a console's buttons.
#[derive(Clone, Debug)]
pub enum Fingers {
    /// Those of a rig on the same clock.
    Rig(SharedRig),
    /// Those of a rig that runs by itself: what it tells of its buttons, in order of time.
    Told(Arc<Mutex<Vec<ButtonEdge>>>),
}

impl Fingers {
    /// What they did until `now` and since the last time.
    fn edges(&self, now: Time) -> Vec<ButtonEdge> {
        match self {
            Fingers::Rig(rig) => {
                let mut rig = rig.lock().unwrap_or_else(PoisonError::into_inner);
                rig.advance(now);
                rig.take_edges()
            }
            Fingers::Told(edges) => {
                std::mem::take(&mut *edges.lock().unwrap_or_else(PoisonError::into_inner))
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Change {
    side: usize,
    button: Button,
    is_held: bool,
}

impl Desk {
    /// When a period begins.
    fn begins(&self, period: u64) -> Time {
        Time::START + self.switched_on + period_start(period)
    }

    /// Lets every period pass that began before `now`.
    fn advance_to(&mut self, now: Time) -> Result<(), Fault> {
        self.move_fingers(now);
        loop {
            let begins = self.begins(self.passed);
            if self.crash.is_some() || begins >= now {
                break;
            }
            self.change_until(begins);
            let step = match &mut self.consoles {
                Consoles::One(console) => console.step(self.held[0]),
                Consoles::Two(consoles) => consoles.step(self.held),
            };
            self.crash = step.err();
            for side in 0..2 {
                if let Some(mut reel) = self.reels[side].take() {
                    reel.add(self.passed, self.screen(side));
                    self.reels[side] = Some(reel);
                }
            }
            self.passed += 1;
        }
        match &self.crash {
            None => Ok(()),
            Some(crash) => Err(Fault::Lost { part: "console".to_owned(), why: crash.to_string() }),
        }
    }

    /// Fetches what the fingers do until `now`.
    fn move_fingers(&mut self, now: Time) {
        for (side, fingers) in self.fingers.iter().enumerate() {
            let edges = fingers.iter().flat_map(|fingers| fingers.edges(now));
            let change =
                |edge: ButtonEdge| (edge.at, Change { side, button: edge.button, is_held: edge.down });
            self.coming.extend(edges.map(change));
        }
        self.coming.sort_by_key(|(effect, _)| *effect);
    }

    /// Carries out the changes that have taken effect by `moment`.
    fn change_until(&mut self, moment: Time) {
        let due = self.coming.partition_point(|(effect, _)| *effect <= moment);
        for (_, change) in self.coming.drain(..due) {
            let held = &mut self.held[change.side];
            let button = change.button.alone();
            *held = if change.is_held { *held | button } else { *held & !button };
        }
    }

    fn screen(&mut self, side: usize) -> &Screen {
        match &mut self.consoles {
            Consoles::One(console) => console.screen(),
            Consoles::Two(consoles) => consoles.console(side).screen(),
        }
    }
}

type Shared = Arc<Mutex<Desk>>;

fn lock(desk: &Shared) -> MutexGuard<'_, Desk> {
    desk.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A body on one console.
pub fn body<C: Clock>(console: Emulator, clock: &C) -> Body<ConsoleEye<C>, ConsoleHand<C>> {
    on(&desk(Consoles::One(Box::new(console)), Duration::ZERO), 0, clock, None)
}

/// A body that sees and holds one console with some lag.
pub fn lagging_body<C: Clock>(console: Emulator, clock: &C, lag: Lag) -> Body<ConsoleEye<C>, ConsoleHand<C>> {
    on(&desk(Consoles::One(Box::new(console)), lag.switched_on), 0, clock, Some(lag))
}

/// An eye on a console whose buttons are under the fingers of a rig.
pub fn under_fingers<C: Clock>(console: Emulator, rig: &SharedRig, clock: &C) -> ConsoleEye<C> {
    let desk = desk(Consoles::One(Box::new(console)), Duration::ZERO);
    lock(&desk).fingers[0] = Some(Fingers::Rig(Arc::clone(rig)));
    on(&desk, 0, clock, None).eye
}

/// A console whose buttons are under these fingers and whose screen a camera sees.
pub fn filmed<C: Clock>(
    console: Emulator,
    fingers: Fingers,
    clock: &C,
    film: Film,
    camera: Camera,
) -> FilmingEye<C> {
    let desk = desk(Consoles::One(Box::new(console)), film.switched_on);
    filming(&desk, 0, fingers, clock, film, camera)
}

/// The same on each of two linked consoles, which are switched on together; every eye waits on a clock handle of its own.
pub fn filmed_link<C: Clock>(
    consoles: LinkedConsoles,
    rigs: [(Fingers, Film, Camera); 2],
    clocks: [&C; 2],
) -> [FilmingEye<C>; 2] {
    let desk = desk(Consoles::Two(Box::new(consoles)), rigs[0].1.switched_on);
    let [(fingers, film, camera), other] = rigs;
    let first = filming(&desk, 0, fingers, clocks[0], film, camera);
    let (fingers, film, camera) = other;
    [first, filming(&desk, 1, fingers, clocks[1], film, camera)]
}

fn filming<C: Clock>(
    desk: &Shared,
    side: usize,
    fingers: Fingers,
    clock: &C,
    film: Film,
    camera: Camera,
) -> FilmingEye<C> {
    let mut consoles = lock(desk);
    consoles.fingers[side] = Some(fingers);
    consoles.reels[side] = Some(Reel::default());
    drop(consoles);
    FilmingEye::new(Arc::clone(desk), side, clock, film, camera)
}

/// A body on each of two linked consoles; every body waits on a clock handle of its own.
pub fn linked_bodies<C: Clock>(
    consoles: LinkedConsoles,
    clocks: [&C; 2],
) -> [Body<ConsoleEye<C>, ConsoleHand<C>>; 2] {
    let desk = desk(Consoles::Two(Box::new(consoles)), Duration::ZERO);
    [on(&desk, 0, clocks[0], None), on(&desk, 1, clocks[1], None)]
}

fn desk(consoles: Consoles, switched_on: Duration) -> Shared {
    let held = [Buttons::NONE; 2];
    Arc::new(Mutex::new(Desk {
        consoles,
        held,
        coming: Vec::new(),
        fingers: [None, None],
        reels: [None, None],
        switched_on,
        passed: 0,
        crash: None,
    }))
}

fn on<C: Clock>(
    desk: &Shared,
    side: usize,
    clock: &C,
    lag: Option<Lag>,
) -> Body<ConsoleEye<C>, ConsoleHand<C>> {
    let frame = Frame::blank(SCREEN_WIDTH as u32, SCREEN_HEIGHT as u32, PixelFormat::Gray8);
    let random = |salt: u64| Xoshiro256PlusPlus::seed_from_u64(lag.map_or(0, |lag| lag.seed) ^ salt);
    let eye = ConsoleEye {
        desk: Arc::clone(desk),
        side,
        clock: clock.clone(),
        frame,
        looks: 0,
        lag,
        random: random(1),
    };
    let hand = ConsoleHand { desk: Arc::clone(desk), side, clock: clock.clone(), lag, random: random(2) };
    Body { eye, hand }
}

/// How long something takes this time.
fn duration(latency: Latency, random: &mut Xoshiro256PlusPlus) -> Duration {
    let (least, most) = (latency.least().as_nanos() as u64, latency.most().as_nanos() as u64);
    Duration::from_nanos(random.random_range(least..=most))
}

/// Sees the console's screen: every picture once, or as its lag says.
#[derive(Debug)]
pub struct ConsoleEye<C> {
    desk: Shared,
    side: usize,
    clock: C,
    frame: Frame,
    looks: u64,
    lag: Option<Lag>,
    random: Xoshiro256PlusPlus,
}

impl<C: Clock> ConsoleEye<C> {
    /// Waits for the next frame and returns the moment that it shows.
    fn next_frame(&mut self) -> Time {
        let Some(lag) = self.lag else {
            let seen = period_at(self.frame.captured.elapsed());
            let next = period_at(self.clock.now().elapsed()).max(seen) + 1;
            self.clock.sleep_until(Time::START + period_start(next));
            return self.clock.now();
        };
        let period = lag.frame_period.as_nanos().max(1) as u64;
        let next = self.clock.now().as_nanos() / period + 1;
        self.clock.sleep_until(Time::from_nanos(next * period));
        self.clock.now() - duration(lag.shown_to_captured, &mut self.random)
    }
}

impl<C: Clock> Eye for ConsoleEye<C> {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        let shown = self.next_frame();
        self.frame.captured = self.clock.now();
        self.frame.sequence = self.looks;
        self.looks += 1;
        let mut desk = lock(&self.desk);
        desk.advance_to(shown)?;
        desk.screen(self.side).write_luma(&mut self.frame.picture.pixels);
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        self.lag.map_or(EyePace { frame_period: Some(periods(1)), latency: Latency::NONE }, |lag| EyePace {
            frame_period: Some(lag.frame_period),
            latency: lag.shown_to_captured,
        })
    }
}

/// Holds the console's buttons.
#[derive(Debug)]
pub struct ConsoleHand<C> {
    desk: Shared,
    side: usize,
    clock: C,
    lag: Option<Lag>,
    random: Xoshiro256PlusPlus,
}

impl<C: Clock> ConsoleHand<C> {
    fn change(&mut self, button: Button, is_held: bool) -> Result<(), Fault> {
        let now = self.clock.now();
        let change = Change { side: self.side, button, is_held };
        let mut desk = lock(&self.desk);
        match self.lag {
            None => {
                desk.advance_to(now)?;
                desk.coming.push((now, change));
                desk.change_until(now);
            }
            Some(lag) => {
                let effect = now + duration(lag.commanded_to_done, &mut self.random);
                let place = desk.coming.partition_point(|(earlier, _)| *earlier <= effect);
                desk.coming.insert(place, (effect, change));
            }
        }
        Ok(())
    }
}

impl<C: Clock> Hand for ConsoleHand<C> {
    type Action = Button;

    fn begin(&mut self, button: &Button, _mapping: &Mapping) -> Result<(), Fault> {
        self.change(*button, true)
    }

    fn end(&mut self, button: &Button) -> Result<(), Fault> {
        self.change(*button, false)
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        let mut desk = lock(&self.desk);
        let side = self.side;
        desk.coming.retain(|(_, change)| change.side != side);
        desk.held[side] = Buttons::NONE;
        Ok(())
    }

    fn latency(&self) -> Latency {
        self.lag.map_or(Latency::NONE, |lag| lag.commanded_to_done)
    }
}
