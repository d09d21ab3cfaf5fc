//! `gamebot tune tetris --objective score`: learns the values of boards from games.

use std::io::Write;

use serde::Serialize;
use tetris::tune::{Learner, LearnerSettings, Round};

use super::tetris::{TuneTetris, draw, read, replace, write};
use crate::ending::Ending;
use crate::output::Output;
use crate::plot::{Chart, Curve};

/// The printed result.
#[derive(Debug, Serialize)]
struct Report {
    rounds: usize,
    /// The last round, by pace.
    paces: Vec<PaceReport>,
}

#[derive(Debug, Serialize)]
struct PaceReport {
    tetris_share: f64,
    deaths: u32,
}

/// Runs the verb.
pub fn run(tune: &TuneTetris, out: &mut Output) -> anyhow::Result<Ending> {
    let cancel = crate::interrupt::on_interrupt()?;
    let settings = LearnerSettings {
        seed: tune.seed,
        death: tune.death,
        caution: tune.caution,
        ..LearnerSettings::default()
    };
    let mut learner = read(tune)?.unwrap_or_else(|| Learner::new(settings));
    let progress = crate::progress::bar(tune.rounds as u64, "rounds");
    progress.set_position(learner.rounds() as u64);
    let mut finished = report(&learner);
    while learner.rounds() < tune.rounds {
        let threads = usize::from(tune.threads);
        // A round may take minutes; what it has learned until an interrupt is not worth the wait.
        let round = move || {
            learner.step(threads);
            learner
        };
        let Some(stepped) = crate::interrupt::unless_interrupted(&cancel, round)? else { break };
        learner = stepped;
        finished = report(&learner);
        let shares: Vec<String> =
            last_rounds(&learner).map(|round| format!("{:.0} %", 100.0 * round.tetris_share())).collect();
        progress.set_message(format!("tetrises {}", shares.join(", ")));
        tracing::info!("round {}: tetrises {}", learner.rounds(), shares.join(", "));
        progress.inc(1);
        write(tune, &learner)?;
        if let Some(path) = &tune.values {
            replace(path, &learner.tables().to_bytes())?;
        }
        draw(tune, &chart(&learner, tune.seed));
    }
    progress.finish_and_clear();
    if tune.json {
        out.json(&finished)?;
    } else {
        writeln!(out, "rounds {}", finished.rounds)?;
        for (number, pace) in finished.paces.iter().enumerate() {
            writeln!(
                out,
                "pace {}  tetrises {:.1} %  deaths {}",
                number + 1,
                100.0 * pace.tetris_share,
                pace.deaths
            )?;
        }
    }
    Ok(if cancel.is_cancelled() { Ending::Interrupted } else { Ending::Success })
}

fn report(learner: &Learner) -> Report {
    let pace = |round: Round| PaceReport { tetris_share: round.tetris_share(), deaths: round.deaths };
    Report { rounds: learner.rounds(), paces: last_rounds(learner).map(pace).collect() }
}

fn last_rounds(learner: &Learner) -> impl Iterator<Item = Round> {
    learner.history().filter_map(|rounds| rounds.last().copied())
}

fn chart(learner: &Learner, seed: u64) -> Chart {
    let curve = |(number, rounds): (usize, &[Round])| Curve {
        name: format!("pace {}", number + 1),
        points: rounds
            .iter()
            .enumerate()
            .map(|(n, round)| (n as f64 + 1.0, 100.0 * round.tetris_share()))
            .collect(),
    };
    Chart {
        title: format!("Learning Tetris for points, seed {seed}"),
        x: "round of 100,000 moves".to_owned(),
        y: "lines cleared four at once, %".to_owned(),
        curves: learner.history().enumerate().map(curve).collect(),
    }
}
