//! Following the game from piece to piece: what stands, what falls, and what a plan will lead to.
//!
//! The screen shows locked cells and the falling piece alike. What is expected
//! after a plan is known to the frame, so the next piece is seen when the cells
//! are the expected ones and the piece's own; when they are not, the whole field
//! is read again (G10).

use std::time::Duration;

use engine::{Time, TimedAction, Verdict};
use gameboy::Button;
use gameboy::display::periods;
use schemars::JsonSchema;
use serde::Serialize;
use tetris::board::WIDTH;
use tetris::gameboy::{
    Active, Buttons, Event, Game, Mode, Pieces, ROWS, SPAWN_ROW, SPAWN_X, Setup, frames_per_row, speed,
};
use tetris::reach::KeyPlan;
use tetris::{Board, Piece};

use super::console_clock::{ConsoleClock, Start};
use super::see::Playing;

/// Display periods after the expected one in which the next piece may still come as expected.
pub(super) const PATIENCE: u64 = 4;
/// Most rows of rubble that are recognised as such.
const MOST_RUBBLE: u32 = 12;

/// What is believed about the game.
#[derive(Clone, Debug, Default)]
pub struct Track {
    expected: Option<Placed>,
    /// The cells of the look before, to tell a picture that changes from one that stands.
    last_cells: Option<[u32; WIDTH]>,
    last_period: u64,
    last_captured: Time,
    level: Option<u8>,
}

/// A look: the display period it shows, and when the frame was captured.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Look {
    /// Number of the display period.
    pub period: u64,
    /// On the run's clock.
    pub captured: Time,
}

/// A piece at its beginning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seen {
    /// Which piece.
    pub piece: Piece,
    /// What stands.
    pub board: Board,
    /// Frames of control that have passed when the next press takes effect.
    pub lead: u32,
    /// When that press must be commanded.
    pub start: Start,
    /// Display periods by which what follows may be seen late.
    pub tolerance: u64,
    /// The level shown.
    pub level: u8,
    /// Whether something else had been expected.
    pub surprise: bool,
}

/// The keys for one piece, frame by frame, and where they lead.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Flight {
    /// Which piece.
    #[schemars(with = "String")]
    pub piece: Piece,
    /// Which piece follows.
    #[schemars(with = "String")]
    pub preview: Piece,
    /// The buttons held in each frame from the next one on, in the console's bit order.
    pub held: Vec<u8>,
    /// What will be seen then.
    pub placed: Placed,
    /// When the first of these frames is, seen from now.
    #[serde(skip)]
    pub start: Start,
    /// What stands meanwhile.
    #[serde(skip)]
    pub board: Board,
    /// Where the piece is after each of these frames.
    #[serde(skip)]
    pub poses: Vec<Active>,
    /// The display period that it was decided in.
    #[serde(skip)]
    pub decided: u64,
}

/// What will be seen after a flight.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Placed {
    /// What will stand, by column, with the invisible row.
    pub columns: [u32; WIDTH],
    /// The piece that follows.
    #[schemars(with = "String")]
    pub next: Piece,
    /// The display period in which it will be seen first.
    pub period: u64,
    /// Whether rubble may have been pushed in.
    pub versus: bool,
    /// Display periods by which it may be seen later than that.
    #[serde(skip)]
    pub tolerance: u64,
}

impl Track {
    /// Forgets what it believed.
    pub fn forget(&mut self) {
        self.expected = None;
    }

