//! A game in a window: what clicks do to it, how it moves, and the truth that no player sees.

use std::time::Duration;

use engine::{Picture, Time};
use rand_xoshiro::rand_core::SeedableRng;
use samegame::board::{Board, BoardError, CellGroup};
use samegame::random::{Random, below, random_board, solvable_board, unit};
use samegame::rules::Orientation;
use samegame::scoring::Scoring;
use serde::Serialize;

use super::habits::{Habits, Hover, NextRound, Supply};
use super::motion::Motion;
use super::scene::{Around, Overlay, Scene, Sprite, sprites};

/// What became of the rounds: the truth that no player sees.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Rounds that ended with an empty board.
    pub cleared: u32,
    /// Rounds that ended with tiles left.
    pub stuck: u32,
    /// Clicks that hit a tile.
    pub clicks: u32,
    /// Clicks that hit no cell of the board, and no button that was offered.
    pub missed: u32,
    /// Clicks that the game lost on purpose.
    pub lost: u32,
    /// Points by the usual count.
    pub points: i32,
}

/// The game.
#[derive(Debug)]
pub struct Game {
    habits: Habits,
    scene: Scene,
    board: Board,
    marked: Option<CellGroup>,
    /// The move that is shown, when it began, and where its points pop up.
    moving: Option<(Motion, Time)>,
    pop_up: Option<PopUp>,
    /// When the next round begins, once this one is over; never, if a button is waited for.
    over: Option<Over>,
    /// Moves of this round.
    moves: u32,
    pointer: Option<(f64, f64)>,
    random: Random,
    tally: Tally,
}

#[derive(Clone, Copy, Debug)]
struct PopUp {
    points: i32,
    at: (f64, f64),
    since: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Over {
    NextAt(Time),
    WaitsForButton,
}

/// How long another window covers the game.
const COVERED: Duration = Duration::from_secs(2);
/// How long points are shown.
const POP_UP: Duration = Duration::from_millis(600);
/// Moves of a round that is supplied with new tiles.
const MOVES_WITH_SUPPLY: u32 = 25;

impl Game {
    /// The first round of a game; an error if its size is not allowed.
    pub fn new(habits: Habits) -> Result<Self, BoardError> {
        let mut random = Random::seed_from_u64(habits.seed);
        let scene = Scene::new(habits.look, habits.size, habits.colours, Around::Window, habits.seed);
        let board = deal(&habits, &mut random)?;
        Ok(Self {
            habits,
            scene,
            board,
            marked: None,
            moving: None,
            pop_up: None,
            over: None,
            moves: 0,
            pointer: None,
            random,
            tally: Tally::default(),
        })
    }

    /// How it behaves.
    pub fn habits(&self) -> &Habits {
        &self.habits
    }

    /// What became of the rounds so far.
    pub fn tally(&self) -> &Tally {
        &self.tally
    }

    /// The board as it stands.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Whether the round is over and the next one has not begun.
    pub fn is_over(&self) -> bool {
        self.over.is_some()
    }

    /// Pixels of the window.
    pub fn size(&self) -> (u32, u32) {
        self.scene.size()
    }

    /// Whether the picture changes by itself at this moment.
    pub fn is_moving(&mut self, now: Time) -> bool {
        self.advance(now);
        self.moving.is_some()
            || self.pop_up.is_some()
            || matches!(self.over, Some(Over::NextAt(_)))
            || !self.habits.covered_every.is_zero()
    }

    /// The window's picture at this moment.
    pub fn picture(&mut self, now: Time) -> Picture {
        self.advance(now);
        let mut tiles: Vec<Sprite> = match &self.moving {
            Some((motion, began)) => {
                let length = self.habits.animation.as_secs_f64().max(1e-9);
                motion.sprites(now.since(*began).as_secs_f64() / length)
            }
            None => sprites(&self.board),
        };
        if self.moving.is_none() {
            self.light_up(&mut tiles);
        }
        let mut overlays = Vec::new();
        if let Some(PopUp { points, at, since }) = self.pop_up {
            let rise = now.since(since).as_secs_f64() / POP_UP.as_secs_f64();
            overlays.push(Overlay::PopUp { points, at: (at.0, at.1 + rise) });
        }
        if self.over == Some(Over::WaitsForButton) && self.habits.next_round == NextRound::Dialog {
            overlays.push(Overlay::Dialog);
        }
        if self.is_covered(now) {
            overlays.push(Overlay::Cover);
        }
        self.scene.paint(&tiles, &overlays)
    }

    /// The pointer is here now, or nowhere over the window.
    pub fn point(&mut self, place: Option<(f64, f64)>) {
        self.pointer = place;
    }

