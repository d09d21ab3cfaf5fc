//! `gamebot play connect-four`: against the machine in the terminal (C13).

use std::io::{BufRead, IsTerminal, Write};
use std::time::Instant;

use anyhow::bail;
use budget::Budget;
use clap::{Args, ValueEnum};
use connect_four::{Cell, Column, Level, Machine, MachineSettings, Outcome, Player, Position, ROWS};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::style::Stylize;
use crossterm::{event, terminal};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use serde::Serialize;

use super::{SeriesFlags, lego};
use crate::ending::{Ending, UsageError};
use crate::output::Output;
use crate::settings::ConfigurationFlags;

const EXAMPLES: &str = "\
Examples:
  gamebot play connect-four                            you begin, against level medium
  gamebot play connect-four --level perfect --second   the machine begins and cannot be beaten
  printf '4\\n4\\nq\\n' | gamebot play connect-four      commands from a file, one a line
  gamebot play connect-four --body simulated-lego      the LEGO robot against a simulated person
  gamebot play connect-four --body simulated-lego --opponent robot --games 3
                                                       two LEGO robots at one board
  gamebot play connect-four --body lego --port /dev/ttyACM0 --color yellow
                                                       the LEGO robot on a real board
  gamebot play connect-four --body lego --think hub    the same without us: the hub thinks for itself

Keys: 1-7 drop a disc, arrows and Enter as well, u undo, h hint, q quit.";

