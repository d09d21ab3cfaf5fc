//! The terminal while a game is on it: keys in, frames out. It is left as it was found.

use std::collections::VecDeque;
use std::io::Write as _;
use std::time::{Duration, Instant};

use anyhow::Context;
use browser::tetris::{Happening, Pilot, PlayerName, Session, View, machine_buttons};
use crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::{cursor, event, execute, terminal};
use engine::Cancel;
use tetris::gameboy::{Buttons, FRAMES_PER_SECOND};

use super::picture::{self, Turn};
use crate::ending::UsageError;

/// A terminal tells of presses, not of releases: a press of Down is held for as long as keys take to repeat.
const DOWN_FRAMES: u32 = 6;
/// Presses that wait for their frame; more would make the game lag behind the fingers.
const MOST_WAITING: usize = 8;
/// How soon an interruption is noticed while nothing else happens.
const GLANCE: Duration = Duration::from_millis(100);

/// A game in the terminal.
pub struct Screen {
    player: PlayerName,
    pace_ms: u32,
    pilot: Option<Pilot>,
    paused: bool,
    presses: Presses,
}

/// Presses one after the other: several may come at once from a terminal far away, and the game reads one a frame.
#[derive(Default)]
struct Presses {
    waiting: VecDeque<Buttons>,
    held: Buttons,
    down_frames: u32,
}

impl Presses {
    fn push(&mut self, button: Buttons) {
        if button == Buttons::DOWN {
            self.down_frames = DOWN_FRAMES;
        } else if self.waiting.len() < MOST_WAITING {
            self.waiting.push_back(button);
        }
    }

    /// What is held in the next frame; between two presses of one button it is let go.
    fn next_frame(&mut self) -> Buttons {
        let next = self.waiting.front().copied().filter(|button| !self.held.any(*button));
        self.held = next.unwrap_or(Buttons::NONE);
        if next.is_some() {
            self.waiting.pop_front();
        }
        let is_down = self.down_frames > 0;
        self.down_frames = self.down_frames.saturating_sub(1);
        self.held | if is_down { Buttons::DOWN } else { Buttons::NONE }
    }
}

/// What a key means.
enum Wish {
    Press(Buttons),
    Machine,
    Pause,
    Quit,
}

impl Screen {
    /// Takes the terminal; refuses one that is too small for the field.
    pub fn open(
        session: &Session,
        player: PlayerName,
        pace_ms: u32,
        pilot: Option<Pilot>,
    ) -> anyhow::Result<Screen> {
        if let Some(why) = too_small(session) {
            return Err(UsageError(why).into());
        }
        terminal::enable_raw_mode().context("cannot read single keys from this terminal")?;
        // From here on, dropping the screen gives the terminal back.
        let screen = Screen { player, pace_ms, pilot, paused: false, presses: Presses::default() };
        execute!(std::io::stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
        Ok(screen)
    }

    /// Plays until the game ends, the person quits or the program is told to stop.
    #[expect(clippy::disallowed_methods, reason = "a game in a terminal runs in real time")]
    pub fn play(mut self, mut session: Session, cancel: &Cancel) -> anyhow::Result<Session> {
        let frame = Duration::from_secs_f64(1.0 / FRAMES_PER_SECOND);
        let mut next = Instant::now();
        while !cancel.is_cancelled() {
            next += frame;
            while event::poll(next.saturating_duration_since(Instant::now()))? {
                match wish(&event::read()?) {
                    Some(Wish::Press(button)) => {
                        self.pilot = None;
                        self.presses.push(button);
                    }
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
            if let Some(why) = too_small(&session) {
                self.paused = true;
                show(&format!("\x1b[H{why}\x1b[J"))?;
                continue;
            }
            let happening = if self.paused { Happening::Nothing } else { self.step(&mut session) };
            show(&picture::draw(&View::of(&session, &[]), self.turn(&session)))?;
            if happening == Happening::Over {
                wait_for_key(cancel)?;
                break;
            }
        }
        Ok(session)
    }

    fn step(&mut self, session: &mut Session) -> Happening {
        let held = match &mut self.pilot {
            Some(pilot) => machine_buttons(session, pilot, self.player, self.pace_ms),
            None => self.presses.next_frame(),
        };
        session.step(held)
    }

    fn turn(&self, session: &Session) -> Turn {
        match &self.pilot {
            _ if session.is_over() => Turn::Over,
            _ if self.paused => Turn::Paused,
            Some(_) => Turn::Machine(self.player),
            None => Turn::Person,
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

/// What is wrong with the terminal's size, if anything is. A terminal that does not know its size is believed to do.
fn too_small(session: &Session) -> Option<String> {
    let (columns, rows) = terminal::size().ok().filter(|&(columns, rows)| columns > 0 && rows > 0)?;
    let choices = session.choices();
    let (wide, high) = picture::size(choices.width, choices.height);
    let fits = usize::from(columns) >= wide && usize::from(rows) >= high;
    (!fits).then(|| {
        format!(
            "a field of {} × {} needs a terminal of {wide} × {high} characters; this one has {columns} × {rows}",
            choices.width, choices.height
        )
    })
}

fn show(text: &str) -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

fn wait_for_key(cancel: &Cancel) -> anyhow::Result<()> {
    while !cancel.is_cancelled() {
        if event::poll(GLANCE)?
            && let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
            && matches!(key.code, KeyCode::Enter | KeyCode::Esc | KeyCode::Char('q' | 'c'))
        {
            break;
        }
    }
    Ok(())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presses_that_come_at_once_are_played_one_after_the_other() {
        let mut presses = Presses::default();
        for button in [Buttons::LEFT, Buttons::LEFT, Buttons::A, Buttons::DOWN] {
            presses.push(button);
        }
        let frames: Vec<_> = (0..7).map(|_| presses.next_frame()).collect();
        let down = Buttons::DOWN;
        let expected = [Buttons::LEFT | down, down, Buttons::LEFT | down, Buttons::A | down, down, down];
        assert_eq!(frames, [&expected[..], &[Buttons::NONE]].concat());
    }
}
