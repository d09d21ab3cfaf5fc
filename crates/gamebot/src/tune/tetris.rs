//! `gamebot tune tetris`: tunes weights with an evolution strategy or a genetic algorithm (G13), and
//! runs the learning of our player for points.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, ValueEnum};
use serde::Serialize;
use serde::de::DeserializeOwned;
use tetris::tune::{Generation, GeneticSettings, LearnerSettings, Objective, Tuner};

use crate::ending::Ending;
use crate::output::Output;
use crate::plot::{Chart, Curve, PlotFile};

const EXAMPLES: &str = "\
Examples:
  gamebot tune tetris --objective lines --rows 10 --generations 60 --checkpoint lines.json
  gamebot tune tetris --objective score --rounds 160 --checkpoint score.json --values mine.values
  gamebot tune tetris --method genetic --objective robot-lines     the run of the Game Boy robot's thesis

Run the same command again to resume from the checkpoint.";

/// Tune the weights of a Tetris player.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct TuneTetris {
    /// What to optimise.
    #[arg(long, value_enum, default_value_t = ObjectiveName::Score)]
    objective: ObjectiveName,

    /// Search method for weights (lines, robot-lines); for the score, tables are learned from games.
    #[arg(long, value_enum, default_value_t = MethodName::CmaEs)]
    method: MethodName,

    /// Rounds of 100,000 moves at each of the eight paces, including those of the checkpoint (score).
    #[arg(long, default_value_t = 160)]
    pub(super) rounds: usize,

    /// Cost of a death in the first round, in tetrises (score).
    #[arg(long, default_value_t = LearnerSettings::default().death, value_parser = price)]
    pub(super) death: f32,

    /// Additional cost of a death with every further round (score).
    #[arg(long, default_value_t = LearnerSettings::default().caution, value_parser = price)]
    pub(super) caution: f32,

    /// Write the learned tables to this file, which works as a plug-in (score).
    #[arg(long, value_name = "FILE")]
    pub(super) values: Option<PathBuf>,

    /// Generations, including those of the checkpoint.
    #[arg(long, default_value_t = 100)]
    generations: u64,

    /// Candidates per generation.
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(u16).range(4..=10_000))]
    population: u16,

    /// Games per candidate.
    #[arg(long, default_value_t = 24, value_parser = clap::value_parser!(u16).range(1..=10_000))]
    games: u16,

    /// Initial step size of the evolution strategy, as a share of each weight.
    #[arg(long, default_value_t = 0.15, value_parser = share)]
    sigma: f64,

    /// Probability that two parents mix their genes (genetic).
    #[arg(long, default_value_t = 0.3, value_parser = share)]
    crossover: f64,

    /// Probability that a gene mutates (genetic).
    #[arg(long, default_value_t = 0.02, value_parser = share)]
    mutation: f64,

    /// Individuals in a tournament (genetic).
    #[arg(long, default_value_t = 2)]
    tournament: usize,

    /// Rows of the field (lines).
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(6..=24))]
    rows: u32,

    /// Pieces after which a game is stopped (lines, robot-lines).
    #[arg(long, default_value_t = 100_000)]
    pieces: u32,

    /// Random seed.
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,

    /// Number of threads.
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(super) threads: u16,

    /// Save the run to this file after every generation, and resume from it if it exists.
    #[arg(long, value_name = "FILE")]
    pub(super) checkpoint: Option<PathBuf>,

    /// Plot the run to this file (.svg or .png) after every generation; may be repeated.
    #[arg(long, value_name = "FILE")]
    pub(super) plot: Vec<PlotFile>,

    /// Print one JSON document instead of text.
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ObjectiveName {
    /// 999,999 points with few lines on the Game Boy.
    Score,
    /// Lines on a classic field, one piece known.
    Lines,
    /// Lines from 100 pieces with Lee's features: the fitness of the Game Boy robot's thesis.
    RobotLines,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum MethodName {
    /// Covariance matrix adaptation.
    CmaEs,
    /// The genetic algorithm of the Game Boy robot's thesis.
    Genetic,
}

/// The printed result.
#[derive(Debug, Serialize)]
struct Report {
    generations: usize,
    best: f64,
    mean: f64,
    /// The features that the weights belong to.
    weight_names: &'static [&'static str],
    weights: Vec<f64>,
    history: Vec<(u64, f64, f64)>,
}

