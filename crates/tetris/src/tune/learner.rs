//! Learns the tables of [`Learned`](crate::evaluate::Learned) by playing.
//!
//! Temporal differences: after every move the value of the board before it is
//! moved towards the gain of the move plus the value of the board after it. How
//! far is decided for each entry by how well its corrections agree (temporal
//! coherence), so there is no learning rate to choose. Every pace is learned on
//! its own and may have its own thread; the result does not depend on the number
//! of threads.

use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::evaluate::Evaluator;
use crate::evaluate::learned::{CLEARS, ENTRIES, LOOKUPS, Pace, Tables, for_each_lookup, lookups};
use crate::features::Placed;
use crate::field::Field;
use crate::gameboy::{CycleDiv, IdealDiv, MAX_LEVEL, PlacementGame, PlacementOutcome, Setup, garbage_board};
use crate::moves::Placement;
use crate::piece::Piece;
use crate::reach::Timing;
use crate::search::{Keys, Movement, Scored, Task};

/// Duration of a key press in milliseconds, for the paces that such keys meet.
const PRESS_MS: f64 = 75.0;
/// Durations of a key press for the paces beyond.
const SLOW_PRESSES_MS: [f64; 4] = [100.0, 133.0, 167.0, 200.0];
/// Slowest speed level to learn on; slower ones are played the same way.
const SLOWEST: u8 = 9;
/// Moves after which a game is stopped, so that all stages of a game are seen often.
const LONGEST_GAME: u32 = 3_000;
/// Share of games that start on garbage, so that stacks full of holes are learned too.
const LITTERED: f64 = 0.25;
/// The most garbage, in steps of two rows.
const HIGHEST_LITTER: u8 = 3;

/// The parameters of a learning run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnerSettings {
    /// Moves per round, for each pace.
    pub moves: u32,
    /// Discount: the value of a tetris one move later.
    pub discount: f32,
    /// Cost of a death in the first round, in tetrises, beyond those that are missed.
    pub death: f32,
    /// Additional cost with every round: if death is expensive from the start, building is never
    /// learned; if it stays cheap, the player builds too high.
    pub caution: f32,
    /// Placements of the piece to search together with those of the preview.
    pub roots: usize,
    /// Random seed.
    pub seed: u64,
}

impl Default for LearnerSettings {
    fn default() -> Self {
        Self { moves: 100_000, discount: 0.99, death: 20.0, caution: 0.5, roots: 6, seed: 1 }
    }
}

/// A learning run between two rounds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Learner {
    settings: LearnerSettings,
    students: Vec<Student>,
}

/// The result of a round on one pace.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Games lost.
    pub deaths: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Tetrises.
    pub tetrises: u32,
}

impl Round {
    /// Share of the lines that were cleared four at once.
    pub fn tetris_share(&self) -> f64 {
        4.0 * f64::from(self.tetrises) / f64::from(self.lines.max(1))
    }
}

impl Learner {
    /// A run that has learned nothing yet.
    pub fn new(settings: LearnerSettings) -> Learner {
        Learner { settings, students: Pace::all().map(|_| Student::default()).collect() }
    }

    /// Plays and learns one round on every pace, on `threads` threads.
    pub fn step(&mut self, threads: usize) {
        let settings = self.settings;
        let mut work: Vec<_> = Pace::all().zip(&mut self.students).collect();
        let share = work.len().div_ceil(threads.max(1));
        std::thread::scope(|scope| {
            for part in work.chunks_mut(share) {
                scope.spawn(move || {
                    for (pace, student) in part {
                        student.study(*pace, settings);
                    }
                });
            }
        });
    }

    /// The next round on every pace, each a piece of work of its own: [`Lesson::study`] them anywhere and
    /// [`Learner::learn`] them here.
    pub fn lessons(&self) -> impl Iterator<Item = Lesson> {
        let lesson = |(pace, student): (usize, &Student)| Lesson {
            pace,
            settings: self.settings,
            student: student.clone(),
        };
        self.students.iter().enumerate().map(lesson)
    }

    /// Takes over what was learned in a lesson.
    pub fn learn(&mut self, lesson: Lesson) {
        if let Some(student) = self.students.get_mut(lesson.pace) {
            *student = lesson.student;
        }
    }

    /// Rounds so far.
    pub fn rounds(&self) -> usize {
        self.students.first().map_or(0, |student| student.rounds.len())
    }

    /// The results of all rounds, by pace.
    pub fn history(&self) -> impl Iterator<Item = &[Round]> {
        self.students.iter().map(|student| student.rounds.as_slice())
    }

