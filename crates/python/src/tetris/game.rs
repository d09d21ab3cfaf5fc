//! A game piece by piece, by the Game Boy's rules or on the classic field.

use ::tetris::arena::Rules;
use ::tetris::board::{MAX_ROWS, WIDTH};
use ::tetris::features::lock;
use ::tetris::field::Field;
use ::tetris::gameboy::{
    CycleDiv, Dealer, PieceList, PlacementGame, PlacementOutcome, ROWS, Setup, line_score,
};
use ::tetris::moves::drops;
use ::tetris::reach::Timing;
use ::tetris::search::{Keys, Movement};
use ::tetris::{Board, Piece, Placement};
use pyo3::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::{Mutex, PoisonError};

use super::{Board as PyBoard, Placement as PyPlacement, rules};
use crate::connect_four::value_error;

pub fn fill(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<Game>()
}

/// Actions of the environment: orientation × column of the leftmost cell.
pub const POSES: usize = 4 * WIDTH;

/// A game between two pieces.
#[derive(Clone, Debug)]
pub struct PieceGame {
    rules: Rules,
    state: RulesState,
    placements: Vec<Placement>,
    /// For each pose the highest placement that can be reached.
    poses: [Option<Placement>; POSES],
    /// Pieces placed.
    pub pieces: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Whether it is lost.
    pub is_over: bool,
}

#[derive(Clone, Debug)]
#[expect(
    clippy::large_enum_variant,
    reason = "games of one kind lie side by side; a box would cost each step a miss"
)]
enum RulesState {
    GameBoy { game: PlacementGame, dealer: Deal, keys: Keys },
    Classic(Classic),
}

/// Where pieces come from.
#[derive(Clone, Debug)]
enum Deal {
    /// The console's randomiser.
    Divider(CycleDiv<Xoshiro256PlusPlus>),
    /// The list that both ends of the link cable share.
    List(PieceList),
}

impl Dealer for Deal {
    fn deal(&mut self, active: Piece, preview: Piece) -> Piece {
        match self {
            Self::Divider(divider) => divider.deal(active, preview),
            Self::List(list) => list.deal(active, preview),
        }
    }
}

#[derive(Clone, Debug)]
struct Classic {
    board: Board,
    active: Piece,
    preview: Piece,
    score: u32,
    random: Xoshiro256PlusPlus,
}

impl Classic {
    fn draw(random: &mut Xoshiro256PlusPlus) -> Piece {
        Piece::from_index(random.random_range(0..Piece::COUNT))
    }
}

impl PieceGame {
    /// A game by these rules; those of the document are the Game Boy's here.
    pub fn new(rules: Rules, seed: u64) -> Self {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let state = match rules {
            Rules::GameBoy { setup, timing } => {
                let mut dealer = Deal::Divider(CycleDiv::new(random));
                let game = PlacementGame::new(setup, &mut dealer);
                RulesState::GameBoy { game, dealer, keys: Keys::new(timing) }
            }
            Rules::Classic { .. } | Rules::Document { .. } => {
                let (active, preview) = (Classic::draw(&mut random), Classic::draw(&mut random));
                RulesState::Classic(Classic { board: Board::EMPTY, active, preview, score: 0, random })
            }
        };
        Self::with_state(rules, state)
    }

    /// One end of the link cable, with the pieces of this list.
    pub fn versus(timing: Timing, pieces: PieceList) -> Self {
        let (setup, mut dealer) = (Setup::versus(), Deal::List(pieces));
        let game = PlacementGame::new(setup, &mut dealer);
        let state = RulesState::GameBoy { game, dealer, keys: Keys::new(timing) };
        Self::with_state(Rules::GameBoy { setup, timing }, state)
    }

    fn with_state(rules: Rules, state: RulesState) -> Self {
        let (placements, poses) = (Vec::new(), [None; POSES]);
        let mut game = Self { rules, state, placements, poses, pieces: 0, lines: 0, is_over: false };
        game.find_placements();
        game
    }

    /// The same rules from the start.
    pub fn restart(&mut self, seed: u64) {
        *self = Self::new(self.rules, seed);
    }

