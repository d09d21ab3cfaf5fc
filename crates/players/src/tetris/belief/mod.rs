//! What the game must be like now: the rules, fed with the presses that were ordered and checked against
//! every look (G9, G10).
//!
//! A finger may slip off its button or press a period late, and nobody is told. So every look is
//! compared with what the screen would show if all presses had worked, if one had been missed, and so
//! on; what agrees is believed. Frames of a slow display show two pictures at once: cells that differ
//! between the pictures that a frame may show count for neither. Such a frame may fit two hypotheses,
//! turned and not turned, for example; both are kept until a later look tells them apart.

mod hypothesis;

use gameboy::Button;
use tetris::Piece;
use tetris::gameboy::{Phase, Pieces};

use super::model::{Model, Stroke};
use super::see::Playing;
use hypothesis::{Heir, Hypothesis, Shown};

/// Looks in a row that nothing explains before the piece is searched for again, and before all is forgotten.
const RELOCATE: u32 = 2;
const FORGET: u32 = 6;
/// Looks at a game that stood still before all is forgotten.
const LOOK_AGAIN: u32 = 4;
/// Cells that may be misread in a look that is believed.
const MISREAD: u32 = 1;
/// Hypotheses that are kept, and how much more doubtful than the best one they may be.
const MOST_HYPOTHESES: usize = 6;
const MOST_DOUBT: f32 = 5.0;

/// What is believed of a game under way.
#[derive(Clone, Debug)]
pub struct Belief {
    /// The likeliest one first; never empty.
    hypotheses: Vec<Hypothesis>,
    /// The last piece whose preview was seen, counted as in the model.
    previewed: Option<u32>,
    /// A preview that was seen once.
    glimpsed: Option<(u32, Piece)>,
    unexplained: u32,
    /// Whether time has passed in which the game stood still.
    stood_still: bool,
    heart: bool,
}

/// What a look says about a belief.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sighting {
    /// It agrees. The screen showed one of the pictures of these periods and of no other, if that is known.
    Agrees(Option<(u64, u64)>),
    /// Nothing can be told: rows are being cleared, or the picture is older than the belief.
    Silent,
    /// Nothing explains it; more looks are needed.
    Unexplained,
    /// Nothing has explained the last looks: the belief is worth nothing.
    Refuted,
}

impl Belief {
    /// Begins with a piece that was found on the screen.
    pub fn new(model: Model, has_preview: bool, heart: bool) -> Belief {
        Belief {
            previewed: has_preview.then_some(model.spawns),
            hypotheses: vec![Hypothesis::new(model)],
            glimpsed: None,
            unexplained: 0,
            stood_still: false,
            heart,
        }
    }

    fn best(&self) -> &Hypothesis {
        &self.hypotheses[0]
    }

    /// The game stood still for an unknown time.
    pub fn stood_still(&mut self) {
        self.stood_still = true;
        self.unexplained = 0;
    }

    /// A press was ordered.
    pub fn order(&mut self, stroke: Stroke) {
        for hypothesis in &mut self.hypotheses {
            hypothesis.strokes.push(stroke);
        }
    }

    /// Presses that were noticed to have missed.
    pub fn missed(&self) -> u32 {
        self.best().missed
    }

    /// Whether every press that was ordered is known to have worked or missed.
    pub fn is_settled(&self) -> bool {
        let best = self.best();
        best.strokes.iter().all(|stroke| stroke.until <= best.settled.period + 1)
    }

    /// The button of the last shift that was ordered and the period it was ordered for, if it is not settled whether
    /// it worked.
    pub fn unseen_shift(&self) -> Option<(Button, u64)> {
        self.best().unseen_shift()
    }

    /// Whether the last look was explained.
    pub fn is_trusted(&self) -> bool {
        self.unexplained == 0
    }

    /// The game after a period, if all that was ordered works.
    pub fn predict(&self, period: u64) -> Model {
        self.best().predict(period)
    }

    /// The presses that were ordered and are not settled.
    pub fn strokes(&self) -> &[Stroke] {
        &self.best().strokes
    }

