//! The table's behaviour, case by case and at random.

mod line;
mod random;
mod robot;

use super::*;
use crate::cabinets::connect_four::event::{ColumnValue, TableState, Text};
use crate::cabinets::connect_four::event::{ExplainedTurn, Opponent, Refusal, RobotStatus};
use crate::cabinets::connect_four::records::Record;
use crate::cabinets::connect_four::{Colour, EndReason, ResultKind};
use crate::visitor::Name;

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn settings() -> TableSettings {
    TableSettings {
        question_after: s(30),
        drop_after: s(10),
        waiting_question_after: s(60),
        turn_at_most: s(120),
        line_at_most: 3,
        reconnect_within: s(20),
        result_for: s(15),
        robot_patience: s(120),
        robot_faults_at_most: 3,
        demo: true,
        demo_after: s(60),
        demo_pace: Duration::ZERO,
        demo_levels: (Level::Easy, Level::Hard),
    }
}

fn table() -> Table {
    Table::new(settings(), GameNumber(1), Duration::ZERO)
}

/// A visitor's token by one letter: a hexadecimal digit, or `x` for a stranger.
fn token(letter: &str) -> Token {
    Token::parse(&letter.replace('x', "e").repeat(32)).unwrap()
}

fn letter(token: &Token) -> String {
    token.as_str()[..1].replace('e', "x")
}

fn column(number: u8) -> Column {
    Column::new(number).unwrap()
}

fn decision(number: u8) -> Box<ExplainedTurn> {
    Box::new(ExplainedTurn {
        disc: Colour::Yellow,
        level: Level::Hard,
        column: column(number),
        values: connect_four::Values::Points,
        intent: connect_four::Intent::Best,
        columns: Column::ALL
            .map(|column| ColumnValue { column, value: Some(0), outlook: None, full: false })
            .to_vec(),
        line: vec![column(number)],
        nodes: 1,
        think_ms: 1,
        reason: Text::default(),
        remark: None,
        tree: None,
    })
}

/// The events and answers of all effects, in one word each.
fn words(table: &mut Table) -> Vec<String> {
    table.take_effects().iter().filter_map(effect_word).collect()
}

fn effect_word(effect: &Effect) -> Option<String> {
    let kind = |value: serde_json::Value| value["type"].as_str().unwrap_or_default().to_owned();
    match effect {
        Effect::Broadcast(event) => Some(kind(serde_json::to_value(event).unwrap())),
        Effect::Tell(token, answer) => {
            Some(format!("{}:{}", letter(token), kind(serde_json::to_value(answer).unwrap())))
        }
        // Comments change nothing at the table; a test of their own follows them.
        Effect::Think(task) if task.purpose == Purpose::Comment => None,
        Effect::Think(task) => Some(format!("think {}", task.ply)),
        Effect::Robot(task) => {
            Some(format!("robot {task:?}").split([' ', '{']).take(2).collect::<Vec<_>>().join(" "))
        }
        Effect::Store(_) => None,
    }
}

fn human_game(table: &mut Table) {
    table.signup(&token("a"), "Ada", Opponent::Human, ToWaiting::Ask, s(1));
    table.signup(&token("b"), "Bob", Opponent::Human, ToWaiting::Ask, s(2));
    table.take_effects();
}

#[test]
fn two_visitors_meet_and_play_to_the_end() {
    let mut table = table();
    table.signup(&token("a"), "Ada", Opponent::Human, ToWaiting::Ask, s(1));
    assert_eq!(words(&mut table), ["a:NAME_VALID", "GAME_SIGNUP", "QUEUE", "a:QUEUED"]);
    table.signup(&token("b"), "Bob", Opponent::Human, ToWaiting::Ask, s(2));
    assert_eq!(words(&mut table), ["b:NAME_VALID", "GAME_START", "QUEUE"]);
    for (turn, number) in [1, 2, 1, 2, 1, 2].into_iter().enumerate() {
        table.turn(&token(if turn % 2 == 0 { "a" } else { "b" }), column(number), s(3));
        assert_eq!(words(&mut table), ["TURN"]);
    }
    table.turn(&token("a"), column(1), s(4));
    assert_eq!(words(&mut table), ["TURN", "GAME_OVER"]);
    let view = table.game_view(s(0)).unwrap();
    assert_eq!((view.result, view.winner, view.cells.len()), (Some(ResultKind::Won), Some(Colour::Red), 4));
}

