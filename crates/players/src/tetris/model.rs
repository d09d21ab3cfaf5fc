//! A game that is only watched, run along by the rules with the presses that were ordered.

use gameboy::Button;
use tetris::Piece;
use tetris::board::WIDTH;
use tetris::gameboy::{Active, Buttons, Event, Game, Mode, Phase, Pieces, ROWS, Setup};
use tetris::reach::Start;

use super::see::Playing;

/// Rows that can be seen.
const VISIBLE: u32 = (1 << ROWS) - 1;

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
        let (level, lines) = (playing.figures.level.unwrap_or(0), playing.figures.lines.unwrap_or(0));
        let game = Game::with_pieces(setup, board, pieces).with_progress(level, lines, 0);
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

    /// The filled cells that the next period's picture shows; nothing while rows are being cleared.
    pub fn picture(&self) -> Option<[u32; WIDTH]> {
        let mut drawn = *self.game.board();
        match self.game.phase() {
            Phase::Falling => {
                let active = self.game.active()?;
                drawn.place(active.shape(), active.x, active.row);
            }
            Phase::Entry { .. } => {}
            Phase::Clearing { .. } | Phase::Won | Phase::Over => return None,
        }
        Some(drawn.columns().map(|column| column & VISIBLE))
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

    /// The same game, whose piece falls this many periods later.
    #[must_use]
    pub fn falling_later(&self, by: u8, periods_per_row: u8) -> Model {
        let mut model = self.clone();
        if let Some(active) = self.game.active() {
            let until_fall = (self.game.until_fall() + by) % periods_per_row.max(1);
            model.game = self.game.clone().with_active(*active, until_fall);
        }
        model
    }
}