    /// Whether it is known which piece this is, and which follows it.
    pub fn knows(&self, spawn: u32) -> (bool, bool) {
        let previewed = self.previewed.map_or(-1, i64::from);
        (i64::from(spawn) <= previewed + 1, i64::from(spawn) <= previewed)
    }

    /// Compares a look with what the pictures of these periods should show.
    pub fn check(&mut self, (first, last): (u64, u64), playing: &Playing) -> Sighting {
        // A picture shows the game as it was after the period before.
        if first <= self.best().settled.period {
            return Sighting::Silent;
        }
        if self.stood_still {
            return self.find_again(last, playing);
        }
        let shown = Shown { first, last, playing };
        let mut heirs: Vec<(usize, Heir)> = Vec::new();
        for (parent, hypothesis) in self.hypotheses.iter().enumerate() {
            heirs.extend(hypothesis.heirs(&shown, self.heart).into_iter().map(|heir| (parent, heir)));
        }
        heirs.sort_by(|(_, a), (_, b)| a.doubt.total_cmp(&b.doubt));
        let Some((parent, Heir { guess, wrong: Some(wrong), .. })) = heirs.first().copied() else {
            return Sighting::Silent;
        };
        if wrong > MISREAD {
            self.unexplained += 1;
            tracing::debug!(wrong, looks = self.unexplained, "a look that nothing explains");
            if self.unexplained >= RELOCATE && self.relocate(last, playing) {
                self.unexplained = 0;
                return Sighting::Agrees(None);
            }
            return if self.unexplained >= FORGET { Sighting::Refuted } else { Sighting::Unexplained };
        }
        self.unexplained = 0;
        let exactly = (wrong == 0).then(|| self.hypotheses[parent].exact_pictures(&guess, &shown)).flatten();
        self.inherit(&heirs, &shown);
        self.see_preview(first, playing);
        Sighting::Agrees(exactly)
    }

    /// The heirs, the likeliest first, take the place of those that they descend from.
    fn inherit(&mut self, heirs: &[(usize, Heir)], shown: &Shown<'_>) {
        let least = heirs.first().map_or(0.0, |(_, heir)| heir.doubt);
        let missed = self.missed();
        let mut next: Vec<Hypothesis> = Vec::new();
        for (parent, heir) in heirs.iter().filter(|(_, heir)| heir.doubt <= least + MOST_DOUBT) {
            let parent = &self.hypotheses[*parent];
            let heir = match heir.wrong {
                Some(_) => parent.adopting(heir, shown),
                None => Hypothesis { doubt: heir.doubt, ..parent.clone() },
            };
            if !next.iter().any(|other| other.is_same(&heir)) {
                next.push(heir);
            }
            if next.len() == MOST_HYPOTHESES {
                break;
            }
        }
        self.hypotheses = next;
        if self.missed() > missed {
            tracing::debug!(missed = self.missed(), "a press had no effect");
        }
    }

    /// After the game stood still only what stands is known.
    fn find_again(&mut self, last: u64, playing: &Playing) -> Sighting {
        self.unexplained += 1;
        if self.relocate(last, playing) {
            (self.stood_still, self.unexplained) = (false, 0);
            return Sighting::Agrees(None);
        }
        if self.unexplained >= LOOK_AGAIN { Sighting::Refuted } else { Sighting::Unexplained }
    }

    /// Notes the preview of the piece that the screen shows, once it has been seen twice.
    fn see_preview(&mut self, first: u64, playing: &Playing) {
        let shown = self.predict(first.saturating_sub(2));
        let (Some(preview), Phase::Falling) = (playing.preview, shown.game.phase()) else { return };
        let spawn = shown.spawns;
        let pieces = shown.game.pieces();
        let is_known = self.previewed.is_some_and(|previewed| previewed >= spawn);
        if is_known && pieces.preview == preview {
            self.glimpsed = None;
            return;
        }
        // A first sight of a fresh preview is enough; against what was known it takes two.
        let is_sure = !is_known || self.glimpsed.replace((spawn, preview)) == Some((spawn, preview));
        if !is_sure {
            return;
        }
        self.previewed = Some(spawn);
        self.glimpsed = None;
        let models = self.hypotheses.iter_mut().flat_map(|h| [&mut h.settled, &mut h.launched]);
        for model in models {
            let known = model.game.pieces();
            match spawn.checked_sub(model.spawns) {
                Some(0) => model.game.foresee(Pieces { preview, ..known }),
                Some(1) => model.game.foresee(Pieces { hidden: preview, ..known }),
                _ => {}
            }
        }
    }

