//! Runs the chosen solver within its budget and checks its answer.

use std::time::Duration;

use anyhow::Context;
use budget::Budget;
use engine::{Cancel, Clock, RealClock};
use indicatif::{ProgressBar, ProgressStyle};
use samegame::answer::Answer;
use samegame::board::Board;
use samegame::clear::auto;
use samegame::clear::evolutionary::{self, Fitness, Parameters, Stop};
use samegame::clear::exhaustive::{self, Pruning};
use samegame::plan::Plan;
use samegame::points::{self, Effort};
use samegame::replay::{Replay, replay};
use samegame::rules::Rules;
use samegame::scoring::Scoring;

use super::{SolveSamegame, SolverFlag};
use crate::ending::UsageError;
use crate::flags::GoalFlag;

/// How to solve every board of one call.
pub struct Job {
    pub rules: Rules,
    goal: GoalFlag,
    solver: SolverFlag,
    effort: Effort,
    time: Option<Duration>,
    nodes: Option<u64>,
}

/// A checked answer.
pub struct Solved {
    pub answer: Answer,
    /// The moves played on the plain board.
    pub replay: Replay,
    pub depends_after: Option<usize>,
    pub time: Duration,
}

/// Time limit per board unless another limit is given.
const USUAL_TIME: Duration = Duration::from_secs(10);

impl Job {
    /// The job that the flags describe.
    pub fn new(solve: &SolveSamegame, rules: Rules) -> anyhow::Result<Self> {
        if solve.goal == GoalFlag::Points && solve.solver == SolverFlag::Exhaustive {
            let message = "--solver exhaustive only clears boards; for --goal points use auto, evolutionary, nrpa or beam";
            return Err(UsageError(message.to_owned()).into());
        }
        let processors = || std::thread::available_parallelism().map_or(1, |n| n.get() as u32);
        let usual = solve.nodes.is_none().then_some(USUAL_TIME);
        Ok(Self {
            rules,
            goal: solve.goal,
            solver: solve.solver,
            effort: Effort { threads: solve.threads.unwrap_or_else(processors), seed: solve.seed },
            time: solve.time.or(usual),
            nodes: solve.nodes,
        })
    }

    /// Solves one board and replays the answer with the independent checker; `of` says which board of how many.
    pub fn solve(&self, board: &Board, of: (usize, usize), cancel: &Cancel) -> anyhow::Result<Solved> {
        let clock = RealClock::start(cancel.clone());
        let progress = self.progress(of);
        let on_better = |value: i32| {
            progress.set_message(match self.goal {
                GoalFlag::Clear => format!("{} cells left", -value),
                GoalFlag::Points => format!("best {value} points"),
            });
        };
        let answer = self.search(board, &self.budget(&clock, cancel), &on_better);
        let time = clock.now().elapsed();
        progress.finish_and_clear();
        let scoring = Scoring::default();
        let replay = replay(board, &answer.moves, &self.rules, &scoring)
            .context("the solver returned illegal moves")?;
        anyhow::ensure!(
            replay.remaining == answer.remaining,
            "the solver returned a wrong number of remaining cells"
        );
        let depends_after = Plan::new(board, &answer.moves, &self.rules)?.depends_after;
        Ok(Solved { answer, replay, depends_after, time })
    }

    /// A sign of life: which board, what was found, and how long it may take at most.
    fn progress(&self, (number, count): (usize, usize)) -> ProgressBar {
        let limit = self.time.map_or_else(String::new, |time| format!(" (at most {time:?})"));
        let which = if count > 1 { format!("board {number} of {count}  ") } else { String::new() };
        let progress = crate::progress::spinner(String::new());
        if let Ok(style) =
            ProgressStyle::with_template(&format!("{{spinner}} {which}{{elapsed}}{limit}  {{msg}}"))
        {
            progress.set_style(style);
        }
        progress
    }

    fn search(&self, board: &Board, budget: &Budget, on_better: &(dyn Fn(i32) + Sync)) -> Answer {
        let Self { rules, effort, .. } = self;
        let scoring = Scoring::default();
        match (self.solver, self.goal) {
            (SolverFlag::Auto, GoalFlag::Clear) => auto::solve(board, rules, *effort, budget, on_better),
            (SolverFlag::Auto, GoalFlag::Points) => {
                points::solve(board, rules, &scoring, *effort, budget, on_better)
            }
            (SolverFlag::Exhaustive, _) => exhaustive::solve(board, rules, Pruning::Failed, budget),
            (SolverFlag::Evolutionary, goal) => {
                let (fitness, stop) = match goal {
                    GoalFlag::Clear => (Fitness::Finished, Stop::First),
                    GoalFlag::Points => (Fitness::Points(scoring), Stop::LastGeneration),
                };
                let parameters = Parameters { fitness, stop, seed: effort.seed, ..Parameters::default() };
                evolutionary::solve(board, rules, &parameters, budget)
            }
            (SolverFlag::Nrpa, goal) => {
                let goal = solver_goal(goal, scoring);
                samegame::nrpa::solve(board, rules, goal, effort.seed, budget, on_better)
            }
            (SolverFlag::Beam, goal) => {
                let goal = solver_goal(goal, scoring);
                samegame::beam::solve(board, rules, goal, budget, on_better)
            }
        }
    }

    fn budget(&self, clock: &RealClock, cancel: &Cancel) -> Budget {
        let budget = self.nodes.map_or_else(Budget::unlimited, Budget::nodes);
        let (clock, cancel, time) = (clock.clone(), cancel.clone(), self.time);
        budget
            .or_until(move || cancel.is_cancelled() || time.is_some_and(|time| clock.now().elapsed() >= time))
    }
}

fn solver_goal(goal: GoalFlag, scoring: Scoring) -> samegame::answer::Goal {
    match goal {
        GoalFlag::Clear => samegame::answer::Goal::Clear,
        GoalFlag::Points => samegame::answer::Goal::Points(scoring),
    }
}
