//! Which placements key presses can reach before the piece has fallen too far (G+).
//!
//! A frame-by-frame search over sets: the box columns of each orientation are one
//! 16-bit set, and all states of a frame are in the same row, because gravity is
//! the same for all; so one pass over a few masks advances all of them. Slides
//! under overhangs and late turns are found like any other move.
//!
//! ```text
//!  bit   0 1 2   3 4 … 12   13 14 15
//!        wall    columns    wall        box column x is bit x + 3
//! ```

mod plan;

use crate::board::{Board, WIDTH};
use crate::gameboy::{SPAWN_ROW, SPAWN_X, frames_in_ms, frames_per_row};
use crate::moves::Placement;
use crate::piece::Piece;
pub use plan::{KeyPlan, Press};

/// How fast a player can press keys, in frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timing {
    /// Frames from one press to the next, including the pause; at least 2.
    pub period: u32,
    /// Frames before the first press.
    pub reaction: u32,
    /// Whether a turn and a shift can be pressed at the same time.
    pub parallel: bool,
}

impl Timing {
    /// Presses that take `press_ms` milliseconds each; turns and shifts at the same time.
    pub fn from_ms(press_ms: f64) -> Timing {
        Timing { period: frames_in_ms(press_ms), reaction: 0, parallel: true }
    }
}

/// A piece in the air, from where a search begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start {
    /// Quarter turns from the spawn shape.
    pub orientation: usize,
    /// Field column of the box's left column.
    pub x: i32,
    /// Field row of the box's lowest row.
    pub row: i32,
    /// Frames in this row after the next one: 0 if it falls right after the next frame's keys.
    pub until_fall: u32,
}

impl Start {
    /// A piece that has just appeared, at this many frames a row.
    pub const fn spawn(frames_per_row: u32) -> Start {
        Start { orientation: 0, x: SPAWN_X, row: SPAWN_ROW, until_fall: frames_per_row - 1 }
    }
}

/// Number of rows with masks: box rows −2 to 21.
const MASKS: usize = 24;
const ROW_OFFSET: i32 = 2;
/// Longest period, in frames.
const MAX_PERIOD: usize = 64;
const COLUMN_OFFSET: i32 = 3;
const WALLS: u16 = 0b1110_0000_0000_0111;

type Masks = [u16; MASKS];

/// The reachable placements of one piece on one board.
#[derive(Clone, Debug)]
pub struct Reach {
    piece: Piece,
    timing: Timing,
    start: Start,
    /// Frames before the first press: those of the timing, none for a piece in the air.
    reaction: u32,
    frames_per_row: u32,
    /// Per orientation and row: the box columns in which the piece collides with nothing.
    free: [Masks; 4],
    /// Per orientation and row: the box columns in which it can rest.
    resting: [Masks; 4],
    /// New states by frame, from which [`Reach::plan`] finds the keys.
    log: Vec<(u32, [u16; 4])>,
}

impl Reach {
    /// An empty result; fill it with [`Reach::search`], again and again.
    pub fn new(timing: Timing) -> Reach {
        Reach {
            piece: Piece::L,
            // A key must be released between two presses; slower than a second is not supported.
            timing: Timing { period: timing.period.clamp(2, MAX_PERIOD as u32), ..timing },
            start: Start::spawn(1),
            reaction: timing.reaction,
            frames_per_row: 1,
            free: [[0; MASKS]; 4],
            resting: [[0; MASKS]; 4],
            log: Vec::new(),
        }
    }

    /// Finds where `piece` can come to rest when it falls at this speed level.
    ///
    /// ```
    /// use tetris::reach::{Reach, Timing};
    /// use tetris::{Board, Piece, Placement};
    ///
    /// let board = Board::parse(
    ///     "##........\n\
    ///      ..........\n\
    ///      ..........",
    /// )?;
    /// let mut reach = Reach::new(Timing::from_ms(75.0));
    /// reach.search(&board, Piece::O, 9);
    /// let mut placements = Vec::new();
    /// reach.placements(&mut placements);
    /// // The square slides under the overhang in the left corner.
    /// let corner = Placement::new(0, -1, 0);
    /// assert!(placements.contains(&corner));
    /// let plan = reach.plan(corner).expect("every placement found has a plan");
    /// assert!(!plan.presses.is_empty());
    /// # Ok::<(), tetris::board::DrawingError>(())
    /// ```
    pub fn search(&mut self, board: &Board, piece: Piece, speed: u8) {
        let start = Start::spawn(u32::from(frames_per_row(speed)));
        self.reaction = self.timing.reaction;
        self.search_with(board, piece, speed, start);
    }

