//! The desk: every request of a page has its answer here. Requests and answers are JSON.

use std::collections::BTreeMap;

use budget::Budget;
use connect_four::{Analyst, Solver};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tetris::gameboy::Buttons;

use crate::samegame::{Goal, Table};
use crate::tetris::{
    Candidate, Choices, Happening, KeyLog, Pilot, PlayerName, Scene, Session, Steer, View, fly, read_pieces,
    think,
};
use crate::{connect_four as four, samegame as same};

/// Memory of the Connect Four solver's table.
const TABLE_BYTES: usize = 1 << 24;
/// Games that one desk keeps: more is a page that forgets to end them.
const MOST_GAMES: usize = 16;
/// The most frames of one request: a minute.
const MOST_FRAMES: u32 = 3_600;
/// The longest game of a comparison, and the most pieces of one request.
const MOST_LINES: u32 = 10_000;
const MOST_PIECES: u32 = 1_000;

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
        /// The keys of a game that was played before: they hold the buttons, whoever asks for frames.
        #[serde(default)]
        keys: Option<String>,
        /// The pieces of another game, as letters, as far as it has got; nothing draws them.
        #[serde(default)]
        pieces: Option<String>,
    },
    /// Brings further pieces to a game that plays those of another one.
    TetrisDeal {
        /// Which game.
        game: u32,
        /// Their letters.
        pieces: String,
    },
    /// Plays frames with these buttons held; a pilot that flies, or recorded keys, press instead.
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
    /// Plays on without a picture, as a comparison of players does: until so many pieces have come, the game has so many
    /// lines, it is over, or a plan is needed.
    TetrisFly {
        /// Which game; a pilot must fly it.
        game: u32,
        /// Who thinks; nobody stops at every piece for a plan from outside.
        #[serde(default)]
        player: Option<PlayerName>,
        /// Pieces to play at most.
        pieces: u32,
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
    /// Exact scores by search alone, each from an empty table: what measurements compare.
    Scores {
        /// Moves of each position.
        positions: Vec<String>,
        /// How often all of them are solved, so that short times can be measured.
        rounds: u32,
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
    hands: Hands,
}

/// Who holds the buttons of a game.
#[derive(Debug)]
enum Hands {
    /// Whoever asks for frames.
    Person,
    Pilot(Pilot),
    /// The keys of a game that was played before.
    Recorded(std::vec::IntoIter<Buttons>),
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
            Request::TetrisNew { game, choices, keys, pieces } => {
                let session = match pieces {
                    None => Session::new(choices),
                    Some(letters) => Session::dealt(choices, &pieces_of(&letters)?),
                };
                self.begin(game, session.map_err(text)?, keys.as_deref())
            }
            Request::TetrisDeal { game, pieces } => {
                self.seat(game)?.session.deal(&pieces_of(&pieces)?);
                Ok(Value::Null)
            }
            Request::TetrisStep { game, held, frames } => self.step(game, Buttons(held), frames),
            Request::TetrisScene { game, pace_ms } => written(&Scene::of(&self.seat(game)?.session, pace_ms)),
            Request::TetrisThink { scene, player } => written(&think(&scene, player)),
            Request::TetrisPlaces { scene } => written(&crate::tetris::places(&scene)),
            Request::TetrisPilot { game, pace_ms } => {
                let hands = &mut self.seat(game)?.hands;
                match (hands, pace_ms) {
                    (Hands::Pilot(pilot), Some(pace_ms)) => pilot.set_pace(pace_ms),
                    (hands, Some(pace_ms)) => *hands = Hands::Pilot(Pilot::new(pace_ms)),
                    (hands, None) => *hands = Hands::Person,
                }
                Ok(Value::Null)
            }
            Request::TetrisFollow { game, piece, plan } => {
                let seat = self.seat(game)?;
                let fits = seat.session.pieces() == piece;
                if let Hands::Pilot(pilot) = &mut seat.hands
                    && fits
                {
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
            Request::TetrisFly { game, player, pieces, lines } => self.fly(game, player, pieces, lines),
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
            Request::Scores { positions, rounds } => self.scores(&positions, rounds),
            Request::Course { moves } => {
                written(&json!({ "scores": four::course(self.analyst(), &moves, None).map_err(text)? }))
            }
        }
    }

    fn begin(&mut self, game: u32, session: Session, keys: Option<&str>) -> Answered {
        if self.games.len() >= MOST_GAMES && !self.games.contains_key(&game) {
            return Err(format!("{MOST_GAMES} games are open; end one first"));
        }
        let hands = match keys {
            None => Hands::Person,
            Some(keys) => {
                let keys: Vec<_> = KeyLog::parse(keys).map_err(text)?.frames().collect();
                Hands::Recorded(keys.into_iter())
            }
        };
        let view = written(&View::of(&session, &[]));
        self.games.insert(game, Seat { session, hands });
        view
    }

    fn seat(&mut self, game: u32) -> Result<&mut Seat, String> {
        self.games.get_mut(&game).ok_or_else(|| format!("there is no game {game}"))
    }

    fn step(&mut self, game: u32, held: Buttons, frames: u32) -> Answered {
        let Seat { session, hands } = self.seat(game)?;
        let mut happenings: Vec<Happening> = Vec::new();
        let (mut needs_plan, mut ended) = (false, false);
        for _ in 0..frames.min(MOST_FRAMES) {
            let buttons = match hands {
                Hands::Person => held,
                Hands::Pilot(pilot) => match pilot.steer(session) {
                    Steer::Hold(buttons) => buttons,
                    Steer::NeedsPlan => {
                        needs_plan = true;
                        Buttons::NONE
                    }
                },
                Hands::Recorded(keys) => {
                    let Some(buttons) = keys.next() else {
                        ended = true;
                        break;
                    };
                    buttons
                }
            };
            happenings.push(session.step(buttons));
        }
        let mut view = written(&View::of(session, &happenings))?;
        view["needs_plan"] = json!(needs_plan && session.falling().is_some());
        view["ended"] = json!(ended || session.is_over());
        Ok(view)
    }

    fn fly(&mut self, game: u32, player: Option<PlayerName>, pieces: u32, lines: u32) -> Answered {
        let Seat { session, hands: Hands::Pilot(pilot) } = self.seat(game)? else {
            return Err(format!("nobody flies game {game}"));
        };
        let needs_plan = fly(session, pilot, player, pieces.min(MOST_PIECES), lines.min(MOST_LINES));
        let mut view = written(&View::of(session, &[]))?;
        view["needs_plan"] = json!(needs_plan);
        Ok(view)
    }

    fn scores(&mut self, positions: &[String], rounds: u32) -> Answered {
        let positions: Vec<_> =
            positions.iter().map(|moves| four::read(moves)).collect::<Result<_, _>>().map_err(text)?;
        let solver = self.solver.get_or_insert_with(|| Solver::new(TABLE_BYTES));
        let mut scores = Vec::new();
        for _ in 0..rounds {
            scores.clear();
            for position in &positions {
                solver.clear();
                scores.push(solver.score(position, &Budget::unlimited()).map_err(text)?);
            }
        }
        written(&json!({ "scores": scores }))
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

fn pieces_of(letters: &str) -> Result<Vec<tetris::Piece>, String> {
    read_pieces(letters).ok_or_else(|| format!("{letters:?} are no pieces"))
}

fn written(value: &impl Serialize) -> Answered {
    serde_json::to_value(value).map_err(text)
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
