//! A player's thought: where the piece can go, what each place is worth, and why the best one is (P2, P3).

use budget::Budget;
use serde::{Deserialize, Serialize};
use tetris::evaluate::{Evaluator, Learned, Situation};
use tetris::gameboy::{SPAWN_ROW, SPAWN_X, draw_probabilities, speed};
use tetris::reach::Timing;
use tetris::search::{Chance, Depth, Keys, LOST, Search};
use tetris::{Board, Piece, Placement};

use super::choices::RulesName;
use super::evaluate::{Feature, PlayerName};
use super::field::Field;
use super::paths::{Press, Reached, Start, reachable};
use super::session::{Falling, Session, cells_of};

/// Places that are told: enough to draw, few enough to look at.
const TOLD: usize = 8;
/// Places that our learned player thinks further about.
const DEEPENED: usize = 6;

/// The most frames from row to row, or from press to press.
const SLOWEST: u32 = 600;

/// What a player is told: all that can be seen on the screen, as a page sends it to its worker.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scene {
    rules: RulesName,
    rows: u32,
    columns: Vec<u64>,
    piece: char,
    orientation: usize,
    x: i32,
    row: i32,
    next: char,
    frames_per_row: u32,
    speed: u8,
    period: u32,
}

/// One place for the piece.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// The cells that it would fill, as column and row.
    pub cells: Vec<(i32, i32)>,
    /// What the player thinks of it; higher is better.
    pub value: f32,
    /// Orientation, column and row of the piece's box.
    pub orientation: usize,
    /// See `orientation`.
    pub x: i32,
    /// See `orientation`.
    pub row: i32,
    /// The way there.
    pub presses: Vec<Press>,
    /// Whether the presses may come in any row.
    pub direct: bool,
}

impl Candidate {
    /// The same as the rules' own type.
    pub fn placement(&self) -> Placement {
        Placement::new(self.orientation, self.x, self.row)
    }
}

/// What a player thinks.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Thought {
    /// The best places, the chosen one first.
    pub candidates: Vec<Candidate>,
    /// What the player looks at, after the chosen move.
    pub features: Vec<Feature>,
    /// Places that were compared.
    pub places: usize,
}

impl Scene {
    /// What can be seen of a game; nothing while no piece falls. `pace_ms` is the time from press to press.
    pub fn of(session: &Session, pace_ms: u32) -> Option<Scene> {
        let falling = session.falling()?;
        let (field, choices) = (session.field(), session.choices());
        Some(Scene {
            rules: choices.rules,
            rows: field.height(),
            columns: field.columns().to_vec(),
            piece: falling.piece.letter(),
            orientation: falling.orientation,
            x: falling.x,
            row: falling.row,
            next: session.next().0.letter(),
            frames_per_row: session.frames_per_row(),
            speed: speed(session.level(), choices.heart),
            period: period(pace_ms, session.frames_per_row()),
        })
    }

    /// Frames from press to press.
    pub fn period(&self) -> u32 {
        self.period
    }

    /// Board, falling piece and next piece for players that know ten columns; nothing if there are more or fewer, or more
    /// rows than a [`Board`] holds.
    pub fn as_board(&self) -> Option<(Board, Piece, Piece)> {
        let field =
            Field::of_columns(&self.columns, self.rows, self.rules).filter(|field| field.height() < 32)?;
        Some((field.to_board()?, Piece::from_letter(self.piece)?, Piece::from_letter(self.next)?))
    }

    /// Where the piece is; nothing if it is nowhere near the field. A scene may come from a stranger.
    fn start(&self) -> Option<Start> {
        let (width, rows) = (self.columns.len().min(64) as i32, self.rows.min(64) as i32);
        let is_near = (-4..=width).contains(&self.x) && (-4..=rows + 4).contains(&self.row);
        is_near.then_some(())?;
        Some(Start {
            piece: Piece::from_letter(self.piece)?,
            orientation: self.orientation,
            x: self.x,
            row: self.row,
            frames_per_row: self.frames_per_row.min(SLOWEST),
            period: self.period.min(SLOWEST),
        })
    }
}

/// Frames from press to press: the pace asked for, but quick enough to cross the field while the piece falls.
pub(super) fn period(pace_ms: u32, frames_per_row: u32) -> u32 {
    let asked = pace_ms.min(5_000) * 60 / 1_000;
    asked.min(frames_per_row * 8 / 5).max(2)
}

/// Thinks about the scene; nothing if the piece has nowhere to go.
pub fn think(scene: &Scene, player: PlayerName) -> Option<Thought> {
    let start = scene.start()?;
    let next = Piece::from_letter(scene.next)?;
    let field = Field::of_columns(&scene.columns, scene.rows, scene.rules)?;
    let reached = reachable(&field, start, scene.rules);
    let places = reached.len();
    let judge = Judge { field: &field, piece: start.piece, next, rules: scene.rules, player };
    let mut judged: Vec<(f32, Reached)> = match (player, scene.rules, field.to_board()) {
        (PlayerName::Ours, RulesName::Gameboy, Some(board)) => {
            Deep::new(scene, &board, next).judge(start.piece, reached)
        }
        _ => reached.into_iter().map(|reached| (judge.value(&reached), reached)).collect(),
    };
    // Of equal values the one with fewer presses, which was found first.
    judged.sort_by(|a, b| b.0.total_cmp(&a.0));
    let best = &judged.first()?.1;
    let (after, placed) = field.locked(start.piece.shape(best.orientation), best.x, best.row);
    let features = player.features(&placed, &after.features());
    let candidates =
        judged.into_iter().take(TOLD).map(|(value, reached)| candidate(start.piece, value, reached));
    Some(Thought { candidates: candidates.collect(), features, places })
}

