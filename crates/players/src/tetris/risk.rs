//! What a press that misses would cost.
//!
//! A slip is noticed a few rows later. Low on the field there is time to make up for it; above a high stack, or
//! where pieces fall fast, the piece ends where it must not. So each placement is charged with what the slips on
//! its way are likely to cost, and of two that are worth the same the safer one is chosen.

use gameboy::Button;
use tetris::evaluate::Evaluator;
use tetris::evaluate::learned::CLEARS;
use tetris::gameboy::{Buttons, Phase};
use tetris::reach::{KeyPlan, Start};
use tetris::search::{Keys, Search};
use tetris::{Board, Piece};

use super::mind::Judge;
use super::model::{Model, Stroke};
use super::pilot::held;

/// Presses, and those of them that missed, that a robot is believed to have behind it at the start.
const EARLIER: (f32, f32) = (50.0, 0.5);

/// Rows of a stack over which a slip can still be made up for at the highest speed.
const SAFE_HEIGHT: u32 = 7;
/// What a row above them costs in tetrises, for each press that is likely to slip. The tables of the evaluator were
/// learned with fingers that do not: they build higher than those that do can afford.
const ROW_TOO_HIGH: f32 = 2.0;
/// From this share of slips on, fingers are as good as ones that are a period slower.
const CLUMSY: f32 = 0.03;

/// How often the fingers slip.
#[derive(Clone, Copy, Debug, Default)]
pub struct Slips {
    /// Presses ordered.
    pub ordered: u32,
    /// Those that had no effect.
    pub missed: u32,
}

impl Slips {
    /// The share of presses that miss, as far as it is known.
    pub fn share(self) -> f32 {
        (self.missed as f32 + EARLIER.1) / (self.ordered as f32 + EARLIER.0)
    }
}

impl Slips {
    /// Periods by which each press is slower, as building goes.
    pub fn periods_lost(self) -> u32 {
        u32::from(self.share() > CLUMSY)
    }
}

/// The other button that turns a piece, if it turns it to the same shape: where two shapes take turns, A and B do the
/// same. The console obeys one of them when both go down at once, and one of them when the other slips.
pub fn twin(piece: Piece, pressed: Buttons) -> Option<Button> {
    if piece.orientations() != 2 {
        return None;
    }
    match (pressed.any(Buttons::A), pressed.any(Buttons::B)) {
        (true, false) => Some(Button::B),
        (false, true) => Some(Button::A),
        _ => None,
    }
}

/// For each placement that the piece can reach, in the order of [`Search::outcomes`], what slips on its way will
/// cost on average. A slip is noticed, and the next press works, `unnoticed` periods later.
///
/// The search must be prepared, and its movement begin where the model's piece is.
pub fn costs(search: &mut Search<Judge, Keys>, model: &Model, unnoticed: u64, share: f32) -> Vec<f32> {
    let Some(start) = model.start() else { return Vec::new() };
    let (board, piece) = (*model.game.board(), model.game.pieces().active);
    let outcomes = search.outcomes(&board, piece);
    let plans: Vec<_> = outcomes.iter().map(|outcome| search.movement.plan(outcome.placement)).collect();
    let mut misses = Misses { search, model, board, unnoticed, known: Vec::new() };
    let costs = outcomes.iter().zip(&plans).map(|(outcome, plan)| {
        let values = plan.iter().flat_map(|plan| misses.values(plan));
        let too_high = outcome.board.height().saturating_sub(SAFE_HEIGHT) as f32 * ROW_TOO_HIGH;
        values.map(|value| share * (outcome.value - value).max(0.0)).sum::<f32>() + share * too_high
    });
    let costs = costs.collect();
    misses.search.movement.set_afloat(&board, piece, start);
    costs
}

struct Misses<'a> {
    search: &'a mut Search<Judge, Keys>,
    model: &'a Model,
    board: Board,
    unnoticed: u64,
    /// Values of places in the air; many plans share them.
    known: Vec<(Start, f32)>,
}

