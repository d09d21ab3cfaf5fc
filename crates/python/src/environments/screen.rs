//! Tetris as a person sees it: the Game Boy's screen, its buttons held for a few frames.

use ::gameboy::display::{SCREEN_HEIGHT, SCREEN_WIDTH};
use ::gameboy::memory::{self, Scene};
use ::gameboy::{Console, Emulator, stackfall};
use ::tetris::gameboy::Buttons;
use budget::Budget;
use pyo3::prelude::*;

use super::Games;
use super::lanes::{Game, Many, Shape};
use super::tetris::{HELD, Reward};
use crate::connect_four::value_error;
use crate::interrupt::with_budget;

/// Most consoles of one batch: each is a quarter of a megabyte and a fresh machine at every game.
const MOST_CONSOLES: usize = 4_096;
/// Frames in which the menus are left alone between two presses.
const PATIENCE: u32 = 20;
/// The console deals other pieces for every phase of its divider, which these frames decide.
const PHASES: u64 = 256;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tetris_screen_games, module)?)
}

/// Games of Stackfall on emulated consoles; a step holds a button, or none, for some frames.
#[pyfunction]
#[pyo3(signature = (count, *, frames = 4, reward = "lines", threads = 1))]
fn tetris_screen_games(
    py: Python<'_>,
    count: usize,
    frames: u32,
    reward: &str,
    threads: usize,
) -> PyResult<Games> {
    if !(1..=60).contains(&frames) {
        return Err(value_error(format!("frames is {frames}: choose 1 to 60")));
    }
    if !(1..=MOST_CONSOLES).contains(&count) {
        return Err(value_error(format!("{count} games: choose 1 to {MOST_CONSOLES}")));
    }
    let reward = Reward::named(reward)?;
    let consoles = with_budget(py, None, |budget| {
        let whole = (0..count).take_while(|_| budget.meter().spend_node());
        whole.map(|_| Emulator::new(&stackfall::cartridge())).collect::<Result<Vec<_>, _>>()
    })?
    .map_err(value_error)?;
    let game = |console| Screened { console: Box::new(console), frames, reward, lines: 0, score: 0 };
    let mut consoles = consoles.into_iter().map(game);
    let Some(first) = consoles.next() else { return Err(value_error("no games")) };
    let lanes = Box::new(Many::new(first, consoles));
    Games::new(py, lanes, vec![SCREEN_HEIGHT, SCREEN_WIDTH], count, threads)
}

struct Screened {
    console: Box<Emulator>,
    frames: u32,
    reward: Reward,
    lines: u32,
    score: u32,
}

impl Screened {
    fn run(&mut self, held: Buttons, frames: u32, budget: &Budget) {
        for _ in 0..frames {
            // A frame takes a tenth of a millisecond, and a meter asks at first.
            if !budget.meter().spend_node() || self.console.step(held).is_err() {
                break;
            }
        }
    }
}

impl Game for Screened {
    fn shape(&self) -> Shape {
        Shape { observation: SCREEN_WIDTH * SCREEN_HEIGHT, pieces: 0, actions: HELD.len() }
    }

    /// A console takes a hundredth of a second through its menus.
    fn is_slow(&self) -> bool {
        true
    }

    fn restart(&mut self, seed: u64, budget: &Budget) {
        if let Ok(console) = Emulator::new(&stackfall::cartridge()) {
            *self.console = console;
        }
        (self.lines, self.score) = (0, 0);
        self.run(Buttons::NONE, 60 + (seed % PHASES) as u32, budget);
        // Title, kind of game, level: Start leads through them.
        for _ in 0..8 {
            if memory::read(&mut *self.console).scene == Scene::Play {
                break;
            }
            self.run(Buttons::START, 2, budget);
            self.run(Buttons::NONE, PATIENCE, budget);
        }
    }

    fn step(&mut self, action: usize, budget: &Budget) -> (f64, bool) {
        self.run(HELD[action % HELD.len()], self.frames, budget);
        let memory = memory::read(&mut *self.console);
        let (lines, score) = (memory.lines, memory.score);
        let reward = match self.reward {
            Reward::Lines => lines.saturating_sub(self.lines),
            Reward::Score => score.saturating_sub(self.score),
        };
        (self.lines, self.score) = (lines, score);
        (f64::from(reward), memory.scene != Scene::Play)
    }

    fn write(&self, observation: &mut [u8], _pieces: &mut [i64], mask: &mut [i8]) {
        observation.copy_from_slice(&self.console.screen().shades);
        mask.fill(1);
    }

    fn picture(&self) -> String {
        format!("{:?}", self.console.screen())
    }

    fn figures(&self) -> Vec<(&'static str, i64)> {
        vec![("score", self.score.into()), ("lines", self.lines.into())]
    }
}
