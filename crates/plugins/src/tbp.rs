//! Players that speak the Tetris Bot Protocol on their standard streams.
//!
//! The program is a stranger: it may hang, flood us, lie or die. Each of these
//! ends in a [`BotError`] that says what happened, and the program is killed;
//! we never wait longer than the limit and never keep more than a few lines.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tetris::board::WIDTH;
use tetris::{Board, Piece, Placement};

/// Longest line a bot may send, in bytes.
const MAX_LINE: u64 = 1 << 20;
/// Lines that may wait for us; a bot that sends more without being asked stands still.
const MAX_WAITING: usize = 64;
/// Lines we are willing to skip while waiting for one answer.
const MAX_SKIPPED: usize = 256;
/// Rows of a board in the protocol.
const PROTOCOL_ROWS: usize = 40;

/// What a front end says.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FrontendMessage {
    /// How the game is played.
    Rules {
        /// How pieces are drawn, if it is told.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        randomizer: Option<serde_json::Value>,
    },
    /// Begin to think.
    Start(Start),
    /// What would you play?
    Suggest,
    /// This was played.
    Play {
        /// The move.
        #[serde(rename = "move")]
        played: Move,
    },
    /// A piece was added to the queue.
    NewPiece {
        /// Which one.
        piece: char,
    },
    /// Stop thinking.
    Stop,
    /// Leave.
    Quit,
    /// Anything newer than us.
    #[serde(other)]
    Unknown,
}

/// A position.
#[derive(Debug, Deserialize, Serialize)]
pub struct Start {
    /// The piece in hold.
    pub hold: Option<char>,
    /// Known pieces, the one to play first.
    pub queue: Vec<char>,
    /// Clears in a row.
    #[serde(default)]
    pub combo: u32,
    /// Whether the last clear was a difficult one.
    #[serde(default)]
    pub back_to_back: bool,
    /// Forty rows of ten cells, the lowest first.
    pub board: Vec<Vec<Option<char>>>,
}

/// What a bot says.
#[derive(Debug, Deserialize, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum BotMessage {
    /// Who it is; the first thing it says.
    Info {
        /// Its name.
        name: String,
        /// Its version.
        version: String,
        /// Who wrote it.
        author: String,
        /// What it can do.
        #[serde(default)]
        features: Vec<String>,
    },
    /// The rules are fine.
    Ready,
    /// They are not.
    Error {
        /// Why.
        reason: String,
    },
    /// Moves it would play, best first.
    Suggestion {
        /// The moves.
        moves: Vec<Move>,
    },
    /// Anything newer than us.
    #[serde(other)]
    Unknown,
}

/// A move: where a piece ends.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Move {
    /// Piece, orientation and place of its centre.
    pub location: Location,
    /// How it was spun.
    #[serde(default = "no_spin")]
    pub spin: String,
}

fn no_spin() -> String {
    "none".to_owned()
}

/// Where a piece ends; the centre is that of the guideline's rotation system.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub struct Location {
    /// The piece's letter.
    #[serde(rename = "type")]
    pub piece: char,
    /// Which way it points.
    pub orientation: Orientation,
    /// Column of its centre.
    pub x: i32,
    /// Row of its centre from the bottom.
    pub y: i32,
}

/// The four directions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Orientation {
    /// As it appears.
    North,
    /// Turned clockwise.
    East,
    /// Upside down.
    South,
    /// Turned counter-clockwise.
    West,
}

impl Location {
    /// The four cells, in a fixed order.
    pub fn cells(&self) -> Option<[(i32, i32); 4]> {
        let offsets: [(i32, i32); 4] = match self.piece {
            'I' => [(-1, 0), (0, 0), (1, 0), (2, 0)],
            'O' => [(0, 0), (1, 0), (0, 1), (1, 1)],
            'T' => [(-1, 0), (0, 0), (1, 0), (0, 1)],
            'L' => [(-1, 0), (0, 0), (1, 0), (1, 1)],
            'J' => [(-1, 0), (0, 0), (1, 0), (-1, 1)],
            'S' => [(-1, 0), (0, 0), (0, 1), (1, 1)],
            'Z' => [(-1, 1), (0, 1), (0, 0), (1, 0)],
            _ => return None,
        };
        let mut cells = offsets.map(|(x, y)| {
            let (x, y) = match self.orientation {
                Orientation::North => (x, y),
                Orientation::East => (y, -x),
                Orientation::South => (-x, -y),
                Orientation::West => (-y, x),
            };
            // A bot may say any number; a cell far outside is simply nowhere.
            (self.x.saturating_add(x), self.y.saturating_add(y))
        });
        cells.sort_unstable();
        Some(cells)
    }
}

