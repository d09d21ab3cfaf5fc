//! One way in which the game may have gone so far, and the ways in which it may go on from there.

use gameboy::Button;
use tetris::board::WIDTH;
use tetris::gameboy::{Active, Phase, ROWS, frames_per_row, speed};
use tetris::{Board, Piece};

use crate::tetris::model::{Model, Stroke};
use crate::tetris::see::Playing;

/// Periods that what is settled stays behind what is seen.
const BEHIND: u64 = 3;
/// Periods by which the whole game may be earlier or later than believed.
const MOST_SLIP: i64 = 12;
/// Presses of which all combinations of misses are tried.
const MOST_DOUBTS: usize = 5;
/// Most rows of rubble that are pushed in at once.
const MOST_RUBBLE: u32 = 12;
/// How unlikely things are, in misread cells: a press that missed, one that came late, a piece that falls later, a
/// game that is earlier or later as a whole, rubble.
const MISSED: f32 = 0.5;
const LATE: f32 = 0.25;
const FALLS_LATER: f32 = 0.5;
const SLIPPED: f32 = 0.4;
const RUBBLE: f32 = 0.25;
/// A look of which a hypothesis says nothing, and one that it rules out.
const SILENT: f32 = 1.0;
const RULED_OUT: u32 = 20;
/// What is left of a doubt with each further look.
const FADING: f32 = 0.8;

/// A game as it may be, and what is not yet known of the presses.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    /// The game at a moment that no later look puts in doubt.
    pub settled: Model,
    /// The game when its piece had just appeared.
    pub launched: Model,
    /// Presses ordered since the settled moment.
    pub strokes: Vec<Stroke>,
    /// How badly the last looks fitted, and how unlikely all is that they would take.
    pub doubt: f32,
    /// Presses that had no effect.
    pub missed: u32,
}

/// A look: the pictures, first and last, that it may show, and what it does show.
#[derive(Clone, Copy, Debug)]
pub struct Shown<'a> {
    pub first: u64,
    pub last: u64,
    pub playing: &'a Playing,
}

/// What may have happened to the presses, to the time of the next fall, and to the field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Guess {
    /// Presses that missed, by bit.
    missed: u32,
    /// A press that worked a period late.
    late: Option<usize>,
    /// In how many periods the piece falls, if not when it should.
    falls_in: Option<u8>,
    /// Periods that the whole game is later than believed: Down was let go a little sooner or later.
    slip: i64,
    /// Rows of rubble that the next piece brings.
    rubble: u32,
}

/// A guess, and how it fits a look.
#[derive(Clone, Copy, Debug)]
pub struct Heir {
    pub guess: Guess,
    /// Cells that it leaves unexplained; nothing if it says nothing about this look.
    pub wrong: Option<u32>,
    /// The lower, the likelier.
    pub doubt: f32,
}

impl Hypothesis {
    /// Begins with a game.
    pub fn new(model: Model) -> Hypothesis {
        Hypothesis { launched: model.clone(), settled: model, strokes: Vec::new(), doubt: 0.0, missed: 0 }
    }

    /// Whether two have come to the same.
    pub fn is_same(&self, other: &Hypothesis) -> bool {
        let of = |hypothesis: &Hypothesis| (hypothesis.settled.period, hypothesis.settled.spawns);
        of(self) == of(other) && self.settled.game == other.settled.game && self.strokes == other.strokes
    }

    /// The game after a period, if all that was ordered works.
    pub fn predict(&self, period: u64) -> Model {
        let mut model = self.settled.clone();
        model.advance_to(period, &self.strokes);
        model
    }

    /// How the game may have gone on until this look. While all fits, only presses that are about to be settled are
    /// doubted, since a look after that may tell whether they worked.
    pub fn heirs(&self, shown: &Shown<'_>, heart: bool) -> Vec<Heir> {
        let plain = self.heir(Guess::default(), shown);
        if plain.wrong.is_none() {
            return vec![plain];
        }
        let guesses = if plain.wrong == Some(0) {
            let due = settled_by(shown);
            let settling = (0..self.strokes.len().min(32)).filter(|i| self.strokes[*i].from <= due);
            settling.map(|i| Guess { missed: 1 << i, ..Guess::default() }).collect()
        } else {
            self.guesses(shown, heart)
        };
        let others = guesses.into_iter().map(|guess| self.heir(guess, shown));
        std::iter::once(plain).chain(others).collect()
    }

