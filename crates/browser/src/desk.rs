//! The desk: every request of a page has its answer here. Requests and answers are JSON.

use std::collections::BTreeMap;

use budget::Budget;
use connect_four::{Analyst, Solver};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tetris::gameboy::Buttons;

use crate::samegame::{Goal, Table};
use crate::tetris::{
    Candidate, Choices, Happening, KeyLog, Pilot, PlayerName, Scene, Session, Steer, View, think,
};
use crate::{connect_four as four, samegame as same};

/// Memory of the Connect Four solver's table.
const TABLE_BYTES: usize = 1 << 24;
/// Games that one desk keeps: more is a page that forgets to end them.
const MOST_GAMES: usize = 16;
/// The most frames of one request: a minute.
const MOST_FRAMES: u32 = 3_600;
/// The longest game of a comparison.
const MOST_LINES: u32 = 10_000;

/// What a page asks.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Request {
    /// Begins a game of Tetris under this number.
    TetrisNew {
        /// Its number.
        game: u32,
        /// Its choices.
        choices: Choices,
    },
    /// Plays frames with these buttons held; a pilot that flies presses instead.
    TetrisStep {
        /// Which game.
        game: u32,
        /// The buttons a person holds.
        held: u8,
        /// How many frames.
        frames: u32,
    },
    /// What a player would be told.
    TetrisScene {
        /// Which game.
        game: u32,
        /// Milliseconds from press to press.
        pace_ms: u32,
    },
    /// Thinks about a scene.
    TetrisThink {
        /// The scene.
        scene: Scene,
        /// Who thinks.
        player: PlayerName,
    },
    /// Where the piece can go, for plug-ins: boards after every place.
    TetrisPlaces {
        /// The scene.
        scene: Scene,
    },
    /// Lets the machine's hands take the game, or gives it back.
    TetrisPilot {
        /// Which game.
        game: u32,
        /// Milliseconds from press to press; nothing gives the game back.
        pace_ms: Option<u32>,
    },
    /// The plan for the piece that falls now.
    TetrisFollow {
        /// Which game.
        game: u32,
        /// The number of the piece that the plan is for.
        piece: u32,
        /// The plan.
        plan: Candidate,
    },
    /// The keys of a game.
    TetrisKeys {
        /// Which game.
        game: u32,
    },
    /// Plays a whole game from its keys.
    TetrisReplay {
        /// The choices.
        choices: Choices,
        /// The keys.
        keys: String,
    },
    /// Forgets a game.
    TetrisEnd {
        /// Which game.
        game: u32,
    },
    /// One game of a comparison of players.
    TetrisCompare {
        /// The choices; their seed gives every player the same pieces.
        choices: Choices,
        /// Who plays.
        player: PlayerName,
        /// Lines after which the game is stopped.
        lines: u32,
    },
    /// A new SameGame board.
    SamegameDeal {
        /// Columns.
        columns: usize,
        /// Rows.
        rows: usize,
        /// Colours.
        colours: usize,
        /// Decides which board.
        seed: u32,
    },
    /// Groups of a board.
    SamegameLook {
        /// The board.
        table: Table,
    },
    /// Removes the group of a cell.
    SamegameRemove {
        /// The board.
        table: Table,
        /// The cell as column and row.
        cell: (usize, usize),
    },
    /// Solves a board.
    SamegameSolve {
        /// The board.
        table: Table,
        /// What for.
        goal: Goal,
        /// How long.
        nodes: u64,
    },
    /// A Connect Four position.
    Look {
        /// Moves or drawing.
        position: String,
        /// Moves after it.
        #[serde(default)]
        moves: String,
    },
    /// Its exact values.
    Analyse {
        /// Moves or drawing.
        position: String,
        /// Moves after it.
        #[serde(default)]
        moves: String,
        /// Whether the expected line is wanted too.
        #[serde(default)]
        line: bool,
        /// Nodes to spend at most.
        #[serde(default)]
        nodes: Option<u64>,
    },
    /// Its exact score by search alone, from an empty table: what measurements compare.
    Score {
        /// Moves.
        position: String,
    },
    /// The score along a whole game.
    Course {
        /// Its moves.
        moves: String,
    },
}

/// All that a page or a worker keeps between two requests.
#[derive(Debug, Default)]
pub struct Desk {
    games: BTreeMap<u32, Seat>,
    analyst: Option<Analyst>,
    solver: Option<Solver>,
}

#[derive(Debug)]
struct Seat {
    session: Session,
    pilot: Option<Pilot>,
}

/// An answer: anything that can be written, or a sentence why not.
type Answered = Result<Value, String>;

impl Desk {
    /// Answers one request; errors are answers too: `{"error": "…"}`.
    pub fn answer(&mut self, request: &str) -> String {
        let answered = read(request).and_then(|request| self.handle(request));
        let value = answered.unwrap_or_else(|error| json!({ "error": error }));
        value.to_string()
    }