impl Misses<'_> {
    /// The best that is left when one button of the plan misses, for each of them.
    fn values(&mut self, plan: &KeyPlan) -> Vec<f32> {
        let strokes: Vec<_> = plan
            .presses
            .iter()
            .flat_map(|press| {
                let from = self.model.period + 1 + u64::from(press.frame);
                held(press.buttons).into_iter().map(move |button| Stroke { button, from, until: from + 1 })
            })
            .collect();
        let piece = self.model.game.pieces().active;
        // Two buttons that do the same hardly ever slip together.
        let can_slip = |stroke: &Stroke| twin(piece, stroke.button.alone()).is_none();
        let missed = (0..strokes.len()).filter(|stroke| can_slip(&strokes[*stroke]));
        missed.map(|missed| self.value_without(&strokes, missed)).collect()
    }

    fn value_without(&mut self, strokes: &[Stroke], missed: usize) -> f32 {
        let noticed = strokes[missed].from + self.unnoticed;
        let made = strokes.iter().enumerate().filter(|(i, stroke)| *i != missed && stroke.from < noticed);
        let made: Vec<_> = made.map(|(_, stroke)| *stroke).collect();
        let mut model = self.model.clone();
        while model.period + 1 < noticed && model.game.phase() == Phase::Falling {
            model.advance(&made);
        }
        let Some(start) = model.start().filter(|_| model.game.phase() == Phase::Falling) else {
            return self.value_locked(*model.game.board());
        };
        if let Some((_, value)) = self.known.iter().find(|(known, _)| *known == start) {
            return *value;
        }
        let piece = model.game.pieces().active;
        self.search.movement.set_afloat(&self.board, piece, start);
        // A lost game is worth nothing, and nothing is worth less.
        let value = self.search.best_outcome(&self.board, piece).max(0.0);
        self.known.push((start, value));
        value
    }

    /// Of a board on which the piece has just come to rest.
    fn value_locked(&self, mut board: Board) -> f32 {
        let full = board.full_rows();
        board.remove_rows(full);
        let cleared = CLEARS[(full.count_ones() as usize).min(CLEARS.len() - 1)];
        (cleared + self.search.evaluator.board_value(&board)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use tetris::gameboy::{Game, Mode, Pieces, Setup};

    use super::*;

    #[test]
    fn fingers_are_trusted_until_they_slip() {
        assert!(Slips::default().share() < 0.011);
        let worn = Slips { ordered: 1_000, missed: 50 };
        assert!((0.045..0.05).contains(&worn.share()), "{}", worn.share());
    }

    /// G14: what the console makes of both buttons, and of the one that did not slip, is the same shape.
    #[test]
    fn either_button_turns_a_piece_of_two_shapes_to_the_same() {
        for (piece, twins) in [(Piece::I, true), (Piece::S, true), (Piece::Z, true), (Piece::T, false)] {
            let turned = |held: Buttons| {
                let pieces = Pieces { active: piece, preview: Piece::O, hidden: Piece::O };
                let mut game =
                    Game::with_pieces(Setup::new(Mode::A, 9, false).unwrap(), Board::EMPTY, pieces);
                game.step(held, &mut || 1);
                game.active().map(|active| (active.orientation % piece.orientations(), active.x, active.row))
            };
            let alone = [Buttons::A, Buttons::B].map(turned);
            assert_eq!(alone[0] == alone[1], twins, "{piece:?}");
            assert!(alone.contains(&turned(Buttons::A | Buttons::B)), "{piece:?}");
            assert_eq!(twin(piece, Buttons::A), twins.then_some(Button::B));
            assert_eq!(twin(piece, Buttons::B | Buttons::LEFT), twins.then_some(Button::A));
            assert_eq!(twin(piece, Buttons::LEFT), None);
        }
    }
}
