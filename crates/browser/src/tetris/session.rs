//! A game that a person plays: one step a frame with the buttons held in it.
//!
//! Game Boy rules are those of [`tetris::gameboy::Game`]. Classic rules are actions without time
//! ([`tetris::classic::ClassicGame`]); here they get keys: held arrows repeat, Up drops, Down falls faster, both turn
//! buttons turn.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tetris::Board;
use tetris::Piece;
use tetris::classic::{Action, ClassicGame};
use tetris::gameboy::{Buttons, CycleDiv, Event, Game, MAX_LEVEL, Mode, Phase, Setup, frames_per_row, speed};

use super::choices::{Choices, ChoicesError, RulesName};
use super::dealer::Deck;
use super::field::Field;
use super::keys::KeyLog;

/// Frames from a press to the second shift of a held arrow, classic rules.
const SHIFT_DELAY: u32 = 14;
/// Frames between later shifts.
const SHIFT_REPEAT: u32 = 4;
/// Frames from row to row while Down is held.
const SOFT_DROP: u32 = 3;
/// Frames a second of classic rules.
const FRAMES_PER_SECOND: u32 = 60;
/// Buttons that a game reads; Start and Select belong to the page.
const PLAYED: Buttons = Buttons(0b0011_1111);
/// Highest level at which a Game Boy game can be set up; above it, the level is set afterwards.
const MAX_SETUP_LEVEL: u8 = 9;
/// Pieces that a Game Boy game draws before its first frame: the one that falls, the next one, and one unseen.
const SHOWN_FIRST: usize = 3;

/// What happened in a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Happening {
    /// Nothing but falling and keys.
    Nothing,
    /// A piece came to rest; with it this many lines are complete.
    Locked {
        /// Complete lines.
        lines: u32,
    },
    /// The next piece can be moved.
    Spawned,
    /// The game is over.
    Over,
}

/// The piece under control: its box stands at column `x` and row `row`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Falling {
    /// Which piece.
    pub piece: Piece,
    /// Quarter turns counter-clockwise.
    pub orientation: usize,
    /// Column of its box.
    pub x: i32,
    /// Row of its box.
    pub row: i32,
}

/// A game in progress, with its keys.
#[derive(Clone, Debug)]
pub struct Session {
    choices: Choices,
    table: Table,
    frames: u32,
    pieces: u32,
    keys: KeyLog,
    /// A piece number plus one for every filled cell, row by row from the bottom, for pictures.
    colours: Vec<u8>,
}

#[derive(Clone, Debug)]
enum Table {
    GameBoy { game: Box<Game>, deck: Deck },
    Classic(ClassicTable),
}

#[derive(Clone, Debug)]
struct ClassicTable {
    game: ClassicGame<Xoshiro256PlusPlus>,
    held: Buttons,
    shift_timer: u32,
    fall_timer: u32,
    down_must_be_released: bool,
}

impl Session {
    /// A new game.
    pub fn new(choices: Choices) -> Result<Session, ChoicesError> {
        let size = choices.check()?;
        let random = Xoshiro256PlusPlus::seed_from_u64(u64::from(choices.seed));
        let table = match choices.rules {
            RulesName::Gameboy => gameboy_table(&choices, Deck::Drawn(CycleDiv::new(random))),
            RulesName::Classic => {
                Table::Classic(ClassicTable::new(ClassicGame::new(size, random).starting_at(choices.level)))
            }
        };
        Ok(Session::at(choices, table))
    }

    /// A game on the pieces of another one, as far as it has got: [`deal`](Self::deal) brings those that come later, and
    /// without them the game waits before its next piece. Its seed means nothing.
    ///
    /// ```
    /// use browser::tetris::{Choices, Session};
    /// use tetris::Piece;
    ///
    /// let session = Session::dealt(Choices::gameboy(0, 0), &[Piece::T, Piece::O, Piece::I])?;
    /// assert_eq!(session.falling().map(|falling| falling.piece), Some(Piece::T));
    /// assert_eq!(session.next().0, Piece::O);
    /// # Ok::<(), browser::tetris::ChoicesError>(())
    /// ```
    pub fn dealt(choices: Choices, pieces: &[Piece]) -> Result<Session, ChoicesError> {
        choices.check()?;
        if choices.rules != RulesName::Gameboy || pieces.len() < SHOWN_FIRST {
            return Err(ChoicesError::Dealt);
        }
        let deck = Deck::Dealt(pieces.iter().copied().collect());
        Ok(Session::at(choices, gameboy_table(&choices, deck)))
    }

