//! The whole bench in simulation: driver, daemon, solenoids and an emulated console on one clock.

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use devices::tinkerforge::{Config, Dial, PressTimes, Solenoids, Wire};
use engine::{Cancel, Clock, Fault, SimulatedClock, Time};
use gameboy::display::{period_at, period_start, periods};
use gameboy::{Button, Console, Emulator, stackfall};
use simulators::brickd::{Cable, Rig, RigConfig, SharedRig};
use tetris::gameboy::Buttons;

use super::trial::{Bench, TrialError};

/// A simulated daemon's wire, for the driver.
#[derive(Debug)]
pub struct SimulatedWire<C: Clock>(Cable<C>);

impl<C: Clock> Wire for SimulatedWire<C> {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.send(bytes)
    }

    fn receive(&mut self, buffer: &mut Vec<u8>, until: Time) -> io::Result<bool> {
        self.0.receive(buffer, until)
    }
}

/// Connects the driver to a simulated daemon in the same process.
#[derive(Debug)]
pub struct SimulatedDial<C> {
    /// The daemon with its rig.
    pub rig: SharedRig,
    /// The run's clock.
    pub clock: C,
}

impl<C: Clock> Dial for SimulatedDial<C> {
    type Wire = SimulatedWire<C>;

    fn dial(&mut self) -> io::Result<SimulatedWire<C>> {
        Ok(SimulatedWire(Cable::connect(&self.rig, &self.clock)))
    }
}

/// Times with which every press arrives, to walk the menus with.
const SURE: PressTimes = PressTimes { press: Duration::from_millis(80), pause: Duration::from_millis(120) };
/// From power-on to the B-type's level menu, then one level to the right and one height to the right, so
/// that no step of the sequence is at an edge.
const WAY_IN: [Button; 7] =
    [Button::Start, Button::Right, Button::Start, Button::Right, Button::A, Button::Right, Button::B];
/// The cursor blinks with a period of 32 pictures.
const BLINK: u32 = 40;

/// An emulated console under simulated fingers.
pub struct SimulatedBench {
    clock: SimulatedClock,
    cancel: Cancel,
    rig: SharedRig,
    hand: Solenoids<Button, SimulatedDial<SimulatedClock>, SimulatedClock>,
    console: Emulator,
    held: Buttons,
    passed: u64,
    arrived: u32,
    home: Vec<u8>,
}

impl SimulatedBench {
    /// Switches the console on and walks to the menu.
    pub fn new(rig: RigConfig, cancel: Cancel) -> Result<Self, TrialError> {
        let clock = SimulatedClock::new();
        let wiring: BTreeMap<_, _> = rig.wiring.0.iter().enumerate().map(|(relay, b)| (*b, relay)).collect();
        let rig = Arc::new(Mutex::new(Rig::new(rig)));
        let dial = SimulatedDial { rig: Arc::clone(&rig), clock: clock.clone() };
        let hand = Solenoids::new(Config { wiring, ..Config::default() }, dial, clock.clone());
        let console = switched_on()?;
        let mut bench = Self {
            clock,
            cancel,
            rig,
            hand,
            console,
            held: Buttons::NONE,
            passed: 0,
            arrived: 0,
            home: Vec::new(),
        };
        bench.walk_in()?;
        bench.home = bench.picture()?;
        Ok(bench)
    }

    /// By the console's own buttons, past the fingers: where a trial begins is not part of it.
    fn walk_in(&mut self) -> Result<(), TrialError> {
        self.console = switched_on()?;
        self.step(Buttons::NONE, 60)?;
        for button in WAY_IN {
            self.step(button.alone(), 4)?;
            self.step(Buttons::NONE, 20)?;
        }
        // The console has its own time until then, and goes on with the clock's.
        self.held = Buttons::NONE;
        self.passed = period_at(self.clock.now().elapsed());
        self.wait(SURE.pause)
    }

    fn step(&mut self, held: Buttons, periods: u32) -> Result<(), TrialError> {
        for _ in 0..periods {
            self.console.step(held).map_err(|crash| lost(&crash))?;
        }
        Ok(())
    }

