//! The game frame by frame: [`Game::step`] is one pass of the cartridge's play loop.
//!
//! Each frame reads the pad, turns, shifts, drops, looks for complete rows and
//! writes a locked piece into the field, in this order. Counting from the frame
//! F in which a piece locks:
//!
//! | frame | without a line | with lines |
//! |---|---|---|
//! | F | piece written into the field, soft-drop points | the same |
//! | F+1 | dead | line count rises |
//! | F+2 | next piece appears | rows flash |
//! | F+3 | first frame of control | |
//! | F+76, F+79, F+90 | | rows vanish, points, level |
//! | F+93 | | next piece appears |
//! | F+94 | | first frame of control |
//!
//! Where the sources are silent, we chose: the soft-drop timer keeps running while
//! no piece is active, the first soft-drop row comes in the frame in which Down is
//! seen, and a paused game stops everything but the pad and that timer.

use super::randomiser::{Dealer, Pieces};
use super::setup::{Buttons, Mode, Setup};
use super::versus::VERSUS_LINES;
use super::{
    B_TYPE_LINES, CLEAR_FRAMES, COLLAPSE_FRAME, ENTRY_FRAMES, LEVEL_FRAME, MAX_LEVEL, MAX_LINES, MAX_SCORE,
    SCORE_FRAME, SHIFT_DELAY, SHIFT_REPEAT, SOFT_DROP_FRAMES, SPAWN_ROW, SPAWN_X, frames_per_row,
    level_after_clear, line_score, speed,
};
use crate::board::Board;
use crate::field::{Field, settle};
use crate::piece::{Piece, Shape};

/// The piece in play and the position of its box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Active {
    /// Which piece.
    pub piece: Piece,
    /// Quarter turns counter-clockwise from the spawn shape, 0 to 3.
    pub orientation: usize,
    /// Field column of the box's left column.
    pub x: i32,
    /// Field row of the box's lowest row.
    pub row: i32,
}

impl Active {
    /// The piece as it spawns.
    pub fn spawn(piece: Piece) -> Active {
        Active { piece, orientation: 0, x: SPAWN_X, row: SPAWN_ROW }
    }

    /// Its shape.
    pub fn shape(&self) -> &'static Shape {
        self.piece.shape(self.orientation)
    }
}

/// What the game is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// A piece is under control.
    Falling,
    /// A piece locked `elapsed` frames ago.
    Entry {
        /// Frames since the lock.
        elapsed: u16,
    },
    /// Lines are being cleared; the piece locked `elapsed` frames ago.
    Clearing {
        /// Frames since the lock.
        elapsed: u16,
        /// Lines cleared at once.
        lines: u32,
    },
    /// All lines of a B-type or two-player game are cleared.
    Won,
    /// Topped out.
    Over,
}

/// What happened in a frame, for callers that follow the game piece by piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// Nothing.
    None,
    /// The active piece was written into the field.
    Locked,
    /// Complete rows were found.
    Lines(u32),
    /// The next piece has spawned; it can be moved from the next frame on.
    Spawned,
    /// The game has ended, won or lost.
    Ended,
}

/// The state of a game at one frame.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    setup: Setup,
    board: Board,
    pieces: Pieces,
    active: Active,
    phase: Phase,
    level: u8,
    lines: u32,
    score: u32,
    clears: [u32; 5],
    drop_points: u32,
    drop_timer: u8,
    shift_timer: u8,
    soft_drop_timer: u8,
    soft_drop_steps: u32,
    down_must_be_released: bool,
    spawn_locks: u8,
    held: Buttons,
    paused: bool,
    preview_hidden: bool,
    garbage: (u32, u16),
}

impl Game {
    /// A game at its first frame of control.
    pub fn new<D: Dealer + ?Sized>(setup: Setup, board: Board, dealer: &mut D) -> Game {
        Game::with_pieces(setup, board, Pieces::first(dealer))
    }

    /// A game that starts with these pieces.
    pub fn with_pieces(setup: Setup, board: Board, pieces: Pieces) -> Game {
        Game {
            setup,
            board,
            pieces,
            active: Active::spawn(pieces.active),
            phase: Phase::Falling,
            level: setup.level(),
            lines: match setup.mode() {
                Mode::A => 0,
                Mode::B => B_TYPE_LINES,
                Mode::Versus => VERSUS_LINES,
            },
            score: 0,
            clears: [0; 5],
            drop_points: 0,
            drop_timer: frames_per_row(speed(setup.level(), setup.heart())) - 1,
            shift_timer: SHIFT_DELAY,
            soft_drop_timer: 0,
            soft_drop_steps: 0,
            down_must_be_released: false,
            spawn_locks: 0,
            held: Buttons::NONE,
            paused: false,
            preview_hidden: false,
            garbage: (0, 0),
        }
    }

    /// The same game with this level, lines and score, to start in the middle of a game.
    #[must_use]
    pub fn with_progress(mut self, level: u8, lines: u32, score: u32) -> Game {
        (self.level, self.lines, self.score) =
            (level.min(MAX_LEVEL), lines.min(MAX_LINES), score.min(MAX_SCORE));
        self.drop_timer = self.frames_per_row() - 1;
        self
    }