    /// The same for a piece that is in the air already and can be moved from the next frame on; the keys'
    /// frames count from there.
    pub fn search_from(&mut self, board: &Board, piece: Piece, speed: u8, start: Start) {
        self.reaction = 0;
        self.search_with(board, piece, speed, start);
    }

    fn search_with(&mut self, board: &Board, piece: Piece, speed: u8, start: Start) {
        self.piece = piece;
        self.frames_per_row = u32::from(frames_per_row(speed));
        let until_fall = start.until_fall.min(self.frames_per_row - 1);
        let orientation = start.orientation % piece.orientations();
        self.start = Start { orientation, until_fall, row: start.row.min(SPAWN_ROW), ..start };
        self.log.clear();
        self.fill_free(board);
        match piece.orientations() {
            1 => self.spread::<1>(),
            2 => self.spread::<2>(),
            _ => self.spread::<4>(),
        }
    }

    fn fill_free(&mut self, board: &Board) {
        let rows = filled_rows(board);
        for orientation in 0..self.piece.orientations() {
            let mut blocked: Masks = [0; MASKS];
            for (column, row) in self.piece.shape(orientation).cells() {
                for i in 0..MASKS - 4 {
                    blocked[i] |= rows[i + row] >> column;
                }
            }
            self.free[orientation] = blocked.map(|mask| !mask);
        }
    }

    fn spread<const N: usize>(&mut self) {
        let Timing { period, parallel, .. } = self.timing;
        let reaction = self.reaction;
        let mut present = [[0u16; MASKS]; N];
        // States that may press now, all states in the air, and states waiting for their next press.
        let mut ready = [0u16; N];
        let mut alive;
        let mut waiting = [[0u16; N]; MAX_PERIOD];
        let mut last_new = 0;
        let start = self.start;
        let column = u32::try_from(start.x + COLUMN_OFFSET).unwrap_or(0).min(u16::BITS - 1);
        ready[start.orientation] = 1 << column;
        alive = ready;
        self.log.push((0, widen(ready)));

        let mut row = (start.row + ROW_OFFSET).max(1) as usize;
        let mut frame = 0;
        let mut next_fall = start.until_fall + 1;
        loop {
            if frame == next_fall {
                next_fall += self.frames_per_row;
                row -= 1;
                let mut any = 0;
                for o in 0..N {
                    let free = self.free[o][row];
                    ready[o] &= free;
                    alive[o] &= free;
                    any |= alive[o];
                    for set in &mut waiting[..period as usize] {
                        set[o] &= free;
                    }
                }
                if any == 0 || row == 0 {
                    break;
                }
            }
            let slot = (frame % period) as usize;
            let matured = waiting[slot];
            let mut new = [0u16; N];
            let mut any_new = 0;
            for o in 0..N {
                ready[o] |= matured[o];
            }
            if frame >= reaction {
                for o in 0..N {
                    let free = self.free[o][row];
                    let turned =
                        if N == 1 { 0 } else { (ready[(o + 1) % N] | ready[(o + N - 1) % N]) & free };
                    let base = if parallel { ready[o] | turned } else { ready[o] };
                    new[o] = (turned | ((base << 1 | base >> 1) & free)) & !alive[o];
                    any_new |= new[o];
                }
            }
            for o in 0..N {
                alive[o] |= new[o];
                present[o][row] |= alive[o];
            }
            waiting[slot] = new;
            if any_new != 0 {
                self.log.push((frame, widen(new)));
                last_new = frame;
                frame += 1;
            } else if frame > last_new + period && frame >= reaction {
                // No state is waiting, and nothing new can happen in this row.
                frame = next_fall;
            } else {
                frame += 1;
            }
        }
        self.let_fall::<N>(&present);
    }

    /// Lets the piece fall straight down from every state to where it rests.
    fn let_fall<const N: usize>(&mut self, present: &[Masks; N]) {
        for (o, present) in present.iter().enumerate() {
            let mut falling = 0;
            for row in (1..=(SPAWN_ROW + ROW_OFFSET) as usize).rev() {
                falling = (falling & self.free[o][row]) | present[row];
                self.resting[o][row] = falling & !self.free[o][row - 1];
            }
        }
    }

