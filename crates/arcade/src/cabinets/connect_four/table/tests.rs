//! The table's behaviour, case by case and at random.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;
use crate::cabinets::connect_four::ResultKind;
use crate::cabinets::connect_four::event::{ColumnValue, TableState, Text};

const fn s(seconds: u64) -> Duration {
    Duration::from_secs(seconds)
}

fn settings() -> TableSettings {
    TableSettings {
        question_after: s(30),
        drop_after: s(10),
        reconnect_within: s(20),
        result_for: s(15),
        robot_patience: s(120),
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
        value: 0,
        columns: Column::ALL.map(|column| ColumnValue { column, value: Some(0) }).to_vec(),
        line: vec![column(number)],
        nodes: 1,
        think_ms: 1,
        reason: Text::default(),
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
        Effect::Think(thought) => Some(format!("think {}", thought.ply)),
        Effect::Robot(task) => {
            Some(format!("robot {task:?}").split([' ', '{']).take(2).collect::<Vec<_>>().join(" "))
        }
        Effect::Store(_) => None,
    }
}

fn human_game(table: &mut Table) {
    table.signup(&token("a"), "Ada", Opponent::Human, false, s(1));
    table.signup(&token("b"), "Bob", Opponent::Human, false, s(2));
    table.take_effects();
}

#[test]
fn two_visitors_meet_and_play_to_the_end() {
    let mut table = table();
    table.signup(&token("a"), "Ada", Opponent::Human, false, s(1));
    assert_eq!(words(&mut table), ["a:NAME_VALID", "GAME_SIGNUP"]);
    table.signup(&token("b"), "Bob", Opponent::Human, false, s(2));
    assert_eq!(words(&mut table), ["b:NAME_VALID", "GAME_START"]);
    for (turn, number) in [1, 2, 1, 2, 1, 2].into_iter().enumerate() {
        table.turn(&token(if turn % 2 == 0 { "a" } else { "b" }), column(number), s(3));
        assert_eq!(words(&mut table), ["TURN"]);
    }
    table.turn(&token("a"), column(1), s(4));
    assert_eq!(words(&mut table), ["TURN", "GAME_OVER"]);
    let view = table.game_view().unwrap();
    assert_eq!((view.result, view.winner, view.cells.len()), (Some(ResultKind::Won), Some(Colour::Red), 4));
}

#[test]
fn all_four_answers_to_a_name() {
    let mut table = table();
    table.signup(&token("x"), "<b>", Opponent::Human, false, s(1));
    assert_eq!(words(&mut table), ["x:NAME_INVALID"]);
    table.signup(&token("a"), "Ada", Opponent::Human, false, s(1));
    table.take_effects();
    table.signup(&token("b"), "ada", Opponent::Human, false, s(1));
    assert_eq!(words(&mut table), ["b:NAME_TAKEN"]);
    table.signup(&token("b"), "Bob", Opponent::Machine(Level::Hard), false, s(1));
    assert_eq!(words(&mut table), ["b:NO_VIRTUAL"]);
    table.signup(&token("b"), "Bob", Opponent::Machine(Level::Hard), true, s(1));
    assert_eq!(words(&mut table), ["b:NAME_VALID", "GAME_START"]);
    table.signup(&token("c"), "Cid", Opponent::Human, false, s(1));
    assert_eq!(words(&mut table), ["c:TABLE_BUSY"]);
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
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Hard), false, s(1));
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
fn nobody_moves_while_the_robot_does() {
    let mut table = table();
    table.robot_changed(RobotStatus::Ready, None, s(0));
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Hard), false, s(1));
    assert_eq!(words(&mut table), ["a:NAME_VALID", "GAME_START", "robot NewGame"]);
    table.turn(&token("a"), column(4), s(1));
    assert_eq!(words(&mut table), ["a:REFUSED"]);
    table.robot_done(s(5));
    table.turn(&token("a"), column(4), s(6));
    assert_eq!(words(&mut table), ["TURN", "robot Drop", "think 2"]);
    table.decided(GameNumber(1), 2, decision(3), s(6));
    assert_eq!(words(&mut table), ["TURN_TREE"], "the machine waits for the arm");
    table.robot_done(s(9));
    assert_eq!(words(&mut table), ["TURN", "robot Drop"]);
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
    assert_eq!(table.game_view().unwrap().reason, Some(EndReason::Inactive));
}

