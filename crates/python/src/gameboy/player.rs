//! The Tetris player that watches a console: our engine, with the console's screen as its eye and its buttons as its
//! hand. It sees what a person sees; memory is not read.

use std::cell::RefCell;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use ::gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH, period_at, period_start, periods};
use ::gameboy::{Button, Console as _, Emulator};
use ::tetris::gameboy::{Buttons, frames_in_ms};
use engine::notes::NoReader;
use engine::{
    Body, Cancel, Clock as _, Engine, Eye, EyePace, Fault, Focus, Frame, Hand, Latency, Mapping, PixelFormat,
    RunEnding, RunSettings, SimulatedClock, Time, Upright,
};
use players::tetris::{Company, GameLog, TetrisPlayer, Until, Wishes};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use serde_json::json;

use super::Console;
use crate::arrays::document;
use crate::connect_four::value_error;
use crate::interrupt::with_budget;

/// Clearing lines takes a second and a half, and its effect must not count as missing meanwhile.
const VISIBLE_WITHIN: Duration = Duration::from_secs(4);
/// How long robots hold a button; this hand keeps exact time.
const HOLD: Duration = Duration::from_millis(35);

/// Our Tetris player, watching a console's screen and pressing its buttons: it walks the menus, plays Stackfall,
/// enters its name and begins again.
///
/// >>> from gamebot.gameboy import Console, Player
/// >>> player = Player(Console(), pieces=3)
/// >>> frames = player.play(games=1)
/// >>> [(game["level"], game["lines"]) for game in player.games]
/// [(9, 0)]
#[pyclass(frozen, module = "gamebot.gameboy")]
pub struct Player {
    console: Py<Console>,
    made: Made,
    /// On the heap: it is aligned to more bytes than Python's objects are.
    state: Box<Mutex<State>>,
}

/// How it was made, for pickling: level, heart, press_ms, pieces, until, initials, idle.
type Made = (u8, bool, f64, Option<u32>, String, String, u64);

struct State {
    player: TetrisPlayer,
    /// Counts the display periods that it has watched.
    clock: SimulatedClock,
}

#[pymethods]
impl Player {
    #[new]
    #[pyo3(signature = (console, *, level = 9, heart = false, press_ms = 75.0, pieces = None, until = "max-out", initials = "BOT", idle = 60))]
    #[expect(clippy::too_many_arguments, reason = "keywords in Python")]
    fn new(
        console: Py<Console>,
        level: u8,
        heart: bool,
        press_ms: f64,
        pieces: Option<u32>,
        until: &str,
        initials: &str,
        idle: u64,
    ) -> PyResult<Self> {
        let made = (level, heart, press_ms, pieces, until.to_owned(), initials.to_owned(), idle);
        let state = State { player: TetrisPlayer::new(wishes(&made)?), clock: SimulatedClock::new() };
        Ok(Self { console, made, state: Box::new(Mutex::new(state)) })
    }

    /// Plays on until this many more games have ended, or `frames` display periods have passed; a piece that is in the
    /// air then is still brought to its place. Returns the display periods that passed.
    #[pyo3(signature = (frames = None, *, games = 1))]
    fn play(&self, py: Python<'_>, frames: Option<u64>, games: u32) -> PyResult<u64> {
        let mut state = self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let mut emulator = self.console.get().lock(py);
        let emulator = &mut **emulator;
        let state = &mut *state;
        // A panic of the player would lose it: another one takes its place, and looks afresh.
        let player = std::mem::replace(&mut state.player, TetrisPlayer::new(wishes(&self.made)?));
        let clock = state.clock.clone();
        let (player, passed, ending) = with_budget(py, None, |budget| {
            let begun = period_at(clock.now().elapsed());
            let desk = RefCell::new(Desk { emulator, held: Buttons::NONE, passed: begun });
            let frame = Frame::blank(SCREEN_WIDTH as u32, SCREEN_HEIGHT as u32, PixelFormat::Gray8);
            let eye = ScreenEye { desk: &desk, clock: clock.clone(), frame };
            let hand = ButtonHand { desk: &desk, clock: clock.clone() };
            let settings = RunSettings { visible_within: VISIBLE_WITHIN, ..RunSettings::default() };
            let body = Body { eye, hand };
            let mut engine =
                Engine::new(body, Upright, player, clock.clone(), NoReader, Cancel::new(), settings);
            let passed = || period_at(clock.now().elapsed()) - begun;
            let mut ending = None;
            while ending.is_none()
                && engine.counts().games < games
                && frames.is_none_or(|frames| passed() < frames)
                && budget.meter().spend_node()
            {
                ending = engine.tick();
            }
            (engine.into_parts().0, passed(), ending)
        })?;
        state.player = player;
        match ending {
            None => Ok(passed),
            Some(RunEnding::GaveUp { reason }) => Err(PyRuntimeError::new_err(reason)),
            Some(other) => Err(PyRuntimeError::new_err(format!("the player stopped: {other:?}"))),
        }
    }

