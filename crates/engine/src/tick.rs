//! The loop. One tick: look → rectify → see → verify → decide → plan → act,
//! each of them recorded.

use std::time::Duration;

use budget::Budget;
use serde::{Deserialize, Serialize};

use crate::body::{Body, Eye, Fault, Hand};
use crate::cancel::Cancel;
use crate::clock::{Clock, Time};
use crate::plan::{Edge, EdgeKind, Plan, Verification};
use crate::player::{Choice, Player, Rectify, Thinking, Verdict};
use crate::record::{CommandNote, FaultNote, GameOverNote, Journal, Origin, RemedyNote, ThinkingNote, Topic};
use crate::recovery::{Patience, Recovery, Remedy, Trouble};
use crate::state::{Event, IllegalTransition, State};
use crate::timing::{StepName, Timings};

/// How a run is driven.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// When plans are checked.
    pub verification: Verification,
    /// How long a plan's effect may stay invisible before it counts as diverged.
    pub visible_within: Duration,
    /// How long the player may think about one decision.
    pub thinking: Thinking,
    /// How much is tried before giving up.
    pub patience: Patience,
    /// When the run ends by itself.
    pub limits: Limits,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            verification: Verification::default(),
            visible_within: Duration::from_secs(1),
            thinking: Thinking::Unlimited,
            patience: Patience::default(),
            limits: Limits::default(),
        }
    }
}

/// When a run ends by itself; without limits it runs for days.
#[derive(Clone, Copy, Debug, Default)]
pub struct Limits {
    /// After so many games.
    pub games: Option<u32>,
    /// After so much time on the run's clock.
    pub time: Option<Duration>,
}

/// Why a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// All games were played.
    GamesPlayed,
    /// The time was up.
    TimeUp,
    /// Somebody ended it.
    Cancelled,
    /// Nothing helped any more.
    GaveUp {
        /// The trouble that stayed.
        reason: String,
    },
    /// The journal wants no more: a replay reached its end or a difference.
    JournalEnded,
}

/// How often things happened in a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[expect(missing_docs, reason = "each field is named after what it counts")]
pub struct Counts {
    pub ticks: u64,
    pub games: u32,
    pub decisions: u64,
    pub commands: u64,
    pub confirmed: u64,
    pub pending: u64,
    pub diverged: u64,
    pub unclear: u64,
    pub faults: u64,
}

/// One run: a body, a player, and the loop between them.
#[derive(Debug)]
pub struct Engine<E, H, R, P, C, J>
where
    H: Hand,
    P: Player<Action = H::Action>,
{
    body: Body<E, Released<H>>,
    rectifier: R,
    player: P,
    clock: C,
    journal: J,
    cancel: Cancel,
    settings: Settings,
    state: State,
    recovery: Recovery,
    underway: Option<Underway<P::Action, P::Expectation>>,
    counts: Counts,
    timings: Timings,
    edges: Vec<Edge>,
}

/// A plan that has been begun.
#[derive(Debug)]
struct Underway<A, X> {
    plan: Plan<A, X>,
    /// The step whose effect is awaited.
    step: usize,
    /// When its last command was given.
    since: Time,
}

/// Why a tick could not go on.
enum Stop {
    /// The run ends.
    End(Ending),
    /// Look again.
    NextTick,
}

impl From<IllegalTransition> for Stop {
    fn from(mistake: IllegalTransition) -> Self {
        Stop::End(Ending::GaveUp { reason: mistake.to_string() })
    }
}

