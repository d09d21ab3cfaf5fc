//! The engine's own cost per tick: everything but the player's work.
//!
//! A body whose frame is always ready and a player that decides nothing but
//! whose plan is confirmed every tick, so that every step of the loop runs.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    missing_docs,
    reason = "a measuring program prints its figures"
)]
#![allow(clippy::disallowed_methods, reason = "it measures real time")]

use std::io::Cursor;
use std::time::{Duration, Instant};

use budget::Budget;
use engine::notes::{NoReader, NoteReader};
use engine::record::{ClockKind, NoteTypes, Recording, RunDescription};
use engine::{
    Body, Cancel, Choice, Engine, Eye, Fault, Focus, Frame, Hand, Limits, Mapping, Picture, PixelFormat,
    Plan, Player, RunSettings, SimulatedClock, Step, Time, TimedAction, Upright, Verdict,
};
use proving::{CatchPlayer, Console, Faults, Hands, Rules, direct_body};

const TICKS: u32 = 20_000;

fn main() {
    let json = std::env::args().any(|argument| argument == "--json");
    let without = per_tick_us(NoReader, game_like());
    let with = per_tick_us(recording(), game_like());
    let noise = per_tick_us(recording(), noise_picture());
    let hour = simulated_hour_s();
    if json {
        println!(
            "{{\"without_recording_us\":{without},\"with_recording_us\":{with},\"with_recording_noise_us\":{noise},\"simulated_hour_s\":{hour}}}"
        );
    } else {
        println!("overhead per tick: {without:.2} µs, recording {with:.2} µs, recording noise {noise:.2} µs");
        println!("one simulated hour of Catch: {hour:.3} s");
    }
}

fn per_tick_us<N: NoteReader>(reader: N, picture: Picture) -> f64 {
    let eye = ReadyEye(Frame { sequence: 0, captured: Time::START, origin: (0, 0), picture });
    let body = Body { eye, hand: NoHand };
    let settings = RunSettings::default();
    let mut engine = Engine::new(body, Upright, Busy, SimulatedClock::new(), reader, Cancel::new(), settings);
    for _ in 0..TICKS / 10 {
        assert!(engine.tick().is_none());
    }
    let start = Instant::now();
    for _ in 0..TICKS {
        assert!(engine.tick().is_none());
    }
    start.elapsed().as_secs_f64() * 1e6 / f64::from(TICKS)
}

fn recording() -> Recording<Cursor<Vec<u8>>> {
    let run = RunDescription {
        program: "bench".to_owned(),
        game: "none".to_owned(),
        body: "none".to_owned(),
        seed: 0,
        clock: ClockKind::Simulated,
        configuration: String::new(),
    };
    Recording::begin(Cursor::new(Vec::new()), &run, NoteTypes::of::<Busy>()).expect("memory does not refuse")
}

/// Blocks of 8 × 8 pixels with an outline on a half-filled field: like a falling-blocks game.
fn game_like() -> Picture {
    let mut picture = Picture::black(160, 144, PixelFormat::Gray8);
    for (index, pixel) in picture.pixels.iter_mut().enumerate() {
        let (x, y) = (index % 160, index / 160);
        let filled = (16..96).contains(&x) && y > 72 && (x / 8 * 7 + y / 8 * 3) % 5 != 0;
        *pixel = match (filled, x % 8 == 0 || y % 8 == 0, (x / 8 + y / 8) % 3) {
            (false, ..) => 255,
            (true, true, _) => 0,
            (true, false, shade) => 85 + 60 * shade as u8,
        };
    }
    picture
}

/// As a noisy camera would see it: nothing to compress.
fn noise_picture() -> Picture {
    let mut picture = Picture::black(160, 144, PixelFormat::Gray8);
    let mut state = 1u32;
    for pixel in &mut picture.pixels {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        *pixel = (state >> 24) as u8;
    }
    picture
}

fn simulated_hour_s() -> f64 {
    let clock = SimulatedClock::new();
    let console = Console::new(Rules::default(), Faults::default(), 1);
    let body = direct_body(&console, &clock);
    let (press, pause) = (Duration::from_millis(35), Duration::from_millis(40));
    let player = CatchPlayer::new(Hands::Buttons { press, pause });
    let limits = Limits { games: None, time: Some(Duration::from_hours(1)) };
    let settings = RunSettings { limits, ..RunSettings::default() };
    let mut engine = Engine::new(body, Upright, player, clock, NoReader, Cancel::new(), settings);
    let start = Instant::now();
    engine.run();
    assert!(engine.counts().games > 80, "an hour has about ninety games");
    start.elapsed().as_secs_f64()
}

struct ReadyEye(Frame);

impl Eye for ReadyEye {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        self.0.sequence += 1;
        self.0.captured = self.0.captured + Duration::from_millis(33);
        // Every frame differs from the one before: equal ones are encoded once.
        let place = self.0.sequence as usize % self.0.picture.pixels.len();
        self.0.picture.pixels[place] ^= 1;
        Ok(&self.0)
    }
}

struct NoHand;

impl Hand for NoHand {
    type Action = u8;
    fn begin(&mut self, _action: &u8, _mapping: &Mapping) -> Result<(), Fault> {
        Ok(())
    }
    fn end(&mut self, _action: &u8) -> Result<(), Fault> {
        Ok(())
    }
    fn release_all(&mut self) -> Result<(), Fault> {
        Ok(())
    }
}

/// Presses a button every tick.
struct Busy;

impl Player for Busy {
    type Observation = u32;
    type Unclear = String;
    type Decision = u32;
    type Action = u8;
    type Expectation = u32;

    fn see(&mut self, screen: &Picture, _captured: Time) -> Result<u32, String> {
        Ok(screen.width)
    }
    fn verify(&self, _expectation: &u32, _observation: &u32) -> Verdict {
        Verdict::Confirmed
    }
    fn decide(&mut self, observation: &u32, _budget: &Budget) -> Choice<u32> {
        Choice::Act(*observation)
    }
    fn plan(&mut self, _decision: &u32) -> Plan<u8, u32> {
        let action = TimedAction::held(Duration::ZERO, Duration::from_millis(10), 1);
        Plan { steps: vec![Step { actions: vec![action], rest: Duration::ZERO, expectation: 0 }] }
    }
    fn resynchronise(&mut self) {}
}