    /// The games so far as it saw them, the one under way included: score, lines, level, pieces, presses, and the
    /// lines at which it saw 999,999 points, or `None`.
    #[getter]
    fn games<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let state = self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        let told = |game: &GameLog| {
            json!({
                "score": game.score,
                "lines": game.lines,
                "level": game.level,
                "pieces": game.pieces.len(),
                "presses": game.presses,
                "lines_to_max_out": game.lines_to_max_out,
            })
        };
        document(py, &state.player.games().iter().map(told).collect::<Vec<_>>())
    }

    /// The console that it watches.
    #[getter]
    fn console(&self, py: Python<'_>) -> Py<Console> {
        self.console.clone_ref(py)
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let state = self.state.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner);
        format!("<Player after {} games>", state.player.games().len())
    }

    /// A player is pickled as it was made, with its console: a copy looks at the screen afresh.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let again = py.get_type::<Self>().getattr("_again")?;
        Ok((again, (self.console.clone_ref(py), self.made.clone())).into_pyobject(py)?.into_any())
    }

    /// The player that was pickled.
    #[staticmethod]
    fn _again(console: Py<Console>, made: Made) -> PyResult<Self> {
        let (level, heart, press_ms, pieces, until, initials, idle) = made;
        Self::new(console, level, heart, press_ms, pieces, &until, &initials, idle)
    }
}

fn wishes(made: &Made) -> PyResult<Wishes> {
    let (level, heart, press_ms, pieces, until, initials, idle) = made;
    if *level > 9 {
        return Err(value_error(format!("level is {level}: choose 0 to 9")));
    }
    if !(1.0..=1_000.0).contains(press_ms) {
        return Err(value_error(format!("press_ms is {press_ms}: choose 1 to 1000")));
    }
    let until = match (pieces, until.as_str()) {
        (Some(pieces), _) => Until::Pieces(*pieces),
        (None, "max-out") => Until::MaxOut,
        (None, "death") => Until::Death,
        (None, other) => return Err(value_error(format!("until is {other:?}: choose max-out or death"))),
    };
    Ok(Wishes {
        level: *level,
        heart: *heart,
        rubble: None,
        initials: players::tetris::initials(initials)
            .map_err(|why| value_error(format!("initials is {why}")))?,
        until,
        company: Company::Alone,
        press_frames: frames_in_ms(*press_ms).max(2),
        hold: HOLD,
        idle: *idle,
        dawdle: 0,
        checks_presses: false,
    })
}

/// The console during a call.
struct Desk<'a> {
    emulator: &'a mut Emulator,
    held: Buttons,
    /// Display periods that have passed on the player's clock.
    passed: u64,
}

impl Desk<'_> {
    /// Lets every period pass that began before `now`.
    fn advance_to(&mut self, now: Time) -> Result<(), Fault> {
        while Time::START + period_start(self.passed) < now {
            self.emulator
                .step(self.held)
                .map_err(|crash| Fault::Lost { part: "console".to_owned(), why: crash.to_string() })?;
            self.passed += 1;
        }
        Ok(())
    }
}

/// Sees every picture once.
struct ScreenEye<'a> {
    desk: &'a RefCell<Desk<'a>>,
    clock: SimulatedClock,
    frame: Frame,
}

impl Eye for ScreenEye<'_> {
    fn look(&mut self, _focus: &Focus) -> Result<&Frame, Fault> {
        let next = period_at(self.clock.now().elapsed()) + 1;
        self.clock.sleep_until(Time::START + period_start(next));
        self.frame.captured = self.clock.now();
        self.frame.sequence += 1;
        let mut desk = self.desk.borrow_mut();
        desk.advance_to(self.frame.captured)?;
        desk.emulator.screen().write_luma(&mut self.frame.picture.pixels);
        Ok(&self.frame)
    }

    fn pace(&self) -> EyePace {
        EyePace { frame_period: Some(periods(1)), latency: Latency::NONE }
    }
}

/// Holds the buttons.
struct ButtonHand<'a> {
    desk: &'a RefCell<Desk<'a>>,
    clock: SimulatedClock,
}

impl ButtonHand<'_> {
    fn change(&mut self, change: impl FnOnce(Buttons) -> Buttons) -> Result<(), Fault> {
        let mut desk = self.desk.borrow_mut();
        desk.advance_to(self.clock.now())?;
        desk.held = change(desk.held);
        Ok(())
    }
}

impl Hand for ButtonHand<'_> {
    type Action = Button;

    fn begin(&mut self, button: &Button, _mapping: &Mapping) -> Result<(), Fault> {
        self.change(|held| held | button.alone())
    }

    fn end(&mut self, button: &Button) -> Result<(), Fault> {
        self.change(|held| held & !button.alone())
    }

    fn release_all(&mut self) -> Result<(), Fault> {
        self.change(|_| Buttons::NONE)
    }
}