    fn at(choices: Choices, table: Table) -> Session {
        let colours = vec![0; choices.width * (choices.height + 1)];
        Session { choices, table, frames: 0, pieces: 1, keys: KeyLog::default(), colours }
    }

    /// Brings further pieces of the game whose pieces these are.
    pub fn deal(&mut self, pieces: &[Piece]) {
        if let Table::GameBoy { deck, .. } = &mut self.table {
            deck.add(pieces);
        }
    }

    /// Whether the next piece cannot come because it is not known yet.
    pub fn is_waiting(&self) -> bool {
        match &self.table {
            Table::GameBoy { game, deck } => {
                deck.is_empty() && game.phase() != Phase::Falling && !self.is_over()
            }
            Table::Classic(_) => false,
        }
    }

    /// Plays all keys of a log; frames after the end of the game are ignored.
    pub fn replay(choices: Choices, keys: &KeyLog) -> Result<Session, ChoicesError> {
        let mut session = Session::new(choices)?;
        for held in keys.frames() {
            if session.is_over() {
                break;
            }
            session.step(held);
        }
        Ok(session)
    }

    /// One frame with these buttons held.
    pub fn step(&mut self, held: Buttons) -> Happening {
        if self.is_over() || self.is_waiting() {
            return Happening::Nothing;
        }
        let held = held & PLAYED;
        self.frames += 1;
        self.keys.push(held);
        let piece = self.falling().map(|falling| falling.piece);
        let (happening, locked) = match &mut self.table {
            Table::GameBoy { game, deck } => {
                let happening = step_gameboy(game, held, deck);
                (happening, new_cells(&self.colours, game.board()))
            }
            Table::Classic(table) => table.step(held),
        };
        let next_piece = match self.choices.rules {
            RulesName::Gameboy => happening == Happening::Spawned,
            RulesName::Classic => matches!(happening, Happening::Locked { .. }),
        };
        self.pieces += u32::from(next_piece);
        if let Some(piece) = piece.filter(|_| !locked.is_empty()) {
            self.paint(piece, &locked);
        }
        self.follow_rows();
        if self.is_over() { Happening::Over } else { happening }
    }

    fn paint(&mut self, piece: Piece, cells: &[(i32, i32)]) {
        for &(x, row) in cells {
            if let Some(cell) = self.colours.get_mut(row as usize * self.choices.width + x as usize) {
                *cell = piece.index() as u8 + 1;
            }
        }
    }

    /// Lets colours move down with their rows. The rules decide what is filled; colours only follow.
    fn follow_rows(&mut self) {
        let (width, field) = (self.choices.width, self.field());
        let filled = self.colours.iter().filter(|&&cell| cell != 0).count() as u32;
        if filled > field.cells() {
            let mut rows: Vec<_> = self.colours.chunks(width).map(<[u8]>::to_vec).collect();
            let count = rows.len();
            rows.retain(|cells| cells.contains(&0));
            rows.resize(count, vec![0; width]);
            self.colours = rows.concat();
        }
        for (index, cell) in self.colours.iter_mut().enumerate() {
            *cell = match (field.is_filled((index % width) as i32, (index / width) as i32), *cell) {
                (false, _) => 0,
                (true, 0) => Piece::COUNT as u8 + 1,
                (true, colour) => colour,
            };
        }
    }

    /// The choices it began with.
    pub fn choices(&self) -> &Choices {
        &self.choices
    }

    /// The keys so far.
    pub fn keys(&self) -> &KeyLog {
        &self.keys
    }

    /// Frames played.
    pub fn frames(&self) -> u32 {
        self.frames
    }

    /// Pieces that have appeared.
    pub fn pieces(&self) -> u32 {
        self.pieces
    }

    /// A piece number plus one for every filled cell, 8 where the piece is not known, 0 for empty ones; row by row from
    /// the bottom, one row above the field included.
    pub fn colours(&self) -> &[u8] {
        &self.colours
    }

    /// The piece under control, if there is one.
    pub fn falling(&self) -> Option<Falling> {
        match &self.table {
            Table::GameBoy { game, .. } => game.active().map(|a| Falling {
                piece: a.piece,
                orientation: a.orientation,
                x: a.x,
                row: a.row,
            }),
            Table::Classic(table) => (!table.game.is_over()).then(|| table.falling()),
        }
    }

    /// The next piece and its orientation.
    pub fn next(&self) -> (Piece, usize) {
        match &self.table {
            Table::GameBoy { game, .. } => (game.pieces().preview, 0),
            Table::Classic(table) => table.game.next(),
        }
    }