    /// The same game with its piece here, to start in the middle of a flight; it falls after this many
    /// more frames.
    #[must_use]
    pub fn with_active(mut self, active: Active, until_fall: u8) -> Game {
        self.active = active;
        self.phase = Phase::Falling;
        self.drop_timer = until_fall.min(self.frames_per_row() - 1);
        self
    }

    /// Corrects which pieces come, for a game that follows one it can only watch.
    pub fn foresee(&mut self, pieces: Pieces) {
        self.pieces = pieces;
    }

    /// Frames in which the piece stays in its row after the next one, unless Down is held.
    pub fn until_fall(&self) -> u8 {
        self.drop_timer
    }

    /// Runs one frame with these buttons held.
    ///
    /// ```
    /// use tetris::gameboy::{Buttons, Event, Game, Mode, Setup};
    /// use tetris::{Board, Piece};
    ///
    /// // A divider that always reads 4, so that every piece is an O.
    /// let mut divider = || 4;
    /// let setup = Setup::new(Mode::A, 0, false)?;
    /// let mut game = Game::new(setup, Board::EMPTY, &mut divider);
    /// assert_eq!(game.active().map(|active| active.piece), Some(Piece::O));
    /// while game.step(Buttons::DOWN, &mut divider) != Event::Locked {}
    /// assert_eq!(*game.board(), Board::parse("....##....\n....##....").expect("a board"));
    /// # Ok::<(), tetris::gameboy::SetupError>(())
    /// ```
    pub fn step<D: Dealer + ?Sized>(&mut self, held: Buttons, dealer: &mut D) -> Event {
        let pressed = held & !self.held;
        self.held = held;
        self.soft_drop_timer = self.soft_drop_timer.saturating_sub(1);
        if matches!(self.phase, Phase::Won | Phase::Over) {
            return Event::None;
        }
        self.handle_start_and_select(pressed);
        if self.paused {
            return Event::None;
        }
        self.rearm_soft_drop(pressed);
        match self.phase {
            Phase::Falling => {
                self.turn(pressed);
                self.shift(pressed);
                if self.drop_one_row() { Event::None } else { self.lock() }
            }
            Phase::Entry { elapsed } => self.entry_frame(elapsed + 1, dealer),
            Phase::Clearing { elapsed, lines } => self.clearing_frame(elapsed + 1, lines, dealer),
            Phase::Won | Phase::Over => Event::None,
        }
    }

    fn handle_start_and_select(&mut self, pressed: Buttons) {
        self.paused ^= pressed.any(Buttons::START);
        self.preview_hidden ^= pressed.any(Buttons::SELECT) && !self.paused;
    }

    /// After a lock, Down works again only once it is released and pressed alone.
    fn rearm_soft_drop(&mut self, pressed: Buttons) {
        if is_down_alone(self.held) && is_down_alone(pressed) {
            self.down_must_be_released = false;
        }
        if !self.is_soft_dropping() {
            self.soft_drop_steps = 0;
        }
    }

    fn is_soft_dropping(&self) -> bool {
        is_down_alone(self.held) && !self.down_must_be_released
    }

    fn turn(&mut self, pressed: Buttons) {
        let turns = if pressed.any(Buttons::B) {
            1
        } else if pressed.any(Buttons::A) {
            3
        } else {
            return;
        };
        let turned = Active { orientation: (self.active.orientation + turns) % 4, ..self.active };
        if self.is_free(&turned) {
            self.active = turned;
        }
    }

    fn shift(&mut self, pressed: Buttons) {
        let (button, step) = if self.held.any(Buttons::RIGHT) {
            (Buttons::RIGHT, 1)
        } else if self.held.any(Buttons::LEFT) {
            (Buttons::LEFT, -1)
        } else {
            self.shift_timer = SHIFT_DELAY;
            return;
        };
        if pressed.any(button) {
            self.shift_timer = SHIFT_DELAY;
        } else {
            self.shift_timer -= 1;
            if self.shift_timer > 0 {
                return;
            }
            self.shift_timer = SHIFT_REPEAT;
        }
        let shifted = Active { x: self.active.x + step, ..self.active };
        if self.is_free(&shifted) {
            self.active = shifted;
        } else {
            self.shift_timer = 1;
        }
    }

    /// Gravity or soft drop; false if the piece should have fallen but could not.
    fn drop_one_row(&mut self) -> bool {
        if self.is_soft_dropping() {
            if self.soft_drop_timer > 0 {
                return true;
            }
            self.soft_drop_timer = SOFT_DROP_FRAMES;
            self.soft_drop_steps += 1;
        } else {
            if self.drop_timer > 0 {
                self.drop_timer -= 1;
                return true;
            }
            self.drop_timer = self.frames_per_row() - 1;
        }
        let dropped = Active { row: self.active.row - 1, ..self.active };
        let free = self.is_free(&dropped);
        if free {
            self.active = dropped;
        }
        free
    }

