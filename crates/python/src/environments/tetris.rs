//! Tetris as environments: a step is a placement, or one frame with buttons held.

use ::tetris::Board;
use ::tetris::arena::Rules;
use ::tetris::board::WIDTH;
use ::tetris::gameboy::{Buttons, CycleDiv, Game as FrameGame, Phase, ROWS, Setup};
use budget::Budget;
use pyo3::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

use super::Games;
use super::lanes::{Game, Many, Shape};
use crate::connect_four::value_error;
use crate::tetris::game::{POSES, PieceGame};
use crate::tetris::rules;

/// What can be held in a frame; a turn needs its button released in between.
pub const HELD: [Buttons; 6] =
    [Buttons::NONE, Buttons::RIGHT, Buttons::LEFT, Buttons::DOWN, Buttons::A, Buttons::B];

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(tetris_games, module)?)?;
    module.add_function(wrap_pyfunction!(tetris_frame_games, module)?)
}

/// Games in which a step is a placement; `reward` is `"lines"` or `"score"`.
#[pyfunction]
#[pyo3(signature = (count, *, rules = "gameboy", level = 9, heart = false, press_ms = 75.0, rows = 20, reward = "lines", threads = 1))]
#[expect(clippy::too_many_arguments, reason = "keywords in Python")]
fn tetris_games(
    py: Python<'_>,
    count: usize,
    rules: &str,
    level: u8,
    heart: bool,
    press_ms: f64,
    rows: u32,
    reward: &str,
    threads: usize,
) -> PyResult<Games> {
    let rules = self::rules(rules, level, heart, press_ms, rows, true)?;
    if matches!(rules, Rules::Document { .. }) {
        return Err(value_error("rules are \"document\": choose gameboy or classic"));
    }
    let reward = Reward::named(reward)?;
    let game = || Placing { game: PieceGame::new(rules, 0), reward };
    let others = super::checked_count(count)? - 1;
    let first = game();
    let dimensions = vec![first.game.rows(), WIDTH];
    let lanes = Box::new(Many::new(first, std::iter::repeat_with(game).take(others)));
    Games::new(py, lanes, dimensions, count, threads)
}

/// Games in which a step is one frame of the console, with a button held or none.
#[pyfunction]
#[pyo3(signature = (count, *, level = 9, heart = false, reward = "lines", threads = 1))]
fn tetris_frame_games(
    py: Python<'_>,
    count: usize,
    level: u8,
    heart: bool,
    reward: &str,
    threads: usize,
) -> PyResult<Games> {
    let setup = Setup::new(::tetris::gameboy::Mode::A, level, heart).map_err(value_error)?;
    let reward = Reward::named(reward)?;
    let game = || Framed::new(setup, reward);
    let others = super::checked_count(count)? - 1;
    let lanes = Box::new(Many::new(game(), std::iter::repeat_with(game).take(others)));
    Games::new(py, lanes, vec![ROWS as usize, WIDTH], count, threads)
}

/// What is rewarded.
#[derive(Clone, Copy)]
pub enum Reward {
    Lines,
    Score,
}

impl Reward {
    pub fn named(name: &str) -> PyResult<Self> {
        match name {
            "lines" => Ok(Self::Lines),
            "score" => Ok(Self::Score),
            _ => Err(value_error(format!("reward is {name:?}: choose lines or score"))),
        }
    }
}

struct Placing {
    game: PieceGame,
    reward: Reward,
}

impl Game for Placing {
    fn shape(&self) -> Shape {
        Shape { observation: self.game.rows() * WIDTH, pieces: 2, actions: POSES }
    }

    fn restart(&mut self, seed: u64, _budget: &Budget) {
        self.game.restart(seed);
    }

    fn step(&mut self, action: usize, _budget: &Budget) -> (f64, bool) {
        let Some(placement) = self.game.at_pose(action) else { return (0.0, self.game.is_over) };
        let (lines, points) = self.game.place(placement);
        let reward = match self.reward {
            Reward::Lines => lines,
            Reward::Score => points,
        };
        (f64::from(reward), self.game.is_over)
    }