    /// The locked cells.
    pub fn field(&self) -> Field {
        match &self.table {
            Table::GameBoy { game, .. } => Field::of_board(game.board()),
            Table::Classic(table) => Field::of_grid(table.game.grid()),
        }
    }

    /// Points.
    pub fn score(&self) -> u32 {
        match &self.table {
            Table::GameBoy { game, .. } => game.score(),
            Table::Classic(table) => table.game.score(),
        }
    }

    /// Lines cleared.
    pub fn lines(&self) -> u32 {
        match &self.table {
            Table::GameBoy { game, .. } => game.lines(),
            Table::Classic(table) => table.game.lines(),
        }
    }

    /// The level shown.
    pub fn level(&self) -> u8 {
        match &self.table {
            Table::GameBoy { game, .. } => game.level(),
            Table::Classic(table) => table.game.level(),
        }
    }

    /// Frames from row to row.
    pub fn frames_per_row(&self) -> u32 {
        match &self.table {
            Table::GameBoy { game, .. } => u32::from(frames_per_row(speed(game.level(), self.choices.heart))),
            Table::Classic(table) => table.frames_per_row(),
        }
    }

    /// How far a running line clear is, from 0 to 1.
    pub fn clearing(&self) -> Option<f32> {
        let Table::GameBoy { game, .. } = &self.table else { return None };
        let Phase::Clearing { elapsed, .. } = game.phase() else { return None };
        let progress = f32::from(elapsed) / f32::from(tetris::gameboy::COLLAPSE_FRAME);
        (progress < 1.0).then_some(progress)
    }

    /// Whether the game has ended.
    pub fn is_over(&self) -> bool {
        match &self.table {
            Table::GameBoy { game, .. } => matches!(game.phase(), Phase::Over | Phase::Won),
            Table::Classic(table) => table.game.is_over(),
        }
    }
}

fn gameboy_table(choices: &Choices, mut deck: Deck) -> Table {
    // The level was checked, so the setup cannot be refused.
    let setup = Setup::new(Mode::A, choices.level.min(MAX_SETUP_LEVEL), choices.heart).unwrap_or_default();
    let game = Game::new(setup, Board::EMPTY, &mut deck);
    let game = game.with_progress(choices.level.min(MAX_LEVEL), 0, 0);
    Table::GameBoy { game: Box::new(game), deck }
}

fn step_gameboy(game: &mut Game, held: Buttons, deck: &mut Deck) -> Happening {
    match game.step(held, deck) {
        Event::None | Event::Lines(_) => Happening::Nothing,
        Event::Locked => {
            let full = game.board().full_rows() & tetris::field::Field::GAME_BOY.clearable;
            Happening::Locked { lines: full.count_ones() }
        }
        Event::Spawned => Happening::Spawned,
        Event::Ended => Happening::Over,
    }
}

/// The cells that are filled but have no colour yet.
fn new_cells(colours: &[u8], board: &Board) -> Vec<(i32, i32)> {
    let width = tetris::board::WIDTH;
    let is_new =
        |&(index, &colour): &(usize, &u8)| colour == 0 && board.is_filled(index % width, index / width);
    colours.iter().enumerate().filter(is_new).map(|(i, _)| ((i % width) as i32, (i / width) as i32)).collect()
}

impl ClassicTable {
    fn new(game: ClassicGame<Xoshiro256PlusPlus>) -> ClassicTable {
        let mut table = ClassicTable {
            game,
            held: Buttons::NONE,
            shift_timer: 0,
            fall_timer: 0,
            down_must_be_released: false,
        };
        table.fall_timer = table.frames_per_row();
        table
    }

    fn frames_per_row(&self) -> u32 {
        (self.game.row_ms() * FRAMES_PER_SECOND / 1_000).max(1)
    }

    fn falling(&self) -> Falling {
        let active = self.game.active();
        Falling { piece: active.piece, orientation: active.orientation, x: active.x, row: active.row }
    }

