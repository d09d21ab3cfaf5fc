//! A game that is only watched, run along by the rules with the presses that were ordered.

use gameboy::Button;
use tetris::Piece;
use tetris::board::WIDTH;
use tetris::gameboy::{Active, Buttons, COLLAPSE_FRAME, Event, Game, Mode, Phase, Pieces, ROWS, Setup};
use tetris::reach::Start;

use super::see::Playing;

/// Rows that can be seen.
const VISIBLE: u32 = (1 << ROWS) - 1;

/// Periods before rows fall into place in which nothing is said about the picture any more.
const COLLAPSES_EARLY: u16 = 2;

/// Cells that a picture shows, by column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shows {
    /// Those that are filled.
    pub sure: [u32; WIDTH],
    /// Those and the ones that flash: nobody knows whether they are seen.
    pub possible: [u32; WIDTH],
}

/// One press of one button: held in these periods of the console.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stroke {
    /// Which button.
    pub button: Button,
    /// The first period in which it is held.
    pub from: u64,
    /// The first period in which it no longer is.
    pub until: u64,
}

/// The game after one of the console's periods.
#[derive(Clone, Debug)]
pub struct Model {
    /// As the rules have it. Its hidden piece, and after a spawn its preview, are not known.
    pub game: Game,
    /// The last period that was played.
    pub period: u64,
    /// Pieces that have appeared so far.
    pub spawns: u32,
    /// The period in which the last one did.
    pub spawned: u64,
}

impl Model {
    /// A game whose piece is in the air at the end of `period`; how soon it falls is a guess.
    pub fn new(playing: &Playing, board: tetris::Board, active: Active, period: u64, heart: bool) -> Model {
        let preview = playing.preview.unwrap_or(active.piece);
        let pieces = Pieces { active: active.piece, preview, hidden: Piece::L };
        // Level 0 always exists; the level that counts is set just after.
        let setup = if playing.versus {
            Setup::versus()
        } else {
            Setup::new(Mode::A, 0, heart).unwrap_or_else(|_| Setup::versus())
        };
        let game = Game::with_pieces(setup, board, pieces);
        // The screen of two players shows no level, and a game of theirs without lines left would be won.
        let level = playing.figures.level.unwrap_or(game.level());
        let lines = playing.figures.lines.filter(|lines| *lines > 0).unwrap_or(game.lines());
        let game = game.with_progress(level, lines, 0);
        let until_fall = game.until_fall() / 2;
        Model { game: game.with_active(active, until_fall), period, spawns: 0, spawned: period }
    }

    /// Plays the next period with the buttons that these strokes hold.
    pub fn advance(&mut self, strokes: &[Stroke]) {
        self.period += 1;
        let held = strokes
            .iter()
            .filter(|stroke| (stroke.from..stroke.until).contains(&self.period))
            .fold(Buttons::NONE, |held, stroke| held | stroke.button.alone());
        if self.game.step(held, &mut || 1) == Event::Spawned {
            self.spawns += 1;
            self.spawned = self.period;
        }
    }

    /// Plays on to the end of this period.
    pub fn advance_to(&mut self, period: u64, strokes: &[Stroke]) {
        while self.period < period {
            self.advance(strokes);
        }
    }

    /// What the next period's picture shows of the field; nothing can be said while rows fall into place.
    pub fn picture(&self) -> Option<Shows> {
        let mut drawn = *self.game.board();
        let mut flashing = 0;
        match self.game.phase() {
            Phase::Falling => {
                let active = self.game.active()?;
                drawn.place(active.shape(), active.x, active.row);
            }
            Phase::Entry { .. } => {}
            Phase::Clearing { elapsed, .. } if elapsed + COLLAPSES_EARLY < COLLAPSE_FRAME => {
                flashing = drawn.full_rows();
            }
            Phase::Clearing { .. } | Phase::Won | Phase::Over => return None,
        }
        let possible = drawn.columns().map(|column| column & VISIBLE);
        Some(Shows { sure: possible.map(|column| column & !flashing), possible })
    }

    /// Where the piece is, for a search of what it can reach from the next period on.
    pub fn start(&self) -> Option<Start> {
        let active = self.game.active()?;
        Some(Start {
            orientation: active.orientation,
            x: active.x,
            row: active.row,
            until_fall: u32::from(self.game.until_fall()),
        })
    }

    /// The same game, whose piece falls after this many more periods.
    #[must_use]
    pub fn falling_in(&self, periods: u8) -> Model {
        let mut model = self.clone();
        if let Some(active) = self.game.active() {
            model.game = self.game.clone().with_active(*active, periods);
        }
        model
    }
}