    /// Finds the falling piece by what is on the screen beside the board; true if it is there.
    fn relocate(&mut self, last: u64, playing: &Playing) -> bool {
        let found = self.hypotheses.iter().find_map(|hypothesis| hypothesis.relocated(last, playing));
        let is_found = found.is_some();
        if let Some(found) = found {
            self.hypotheses = vec![found];
        }
        is_found
    }
}

#[cfg(test)]
mod tests {
    use tetris::Board;
    use tetris::board::WIDTH;
    use tetris::gameboy::{Active, Game, Mode, Setup};

    use super::*;
    use crate::tetris::see::Figures;

    /// A look at a model's next picture; rows that flash are seen.
    fn look_at(model: &Model, versus: bool) -> Playing {
        let cells = model.picture().map_or([0; WIDTH], |shows| shows.possible);
        let preview = Some(model.game.pieces().preview);
        Playing { cells, flashing: false, preview, figures: Figures::default(), versus }
    }

    fn begin(setup: Setup, pieces: [Piece; 3], board: &str) -> Model {
        let [active, preview, hidden] = pieces;
        let board = Board::parse(board).expect("a board");
        let game = Game::with_pieces(setup, board, Pieces { active, preview, hidden });
        Model { game, period: 100, spawns: 0, spawned: 100 }
    }

    /// G19: rubble comes with the next piece, three rows at once, and the belief finds it.
    #[test]
    fn rubble_pushed_in_from_below_is_found() {
        let mut truth = begin(Setup::versus(), [Piece::O, Piece::T, Piece::L], "##........\n###.......");
        let mut belief = Belief::new(truth.clone(), true, false);
        let down = Stroke { button: Button::Down, from: 110, until: 200 };
        belief.order(down);
        truth.game.receive_garbage(3, 0b11_1110_1111);
        let mut sightings = Vec::new();
        while truth.period < 260 {
            truth.advance(&[down]);
            if truth.period.is_multiple_of(2) {
                let shown = truth.period + 1;
                sightings.push(belief.check((shown, shown), &look_at(&truth, true)));
            }
        }
        assert!(truth.spawns == 1 && truth.game.board().height() > 3, "{truth:?}");
        assert!(!sightings.contains(&Sighting::Refuted), "{sightings:?}");
        assert!(matches!(sightings.last(), Some(Sighting::Agrees(_))), "{sightings:?}");
        assert_eq!(belief.predict(truth.period).game.board(), truth.game.board());
    }

    /// Who believes that the game is over, or that rows are being cleared, and sees pieces fall, is wrong.
    #[test]
    fn a_game_that_goes_on_is_not_over() {
        let setup = Setup::new(Mode::A, 9, false).unwrap();
        let heap = ["....##....\n"; 16].concat();
        let mut ended = begin(setup, [Piece::O; 3], &heap);
        ended.advance_to(400, &[]);
        assert_eq!(ended.game.phase(), Phase::Over);
        let flat = begin(setup, [Piece::O; 3], "##########\n####..####");
        let low = Active { row: 0, ..Active::spawn(Piece::O) };
        let mut clearing = Model { game: flat.game.clone().with_active(low, 0), ..flat };
        clearing.advance_to(110, &[]);
        assert!(matches!(clearing.game.phase(), Phase::Clearing { .. }), "{clearing:?}");
        for wrong in [ended, clearing] {
            let mut truth = Model { period: wrong.period, ..begin(setup, [Piece::T; 3], "#.........") };
            let mut belief = Belief::new(wrong, true, false);
            let sightings: Vec<_> = (0..12)
                .map(|_| {
                    truth.advance_to(truth.period + 2, &[]);
                    belief.check((truth.period + 1, truth.period + 1), &look_at(&truth, false))
                })
                .collect();
            assert!(sightings.contains(&Sighting::Refuted), "{sightings:?}");
        }
    }
}