/// Play Connect Four against the machine.
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub struct PlayConnectFour {
    /// How the machine meets you.
    #[arg(long, value_enum, default_value_t = BodyKind::Terminal)]
    body: BodyKind,

    /// How strong it plays: easy, medium, hard, perfect, adaptive, lego [default: medium; perfect with a robot].
    #[arg(long)]
    level: Option<Level>,

    /// Let the machine begin.
    #[arg(long)]
    second: bool,

    #[command(flatten)]
    robot: lego::RobotFlags,

    #[command(flatten)]
    series: SeriesFlags,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum BodyKind {
    /// Keys and a picture in the terminal.
    Terminal,
    /// The LEGO robot at a real board, on a SPIKE hub.
    Lego,
    /// The same, simulated: a person plays against it.
    SimulatedLego,
}

#[derive(Debug, Serialize)]
pub(super) struct Report {
    pub(super) games: Vec<GameReport>,
}

/// One game, from the machine's side.
#[derive(Debug, Serialize)]
pub(super) struct GameReport {
    pub(super) result: &'static str,
    pub(super) moves: String,
    /// Who began: `machine` or `human`; `other` if the other is a robot too.
    pub(super) first: &'static str,
    /// The machine's turns.
    pub(super) turns: Vec<Turn>,
    pub(super) faults: Vec<String>,
}

#[derive(Debug, Serialize)]
pub(super) struct Turn {
    pub(super) column: Column,
    pub(super) seconds: f64,
}

/// What the human wants.
enum Wish {
    Drop(Column),
    Undo,
    Hint,
    Quit,
    Unclear(String),
}

/// Runs the verb.
pub fn run(play: &PlayConnectFour, flags: &ConfigurationFlags, out: &mut Output) -> anyhow::Result<Ending> {
    let SeriesFlags { games, json, .. } = play.series;
    let seed = play.series.seed();
    let wish = |body| lego::Wish { body, level: play.level, games, seed, json };
    if play.second && !matches!(play.body, BodyKind::Terminal) {
        return Err(
            UsageError("--second is for --body terminal; a robot begins with --first".to_owned()).into()
        );
    }
    match play.body {
        BodyKind::Terminal => {
            play.robot.refuse_in_terminal()?;
            play_in_terminal(play, out)
        }
        BodyKind::Lego => lego::run(&wish(lego::Robot::Real), &play.robot, flags, out),
        BodyKind::SimulatedLego => lego::run(&wish(lego::Robot::Simulated), &play.robot, flags, out),
    }
}

fn play_in_terminal(play: &PlayConnectFour, out: &mut Output) -> anyhow::Result<Ending> {
    let mut table = Table {
        machine: Machine::new(MachineSettings::default()),
        rng: Xoshiro256PlusPlus::seed_from_u64(play.series.seed()),
        level: play.level.unwrap_or(Level::Medium),
        human: if play.second { Player::Second } else { Player::First },
        cursor: 3,
        quiet: play.series.json,
    };
    let mut report = Report { games: Vec::new() };
    for _ in 0..play.series.games {
        match table.play(out)? {
            Some(game) => report.games.push(game),
            None => break,
        }
    }
    if play.series.json {
        out.json(&report)?;
    }
    Ok(Ending::Success)
}

struct Table {
    machine: Machine,
    rng: Xoshiro256PlusPlus,
    level: Level,
    human: Player,
    /// The column the arrows point at.
    cursor: usize,
    /// Pictures would disturb the JSON document.
    quiet: bool,
}

impl Table {
    /// One game; none if the human quits.
    fn play(&mut self, out: &mut Output) -> anyhow::Result<Option<GameReport>> {
        let mut moves: Vec<Column> = Vec::new();
        let mut turns = Vec::new();
        let mut said = String::from("You are x and begin.");
        if self.human == Player::Second {
            "You are o; the machine begins.".clone_into(&mut said);
        }
        loop {
            let position = replay(&moves)?;
            if position.outcome() != Outcome::Open {
                self.show(&position, &said, out)?;
                return Ok(Some(self.ended(&position, &moves, turns, out)?));
            }
            if position.to_move() != self.human {
                let (column, turn, sentence) = self.machine_turn(&position)?;
                moves.push(column);
                turns.push(turn);
                said = sentence;
                continue;
            }
            self.show(&position, &said, out)?;
            match self.wish(out)? {
                Wish::Drop(column) => match position.play(column) {
                    Ok(_) => {
                        self.machine.visitor.moved(&position, column);
                        moves.push(column);
                    }
                    Err(error) => said = error.to_string(),
                },
                Wish::Undo => {
                    said = if moves.len() < 2 { "Nothing to take back." } else { "Taken back." }.into();
                    if moves.len() >= 2 {
                        moves.truncate(moves.len() - 2);
                        turns.pop();
                    }
                }
                Wish::Hint => {
                    let hint = self.machine.choose(
                        &position,
                        Level::Perfect,
                        &mut self.rng,
                        &Budget::unlimited(),
                    )?;
                    said = format!("Hint: column {} {}.", hint.column, hint.reason.en);
                }
                Wish::Quit => return Ok(None),
                Wish::Unclear(text) => said = format!("{text:?} is not a key here: 1-7, arrows, u, h, q."),
            }
        }
    }

    fn machine_turn(&mut self, position: &Position) -> anyhow::Result<(Column, Turn, String)> {
        #[expect(clippy::disallowed_methods, reason = "the report says how long a turn took")]
        let start = Instant::now();
        let decision = self.machine.choose(position, self.level, &mut self.rng, &Budget::unlimited())?;
        let turn = Turn { column: decision.column, seconds: start.elapsed().as_secs_f64() };
        let sentence = format!("The machine plays {}: {}.", decision.column, decision.reason.en);
        Ok((decision.column, turn, sentence))
    }

    fn ended(
        &mut self,
        position: &Position,
        moves: &[Column],
        turns: Vec<Turn>,
        out: &mut Output,
    ) -> anyhow::Result<GameReport> {
        let (result, text, ending) = match position.outcome() {
            Outcome::Won { winner, .. } if winner == self.human => {
                ("loss", "You win.", connect_four::VisitorResult::VisitorWon)
            }
            Outcome::Won { .. } => ("win", "The machine wins.", connect_four::VisitorResult::MachineWon),
            Outcome::Draw | Outcome::Open => ("draw", "A draw.", connect_four::VisitorResult::Drawn),
        };
        self.machine.visitor.ended(ending);
        let moves: String = moves.iter().map(Column::to_string).collect();
        if !self.quiet {
            writeln!(out, "{text} {moves}")?;
            out.flush()?;
        }
        let first = if self.human == Player::First { "human" } else { "machine" };
        Ok(GameReport { result, moves, first, turns, faults: Vec::new() })
    }

    /// The board, readable with and without colours.
    fn show(&self, position: &Position, said: &str, out: &mut Output) -> anyhow::Result<()> {
        if self.quiet {
            return Ok(());
        }
        let winning = match position.outcome() {
            Outcome::Won { cells, .. } => cells,
            Outcome::Open | Outcome::Draw => Vec::new(),
        };
        writeln!(out)?;
        if std::io::stdin().is_terminal() {
            let pointer: String =
                Column::ALL.map(|c| if c.index() == self.cursor { " v" } else { "  " }).concat();
            writeln!(out, " {pointer}")?;
        }
        for row in (1..=ROWS as u8).rev() {
            write!(out, "|")?;
            for column in Column::ALL {
                let cell = Cell { column, row };
                let wins = winning.contains(&cell);
                let symbol = match (position.disc(cell), wins) {
                    (None, _) => ".",
                    (Some(Player::First), false) => "x",
                    (Some(Player::First), true) => "X",
                    (Some(Player::Second), false) => "o",
                    (Some(Player::Second), true) => "O",
                };
                match (position.disc(cell), out.is_colored()) {
                    (Some(Player::First), true) => write!(out, " {}", symbol.red().bold())?,
                    (Some(Player::Second), true) => write!(out, " {}", symbol.yellow().bold())?,
                    (None, _) | (Some(_), false) => write!(out, " {symbol}")?,
                }
            }
            writeln!(out, " |")?;
        }
        writeln!(out, "  1 2 3 4 5 6 7\n{said}")?;
        out.flush()?;
        Ok(())
    }

    fn wish(&mut self, out: &mut Output) -> anyhow::Result<Wish> {
        if std::io::stdin().is_terminal() { self.key(out) } else { line() }
    }

    /// One key at a time; arrows move the pointer.
    fn key(&mut self, out: &mut Output) -> anyhow::Result<Wish> {
        loop {
            terminal::enable_raw_mode()?;
            let event = event::read();
            terminal::disable_raw_mode()?;
            let Event::Key(key) = event? else { continue };
            if key.kind == KeyEventKind::Release {
                continue;
            }
            match key.code {
                KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => return Ok(Wish::Quit),
                KeyCode::Char(symbol) if symbol != ' ' => return Ok(wish_of(&symbol.to_string())),
                KeyCode::Left => self.cursor = self.cursor.saturating_sub(1),
                KeyCode::Right => self.cursor = (self.cursor + 1).min(Column::ALL.len() - 1),
                KeyCode::Enter | KeyCode::Down | KeyCode::Char(_) => {
                    return Ok(Wish::Drop(Column::ALL[self.cursor]));
                }
                KeyCode::Esc => return Ok(Wish::Quit),
                _ => {}
            }
            write!(out, "\rcolumn {} ", self.cursor + 1)?;
            out.flush()?;
        }
    }
}

/// One command a line; the end of the input quits.
fn line() -> anyhow::Result<Wish> {
    let mut text = String::new();
    if std::io::stdin().lock().read_line(&mut text)? == 0 {
        return Ok(Wish::Quit);
    }
    Ok(wish_of(text.trim()))
}

fn wish_of(text: &str) -> Wish {
    match text {
        "u" => Wish::Undo,
        "h" => Wish::Hint,
        "q" => Wish::Quit,
        _ => match text.parse::<u8>().map(Column::new) {
            Ok(Ok(column)) => Wish::Drop(column),
            Ok(Err(_)) | Err(_) => Wish::Unclear(text.to_owned()),
        },
    }
}

fn replay(moves: &[Column]) -> anyhow::Result<Position> {
    let mut position = Position::EMPTY;
    for &column in moves {
        let Ok(next) = position.play(column) else { bail!("column {column} cannot be played") };
        position = next;
    }
    Ok(position)
}