    fn lock(&mut self) -> Event {
        // The failed step was counted but earns nothing.
        let points = self.soft_drop_steps.saturating_sub(1);
        self.soft_drop_steps = 0;
        match self.setup.mode() {
            Mode::A => self.add_score(points),
            Mode::B | Mode::Versus => self.drop_points += points,
        }
        self.down_must_be_released = true;
        self.board.place(self.active.shape(), self.active.x, self.active.row);
        if (self.active.x, self.active.row) == (SPAWN_X, SPAWN_ROW) {
            self.spawn_locks += 1;
            if self.spawn_locks == 2 {
                self.phase = Phase::Over;
                return Event::Ended;
            }
        }
        self.phase = Phase::Entry { elapsed: 0 };
        Event::Locked
    }

    fn entry_frame<D: Dealer + ?Sized>(&mut self, elapsed: u16, dealer: &mut D) -> Event {
        self.phase = Phase::Entry { elapsed };
        if elapsed == 1 {
            let lines = (self.board.full_rows() & Field::GAME_BOY.clearable).count_ones();
            if lines > 0 {
                self.count_lines(lines);
                self.phase = Phase::Clearing { elapsed, lines };
                return Event::Lines(lines);
            }
        }
        if elapsed == ENTRY_FRAMES { self.spawn(dealer) } else { Event::None }
    }

    fn clearing_frame<D: Dealer + ?Sized>(&mut self, elapsed: u16, lines: u32, dealer: &mut D) -> Event {
        self.phase = Phase::Clearing { elapsed, lines };
        match elapsed {
            COLLAPSE_FRAME => {
                settle(&mut self.board, Field::GAME_BOY);
            }
            SCORE_FRAME if self.setup.mode() == Mode::A => self.add_score(line_score(lines, self.level)),
            LEVEL_FRAME if self.setup.mode() == Mode::A => {
                self.level = level_after_clear(self.level, self.lines);
            }
            CLEAR_FRAMES => {
                self.down_must_be_released = true;
                if self.setup.mode() != Mode::A && self.lines == 0 {
                    self.phase = Phase::Won;
                    return Event::Ended;
                }
                return self.spawn(dealer);
            }
            _ => {}
        }
        Event::None
    }

    fn count_lines(&mut self, lines: u32) {
        self.clears[lines as usize] += 1;
        self.lines = match self.setup.mode() {
            Mode::A => (self.lines + lines).min(MAX_LINES),
            Mode::B | Mode::Versus => self.lines.saturating_sub(lines),
        };
    }

    fn spawn<D: Dealer + ?Sized>(&mut self, dealer: &mut D) -> Event {
        let (rows, garbage) = std::mem::take(&mut self.garbage);
        self.board.push_up(rows, garbage, Field::GAME_BOY.rows);
        self.pieces.advance(dealer);
        self.active = Active::spawn(self.pieces.active);
        self.drop_timer = self.frames_per_row() - 1;
        self.phase = Phase::Falling;
        Event::Spawned
    }

    fn add_score(&mut self, points: u32) {
        self.score = (self.score + points).min(MAX_SCORE);
    }

    fn is_free(&self, active: &Active) -> bool {
        !self.board.collides(active.shape(), active.x, active.row)
    }

    fn frames_per_row(&self) -> u8 {
        frames_per_row(speed(self.level, self.setup.heart()))
    }

    /// Queues rows that are pushed in from below when the next piece spawns.
    pub fn receive_garbage(&mut self, rows: u32, garbage: u16) {
        self.garbage = (self.garbage.0 + rows, garbage);
    }

    /// The locked cells.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The piece under control, if there is one.
    pub fn active(&self) -> Option<&Active> {
        (self.phase == Phase::Falling).then_some(&self.active)
    }

    /// Active, preview and hidden piece.
    pub fn pieces(&self) -> Pieces {
        self.pieces
    }

    /// What the game is doing.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// The level shown.
    pub fn level(&self) -> u8 {
        self.level
    }

    /// Lines cleared, or still to clear in B-type and two-player games.
    pub fn lines(&self) -> u32 {
        self.lines
    }

    /// The score shown; B-type games are scored at the end, see [`Game::final_score`].
    pub fn score(&self) -> u32 {
        self.score
    }

    /// How often one, two, three and four lines were cleared at once (index by lines).
    pub fn clears(&self) -> [u32; 5] {
        self.clears
    }

    /// The final score: for B-type games, clears at their level and soft drops.
    pub fn final_score(&self) -> u32 {
        let lines: u32 = (1..5).map(|n| self.clears[n] * line_score(n as u32, self.level)).sum();
        match self.setup.mode() {
            Mode::A => self.score,
            Mode::B | Mode::Versus => (lines + self.drop_points).min(MAX_SCORE),
        }
    }

    /// Whether the game is paused.
    pub fn is_paused(&self) -> bool {
        self.paused
    }

    /// Whether Select has hidden the preview.
    pub fn is_preview_hidden(&self) -> bool {
        self.preview_hidden
    }
}

fn is_down_alone(buttons: Buttons) -> bool {
    buttons & (Buttons::DOWN | Buttons::LEFT | Buttons::RIGHT) == Buttons::DOWN
}
