//! The keys of the robot document's application (appendix E.2) in the terminal view, and four for faults of the
//! simulated robot.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use anyhow::Context;
use crossterm::event::{
    self, DisableMouseCapture, EnableMouseCapture, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers,
    MouseButton, MouseEventKind,
};
use crossterm::{execute, terminal};
use engine::Cancel;
use gameboy::Button;
use runs::operator::{Controls, OperatorCommand};
use runs::settings::TetrisSettings;

use super::view::{Grain, WORDS};

/// How often it is asked whether the run has ended.
const CHECK: Duration = Duration::from_millis(100);
/// Faults as their keys switch them on.
const SLIPPING: f64 = 0.3;
const SHAKING_PX: f64 = 4.0;

/// What the keys are, in one line above the picture.
pub const HELP: &str = "p plays · s stops · r resets · arrows y x enter backspace press · l level · h name · m heart · \
                        g new game · k forgets, four clicks set key points · 1 slips 2 shakes 3 dark 4 no camera · esc ends";

/// The keyboard while a run is shown; the terminal is left as it was found.
#[derive(Debug)]
pub struct Keyboard {
    stop: Arc<AtomicBool>,
    listening: Option<JoinHandle<()>>,
}

impl Keyboard {
    /// Listens, if somebody can press keys; `grain` says what a character of the view stands for.
    pub fn listen(
        controls: Controls,
        settings: TetrisSettings,
        cancel: Cancel,
        grain: Arc<Grain>,
    ) -> anyhow::Result<Option<Keyboard>> {
        if !(std::io::stdin().is_terminal() && std::io::stderr().is_terminal()) {
            return Ok(None);
        }
        terminal::enable_raw_mode().context("cannot read single keys from this terminal")?;
        execute!(std::io::stderr(), EnableMouseCapture)?;
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let mut desk = Desk { controls, settings, clicks: Vec::new(), grain };
        let listening = std::thread::spawn(move || {
            while !stopped.load(Ordering::Relaxed) {
                match event::poll(CHECK) {
                    Ok(false) => continue,
                    Ok(true) => {}
                    Err(_) => break,
                }
                let Ok(event) = event::read() else { break };
                let is_over = match desk.wish(&event) {
                    Some(Wish::End) => {
                        cancel.cancel();
                        false
                    }
                    Some(Wish::Command(command)) => desk.controls.give(command).is_err(),
                    None => false,
                };
                if is_over {
                    break;
                }
            }
        });
        Ok(Some(Keyboard { stop, listening: Some(listening) }))
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        if let Some(listening) = self.listening.take() {
            let _ = listening.join();
        }
        // Nothing can be done about a terminal that does not listen any more.
        let _ = execute!(std::io::stderr(), DisableMouseCapture);
        let _ = terminal::disable_raw_mode();
    }
}

/// What a key or a click means.
#[derive(Debug, PartialEq)]
enum Wish {
    Command(OperatorCommand),
    End,
}

struct Desk {
    controls: Controls,
    settings: TetrisSettings,
    /// Key points clicked so far.
    clicks: Vec<(f64, f64)>,
    grain: Arc<Grain>,
}

