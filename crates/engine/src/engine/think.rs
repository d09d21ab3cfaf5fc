//! Judging the last plan, deciding on the next one, and planning it.

use budget::Budget;

use super::recover::Recovered;
use super::{Engine, Stop};
use crate::body::{Eye, Hand};
use crate::clock::{Clock, Time};
use crate::notes::{GameOverNote, NoteReader, ThinkingNote, Topic};
use crate::plan::{Plan, Verification};
use crate::player::{Choice, Player, Thinking, Verdict};
use crate::recovery::Trouble;
use crate::rectify::Rectify;
use crate::run::RunEnding;
use crate::state::Event;
use crate::timing::StepName;

impl<E, H, R, P, C, N> Engine<E, H, R, P, C, N>
where
    E: Eye,
    H: Hand,
    R: Rectify,
    P: Player<Action = H::Action>,
    C: Clock,
    N: NoteReader,
{
    /// Asks whether the step under way has worked; goes on with the next one
    /// or ends the plan.
    pub(super) fn verify(&mut self, observation: &P::Observation, captured: Time) -> Result<(), Stop> {
        let Some(underway) = &self.underway else { return Ok(()) };
        let mut verdict = match underway.plan.steps.get(underway.step) {
            Some(step) => self.player.verify(&step.expectation, observation),
            None => Verdict::Confirmed, // An empty plan asks for nothing.
        };
        let waited = captured.since(underway.since);
        if verdict == Verdict::Pending && waited > self.settings.visible_within {
            verdict = Verdict::Diverged { why: format!("no effect was seen within {waited:?}") };
        }
        self.timings.lap(StepName::Verify);
        self.note(Topic::Verdict, captured, &verdict);
        match verdict {
            Verdict::Pending => {
                self.counts.pending += 1;
                Err(Stop::NextTick)
            }
            Verdict::Confirmed => {
                self.counts.confirmed += 1;
                self.recovery.confirmed();
                self.next_step()
            }
            Verdict::Diverged { why } => {
                self.counts.diverged += 1;
                tracing::debug!(%why, at = %captured, "plan diverged");
                match self.recover(Trouble::Diverged, captured, format!("plan diverged: {why}"))? {
                    Recovered::Again => match self.settings.verification {
                        Verification::Pessimistic => self.act(),
                        Verification::Optimistic => self.end_plan(),
                    },
                    Recovered::Afresh => Err(Stop::NextTick),
                }
            }
        }
    }

    fn next_step(&mut self) -> Result<(), Stop> {
        let Some(underway) = &mut self.underway else { return Ok(()) };
        underway.step += 1;
        if underway.step < underway.plan.steps.len() { self.act() } else { self.end_plan() }
    }

    pub(super) fn decide(
        &mut self,
        observation: &P::Observation,
        captured: Time,
    ) -> Result<Option<P::Decision>, Stop> {
        let budget = self.thinking_budget(captured);
        let choice = self.player.decide(observation, &budget);
        self.timings.lap(StepName::Decide);
        if let Thinking::Deadline(_) = self.settings.thinking {
            self.note(Topic::Thinking, captured, &ThinkingNote { nodes: budget.granted() });
        }
        match choice {
            Choice::Wait => Ok(None),
            Choice::Act(decision) => {
                self.counts.decisions += 1;
                self.note(Topic::Decision, captured, &decision);
                self.note_candidates(captured);
                self.state = self.state.after(Event::Decided)?;
                Ok(Some(decision))
            }
            Choice::GameOver => {
                self.state = self.state.after(Event::GameEnded)?;
                self.counts.games += 1;
                let games = self.counts.games;
                self.note(Topic::GameOver, captured, &GameOverNote { games });
                if self.settings.limits.games.is_some_and(|limit| games >= limit) {
                    return Err(Stop::End(RunEnding::GamesPlayed));
                }
                self.state = self.state.after(Event::NextGame)?;
                Ok(None)
            }
            Choice::GiveUp(reason) => Err(Stop::End(RunEnding::GaveUp { reason })),
        }
    }

    fn note_candidates(&mut self, captured: Time) {
        if !self.notes.reader.wants(Topic::Candidates) {
            return;
        }
        let candidates = self.player.candidates();
        if !candidates.is_empty() {
            self.note(Topic::Candidates, captured, &candidates);
        }
    }

    fn thinking_budget(&self, now: Time) -> Budget {
        let budget = match (self.helm.recorded_thinking(), self.settings.thinking) {
            (Some(nodes), _) | (None, Thinking::Nodes(nodes)) => Budget::nodes(nodes),
            (None, Thinking::Unlimited) => Budget::unlimited(),
            (None, Thinking::Deadline(time)) => {
                let clock = self.clock.clone();
                Budget::until(move || clock.now() >= now + time)
            }
        };
        let cancel = self.cancel.clone();
        budget.or_until(move || cancel.is_cancelled())
    }

    pub(super) fn plan(&mut self, decision: &P::Decision, captured: Time) -> Plan<P::Action, P::Expectation> {
        let plan = self.player.plan(decision);
        self.timings.lap(StepName::Plan);
        self.note(Topic::Plan, captured, &plan);
        plan
    }
}
