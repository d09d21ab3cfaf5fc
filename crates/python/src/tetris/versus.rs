//! Two players on a link cable, piece by piece: the same pieces, rubble for lines, 30 lines win.

use ::tetris::board::WIDTH;
use ::tetris::gameboy::{IdealDiv, PieceList, VERSUS_LINES, attack_rows};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyArrayMethods};
use pyo3::prelude::*;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::game::{POSES, PieceGame};
use super::timing;
use crate::connect_four::value_error;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Versus>()
}

/// A round between two players; an action is a pose as in the environment `gamebot/Tetris-v0`.
#[pyclass(frozen, module = "gamebot.tetris")]
pub struct Versus {
    round: Mutex<Round>,
    press_ms: f64,
    seed: u64,
}

struct Round {
    /// Boxed: their boards fill cache lines, and Python aligns its objects to less.
    games: Box<[PieceGame; 2]>,
    rubble: u16,
    played: Vec<(usize, usize)>,
}

#[pymethods]
impl Versus {
    #[new]
    #[pyo3(signature = (*, press_ms = 75.0, seed = 1))]
    fn new(press_ms: f64, seed: u64) -> PyResult<Self> {
        let timing = timing(press_ms)?;
        let list = PieceList::draw(&mut IdealDiv(Xoshiro256PlusPlus::seed_from_u64(seed)));
        let rubble = list.garbage_row();
        let games = [list.clone(), list].map(|list| PieceGame::versus(timing, list));
        let games = Box::new(games);
        Ok(Self { round: Mutex::new(Round { games, rubble, played: Vec::new() }), press_ms, seed })
    }

    /// Both place their piece; returns the lines that each has cleared.
    fn step(&self, first: usize, second: usize) -> PyResult<(u32, u32)> {
        let mut round = self.lock();
        if round.winner().is_some() {
            return Err(value_error("the round is over"));
        }
        let mut placements = [None; 2];
        for (side, action) in [first, second].into_iter().enumerate() {
            let refused =
                || value_error(format!("action {action} of player {side} is not in its action mask"));
            placements[side] = Some(round.games[side].at_pose(action).ok_or_else(refused)?);
        }
        let mut cleared = [0; 2];
        for side in 0..2 {
            if let Some(placement) = placements[side] {
                cleared[side] = round.games[side].place(placement).0;
            }
        }
        let rubble = round.rubble;
        for side in 0..2 {
            let rows = attack_rows(cleared[1 - side]);
            if rows > 0 && !round.games[side].is_over {
                round.games[side].push_up(rows, rubble);
            }
        }
        round.played.push((first, second));
        Ok((cleared[0], cleared[1]))
    }

    /// Who has won: 0 or 1, 2 for a draw, `None` while the round goes on.
    #[getter]
    fn winner(&self) -> Option<u8> {
        self.lock().winner()
    }

    /// One player's board as an 18 × 10 array of uint8, top row first.
    fn board<'py>(&self, py: Python<'py>, side: usize) -> PyResult<Bound<'py, PyArray2<u8>>> {
        check_side(side)?;
        let round = self.lock();
        let (board, rows) = (round.games[side].board(), round.games[side].rows());
        let cells = (0..rows).rev().flat_map(|row| (0..WIDTH).map(move |x| (x, row)));
        let cells: Vec<u8> = cells.map(|(x, row)| u8::from(board.is_filled(x, row))).collect();
        cells.into_pyarray(py).reshape([rows, WIDTH])
    }

    /// One player's piece in play and the next, by number.
    fn pieces(&self, side: usize) -> PyResult<(usize, usize)> {
        check_side(side)?;
        let round = self.lock();
        Ok((round.games[side].active().index(), round.games[side].preview().index()))
    }

    /// One player's action mask.
    fn mask<'py>(&self, py: Python<'py>, side: usize) -> PyResult<Bound<'py, PyArray1<i8>>> {
        check_side(side)?;
        let round = self.lock();
        let legal = |pose| i8::from(round.games[side].at_pose(pose).is_some());
        Ok((0..POSES).map(legal).collect::<Vec<i8>>().into_pyarray(py))
    }

    /// Lines that one player has cleared.
    fn lines(&self, side: usize) -> PyResult<u32> {
        check_side(side)?;
        Ok(self.lock().games[side].lines)
    }

    fn __repr__(&self) -> String {
        let round = self.lock();
        let [first, second] = [0, 1].map(|side: usize| round.games[side].picture());
        let lines: Vec<String> =
            first.lines().zip(second.lines()).map(|(first, second)| format!("{first}   {second}")).collect();
        lines.join("\n")
    }

    /// A round is pickled as its seed and what was played.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let again = py.get_type::<Self>().getattr("_again")?;
        let played = self.lock().played.clone();
        Ok((again, (self.press_ms, self.seed, played)).into_pyobject(py)?.into_any())
    }

    /// The round that was pickled.
    #[staticmethod]
    fn _again(press_ms: f64, seed: u64, played: Vec<(usize, usize)>) -> PyResult<Self> {
        let round = Self::new(press_ms, seed)?;
        for (first, second) in played {
            round.step(first, second)?;
        }
        Ok(round)
    }
}

impl Versus {
    fn lock(&self) -> MutexGuard<'_, Round> {
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Round {
    fn winner(&self) -> Option<u8> {
        let done = |side: usize| self.games[side].lines >= VERSUS_LINES || self.games[1 - side].is_over;
        match (done(0), done(1)) {
            (true, true) => Some(2),
            (true, false) => Some(0),
            (false, true) => Some(1),
            (false, false) => None,
        }
    }
}

fn check_side(side: usize) -> PyResult<()> {
    if side < 2 {
        Ok(())
    } else {
        Err(value_error(format!("there is no player {side}: players are 0 and 1")))
    }
}