/// The cells of one of our placements, in the same fixed order.
pub fn cells_of(piece: Piece, placement: Placement) -> [(i32, i32); 4] {
    let mut cells = [(0, 0); 4];
    for (to, (x, row)) in cells.iter_mut().zip(piece.shape(placement.orientation()).cells()) {
        *to = (placement.x() + x as i32, placement.row() + row as i32);
    }
    cells.sort_unstable();
    cells
}

/// The protocol's location of one of our placements.
pub fn location_of(piece: Piece, placement: Placement) -> Option<Location> {
    let cells = cells_of(piece, placement);
    [Orientation::North, Orientation::East, Orientation::South, Orientation::West].into_iter().find_map(
        |orientation| {
            let at_origin = Location { piece: piece.letter(), orientation, x: 0, y: 0 };
            let first = at_origin.cells()?[0];
            let (x, y) = (cells[0].0 - first.0, cells[0].1 - first.1);
            let location = Location { piece: piece.letter(), orientation, x, y };
            (location.cells()? == cells).then_some(location)
        },
    )
}

/// Our board as the protocol has it.
pub fn protocol_board(board: &Board) -> Vec<Vec<Option<char>>> {
    let cell = |x, row| (row < 32 && board.is_filled(x, row)).then_some('G');
    (0..PROTOCOL_ROWS).map(|row| (0..WIDTH).map(|x| cell(x, row)).collect()).collect()
}

/// What a bot did wrong.
#[derive(Debug, thiserror::Error)]
pub enum BotError {
    /// It could not be started.
    #[error("cannot start “{command}”: {reason}")]
    Start {
        /// The command.
        command: String,
        /// What the system said.
        reason: String,
    },
    /// It did not answer in time.
    #[error("{awaited} did not come within {limit_ms} ms")]
    Silent {
        /// What we waited for.
        awaited: &'static str,
        /// How long.
        limit_ms: u128,
    },
    /// It ended.
    #[error("the program ended while we waited for {awaited}")]
    Died {
        /// What we waited for.
        awaited: &'static str,
    },
    /// It sends too much.
    #[error("it sent {lines} lines instead of {awaited}")]
    Flooded {
        /// What we waited for.
        awaited: &'static str,
        /// Lines skipped.
        lines: usize,
    },
    /// It sends what nobody can read.
    #[error("it sent a line that is no message: {reason}")]
    Garbled {
        /// What is wrong with the line.
        reason: String,
    },
    /// It refused the rules.
    #[error("it refuses the rules: {reason}")]
    Refused {
        /// Its reason.
        reason: String,
    },
    /// None of its moves is possible.
    #[error("none of its {moves} moves can be played")]
    Lied {
        /// Moves it suggested.
        moves: usize,
    },
}

/// A running bot. It is killed when this is dropped.
#[derive(Debug)]
pub struct Bot {
    name: String,
    child: Child,
    input: SyncSender<String>,
    lines: Receiver<Result<String, String>>,
    limit: Duration,
}

