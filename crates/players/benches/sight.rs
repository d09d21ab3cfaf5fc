//! How many pictures of SameGame are read exactly, and how long that takes (S2, S3).
//!
//! `cargo bench -p players --bench sight [-- --from N --count N --json --list --annotate FOLDER]`
//!
//! - `--list`: a line for each picture that was not read, was misread, or was read with little to spare
//! - `--annotate FOLDER`: each picture that was not read or misread as a PNG file, with what was read drawn over it

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement that cannot start says so")]

use std::collections::BTreeMap;
use std::time::Duration;

use players::samegame::see::{Sight, annotate, see};
use rustix::time::{ClockId, clock_gettime};
use simulators::samegame::{Around, Exhibit, exhibit};

#[derive(Default)]
struct Figures {
    right: u32,
    unclear: u32,
    wrong: u32,
    /// Milliseconds of processor time for each picture of 1280×1024, and for each read again.
    screen_ms: Vec<f64>,
    again_ms: Vec<f64>,
    looks: BTreeMap<String, [u32; 3]>,
}

fn main() {
    let from = argument("--from").unwrap_or(100_000);
    let count = argument("--count").unwrap_or(308);
    let list = std::env::args().any(|argument| argument == "--list");
    let mut figures = Figures::default();
    for number in from..from + count {
        let Exhibit { look, around, scene, board } = exhibit(number);
        let picture = scene.paint_board(&board);
        let truth = scene.truth(&board).board;
        let start = cpu_time();
        let seen = see(&picture);
        let ms = cpu_time().saturating_sub(start).as_secs_f64() * 1e3;
        if around == Around::Desktop {
            figures.screen_ms.push(ms);
        }
        let of_look = figures.looks.entry(look.to_string()).or_default();
        let what = match &seen {
            Ok(sight) if sight.board == truth => {
                figures.right += 1;
                of_look[0] += 1;
                if list && (sight.quality < 0.95 || sight.agreement < 0.45 || sight.least_confidence() < 0.6)
                {
                    let (quality, sure) = (sight.quality, sight.least_confidence());
                    println!(
                        "{number} {look} right with {quality:.3} sure {sure:.3} agree {:.3}",
                        sight.agreement
                    );
                }
                let start = cpu_time();
                std::hint::black_box(sight.reread(&picture)).unwrap();
                figures.again_ms.push(cpu_time().saturating_sub(start).as_secs_f64() * 1e3);
                continue;
            }
            Ok(sight) => {
                figures.wrong += 1;
                of_look[2] += 1;
                misread(sight)
            }
            Err(why) => {
                figures.unclear += 1;
                of_look[1] += 1;
                format!("unclear {why}")
            }
        };
        if let Some(folder) = text_argument("--annotate") {
            let name = format!("{folder}/{number}-{look}.png");
            let drawn = if seen.is_ok() { annotate(&picture, seen.as_ref()) } else { picture };
            let mut png = Vec::new();
            drawn.write_png(&mut png).unwrap();
            std::fs::write(name, png).unwrap();
        }
        if list {
            let layout = scene.layout();
            println!(
                "{number} {look} {around:?} {ms:.0} ms: {what}; truth {}x{} at {:.1},{:.1} pitch {:.3},{:.3} colours {} cells {}, differs in {:?}",
                layout.size.0,
                layout.size.1,
                layout.origin.0,
                layout.origin.1,
                layout.pitch.0,
                layout.pitch.1,
                colours(&truth),
                truth.cells(),
                seen.as_ref().ok().map(|sight| differing(&sight.board, &truth))
            );
        }
    }
    let Figures { right, unclear, wrong, screen_ms, again_ms, looks } = figures;
    let fields = [
        ("pictures", count as f64),
        ("right", right.into()),
        ("unclear", unclear.into()),
        ("wrong", wrong.into()),
        ("screen_ms_median", quantile(&screen_ms, 0.5)),
        ("screen_ms_p99", quantile(&screen_ms, 0.99)),
        ("screen_ms_longest", quantile(&screen_ms, 1.0)),
        ("again_ms_median", quantile(&again_ms, 0.5)),
        ("again_ms_longest", quantile(&again_ms, 1.0)),
    ];
    if std::env::args().any(|argument| argument == "--json") {
        let fields: Vec<_> = fields.iter().map(|(name, value)| format!("\"{name}\": {value:.4}")).collect();
        println!("{{{}}}", fields.join(", "));
        return;
    }
    for (name, value) in fields {
        println!("{name:20} {value:>10.2}");
    }
    for (look, [right, unclear, wrong]) in looks {
        println!("{look:12} right {right:>3}  unclear {unclear:>3}  wrong {wrong:>3}");
    }
}

/// A reading that is not the truth, with what was thought of it.
fn misread(sight: &Sight) -> String {
    let (x, y) = (sight.lattice.x, sight.lattice.y);
    format!(
        "WRONG q {:.3} agree {:.3} sure {:.3} {}x{} at {:.1},{:.1} pitch {:.3},{:.3} colours {}",
        sight.quality,
        sight.agreement,
        sight.least_confidence(),
        x.count,
        y.count,
        x.origin,
        y.origin,
        x.pitch,
        y.pitch,
        colours(&sight.board)
    )
}

/// Cells that differ.
fn differing(a: &samegame::board::Board, b: &samegame::board::Board) -> usize {
    a.columns().iter().flatten().zip(b.columns().iter().flatten()).filter(|(a, b)| a != b).count()
}

fn colours(board: &samegame::board::Board) -> usize {
    board.colour_counts()[1..].iter().filter(|count| **count > 0).count()
}

fn argument(name: &str) -> Option<u64> {
    text_argument(name)?.parse().ok()
}

fn text_argument(name: &str) -> Option<String> {
    let arguments: Vec<_> = std::env::args().collect();
    let at = arguments.iter().position(|argument| argument == name)?;
    arguments.get(at + 1).cloned()
}

fn quantile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let last = sorted.len().saturating_sub(1) as f64;
    sorted.get((last * share).round() as usize).copied().unwrap_or(0.0)
}

/// Processor time of this thread: other work on the machine does not count.
fn cpu_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}
