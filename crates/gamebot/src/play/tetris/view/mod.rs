//! A run in the terminal: the picture as well as the terminal can show it, the game's figures in words above it, and plain
//! lines where there is no terminal.

mod characters;
mod graphics;
mod offer;

use std::io::{IsTerminal as _, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use crossterm::{cursor, execute, terminal};
use engine::notes::{NoteReader, Topic};
use engine::{Frame, Picture, Time};
use serde::Deserialize;

use characters::Characters;
pub use offer::Graphics;

/// Time between two drawings: terminals are slower than consoles.
const PAUSE: Duration = Duration::from_millis(30);
/// Lines of words above the picture.
pub const WORDS: u16 = 2;

/// How many pixels of the frame a character of the terminal covers; 0 while that is not known.
#[derive(Debug, Default)]
pub struct Grain {
    /// From left to right.
    pub column: AtomicU32,
    /// From top to bottom.
    pub row: AtomicU32,
}

impl Grain {
    fn set(&self, column: u32, row: u32) {
        self.column.store(column, Ordering::Relaxed);
        self.row.store(row, Ordering::Relaxed);
    }
}

/// Reads the notes of a run and shows them on standard error.
#[derive(Debug)]
pub struct TerminalView {
    painter: Painter,
    _stage: Option<Stage>,
    drawn: Instant,
    /// The picture that stands there.
    shown: Option<Picture>,
    /// What is known of the game, and the words that stand there.
    figures: Figures,
    words: String,
    grain: Arc<Grain>,
    help: &'static str,
}

/// How pictures get to the screen.
#[derive(Debug)]
enum Painter {
    /// Not at all: there is no terminal.
    Lines,
    Characters(Characters),
    Graphics(Graphics),
}

/// The figures beside the field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
struct Figures {
    score: Option<u32>,
    lines: Option<u32>,
    level: Option<u32>,
}

impl TerminalView {
    /// A view with the best graphics that the terminal offers.
    pub fn new() -> Self {
        Self::with(None)
    }

    /// A view with these graphics.
    pub fn with(graphics: Option<Graphics>) -> Self {
        Self::painted_by(if std::io::stderr().is_terminal() {
            match graphics.unwrap_or_else(offer::of_this_terminal) {
                Graphics::Characters => Painter::Characters(Characters::default()),
                graphics => Painter::Graphics(graphics),
            }
        } else {
            Painter::Lines
        })
    }

    #[expect(clippy::disallowed_methods, reason = "paces a drawing; nothing depends on it")]
    fn painted_by(painter: Painter) -> Self {
        let stage = (!matches!(painter, Painter::Lines)).then(Stage::enter);
        Self {
            painter,
            _stage: stage,
            drawn: Instant::now(),
            shown: None,
            figures: Figures::default(),
            words: String::new(),
            grain: Arc::default(),
            help: "",
        }
    }

    /// The same with a line about its keys.
    #[must_use]
    pub fn with_help(self, help: &'static str) -> Self {
        Self { help, ..self }
    }

    /// What a character of the view stands for.
    pub fn grain(&self) -> Arc<Grain> {
        Arc::clone(&self.grain)
    }

    fn draw(&mut self, picture: &Picture) {
        let room = terminal::size().unwrap_or((80, 24));
        let mut out = String::new();
        let fitting = |words: &str| words.chars().take(room.0.into()).collect::<String>();
        let words = format!("{}\x1b[K\r\n{}\x1b[K", fitting(&self.figures.to_string()), fitting(self.help));
        if words != self.words {
            out.push_str("\x1b[H\x1b[0m");
            out.push_str(&words);
            self.words = words;
        }
        if self.shown.as_ref() != Some(picture) {
            let (column, row) = match &mut self.painter {
                Painter::Lines => return,
                Painter::Characters(characters) => characters.draw(picture, room, &mut out),
                Painter::Graphics(graphics) => graphics.draw(picture, room, &mut out),
            };
            self.grain.set(column, row);
            self.shown = Some(picture.clone());
        }
        if !out.is_empty() {
            // Who cannot see the picture can still play.
            drop(std::io::stderr().write_all(out.as_bytes()));
        }
    }
}

impl NoteReader for TerminalView {
    fn wants(&self, topic: Topic) -> bool {
        match topic {
            Topic::Frame => !matches!(self.painter, Painter::Lines) && self.drawn.elapsed() >= PAUSE,
            Topic::Observation => true,
            _ => false,
        }
    }

    #[expect(clippy::disallowed_methods, reason = "paces a drawing; nothing depends on it")]
    fn frame(&mut self, frame: &Frame) {
        self.draw(&frame.picture);
        self.drawn = Instant::now();
    }

    fn note(&mut self, _topic: Topic, _time: Time, json: &[u8]) {
        let Some(figures) = Figures::seen(json) else { return };
        let has_changed = figures.lines != self.figures.lines;
        self.figures = figures;
        if has_changed && matches!(self.painter, Painter::Lines) {
            drop(writeln!(std::io::stderr(), "{figures}"));
        }
    }
}

impl Figures {
    /// Those of an observation, if it shows a game whose figures can be read.
    fn seen(json: &[u8]) -> Option<Figures> {
        #[derive(Deserialize)]
        struct Observation {
            view: View,
        }
        #[derive(Deserialize)]
        struct View {
            playing: Figures,
        }
        let Observation { view: View { playing } } = serde_json::from_slice(json).ok()?;
        playing.lines.is_some().then_some(playing)
    }
}

impl std::fmt::Display for Figures {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = [("score", self.score), ("lines", self.lines), ("level", self.level)];
        let known = named.into_iter().filter_map(|(name, value)| Some(format!("{name} {}", value?)));
        f.write_str(&known.collect::<Vec<_>>().join("  "))
    }
}

/// A screen of its own in the terminal; what stood there comes back when this is dropped.
#[derive(Debug)]
struct Stage;

impl Stage {
    fn enter() -> Stage {
        drop(execute!(std::io::stderr(), terminal::EnterAlternateScreen, cursor::Hide));
        Stage
    }
}

impl Drop for Stage {
    fn drop(&mut self) {
        let plain = format!("{}\x1b[0m", graphics::FORGET);
        drop(std::io::stderr().write_all(plain.as_bytes()));
        drop(execute!(std::io::stderr(), terminal::LeaveAlternateScreen, cursor::Show));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_read_from_what_was_observed() {
        let json = br#"{"period":7,"view":{"playing":{"cells":[0],"score":1200,"level":9,"lines":12}}}"#;
        assert_eq!(Figures::seen(json).unwrap().to_string(), "score 1200  lines 12  level 9");
        assert_eq!(Figures::seen(br#"{"period":7,"view":"paused"}"#), None);
        assert_eq!(Figures::seen(br#"{"period":7,"view":{"title":{"two_players":false}}}"#), None);
    }

    #[test]
    fn without_a_terminal_frames_are_not_asked_for() {
        let view = TerminalView::painted_by(Painter::Lines);
        assert!(!view.wants(Topic::Frame) && view.wants(Topic::Observation));
    }
}