    fn heir(&self, guess: Guess, shown: &Shown<'_>) -> Heir {
        let wrong = self.wrong_cells(&guess, shown);
        let misfit = wrong.map_or(SILENT, |wrong| wrong as f32);
        Heir { guess, wrong, doubt: FADING * self.doubt + misfit + guess.unlikeliness(u32::MAX) }
    }

    /// What may have happened.
    fn guesses(&self, shown: &Shown<'_>, heart: bool) -> Vec<Guess> {
        let seen = |stroke: &Stroke| (self.settled.period + 1..shown.last).contains(&stroke.from);
        let doubtful: Vec<_> = (0..self.strokes.len().min(32)).filter(|i| seen(&self.strokes[*i])).collect();
        let plain = Guess::default();
        let mut guesses: Vec<_> = doubtful.iter().map(|i| Guess { late: Some(*i), ..plain }).collect();
        let few = &doubtful[..doubtful.len().min(MOST_DOUBTS)];
        let among =
            |bits: u32| few.iter().enumerate().filter(move |(n, _)| bits >> n & 1 == 1).map(|(_, i)| 1 << i);
        guesses.extend((1u32..1 << few.len()).map(|bits| Guess { missed: among(bits).sum(), ..plain }));
        if shown.playing.versus && hole(shown.playing).is_some() {
            guesses.extend((1..=MOST_RUBBLE).map(|rubble| Guess { rubble, ..plain }));
        }
        for slip in (1..=MOST_SLIP).flat_map(|slip| [slip, -slip]) {
            guesses.push(Guess { slip, ..plain });
        }
        let (until_fall, row) = (self.settled.game.until_fall(), self.periods_per_row(heart));
        for later in 1..row {
            guesses.push(Guess { falls_in: Some((until_fall + later) % row), ..plain });
        }
        guesses
    }

    fn periods_per_row(&self, heart: bool) -> u8 {
        frames_per_row(speed(self.settled.game.level(), heart))
    }

    fn begin(&self, guess: &Guess, playing: &Playing) -> (Model, Vec<Stroke>) {
        let mut model = match guess.falls_in {
            None => self.settled.clone(),
            Some(periods) => self.settled.falling_in(periods),
        };
        model.period = model.period.saturating_add_signed(guess.slip);
        if let Some(hole) = hole(playing).filter(|_| guess.rubble > 0) {
            model.game.receive_garbage(guess.rubble, ((1 << WIDTH) - 1) & !(1 << hole));
        }
        let strokes =
            self.strokes.iter().enumerate().filter(|(i, _)| guess.missed >> i & 1 == 0).map(|(i, stroke)| {
                let late = u64::from(guess.late == Some(i));
                Stroke { from: stroke.from + late, until: stroke.until + late, ..*stroke }
            });
        (model, strokes.collect())
    }

    /// Cells that no picture explains; nothing while rows fall into place.
    fn wrong_cells(&self, guess: &Guess, shown: &Shown<'_>) -> Option<u32> {
        // A picture shows the game as it was after the period before.
        if shown.first <= self.settled.period {
            return None;
        }
        let (mut model, strokes) = self.begin(guess, shown.playing);
        model.advance_to(shown.first - 1, &strokes);
        let (mut always, mut ever) = ([u32::MAX; WIDTH], [0; WIDTH]);
        loop {
            // A game is no longer seen once it has ended.
            if matches!(model.game.phase(), Phase::Won | Phase::Over) {
                return Some(RULED_OUT);
            }
            let picture = model.picture()?;
            for x in 0..WIDTH {
                always[x] &= picture.sure[x];
                ever[x] |= picture.possible[x];
            }
            if model.period + 1 >= shown.last {
                break;
            }
            model.advance(&strokes);
        }
        let cells = &shown.playing.cells;
        let wrong = |x: usize| (always[x] & !cells[x] | cells[x] & !ever[x]).count_ones();
        Some((0..WIDTH).map(wrong).sum())
    }

