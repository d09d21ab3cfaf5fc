//! Tetris for people in the terminal: one key lets a player take over, any other takes it back (P1, P2, P4).

use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use anyhow::Context;
use browser::tetris::{Choices, Happening, Pilot, PlayerName, RulesName, Session, View, machine_buttons};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::style::{Color, Stylize};
use crossterm::{cursor, event, execute, terminal};
use serde::{Deserialize, Serialize};
use tetris::gameboy::{Buttons, FRAMES_PER_SECOND};

use super::{PlayTetris, write_report};
use crate::ending::{Ending, UsageError};
use crate::output::Output;

/// A terminal tells of presses, not of releases: a press of Down is held for as long as keys take to repeat.
const DOWN_FRAMES: u32 = 6;
/// Pieces after which a game without a person ends.
const MOST_PIECES: u32 = 100_000;
const KEYS: &str =
    "arrows move and turn · z turns back · space drops (classic) · m machine · p pause · q quit";

/// What is kept for the next time.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    rules: RulesName,
    width: usize,
    height: usize,
    player: PlayerName,
    pace_ms: u32,
}

impl Default for Kept {
    fn default() -> Self {
        Kept { rules: RulesName::Gameboy, width: 10, height: 20, player: PlayerName::Ours, pace_ms: 200 }
    }
}

/// One game.
#[derive(Debug, Serialize)]
struct GameReport {
    seed: u64,
    score: u32,
    lines: u32,
    level: u8,
    pieces: u32,
    game_s: f64,
}

#[derive(Debug, Serialize)]
struct Report {
    rules: RulesName,
    player: PlayerName,
    games: Vec<GameReport>,
}

/// Plays.
pub fn run(play: &PlayTetris, out: &mut Output) -> anyhow::Result<Ending> {
    let kept = choose(play)?;
    let is_terminal = std::io::stdin().is_terminal() && std::io::stdout().is_terminal();
    if !is_terminal && play.player.is_none() {
        let why = "--body terminal needs a terminal; name a --player to let it play without one";
        return Err(UsageError(why.to_owned()).into());
    }
    let mut report = Report { rules: kept.rules, player: kept.player, games: Vec::new() };
    for game in 0..play.games {
        let seed = play.seed.wrapping_add(u64::from(game));
        let session =
            Session::new(choices(play, &kept, seed)).map_err(|error| UsageError(error.to_string()))?;
        let seen = is_terminal && !play.json;
        let session =
            if seen { Screen::open(play, &kept)?.play(session)? } else { unseen(session, kept.player) };
        report.games.push(GameReport {
            seed,
            score: session.score(),
            lines: session.lines(),
            level: session.level(),
            pieces: session.pieces(),
            game_s: f64::from(session.frames()) / FRAMES_PER_SECOND,
        });
        // Whoever quits a game wants no other.
        if seen && !session.is_over() {
            break;
        }
    }
    let text = |game: &GameReport| {
        format!("score {}  lines {}  level {}  pieces {}\n", game.score, game.lines, game.level, game.pieces)
    };
    write_report(out, play.json, &report, &report.games.iter().map(text).collect::<String>())?;
    Ok(Ending::Success)
}

/// Flags over what was kept; what a person chose is kept again.
fn choose(play: &PlayTetris) -> anyhow::Result<Kept> {
    let file = settings_file();
    let before = file.as_ref().and_then(|file| std::fs::read_to_string(file).ok());
    let mut kept: Kept = before.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default();
    if let Some(size) = play.size {
        (kept.rules, kept.width, kept.height) = (RulesName::Classic, size.0, size.1);
    } else if let Some(rules) = play.rules {
        kept.rules = rules;
    }
    kept.player = play.player.unwrap_or(kept.player);
    kept.pace_ms = play.pace_ms.unwrap_or(kept.pace_ms);
    choices(play, &kept, 0).check().map_err(|error| UsageError(error.to_string()))?;
    if let Some(file) = file {
        keep(&file, &kept);
    }
    Ok(kept)
}

