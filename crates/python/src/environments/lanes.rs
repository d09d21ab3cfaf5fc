//! Steps many games of one kind: division among threads, restarting, drawing actions.

use budget::Budget;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rayon::ThreadPool;
use samegame::random::below;

use super::spread::spread;

/// Games of a part of the work, at least: below, other threads cost more than they bring.
const SMALLEST_PART: usize = 64;
/// Parts for each thread: games differ in what they cost.
const PARTS_PER_THREAD: usize = 4;

/// Quick games of which so many are done before anybody misses them: a few hundredths of a second.
const QUICK_GAMES: usize = 4_096;

/// Sizes of what one game writes.
#[derive(Clone, Copy, Debug)]
pub struct Shape {
    /// Bytes of the observation.
    pub observation: usize,
    /// Numbers beside it.
    pub pieces: usize,
    /// Actions, legal or not.
    pub actions: usize,
}

/// One game that actions move.
pub trait Game: Send {
    /// The sizes of what it writes.
    fn shape(&self) -> Shape;
    /// Whether even a few of them may take longer than a person waits for Ctrl-C.
    fn is_slow(&self) -> bool {
        false
    }
    /// Restarts. What comes of it when the budget ends is of no importance.
    fn restart(&mut self, seed: u64, budget: &Budget);
    /// Carries out a legal action: the reward, and whether the game is over. So is what this gives then.
    fn step(&mut self, action: usize, budget: &Budget) -> (f64, bool);
    /// Writes what is seen; the mask is zero before.
    fn write(&self, observation: &mut [u8], pieces: &mut [i64], mask: &mut [i8]);
    /// The state as text.
    fn picture(&self) -> String;
    /// Figures by name.
    fn figures(&self) -> Vec<(&'static str, i64)>;
}

/// What becomes of a game that has ended, as Gymnasium defines it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AutoReset {
    /// The next step restarts it and ignores its action.
    NextStep,
    /// The step that ends it restarts it.
    SameStep,
    /// The caller restarts it.
    Disabled,
}

/// What becomes of an action outside the mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// No game is changed, and the caller is told.
    Raise,
    /// The game stays as it is, with [`PENALTY`] as the reward.
    Penalty,
}

/// The reward of an action that is not legal.
pub const PENALTY: f64 = -1.0;

/// What to do with all games.
#[derive(Debug)]
pub enum Task<'a> {
    /// Restart them, or those chosen.
    Reset {
        /// A seed for each.
        seeds: &'a [u64],
        /// Which.
        chosen: Option<&'a [bool]>,
    },
    /// Carry out an action in each.
    Step {
        /// The actions.
        actions: &'a [i64],
        /// What becomes of games that end.
        autoreset: AutoReset,
        /// What becomes of actions outside the mask.
        illegal: Illegal,
    },
}

/// Where all games write.
#[derive(Debug)]
pub struct Arrays<'a> {
    pub observation: &'a mut [u8],
    pub last_observation: &'a mut [u8],
    pub pieces: &'a mut [i64],
    pub last_pieces: &'a mut [i64],
    pub mask: &'a mut [i8],
    pub last_mask: &'a mut [i8],
    pub reward: &'a mut [f64],
    pub over: &'a mut [bool],
}

/// Many games, whatever their kind.
pub trait Lanes: Send {
    /// The sizes of what each writes.
    fn shape(&self) -> Shape;
    /// Whether a task may take longer than a person waits for Ctrl-C.
    fn are_slow(&self) -> bool;
    /// Does a task; the message of the first action that is not legal. When the budget ends, games are left as they
    /// happen to be.
    fn run(
        &mut self,
        task: &Task<'_>,
        arrays: Arrays<'_>,
        pool: Option<&ThreadPool>,
        budget: &Budget,
    ) -> Result<(), String>;
    /// Draws a legal action for each game.
    fn sample(&mut self, mask: &[i8], actions: &mut [i64], pool: Option<&ThreadPool>);
    /// One game as text.
    fn picture(&self, index: usize) -> String;
    /// Figures of one game.
    fn figures(&self, index: usize) -> Vec<(&'static str, i64)>;
}

struct Lane<G> {
    game: G,
    /// Seeds of later games, and drawn actions.
    random: Xoshiro256PlusPlus,
    is_over: bool,
}

/// Games of one kind.
pub struct Many<G> {
    lanes: Vec<Lane<G>>,
    shape: Shape,
}

impl<G: Game> Many<G> {
    /// These games, none of them started; there must be one.
    pub fn new(first: G, others: impl Iterator<Item = G>) -> Self {
        let shape = first.shape();
        let lane = |game| Lane { game, random: Xoshiro256PlusPlus::seed_from_u64(0), is_over: true };
        Self { lanes: std::iter::once(first).chain(others).map(lane).collect(), shape }
    }