impl Desk {
    fn wish(&mut self, event: &Event) -> Option<Wish> {
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key),
            Event::Mouse(mouse) if mouse.kind == MouseEventKind::Down(MouseButton::Left) => {
                self.click(mouse.column, mouse.row).map(Wish::Command)
            }
            _ => None,
        }
    }

    fn key(&mut self, key: KeyEvent) -> Option<Wish> {
        use OperatorCommand as Command;
        let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
        Some(Wish::Command(match key.code {
            KeyCode::Esc => return Some(Wish::End),
            KeyCode::Char('c') if is_control => return Some(Wish::End),
            KeyCode::Char('p') => Command::Start,
            KeyCode::Char('s') => Command::Stop,
            KeyCode::Char('r') => Command::Reset,
            KeyCode::Char('k') => {
                self.clicks.clear();
                Command::ForgetKeyPoints
            }
            KeyCode::Char('l') => Command::Level(u8::try_from(self.settings.level).unwrap_or(9)),
            KeyCode::Char('h') => Command::Initials(self.settings.initials.clone()),
            KeyCode::Char('m') => Command::Heart(true),
            KeyCode::Char('g') => Command::NewGame,
            KeyCode::Up => Command::Press(Button::Up),
            KeyCode::Down => Command::Press(Button::Down),
            KeyCode::Left => Command::Press(Button::Left),
            KeyCode::Right => Command::Press(Button::Right),
            KeyCode::Char('y') => Command::Press(Button::A),
            KeyCode::Char('x') => Command::Press(Button::B),
            KeyCode::Enter => Command::Press(Button::Start),
            KeyCode::Backspace => Command::Press(Button::Select),
            KeyCode::Char(digit @ '1'..='4') => self.switched(digit),
            _ => return None,
        }))
    }

    /// One fault more or less.
    fn switched(&self, digit: char) -> OperatorCommand {
        let mut faults = self.controls.faults();
        match digit {
            '1' => {
                faults.missed_presses = if faults.missed_presses.is_none() { Some(SLIPPING) } else { None };
            }
            '2' => faults.shake_px = if faults.shake_px > 0.0 { 0.0 } else { SHAKING_PX },
            '3' => faults.dark = !faults.dark,
            _ => faults.camera_out = !faults.camera_out,
        }
        OperatorCommand::Faults(faults)
    }

    /// The fourth click sets the key points: top left, top right, bottom right, bottom left.
    fn click(&mut self, column: u16, row: u16) -> Option<OperatorCommand> {
        let grain = |side: &AtomicU32| f64::from(side.load(Ordering::Relaxed));
        let row = row.checked_sub(WORDS)?;
        let x = (f64::from(column) + 0.5) * grain(&self.grain.column);
        self.clicks.push((x, (f64::from(row) + 0.5) * grain(&self.grain.row)));
        let corners = self.clicks.clone().try_into().ok()?;
        self.clicks.clear();
        Some(OperatorCommand::KeyPoints(corners))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn desk() -> Desk {
        let (controls, _line) = runs::operator::controls();
        Desk {
            controls,
            settings: TetrisSettings::default(),
            clicks: Vec::new(),
            grain: Arc::new(Grain { column: AtomicU32::new(8), row: AtomicU32::new(16) }),
        }
    }

    fn press(code: KeyCode) -> Option<Wish> {
        desk().wish(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
    }

    /// Appendix E.2, key by key.
    #[test]
    fn keys_are_the_documents() {
        use OperatorCommand as Command;
        let commands = [
            ('p', Command::Start),
            ('s', Command::Stop),
            ('r', Command::Reset),
            ('k', Command::ForgetKeyPoints),
            ('l', Command::Level(9)),
            ('h', Command::Initials("BOT".to_owned())),
            ('m', Command::Heart(true)),
            ('g', Command::NewGame),
            ('y', Command::Press(Button::A)),
            ('x', Command::Press(Button::B)),
        ];
        for (key, command) in commands {
            assert_eq!(press(KeyCode::Char(key)), Some(Wish::Command(command)), "{key}");
        }
        assert_eq!(press(KeyCode::Enter), Some(Wish::Command(Command::Press(Button::Start))));
        assert_eq!(press(KeyCode::Backspace), Some(Wish::Command(Command::Press(Button::Select))));
        assert_eq!(press(KeyCode::Esc), Some(Wish::End));
        assert_eq!(press(KeyCode::Char('z')), None);
    }

    #[test]
    fn four_clicks_set_the_key_points() {
        let mut desk = desk();
        assert_eq!([(10, 2), (70, 2), (70, 25)].map(|(x, y)| desk.click(x, y)), [None, None, None]);
        let Some(OperatorCommand::KeyPoints(corners)) = desk.click(10, 25) else { panic!("four clicks") };
        assert!((corners[1].0 - 564.0).abs() < 1e-9 && (corners[2].1 - 376.0).abs() < 1e-9, "{corners:?}");
        assert!(desk.clicks.is_empty());
    }

    #[test]
    fn faults_are_switched_on_and_off() {
        let desk = desk();
        for _ in 0..2 {
            let command = desk.switched('3');
            desk.controls.give(command).unwrap();
        }
        assert!(!desk.controls.faults().dark);
        desk.controls.give(desk.switched('1')).unwrap();
        assert_eq!(desk.controls.faults().missed_presses, Some(SLIPPING));
    }
}
