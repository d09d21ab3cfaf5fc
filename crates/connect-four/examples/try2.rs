//! Scratch.
#![allow(clippy::all, clippy::pedantic, clippy::restriction)]
use budget::Budget;
use connect_four::*;
fn cpu() -> f64 {
    let t = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    t.tv_sec as f64 + t.tv_nsec as f64 * 1e-9
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let ply: u32 = a[1].parse().unwrap();
    let start: usize = a[2].parse().unwrap();
    let count: usize = a[3].parse().unwrap();
    let gib: usize = a[4].parse().unwrap();
    let t = cpu();
    let plies = book::positions_up_to(ply);
    println!("{:?} in {:.3}", plies.iter().map(|p| p.keys.len()).collect::<Vec<_>>(), cpu() - t);
    let mut solver = Solver::new(if gib == 0 { 1 << 28 } else { gib << 20 });
    let t = cpu();
    let mut done = 0;
    let mut nodes = 0;
    for (i, k) in plies[ply as usize].keys.iter().skip(start).take(count).enumerate() {
        let p = Position::from_key(*k);
        assert_eq!(p.key(), *k);
        if gib == 0 {
            solver.clear();
            let b = solver.nodes();
            solver.score(&p, &Budget::unlimited()).unwrap();
            nodes += solver.nodes() - b;
        } else {
            nodes += solver.shared().score(&p, &Budget::unlimited()).unwrap().1;
        }
        done += 1;
        if (i + 1) % (count / 5).max(1) == 0 {
            println!(
                "{done} {:.2} s {:.1} Mnodes  {:.4} s/pos",
                cpu() - t,
                nodes as f64 / 1e6,
                (cpu() - t) / done as f64
            );
        }
    }
}