    /// A click at a place of the picture.
    pub fn click(&mut self, x: f64, y: f64, now: Time) {
        self.advance(now);
        self.pointer = Some((x, y));
        if self.over == Some(Over::WaitsForButton) && self.is_button(x, y) {
            self.begin_round();
            return;
        }
        let Some((column, row)) = self.scene.cell_at(x, y) else {
            self.tally.missed += 1;
            return;
        };
        self.tally.clicks += 1;
        if self.moving.is_some() || self.over.is_some() || self.is_covered(now) {
            return;
        }
        if unit(&mut self.random) < self.habits.lost_clicks {
            self.tally.lost += 1;
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
        self.remove(&group, (column, row), now);
    }

    /// A key: N begins a new round where rounds wait for it.
    pub fn press_n(&mut self) {
        if self.over == Some(Over::WaitsForButton) {
            self.begin_round();
        }
    }

    fn remove(&mut self, group: &CellGroup, clicked: (usize, usize), now: Time) {
        let without = self.board.without(group, self.habits.rules.orientation);
        let next = self.supplied(without);
        let motion = Motion::new(&self.board, group, &next, self.habits.bounce);
        self.board = next;
        self.moving = Some((motion, now));
        self.moves += 1;
        let points = Scoring::default().group.of(group.cells.len() as u32);
        self.tally.points += points;
        if self.habits.pop_ups {
            let at = (clicked.0 as f64, clicked.1 as f64);
            self.pop_up = Some(PopUp { points, at, since: now });
        }
        let endless = self.habits.supply != Supply::Nothing;
        if self.board.groups(self.habits.rules.min_group()).is_empty()
            || (endless && self.moves >= MOVES_WITH_SUPPLY)
        {
            let cleared = self.board.cells() == 0;
            *(if cleared { &mut self.tally.cleared } else { &mut self.tally.stuck }) += 1;
            self.over = Some(match self.habits.next_round {
                NextRound::Itself => Over::NextAt(now + self.habits.animation + self.habits.new_round_after),
                NextRound::Dialog | NextRound::Button => Over::WaitsForButton,
            });
        }
    }

    /// The board with what comes after tiles that went.
    fn supplied(&mut self, board: Board) -> Board {
        let colours = u32::from(self.habits.colours);
        let mut tile = || 1 + below(&mut self.random, colours) as u8;
        let mut columns = board.columns().to_vec();
        match self.habits.supply {
            Supply::Nothing => return board,
            Supply::Refill => {
                for cell in columns.iter_mut().flatten().filter(|cell| **cell == 0) {
                    *cell = tile();
                }
            }
            Supply::Columns => {
                for column in columns.iter_mut().filter(|column| column[0] == 0) {
                    for cell in column {
                        *cell = tile();
                    }
                }
            }
        }
        // Columns were filled from the bottom, so they are a board.
        Board::from_columns(columns).unwrap_or(board)
    }

    /// Draws marked tiles and those under the pointer as the game does.
    fn light_up(&self, tiles: &mut [Sprite]) {
        let under = self.pointer.and_then(|(x, y)| self.scene.cell_at(x, y)).and_then(|cell| {
            let mut groups = self.board.groups(self.habits.rules.min_group()).into_iter();
            groups.find(|group| group.cells.contains(&cell))
        });
        for tile in tiles {
            let cell = (tile.column as usize, tile.row as usize);
            if under.as_ref().is_some_and(|group| group.cells.contains(&cell)) {
                match self.habits.hover {
                    Hover::Nothing => {}
                    Hover::Brighten => tile.lighter = 0.25,
                    Hover::Enlarge => tile.scale = 1.12,
                }
            }
            if self.marked.as_ref().is_some_and(|group| group.cells.contains(&cell)) {
                tile.lighter = 0.45;
            }
        }
    }

    fn is_button(&self, x: f64, y: f64) -> bool {
        match self.habits.next_round {
            NextRound::Itself => false,
            NextRound::Dialog => self.scene.dialog_button().contains(x, y),
            NextRound::Button => self.scene.new_game_button().contains(x, y),
        }
    }

    fn advance(&mut self, now: Time) {
        if self.moving.as_ref().is_some_and(|(_, began)| *began + self.habits.animation <= now) {
            self.moving = None;
        }
        if self.pop_up.is_some_and(|pop_up| pop_up.since + POP_UP <= now) {
            self.pop_up = None;
        }
        if let Some(Over::NextAt(begins)) = self.over
            && begins <= now
        {
            self.begin_round();
        }
    }

    fn begin_round(&mut self) {
        self.over = None;
        self.moves = 0;
        self.moving = None;
        self.marked = None;
        // The first round had the same size, so this one can be dealt as well.
        if let Ok(board) = deal(&self.habits, &mut self.random) {
            self.board = board;
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
    // The orientation does not matter: a solution holds for all of them.
    let rules = habits.rules.closing(Orientation::Left);
    match solvable_board(columns, rows, habits.colours, &rules, random) {
        Ok((board, _)) => Ok(board),
        Err(_) => random_board(columns, rows, habits.colours, random),
    }
}