    /// Appends the placements found, by orientation, from the lowest row upward.
    pub fn placements(&self, out: &mut Vec<Placement>) {
        for o in 0..self.piece.orientations() {
            for row in 1..=(SPAWN_ROW + ROW_OFFSET) {
                let mut columns = self.resting[o][row as usize];
                while columns != 0 {
                    let x = columns.trailing_zeros() as i32 - COLUMN_OFFSET;
                    out.push(Placement::new(o, x, row - ROW_OFFSET));
                    columns &= columns - 1;
                }
            }
        }
    }

    fn is_free(&self, orientation: usize, x: i32, row: i32) -> bool {
        self.free[orientation][(row + ROW_OFFSET) as usize] >> (x + COLUMN_OFFSET) & 1 == 1
    }

    /// The box row of a piece in the air while the keys of a frame are read.
    fn row_at(&self, frame: u32) -> i32 {
        let in_row = self.frames_per_row - 1 - self.start.until_fall;
        (self.start.row - ((frame + in_row) / self.frames_per_row) as i32).max(1 - ROW_OFFSET)
    }
}

fn widen<const N: usize>(sets: [u16; N]) -> [u16; 4] {
    let mut wide = [0; 4];
    wide[..N].copy_from_slice(&sets);
    wide
}

/// The board row by row, from two rows below the floor, with walls.
fn filled_rows(board: &Board) -> Masks {
    let mut rows = [WALLS; MASKS];
    rows[0] = u16::MAX;
    rows[1] = u16::MAX;
    for x in 0..WIDTH {
        let column = board.column(x);
        for (r, row) in rows[2..].iter_mut().enumerate() {
            *row |= ((column >> r & 1) as u16) << (x + 3);
        }
    }
    rows
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::gameboy::{Buttons, Event, Game, Mode, Pieces, Setup};

    /// The same question answered state by state with the board's own collision test.
    fn reference(board: &Board, piece: Piece, speed: u8, timing: Timing) -> BTreeSet<Placement> {
        type State = (usize, i32, i32, u32);
        let free = |o: usize, x: i32, row: i32| !board.collides(piece.shape(o), x, row);
        let turns = piece.orientations();
        let mut resting = BTreeSet::new();
        // Orientation, column, row and frames until the next press.
        let mut states: BTreeSet<State> = BTreeSet::from([(0, SPAWN_X, SPAWN_ROW, timing.reaction)]);
        let mut frame = 0;
        while !states.is_empty() {
            let mut next: BTreeSet<State> = BTreeSet::new();
            for &(o, x, row, wait) in &states {
                let mut now = vec![(o, x, wait.saturating_sub(1))];
                if wait == 0 {
                    for (turn, shift) in
                        [0, 1, turns - 1].into_iter().flat_map(|t| [-1, 0, 1].map(|s| (t, s)))
                    {
                        if !timing.parallel && turn != 0 && shift != 0 {
                            continue;
                        }
                        let turned = (o + turn) % turns;
                        let turned = if turned != o && free(turned, x, row) { turned } else { o };
                        let shifted = if shift != 0 && free(turned, x + shift, row) { x + shift } else { x };
                        now.push((turned, shifted, timing.period - 1));
                    }
                }
                for (o, x, wait) in now {
                    if (frame + 1) % u32::from(frames_per_row(speed)) != 0 {
                        next.insert((o, x, row, wait));
                    } else if free(o, x, row - 1) {
                        next.insert((o, x, row - 1, wait));
                    } else {
                        resting.insert(Placement::new(o, x, row));
                    }
                }
            }
            states = next;
            frame += 1;
        }
        resting
    }

    fn search(board: &Board, piece: Piece, speed: u8, timing: Timing) -> (Reach, Vec<Placement>) {
        let mut reach = Reach::new(timing);
        reach.search(board, piece, speed);
        let mut found = Vec::new();
        reach.placements(&mut found);
        (reach, found)
    }

    fn boards(highest: u32) -> impl Strategy<Value = Board> {
        proptest::array::uniform10((0u32..highest, any::<u32>(), any::<u32>()))
            .prop_map(|columns| Board::from_columns(columns.map(|(h, a, b)| (a | b) & ((1 << h) - 1))))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn sets_find_what_single_states_find(
            board in boards(17), piece in 0usize..7, speed in 9u8..21,
            period in 2u32..8, reaction in 0u32..9, parallel in any::<bool>(),
        ) {
            let piece = Piece::from_index(piece);
            let timing = Timing { period, reaction, parallel };
            let (_, found) = search(&board, piece, speed, timing);
            let found: BTreeSet<_> = found.into_iter().collect();
            prop_assert_eq!(found, reference(&board, piece, speed, timing));
        }

        #[test]
        fn every_plan_from_the_air_leads_to_its_placement(
            board in boards(12), piece in 0usize..7, level in 0u8..21, flown in 0u32..40, keys in 0u8..=255,
        ) {
            let piece = Piece::from_index(piece);
            let setup = Setup::new(Mode::A, 0, false).unwrap();
            let pieces = Pieces { active: piece, preview: Piece::O, hidden: Piece::O };
            let mut game = Game::with_pieces(setup, board, pieces).with_progress(level, 0, 0);
            for frame in 0..flown {
                let held = if frame % 5 == 0 { Buttons(keys.rotate_left(frame / 5) & 0b11_0011) } else { Buttons::NONE };
                game.step(held, &mut || 4);
            }
            game.step(Buttons::NONE, &mut || 4);
            let Some(active) = game.active().copied() else { return Ok(()) };
            prop_assume!(game.board() == &board);
            let timing = Timing { period: 5, reaction: 7, parallel: true };
            let mut reach = Reach::new(timing);
            let start = Start {
                orientation: active.orientation,
                x: active.x,
                row: active.row,
                until_fall: u32::from(game.until_fall()),
            };
            reach.search_from(&board, piece, level, start);
            let mut found = Vec::new();
            reach.placements(&mut found);
            prop_assert!(!found.is_empty());
            for target in found {
                let plan = reach.plan(target).expect("every placement found has a plan");
                let mut game = game.clone();
                let mut expected = board;
                expected.place(piece.shape(target.orientation()), target.x(), target.row());
                let mut frame = 0;
                while game.step(plan.buttons_at(frame, 2), &mut || 4) == Event::None {
                    frame += 1;
                }
                prop_assert_eq!(game.board(), &expected, "{:?} {:?} from {:?}", target, plan, start);
            }
        }

        #[test]
        fn every_plan_leads_to_its_placement_in_the_frame_game(
            board in boards(16), piece in 0usize..7, level in 0u8..21, period in 3u32..7, reaction in 0u32..5,
        ) {
            let piece = Piece::from_index(piece);
            let timing = Timing { period, reaction, parallel: true };
            let (reach, found) = search(&board, piece, level, timing);
            for target in found {
                let plan = reach.plan(target).expect("every placement found has a plan");
                let setup = Setup::new(Mode::A, 0, false).unwrap();
                let pieces = Pieces { active: piece, preview: Piece::O, hidden: Piece::O };
                let mut game = Game::with_pieces(setup, board, pieces).with_progress(level, 0, 0);
                let mut expected = board;
                expected.place(piece.shape(target.orientation()), target.x(), target.row());
                let mut frame = 0;
                while game.step(plan.buttons_at(frame, 2), &mut || 4) == Event::None {
                    frame += 1;
                }
                prop_assert_eq!(game.board(), &expected, "{:?} {:?}", target, plan);
                prop_assert_eq!(game.score(), plan.soft_drop_rows, "{:?} {:?}", target, plan);
            }
        }
    }

    #[test]
    fn an_empty_board_at_level_9_allows_every_pose() {
        for piece in Piece::ALL {
            let (_, found) = search(&Board::EMPTY, piece, 9, Timing::from_ms(75.0));
            assert_eq!(found.len(), crate::moves::poses(piece).count(), "{piece:?}");
        }
    }

    #[test]
    fn a_piece_slides_under_an_overhang() {
        let board = Board::parse("##........\n..........\n..........").unwrap();
        let (reach, found) = search(&board, Piece::O, 9, Timing::from_ms(75.0));
        let under = Placement::new(0, -1, 0);
        assert!(found.contains(&under));
        let plan = reach.plan(under).unwrap();
        // The slide waits until the piece is below the overhang.
        assert!(plan.presses.last().unwrap().frame > 14 * 11);
    }

    #[test]
    fn fast_gravity_puts_far_columns_out_of_reach() {
        let mut board = Board::EMPTY;
        for x in 0..3 {
            for row in 0..14 {
                board.fill(x, row);
            }
        }
        let leftmost = |speed| {
            let (_, found) = search(&board, Piece::O, speed, Timing::from_ms(75.0));
            found.iter().any(|p| p.x() == -1)
        };
        assert!(leftmost(9));
        assert!(!leftmost(20));
    }
}
