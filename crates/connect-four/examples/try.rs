//! Scratch.
#![allow(clippy::all, clippy::pedantic, clippy::restriction)]
use budget::Budget;
use connect_four::*;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let bits: u32 = args[1].parse().unwrap();
    let mut table = Solver::new(16 << bits);
    if args[2] == "empty" {
        let t = cpu();
        let s = table.score(&Position::EMPTY, &Budget::unlimited());
        let n = table.nodes();
        println!("empty {s:?} nodes {n} {:.2}", cpu() - t);
        return;
    }
    for spec in &args[2..] {
        let (set, count) = spec.split_once(':').unwrap();
        let count: usize = count.parse().unwrap();
        let text = std::fs::read_to_string(format!("fixtures/connect-four/Test_{set}")).unwrap();
        let mut wrong = 0;
        let mut nodes = 0;
        let mut k = 0;
        let mut e = f64::MAX;
        for _ in 0..if count <= 300 || set == "L2_R1" || set == "L3_R1" { 3 } else { 1 } {
            wrong = 0;
            nodes = 0;
            k = 0;
            let t = cpu();
            for line in text.lines().take(count) {
                let (m, s) = line.split_once(' ').unwrap();
                let p: Position = m.parse().unwrap();
                table.clear();
                let b = table.nodes();
                let score = table.score(&p, &Budget::unlimited()).ok();
                let n = table.nodes() - b;
                nodes += n;
                k += 1;
                if score != Some(s.trim().parse().unwrap()) {
                    wrong += 1;
                    if wrong < 5 {
                        println!("{line} {score:?}");
                    }
                }
            }
            e = e.min(cpu() - t);
        }
        println!(
            "{set}: {k} wrong {wrong} nodes {:.1} time {:.2} us  {:.1} Mn/s",
            nodes as f64 / k as f64,
            e * 1e6 / k as f64,
            nodes as f64 / e / 1e6
        );
    }
}

fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}
