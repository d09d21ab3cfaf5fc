//! What the game must be like now: the rules, fed with the presses that were ordered and checked against
//! every look (G9, G10).
//!
//! A finger may slip off its button or press a period late, and nobody is told. So every look is
//! compared with what the screen would show if all presses had worked, if one had been missed, and so
//! on; what agrees is believed. Frames of a slow display show two pictures at once: cells that differ
//! between the pictures that a frame may show count for neither.

use gameboy::Button;
use tetris::board::WIDTH;
use tetris::gameboy::{Active, Phase, Pieces, ROWS, frames_per_row, speed};
use tetris::{Board, Piece};

use super::model::{Model, Stroke};
use super::see::Playing;

/// Periods that what is settled stays behind what is seen.
const BEHIND: u64 = 3;
/// Looks in a row that nothing explains before the piece is searched for again, and before all is forgotten.
const RELOCATE: u32 = 2;
const FORGET: u32 = 6;
/// Looks at a game that stood still before all is forgotten.
const LOOK_AGAIN: u32 = 4;
/// Cells that may be misread in a look that is believed.
const MISREAD: u32 = 1;
/// Periods by which the whole game may be earlier or later than believed.
const MOST_SLIP: i64 = 12;
/// Presses of which all combinations of misses are tried.
const MOST_DOUBTS: usize = 5;

/// What is believed of a game under way.
#[derive(Clone, Debug)]
pub struct Belief {
    /// The game at a moment that no later look puts in doubt.
    settled: Model,
    /// The game when its piece had just appeared.
    launched: Model,
    /// Presses ordered since the settled moment.
    strokes: Vec<Stroke>,
    /// The last piece whose preview was seen, counted as in the model.
    previewed: Option<u32>,
    /// A preview that was seen once.
    glimpsed: Option<(u32, Piece)>,
    unexplained: u32,
    /// Whether time has passed in which the game stood still.
    stood_still: bool,
    heart: bool,
    /// Presses that were noticed to have missed.
    pub missed: u32,
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

/// What may have happened to the presses, and to the time of the next fall.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Guess {
    /// Presses that missed, by bit.
    missed: u32,
    /// A press that worked a period late.
    late: Option<usize>,
    /// Periods that the piece falls later.
    falls_later: u8,
    /// Periods that the whole game is later than believed: Down was let go a little sooner or later.
    slip: i64,
}

impl Belief {
    /// Begins with a piece that was found on the screen.
    pub fn new(model: Model, has_preview: bool, heart: bool) -> Belief {
        let previewed = has_preview.then_some(model.spawns);
        Belief {
            launched: model.clone(),
            settled: model,
            strokes: Vec::new(),
            previewed,
            glimpsed: None,
            unexplained: 0,
            stood_still: false,
            heart,
            missed: 0,
        }
    }

    /// The game stood still for an unknown time.
    pub fn stood_still(&mut self) {
        self.stood_still = true;
        self.unexplained = 0;
    }

    /// A press was ordered.
    pub fn order(&mut self, stroke: Stroke) {
        self.strokes.push(stroke);
    }

    /// Whether every press that was ordered is known to have worked or missed.
    pub fn is_settled(&self) -> bool {
        self.strokes.iter().all(|stroke| stroke.until <= self.settled.period + 1)
    }

    /// The button of the last shift that was ordered, if it is not settled whether it worked. One press more than
    /// was needed is among the strokes only once.
    pub fn unseen_shift(&self) -> Option<Button> {
        let is_shift = |stroke: &&Stroke| matches!(stroke.button, Button::Left | Button::Right);
        let mut shifts = self.strokes.iter().filter(is_shift).rev();
        let last = shifts.next().filter(|stroke| stroke.from > self.settled.period)?;
        Some(last.button)
    }

    /// Whether the last look was explained.
    pub fn is_trusted(&self) -> bool {
        self.unexplained == 0
    }

    /// The game after a period, if all that was ordered works.
    pub fn predict(&self, period: u64) -> Model {
        let mut model = self.settled.clone();
        model.advance_to(period, &self.strokes);
        model
    }

    /// Goes on with this model under the presses that were ordered.
    pub fn strokes(&self) -> &[Stroke] {
        &self.strokes
    }