    fn check(
        &self,
        actions: &[i64],
        mask: &[i8],
        autoreset: AutoReset,
        illegal: Illegal,
    ) -> Result<(), String> {
        let masks = mask.chunks_exact(self.shape.actions);
        for (index, ((lane, &action), mask)) in self.lanes.iter().zip(actions).zip(masks).enumerate() {
            if lane.is_over {
                if autoreset == AutoReset::NextStep {
                    continue;
                }
                return Err(format!("game {index} is over: reset it first"));
            }
            let legal = usize::try_from(action).ok().and_then(|action| mask.get(action));
            match legal {
                Some(1) => {}
                Some(_) if illegal == Illegal::Penalty => {}
                Some(_) => return Err(format!("action {action} of game {index} is not in its action mask")),
                None => {
                    let last = self.shape.actions - 1;
                    return Err(format!("there is no action {action} (game {index}): choose 0 to {last}"));
                }
            }
        }
        Ok(())
    }

    fn share(&self, pool: Option<&ThreadPool>) -> usize {
        let parts = pool.map_or(1, |pool| PARTS_PER_THREAD * (1 + pool.current_num_threads()));
        self.lanes.len().div_ceil(parts).max(SMALLEST_PART)
    }
}

impl<G: Game> Lanes for Many<G> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn are_slow(&self) -> bool {
        self.lanes.len() > QUICK_GAMES || self.lanes.first().is_some_and(|lane| lane.game.is_slow())
    }

    fn run(
        &mut self,
        task: &Task<'_>,
        arrays: Arrays<'_>,
        pool: Option<&ThreadPool>,
        budget: &Budget,
    ) -> Result<(), String> {
        if let Task::Step { actions, autoreset, illegal } = task {
            self.check(actions, arrays.mask, *autoreset, *illegal)?;
        }
        let (shape, share) = (self.shape, self.share(pool));
        let parts = self.lanes.chunks_mut(share).zip(arrays.divided(shape, share)).enumerate();
        spread(pool, parts.collect(), |(number, (lanes, arrays))| {
            run_part(lanes, task, number * share, arrays, shape, budget);
        });
        Ok(())
    }

    fn sample(&mut self, mask: &[i8], actions: &mut [i64], pool: Option<&ThreadPool>) {
        let share = self.share(pool);
        let count = self.shape.actions;
        let parts =
            self.lanes.chunks_mut(share).zip(mask.chunks(share * count)).zip(actions.chunks_mut(share));
        spread(pool, parts.collect(), |((lanes, masks), actions)| {
            for ((lane, mask), action) in lanes.iter_mut().zip(masks.chunks_exact(count)).zip(actions) {
                *action = draw(mask, &mut lane.random);
            }
        });
    }

    fn picture(&self, index: usize) -> String {
        self.lanes.get(index).map_or_else(String::new, |lane| lane.game.picture())
    }

    fn figures(&self, index: usize) -> Vec<(&'static str, i64)> {
        self.lanes.get(index).map_or_else(Vec::new, |lane| lane.game.figures())
    }
}

