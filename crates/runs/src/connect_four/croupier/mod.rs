//! The LEGO arm as the hand of a game that is played elsewhere, such as at the arcade's table (C4, L5).
//!
//! The board that is *wanted* and the board that *stands* are compared, and the difference is carried out: recovering
//! from a fault is the same work as playing. After a fault, a restart or a hand in the board, the arm looks at what
//! stands. It cannot take discs out; for that it calls a person. Its magazine holds red and yellow discs in turn, red
//! first.

mod board;
mod job;
mod looks;
mod plea;
mod start;

use std::collections::VecDeque;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError};
use std::time::Duration;

use devices::hub::{ArmError, Failure, Order, Outcome, Transport};
use engine::{Cancel, Clock, Fault, Time};
use players::connect_four::scan::{Calibration, Sight};
use players::connect_four::{DiscColor, GameEnd};

pub use board::{Columns, DiscDrop};
pub use job::{Condition, CroupierState, Job, Task};
pub use plea::Plea;
pub use start::{simulate_croupier, start_croupier};

use super::robot::Robot;
use super::settings::{ColorsWord, LegoSettings, NearWord};
use super::{calibration, signs};
use crate::error::RunError;

/// How often an arm that has nothing to do is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(1);
/// How long after a fault it is tried again.
const TRY_AGAIN: Duration = Duration::from_secs(1);
/// Time between two looks at the force sensor while a person is awaited.
const SENSOR_PACE: Duration = Duration::from_millis(150);
/// How often a call is repeated.
const CALL_EVERY: Duration = Duration::from_secs(30);
/// Force that counts as pressed, in tenths of a newton.
const PRESSED: u8 = 30;
/// Pushes before a person is called.
const PUSHES: u32 = 3;

/// One thing to be achieved before the next.
enum Goal {
    /// The first n discs of the wanted board.
    Board(usize),
    Announce(GameEnd),
    FindStop,
}

/// The arm and the board it keeps.
pub struct Croupier<T: Transport, C: Clock> {
    robot: Robot<T, C>,
    clock: C,
    cancel: Cancel,
    calibration: Calibration,
    colors: ColorsWord,
    near: NearWord,
    wanted: Vec<DiscDrop>,
    /// `None` if the board must be looked at first.
    standing: Option<Columns>,
    goals: VecDeque<(Goal, Box<dyn FnOnce() + Send>)>,
    /// The next disc was pushed, but not seen yet: only a look tells whether it is there.
    is_in_doubt: bool,
    asking: Option<Asking>,
    column: Option<usize>,
    condition: Condition,
    tell: Box<dyn FnMut(CroupierState) + Send>,
}

/// A person is awaited.
#[derive(Debug)]
struct Asking {
    plea: Plea,
    was_released: bool,
    call_again: Time,
}

impl<T: Transport, C: Clock> Croupier<T, C> {
    /// An arm that is not connected yet. `tell` hears of every change.
    pub fn new(
        transport: T,
        clock: C,
        cancel: Cancel,
        settings: &LegoSettings,
        tell: impl FnMut(CroupierState) + Send + 'static,
    ) -> Result<Self, RunError> {
        Ok(Self {
            robot: Robot::new(transport, &clock, settings)?,
            clock,
            cancel,
            calibration: calibration(settings)?,
            colors: settings.colors,
            near: settings.near_column,
            wanted: Vec::new(),
            standing: None,
            goals: VecDeque::new(),
            is_in_doubt: false,
            asking: None,
            column: None,
            condition: Condition::Busy,
            tell: Box::new(tell),
        })
    }

    /// Does one job after the other until it is cancelled or nobody can give jobs any more.
    pub fn run(mut self, jobs: &Receiver<Job>) {
        while !self.cancel.is_cancelled() {
            let is_idle = self.goals.is_empty() && self.asking.is_none();
            // Waits on the channel, not on the clock: a job must not wait for a heartbeat. Simulated time stands still.
            let job = if is_idle {
                jobs.recv_timeout(HEARTBEAT)
            } else {
                jobs.try_recv().map_err(|error| match error {
                    TryRecvError::Empty => RecvTimeoutError::Timeout,
                    TryRecvError::Disconnected => RecvTimeoutError::Disconnected,
                })
            };
            match job {
                Ok(job) => {
                    self.take(job);
                    continue;
                }
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => {}
            }
            if let Err(fault) = self.work() {
                self.suffer(fault);
            }
        }
        self.drop_goals();
        self.robot.park();
    }