    /// The learned tables.
    pub fn tables(&self) -> Tables {
        Tables::from_values(self.students.iter().map(|student| student.values.as_slice()))
    }
}

/// One round on one pace, before or after it was studied.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lesson {
    pace: usize,
    settings: LearnerSettings,
    student: Student,
}

impl Lesson {
    /// Plays and learns the round.
    pub fn study(&mut self) {
        if let Some(pace) = Pace::all().nth(self.pace) {
            self.student.study(pace, self.settings);
        }
    }
}

/// The values of one pace and how certain they are.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Student {
    values: Vec<f32>,
    /// Sums of each entry's corrections and of their sizes; equal as long as the corrections agree.
    corrections: Vec<f32>,
    sizes: Vec<f32>,
    rounds: Vec<Round>,
}

impl Default for Student {
    fn default() -> Self {
        let zeros = vec![0.0; ENTRIES];
        Student { values: zeros.clone(), corrections: zeros.clone(), sizes: zeros, rounds: Vec::new() }
    }
}

/// Evaluates boards by what a student knows.
struct Knowledge<'a>(&'a [f32]);

impl Evaluator for Knowledge<'_> {
    #[inline(always)]
    fn board_value(&self, board: &Board) -> f32 {
        let mut value = 0.0;
        for_each_lookup(board, |entry| value += self.0[entry]);
        value
    }

    #[inline(always)]
    fn move_value(&self, placed: &Placed) -> f32 {
        CLEARS[placed.lines.min(4) as usize]
    }
}

impl Student {
    fn study(&mut self, pace: Pace, settings: LearnerSettings) {
        let mut dice = dice(settings.seed, pace, self.rounds.len());
        let situations = situations(pace);
        let mut round = Round::default();
        let mut left = settings.moves;
        let death = settings.death + settings.caution * self.rounds.len() as f32;
        let settings = LearnerSettings { death, ..settings };
        while left > 0 {
            let (timing, speed) = situations[dice.random_range(0..situations.len())];
            let mut keys = Keys::new(timing);
            keys.set_speed(speed);
            let moves = self.play(&mut keys, settings, left.min(LONGEST_GAME), &mut dice, &mut round);
            left -= moves;
        }
        self.rounds.push(round);
    }

    /// Plays one game and learns from it; returns the number of moves.
    fn play(
        &mut self,
        keys: &mut Keys,
        settings: LearnerSettings,
        most_moves: u32,
        dice: &mut Xoshiro256PlusPlus,
        round: &mut Round,
    ) -> u32 {
        let mut dealer = CycleDiv::new(Xoshiro256PlusPlus::seed_from_u64(dice.random()));
        let mut game = PlacementGame::new(Setup::default(), &mut dealer);
        if dice.random_bool(LITTERED) {
            let high = dice.random_range(1..=HIGHEST_LITTER);
            game.board = garbage_board(high, &mut IdealDiv(&mut *dice)).unwrap_or(Board::EMPTY);
        }
        let mut before: Option<[u32; LOOKUPS]> = None;
        for moves in 1..=most_moves {
            let chosen = self.choose(keys, &game, settings);
            let target = match &chosen {
                Some(placed) => placed.moved + settings.discount * self.value(&lookups(&placed.board)),
                None => -settings.death,
            };
            if let Some(before) = &before {
                self.correct(before, target - self.value(before));
            }
            let Some(placed) = chosen else {
                round.deaths += 1;
                return moves;
            };
            before = Some(lookups(&placed.board));
            if let PlacementOutcome::Cleared(lines) = game.place(placed.placement, 0, &mut dealer) {
                round.lines += lines;
                round.tetrises += lines / 4;
            }
        }
        most_moves
    }

    /// The best placement by the values so far, with the preview; `None` when every one ends the game.
    fn choose(&self, keys: &mut Keys, game: &PlacementGame, settings: LearnerSettings) -> Option<Scored> {
        let mut placements = self.placements(keys, &game.board, game.pieces.active);
        placements.sort_by(|a, b| b.value.total_cmp(&a.value));
        placements.truncate(settings.roots.max(1));
        for placed in &mut placements {
            let replies = self.placements(keys, &placed.board, game.pieces.preview);
            let best = replies.iter().map(|reply| reply.value).fold(-settings.death, f32::max);
            placed.value = placed.moved + settings.discount * best;
        }
        placements.into_iter().max_by(|a, b| a.value.total_cmp(&b.value))
    }

