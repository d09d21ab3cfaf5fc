//! However a run ends, nothing stays pressed.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::Duration;

use budget::Budget;
use engine::notes::NoReader;
use engine::{
    Body, Cancel, Choice, Clock, Engine, Eye, Fault, Focus, Frame, Hand, Mapping, Picture, PixelFormat, Plan,
    Player, RunEnding, RunSettings, SimulatedClock, Step, Time, TimedAction, Upright, Verdict,
};

struct BlackEye(Frame);

impl BlackEye {
    fn new() -> Self {
        Self(Frame::blank(1, 1, PixelFormat::Gray8))
    }
}

impl Eye for BlackEye {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        Ok(&self.0)
    }
}

/// A hand that remembers what it holds and what it did; throws the switch at a given command.
struct CountingHand {
    held: Rc<Cell<i32>>,
    log: Rc<RefCell<Vec<String>>>,
    clock: SimulatedClock,
    cancel: Cancel,
    cancel_after: usize,
}

impl CountingHand {
    fn note(&self, what: &str, action: char) {
        let at = self.clock.now().elapsed().as_millis();
        self.log.borrow_mut().push(format!("{at} {what} {action}"));
        if self.log.borrow().len() == self.cancel_after {
            self.cancel.cancel();
        }
    }
}

impl Hand for CountingHand {
    type Action = char;
    fn begin(&mut self, action: &char, _mapping: &Mapping) -> Result<(), Fault> {
        self.held.set(self.held.get() + 1);
        self.note("begin", *action);
        Ok(())
    }
    fn begin_for(&mut self, action: &char, hold: Duration, mapping: &Mapping) -> Result<(), Fault> {
        self.begin(action, mapping)?;
        if let Some(last) = self.log.borrow_mut().last_mut() {
            *last = format!("{last} for {}", hold.as_millis());
        }
        Ok(())
    }
    fn end(&mut self, action: &char) -> Result<(), Fault> {
        self.held.set(self.held.get() - 1);
        self.note("end", *action);
        Ok(())
    }
    fn release_all(&mut self) -> Result<(), Fault> {
        self.held.set(0);
        Ok(())
    }
}

/// Presses two buttons at once, again and again; panics at a given decision.
struct TwoButtons {
    decisions: u32,
    panic_at: u32,
}

impl Player for TwoButtons {
    type Observation = ();
    type Unclear = String;
    type Decision = ();
    type Action = char;
    type Expectation = ();

    fn see(&mut self, _screen: &Picture, _captured: Time) -> Result<(), String> {
        Ok(())
    }
    fn verify(&self, _expectation: &(), _observation: &()) -> Verdict {
        Verdict::Confirmed
    }
    fn decide(&mut self, _observation: &(), _budget: &Budget) -> Choice<()> {
        self.decisions += 1;
        assert!(self.decisions < self.panic_at, "a mistake in a player");
        Choice::Act(())
    }
    fn plan(&mut self, _decision: &()) -> Plan<char, ()> {
        let press = |start, hold, action| {
            TimedAction::held(Duration::from_millis(start), Duration::from_millis(hold), action)
        };
        let actions = vec![press(0, 30, 'a'), press(10, 40, 'b')];
        Plan { steps: vec![Step { actions, rest: Duration::from_millis(5), expectation: () }] }
    }
    fn resynchronise(&mut self) {}
}

struct Bench {
    held: Rc<Cell<i32>>,
    log: Rc<RefCell<Vec<String>>>,
    run: Box<dyn FnOnce() -> RunEnding>,
}

fn bench(cancel_after: usize, panic_at: u32) -> Bench {
    let (held, log) = (Rc::new(Cell::new(0)), Rc::new(RefCell::new(Vec::new())));
    let (clock, cancel) = (SimulatedClock::new(), Cancel::new());
    let hand = CountingHand {
        held: Rc::clone(&held),
        log: Rc::clone(&log),
        clock: clock.clone(),
        cancel: cancel.clone(),
        cancel_after,
    };
    let body = Body { eye: BlackEye::new(), hand };
    let player = TwoButtons { decisions: 0, panic_at };
    let mut engine = Engine::new(body, Upright, player, clock, NoReader, cancel, RunSettings::default());
    Bench { held, log, run: Box::new(move || engine.run()) }
}

#[test]
fn overlapping_actions_run_in_parallel() {
    let bench = bench(8, u32::MAX);
    assert_eq!((bench.run)(), RunEnding::Cancelled);
    assert_eq!(
        *bench.log.borrow(),
        [
            "0 begin a for 30",
            "10 begin b for 40",
            "30 end a",
            "50 end b",
            "55 begin a for 30",
            "65 begin b for 40",
            "85 end a",
            "105 end b"
        ]
    );
}

#[test]
fn a_cancelled_run_lets_go_in_the_middle_of_a_plan() {
    let bench = bench(2, u32::MAX);
    assert_eq!((bench.run)(), RunEnding::Cancelled);
    assert_eq!(*bench.log.borrow(), ["0 begin a for 30", "10 begin b for 40"]);
    assert_eq!(bench.held.get(), 0);
}

#[test]
fn a_panic_in_a_player_lets_go_too() {
    let bench = bench(usize::MAX, 2);
    let Bench { held, run, .. } = bench;
    held.set(1);
    assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    assert_eq!(held.get(), 0);
}