fn run_part<G: Game>(
    lanes: &mut [Lane<G>],
    task: &Task<'_>,
    first: usize,
    arrays: Arrays<'_>,
    shape: Shape,
    budget: &Budget,
) {
    let observations = arrays.observation.chunks_exact_mut(shape.observation);
    let masks = arrays.mask.chunks_exact_mut(shape.actions);
    let mut meter = budget.meter();
    for (index, ((lane, observation), mask)) in lanes.iter_mut().zip(observations).zip(masks).enumerate() {
        if lane.game.is_slow() {
            // A meter asks at first, and then after many nodes.
            meter = budget.meter();
        }
        if !meter.spend_node() {
            return;
        }
        let pieces = &mut arrays.pieces[index * shape.pieces..(index + 1) * shape.pieces];
        let (reward, over) = match *task {
            Task::Reset { seeds, chosen } => {
                if chosen.is_some_and(|chosen| !chosen[first + index]) {
                    continue;
                }
                lane.restart(seeds[first + index], budget);
                (0.0, false)
            }
            Task::Step { .. } if lane.is_over => {
                lane.restart_by_itself(budget);
                (0.0, false)
            }
            Task::Step { actions, autoreset, .. } => {
                // Whether there is such an action was checked before.
                let action = actions[first + index] as usize;
                if mask[action] != 1 {
                    arrays.reward[index] = PENALTY;
                    arrays.over[index] = false;
                    continue;
                }
                let (reward, over) = lane.game.step(action, budget);
                lane.is_over = over;
                if over && autoreset == AutoReset::SameStep {
                    let last_mask = &mut arrays.last_mask[index * shape.actions..(index + 1) * shape.actions];
                    last_mask.fill(0);
                    lane.game.write(
                        &mut arrays.last_observation
                            [index * shape.observation..(index + 1) * shape.observation],
                        &mut arrays.last_pieces[index * shape.pieces..(index + 1) * shape.pieces],
                        last_mask,
                    );
                    lane.restart_by_itself(budget);
                }
                (reward, over)
            }
        };
        arrays.reward[index] = reward;
        arrays.over[index] = over;
        mask.fill(0);
        lane.game.write(observation, pieces, mask);
    }
}

impl<G: Game> Lane<G> {
    fn restart(&mut self, seed: u64, budget: &Budget) {
        self.random = Xoshiro256PlusPlus::seed_from_u64(seed);
        self.restart_by_itself(budget);
    }

    fn restart_by_itself(&mut self, budget: &Budget) {
        let seed = self.random.next_u64();
        self.game.restart(seed, budget);
        self.is_over = false;
    }
}

impl<'a> Arrays<'a> {
    /// The arrays of `share` games after the other.
    pub fn divided(self, shape: Shape, share: usize) -> impl Iterator<Item = Arrays<'a>> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let count = share.min(rest.reward.len());
            (count > 0).then(|| rest.take(shape, count))
        })
    }

    /// The arrays of the first games; the others stay.
    fn take(&mut self, shape: Shape, count: usize) -> Arrays<'a> {
        Arrays {
            observation: first(&mut self.observation, count * shape.observation),
            last_observation: first(&mut self.last_observation, count * shape.observation),
            pieces: first(&mut self.pieces, count * shape.pieces),
            last_pieces: first(&mut self.last_pieces, count * shape.pieces),
            mask: first(&mut self.mask, count * shape.actions),
            last_mask: first(&mut self.last_mask, count * shape.actions),
            reward: first(&mut self.reward, count),
            over: first(&mut self.over, count),
        }
    }
}

/// Takes the first entries off a slice; all, if there are fewer.
#[expect(clippy::mut_mut, reason = "the slice itself gets shorter")]
fn first<'a, T>(slice: &mut &'a mut [T], count: usize) -> &'a mut [T] {
    slice.split_off_mut(..count).unwrap_or_else(|| std::mem::take(slice))
}

/// A legal action, each with the same probability; 0 if there is none.
#[inline]
fn draw(mask: &[i8], random: &mut Xoshiro256PlusPlus) -> i64 {
    let count: u32 = mask.iter().map(|&flag| u32::from(flag == 1)).sum();
    if count == 0 {
        return 0;
    }
    let mut left = below(random, count);
    for (action, &flag) in mask.iter().enumerate() {
        if flag == 1 {
            if left == 0 {
                return action as i64;
            }
            left -= 1;
        }
    }
    0
}
