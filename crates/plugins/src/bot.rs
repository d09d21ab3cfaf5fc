//! Serves our player to a front end that speaks the Tetris Bot Protocol.

use std::collections::VecDeque;
use std::io::{BufRead, Write};

use budget::Budget;
use tetris::evaluate::{Linear, ours};
use tetris::field::{Field, settle};
use tetris::search::{Chance, Depth, Drops, Search};
use tetris::{Board, Piece};

use crate::tbp::{BotMessage, FrontendMessage, Location, Move, Start, location_of};

/// Visible rows of the guideline's field; our board has room for more above.
const ROWS: u32 = 20;
/// Rows of the tallest stack we accept.
const MAX_ROWS: usize = 28;

/// Serves one front end until it quits or closes its stream.
pub fn serve(input: impl BufRead, mut output: impl Write) -> std::io::Result<()> {
    send(
        &mut output,
        &BotMessage::Info {
            name: "Gamebot".to_owned(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            author: "the Gamebot authors".to_owned(),
            features: Vec::new(),
        },
    )?;
    let mut session = Session::new();
    for line in input.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let message: FrontendMessage = match serde_json::from_str(&line) {
            Ok(message) => message,
            // The protocol asks bots to ignore messages they do not know.
            Err(_) => continue,
        };
        match message {
            FrontendMessage::Rules { .. } => send(&mut output, &BotMessage::Ready)?,
            FrontendMessage::Start(start) => {
                if let Err(reason) = session.start(&start) {
                    send(&mut output, &BotMessage::Error { reason })?;
                }
            }
            FrontendMessage::Suggest => {
                send(&mut output, &BotMessage::Suggestion { moves: session.suggest() })?;
            }
            FrontendMessage::Play { played } => session.play(&played.location),
            FrontendMessage::NewPiece { piece } => session.queue.extend(Piece::from_letter(piece)),
            FrontendMessage::Stop | FrontendMessage::Unknown => {}
            FrontendMessage::Quit => break,
        }
    }
    Ok(())
}

fn send(output: &mut impl Write, message: &BotMessage) -> std::io::Result<()> {
    serde_json::to_writer(&mut *output, message)?;
    output.write_all(b"\n")?;
    output.flush()
}

/// The position as the front end described it.
struct Session {
    board: Board,
    queue: VecDeque<Piece>,
    search: Search<Linear, Drops>,
}

impl Session {
    fn new() -> Session {
        let evaluator = Linear::new(ROWS, ours::LINES);
        let movement = Drops { ceiling: ROWS as i32 + 2 };
        let field = Field::classic(MAX_ROWS as u32);
        let search = Search::new(evaluator, movement, field, Depth::Two, Chance::Uniform);
        Session { board: Board::EMPTY, queue: VecDeque::new(), search }
    }

    fn start(&mut self, start: &Start) -> Result<(), String> {
        let mut board = Board::EMPTY;
        for (row, cells) in start.board.iter().enumerate() {
            for (x, _) in cells.iter().enumerate().filter(|(_, cell)| cell.is_some()) {
                if row >= MAX_ROWS || x >= tetris::board::WIDTH {
                    return Err(format!("cell {x},{row} is outside 10 columns and {MAX_ROWS} rows"));
                }
                board.fill(x, row);
            }
        }
        self.board = board;
        self.queue = start.queue.iter().filter_map(|&letter| Piece::from_letter(letter)).collect();
        Ok(())
    }

    fn suggest(&mut self) -> Vec<Move> {
        let Some(&active) = self.queue.front() else { return Vec::new() };
        let preview = self.queue.get(1).copied().unwrap_or(active);
        let decision = self.search.decide(&self.board, active, preview, &Budget::unlimited());
        let location = decision.and_then(|decision| location_of(active, decision.placement));
        location.map(|location| Move { location, spin: "none".to_owned() }).into_iter().collect()
    }

    fn play(&mut self, location: &Location) {
        self.queue.pop_front();
        for (x, y) in location.cells().into_iter().flatten() {
            if (0..tetris::board::WIDTH as i32).contains(&x) && (0..MAX_ROWS as i32).contains(&y) {
                self.board.fill(x as usize, y as usize);
            }
        }
        settle(&mut self.board, Field::classic(MAX_ROWS as u32));
    }
}