    /// The pictures around that look exactly like the cells.
    pub fn exact_pictures(&self, guess: &Guess, shown: &Shown<'_>) -> Option<(u64, u64)> {
        const AROUND: u64 = 4;
        let (mut model, strokes) = self.begin(guess, shown.playing);
        model.advance_to((shown.first - 1).saturating_sub(AROUND).max(model.period), &strokes);
        let (mut from, mut to) = (None, None);
        let cells = &shown.playing.cells;
        while model.period < shown.last + AROUND {
            if model.picture().is_some_and(|picture| picture.sure == *cells && picture.possible == *cells) {
                from = from.or(Some(model.period + 1));
                to = Some(model.period + 1);
            }
            model.advance(&strokes);
        }
        from.zip(to).filter(|(from, to)| *from <= shown.last && *to >= shown.first)
    }

    /// The same game with a guess adopted, as far as its effects were to be seen.
    #[must_use]
    pub fn adopting(&self, heir: &Heir, shown: &Shown<'_>) -> Hypothesis {
        let Heir { guess, wrong, .. } = heir;
        let (settled, _) = self.begin(guess, shown.playing);
        let to = settled_by(shown);
        let (mut strokes, mut missed) = (Vec::new(), 0);
        for (i, stroke) in self.strokes.iter().enumerate() {
            let was_seen = stroke.from <= to;
            if was_seen && i < 32 && guess.missed >> i & 1 == 1 {
                missed |= 1 << i;
                continue;
            }
            let late = u64::from(was_seen && guess.late == Some(i));
            strokes.push(Stroke { from: stroke.from + late, until: stroke.until + late, ..*stroke });
        }
        let misfit = wrong.map_or(SILENT, |wrong| wrong as f32);
        let mut adopted = Hypothesis {
            settled,
            launched: self.launched.clone(),
            strokes,
            // Presses that may still have worked are doubted anew with the next look.
            doubt: FADING * self.doubt + misfit + guess.unlikeliness(missed),
            missed: self.missed + missed.count_ones(),
        };
        while adopted.settled.period < to {
            let spawns = adopted.settled.spawns;
            adopted.settled.advance(&adopted.strokes);
            if adopted.settled.spawns > spawns {
                adopted.launched = adopted.settled.clone();
            }
        }
        adopted.strokes.retain(|stroke| stroke.until > adopted.settled.period);
        adopted
    }

    /// The same game with its piece where it is seen beside what stands, if it is there.
    pub fn relocated(&self, last: u64, playing: &Playing) -> Option<Hypothesis> {
        let board = *self.launched.game.board();
        let active = find_piece(&board, self.launched.game.pieces().active, playing)?;
        let until_fall = self.launched.game.until_fall() / 2;
        let game = self.launched.game.clone().with_active(active, until_fall);
        let settled = Model { game, period: last - 1, ..self.launched };
        let (worked, ahead): (Vec<_>, Vec<_>) =
            self.strokes.iter().copied().partition(|stroke| stroke.from < last);
        let missed = self.missed + u32::from(!worked.is_empty());
        Some(Hypothesis { settled, strokes: ahead, doubt: 0.0, missed, launched: self.launched.clone() })
    }

    /// The button of the last shift that was ordered and the period it was ordered for, if it is not settled whether
    /// it worked.
    pub fn unseen_shift(&self) -> Option<(Button, u64)> {
        let is_shift = |stroke: &&Stroke| matches!(stroke.button, Button::Left | Button::Right);
        let last = self.strokes.iter().rfind(is_shift).filter(|stroke| stroke.from > self.settled.period)?;
        Some((last.button, last.from))
    }
}

impl Guess {
    /// How unlikely it is; of the presses that missed, those count that are among these.
    fn unlikeliness(&self, counted: u32) -> f32 {
        let if_any = |is_there: bool, cost: f32| if is_there { cost } else { 0.0 };
        (self.missed & counted).count_ones() as f32 * MISSED
            + if_any(self.late.is_some(), LATE)
            + if_any(self.falls_in.is_some(), FALLS_LATER)
            + if_any(self.slip != 0, SLIPPED + self.slip.unsigned_abs() as f32 / 100.0)
            + if_any(self.rubble > 0, RUBBLE)
    }
}

/// What was ordered for this period or before is settled after a look.
fn settled_by(shown: &Shown<'_>) -> u64 {
    (shown.first - 1).saturating_sub(BEHIND)
}

/// The column of the hole in the lowest row.
fn hole(playing: &Playing) -> Option<usize> {
    let mut holes = (0..WIDTH).filter(|x| playing.cells[*x] & 1 == 0);
    holes.next().filter(|_| holes.next().is_none())
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
