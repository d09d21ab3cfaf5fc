//! The events between the table's pages and the server; `docs/events.md` describes them for whoever writes another front
//! end (C7).

use connect_four::exhibition::Known;
use connect_four::{Cell, Column, Intent, Level, Outlook, Values};
use serde::{Deserialize, Serialize};

use super::outcome::{EndReason, ResultKind};
use super::{Colour, GameNumber};
use crate::visitor::{Name, Token};

/// The levels a visitor can choose, weakest first (C5, X4).
pub const OFFERED: [Level; 5] = [Level::Easy, Level::Medium, Level::Hard, Level::Perfect, Level::Adaptive];

/// The offered level of this name.
pub fn offered(name: &str) -> Option<Level> {
    OFFERED.into_iter().find(|level| level.name() == name)
}

/// Whom a visitor wants to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Opponent {
    /// Another visitor.
    Human,
    /// The machine.
    Machine(Level),
}

impl<'de> Deserialize<'de> for Opponent {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = String::deserialize(deserializer)?;
        if word == "human" {
            return Ok(Opponent::Human);
        }
        offered(&word).map(Opponent::Machine).ok_or_else(|| {
            serde::de::Error::unknown_variant(
                &word,
                &["human", "easy", "medium", "hard", "perfect", "adaptive"],
            )
        })
    }
}

/// What a page wishes.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE", deny_unknown_fields)]
#[expect(missing_docs, reason = "docs/events.md")]
pub enum Wish {
    Hello {
        #[serde(default)]
        token: Option<String>,
        #[serde(default)]
        watch: bool,
    },
    GameSignup {
        name: String,
        opponent: Opponent,
        #[serde(default)]
        accept: bool,
        #[serde(default)]
        insist: bool,
    },
    Turn {
        column: Column,
    },
    Leave {},
    Stay {},
    Rematch {},
    WithoutRobot {},
}

/// An answer to one page alone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "docs/events.md")]
pub enum Answer {
    Welcome(Box<Welcome>),
    NameValid {
        name: Name,
    },
    NameInvalid,
    NameTaken,
    NoVirtual {
        waiting: Name,
    },
    TableBusy,
    Queued {
        #[serde(flatten)]
        place: Place,
    },
    Dropped,
    Refused {
        code: Refusal,
        text: String,
    },
    Inactivity {
        seconds: u64,
    },
    RematchOffer {
        name: String,
    },
}

/// The first thing that a page hears.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Welcome {
    pub token: Token,
    pub state: State,
    pub seat: Option<Seat>,
    pub waiting: bool,
    pub place: Option<Place>,
    pub question_s: Option<u64>,
}

/// Why a wish is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "docs/events.md")]
pub enum Refusal {
    NotYourTurn,
    ColumnFull,
    NoGame,
    RobotBusy,
    RobotFault,
    RobotWorks,
    OthersWait,
    NotSeated,
    TooFast,
    TooManyGames,
    Malformed,
    HallFull,
    TooLarge,
}

impl Refusal {
    /// What it means, in a sentence for whoever writes a page.
    pub const fn text(self) -> &'static str {
        match self {
            Refusal::NotYourTurn => "it is not your turn",
            Refusal::ColumnFull => "this column is full",
            Refusal::NoGame => "there is no game under way",
            Refusal::RobotBusy => "the robot is still moving",
            Refusal::RobotFault => "the robot needs help; the game goes on when it is back",
            Refusal::RobotWorks => "the robot works; there is no need to go on without it",
            Refusal::OthersWait => "others wait for the table",
            Refusal::NotSeated => "you have no seat at the table",
            Refusal::TooFast => "too many events; slow down",
            Refusal::TooManyGames => "too many games were begun here; wait a minute",
            Refusal::Malformed => "this is not an event of docs/events.md",
            Refusal::HallFull => "the hall is full",
            Refusal::TooLarge => "an event has at most 4 KiB",
        }
    }

    /// The answer that says so.
    pub fn answer(self) -> Answer {
        Answer::Refused { code: self, text: self.text().to_owned() }
    }
}