    fn placements(&self, keys: &mut Keys, board: &Board, piece: Piece) -> Vec<Scored> {
        let (mut placements, mut scored) = (Vec::new(), Vec::new());
        keys.placements(board, piece, &mut placements);
        let penalty = |placement: Placement, after: &Board| keys.penalty(placement, after);
        let evaluator = &Knowledge(&self.values);
        let task = Task { board, piece, field: Field::GAME_BOY, evaluator };
        task.score_all(&placements, penalty, &mut scored);
        scored.retain(|placed| placed.moved >= 0.0);
        scored
    }

    fn value(&self, lookups: &[u32; LOOKUPS]) -> f32 {
        lookups.iter().map(|&entry| self.values[entry as usize]).sum()
    }

    fn correct(&mut self, lookups: &[u32; LOOKUPS], error: f32) {
        let correction = error / LOOKUPS as f32;
        for &entry in lookups {
            let entry = entry as usize;
            let size = self.sizes[entry];
            let agreement = if size > 0.0 { self.corrections[entry].abs() / size } else { 1.0 };
            self.values[entry] += agreement * correction;
            self.corrections[entry] += correction;
            self.sizes[entry] += correction.abs();
        }
    }
}

/// Keys and speed levels of a pace.
fn situations(pace: Pace) -> Vec<(Timing, u8)> {
    let of = |press_ms: f64| {
        let timing = Timing::from_ms(press_ms);
        let speeds = (SLOWEST..=MAX_LEVEL).filter(move |&speed| Pace::of(speed, timing) == pace);
        speeds.map(move |speed| (timing, speed))
    };
    let usual: Vec<_> = of(PRESS_MS).collect();
    if usual.is_empty() { SLOW_PRESSES_MS.into_iter().flat_map(of).collect() } else { usual }
}

/// The random generator of one round on one pace.
fn dice(seed: u64, pace: Pace, round: usize) -> Xoshiro256PlusPlus {
    // The first four paces were learned before there were more; they stay as they are.
    let (group, member) = (pace.index() / 4, pace.index() % 4);
    let place = (round * 4 + member) as u64 + 1 + ((group as u64) << 32);
    Xoshiro256PlusPlus::seed_from_u64(seed ^ place.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_gone_on_with_is_the_same_run() {
        let settings = LearnerSettings { moves: 60, ..LearnerSettings::default() };
        let mut whole = Learner::new(settings);
        let mut parts = whole.clone();
        whole.step(1);
        whole.step(1);
        parts.step(4);
        let mut parts = parts.clone();
        parts.step(3);
        assert_eq!(whole, parts);
        assert_eq!(whole.rounds(), 2);
    }

    #[test]
    fn lessons_studied_apart_are_the_same_run() {
        let mut whole = Learner::new(LearnerSettings { moves: 60, ..LearnerSettings::default() });
        let mut parts = whole.clone();
        whole.step(2);
        let lessons: Vec<Lesson> = parts.lessons().collect();
        for mut lesson in lessons.into_iter().rev() {
            lesson.study();
            parts.learn(lesson);
        }
        assert_eq!(whole, parts);
    }

    #[test]
    fn every_pace_is_met_by_some_keys() {
        let met: Vec<usize> = Pace::all().map(|pace| situations(pace).len()).collect();
        assert!(met.iter().all(|&met| met > 0), "{met:?}");
        assert_eq!(situations(Pace::all().last().unwrap()), [(Timing::from_ms(200.0), MAX_LEVEL)]);
    }

    #[test]
    fn death_becomes_dearer_from_the_second_round_on() {
        let settings = LearnerSettings { moves: 200, caution: 0.0, ..LearnerSettings::default() };
        let mut careless = Learner::new(settings);
        let mut careful = Learner::new(LearnerSettings { caution: 5.0, ..settings });
        careless.step(1);
        careful.step(1);
        assert_eq!(careless.tables(), careful.tables());
        careless.step(1);
        careful.step(1);
        assert_ne!(careless.tables(), careful.tables());
    }

    #[test]
    fn more_lines_are_cleared_with_the_same_pieces() {
        let settings = LearnerSettings { moves: 1_000, roots: 1, ..LearnerSettings::default() };
        let mut learner = Learner::new(settings);
        for _ in 0..4 {
            learner.step(2);
        }
        let lines = |round: usize| learner.history().map(|rounds| rounds[round].lines).sum::<u32>();
        assert!(4 * lines(3) > 5 * lines(0), "{} and {}", lines(0), lines(3));
    }
}