    fn take(&mut self, Job { task, done }: Job) {
        match task {
            Task::NewGame => self.begin(Vec::new(), done),
            Task::Restore(discs) => self.begin(discs, done),
            Task::Drop(disc) => {
                self.wanted.push(disc);
                self.goals.push_back((Goal::Board(self.wanted.len()), done));
            }
            Task::Announce { is_won } => {
                let end = if is_won { GameEnd::Win } else { GameEnd::Draw };
                self.goals.push_back((Goal::Announce(end), done));
            }
            Task::FindStop => self.goals.push_back((Goal::FindStop, done)),
        }
    }

    /// Another board is wanted. What stands is looked at again: people reach in between games.
    fn begin(&mut self, wanted: Vec<DiscDrop>, done: Box<dyn FnOnce() + Send>) {
        self.drop_goals();
        self.asking = None;
        self.is_in_doubt = false;
        if !wanted.is_empty() || self.standing.as_ref().is_none_or(Columns::is_empty) {
            self.standing = None;
        }
        self.goals.push_back((Goal::Board(wanted.len()), done));
        self.wanted = wanted;
    }

    fn drop_goals(&mut self) {
        for (_, done) in self.goals.drain(..) {
            done();
        }
    }

    /// One step.
    fn work(&mut self) -> Result<(), Fault> {
        if self.asking.is_some() {
            return self.await_person();
        }
        let is_achieved = match self.goals.front() {
            None => {
                self.order(Order::Force)?;
                self.change(Condition::Ready);
                return Ok(());
            }
            Some(&(Goal::Board(discs), _)) => {
                self.busy();
                self.approach(discs)?
            }
            Some(&(Goal::Announce(end), _)) => {
                self.busy();
                signs::announcement(end).into_iter().try_for_each(|order| self.order(order).map(drop))?;
                true
            }
            Some((Goal::FindStop, _)) => {
                self.busy();
                self.leave()?;
                true
            }
        };
        if is_achieved && let Some((_, done)) = self.goals.pop_front() {
            if self.goals.is_empty() {
                self.change(Condition::Ready);
            }
            done();
        }
        Ok(())
    }

    /// A step towards the first discs of the wanted board; whether they stand.
    fn approach(&mut self, discs: usize) -> Result<bool, Fault> {
        let Some(standing) = &self.standing else {
            self.standing = Some(self.look_at_board()?);
            return Ok(false);
        };
        let stand = standing.count();
        if *standing == Columns::of(&self.wanted[..discs]) {
            return Ok(true);
        }
        if stand < discs && *standing == Columns::of(&self.wanted[..stand]) {
            self.place(self.wanted[stand])?;
        } else {
            self.leave()?;
            self.ask(Plea::EmptyBoard)?;
        }
        Ok(false)
    }

    /// Drops one disc and looks whether it is there; calls a person if it is not.
    fn place(&mut self, DiscDrop { disc, column }: DiscDrop) -> Result<(), Fault> {
        let row = self.standing.as_ref().map_or(0, |standing| standing.height(column));
        let wanted = match disc {
            DiscColor::Red => Sight::Red,
            DiscColor::Yellow => Sight::Yellow,
        };
        let mut pushes = 0;
        loop {
            if self.is_in_doubt {
                let seen = self.look_surely(column, row)?;
                if seen == wanted {
                    self.is_in_doubt = false;
                    if let Some(standing) = &mut self.standing {
                        standing.put(column, disc);
                    }
                    return self.leave();
                }
                if seen != Sight::Empty {
                    self.leave()?;
                    return self.ask(Plea::WrongDisc { column, wanted: disc });
                }
                if pushes == PUSHES {
                    // It stays where it is: whoever frees the slide lets the disc fall into the right column.
                    self.order(Order::Drive { column: self.near_side(column) })?;
                    return self.ask(Plea::DiscMissing { column });
                }
            }
            self.stand_at(Some(column));
            self.order(Order::Drive { column: self.near_side(column) })?;
            self.is_in_doubt = true;
            self.push()?;
            pushes += 1;
        }
    }