    /// The piece that is at its beginning on this screen, if one is. The console's clock learns from a
    /// piece that appears as expected.
    pub fn find(
        &mut self,
        look: Look,
        playing: &Playing,
        heart: bool,
        clock: &mut ConsoleClock,
    ) -> Option<Seen> {
        let Look { period, captured } = look;
        let last_captured = std::mem::replace(&mut self.last_captured, captured);
        let (start, tolerance) = (clock.start(captured), clock.tolerance());
        self.level = playing.figures.level.or(if playing.versus { Some(1) } else { self.level });
        let level = self.level.unwrap_or(0);
        let stood = self.last_cells.replace(playing.cells) == Some(playing.cells);
        let follows = period <= self.last_period + 1 + tolerance;
        self.last_period = period;
        if let Some(expected) = &self.expected {
            if let Some(board) = expected.board_under(playing) {
                let passed = (period + 1).saturating_sub(expected.period) as u32;
                let next = expected.next;
                clock.learn(expected.period, last_captured, captured);
                self.expected = None;
                return Some(Seen {
                    piece: next,
                    board,
                    lead: passed + start.delay,
                    start,
                    tolerance,
                    level,
                    surprise: false,
                });
            }
            if period < expected.period + PATIENCE + tolerance {
                return None;
            }
        }
        if playing.flashing {
            return None;
        }
        let per_row = u32::from(frames_per_row(if playing.versus { level } else { speed(level, heart) }));
        let (piece, fallen, board) = find_from_scratch(playing, self.expected.as_ref().map(|e| e.next), 2)?;
        // A field that is just being drawn is looked at once more.
        if !stood && follows && board.cells() > 0 {
            return None;
        }
        let surprise = self.expected.take().is_some();
        Some(Seen {
            piece,
            board,
            lead: 1 + fallen * per_row + start.delay,
            start,
            tolerance,
            level,
            surprise,
        })
    }

    /// Plays the keys through the rules, to know what they lead to and when.
    pub fn fly(
        &mut self,
        seen: &Seen,
        playing: &Playing,
        preview: Piece,
        heart: bool,
        keys: &KeyPlan,
        hold: u32,
    ) -> Flight {
        let pieces = Pieces { active: seen.piece, preview, hidden: Piece::L };
        let setup = if playing.versus {
            Setup::versus()
        } else {
            // Level 0 always exists; the level that counts is set below.
            Setup::new(Mode::A, 0, heart).unwrap_or_else(|_| Setup::versus())
        };
        let lines = playing.figures.lines.unwrap_or(0);
        let mut game = Game::with_pieces(setup, seen.board, pieces).with_progress(seen.level, lines, 0);
        let (mut held, mut poses) = (Vec::new(), Vec::new());
        let mut frame = 0;
        let mut locked = false;
        // No piece is in the air for longer than all rows at the slowest speed.
        while frame < 2_000 {
            let buttons =
                if locked || frame < seen.lead { Buttons::NONE } else { keys.buttons_at(frame, hold) };
            let is_steered = frame >= seen.lead && !locked;
            if is_steered {
                held.push(buttons.0);
            }
            match game.step(buttons, &mut || 1) {
                Event::None | Event::Lines(_) => {}
                Event::Locked => locked = true,
                Event::Spawned | Event::Ended => break,
            }
            if is_steered {
                poses.extend(game.active().copied());
            }
            frame += 1;
        }
        // Frame `lead` is the next period; a piece is seen two periods after the frame it appears in.
        let flown = u64::from((frame + 2).saturating_sub(seen.lead));
        let placed = Placed {
            columns: game.board().columns(),
            next: preview,
            period: self.last_period + u64::from(seen.start.delay) + flown,
            versus: playing.versus,
            tolerance: seen.tolerance,
        };
        self.expected = Some(placed.clone());
        let (piece, start, board, decided) = (seen.piece, seen.start, seen.board, self.last_period);
        Flight { piece, preview, held, placed, start, board, poses, decided }
    }
}

impl Placed {
    /// What the next look says about the flight.
    pub fn verdict(&self, period: u64, playing: &Playing) -> Verdict {
        // With times that spread, a piece may also come early.
        if period + self.tolerance >= self.period && self.board_under(playing).is_some() {
            Verdict::Confirmed
        } else if period < self.period + PATIENCE + self.tolerance {
            Verdict::Pending
        } else {
            Verdict::Diverged { why: format!("period {period}: the field is not the expected one") }
        }
    }

