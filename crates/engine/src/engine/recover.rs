//! Carrying out the remedies that the ladder of recovery gives.

use std::time::Duration;

use super::{Engine, Stop};
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
        match self.recover(Trouble::Fault, now, reason) {
            Ok(Recovered::Again | Recovered::Afresh) => Stop::NextTick,
            Err(stop) => stop,
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