/// A place in line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Place {
    pub name: Name,
    pub position: usize,
    pub wait_s: Option<u64>,
}

/// A seat at the table.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Seat {
    pub disc: Colour,
    pub name: String,
}

/// One side of a game as pages show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Side {
    pub name: String,
    pub level: Option<Level>,
}

/// An event for everyone.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "SCREAMING_SNAKE_CASE")]
#[expect(missing_docs, reason = "docs/events.md")]
pub enum Event {
    GameSignup {
        name: Name,
    },
    GameStart {
        game: GameNumber,
        red: Side,
        yellow: Side,
        demo: bool,
    },
    Turn {
        game: GameNumber,
        ply: u32,
        disc: Colour,
        column: Column,
        row: u8,
        next: Option<Colour>,
        think_ms: Option<u64>,
        reason: Option<Text>,
    },
    Comment {
        game: GameNumber,
        ply: u32,
        decision: Box<ExplainedTurn>,
    },
    TurnTree {
        game: GameNumber,
        ply: u32,
        decision: Box<ExplainedTurn>,
    },
    GameOver {
        game: GameNumber,
        winner: Colour,
        name: String,
        cells: Vec<Cell>,
        reason: EndReason,
        free_in_s: u64,
    },
    GameDraw {
        game: GameNumber,
        free_in_s: u64,
    },
    GameEnded {
        game: GameNumber,
        reason: EndReason,
        free_in_s: u64,
    },
    WithoutRobot {
        game: GameNumber,
    },
    Queue {
        length: usize,
        waiting: Option<Name>,
    },
    Recording {
        recorded: bool,
    },
    Watching {
        watchers: usize,
    },
    TableFree,
    VisitorLeft {
        name: Name,
    },
    Robot {
        robot: RobotView,
    },
    Settings {
        demo: bool,
        levels: Vec<Level>,
        language: String,
        address: String,
    },
    Statistics {
        statistics: Statistics,
    },
}

/// An event with its number.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Numbered<'a> {
    pub seq: u64,
    #[serde(flatten)]
    pub event: &'a Event,
}

/// The whole state, for a page that has just come.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct State {
    pub seq: u64,
    pub table: TableState,
    pub waiting: Option<Name>,
    pub queue: usize,
    pub watchers: usize,
    pub recorded: bool,
    pub game: Option<GameView>,
    pub robot: RobotView,
    pub levels: Vec<Level>,
    pub language: String,
    pub demo: bool,
    pub statistics: Statistics,
    pub address: String,
}

/// How the table is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "docs/events.md")]
pub enum TableState {
    Free,
    Waiting,
    Playing,
    Finished,
}

/// A game as pages show it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct GameView {
    pub game: GameNumber,
    pub red: Side,
    pub yellow: Side,
    pub demo: bool,
    pub moves: Vec<Column>,
    pub next: Option<Colour>,
    pub result: Option<ResultKind>,
    pub winner: Option<Colour>,
    pub cells: Vec<Cell>,
    pub reason: Option<EndReason>,
    pub without_robot: bool,
    pub free_in_s: Option<u64>,
    pub why: Option<Why>,
}

/// Why the machine played its last turn, for the phone of its opponent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Why {
    pub disc: Colour,
    pub column: Column,
    pub reason: Text,
}

/// What the robot does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[expect(missing_docs, reason = "docs/events.md")]
pub enum RobotStatus {
    Off,
    Ready,
    Busy,
    Error,
    Lost,
}

/// The robot as pages show it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct RobotView {
    pub status: RobotStatus,
    pub kind: &'static str,
    pub since_ms: u64,
    pub text: Option<String>,
    /// What it asks people to do.
    pub asks: Option<Text>,
}

/// A day's figures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Statistics {
    pub games: u64,
    pub visitors_won: u64,
    pub machine_won: u64,
    pub draws: u64,
    pub between_visitors: u64,
    pub unfinished: u64,
    pub discs: u64,
}

