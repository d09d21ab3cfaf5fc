//! SameGame in a window: a real one on the desktop, or a simulated one with known truth.

pub mod settings;

use std::str::FromStr;
use std::sync::{Arc, Mutex};

use ::samegame::rules::Rules;
use devices::desktop::{self, Pace, Target};
use engine::{Body, Clock, Eye, Hand, Pointing, Upright};
use players::samegame::{Goal, SamegamePlayer, Wishes};
use serde_json::json;
use simulators::samegame::{Game, Habits, LookName, SharedGame, UnknownLook};

use crate::error::RunError;
use crate::pair::{Pair, Setup};
use crate::settings::{EngineSettings, milliseconds};
use settings::{GoalWord, PointerWord, SamegameSettings, SamegameWindowSettings};

/// A simulated window: drawn in one of many looks, clicked with a simulated mouse.
#[derive(Debug)]
pub enum InSimulatedWindow {}
/// Any window of an X11 desktop, and the real mouse.
#[derive(Debug)]
pub enum OnDesktop {}

impl Pair for InSimulatedWindow {
    const GAME: &'static str = "samegame";
    const BODY: &'static str = "simulated-window";
    const ABOUT: &'static str = "A simulated window in one of many looks, clicked with a simulated mouse.";
    type Action = Pointing;
    type Player = SamegamePlayer;
    type Rectifier = Upright;
    type Witness = SharedGame;

    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = Pointing>>, SharedGame), RunError> {
        let game = Game::new(habits(setup)?).map_err(|error| RunError::Setting(error.to_string()))?;
        let game = Arc::new(Mutex::new(game));
        Ok((simulators::samegame::body(&game, clock), game))
    }

    fn rectifier(_setup: &Setup<'_>) -> Result<Upright, RunError> {
        Ok(Upright)
    }

    fn player(setup: &Setup<'_>) -> Result<SamegamePlayer, RunError> {
        Ok(player(setup))
    }

    fn engine_defaults() -> EngineSettings {
        engine_defaults()
    }

    fn report(player: &SamegamePlayer, _witness: &SharedGame) -> serde_json::Value {
        report(player)
    }
}

impl Pair for OnDesktop {
    const GAME: &'static str = "samegame";
    const BODY: &'static str = "desktop";
    const ABOUT: &'static str = "Any window of an X11 desktop, and the real mouse.";
    type Action = Pointing;
    type Player = SamegamePlayer;
    type Rectifier = Upright;
    type Witness = ();

    fn body<C: Clock>(
        setup: &Setup<'_>,
        clock: &C,
    ) -> Result<(Body<impl Eye, impl Hand<Action = Pointing>>, ()), RunError> {
        let settings = SamegameSettings::from_values(setup.values);
        let display = Some(settings.display.as_str()).filter(|display| !display.is_empty());
        let pace = match settings.pointer {
            PointerWord::Human => Pace::Human,
            PointerWord::Instant => Pace::Instant,
        };
        let body = desktop::body(display, target(&settings)?, pace, clock)
            .map_err(|error| RunError::Setting(error.to_string()))?;
        Ok((body, ()))
    }

    fn rectifier(_setup: &Setup<'_>) -> Result<Upright, RunError> {
        Ok(Upright)
    }

    fn player(setup: &Setup<'_>) -> Result<SamegamePlayer, RunError> {
        Ok(player(setup))
    }

    fn engine_defaults() -> EngineSettings {
        engine_defaults()
    }

    fn report(player: &SamegamePlayer, (): &()) -> serde_json::Value {
        report(player)
    }
}

/// What the settings look at.
pub fn target(settings: &SamegameSettings) -> Result<Target, RunError> {
    if !settings.region.is_empty() {
        let wrong = || {
            RunError::Setting(format!(
                "samegame.region = {:?}: X,Y,WxH is expected, such as 100,50,640x480",
                settings.region
            ))
        };
        return region(&settings.region).ok_or_else(wrong);
    }
    if settings.window.is_empty() { Ok(Target::Screen) } else { Ok(Target::Window(settings.window.clone())) }
}

fn region(text: &str) -> Option<Target> {
    let (x, rest) = text.split_once(',')?;
    let (y, size) = rest.split_once(',')?;
    let (width, height) = size.split_once('x')?;
    let (x, y) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    let length = |text: &str| text.trim().parse().ok().filter(|&length: &u32| length > 0);
    Some(Target::Region { x, y, width: length(width)?, height: length(height)? })
}

fn engine_defaults() -> EngineSettings {
    // Tiles fall and dialogs come and go; covered windows come back after seconds.
    EngineSettings {
        visible_within_ms: 1_500,
        unclear_limit: 20,
        pause_limit: 12,
        ..EngineSettings::default()
    }
}

fn player(setup: &Setup<'_>) -> SamegamePlayer {
    let settings = SamegameSettings::from_values(setup.values);
    SamegamePlayer::new(Wishes {
        goal: match settings.goal {
            GoalWord::Clear => Goal::Clear,
            GoalWord::Points => Goal::Points,
        },
        nodes: settings.nodes.into(),
        seed: setup.seed,
        between_clicks: milliseconds(settings.between_clicks_ms),
        rest: milliseconds(settings.rest_ms),
    })
}

fn habits(setup: &Setup<'_>) -> Result<Habits, RunError> {
    let settings = SamegameWindowSettings::from_values(setup.values);
    let look = LookName::from_str(&settings.look)
        .map_err(|error: UnknownLook| RunError::Setting(format!("samegame_window.look: {error}")))?;
    let rules = Rules::with_min_group(settings.min_group as usize)
        .map_err(|error| RunError::Setting(error.to_string()))?;
    Ok(Habits {
        look,
        size: (settings.columns as usize, settings.rows as usize),
        colours: settings.colours as u8,
        rules,
        clicks: settings.clicks as u8,
        animation: milliseconds(settings.animation_ms),
        new_round_after: milliseconds(800),
        lost_clicks: settings.lost_clicks,
        covered_every: milliseconds(settings.covered_every_ms),
        seed: setup.seed,
    })
}

fn report(player: &SamegamePlayer) -> serde_json::Value {
    json!({ "rounds": player.rounds(), "clicks": player.clicks_learned(), "min_group": player.min_group() })
}
