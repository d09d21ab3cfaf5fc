//! Looking: where to, finding the screen, and having it read.

use super::recover::Recovered;
use super::{Engine, Stop};
use crate::body::{Eye, Hand};
use crate::clock::{Clock, Time};
use crate::notes::{NoteReader, Origin, ScreenNote, Topic};
use crate::player::Player;
use crate::recovery::Trouble;
use crate::rectify::{NoScreen, Rectify};
use crate::state::Event;
use crate::timing::StepName;

/// Why a look gave nothing to decide on.
enum Unread<U> {
    NoScreen(NoScreen),
    Unclear(U),
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
    pub(super) fn look_and_see(&mut self) -> Result<(P::Observation, Time), Stop> {
        // The only start of a tick: laps follow each other without a gap from here on,
        // because asking the time is the larger part of a tick's own cost.
        self.timings.start();
        let focus = self.player.focus().in_frame(&self.mapping);
        let frame = match self.body.eye.look(&focus) {
            Ok(frame) => frame,
            Err(fault) => return Err(self.device_failed(Origin::Eye, fault)),
        };
        self.timings.lap(StepName::Look);
        if self.notes.frame(frame) {
            self.timings.lap(StepName::Record);
        }
        let captured = frame.captured;
        let rectified = self.rectifier.rectify(frame);
        self.timings.lap(StepName::Rectify);
        let seen = match rectified {
            Ok(rectified) => {
                if rectified.mapping != self.mapping {
                    self.mapping = rectified.mapping;
                    let note = ScreenNote { mapping: rectified.mapping, fit: rectified.fit };
                    if self.notes.note(Topic::Screen, captured, &note) {
                        self.timings.lap(StepName::Record);
                    }
                }
                let seen = self.player.see(rectified.screen, captured);
                self.timings.lap(StepName::See);
                seen.map_err(Unread::Unclear)
            }
            Err(no_screen) => Err(Unread::NoScreen(no_screen)),
        };
        match seen {
            Ok(observation) => {
                self.recovery.seen();
                self.note(Topic::Observation, captured, &observation);
                self.state = self.state.after(Event::Seen)?;
                Ok((observation, captured))
            }
            Err(unread) => Err(self.could_not_read(captured, unread)),
        }
    }

    fn could_not_read(&mut self, captured: Time, unread: Unread<P::Unclear>) -> Stop {
        self.counts.unclear += 1;
        let reason = match unread {
            Unread::Unclear(unclear) => {
                self.note(Topic::Unclear, captured, &unclear);
                format!("screen unclear: {unclear}")
            }
            Unread::NoScreen(no_screen) => {
                tracing::debug!(%no_screen, at = %captured, "no screen");
                self.note(Topic::Unclear, captured, &serde_json::json!({ "no_screen": no_screen }));
                no_screen.to_string()
            }
        };
        match self.recover(Trouble::Unclear, captured, reason) {
            Ok(Recovered::Again | Recovered::Afresh) => Stop::NextTick,
            Err(stop) => stop,
        }
    }
}
