//! What makes a run: a game, a body for it, and the player between them.

use configuration::Values;
use engine::notes::NoteReader;
use engine::{Body, Clock, Counts, Eye, Hand, Player, Rectify};
use players::tetris::GameLog;
use serde::Serialize;
use simulators::hub::GuestSeat;
use simulators::switches::FaultSwitches;

use crate::assemble::{Played, Request};
use crate::error::RunError;
use crate::settings::EngineSettings;

/// What a run is built from.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// All settings.
    pub values: &'a Values,
    /// Random seed.
    pub seed: u64,
    /// Faults of simulated devices that may be switched while they run.
    pub switches: Option<&'a FaultSwitches>,
    /// The seat at a simulated table that a guest may take.
    pub guests: Option<&'a GuestSeat>,
}

impl<'a> Setup<'a> {
    /// A run from these settings and this seed.
    pub fn new(values: &'a Values, seed: u64) -> Setup<'a> {
        Setup { values, seed, switches: None, guests: None }
    }

    /// The switches, or ones that nobody holds.
    pub fn switches(&self) -> FaultSwitches {
        self.switches.cloned().unwrap_or_default()
    }
}

/// A game and a body for it. Adding a body to Gamebot means implementing this
/// once and naming it in the [`register`](crate::register).
pub trait Pair: Sized + 'static {
    /// The game's name on the command line.
    const GAME: &'static str;
    /// The body's name on the command line.
    const BODY: &'static str;
    /// What it is, in one sentence.
    const ABOUT: &'static str;

    /// What the hands can do.
    type Action: Serialize;
    /// Who plays.
    type Player: Player<Action = Self::Action>;
    /// What finds the screen.
    type Rectifier: Rectify;
    /// What remains of the body after the run: the truth that the player never sees.
    type Witness;

    /// Builds the body on a clock.
    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = Self::Action>>, Self::Witness), RunError>;

    /// Builds the rectifier.
    fn rectifier(setup: &Setup<'_>) -> Result<Self::Rectifier, RunError>;

    /// Builds the player.
    fn player(setup: &Setup<'_>) -> Result<Self::Player, RunError>;

    /// Settings of the engine that suit this pair better than the general defaults.
    fn engine_defaults() -> EngineSettings {
        EngineSettings::default()
    }

    /// The Tetris game under way, where this is Tetris: others may race it on the same pieces.
    fn dealt(_player: &Self::Player) -> Option<&GameLog> {
        None
    }

    /// Carries out a run: [`runs::play`](crate::play) is the way in. Every pair writes `plays_here!();`, so that its run is
    /// compiled once, with the pair, and not in every crate that plays it.
    fn play(
        request: Request,
        view: &mut dyn NoteReader,
        watch: &mut dyn FnMut(&Self::Player, &Counts),
    ) -> Result<Played<Self>, RunError>;

    /// The result in the terms of the game.
    fn report(player: &Self::Player, witness: &Self::Witness) -> serde_json::Value;
}

/// The body of [`Pair::play`], the same for every pair.
macro_rules! plays_here {
    () => {
        fn play(
            request: $crate::assemble::Request,
            view: &mut dyn ::engine::notes::NoteReader,
            watch: &mut dyn FnMut(&Self::Player, &::engine::Counts),
        ) -> Result<$crate::assemble::Played<Self>, $crate::error::RunError> {
            $crate::assemble::play_here::<Self>(request, view, watch)
        }
    };
}
pub(crate) use plays_here;