    fn find_placements(&mut self) {
        self.poses = [None; POSES];
        self.placements.clear();
        if self.is_over {
            return;
        }
        let active = self.active();
        match &mut self.state {
            RulesState::GameBoy { game, keys, .. } => {
                keys.set_speed(game.speed());
                keys.placements(&game.board, active, &mut self.placements);
            }
            RulesState::Classic(game) => drops(&game.board, active, MAX_ROWS as i32, &mut self.placements),
        }
        for &placement in &self.placements {
            let pose = &mut self.poses[pose(active, placement)];
            if pose.is_none_or(|other| other.row() < placement.row()) {
                *pose = Some(placement);
            }
        }
        self.is_over = self.placements.is_empty();
    }

    /// Where the piece can come to rest.
    pub fn placements(&self) -> &[Placement] {
        &self.placements
    }

    /// The placement of a pose, if it can be reached.
    pub fn at_pose(&self, pose: usize) -> Option<Placement> {
        self.poses.get(pose).copied().flatten()
    }

    /// Locks the piece in one of its placements: lines cleared and points gained.
    pub fn place(&mut self, placement: Placement) -> (u32, u32) {
        let (before, field) = (self.score(), self.field());
        let mut cleared = 0;
        match &mut self.state {
            RulesState::GameBoy { game, dealer, keys } => {
                let soft_drop_rows = keys.plan(placement).map_or(0, |plan| plan.soft_drop_rows);
                match game.place(placement, soft_drop_rows, dealer) {
                    PlacementOutcome::Cleared(lines) => cleared = lines,
                    PlacementOutcome::Over => self.is_over = true,
                }
            }
            RulesState::Classic(game) => {
                let shape = game.active.shape(placement.orientation());
                let (after, placed) = lock(&game.board, shape, placement, field);
                game.board = after;
                cleared = placed.lines;
                let level = ((self.lines + cleared) / 10).min(20) as u8;
                game.score = game.score.saturating_add(line_score(cleared, level));
                (game.active, game.preview) = (game.preview, Classic::draw(&mut game.random));
                self.is_over = game.board.height() > field.rows;
            }
        }
        self.pieces += 1;
        self.lines += cleared;
        self.find_placements();
        (cleared, self.score() - before)
    }

    /// The field's rules after a lock.
    pub fn field(&self) -> Field {
        match self.rules {
            Rules::Classic { rows, .. } => Field::classic(rows),
            Rules::GameBoy { .. } | Rules::Document { .. } => Field::GAME_BOY,
        }
    }

    /// Rows that are shown.
    pub fn rows(&self) -> usize {
        match self.rules {
            Rules::Classic { rows, .. } => rows as usize,
            Rules::GameBoy { .. } | Rules::Document { .. } => ROWS as usize,
        }
    }

    /// The locked cells.
    pub fn board(&self) -> &Board {
        match &self.state {
            RulesState::GameBoy { game, .. } => &game.board,
            RulesState::Classic(game) => &game.board,
        }
    }

    /// The piece to place.
    pub fn active(&self) -> Piece {
        match &self.state {
            RulesState::GameBoy { game, .. } => game.pieces.active,
            RulesState::Classic(game) => game.active,
        }
    }

    /// The piece that follows.
    pub fn preview(&self) -> Piece {
        match &self.state {
            RulesState::GameBoy { game, .. } => game.pieces.preview,
            RulesState::Classic(game) => game.preview,
        }
    }

    /// Points.
    pub fn score(&self) -> u32 {
        match &self.state {
            RulesState::GameBoy { game, .. } => game.score,
            RulesState::Classic(game) => game.score,
        }
    }

    /// The level shown.
    pub fn level(&self) -> u8 {
        match &self.state {
            RulesState::GameBoy { game, .. } => game.level,
            RulesState::Classic(_) => (self.lines / 10).min(20) as u8,
        }
    }

    /// Puts rows of rubble under the stack, as the other end of the link cable does.
    pub fn push_up(&mut self, count: u32, row: u16) {
        let field = self.field();
        match &mut self.state {
            RulesState::GameBoy { game, .. } => game.board.push_up(count, row, field.rows),
            RulesState::Classic(game) => game.board.push_up(count, row, field.rows),
        }
        self.find_placements();
    }

    /// The board as text, and the pieces.
    pub fn picture(&self) -> String {
        let board = self.board();
        let mut text = String::new();
        for row in (0..self.rows()).rev() {
            text.extend((0..WIDTH).map(|x| if board.is_filled(x, row) { '#' } else { '.' }));
            text.push('\n');
        }
        text + &format!("{} next {}\n", self.active().letter(), self.preview().letter())
    }
}