/// A disk that keeps nothing is no reason not to play.
fn keep(file: &PathBuf, kept: &Kept) {
    let written = file
        .parent()
        .map_or(Ok(()), std::fs::create_dir_all)
        .and_then(|()| std::fs::write(file, serde_json::to_string_pretty(kept).unwrap_or_default()));
    if let Err(error) = written {
        tracing::warn!("{}: {error}; settings are not kept", file.display());
    }
}

fn settings_file() -> Option<PathBuf> {
    let set = |name| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = set("XDG_CONFIG_HOME").or_else(|| set("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("gamebot/terminal-tetris.json"))
}

fn choices(play: &PlayTetris, kept: &Kept, seed: u64) -> Choices {
    let level = u8::try_from(play.level.unwrap_or(0)).unwrap_or(u8::MAX);
    match kept.rules {
        RulesName::Gameboy => Choices { heart: play.heart, ..Choices::gameboy(level, seed as u32) },
        RulesName::Classic => {
            Choices { level, heart: play.heart, ..Choices::classic(kept.width, kept.height, seed as u32) }
        }
    }
}

/// A whole game without a picture, as fast as it goes.
fn unseen(mut session: Session, player: PlayerName) -> Session {
    let mut pilot = Pilot::new(0);
    while !session.is_over() && session.pieces() < MOST_PIECES {
        let held = machine_buttons(&session, &mut pilot, player, 0);
        session.step(held);
    }
    session
}

/// The terminal while a game is on it; it is left as it was found.
struct Screen {
    player: PlayerName,
    pace_ms: u32,
    pilot: Option<Pilot>,
    paused: bool,
    down_frames: u32,
}

/// What a key means.
enum Wish {
    Press(Buttons),
    Machine,
    Pause,
    Quit,
}

impl Screen {
    fn open(play: &PlayTetris, kept: &Kept) -> anyhow::Result<Screen> {
        terminal::enable_raw_mode().context("cannot read single keys from this terminal")?;
        execute!(std::io::stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
        let pilot = play.player.map(|_| Pilot::new(kept.pace_ms));
        Ok(Screen { player: kept.player, pace_ms: kept.pace_ms, pilot, paused: false, down_frames: 0 })
    }

    /// Plays until the game ends or the person quits.
    #[expect(clippy::disallowed_methods, reason = "a game in a terminal runs in real time")]
    fn play(mut self, mut session: Session) -> anyhow::Result<Session> {
        let frame = Duration::from_secs_f64(1.0 / FRAMES_PER_SECOND);
        let mut next = Instant::now();
        loop {
            let mut pressed = Buttons::NONE;
            next += frame;
            while event::poll(next.saturating_duration_since(Instant::now()))? {
                match wish(&event::read()?) {
                    Some(Wish::Press(button)) => pressed = pressed | button,
                    Some(Wish::Machine) => {
                        self.pilot = if self.pilot.is_some() { None } else { Some(Pilot::new(self.pace_ms)) };
                    }
                    Some(Wish::Pause) => self.paused = !self.paused,
                    Some(Wish::Quit) => return Ok(session),
                    None => {}
                }
            }
            // After a hitch the game goes on where it was.
            next = next.max(Instant::now());
            if pressed != Buttons::NONE {
                self.pilot = None;
            }
            let happening = if self.paused { Happening::Nothing } else { self.step(&mut session, pressed) };
            self.draw(&session)?;
            if happening == Happening::Over {
                Self::wait_for_key()?;
                return Ok(session);
            }
        }
    }

    fn step(&mut self, session: &mut Session, pressed: Buttons) -> Happening {
        let held = if let Some(pilot) = &mut self.pilot {
            machine_buttons(session, pilot, self.player, self.pace_ms)
        } else {
            if pressed.any(Buttons::DOWN) {
                self.down_frames = DOWN_FRAMES;
            }
            self.down_frames = self.down_frames.saturating_sub(1);
            pressed | if self.down_frames > 0 { Buttons::DOWN } else { Buttons::NONE }
        };
        session.step(held)
    }

    fn wait_for_key() -> anyhow::Result<()> {
        loop {
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
                && matches!(key.code, KeyCode::Enter | KeyCode::Esc | KeyCode::Char('q' | 'c'))
            {
                return Ok(());
            }
        }
    }

    fn draw(&self, session: &Session) -> anyhow::Result<()> {
        let view = View::of(session, &[]);
        let mut text = String::from("\x1b[H");
        for row in (0..view.height).rev() {
            text.push_str("  │");
            for x in 0..view.width {
                let at = (x as i32, row as i32);
                let colour = view.cells.as_bytes().get(row * view.width + x).map_or(0, |cell| cell - b'0');
                let falling = view.falling.contains(&at);
                let piece = if falling { view.piece.map_or(8, number_of) } else { colour };
                text.push_str(&match piece {
                    0 if view.shadow.contains(&at) => "··".dark_grey().to_string(),
                    0 => "  ".to_owned(),
                    piece => "██".with(colour_of(piece)).to_string(),
                });
            }
            write!(text, "│  {}\x1b[K\r\n", self.beside(&view, view.height - 1 - row))?;
        }
        write!(text, "  └{}┘\x1b[K\r\n\x1b[K\r\n  {KEYS}\x1b[K\x1b[J", "──".repeat(view.width))?;
        let mut out = std::io::stdout().lock();
        out.write_all(text.as_bytes())?;
        out.flush()?;
        Ok(())
    }

    /// What stands beside a row of the picture, counted from the top.
    fn beside(&self, view: &View, line: usize) -> String {
        match line {
            0 => format!("score  {}", view.score),
            1 => format!("lines  {}", view.lines),
            2 => format!("level  {}", view.level),
            4 => format!("next   {}", view.next),
            6 if view.over => "game over: enter".to_owned(),
            6 if self.paused => "paused: p goes on".to_owned(),
            6 if self.pilot.is_some() => format!("{} plays", self.player.name()),
            6 => "you play".to_owned(),
            _ => String::new(),
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        // Nothing can be done about a terminal that does not listen any more.
        let _ = execute!(std::io::stdout(), terminal::LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
    }
}

fn wish(event: &Event) -> Option<Wish> {
    let Event::Key(key) = event else { return None };
    if key.kind == KeyEventKind::Release {
        return None;
    }
    Some(match key.code {
        KeyCode::Char('c') if key.modifiers.contains(KeyModifiers::CONTROL) => Wish::Quit,
        KeyCode::Char('q') | KeyCode::Esc => Wish::Quit,
        KeyCode::Char('m') => Wish::Machine,
        KeyCode::Char('p') => Wish::Pause,
        KeyCode::Left => Wish::Press(Buttons::LEFT),
        KeyCode::Right => Wish::Press(Buttons::RIGHT),
        KeyCode::Down => Wish::Press(Buttons::DOWN),
        KeyCode::Up | KeyCode::Char('x') => Wish::Press(Buttons::A),
        KeyCode::Char('z' | 'y') => Wish::Press(Buttons::B),
        KeyCode::Char(' ') => Wish::Press(Buttons::UP),
        _ => return None,
    })
}

fn number_of(letter: char) -> u8 {
    tetris::Piece::from_letter(letter).map_or(8, |piece| piece.index() as u8 + 1)
}

fn colour_of(piece: u8) -> Color {
    match piece {
        1 => Color::DarkYellow,
        2 => Color::Blue,
        3 => Color::Cyan,
        4 => Color::Yellow,
        5 => Color::Red,
        6 => Color::Green,
        7 => Color::Magenta,
        _ => Color::Grey,
    }
}