    /// A blocked push is not a fault yet: the look afterwards tells.
    fn push(&mut self) -> Result<(), Fault> {
        self.robot.make_ready()?;
        match self.robot.arm.carry_out(Order::Drop) {
            Ok(_) => Ok(()),
            Err(ArmError::Failed { failure: Failure::Stalled, .. }) => {
                tracing::warn!("the push was blocked");
                Ok(())
            }
            Err(error) => Err(self.robot.failed(&error)),
        }
    }

    fn leave(&mut self) -> Result<(), Fault> {
        self.order(Order::Home)?;
        self.stand_at(None);
        Ok(())
    }

    fn order(&mut self, order: Order) -> Result<Outcome, Fault> {
        if self.cancel.is_cancelled() {
            return Err(Fault::Refused { part: "arm".to_owned(), why: "it is switched off".to_owned() });
        }
        let outcome = self.robot.carry_out(order)?;
        if matches!(self.condition, Condition::Failed(_)) {
            self.change(match &self.asking {
                Some(asking) => Condition::Asks(asking.plea),
                None => Condition::Busy,
            });
        }
        Ok(outcome)
    }

    /// The arm counts columns from its near side.
    fn near_side(&self, column: usize) -> u8 {
        let from_near = match self.near {
            NearWord::Left => column,
            NearWord::Right => ::connect_four::COLUMNS - 1 - column,
        };
        from_near as u8
    }

    fn ask(&mut self, plea: Plea) -> Result<(), Fault> {
        tracing::warn!("{plea}");
        self.change(Condition::Asks(plea));
        self.asking = Some(Asking { plea, was_released: false, call_again: self.clock.now() + CALL_EVERY });
        plea.signs().into_iter().try_for_each(|order| self.order(order).map(drop))
    }

    /// Waits a little for the press that says that help was given.
    fn await_person(&mut self) -> Result<(), Fault> {
        let outcome = self.order(Order::Force)?;
        let Some(asking) = &mut self.asking else { return Ok(()) };
        let plea = asking.plea;
        match outcome {
            Outcome::Force { decinewtons } if decinewtons > PRESSED && asking.was_released => {
                self.asking = None;
                if plea == Plea::EmptyBoard {
                    self.standing = None;
                    self.is_in_doubt = false;
                }
                self.busy();
                return Ok(());
            }
            Outcome::Force { decinewtons } => asking.was_released |= decinewtons <= PRESSED,
            Outcome::Done | Outcome::Color(_) | Outcome::Home { .. } => {}
        }
        let now = self.clock.now();
        if now >= asking.call_again {
            asking.call_again = now + CALL_EVERY;
            plea.signs().into_iter().try_for_each(|order| self.order(order).map(drop))?;
        }
        self.clock.sleep(SENSOR_PACE);
        Ok(())
    }

    fn suffer(&mut self, fault: Fault) {
        if self.cancel.is_cancelled() {
            return;
        }
        // It is tried again every second; the log hears of each fault once.
        if !matches!(&self.condition, Condition::Failed(last) if *last == fault) {
            tracing::warn!(%fault, "the arm");
        }
        self.column = None;
        self.change(Condition::Failed(fault));
        self.clock.sleep(TRY_AGAIN);
    }

    /// It works, unless it has failed: then an order that is carried out comes first.
    fn busy(&mut self) {
        if !matches!(self.condition, Condition::Failed(_)) {
            self.change(Condition::Busy);
        }
    }

    fn stand_at(&mut self, column: Option<usize>) {
        if self.column != column {
            self.column = column;
            self.show();
        }
    }

    fn change(&mut self, condition: Condition) {
        self.condition = condition;
        self.show();
    }

    fn show(&mut self) {
        let state = CroupierState {
            condition: self.condition.clone(),
            board: self.standing.clone(),
            column: self.column,
        };
        (self.tell)(state);
    }
}