/// Nobody's turn is made by a comment, and one that comes too late is dropped (C9).
#[test]
fn the_machine_comments_on_a_game_between_people() {
    let mut table = table();
    human_game(&mut table);
    table.turn(&token("a"), column(3), s(3));
    let asked: Vec<(u32, Purpose)> = table
        .take_effects()
        .into_iter()
        .filter_map(|effect| match effect {
            Effect::Think(task) => Some((task.ply, task.purpose)),
            _ => None,
        })
        .collect();
    assert_eq!(asked, [(2, Purpose::Comment)]);
    let game = table.game_view(s(3)).unwrap().game;
    table.decided(game, 2, decision(4), s(3));
    assert_eq!(words(&mut table), ["COMMENT"]);
    assert_eq!(table.game_view(s(3)).unwrap().moves, [column(3)]);
    table.turn(&token("b"), column(4), s(4));
    table.take_effects();
    table.decided(game, 2, decision(4), s(4));
    assert_eq!(words(&mut table), Vec::<String>::new());
}

#[test]
fn all_four_answers_to_a_name() {
    let mut table = table();
    table.signup(&token("x"), "<b>", Opponent::Human, ToWaiting::Ask, s(1));
    assert_eq!(words(&mut table), ["x:NAME_INVALID"]);
    table.signup(&token("a"), "Ada", Opponent::Human, ToWaiting::Ask, s(1));
    table.take_effects();
    table.signup(&token("b"), "ada", Opponent::Human, ToWaiting::Ask, s(1));
    assert_eq!(words(&mut table), ["b:NAME_TAKEN"]);
    table.signup(&token("b"), "Bob", Opponent::Machine(Level::Hard), ToWaiting::Ask, s(1));
    assert_eq!(words(&mut table), ["b:NO_VIRTUAL"]);
    table.signup(&token("b"), "Bob", Opponent::Machine(Level::Hard), ToWaiting::Accept, s(1));
    assert_eq!(words(&mut table), ["b:NAME_VALID", "GAME_START", "QUEUE"]);
    table.signup(&token("b"), "Bert", Opponent::Human, ToWaiting::Ask, s(1));
    assert_eq!(words(&mut table), ["b:TABLE_BUSY"], "one seat each");
}

#[test]
fn wrong_turns_are_refused_with_their_reason() {
    let mut table = table();
    let code = |table: &mut Table| match table.take_effects().as_slice() {
        [Effect::Tell(_, Answer::Refused { code, .. })] => *code,
        other => panic!("{other:?}"),
    };
    table.turn(&token("a"), column(1), s(1));
    assert_eq!(code(&mut table), Refusal::NoGame);
    human_game(&mut table);
    table.turn(&token("x"), column(1), s(3));
    assert_eq!(code(&mut table), Refusal::NotSeated);
    table.turn(&token("b"), column(1), s(3));
    assert_eq!(code(&mut table), Refusal::NotYourTurn);
    for turn in 0..6 {
        table.turn(&token(if turn % 2 == 0 { "a" } else { "b" }), column(1), s(3));
    }
    table.take_effects();
    table.turn(&token("a"), column(1), s(3));
    assert_eq!(code(&mut table), Refusal::ColumnFull);
}

#[test]
fn the_machine_answers_and_shows_its_thought_first() {
    let mut table = table();
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Hard), ToWaiting::Ask, s(1));
    table.take_effects();
    table.turn(&token("a"), column(4), s(2));
    assert_eq!(words(&mut table), ["TURN", "think 2"]);
    table.decided(GameNumber(1), 2, decision(3), s(3));
    assert_eq!(words(&mut table), ["TURN_TREE", "TURN"]);
    // An answer to another game, or too late, is nothing.
    table.decided(GameNumber(9), 3, decision(3), s(3));
    table.decided(GameNumber(1), 2, decision(3), s(3));
    assert_eq!(words(&mut table), Vec::<String>::new());
}

#[test]
fn a_quiet_player_is_asked_and_then_dropped() {
    let mut table = table();
    human_game(&mut table);
    table.tick(s(31));
    assert_eq!(words(&mut table), Vec::<String>::new());
    table.tick(s(32));
    table.tick(s(33));
    assert_eq!(words(&mut table), ["a:INACTIVITY"], "asked once");
    assert_eq!(table.question_s(&token("a"), s(35)), Some(7));
    table.stay(&token("a"), s(36));
    table.tick(s(65));
    assert_eq!(words(&mut table), Vec::<String>::new(), "the answer starts the clock again");
    table.tick(s(66));
    table.tick(s(76));
    assert_eq!(words(&mut table), ["a:INACTIVITY", "GAME_OVER"]);
    assert_eq!(table.game_view(s(0)).unwrap().reason, Some(EndReason::Inactive));
}