    fn step(&mut self, held: Buttons) -> (Happening, Vec<(i32, i32)>) {
        let pressed = held & !self.held;
        self.held = held;
        self.down_must_be_released &= held.any(Buttons::DOWN);
        if pressed.any(Buttons::A) || pressed.any(Buttons::B) {
            self.game.act(Action::Turn);
        }
        self.shift(pressed);
        if pressed.any(Buttons::UP) {
            return self.lock_by(Action::Drop);
        }
        self.fall_timer = self.fall_timer.saturating_sub(1);
        if held.any(Buttons::DOWN) && !self.down_must_be_released {
            self.fall_timer = self.fall_timer.min(SOFT_DROP - 1);
        }
        if self.fall_timer > 0 {
            return (Happening::Nothing, Vec::new());
        }
        self.fall_timer = self.frames_per_row();
        let lower = Falling { row: self.falling().row - 1, ..self.falling() };
        let grid = self.game.grid();
        if cells_of(lower).all(|(x, row)| !grid.is_filled(x, row)) {
            self.game.act(Action::Down);
            return (Happening::Nothing, Vec::new());
        }
        self.lock_by(Action::Down)
    }

    fn shift(&mut self, pressed: Buttons) {
        let (button, action) = if self.held.any(Buttons::RIGHT) {
            (Buttons::RIGHT, Action::Right)
        } else if self.held.any(Buttons::LEFT) {
            (Buttons::LEFT, Action::Left)
        } else {
            return;
        };
        if pressed.any(button) {
            self.shift_timer = SHIFT_DELAY;
        } else {
            self.shift_timer = self.shift_timer.saturating_sub(1);
            if self.shift_timer > 0 {
                return;
            }
            self.shift_timer = SHIFT_REPEAT;
        }
        self.game.act(action);
    }

    /// Locks the piece: the cells where it came to rest, before complete lines went.
    fn lock_by(&mut self, action: Action) -> (Happening, Vec<(i32, i32)>) {
        let mut rest = self.falling();
        let grid = self.game.grid();
        while cells_of(Falling { row: rest.row - 1, ..rest }).all(|(x, row)| !grid.is_filled(x, row)) {
            rest.row -= 1;
        }
        let before = self.game.lines();
        self.game.act(action);
        self.fall_timer = self.frames_per_row();
        self.down_must_be_released = true;
        (Happening::Locked { lines: self.game.lines() - before }, cells_of(rest).collect())
    }
}

/// The cells of a piece on the field.
pub fn cells_of(falling: Falling) -> impl Iterator<Item = (i32, i32)> {
    let shape = falling.piece.shape(falling.orientation);
    shape.cells().map(move |(x, row)| (falling.x + x as i32, falling.row + row as i32))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Colours say of every cell what the rules say.
    fn check_colours(session: &Session) {
        let (width, field) = (session.choices.width, session.field());
        for (index, &colour) in session.colours.iter().enumerate() {
            let filled = field.is_filled((index % width) as i32, (index / width) as i32);
            assert_eq!(colour != 0, filled, "cell {index}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        #[test]
        fn a_replay_is_the_same_game(
            seed in any::<u32>(), level in 0u8..=20, classic in any::<bool>(),
            held in proptest::collection::vec((0u8..64, 1usize..12), 1..160),
        ) {
            let choices = if classic { Choices::classic(7, 14, seed) } else { Choices::gameboy(level, seed) };
            let mut session = Session::new(choices).unwrap();
            for (buttons, frames) in held {
                for _ in 0..frames {
                    session.step(Buttons(buttons));
                    check_colours(&session);
                }
            }
            let again = Session::replay(choices, session.keys()).unwrap();
            prop_assert_eq!(again.score(), session.score());
            prop_assert_eq!(again.lines(), session.lines());
            prop_assert_eq!(again.colours(), session.colours());
            prop_assert_eq!(again.frames(), session.frames());
        }
    }

    #[test]
    fn up_drops_a_classic_piece_and_held_arrows_repeat() {
        let mut session = Session::new(Choices::classic(10, 20, 1)).unwrap();
        let x = session.falling().unwrap().x;
        for _ in 0..=SHIFT_DELAY + SHIFT_REPEAT {
            session.step(Buttons::LEFT);
        }
        assert_eq!(session.falling().unwrap().x, x - 3);
        assert_eq!(session.step(Buttons::UP), Happening::Locked { lines: 0 });
        assert_eq!(session.field().cells(), 4);
        // Held, it drops nothing more.
        assert_eq!(session.step(Buttons::UP), Happening::Nothing);
        assert_eq!(session.pieces(), 2);
    }

    #[test]
    fn an_idle_game_ends_and_stays_ended() {
        for choices in [Choices::gameboy(20, 3), Choices::classic(4, 4, 3)] {
            let mut session = Session::new(choices).unwrap();
            while session.step(Buttons::NONE) != Happening::Over {}
            let frames = session.frames();
            session.step(Buttons::LEFT);
            assert_eq!(session.frames(), frames);
        }
    }
}
