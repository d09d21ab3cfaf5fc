//! What makes a run: a game, a body for it, and the player between them.

use configuration::Values;
use engine::{Body, Clock, Eye, Hand, Player, Rectify};
use serde::Serialize;

use crate::error::RunError;
use crate::settings::EngineSettings;

/// What a run is built from.
#[derive(Clone, Copy, Debug)]
pub struct Setup<'a> {
    /// All settings.
    pub values: &'a Values,
    /// Random seed.
    pub seed: u64,
}

/// A game and a body for it. Adding a body to Gamebot means implementing this
/// once and naming it in the [`register`](crate::register).
pub trait Pair: 'static {
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

    /// The result in the terms of the game.
    fn report(player: &Self::Player, witness: &Self::Witness) -> serde_json::Value;
}