    fn write(&self, observation: &mut [u8], pieces: &mut [i64], mask: &mut [i8]) {
        write_board(self.game.board(), observation);
        pieces[0] = self.game.active().index() as i64;
        pieces[1] = self.game.preview().index() as i64;
        for (pose, flag) in mask.iter_mut().enumerate() {
            *flag = i8::from(self.game.at_pose(pose).is_some());
        }
    }

    fn picture(&self) -> String {
        self.game.picture()
    }

    fn figures(&self) -> Vec<(&'static str, i64)> {
        vec![
            ("score", self.game.score().into()),
            ("lines", self.game.lines.into()),
            ("level", self.game.level().into()),
            ("pieces_placed", self.game.pieces.into()),
        ]
    }
}

/// Top row first, one byte a cell.
#[inline]
fn write_board(board: &Board, observation: &mut [u8]) {
    let columns = board.columns();
    let rows = observation.len() / WIDTH;
    for (line, cells) in observation.chunks_exact_mut(WIDTH).enumerate() {
        let row = rows - 1 - line;
        for (cell, column) in cells.iter_mut().zip(&columns) {
            *cell = (column >> row & 1) as u8;
        }
    }
}

struct Framed {
    setup: Setup,
    game: FrameGame,
    dealer: CycleDiv<Xoshiro256PlusPlus>,
    reward: Reward,
}

impl Framed {
    fn new(setup: Setup, reward: Reward) -> Self {
        let mut dealer = CycleDiv::new(Xoshiro256PlusPlus::seed_from_u64(0));
        let game = FrameGame::new(setup, Board::EMPTY, &mut dealer);
        Self { setup, game, dealer, reward }
    }

    fn lines(&self) -> u32 {
        self.game.clears().iter().zip(0..).map(|(count, lines)| count * lines).sum()
    }
}

impl Game for Framed {
    fn shape(&self) -> Shape {
        Shape { observation: ROWS as usize * WIDTH, pieces: 2, actions: HELD.len() }
    }

    fn restart(&mut self, seed: u64, _budget: &Budget) {
        self.dealer = CycleDiv::new(Xoshiro256PlusPlus::seed_from_u64(seed));
        self.game = FrameGame::new(self.setup, Board::EMPTY, &mut self.dealer);
    }

    fn step(&mut self, action: usize, _budget: &Budget) -> (f64, bool) {
        let (lines, score) = (self.lines(), self.game.score());
        self.game.step(HELD[action % HELD.len()], &mut self.dealer);
        let reward = match self.reward {
            Reward::Lines => self.lines() - lines,
            Reward::Score => self.game.score() - score,
        };
        (f64::from(reward), self.game.phase() == Phase::Over)
    }

    fn write(&self, observation: &mut [u8], pieces: &mut [i64], mask: &mut [i8]) {
        write_board(self.game.board(), observation);
        if let Some(active) = self.game.active() {
            for (x, row) in active.shape().cells() {
                let (x, row) = (active.x + x as i32, active.row + row as i32);
                let line = ROWS as i32 - 1 - row;
                if let Some(cell) =
                    observation.get_mut((line * WIDTH as i32 + x) as usize).filter(|_| line >= 0)
                {
                    *cell = 2;
                }
            }
        }
        let shown = self.game.pieces();
        pieces[0] = shown.active.index() as i64;
        pieces[1] = shown.preview.index() as i64;
        if self.game.phase() != Phase::Over {
            mask.fill(1);
        }
    }

    fn picture(&self) -> String {
        let mut cells = vec![0; ROWS as usize * WIDTH];
        self.write(&mut cells, &mut [0; 2], &mut [0; HELD.len()]);
        let symbol = |&cell: &u8| ['.', '#', '@'][usize::from(cell.min(2))];
        cells.chunks(WIDTH).map(|row| row.iter().map(symbol).collect::<String>() + "\n").collect()
    }

    fn figures(&self) -> Vec<(&'static str, i64)> {
        vec![
            ("score", self.game.score().into()),
            ("lines", self.lines().into()),
            ("level", self.game.level().into()),
        ]
    }
}