#[test]
fn leaving_gives_the_game_to_the_other() {
    let mut table = table();
    human_game(&mut table);
    table.leave(&token("a"), s(3));
    assert_eq!(words(&mut table), ["GAME_OVER"]);
    assert_eq!(table.game_view(s(0)).unwrap().winner, Some(Colour::Yellow));
    assert_eq!(table.seat(&token("a")), None);
    table.leave(&token("b"), s(4));
    assert_eq!(words(&mut table), ["TABLE_FREE"]);
    assert_eq!(table.state(), TableState::Free);
}

#[test]
fn a_lost_connection_keeps_the_seat_for_a_while() {
    let mut table = table();
    human_game(&mut table);
    table.disconnected(&token("a"), s(5));
    table.tick(s(24));
    table.connected(&token("a"), s(26));
    table.tick(s(26));
    assert_eq!(words(&mut table), Vec::<String>::new());
    table.disconnected(&token("a"), s(27));
    table.stay(&token("a"), s(27));
    table.tick(s(47));
    assert_eq!(words(&mut table), ["GAME_OVER"]);
    table.disconnected(&token("b"), s(48));
    table.tick(s(68));
    assert_eq!(words(&mut table), ["TABLE_FREE"]);
}

#[test]
fn a_rematch_exchanges_the_colours() {
    let mut table = table();
    human_game(&mut table);
    table.leave(&token("x"), s(3));
    assert_eq!(words(&mut table), ["x:REFUSED"]);
    table.tick(s(42));
    table.take_effects();
    table.rematch(&token("a"), s(43));
    assert_eq!(words(&mut table), ["b:REMATCH_OFFER"]);
    table.rematch(&token("b"), s(44));
    assert_eq!(words(&mut table), ["GAME_START"]);
    assert_eq!(table.seat(&token("b")).unwrap().disc, Colour::Red);
}

#[test]
fn a_demo_begins_when_it_is_quiet_and_ends_for_a_visitor() {
    let mut table = table();
    table.robot_changed(RobotStatus::Ready, None, s(0));
    table.tick(s(59));
    assert_eq!(words(&mut table), Vec::<String>::new());
    table.tick(s(60));
    assert_eq!(words(&mut table), ["GAME_START", "robot NewGame", "think 1"]);
    assert!(table.game_view(s(0)).unwrap().demo);
    table.robot_done(s(61));
    table.decided(GameNumber(1), 1, decision(4), s(61));
    assert_eq!(words(&mut table), ["TURN_TREE", "TURN", "robot Drop", "think 2"]);
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Easy), ToWaiting::Ask, s(62));
    assert_eq!(
        words(&mut table),
        ["a:NAME_VALID", "GAME_ENDED", "TABLE_FREE", "robot NewGame", "GAME_START"]
    );
    // The arm finishes its disc and empties the board; then it is the visitor's turn.
    table.robot_done(s(63));
    table.robot_done(s(64));
    table.turn(&token("a"), column(1), s(65));
    assert_eq!(words(&mut table), ["TURN", "robot Drop", "think 2"]);
}

#[test]
fn an_interrupted_game_goes_on_after_a_restart() {
    let mut table = table();
    let ada = Seated::Human { token: token("a"), name: Name::new("Ada").unwrap() };
    assert!(table.resume(GameNumber(7), ada, Seated::Machine(Level::Hard), &[column(4)], s(0)));
    assert_eq!(words(&mut table), ["think 2"]);
    table.connected(&token("a"), s(26));
    assert_eq!(table.seat(&token("a")).unwrap().disc, Colour::Red);
    table.decided(GameNumber(7), 2, decision(4), s(1));
    assert_eq!(words(&mut table), ["TURN_TREE", "TURN"]);

    let mut deserted = Table::new(settings(), GameNumber(8), s(0));
    let ada = Seated::Human { token: token("a"), name: Name::new("Ada").unwrap() };
    assert!(deserted.resume(GameNumber(7), ada, Seated::Machine(Level::Hard), &[], s(0)));
    deserted.tick(s(20));
    assert_eq!(words(&mut deserted), ["GAME_OVER", "TABLE_FREE"]);
}

/// Saying "still there" does not hold the table for ever.
#[test]
fn a_turn_ends_however_often_the_player_stays() {
    let mut table = table();
    human_game(&mut table);
    for second in (10..120).step_by(10) {
        table.stay(&token("a"), s(second));
        table.tick(s(second));
    }
    assert_eq!(words(&mut table), Vec::<String>::new());
    table.tick(s(122));
    assert_eq!(words(&mut table), ["GAME_OVER"]);
}