    fn handle(&mut self, request: Request) -> Answered {
        match request {
            Request::TetrisNew { game, choices } => self.begin(game, choices),
            Request::TetrisStep { game, held, frames } => self.step(game, Buttons(held), frames),
            Request::TetrisScene { game, pace_ms } => written(&Scene::of(&self.seat(game)?.session, pace_ms)),
            Request::TetrisThink { scene, player } => written(&think(&scene, player)),
            Request::TetrisPlaces { scene } => written(&crate::tetris::places(&scene)),
            Request::TetrisPilot { game, pace_ms } => {
                let seat = self.seat(game)?;
                match (&mut seat.pilot, pace_ms) {
                    (Some(pilot), Some(pace_ms)) => pilot.set_pace(pace_ms),
                    (pilot, pace_ms) => *pilot = pace_ms.map(Pilot::new),
                }
                Ok(Value::Null)
            }
            Request::TetrisFollow { game, piece, plan } => {
                let seat = self.seat(game)?;
                let fits = seat.session.pieces() == piece;
                if let Some(pilot) = seat.pilot.as_mut().filter(|_| fits) {
                    pilot.follow(&seat.session, &plan);
                }
                Ok(json!({ "followed": fits }))
            }
            Request::TetrisKeys { game } => Ok(json!({ "keys": self.seat(game)?.session.keys().to_text() })),
            Request::TetrisReplay { choices, keys } => {
                let keys = KeyLog::parse(&keys).map_err(text)?;
                let session = Session::replay(choices, &keys).map_err(text)?;
                written(&View::of(&session, &[]))
            }
            Request::TetrisEnd { game } => {
                self.games.remove(&game);
                Ok(Value::Null)
            }
            Request::TetrisCompare { choices, player, lines } => {
                written(&crate::tetris::play(choices, player, lines.min(MOST_LINES)).map_err(text)?)
            }
            Request::SamegameDeal { columns, rows, colours, seed } => {
                written(&json!({ "board": same::deal(columns, rows, colours, seed).map_err(text)? }))
            }
            Request::SamegameLook { table } => written(&same::look(table).map_err(text)?),
            Request::SamegameRemove { table, cell } => written(&same::remove(table, cell).map_err(text)?),
            Request::SamegameSolve { table, goal, nodes } => {
                written(&same::solve(table, goal, nodes, 1).map_err(text)?)
            }
            Request::Look { position, moves } => {
                written(&four::look(&four::continued(&position, &moves).map_err(text)?))
            }
            Request::Analyse { position, moves, line, nodes } => self.analyse(&position, &moves, line, nodes),
            Request::Score { position } => {
                let position = four::read(&position).map_err(text)?;
                let solver = self.solver.get_or_insert_with(|| Solver::new(TABLE_BYTES));
                solver.clear();
                let score = solver.score(&position, &Budget::unlimited());
                written(&json!({ "score": score.map_err(text)? }))
            }
            Request::Course { moves } => {
                written(&json!({ "scores": four::course(self.analyst(), &moves, None).map_err(text)? }))
            }
        }
    }

    fn begin(&mut self, game: u32, choices: Choices) -> Answered {
        if self.games.len() >= MOST_GAMES && !self.games.contains_key(&game) {
            return Err(format!("{MOST_GAMES} games are open; end one first"));
        }
        let session = Session::new(choices).map_err(text)?;
        let view = written(&View::of(&session, &[]));
        self.games.insert(game, Seat { session, pilot: None });
        view
    }

    fn seat(&mut self, game: u32) -> Result<&mut Seat, String> {
        self.games.get_mut(&game).ok_or_else(|| format!("there is no game {game}"))
    }

    fn step(&mut self, game: u32, held: Buttons, frames: u32) -> Answered {
        let seat = self.seat(game)?;
        let mut happenings: Vec<Happening> = Vec::new();
        let mut needs_plan = false;
        for _ in 0..frames.min(MOST_FRAMES) {
            let buttons = match seat.pilot.as_mut().map(|pilot| pilot.steer(&seat.session)) {
                None => held,
                Some(Steer::Hold(buttons)) => buttons,
                Some(Steer::NeedsPlan) => {
                    needs_plan = true;
                    Buttons::NONE
                }
            };
            happenings.push(seat.session.step(buttons));
        }
        let mut view = written(&View::of(&seat.session, &happenings))?;
        view["needs_plan"] = json!(needs_plan && seat.session.falling().is_some());
        Ok(view)
    }

    fn analyst(&mut self) -> &mut Analyst {
        self.analyst.get_or_insert_with(|| Analyst::new(TABLE_BYTES))
    }

    fn analyse(&mut self, position: &str, moves: &str, line: bool, nodes: Option<u64>) -> Answered {
        let position = four::continued(position, moves).map_err(text)?;
        let analyst = self.analyst();
        let exhausted = || "not solved within these nodes".to_owned();
        let mut answer = written(&four::analyse(analyst, &position, nodes).ok_or_else(exhausted)?)?;
        if line {
            answer["line"] = json!(four::line(analyst, &position, nodes).ok_or_else(exhausted)?);
        }
        Ok(answer)
    }
}

/// Reads `{"ask": "look", "position": "4453"}`. (An enum that serde tags inside would be read through a second copy of
/// every type's reader, which a page would have to wait for.)
fn read(request: &str) -> Result<Request, String> {
    let mut fields: serde_json::Map<String, Value> = serde_json::from_str(request).map_err(text)?;
    let Some(Value::String(ask)) = fields.remove("ask") else {
        return Err("a request says in \"ask\" what it is".to_owned());
    };
    serde_json::from_value(json!({ ask: fields })).map_err(text)
}

fn written(value: &impl Serialize) -> Answered {
    serde_json::to_value(value).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