    /// Lets time pass for fingers and console.
    fn wait(&mut self, time: Duration) -> Result<(), TrialError> {
        self.clock.sleep(time);
        if self.cancel.is_cancelled() {
            return Err(TrialError::Interrupted);
        }
        let now = self.clock.now();
        let edges = {
            let mut rig = self.rig.lock().unwrap_or_else(PoisonError::into_inner);
            rig.advance(now);
            rig.take_edges()
        };
        for edge in edges {
            self.advance_to(edge.at)?;
            if edge.down {
                self.held = self.held | edge.button.alone();
                self.arrived += 1;
            } else {
                self.held = self.held & !edge.button.alone();
            }
        }
        self.advance_to(now)
    }

    fn advance_to(&mut self, now: Time) -> Result<(), TrialError> {
        while Time::START + period_start(self.passed) < now {
            self.console.step(self.held).map_err(|crash| lost(&crash))?;
            self.passed += 1;
        }
        Ok(())
    }

    /// The screen with the cursor's blinking taken out: of each pixel the darkest shade.
    fn picture(&mut self) -> Result<Vec<u8>, TrialError> {
        let mut darkest = self.console.screen().shades.to_vec();
        for _ in 0..BLINK {
            self.wait(periods(1))?;
            for (dark, shade) in darkest.iter_mut().zip(self.console.screen().shades.iter()) {
                *dark = (*dark).max(*shade);
            }
        }
        Ok(darkest)
    }
}

impl Bench for SimulatedBench {
    fn press(&mut self, button: Button, times: PressTimes) -> Result<(), TrialError> {
        self.hand.press(&[(button, times.press)])?;
        self.wait(times.press + times.pause)
    }

    fn is_home(&mut self) -> Result<bool, TrialError> {
        // The last press still has to come up and to be seen.
        self.wait(SURE.pause)?;
        Ok(self.picture()? == self.home)
    }

    fn bring_home(&mut self) -> Result<(), TrialError> {
        self.walk_in()
    }

    fn rest(&mut self, time: Duration) -> Result<(), TrialError> {
        self.wait(time)
    }

    fn arrived(&self) -> Option<u32> {
        Some(self.arrived)
    }
}

fn switched_on() -> Result<Emulator, TrialError> {
    Emulator::new(&stackfall::cartridge()).map_err(|error| lost(&error))
}

fn lost(why: &impl ToString) -> TrialError {
    TrialError::Hand(Fault::Lost { part: "console".to_owned(), why: why.to_string() })
}

#[cfg(test)]
mod tests {
    use simulators::brickd::Mechanics;

    use super::*;
    use crate::hands::{run_series, search_speed};

    fn bench(mechanics: Mechanics) -> SimulatedBench {
        SimulatedBench::new(RigConfig { mechanics, ..RigConfig::default() }, Cancel::new()).unwrap()
    }

    const USUAL: PressTimes =
        PressTimes { press: Duration::from_millis(35), pause: Duration::from_millis(40) };

    /// The document's table 4.8: 33 + 37 ms are the least that work, 857 presses a minute.
    #[test]
    fn the_search_ends_where_the_documents_did() {
        let search = search_speed(&mut bench(Mechanics::default()), 140, 10, |_| ()).unwrap();
        let fastest = search.fastest.unwrap();
        assert_eq!((fastest.press_ms, fastest.pause_ms), (33, 37), "{:?}", search.attempts);
        assert_eq!(fastest.presses_per_minute(), 857);
    }

    #[test]
    fn good_fingers_bring_the_cursor_home_every_time() {
        let series =
            run_series(&mut bench(Mechanics::default()), USUAL, 5, Duration::from_secs(2), |_| ()).unwrap();
        assert_eq!((series.home, series.runs), (5, 5));
        assert_eq!(series.presses.arrived, Some(40));
    }

    #[test]
    fn fingers_that_slip_or_bounce_are_found_out() {
        for mechanics in [
            Mechanics { missed: 0.1, ..Mechanics::default() },
            Mechanics { doubled: 0.1, ..Mechanics::default() },
        ] {
            let series = run_series(&mut bench(mechanics), USUAL, 10, Duration::ZERO, |_| ()).unwrap();
            assert!(series.home < series.runs, "{mechanics:?}: {series:?}");
            assert!(series.home > 0, "a failed sequence does not spoil the next: {series:?}");
            assert_ne!(series.presses.arrived, Some(series.presses.ordered));
        }
    }

    #[test]
    fn an_interrupted_trial_ends() {
        let cancel = Cancel::new();
        let mut bench = SimulatedBench::new(RigConfig::default(), cancel.clone()).unwrap();
        cancel.cancel();
        assert!(matches!(bench.press(Button::A, USUAL), Err(TrialError::Interrupted)));
    }
}