/// Runs the verb.
pub fn run(tune: &TuneTetris, out: &mut Output) -> anyhow::Result<Ending> {
    let objective = match tune.objective {
        ObjectiveName::Score => return super::learning::run(tune, out),
        ObjectiveName::Lines => Objective::Lines { rows: tune.rows, pieces: tune.pieces },
        ObjectiveName::RobotLines => Objective::RobotLines { pieces: tune.pieces.min(100) },
    };
    let cancel = crate::interrupt::on_interrupt()?;
    let mut tuner = read(tune)?.unwrap_or_else(|| begin(tune, objective));
    let progress = crate::progress::bar(tune.generations, "generations");
    progress.set_position(tuner.history().len() as u64);
    while (tuner.history().len() as u64) < tune.generations {
        let (mut next, threads) = (tuner.clone(), usize::from(tune.threads));
        // A generation may take minutes; one that is interrupted is left out.
        let work = move || {
            next.step(threads);
            next
        };
        let Some(stepped) = crate::interrupt::unless_interrupted(&cancel, work)? else { break };
        tuner = stepped;
        let Some(generation) = tuner.history().last() else { break };
        progress.set_message(format!("best {:.4}, mean {:.4}", generation.best, generation.mean));
        tracing::info!(
            "generation {}: best {:.4}, mean {:.4}",
            generation.number,
            generation.best,
            generation.mean
        );
        progress.inc(1);
        write(tune, &tuner)?;
        draw(tune, &chart(tune, &tuner));
    }
    progress.finish_and_clear();
    let last = tuner.history().last();
    let report = Report {
        generations: tuner.history().len(),
        best: last.map_or(f64::NAN, |generation| generation.best),
        mean: last.map_or(f64::NAN, |generation| generation.mean),
        weight_names: weight_names(*tuner.objective()),
        weights: tuner.weights(),
        history: tuner.history().iter().map(|g| (g.number, g.best, g.mean)).collect(),
    };
    if tune.json {
        out.json(&report)?;
    } else {
        let named = report.weight_names.iter().zip(&report.weights);
        let weights: Vec<String> = named.map(|(name, weight)| format!("{name} {weight:.4}")).collect();
        writeln!(
            out,
            "generations {}  best {:.4}  mean {:.4}",
            report.generations, report.best, report.mean
        )?;
        writeln!(out, "weights: {}", weights.join(", "))?;
    }
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

/// Draws the run so far. A plot that cannot be written costs nothing but itself: the run goes on.
pub(super) fn draw(tune: &TuneTetris, chart: &Chart) {
    for file in &tune.plot {
        if let Err(error) = file.draw(chart) {
            tracing::warn!("{error:#}");
        }
    }
}

fn chart(tune: &TuneTetris, tuner: &Tuner) -> Chart {
    let curve = |name: &str, fitness: fn(&Generation) -> f64| Curve {
        name: name.to_owned(),
        points: tuner.history().iter().map(|g| (g.number as f64, fitness(g))).collect(),
    };
    Chart {
        title: format!("Tuning Tetris for {}, seed {}", in_words(*tuner.objective()), tune.seed),
        x: "generation".to_owned(),
        y: match tuner.objective() {
            Objective::Lines { .. } => "mean logarithm of the lines".to_owned(),
            Objective::RobotLines { .. } => "mean lines".to_owned(),
        },
        curves: vec![curve("best candidate", |g| g.best), curve("mean of the candidates", |g| g.mean)],
    }
}

/// What is tuned for, for the title of a plot.
fn in_words(objective: Objective) -> String {
    match objective {
        Objective::Lines { rows, .. } => format!("lines on a field of {rows} rows"),
        Objective::RobotLines { pieces } => format!("lines from {pieces} pieces"),
    }
}

/// The features that the weights belong to, in their order.
fn weight_names(objective: Objective) -> &'static [&'static str] {
    match objective {
        Objective::Lines { .. } => &[
            "landing height",
            "eroded cells",
            "row transitions",
            "column transitions",
            "holes",
            "wells",
            "hole depth",
            "rows with holes",
            "diversity",
        ],
        Objective::RobotLines { .. } => &["height", "lines", "holes", "bumpiness"],
    }
}

fn begin(tune: &TuneTetris, objective: Objective) -> Tuner {
    let (population, games) = (usize::from(tune.population), usize::from(tune.games));
    match tune.method {
        MethodName::CmaEs => Tuner::cma_es(objective, population, tune.sigma, games, tune.seed),
        MethodName::Genetic => {
            let settings = GeneticSettings {
                population,
                crossover: tune.crossover.clamp(0.0, 1.0),
                mutation: tune.mutation.clamp(0.0, 1.0),
                tournament: tune.tournament,
                ..GeneticSettings::default()
            };
            Tuner::genetic(objective, settings, games, tune.seed)
        }
    }
}

/// A number from 0 to 1.
fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "choose a number from 0 to 1".to_owned())
}

/// A number of tetrises.
fn price(text: &str) -> Result<f32, String> {
    let price = text.parse().ok().filter(|price| (0.0..=1_000.0).contains(price));
    price.ok_or_else(|| "choose a number from 0 to 1000".to_owned())
}

/// The run in the checkpoint, if there is one.
pub(super) fn read<Run: DeserializeOwned>(tune: &TuneTetris) -> anyhow::Result<Option<Run>> {
    let Some(path) = tune.checkpoint.as_deref().filter(|path| path.exists()) else { return Ok(None) };
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let run = serde_json::from_str(&text)
        .with_context(|| format!("{} is not a checkpoint of this kind of run", path.display()))?;
    Ok(Some(run))
}

/// Saves the run to the checkpoint, if there is one.
pub(super) fn write(tune: &TuneTetris, run: &impl Serialize) -> anyhow::Result<()> {
    match &tune.checkpoint {
        Some(path) => replace(path, &serde_json::to_vec(run)?),
        None => Ok(()),
    }
}

/// Writes a new file and renames it, so that an interruption never leaves half a file.
pub(super) fn replace(path: &Path, content: &[u8]) -> anyhow::Result<()> {
    let beside = path.with_extension("part");
    std::fs::write(&beside, content)
        .and_then(|()| std::fs::rename(&beside, path))
        .with_context(|| format!("cannot write {}", path.display()))
}
