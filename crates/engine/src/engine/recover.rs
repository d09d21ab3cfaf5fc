//! Carrying out the remedies that the ladder of recovery gives.

use std::time::Duration;

use super::act::Interrupted;
use super::{Engine, Stop, Underway};
use crate::body::{Eye, Hand};
use crate::clock::{Clock, Time};
use crate::fault::Fault;
use crate::notes::{FaultNote, NoteReader, Origin, RemedyNote, Topic};
use crate::player::Player;
use crate::recovery::{Remedy, Trouble};
use crate::rectify::Rectify;
use crate::run::RunEnding;

/// What recovery asks the caller to do.
pub(super) enum Recovered {
    /// The same again.
    Again,
    /// Start from a new look; a plan under way was given up.
    Afresh,
}

impl<E, H, R, P, C, N> Engine<E, H, R, P, C, N>
where
    E: Eye,
    H: Hand,
    R: Rectify,
    P: Player<Action = H::Action>,
    C: Clock,
    N: NoteReader,
{
    /// Lets go, takes a note, and climbs the ladder.
    pub(super) fn device_failed(&mut self, origin: Origin, fault: Fault) -> Stop {
        let now = self.clock.now();
        self.counts.faults += 1;
        tracing::warn!(%fault, at = %now, "device fault");
        let reason = fault.to_string();
        self.notes.note(Topic::Fault, now, &FaultNote { origin, fault });
        let now = self.helm.time(now);
        // The hand may be the very thing that failed: its next command will tell.
        drop(self.body.hand.0.release_all());
        if origin == Origin::Eye
            && let Err(stop) = self.act_blindly(now)
        {
            return stop;
        }
        match self.recover(Trouble::Fault, now, reason) {
            Ok(Recovered::Again | Recovered::Afresh) => Stop::NextTick,
            Err(stop) => stop,
        }
    }

    /// Does what the player wants when it cannot see. A hand that fails as well is left alone.
    fn act_blindly(&mut self, now: Time) -> Result<(), Stop> {
        let Some(plan) = self.player.lost_sight() else { return Ok(()) };
        if self.underway.is_some() {
            self.end_plan()?;
        }
        self.note(Topic::Plan, now, &plan);
        self.underway = Some(Underway { plan, step: 0, since: now });
        let done = self.run_steps();
        self.underway = None;
        match done {
            Ok(()) => Ok(()),
            Err(Interrupted::Cancelled) => Err(Stop::End(RunEnding::Cancelled)),
            Err(Interrupted::Fault(fault)) => {
                tracing::warn!(%fault, "the hand failed too");
                Ok(())
            }
        }
    }

    pub(super) fn recover(&mut self, trouble: Trouble, now: Time, reason: String) -> Result<Recovered, Stop> {
        let remedy = self.recovery.remedy(trouble);
        self.note(Topic::Remedy, now, &RemedyNote { trouble, remedy });
        let pause = match remedy {
            Remedy::Repeat => return Ok(Recovered::Again),
            Remedy::GiveUp => return Err(Stop::End(RunEnding::GaveUp { reason })),
            Remedy::Resynchronise => Duration::ZERO,
            Remedy::Pause(pause) => {
                tracing::warn!(%reason, ?pause, "pausing");
                pause
            }
        };
        self.rectifier.resynchronise();
        self.player.resynchronise();
        if self.underway.is_some() {
            self.end_plan()?;
        }
        self.clock.sleep(pause);
        Ok(Recovered::Afresh)
    }
}