/// The number of a placement's pose.
fn pose(piece: Piece, placement: Placement) -> usize {
    let left = placement.x() + piece.shape(placement.orientation()).left as i32;
    placement.orientation() * WIDTH + left as usize
}

/// A game piece by piece.
///
/// >>> from gamebot.tetris import Game
/// >>> game = Game(seed=1)
/// >>> lines, points = game.place(game.placements()[0])
/// >>> game.pieces, game.is_over
/// (1, False)
#[pyclass(frozen, module = "gamebot.tetris")]
pub struct Game {
    /// Boxed: its board fills a cache line, and Python aligns its objects to less.
    state: Mutex<Box<PieceGame>>,
    /// How it came about, for pickling: rules and seed, then placements.
    made: (String, u8, bool, f64, u32, u64),
    played: Mutex<Vec<(usize, i32, i32)>>,
}

#[pymethods]
impl Game {
    #[new]
    #[pyo3(signature = (*, rules = "gameboy", level = 9, heart = false, press_ms = 75.0, rows = 20, seed = 1))]
    fn new(rules: &str, level: u8, heart: bool, press_ms: f64, rows: u32, seed: u64) -> PyResult<Self> {
        if rules == "document" {
            return Err(value_error("a game has the rules gameboy or classic"));
        }
        let game = PieceGame::new(self::rules(rules, level, heart, press_ms, rows, true)?, seed);
        let made = (rules.to_owned(), level, heart, press_ms, rows, seed);
        Ok(Self { state: Mutex::new(Box::new(game)), made, played: Mutex::new(Vec::new()) })
    }

    /// Where the piece can come to rest; none when the game is lost.
    fn placements(&self) -> Vec<PyPlacement> {
        self.with(|game| game.placements().iter().copied().map(PyPlacement).collect())
    }

    /// Locks the piece at one of its placements; returns lines cleared and points gained.
    fn place(&self, placement: &PyPlacement) -> PyResult<(u32, u32)> {
        let at = placement.0;
        let placed = self.with(|game| game.placements().contains(&at).then(|| game.place(at)));
        let refused = || value_error("the piece cannot come to rest there: choose one of placements()");
        let placed = placed.ok_or_else(refused)?;
        let mut played = self.played.lock().unwrap_or_else(PoisonError::into_inner);
        played.push((at.orientation(), at.x(), at.row()));
        Ok(placed)
    }

    /// The locked cells.
    #[getter]
    fn board(&self) -> PyBoard {
        self.with(|game| PyBoard::new(game.board()))
    }

    /// The piece to place.
    #[getter]
    fn active(&self) -> char {
        self.with(|game| game.active().letter())
    }

    /// The piece that follows.
    #[getter]
    fn preview(&self) -> char {
        self.with(|game| game.preview().letter())
    }

    /// Points.
    #[getter]
    fn score(&self) -> u32 {
        self.with(|game| game.score())
    }

    /// Lines cleared.
    #[getter]
    fn lines(&self) -> u32 {
        self.with(|game| game.lines)
    }

    /// The level shown.
    #[getter]
    fn level(&self) -> u8 {
        self.with(|game| game.level())
    }

    /// Pieces placed.
    #[getter]
    fn pieces(&self) -> u32 {
        self.with(|game| game.pieces)
    }

    /// Whether the game is lost.
    #[getter]
    fn is_over(&self) -> bool {
        self.with(|game| game.is_over)
    }

    fn __repr__(&self) -> String {
        self.with(|game| game.picture()).trim_end().to_owned()
    }

    /// A game is pickled as its rules, its seed and what was played.
    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let played = self.played.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let again = py.get_type::<Self>().getattr("_again")?;
        Ok((again, (self.made.clone(), played)).into_pyobject(py)?.into_any())
    }

    /// The game that was pickled.
    #[staticmethod]
    fn _again(made: (String, u8, bool, f64, u32, u64), played: Vec<(usize, i32, i32)>) -> PyResult<Self> {
        let (rules, level, heart, press_ms, rows, seed) = made;
        let game = Self::new(&rules, level, heart, press_ms, rows, seed)?;
        for (orientation, x, row) in played {
            game.place(&PyPlacement(Placement::new(orientation, x, row)))?;
        }
        Ok(game)
    }
}

impl Game {
    fn with<T>(&self, work: impl FnOnce(&mut PieceGame) -> T) -> T {
        work(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
