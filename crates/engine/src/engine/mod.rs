//! The loop. One tick: look → rectify → see → verify → decide → plan → act,
//! each of them noted.

mod act;
mod hear;
mod look;
mod recover;
mod think;

use serde::Serialize;

use crate::body::{Body, Eye, Hand};
use crate::cancel::Cancel;
use crate::clock::{Clock, Time};
use crate::mapping::Mapping;
use crate::notes::{NoteReader, Notes, Topic};
use crate::operator::OrderLine;
use crate::plan::{Edge, Plan};
use crate::player::Player;
use crate::recovery::Recovery;
use crate::rectify::Rectify;
use crate::run::{Counts, RunEnding, RunSettings};
use crate::state::{Event, IllegalTransition, State};
use crate::steering::{Helm, Steering};
use crate::timing::{StepName, Timings};
use act::Released;

/// One run: a body, a player, and the loop between them.
#[derive(Debug)]
pub struct Engine<E, H, R, P, C, N>
where
    H: Hand,
    P: Player<Action = H::Action>,
{
    body: Body<E, Released<H>>,
    rectifier: R,
    player: P,
    clock: C,
    notes: Notes<N>,
    helm: Helm,
    cancel: Cancel,
    /// Where orders of a person come in.
    orders: Option<OrderLine>,
    settings: RunSettings,
    state: State,
    recovery: Recovery,
    /// Where the screen lay in the last frame.
    mapping: Mapping,
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

/// How many ticks pass between two notes about the time that the steps take.
const TIMES_EVERY: u64 = 64;

/// Why a tick could not go on.
enum Stop {
    /// The run ends.
    End(RunEnding),
    /// Look again.
    NextTick,
}

impl From<IllegalTransition> for Stop {
    fn from(mistake: IllegalTransition) -> Self {
        Stop::End(RunEnding::GaveUp { reason: mistake.to_string() })
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
    /// A run that is ready to begin; the player learns how fast its body is.
    pub fn new(
        body: Body<E, H>,
        rectifier: R,
        mut player: P,
        clock: C,
        reader: N,
        cancel: Cancel,
        settings: RunSettings,
    ) -> Self {
        let pace = body.pace();
        player.meet(&pace);
        let mut notes = Notes::new(reader);
        notes.note(Topic::Body, clock.now(), &pace);
        Self {
            body: Body { eye: body.eye, hand: Released(body.hand) },
            rectifier,
            player,
            clock,
            notes,
            helm: Helm::default(),
            cancel,
            orders: None,
            settings,
            state: State::Ready,
            recovery: Recovery::new(settings.patience),
            mapping: Mapping::IDENTITY,
            underway: None,
            counts: Counts::default(),
            timings: Timings::new(),
            edges: Vec::new(),
        }
    }

    /// The same run, steered along a tape.
    #[must_use]
    pub fn steered_by(mut self, steering: impl Steering + 'static) -> Self {
        self.helm = Helm::steered_by(steering);
        self
    }

    /// The same run, listening to a person.
    #[must_use]
    pub fn listening_to(mut self, orders: OrderLine) -> Self {
        self.orders = Some(orders);
        self
    }

    /// Ticks until the run ends, then lets go of everything.
    pub fn run(&mut self) -> RunEnding {
        self.run_watched(|_| ())
    }

    /// The same; calls `watch` after every tick.
    pub fn run_watched(&mut self, mut watch: impl FnMut(&Self)) -> RunEnding {
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
        self.notes.note(Topic::Ending, self.clock.now(), &ending);
        ending
    }

    /// One round of the loop; an ending if it was the last.
    pub fn tick(&mut self) -> Option<RunEnding> {
        if self.cancel.is_cancelled() {
            return Some(RunEnding::Cancelled);
        }
        if self.helm.has_ended() {
            return Some(RunEnding::ReplayEnded);
        }
        self.counts.ticks += 1;
        if self.counts.ticks.is_multiple_of(TIMES_EVERY) && self.notes.reader.wants(Topic::Times) {
            let times = self.timings.summary();
            self.note(Topic::Times, self.clock.now(), &times.steps);
        }
        match self.look_and_act() {
            Ok(()) | Err(Stop::NextTick) => None,
            Err(Stop::End(ending)) => Some(ending),
        }
    }

    /// The steps of a tick in their order.
    fn look_and_act(&mut self) -> Result<(), Stop> {
        self.hear_orders()?;
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

    fn check_time(&self, now: Time) -> Result<(), Stop> {
        match self.settings.limits.time {
            Some(limit) if now.elapsed() >= limit => Err(Stop::End(RunEnding::TimeUp)),
            _ => Ok(()),
        }
    }

    fn end_plan(&mut self) -> Result<(), Stop> {
        self.underway = None;
        self.state = self.state.after(Event::PlanEnded)?;
        Ok(())
    }

    fn note<T: Serialize + ?Sized>(&mut self, topic: Topic, time: Time, value: &T) {
        if self.notes.note(topic, time, value) {
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

    /// Where the screen lay in the last frame.
    pub fn mapping(&self) -> &Mapping {
        &self.mapping
    }

    /// Ends the run and returns the reader of its notes, which its owner may want to close.
    pub fn into_reader(self) -> N {
        self.notes.reader
    }

    /// Ends the run and returns its player and the reader of its notes.
    pub fn into_parts(self) -> (P, N) {
        (self.player, self.notes.reader)
    }
}
