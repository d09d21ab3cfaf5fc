//! Carrying out the steps of a plan, with fixed times or until the hand is done.

use std::time::Duration;

use super::{Engine, Stop};
use crate::body::{Eye, Hand, Progress};
use crate::cancel::Cancel;
use crate::clock::Clock;
use crate::fault::Fault;
use crate::notes::{CommandNote, NoteReader, Notes, Origin, Topic};
use crate::plan::{EdgeKind, Lasts, Verification};
use crate::player::Player;
use crate::rectify::Rectify;
use crate::run::RunEnding;
use crate::timing::StepName;

/// How long a hand is waited for before asking whether the run was cancelled.
const CANCEL_CHECK: Duration = Duration::from_millis(50);

/// Why a plan stopped half-way.
pub(super) enum Interrupted {
    Cancelled,
    Fault(Fault),
}

impl From<Fault> for Interrupted {
    fn from(fault: Fault) -> Self {
        Interrupted::Fault(fault)
    }
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
    /// Runs the step under way, or with optimistic verification all that are left.
    pub(super) fn act(&mut self) -> Result<(), Stop> {
        let done = self.run_steps();
        self.timings.lap(StepName::Act);
        match done {
            Ok(()) => Ok(()),
            Err(Interrupted::Cancelled) => Err(Stop::End(RunEnding::Cancelled)),
            Err(Interrupted::Fault(fault)) => Err(self.device_failed(Origin::Hand, fault)),
        }
    }

    pub(super) fn run_steps(&mut self) -> Result<(), Interrupted> {
        let Self { body, clock, notes, helm, cancel, mapping, underway, counts, edges, settings, .. } = self;
        let hand = &mut body.hand.0;
        let Some(underway) = underway else { return Ok(()) };
        while let Some(step) = underway.plan.steps.get(underway.step) {
            let base = clock.now();
            step.edges_into(edges);
            for edge in edges.iter() {
                clock.sleep_until(base + edge.at);
                if cancel.is_cancelled() {
                    return Err(Interrupted::Cancelled);
                }
                let Some(timed) = step.actions.get(edge.action) else { continue };
                counts.commands += 1;
                note_command(notes, clock, edge.kind, &timed.action);
                underway.since = helm.time(clock.now());
                match edge.kind {
                    EdgeKind::Begin => match timed.lasts {
                        Lasts::For(hold) | Lasts::ByItself(hold) => {
                            hand.begin_for(&timed.action, hold, mapping)?;
                        }
                        Lasts::UntilDone { .. } => hand.begin(&timed.action, mapping)?,
                    },
                    EdgeKind::End => hand.end(&timed.action)?,
                }
            }
            let mut actions_ended = base + step.fixed_duration();
            for timed in &step.actions {
                let Lasts::UntilDone { at_most } = timed.lasts else { continue };
                wait_until_done(hand, clock, cancel, &timed.action, at_most)?;
                counts.commands += 1;
                note_command(notes, clock, EdgeKind::End, &timed.action);
                underway.since = helm.time(clock.now());
                hand.end(&timed.action)?;
                actions_ended = actions_ended.max(clock.now());
            }
            clock.sleep_until(actions_ended + step.rest);
            let is_last = underway.step + 1 == underway.plan.steps.len();
            if is_last || settings.verification == Verification::Pessimistic {
                break;
            }
            underway.step += 1;
        }
        Ok(())
    }
}

fn note_command<A: serde::Serialize, N: NoteReader>(
    notes: &mut Notes<N>,
    clock: &impl Clock,
    edge: EdgeKind,
    action: &A,
) {
    notes.note(Topic::Command, clock.now(), &CommandNote { edge, action });
}

/// Waits for an action that reports its end; one that takes too long is a fault.
fn wait_until_done<H: Hand>(
    hand: &mut H,
    clock: &impl Clock,
    cancel: &Cancel,
    action: &H::Action,
    at_most: Duration,
) -> Result<(), Interrupted> {
    let deadline = clock.now() + at_most;
    loop {
        if cancel.is_cancelled() {
            return Err(Interrupted::Cancelled);
        }
        if hand.wait(action, deadline.min(clock.now() + CANCEL_CHECK))? == Progress::Done {
            return Ok(());
        }
        if clock.now() >= deadline {
            return Err(Fault::Silent { part: "hand".to_owned(), after: at_most }.into());
        }
    }
}

/// Lets go of everything when dropped, so that a run that ends by a panic in a
/// player holds no button either.
#[derive(Debug)]
pub(super) struct Released<H: Hand>(pub(super) H);

impl<H: Hand> Drop for Released<H> {
    fn drop(&mut self) {
        drop(self.0.release_all());
    }
}