    /// Whether it is known which piece this is, and which follows it.
    pub fn knows(&self, spawn: u32) -> (bool, bool) {
        let previewed = self.previewed.map_or(-1, i64::from);
        (i64::from(spawn) <= previewed + 1, i64::from(spawn) <= previewed)
    }

    /// Compares a look with what the pictures of these periods should show.
    pub fn check(&mut self, (first, last): (u64, u64), playing: &Playing) -> Sighting {
        // A picture shows the game as it was after the period before.
        if first < self.settled.period + 1 {
            return Sighting::Silent;
        }
        if self.stood_still {
            return self.find_again(last, playing);
        }
        let Some((guess, wrong)) = self.best_guess(first, last, &playing.cells) else {
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
        let exactly =
            (wrong == 0).then(|| self.exact_pictures(&guess, first, last, &playing.cells)).flatten();
        self.settle(&guess, first);
        self.see_preview(first, playing);
        Sighting::Agrees(exactly)
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

    /// The first guess that explains the cells, or the one that explains most; nothing while rows clear.
    fn best_guess(&self, first: u64, last: u64, cells: &[u32; WIDTH]) -> Option<(Guess, u32)> {
        let mut best: Option<(Guess, u32)> = None;
        for guess in self.guesses(last) {
            let wrong = self.wrong_cells(&guess, first, last, cells)?;
            if best.is_none_or(|(_, least)| wrong < least) {
                best = Some((guess, wrong));
            }
            if wrong == 0 {
                break;
            }
        }
        best
    }

    /// What may have happened, the likeliest first.
    fn guesses(&self, last: u64) -> Vec<Guess> {
        let seen = |stroke: &Stroke| (self.settled.period + 1..last).contains(&stroke.from);
        let doubtful: Vec<_> = (0..self.strokes.len().min(32)).filter(|i| seen(&self.strokes[*i])).collect();
        let plain = Guess::default();
        let mut guesses = vec![plain];
        let late = doubtful.iter().map(|i| Guess { late: Some(*i), ..plain });
        guesses.extend(late);
        let few = &doubtful[..doubtful.len().min(MOST_DOUBTS)];
        let mut misses: Vec<u32> = (1u32..1 << few.len()).collect();
        misses.sort_by_key(|bits| bits.count_ones());
        let among =
            |bits: u32| few.iter().enumerate().filter(move |(n, _)| bits >> n & 1 == 1).map(|(_, i)| 1 << i);
        guesses.extend(misses.into_iter().map(|bits| Guess { missed: among(bits).sum(), ..plain }));
        for slip in (1..=MOST_SLIP).flat_map(|slip| [slip, -slip]) {
            guesses.push(Guess { slip, ..plain });
        }
        for falls_later in 1..self.periods_per_row() {
            guesses.push(Guess { falls_later, ..plain });
        }
        guesses
    }

    fn periods_per_row(&self) -> u8 {
        frames_per_row(speed(self.settled.game.level(), self.heart))
    }

    fn begin(&self, guess: &Guess) -> (Model, Vec<Stroke>) {
        let mut model = match guess.falls_later {
            0 => self.settled.clone(),
            by => self.settled.falling_later(by, self.periods_per_row()),
        };
        model.period = model.period.saturating_add_signed(guess.slip);
        let strokes =
            self.strokes.iter().enumerate().filter(|(i, _)| guess.missed >> i & 1 == 0).map(|(i, stroke)| {
                let late = u64::from(guess.late == Some(i));
                Stroke { from: stroke.from + late, until: stroke.until + late, ..*stroke }
            });
        (model, strokes.collect())
    }

    /// Cells that no picture explains.
    fn wrong_cells(&self, guess: &Guess, first: u64, last: u64, cells: &[u32; WIDTH]) -> Option<u32> {
        let (mut model, strokes) = self.begin(guess);
        model.advance_to(first - 1, &strokes);
        let (mut always, mut ever) = ([u32::MAX; WIDTH], [0; WIDTH]);
        loop {
            let picture = model.picture()?;
            for x in 0..WIDTH {
                always[x] &= picture[x];
                ever[x] |= picture[x];
            }
            if model.period + 1 >= last {
                break;
            }
            model.advance(&strokes);
        }
        let wrong = |x: usize| (always[x] & !cells[x] | cells[x] & !ever[x]).count_ones();
        Some((0..WIDTH).map(wrong).sum())
    }

    /// The pictures around that look exactly like the cells.
    fn exact_pictures(
        &self,
        guess: &Guess,
        first: u64,
        last: u64,
        cells: &[u32; WIDTH],
    ) -> Option<(u64, u64)> {
        const AROUND: u64 = 4;
        let (mut model, strokes) = self.begin(guess);
        model.advance_to((first - 1).saturating_sub(AROUND).max(model.period), &strokes);
        let (mut from, mut to) = (None, None);
        while model.period < last + AROUND {
            if model.picture().as_ref() == Some(cells) {
                from = from.or(Some(model.period + 1));
                to = Some(model.period + 1);
            }
            model.advance(&strokes);
        }
        from.zip(to).filter(|(from, to)| *from <= last && *to >= first)
    }

    /// Adopts a guess, as far as its effects were to be seen.
    fn settle(&mut self, guess: &Guess, first: u64) {
        let (model, _) = self.begin(guess);
        self.settled = model;
        let to = (first - 1).saturating_sub(BEHIND);
        let was_seen = |stroke: &Stroke| stroke.from <= to;
        let mut strokes = std::mem::take(&mut self.strokes);
        for (i, stroke) in strokes.iter_mut().enumerate() {
            if guess.late == Some(i) && was_seen(stroke) {
                (stroke.from, stroke.until) = (stroke.from + 1, stroke.until + 1);
            }
        }
        let mut index = 0;
        strokes.retain(|stroke| {
            let has_missed = guess.missed >> index.min(31) & 1 == 1 && index < 32 && was_seen(stroke);
            index += 1;
            self.missed += u32::from(has_missed);
            if has_missed {
                tracing::debug!(?stroke, "a press had no effect");
            }
            !has_missed
        });
        while self.settled.period < to {
            let spawns = self.settled.spawns;
            self.settled.advance(&strokes);
            if self.settled.spawns > spawns {
                self.launched = self.settled.clone();
            }
        }
        strokes.retain(|stroke| stroke.until > self.settled.period);
        self.strokes = strokes;
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
        let ahead = spawn - self.settled.spawns.min(spawn);
        for model in [&mut self.settled, &mut self.launched] {
            let known = model.game.pieces();
            match spawn.checked_sub(model.spawns) {
                Some(0) => model.game.foresee(Pieces { preview, ..known }),
                Some(1) => model.game.foresee(Pieces { hidden: preview, ..known }),
                _ => {}
            }
        }
        debug_assert!(ahead <= 2, "the settled moment is a few periods behind");
    }

    /// Finds the falling piece by what is on the screen beside the board; true if it is there.
    fn relocate(&mut self, last: u64, playing: &Playing) -> bool {
        let board = *self.launched.game.board();
        let Some(active) = find_piece(&board, self.launched.game.pieces().active, playing) else {
            return false;
        };
        let until_fall = self.launched.game.until_fall() / 2;
        let game = self.launched.game.clone().with_active(active, until_fall);
        self.settled = Model { game, period: last - 1, ..self.launched };
        let period = self.settled.period;
        self.missed += self.strokes.iter().filter(|stroke| stroke.from <= period).count().min(1) as u32;
        self.strokes.retain(|stroke| stroke.from > period);
        true
    }
}

/// Where a piece is, if it is all that is to be seen beside the board.
fn find_piece(board: &Board, piece: Piece, playing: &Playing) -> Option<Active> {
    let visible = (1 << ROWS) - 1;
    let is_complete = (0..WIDTH).all(|x| board.column(x) & visible & !playing.cells[x] == 0);
    if !is_complete {
        return None;
    }
    let places = (0..piece.orientations()).flat_map(|orientation| {
        (-2..WIDTH as i32).flat_map(move |x| (-2..16).map(move |row| (orientation, x, row)))
    });
    places.map(|(orientation, x, row)| Active { piece, orientation, x, row }).find(|active| {
        if board.collides(active.shape(), active.x, active.row) {
            return false;
        }
        let mut drawn = *board;
        drawn.place(active.shape(), active.x, active.row);
        (0..WIDTH).all(|x| drawn.column(x) & visible == playing.cells[x])
    })
}