fn candidate(piece: Piece, value: f32, reached: Reached) -> Candidate {
    let Reached { orientation, x, row, presses, direct } = reached;
    let cells = cells_of(Falling { piece, orientation, x, row }).collect();
    Candidate { cells, value, orientation, x, row, presses, direct }
}

/// Judges places by features alone, with the next piece where the player looks ahead.
struct Judge<'a> {
    field: &'a Field,
    piece: Piece,
    next: Piece,
    rules: RulesName,
    player: PlayerName,
}

impl Judge<'_> {
    fn value(&self, reached: &Reached) -> f32 {
        let shape = self.piece.shape(reached.orientation);
        let (after, placed) = self.field.locked(shape, reached.x, reached.row);
        let moved = self.player.move_value(&placed) + self.penalty(reached);
        if !self.player.looks_ahead() {
            return moved + self.player.board_value(&after.features());
        }
        let reply = |(orientation, x, row): (usize, i32, i32)| {
            let (last, placed) = after.locked(self.next.shape(orientation), x, row);
            self.player.move_value(&placed) + self.player.board_value(&last.features())
        };
        moved + after.drops(self.next).into_iter().map(reply).fold(LOST, f32::max)
    }

    /// Locking where pieces appear ends the game, or nearly.
    fn penalty(&self, reached: &Reached) -> f32 {
        let ends = match self.rules {
            RulesName::Gameboy => (reached.x, reached.row) == (SPAWN_X, SPAWN_ROW),
            RulesName::Classic => {
                let shape = self.piece.shape(reached.orientation);
                reached.row + (shape.bottom + shape.height) as i32 > self.field.height() as i32 - 2
            }
        };
        if ends { LOST } else { 0.0 }
    }
}

/// Our learned player: expected values over the piece after the next.
struct Deep<'a> {
    board: &'a Board,
    next: Piece,
    one: Search<Learned, Keys>,
    two: Search<Learned, Keys>,
}

impl<'a> Deep<'a> {
    fn new(scene: &Scene, board: &'a Board, next: Piece) -> Self {
        let timing = Timing { period: scene.period, reaction: scene.period, parallel: false };
        let mut keys = Keys::new(timing);
        keys.set_speed(scene.speed);
        let mut learned = Learned::ours();
        let (speed, maxed_out) = (scene.speed, false);
        let situation = Situation { board, active: next, preview: next, speed, timing, maxed_out };
        learned.prepare(&situation);
        let field = tetris::field::Field::GAME_BOY;
        let search = |depth| Search::new(learned.clone(), keys.clone(), field, depth, Chance::GameBoy);
        Deep { board, next, one: search(Depth::One), two: search(Depth::Two) }
    }

    fn judge(mut self, piece: Piece, reached: Vec<Reached>) -> Vec<(f32, Reached)> {
        let mut judged: Vec<_> =
            reached.into_iter().map(|place| (self.shallow(piece, &place), place)).collect();
        judged.sort_by(|a, b| b.0.total_cmp(&a.0));
        judged.truncate(DEEPENED);
        for (value, place) in &mut judged {
            *value = self.deep(piece, place);
        }
        judged
    }

    fn after(&self, piece: Piece, place: &Reached) -> (Board, f32) {
        let (shape, target) = (piece.shape(place.orientation), place.placement());
        let (after, placed) =
            tetris::features::lock(self.board, shape, target, tetris::field::Field::GAME_BOY);
        let lost = if (place.x, place.row) == (SPAWN_X, SPAWN_ROW) { LOST } else { 0.0 };
        (after, self.one.evaluator.move_value(&placed) + lost)
    }

    fn shallow(&mut self, piece: Piece, place: &Reached) -> f32 {
        let (after, moved) = self.after(piece, place);
        let reply = self.one.decide(&after, self.next, self.next, &Budget::unlimited());
        moved + reply.map_or(LOST, |reply| reply.value)
    }

    fn deep(&mut self, piece: Piece, place: &Reached) -> f32 {
        let (after, moved) = self.after(piece, place);
        let unseen = draw_probabilities(piece, self.next);
        let mut expected = moved;
        for (index, probability) in unseen.into_iter().enumerate() {
            let reply = self.two.decide(&after, self.next, Piece::from_index(index), &Budget::unlimited());
            expected += probability as f32 * reply.map_or(LOST, |reply| reply.value);
        }
        expected
    }
}

/// A place and the board that it leads to, for evaluators from outside.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// The place; its value is 0.
    pub plan: Candidate,
    /// The columns after it as bits.
    pub columns: Vec<u64>,
    /// Lines cleared by it.
    pub lines: u32,
    /// Twice the row of the piece's centre.
    pub landing_height_doubled: i32,
}

/// Every place the piece can reach.
pub fn places(scene: &Scene) -> Vec<Place> {
    let start = scene.start();
    let field = Field::of_columns(&scene.columns, scene.rows, scene.rules);
    let (Some(start), Some(field)) = (start, field) else { return Vec::new() };
    let place = |reached: Reached| {
        let (after, placed) = field.locked(start.piece.shape(reached.orientation), reached.x, reached.row);
        Place {
            plan: candidate(start.piece, 0.0, reached),
            columns: after.columns().to_vec(),
            lines: placed.lines,
            landing_height_doubled: placed.landing_height_doubled,
        }
    };
    reachable(&field, start, scene.rules).into_iter().map(place).collect()
}