impl<E, H, R, P, C, J> Engine<E, H, R, P, C, J>
where
    E: Eye,
    H: Hand,
    R: Rectify,
    P: Player<Action = H::Action>,
    C: Clock,
    J: Journal,
{
    /// A run that is ready to begin.
    pub fn new(
        body: Body<E, H>,
        rectifier: R,
        player: P,
        clock: C,
        journal: J,
        cancel: Cancel,
        settings: Settings,
    ) -> Self {
        Self {
            body: Body { eye: body.eye, hand: Released(body.hand) },
            rectifier,
            player,
            clock,
            journal,
            cancel,
            settings,
            state: State::Ready,
            recovery: Recovery::new(settings.patience),
            underway: None,
            counts: Counts::default(),
            timings: Timings::new(),
            edges: Vec::new(),
        }
    }

    /// Ticks until the run ends, then lets go of everything.
    pub fn run(&mut self) -> Ending {
        self.run_watched(|_| ())
    }

    /// The same, with somebody who looks in after every tick.
    pub fn run_watched(&mut self, mut watch: impl FnMut(&Self)) -> Ending {
        let ending = loop {
            let ending = self.tick();
            watch(self);
            if let Some(ending) = ending {
                break ending;
            }
        };
        if let Err(fault) = self.body.hand.0.release_all() {
            tracing::warn!(%fault, "hands could not be released");
        }
        self.journal.note(Topic::Ending, self.clock.now(), &ending);
        ending
    }

    /// One round of the loop; an ending if it was the last.
    pub fn tick(&mut self) -> Option<Ending> {
        if self.cancel.is_cancelled() {
            return Some(Ending::Cancelled);
        }
        if self.journal.has_ended() {
            return Some(Ending::JournalEnded);
        }
        self.counts.ticks += 1;
        match self.look_and_act() {
            Ok(()) | Err(Stop::NextTick) => None,
            Err(Stop::End(ending)) => Some(ending),
        }
    }

    /// The steps of a tick in their order.
    fn look_and_act(&mut self) -> Result<(), Stop> {
        let (observation, captured) = self.look_and_see()?;
        self.check_time(captured)?;
        self.verify(&observation, captured)?;
        if self.underway.is_some() {
            return Ok(()); // The next step of a plan was begun.
        }
        let Some(decision) = self.decide(&observation, captured)? else { return Ok(()) };
        let plan = self.plan(&decision, captured);
        self.underway = Some(Underway { plan, step: 0, since: captured });
        self.act()
    }

    fn look_and_see(&mut self) -> Result<(P::Observation, Time), Stop> {
        self.timings.start();
        let frame = match self.body.eye.look() {
            Ok(frame) => frame,
            Err(fault) => return Err(self.device_failed(Origin::Eye, fault)),
        };
        self.timings.lap(StepName::Look);
        self.journal.frame(frame);
        if J::RECORDS {
            self.timings.lap(StepName::Record);
        }
        let captured = frame.captured;
        let screen = self.rectifier.rectify(&frame.picture);
        self.timings.lap(StepName::Rectify);
        let seen = self.player.see(screen, captured);
        self.timings.lap(StepName::See);
        match seen {
            Ok(observation) => {
                self.recovery.seen();
                self.note(Topic::Observation, captured, &observation);
                self.state = self.state.after(Event::Seen)?;
                Ok((observation, captured))
            }
            Err(unclear) => {
                self.counts.unclear += 1;
                self.note(Topic::Unclear, captured, &unclear);
                let reason = format!("screen unclear: {unclear}");
                match self.recover(Trouble::Unclear, captured, reason)? {
                    Recovered::Again | Recovered::Afresh => Err(Stop::NextTick),
                }
            }
        }
    }

    fn check_time(&self, now: Time) -> Result<(), Stop> {
        match self.settings.limits.time {
            Some(limit) if now.elapsed() >= limit => Err(Stop::End(Ending::TimeUp)),
            _ => Ok(()),
        }
    }

    /// Asks whether the step under way has worked; goes on with the next one
    /// or ends the plan.
    fn verify(&mut self, observation: &P::Observation, captured: Time) -> Result<(), Stop> {
        let Some(underway) = &self.underway else { return Ok(()) };
        self.timings.start();
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

    fn end_plan(&mut self) -> Result<(), Stop> {
        self.underway = None;
        self.state = self.state.after(Event::PlanEnded)?;
        Ok(())
    }

    fn decide(&mut self, observation: &P::Observation, captured: Time) -> Result<Option<P::Decision>, Stop> {
        self.timings.start();
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
                self.state = self.state.after(Event::Decided)?;
                Ok(Some(decision))
            }
            Choice::GameOver => {
                self.state = self.state.after(Event::GameEnded)?;
                self.counts.games += 1;
                let games = self.counts.games;
                self.note(Topic::GameOver, captured, &GameOverNote { games });
                if self.settings.limits.games.is_some_and(|limit| games >= limit) {
                    return Err(Stop::End(Ending::GamesPlayed));
                }
                self.state = self.state.after(Event::NextGame)?;
                Ok(None)
            }
        }
    }

    fn thinking_budget(&self, now: Time) -> Budget {
        let budget = match (self.journal.recorded_thinking(), self.settings.thinking) {
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

    fn plan(&mut self, decision: &P::Decision, captured: Time) -> Plan<P::Action, P::Expectation> {
        self.timings.start();
        let plan = self.player.plan(decision);
        self.timings.lap(StepName::Plan);
        self.note(Topic::Plan, captured, &plan);
        plan
    }

    /// Runs the step under way, or with optimistic verification all that are left.
    fn act(&mut self) -> Result<(), Stop> {
        self.timings.start();
        let done = self.run_steps();
        self.timings.lap(StepName::Act);
        match done {
            Ok(()) => Ok(()),
            Err(Interrupted::Cancelled) => Err(Stop::End(Ending::Cancelled)),
            Err(Interrupted::Fault(fault)) => Err(self.device_failed(Origin::Hand, fault)),
        }
    }

    fn run_steps(&mut self) -> Result<(), Interrupted> {
        let Self { body, clock, journal, cancel, underway, counts, edges, settings, .. } = self;
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
                let note = CommandNote { edge: edge.kind, action: &timed.action };
                underway.since = journal.note(Topic::Command, clock.now(), &note);
                match edge.kind {
                    EdgeKind::Begin => body.hand.0.begin(&timed.action)?,
                    EdgeKind::End => body.hand.0.end(&timed.action)?,
                }
            }
            clock.sleep_until(base + step.duration());
            let is_last = underway.step + 1 == underway.plan.steps.len();
            if is_last || settings.verification == Verification::Pessimistic {
                break;
            }
            underway.step += 1;
        }
        Ok(())
    }

    /// Lets go, tells the journal, and climbs the ladder.
    fn device_failed(&mut self, origin: Origin, fault: Fault) -> Stop {
        let now = self.clock.now();
        self.counts.faults += 1;
        tracing::warn!(%fault, at = %now, "device fault");
        let reason = fault.to_string();
        let now = self.journal.note(Topic::Fault, now, &FaultNote { origin, fault });
        // The hand may be the very thing that failed: its next command will tell.
        drop(self.body.hand.0.release_all());
        match self.recover(Trouble::Fault, now, reason) {
            Ok(Recovered::Again | Recovered::Afresh) => Stop::NextTick,
            Err(stop) => stop,
        }
    }

    fn recover(&mut self, trouble: Trouble, now: Time, reason: String) -> Result<Recovered, Stop> {
        let remedy = self.recovery.remedy(trouble);
        self.note(Topic::Remedy, now, &RemedyNote { trouble, remedy });
        let pause = match remedy {
            Remedy::Repeat => return Ok(Recovered::Again),
            Remedy::GiveUp => return Err(Stop::End(Ending::GaveUp { reason })),
            Remedy::Resynchronise => Duration::ZERO,
            Remedy::Pause(pause) => {
                tracing::warn!(%reason, ?pause, "pausing");
                pause
            }
        };
        self.player.resynchronise();
        if self.underway.is_some() {
            self.end_plan()?;
        }
        self.clock.sleep(pause);
        Ok(Recovered::Afresh)
    }

    fn note<T: Serialize + ?Sized>(&mut self, topic: Topic, time: Time, value: &T) {
        if J::RECORDS {
            self.timings.start();
            self.journal.note(topic, time, value);
            self.timings.lap(StepName::Record);
        }
    }

    /// Where the run is.
    pub fn state(&self) -> State {
        self.state
    }

    /// How often things happened so far.
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// How long the steps took so far.
    pub fn timings(&self) -> &Timings {
        &self.timings
    }

    /// The player.
    pub fn player(&self) -> &P {
        &self.player
    }

    /// Ends the run and gives back what its owner may want to close.
    pub fn into_journal(self) -> J {
        self.journal
    }
}

/// Why a plan stopped half-way.
enum Interrupted {
    Cancelled,
    Fault(Fault),
}

impl From<Fault> for Interrupted {
    fn from(fault: Fault) -> Self {
        Interrupted::Fault(fault)
    }
}

/// What recovery asks the caller to do.
enum Recovered {
    /// The same again.
    Again,
    /// Start from a new look; a plan under way was given up.
    Afresh,
}

/// Lets go of everything when dropped, so that a run that ends by a panic in a
/// player holds no button either.
#[derive(Debug)]
struct Released<H: Hand>(H);

impl<H: Hand> Drop for Released<H> {
    fn drop(&mut self) {
        drop(self.0.release_all());
    }
}