#[test]
fn leaving_gives_the_game_to_the_other() {
    let mut table = table();
    human_game(&mut table);
    table.leave(&token("a"), s(3));
    assert_eq!(words(&mut table), ["GAME_OVER"]);
    assert_eq!(table.game_view().unwrap().winner, Some(Colour::Yellow));
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
    table.connected(&token("a"));
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
    assert!(table.game_view().unwrap().demo);
    table.robot_done(s(61));
    table.decided(GameNumber(1), 1, decision(4), s(61));
    assert_eq!(words(&mut table), ["TURN_TREE", "TURN", "robot Drop", "think 2"]);
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Easy), false, s(62));
    assert_eq!(
        words(&mut table),
        ["GAME_ENDED", "TABLE_FREE", "robot NewGame", "a:NAME_VALID", "GAME_START"]
    );
    // The arm finishes its disc and empties the board; then it is the visitor's turn.
    table.robot_done(s(63));
    table.robot_done(s(64));
    table.turn(&token("a"), column(1), s(65));
    assert_eq!(words(&mut table), ["TURN", "robot Drop", "think 2"]);
}

#[test]
fn a_robot_fault_pauses_the_game_and_ends_it_at_last() {
    let mut table = table();
    table.robot_changed(RobotStatus::Ready, None, s(0));
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Easy), false, s(1));
    table.robot_done(s(2));
    table.take_effects();
    table.robot_changed(RobotStatus::Lost, Some("unplugged"), s(10));
    assert!(matches!(
        table.take_effects().as_slice(),
        [Effect::Store(Record::Fault { game: GameNumber(1), .. })]
    ));
    table.turn(&token("a"), column(1), s(11));
    assert_eq!(words(&mut table), ["a:REFUSED"]);
    table.tick(s(60));
    assert_eq!(words(&mut table), Vec::<String>::new(), "nobody is asked meanwhile");
    table.robot_changed(RobotStatus::Ready, None, s(61));
    table.turn(&token("a"), column(1), s(62));
    assert_eq!(words(&mut table), ["TURN", "robot Drop", "think 2"]);
    table.robot_changed(RobotStatus::Error, Some("jammed"), s(63));
    table.tick(s(183));
    assert_eq!(words(&mut table), ["GAME_ENDED"]);
    table.tick(s(198));
    assert_eq!(words(&mut table), ["TABLE_FREE", "robot NewGame"]);
    // The next game waits for the robot from its own beginning.
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Easy), false, s(199));
    table.take_effects();
    table.tick(s(200));
    assert_eq!(words(&mut table), Vec::<String>::new());
}

#[test]
fn an_interrupted_game_goes_on_after_a_restart() {
    let mut table = table();
    let ada = Seated::Human { token: token("a"), name: Name::new("Ada").unwrap() };
    table.resume(GameNumber(7), ada, Seated::Machine(Level::Hard), &[column(4)], s(0));
    assert_eq!(words(&mut table), ["think 2"]);
    table.connected(&token("a"));
    assert_eq!(table.seat(&token("a")).unwrap().disc, Colour::Red);
    table.decided(GameNumber(7), 2, decision(4), s(1));
    assert_eq!(words(&mut table), ["TURN_TREE", "TURN"]);

    let mut deserted = Table::new(settings(), GameNumber(8), s(0));
    let ada = Seated::Human { token: token("a"), name: Name::new("Ada").unwrap() };
    deserted.resume(GameNumber(7), ada, Seated::Machine(Level::Hard), &[], s(0));
    deserted.tick(s(20));
    assert_eq!(words(&mut deserted), ["GAME_OVER", "TABLE_FREE"]);
}

/// Anything that can happen at a table.
#[derive(Clone, Debug)]
enum Happening {
    Signup(u8, u8, bool, bool),
    Turn(u8, u8),
    Leave(u8),
    Stay(u8),
    Rematch(u8),
    Connected(u8),
    Disconnected(u8),
    Decide(u8),
    RobotDone,
    Robot(u8),
    Operator,
    Wait(u64),
}

