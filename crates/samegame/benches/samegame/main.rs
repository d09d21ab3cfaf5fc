//! Measures the solvers: `speed`, `clearing`, `points`, `small-boards`, `records`.
//!
//! Times are CPU times of the measured thread, so other load on the machine
//! changes them little.

#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    missing_docs,
    reason = "a measuring program prints its figures"
)]
#![allow(clippy::disallowed_methods, reason = "it measures real time")]
#![allow(clippy::inline_always, reason = "hot loops are compiled twice, see `samegame::cpu`")]

mod clearing;
mod points;
mod records;
mod small_boards;
mod speed;

use std::time::Duration;

use records::Span;

use serde_json::{Value, json};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    let names = ["speed", "clearing", "points", "small-boards", "records"];
    let all = !arguments.iter().any(|argument| names.contains(&argument.as_str()));
    let asked = |name: &str| arguments.iter().any(|argument| argument == name);
    let number = |flag: &str, otherwise: f64| {
        let value = arguments.iter().skip_while(|argument| *argument != flag).nth(1);
        value.map_or(otherwise, |value| value.parse().expect("a number follows the flag"))
    };
    let mut figures = json!({});
    if all || asked("speed") {
        figures["speed"] = speed::measure();
    }
    if all || asked("clearing") {
        figures["clearing"] =
            clearing::measure(number("--boards", 200.0) as u32, number("--seed", 2026.0) as u64);
    }
    if asked("points") {
        let seconds = number("--seconds", 10.0);
        let boards = number("--from", 1.0) as usize..=number("--to", 20.0) as usize;
        figures["points"] =
            points::measure(Duration::from_secs_f64(seconds), number("--seed", 1.0) as u64, boards);
    }
    if asked("small-boards") {
        figures["small_boards"] = small_boards::measure();
    }
    if asked("records") {
        let file = arguments.iter().skip_while(|argument| *argument != "--file").nth(1);
        let span = match number("--turns", 0.0) as u64 {
            0 => Span::Hours(number("--hours", 0.1)),
            turns => Span::Turns {
                turns,
                nodes: number("--nodes", records::NODES_A_TURN as f64) as u64,
                seed: number("--seed", 1.0) as u64,
            },
        };
        figures["records"] = records::measure(span, file.expect("--file FILE is given"));
    }
    show(&figures, arguments.iter().any(|argument| argument == "--json"));
}

fn show(figures: &Value, json: bool) {
    if json {
        println!("{figures}");
    } else {
        println!("{figures:#}");
    }
}

/// CPU time this thread has used.
fn cpu_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), time.tv_nsec as u32)
}