/// A machine's turn with everything that the watch page shows (C9).
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct ExplainedTurn {
    pub disc: Colour,
    pub level: Level,
    pub column: Column,
    pub values: Values,
    pub intent: Intent,
    pub columns: Vec<ColumnValue>,
    pub line: Vec<Column>,
    pub nodes: u64,
    pub think_ms: u64,
    pub reason: Text,
    pub remark: Option<Text>,
    pub tree: Option<Tree>,
}

/// What a column is worth to the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct ColumnValue {
    pub column: Column,
    pub value: Option<i32>,
    pub outlook: Option<Outlook>,
    pub full: bool,
}

/// Words in both languages.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(missing_docs, reason = "languages")]
pub struct Text {
    pub en: String,
    pub de: String,
}

/// A node of the search tree.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[expect(missing_docs, reason = "docs/events.md")]
pub struct Tree {
    pub column: Option<Column>,
    pub disc: Option<Colour>,
    pub value: Option<i32>,
    pub outlook: Option<Outlook>,
    pub known: Known,
    pub chosen: bool,
    pub cut: bool,
    pub children: Vec<Tree>,
}

/// Reads what a page sent.
pub fn parse(text: &str) -> Result<Wish, Refusal> {
    serde_json::from_str(text).map_err(|_| Refusal::Malformed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn wishes_are_read() {
        let hello = parse(r#"{"type":"HELLO","token":null,"watch":true}"#);
        assert_eq!(hello, Ok(Wish::Hello { token: None, watch: true }));
        let signup = parse(r#"{"type":"GAME_SIGNUP","name":"Ada","opponent":"hard"}"#);
        let opponent = Opponent::Machine(Level::Hard);
        assert_eq!(
            signup,
            Ok(Wish::GameSignup { name: "Ada".into(), opponent, accept: false, insist: false })
        );
        assert_eq!(parse(r#"{"type":"TURN","column":7}"#), Ok(Wish::Turn { column: Column::ALL[6] }));
        assert_eq!(parse(r#"{"type":"LEAVE"}"#), Ok(Wish::Leave {}));
    }

    #[test]
    fn anything_else_is_refused() {
        for junk in [
            "",
            "null",
            "{}",
            r#"{"type":"TURN","column":8}"#,
            r#"{"type":"TURN","column":0}"#,
            r#"{"type":"TURN","column":"4"}"#,
            r#"{"type":"TURN","column":4,"disc":"red"}"#,
            r#"{"type":"GAME_SIGNUP","name":"Ada","opponent":"godlike"}"#,
            r#"{"type":"GAME_OVER","game":1}"#,
            r#"{"type":"LEAVE","x":1}"#,
        ] {
            assert_eq!(parse(junk), Err(Refusal::Malformed), "{junk}");
        }
    }

    #[test]
    fn events_have_their_documented_shape() {
        let event = Event::Turn {
            game: GameNumber(3),
            ply: 1,
            disc: Colour::Red,
            column: Column::ALL[3],
            row: 1,
            next: Some(Colour::Yellow),
            think_ms: None,
            reason: None,
        };
        let json = serde_json::to_string(&Numbered { seq: 9, event: &event }).unwrap();
        assert_eq!(
            json,
            r#"{"seq":9,"type":"TURN","game":3,"ply":1,"disc":"red","column":4,"row":1,"next":"yellow","think_ms":null,"reason":null}"#
        );
    }

    proptest! {
        #[test]
        fn no_text_breaks_the_parser(text in ".{0,200}") {
            let _ = parse(&text);
        }

        #[test]
        fn no_json_breaks_the_parser(kind in "[A-Z_]{0,12}", name in ".*", column: i64, accept: bool) {
            let json = serde_json::json!({"type": kind, "name": name, "opponent": name, "column": column, "accept": accept});
            let _ = parse(&json.to_string());
        }
    }
}