fn happening() -> impl Strategy<Value = Happening> {
    let visitor = 0u8..4;
    prop_oneof![
        1 => (visitor.clone(), 0u8..4, any::<bool>(), any::<bool>()).prop_map(|(v, n, h, a)| Happening::Signup(v, n, h, a)),
        8 => (visitor.clone(), 1u8..=7).prop_map(|(v, c)| Happening::Turn(v, c)),
        1 => visitor.clone().prop_map(Happening::Leave),
        1 => visitor.clone().prop_map(Happening::Stay),
        1 => visitor.clone().prop_map(Happening::Rematch),
        1 => visitor.clone().prop_map(Happening::Connected),
        1 => visitor.prop_map(Happening::Disconnected),
        8 => (1u8..=7).prop_map(Happening::Decide),
        8 => Just(Happening::RobotDone),
        1 => (0u8..4).prop_map(Happening::Robot),
        1 => Just(Happening::Operator),
        4 => (0u64..20).prop_map(Happening::Wait),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever happens: games are stored whole and legal, events tell the
    /// same story as the storage, and the robot gets every disc once.
    #[test]
    fn every_story_is_legal(story in prop::collection::vec(happening(), 1..200)) {
        let mut table = table();
        let mut now = s(0);
        let mut thoughts: Vec<ThinkTask> = Vec::new();
        let mut open: Option<(GameNumber, Position)> = None;
        let mut ended = BTreeSet::new();
        let mut robot_tasks = 0usize;
        table.robot_changed(RobotStatus::Ready, None, now);
        for happening in story {
            let token = |visitor: u8| token(&visitor.to_string());
            match happening {
                Happening::Signup(v, n, human, accept) => {
                    let opponent = if human { Opponent::Human } else { Opponent::Machine(Level::Easy) };
                    table.signup(&token(v), &format!("Name{n}"), opponent, accept, now);
                }
                Happening::Turn(v, c) => table.turn(&token(v), column(c), now),
                Happening::Leave(v) => table.leave(&token(v), now),
                Happening::Stay(v) => table.stay(&token(v), now),
                Happening::Rematch(v) => table.rematch(&token(v), now),
                Happening::Connected(v) => table.connected(&token(v)),
                Happening::Disconnected(v) => table.disconnected(&token(v), now),
                Happening::Decide(c) => {
                    if let Some(thought) = thoughts.pop() {
                        table.decided(thought.game, thought.ply, decision(c), now);
                    }
                }
                Happening::RobotDone => {
                    if robot_tasks > 0 {
                        robot_tasks -= 1;
                        table.robot_done(now);
                    }
                }
                Happening::Robot(status) => {
                    let status = [RobotStatus::Ready, RobotStatus::Busy, RobotStatus::Error, RobotStatus::Lost][status as usize];
                    table.robot_changed(status, Some("fault"), now);
                }
                Happening::Operator => drop(table.end_by_operator(now)),
                Happening::Wait(seconds) => {
                    now += s(seconds);
                    table.tick(now);
                }
            }
            for effect in table.take_effects() {
                match effect {
                    Effect::Store(Record::Started { game, .. }) => {
                        prop_assert!(open.is_none(), "one game at a time");
                        open = Some((game, Position::EMPTY));
                    }
                    Effect::Store(Record::Turn { game, ply, column, .. }) => {
                        let (number, position) = open.as_mut().unwrap();
                        prop_assert_eq!(game, *number);
                        prop_assert_eq!(ply, position.discs() + 1);
                        *position = position.play(column).unwrap();
                    }
                    Effect::Store(Record::Ended { game, result, .. }) => {
                        let (number, position) = open.take().unwrap();
                        prop_assert_eq!(game, number);
                        prop_assert!(ended.insert(game), "ended once");
                        prop_assert!(result != ResultKind::Draw || position.outcome() == connect_four::Outcome::Draw);
                    }
                    Effect::Store(Record::Fault { game, .. }) => prop_assert_eq!(Some(game), open.map(|(game, _)| game)),
                    Effect::Robot(task) => {
                        if matches!(task, RobotTask::Drop { .. }) {
                            prop_assert_eq!(robot_tasks, 0, "the arm does one disc at a time");
                        }
                        robot_tasks += 1;
                    }
                    Effect::Think(thought) => thoughts.push(thought),
                    Effect::Broadcast(Event::GameStart { game, .. }) => prop_assert_eq!(Some(game), open.map(|(game, _)| game)),
                    Effect::Broadcast(_) | Effect::Tell(..) => {}
                }
            }
            prop_assert_eq!(table.state() == TableState::Playing, open.is_some());
        }
    }
}
