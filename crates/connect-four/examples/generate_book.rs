//! Solves the positions of the opening book; can be stopped and resumed.
//!
//! ```text
//! generate_book lines --last 11 --threads 2 --checkpoint FILE
//! generate_book full --last 8 --threads 2 --checkpoint FILE
//! generate_book write --last 8 --lines 11 --checkpoint FILE --out BOOK
//! ```
//!
//! `lines`: the machine plays perfectly, the opponent anything; every position
//! of the machine's turn up to ply `last`. `full`: every position of ply
//! `last`. `write`: the book itself, of every full ply up to `last` (none if it
//! is 0) and of the lines up to ply `lines`; refused if a position is missing.
//! Each solved position is one line `KEY SCORE COLUMN` of the
//! checkpoint file; column 0 stands for "not asked".

use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Error, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use budget::Budget;
use connect_four::book::{self, Answer, Solved, write_lines};
use connect_four::{Column, Position, Solver};

/// Positions per unit of work: neighbours share much of their search, so a thread keeps them together.
const CHUNK: usize = 16;
/// A table that stays in a core's own cache is faster than a large one, even
/// though it forgets: 2 MiB took 0.060 s a position, 32 MiB 0.074 s, 6 GiB 0.126 s.
const FULL_TABLE_BYTES: usize = 4 << 20;
/// Positions with at most this many discs take so many nodes that a larger table pays off.
const SHALLOW: u32 = 6;
/// A line continues where its predecessor was proved: that proof is worth keeping.
const LINE_TABLE_BYTES: usize = 64 << 20;

struct Checkpoint {
    solved: Mutex<Solved>,
    log: Mutex<File>,
}

impl Checkpoint {
    fn open(path: &str) -> Result<Self, Error> {
        let mut solved = Solved::known();
        if let Ok(file) = File::open(path) {
            for line in BufReader::new(file).lines() {
                solved.add_line(&line?);
            }
        }
        let log = OpenOptions::new().create(true).append(true).open(path)?;
        Ok(Self { solved: Mutex::new(solved), log: Mutex::new(log) })
    }

    fn get(&self, key: u64) -> Option<Answer> {
        self.solved.lock().ok()?.get(key)
    }

    fn add(&self, answers: &[(u64, Answer)]) -> Result<(), Error> {
        let failed = || Error::other("another thread failed");
        let mut solved = self.solved.lock().map_err(|_| failed())?;
        for &(key, answer) in answers {
            solved.add(key, answer);
        }
        let text = write_lines(answers.iter().copied());
        self.log.lock().map_err(|_| failed())?.write_all(text.as_bytes())
    }

    fn solved(&self) -> Result<Solved, Error> {
        Ok(self.solved.lock().map_err(|_| Error::other("another thread failed"))?.clone())
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut args = std::env::args().skip(1);
    let what = args.next().ok_or("first argument: lines or full")?;
    let (mut last, mut lines_last, mut threads) = (8, 0, 1);
    let mut path = String::from("target/book.checkpoint");
    let mut out = String::from("crates/connect-four/book/openings.book");
    while let Some(name) = args.next() {
        let value = args.next().ok_or("every option needs a value")?;
        match name.as_str() {
            "--last" => last = value.parse()?,
            "--threads" => threads = value.parse()?,
            "--lines" => lines_last = value.parse()?,
            "--checkpoint" => path = value,
            "--out" => out = value,
            _ => {
                return Err(
                    format!("{name} is unknown: --last, --threads, --lines, --checkpoint, --out").into()
                );
            }
        }
    }
    let checkpoint = Checkpoint::open(&path)?;
    match what.as_str() {
        "lines" => lines(last, &checkpoint)?,
        "full" => full(last, threads, &checkpoint)?,
        "write" => std::fs::write(out, checkpoint.solved()?.book(last, lines_last)?.to_bytes())?,
        _ => return Err(format!("{what} is unknown: lines, full, write").into()),
    }
    Ok(())
}

/// Both sides at once, one thread each.
fn lines(last: u32, checkpoint: &Checkpoint) -> Result<(), Error> {
    let second: Vec<Position> = Column::ALL.iter().filter_map(|&c| Position::EMPTY.play(c).ok()).collect();
    let side = |start: Vec<Position>| {
        let mut solver = Solver::new(LINE_TABLE_BYTES);
        let mut seen = BTreeSet::new();
        start.iter().try_for_each(|position| follow(position, last, &mut solver, &mut seen, checkpoint))?;
        eprintln!("{} positions to ply {last}", seen.len());
        Ok(())
    };
    std::thread::scope(|scope| {
        let second = scope.spawn(move || side(second));
        side(vec![Position::EMPTY])?;
        second.join().map_err(|_| Error::other("a thread failed"))?
    })
}

/// Solves the machine's move here, then all replies.
fn follow(
    position: &Position,
    last: u32,
    solver: &mut Solver,
    seen: &mut BTreeSet<u64>,
    checkpoint: &Checkpoint,
) -> Result<(), Error> {
    let position = book::canonical(position);
    if position.discs() > last || position.is_over() || !seen.insert(position.key()) {
        return Ok(());
    }
    let known = checkpoint.get(position.key()).and_then(|answer| answer.column);
    let column = if let Some(column) = known {
        column
    } else {
        let (score, column) = solver.best(&position, &Budget::unlimited()).map_err(Error::other)?;
        checkpoint.add(&[(position.key(), Answer { score, column })])?;
        column.ok_or_else(|| Error::other("no column reaches the score"))?
    };
    let Ok(moved) = position.play(column) else { return Ok(()) };
    for answer in moved.legal() {
        if let Ok(next) = moved.play(answer) {
            follow(&next, last, solver, seen, checkpoint)?;
        }
    }
    Ok(())
}

/// Every position of one ply.
fn full(last: u32, threads: usize, checkpoint: &Checkpoint) -> Result<(), Error> {
    let open = checkpoint.solved()?.open(last);
    eprintln!("{} positions to solve", open.len());
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), Error> {
        let mut solver = Solver::new(if last > SHALLOW { FULL_TABLE_BYTES } else { LINE_TABLE_BYTES });
        loop {
            let chunk = next.fetch_add(1, Ordering::Relaxed);
            let Some(keys) = open.chunks(CHUNK).nth(chunk) else { return Ok(()) };
            let solve = |&key: &u64| {
                let score = solver.score(&Position::from_key(key), &Budget::unlimited());
                Ok((key, Answer { score: score.map_err(Error::other)?, column: None }))
            };
            checkpoint.add(&keys.iter().map(solve).collect::<Result<Vec<_>, Error>>()?)?;
            eprintln!("{} of {}", chunk * CHUNK + keys.len(), open.len());
        }
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(work)).collect();
        work()?;
        others.into_iter().try_for_each(|t| t.join().map_err(|_| Error::other("a thread failed"))?)
    })
}
