//! A game in a window: what clicks do to it, how it moves, and what goes wrong.

use std::time::Duration;

use engine::{Picture, Time};
use rand_xoshiro::rand_core::SeedableRng;
use samegame::board::{Board, BoardError, CellGroup};
use samegame::random::{Random, random_board, solvable_board, unit};
use samegame::rules::Rules;

use super::look::LookName;
use super::scene::{Around, Scene, Sprite, sprites};

/// How a game behaves.
#[derive(Clone, Debug)]
pub struct Habits {
    /// What it looks like.
    pub look: LookName,
    /// Columns and rows.
    pub size: (usize, usize),
    /// Colours.
    pub colours: u8,
    /// Smallest group, and where columns go.
    pub rules: Rules,
    /// Clicks for one move: with two, the first marks the group.
    pub clicks: u8,
    /// How long tiles take to vanish and fall.
    pub animation: Duration,
    /// Pause before the next round begins.
    pub new_round_after: Duration,
    /// Share of clicks that have no effect.
    pub lost_clicks: f64,
    /// Time between two windows that cover the game for two seconds; zero for none.
    pub covered_every: Duration,
    /// Random seed.
    pub seed: u64,
}

/// What became of the rounds: the truth that no player sees.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Rounds that ended with an empty board.
    pub cleared: u32,
    /// Rounds that ended with tiles left.
    pub stuck: u32,
    /// Clicks that hit a tile.
    pub clicks: u32,
    /// Clicks that hit none.
    pub missed: u32,
}

/// The game.
#[derive(Debug)]
pub struct Game {
    habits: Habits,
    scene: Scene,
    board: Board,
    marked: Option<CellGroup>,
    /// The board before the move that is shown, and when its animation ends.
    moving: Option<(Board, CellGroup, Time)>,
    /// When the next round begins, once this one is over.
    next_round: Option<Time>,
    random: Random,
    tally: Tally,
}

/// How long another window covers the game.
const COVERED: Duration = Duration::from_secs(2);

impl Game {
    /// The first round of a game; an error if its size is not allowed.
    pub fn new(habits: Habits) -> Result<Self, BoardError> {
        let mut random = Random::seed_from_u64(habits.seed);
        let scene = Scene::new(habits.look, habits.size, habits.colours, Around::Window, habits.seed);
        let board = deal(&habits, &mut random)?;
        let (marked, moving, next_round, tally) = (None, None, None, Tally::default());
        Ok(Self { habits, scene, board, marked, moving, next_round, random, tally })
    }

    /// What became of the rounds so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The board as it stands.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The window's picture at this moment.
    pub fn picture(&mut self, now: Time) -> Picture {
        self.advance(now);
        let marked = |column: usize, row: usize| {
            self.marked.as_ref().is_some_and(|group| group.cells.contains(&(column, row)))
        };
        let mut tiles: Vec<Sprite> = match &self.moving {
            // While it moves, the group shrinks; the others fall at the end.
            Some((before, group, end)) => {
                let left = end.since(now).as_secs_f64() / self.habits.animation.as_secs_f64().max(1e-9);
                let mut tiles = sprites(before);
                for tile in &mut tiles {
                    if group.cells.contains(&(tile.column as usize, tile.row as usize)) {
                        tile.scale = left.clamp(0.05, 1.0);
                    }
                }
                tiles
            }
            None => sprites(&self.board),
        };
        for tile in &mut tiles {
            if self.moving.is_none() && marked(tile.column as usize, tile.row as usize) {
                tile.lighter = 0.45;
            }
        }
        self.scene.paint(&tiles, self.is_covered(now))
    }

    /// A click at a place of the picture.
    pub fn click(&mut self, x: f64, y: f64, now: Time) {
        self.advance(now);
        let Some((column, row)) = self.scene.cell_at(x, y) else {
            self.tally.missed += 1;
            return;
        };
        self.tally.clicks += 1;
        let lost = unit(&mut self.random) < self.habits.lost_clicks;
        if lost || self.moving.is_some() || self.is_covered(now) {
            return;
        }
        let groups = self.board.groups(self.habits.rules.min_group());
        let Some(group) = groups.into_iter().find(|group| group.cells.contains(&(column, row))) else {
            self.marked = None;
            return;
        };
        if self.habits.clicks > 1 && self.marked.as_ref() != Some(&group) {
            self.marked = Some(group);
            return;
        }
        self.marked = None;
        let next = self.board.without(&group, self.habits.rules.orientation);
        let before = std::mem::replace(&mut self.board, next);
        self.moving = Some((before, group, now + self.habits.animation));
        if self.board.groups(self.habits.rules.min_group()).is_empty() {
            let cleared = self.board.cells() == 0;
            *(if cleared { &mut self.tally.cleared } else { &mut self.tally.stuck }) += 1;
            self.next_round = Some(now + self.habits.animation + self.habits.new_round_after);
        }
    }

    fn advance(&mut self, now: Time) {
        if self.moving.as_ref().is_some_and(|(.., end)| *end <= now) {
            self.moving = None;
        }
        if self.next_round.is_some_and(|begins| begins <= now) {
            self.next_round = None;
            // The first round had the same size, so this one can be dealt as well.
            if let Ok(board) = deal(&self.habits, &mut self.random) {
                self.board = board;
            }
        }
    }

    /// Whether another window is in front at this moment.
    fn is_covered(&self, now: Time) -> bool {
        let every = self.habits.covered_every.as_nanos();
        every > 0 && now.elapsed().as_nanos() % every + COVERED.as_nanos() > every
    }
}

/// A board that can be cleared, where one is found.
fn deal(habits: &Habits, random: &mut Random) -> Result<Board, BoardError> {
    let (columns, rows) = habits.size;
    match solvable_board(columns, rows, habits.colours, &habits.rules, random) {
        Ok((board, _)) => Ok(board),
        Err(_) => random_board(columns, rows, habits.colours, random),
    }
}
