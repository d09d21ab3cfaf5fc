//! SameGame in a window: a real one on the desktop, or a simulated one with known truth.

mod learned;
pub mod settings;

use std::str::FromStr;
use std::sync::{Arc, Mutex};

use ::samegame::rules::{Orientation, Rules};
use devices::desktop::{self, Pace, Target};
use engine::{Body, Clock, Eye, Hand, Key, Point, Pointing, Upright};
use players::samegame::see::{Given, Place};
use players::samegame::{Goal, Known, SamegamePlayer, Wishes};
use serde_json::json;
use simulators::samegame::{Game, Habits, Hover, LookName, NextRound, SharedGame, Supply, UnknownLook};

use crate::error::RunError;
use crate::pair::{Pair, Setup};
use crate::settings::{EngineSettings, milliseconds};
pub use learned::learn;
use settings::{
    GoalWord, HoverWord, KnownSupplyWord, NextRoundWord, OrientationWord, PointerWord, SamegameSettings,
    SamegameWindowSettings, SupplyWord,
};

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
        let game = Game::new(habits(&SamegameWindowSettings::from_values(setup.values), setup.seed)?)
            .map_err(|error| RunError::Setting(error.to_string()))?;
        let game = Arc::new(Mutex::new(game));
        Ok((simulators::samegame::body(&game, clock), game))
    }

    fn rectifier(_setup: &Setup<'_>) -> Result<Upright, RunError> {
        Ok(Upright)
    }

    fn player(setup: &Setup<'_>) -> Result<SamegamePlayer, RunError> {
        player(setup)
    }

    fn engine_defaults() -> EngineSettings {
        engine_defaults()
    }

    crate::pair::plays_here!();

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
        player(setup)
    }

    fn engine_defaults() -> EngineSettings {
        engine_defaults()
    }

    crate::pair::plays_here!();

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
        let (x, y, width, height) = rectangle(&settings.region).ok_or_else(wrong)?;
        return Ok(Target::Region { x, y, width, height });
    }
    if settings.window.is_empty() { Ok(Target::Screen) } else { Ok(Target::Window(settings.window.clone())) }
}

/// A rectangle as X,Y,WxH.
fn rectangle(text: &str) -> Option<(i32, i32, u32, u32)> {
    let (x, rest) = text.split_once(',')?;
    let (y, size) = rest.split_once(',')?;
    let (width, height) = size.split_once('x')?;
    let (x, y) = (x.trim().parse().ok()?, y.trim().parse().ok()?);
    let length = |text: &str| text.trim().parse().ok().filter(|&length: &u32| length > 0);
    Some((x, y, length(width)?, length(height)?))
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

fn player(setup: &Setup<'_>) -> Result<SamegamePlayer, RunError> {
    let settings = SamegameSettings::from_values(setup.values);
    Ok(SamegamePlayer::new(Wishes {
        goal: match settings.goal {
            GoalWord::Clear => Goal::Clear,
            GoalWord::Points => Goal::Points,
        },
        nodes: settings.nodes.into(),
        seed: setup.seed,
        between_clicks: milliseconds(settings.between_clicks_ms),
        rest: milliseconds(settings.rest_ms),
        next_round: next_round(&settings.next_round)?,
        known: known(&settings)?,
    }))
}

/// What the settings say about the game.
fn known(settings: &SamegameSettings) -> Result<Known, RunError> {
    let number = |value: u32| (value > 0).then_some(value as usize);
    let place = if settings.board.is_empty() {
        None
    } else {
        let Some((x, y, width, height)) = rectangle(&settings.board) else {
            return Err(RunError::Setting(format!(
                "samegame.board = {:?}: X,Y,WxH is expected, such as 12,40,300x200",
                settings.board
            )));
        };
        let (left, top, width, height) = (x.into(), y.into(), width.into(), height.into());
        Some(Place { left, top, width, height })
    };
    Ok(Known {
        clicks: number(settings.clicks).map(|clicks| clicks as u8),
        min_group: number(settings.min_group),
        supply: match settings.supply {
            KnownSupplyWord::Find => None,
            KnownSupplyWord::Nothing => Some(players::samegame::Supply::Nothing),
            KnownSupplyWord::Refill => Some(players::samegame::Supply::Refill),
            KnownSupplyWord::Columns => Some(players::samegame::Supply::Columns),
        },
        given: Given {
            place,
            columns: number(settings.columns),
            rows: number(settings.rows),
            colours: number(settings.colours),
        },
    })
}

/// How the next round is begun, from its setting.
fn next_round(text: &str) -> Result<players::samegame::NextRound, RunError> {
    use players::samegame::NextRound;
    let click = |text: &str| {
        let (x, y) = text.split_once(',')?;
        let place = Point::new(x.trim().parse().ok()?, y.trim().parse().ok()?);
        Some(NextRound::By(Pointing::Click(place)))
    };
    let key = |key: Key| Some(NextRound::By(Pointing::Type(key)));
    let parsed = match text {
        "wait" => Some(NextRound::Wait),
        "find" => Some(NextRound::Find),
        "key:n" => key(Key::N),
        "key:f2" => key(Key::F2),
        "key:control-n" => key(Key::ControlN),
        "key:return" => key(Key::Return),
        "key:space" => key(Key::Space),
        _ => text.strip_prefix("click:").and_then(click),
    };
    parsed.ok_or_else(|| {
        RunError::Setting(format!(
            "samegame.next_round = {text:?}: wait, find, key:n, key:f2, key:control-n, key:return, key:space or \
             click:X,Y is expected"
        ))
    })
}

/// How a simulated window behaves, from its settings.
pub fn habits(settings: &SamegameWindowSettings, seed: u64) -> Result<Habits, RunError> {
    let look = LookName::from_str(&settings.look)
        .map_err(|error: UnknownLook| RunError::Setting(format!("samegame_window.look: {error}")))?;
    let orientation = match settings.orientation {
        OrientationWord::Left => Orientation::Left,
        OrientationWord::Right => Orientation::Right,
        OrientationWord::Mixed => Orientation::Mixed,
    };
    let rules = Rules::with_min_group(settings.min_group as usize)
        .map_err(|error| RunError::Setting(error.to_string()))?
        .closing(orientation);
    Ok(Habits {
        look,
        size: (settings.columns as usize, settings.rows as usize),
        colours: settings.colours as u8,
        rules,
        clicks: settings.clicks as u8,
        animation: milliseconds(settings.animation_ms),
        bounce: settings.bounce,
        hover: match settings.hover {
            HoverWord::Nothing => Hover::Nothing,
            HoverWord::Brighten => Hover::Brighten,
            HoverWord::Enlarge => Hover::Enlarge,
        },
        pop_ups: settings.pop_ups,
        supply: match settings.supply {
            SupplyWord::Nothing => Supply::Nothing,
            SupplyWord::Refill => Supply::Refill,
            SupplyWord::Columns => Supply::Columns,
        },
        next_round: match settings.next_round {
            NextRoundWord::Itself => NextRound::Itself,
            NextRoundWord::Dialog => NextRound::Dialog,
            NextRoundWord::Button => NextRound::Button,
        },
        new_round_after: milliseconds(800),
        lost_clicks: settings.lost_clicks,
        covered_every: milliseconds(settings.covered_every_ms),
        seed,
    })
}

fn report(player: &SamegamePlayer) -> serde_json::Value {
    json!({
        "rounds": player.rounds(),
        "clicks": player.clicks_learned(),
        "min_group": player.min_group(),
        "supply": player.supply(),
        "settles_after_ms": player.settles_after().as_millis() as u64,
    })
}