    /// What stands below the next piece, if the cells are the expected ones.
    fn board_under(&self, playing: &Playing) -> Option<Board> {
        let expected = Board::from_columns(self.columns);
        if shows(&expected, self.next, playing) {
            return Some(expected);
        }
        if !self.versus {
            return None;
        }
        let hole = (0..WIDTH).find(|&x| playing.cells[x] & 1 == 0)?;
        (1..=MOST_RUBBLE).find_map(|rows| {
            let mut pushed = expected;
            pushed.push_up(rows, 0b11_1111_1111 & !(1 << hole), ROWS);
            shows(&pushed, self.next, playing).then_some(pushed)
        })
    }
}

/// Whether the cells are this board and this piece at its beginning.
fn shows(board: &Board, piece: Piece, playing: &Playing) -> bool {
    let mut drawn = *board;
    drawn.place(Active::spawn(piece).shape(), SPAWN_X, SPAWN_ROW);
    let visible = (1 << ROWS) - 1;
    (0..WIDTH).all(|x| drawn.column(x) & visible == playing.cells[x])
}

/// A piece in its spawn column that touches nothing, and the rows it has fallen; the known one may touch.
pub(super) fn find_from_scratch(
    playing: &Playing,
    known: Option<Piece>,
    farthest: i32,
) -> Option<(Piece, u32, Board)> {
    let cells = playing.board();
    let fallen = move |piece| (0..=farthest.min(SPAWN_ROW)).map(move |fallen| (piece, fallen));
    let candidates = Piece::ALL.into_iter().flat_map(fallen);
    let mut found = candidates.filter(|&(piece, fallen)| {
        let row = SPAWN_ROW - fallen;
        let shape = piece.shape(0);
        let at = |column: usize, box_row: usize| {
            ((SPAWN_X + column as i32) as usize, (row + box_row as i32) as usize)
        };
        let own: Vec<_> = shape.cells().map(|(column, box_row)| at(column, box_row)).collect();
        let filled = own.iter().all(|&(x, y)| cells.is_filled(x, y));
        let alone = own.iter().all(|&(x, y)| {
            let around = [(x.wrapping_sub(1), y), (x + 1, y), (x, y.wrapping_sub(1)), (x, y + 1)];
            around
                .iter()
                .all(|&(x, y)| x >= WIDTH || y >= 18 || own.contains(&(x, y)) || !cells.is_filled(x, y))
        });
        filled && (alone || known == Some(piece))
    });
    let (piece, fallen) = found.next()?;
    let mut board = cells;
    let shape = piece.shape(0);
    for x in 0..WIDTH {
        let mut column = Board::EMPTY;
        column.place(shape, SPAWN_X, SPAWN_ROW - fallen);
        board.set_column(x, cells.column(x) & !column.column(x));
    }
    Some((piece, fallen as u32, board))
}

impl Flight {
    /// The frames' buttons as presses. A press begins in the middle of the frame before the one it is
    /// meant for, so that no rounding of clocks moves it.
    pub fn actions(&self) -> Vec<TimedAction<Button>> {
        let action = |(from, until, button): (usize, usize, Button)| {
            let start = self.moment(from);
            TimedAction::held(start, self.moment(until).saturating_sub(start), button)
        };
        self.presses().into_iter().map(action).collect()
    }

    /// Each press: its first frame, the one after its last, and the button; in order of their beginning.
    pub(super) fn presses(&self) -> Vec<(usize, usize, Button)> {
        let mut presses = Vec::new();
        for button in Button::ALL {
            let mut begun = None;
            for frame in 0..=self.held.len() {
                let held = self.held.get(frame).is_some_and(|held| Buttons(*held).any(button.alone()));
                match (begun, held) {
                    (None, true) => begun = Some(frame),
                    (Some(first), false) => {
                        presses.push((first, frame, button));
                        begun = None;
                    }
                    _ => {}
                }
            }
        }
        presses.sort_by_key(|(first, ..)| *first);
        presses
    }

    /// When the buttons of a frame must be set, seen from now.
    pub(super) fn moment(&self, frame: usize) -> Duration {
        if self.start.wait.is_zero() {
            return periods(frame as u32).saturating_sub(periods(1) / 2);
        }
        self.start.wait + periods(frame as u32)
    }
}