impl Bot {
    /// Starts a program and shakes hands with it; `limit` is the time for every answer.
    pub fn start(command: &[String], limit: Duration) -> Result<Bot, BotError> {
        let failed = |reason: String| BotError::Start { command: command.join(" "), reason };
        let (program, arguments) = command.split_first().ok_or_else(|| failed("no command".to_owned()))?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(failed("no pipes".to_owned()));
        };
        let mut bot =
            Bot { name: program.clone(), child, input: write_lines(input), lines: read_lines(output), limit };
        let info = bot.wait_for("info", |message| match message {
            BotMessage::Info { name, .. } => Some(Ok(name)),
            _ => None,
        })?;
        bot.name = info;
        bot.send(&FrontendMessage::Rules { randomizer: None }, "ready")?;
        bot.wait_for("ready", |message| match message {
            BotMessage::Ready => Some(Ok(())),
            BotMessage::Error { reason } => Some(Err(BotError::Refused { reason })),
            _ => None,
        })?;
        Ok(bot)
    }

    /// What the bot calls itself.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Asks for a move; `placements` are those that can be played.
    pub fn decide(
        &mut self,
        board: &Board,
        active: Piece,
        preview: Piece,
        placements: &[Placement],
    ) -> Result<Placement, BotError> {
        let start = Start {
            hold: None,
            queue: vec![active.letter(), preview.letter()],
            combo: 0,
            back_to_back: false,
            board: protocol_board(board),
        };
        self.send(&FrontendMessage::Start(start), "suggestion")?;
        self.send(&FrontendMessage::Suggest, "suggestion")?;
        let moves = self.wait_for("suggestion", |message| match message {
            BotMessage::Suggestion { moves } => Some(Ok(moves)),
            _ => None,
        })?;
        self.send(&FrontendMessage::Stop, "suggestion")?;
        let possible = |suggested: &Move| {
            let cells = suggested.location.cells()?;
            let placement = placements.iter().find(|p| cells_of(active, **p) == cells);
            placement.filter(|_| suggested.location.piece == active.letter()).copied()
        };
        moves.iter().find_map(possible).ok_or(BotError::Lied { moves: moves.len() })
    }

    /// Hands a message to the writing thread; a bot that does not read is as bad as a silent one.
    fn send(&mut self, message: &FrontendMessage, awaited: &'static str) -> Result<(), BotError> {
        let mut line = serde_json::to_string(message).map_err(|_| BotError::Died { awaited })?;
        line.push('\n');
        self.input.try_send(line).map_err(|error| match error {
            TrySendError::Full(_) => BotError::Silent { awaited, limit_ms: self.limit.as_millis() },
            TrySendError::Disconnected(_) => BotError::Died { awaited },
        })
    }

    fn wait_for<T>(
        &mut self,
        awaited: &'static str,
        mut wanted: impl FnMut(BotMessage) -> Option<Result<T, BotError>>,
    ) -> Result<T, BotError> {
        let silent = || BotError::Silent { awaited, limit_ms: self.limit.as_millis() };
        for _ in 0..MAX_SKIPPED {
            let line = match self.lines.recv_timeout(self.limit) {
                Ok(Ok(line)) => line,
                Ok(Err(reason)) => return Err(BotError::Garbled { reason }),
                Err(RecvTimeoutError::Timeout) => return Err(silent()),
                Err(RecvTimeoutError::Disconnected) => return Err(BotError::Died { awaited }),
            };
            let message: BotMessage = serde_json::from_str(&line)
                .map_err(|error| BotError::Garbled { reason: error.to_string() })?;
            if let Some(answer) = wanted(message) {
                return answer;
            }
        }
        Err(BotError::Flooded { awaited, lines: MAX_SKIPPED })
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        // Both fail only when it has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes lines in a thread of its own, so that a bot that does not read cannot hold us up.
/// The thread ends with the bot: its pipe breaks.
fn write_lines(mut input: impl Write + Send + 'static) -> SyncSender<String> {
    let (sender, receiver) = sync_channel::<String>(MAX_WAITING);
    std::thread::spawn(move || {
        for line in receiver {
            if input.write_all(line.as_bytes()).and_then(|()| input.flush()).is_err() {
                return;
            }
        }
    });
    sender
}

/// Reads lines in a thread of its own, so that waiting for one can time out.
fn read_lines(output: impl Read + Send + 'static) -> Receiver<Result<String, String>> {
    let (sender, receiver) = sync_channel(MAX_WAITING);
    std::thread::spawn(move || {
        let mut reader = BufReader::new(output);
        loop {
            let mut line = Vec::new();
            let read = reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line);
            let message = match read {
                Ok(0) | Err(_) => return,
                Ok(length) if length as u64 == MAX_LINE => Err(format!("longer than {MAX_LINE} bytes")),
                Ok(_) => String::from_utf8(line).map_err(|_| "not UTF-8".to_owned()),
            };
            let ends = message.is_err();
            if sender.send(message).is_err() || ends {
                return;
            }
        }
    });
    receiver
}
