//! The table's behaviour, case by case and at random.

use std::collections::BTreeSet;

use proptest::prelude::*;

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
fn nobody_moves_while_the_robot_does() {
    let mut table = table();
    table.robot_changed(RobotStatus::Ready, None, s(0));
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Hard), ToWaiting::Ask, s(1));
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
fn a_robot_fault_pauses_the_game_and_ends_it_at_last() {
    let mut table = table();
    table.robot_changed(RobotStatus::Ready, None, s(0));
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Easy), ToWaiting::Ask, s(1));
    table.robot_done(s(2));
    table.take_effects();
    table.robot_changed(RobotStatus::Lost, Some("unplugged"), s(10));
    assert!(matches!(
        table.take_effects().as_slice(),
        [Effect::Store(Record::Fault { game: GameNumber(1), .. })]
    ));
    table.turn(&token("a"), column(1), s(11));
    assert_eq!(words(&mut table), ["a:REFUSED"]);
    table.tick(s(32));
    assert_eq!(words(&mut table), ["a:INACTIVITY"], "whoever waits for the robot may have gone");
    table.stay(&token("a"), s(33));
    table.robot_changed(RobotStatus::Ready, None, s(61));
    table.turn(&token("a"), column(1), s(62));
    assert_eq!(words(&mut table), ["TURN", "robot Drop", "think 2"]);
    table.robot_changed(RobotStatus::Error, Some("jammed"), s(63));
    table.tick(s(181));
    assert_eq!(words(&mut table), Vec::<String>::new());
    table.tick(s(182));
    assert_eq!(words(&mut table), ["GAME_ENDED"], "two minutes after the disc was begun");
    table.tick(s(198));
    assert_eq!(words(&mut table), ["TABLE_FREE", "robot NewGame"]);
    // The next game waits for the robot from its own beginning.
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Easy), ToWaiting::Ask, s(199));
    table.take_effects();
    table.tick(s(200));
    assert_eq!(words(&mut table), Vec::<String>::new());
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

/// 13.6: first come, first served; the place is kept over a lost connection; the line goes before rematches.
#[test]
fn the_line_is_kept_by_the_table() {
    let mut table = table();
    let machine = Opponent::Machine(Level::Easy);
    for (letter, name) in [("a", "Ada"), ("b", "Bob"), ("c", "Cid"), ("d", "Dan")] {
        table.signup(&token(letter), name, machine, ToWaiting::Ask, s(1));
    }
    table.signup(&token("f"), "Fay", machine, ToWaiting::Ask, s(1));
    let told = words(&mut table);
    assert_eq!(told.last().unwrap(), "f:TABLE_BUSY", "three may wait");
    let place = |table: &Table, letter| table.place(&token(letter), s(2)).map(|place| place.position);
    assert_eq!(["a", "b", "c", "d"].map(|letter| place(&table, letter)), [None, Some(1), Some(2), Some(3)]);
    let wait = |table: &Table, letter| table.place(&token(letter), s(2)).unwrap().wait_s.unwrap();
    assert!(wait(&table, "b") < wait(&table, "c") && wait(&table, "c") < wait(&table, "d"));

    table.disconnected(&token("b"), s(3));
    table.leave(&token("a"), s(4));
    assert_eq!(table.seat(&token("c")).unwrap().name, "Cid", "whoever is away is passed over …");
    assert_eq!(place(&table, "b"), Some(1), "… and keeps the place");
    table.connected(&token("b"), s(5));
    table.leave(&token("c"), s(6));
    assert_eq!(table.seat(&token("b")).unwrap().name, "Bob");
    table.take_effects();
    table.tick(s(37));
    assert_eq!(words(&mut table), ["b:INACTIVITY"]);
    for number in [1, 2, 1, 2, 1, 2, 1] {
        let (game, ply) = (GameNumber(3), table.game_view(s(40)).unwrap().moves.len() as u32 + 1);
        if ply % 2 == 1 {
            table.turn(&token("b"), column(number), s(40));
        } else {
            table.decided(game, ply, decision(number), s(40));
        }
    }
    assert_eq!(table.state(), TableState::Finished);
    table.take_effects();
    table.rematch(&token("b"), s(41));
    assert_eq!(words(&mut table), ["b:REFUSED"], "Dan waits");
    table.tick(s(55));
    assert_eq!(table.seat(&token("d")).unwrap().name, "Dan");
}

/// 13.7: whoever waits for a person is asked, and others play the machine meanwhile.
#[test]
fn whoever_waits_for_a_person_holds_nobody_up() {
    let mut table = table();
    table.signup(&token("a"), "Ada", Opponent::Human, ToWaiting::Ask, s(1));
    let machine = Opponent::Machine(Level::Easy);
    table.signup(&token("b"), "Bob", machine, ToWaiting::Decline, s(2));
    assert_eq!(table.seat(&token("b")).unwrap().name, "Bob");
    assert_eq!(table.place(&token("a"), s(2)).unwrap().wait_s, None, "nobody knows when a person comes");
    table.take_effects();
    table.tick(s(61));
    assert!(words(&mut table).contains(&"a:INACTIVITY".to_owned()));
    assert_eq!(table.question_s(&token("a"), s(63)), Some(8));
    table.stay(&token("a"), s(64));
    table.signup(&token("c"), "Cid", Opponent::Human, ToWaiting::Ask, s(65));
    assert_eq!(table.place(&token("c"), s(65)).unwrap().position, 1, "both are next");
    table.leave(&token("b"), s(66));
    let view = table.game_view(s(66)).unwrap();
    assert_eq!((view.red.name.as_str(), view.yellow.name.as_str()), ("Ada", "Cid"));
    table.signup(&token("d"), "Dan", Opponent::Human, ToWaiting::Ask, s(70));
    table.take_effects();
    table.tick(s(130));
    table.tick(s(140));
    assert!(words(&mut table).contains(&"d:DROPPED".to_owned()));
    assert!(!table.is_waiting(&token("d")));
}

/// 13.8: a player need not wait for a robot that has failed.
#[test]
fn a_game_goes_on_without_the_robot() {
    let mut table = table();
    table.robot_changed(RobotStatus::Ready, None, s(0));
    table.signup(&token("a"), "Ada", Opponent::Machine(Level::Easy), ToWaiting::Ask, s(1));
    table.robot_done(s(2));
    table.take_effects();
    table.go_on_without_robot(&token("a"), s(2));
    assert_eq!(words(&mut table), ["a:REFUSED"], "it works");
    table.turn(&token("a"), column(4), s(3));
    table.robot_changed(RobotStatus::Lost, Some("unplugged"), s(4));
    table.decided(GameNumber(1), 2, decision(3), s(5));
    table.take_effects();
    table.go_on_without_robot(&token("x"), s(6));
    assert_eq!(words(&mut table), ["x:REFUSED"], "only players");
    table.go_on_without_robot(&token("a"), s(6));
    assert_eq!(words(&mut table), ["WITHOUT_ROBOT", "TURN"], "the machine's turn waited for the robot");
    table.turn(&token("a"), column(4), s(7));
    assert_eq!(words(&mut table), ["TURN", "think 4"]);
    assert!(table.game_view(s(8)).unwrap().without_robot);
    table.tick(s(9));
    // The next game waits for the robot again: it is emptied first.
    table.leave(&token("a"), s(10));
    assert!(words(&mut table).contains(&"robot NewGame".to_owned()));
}

/// 13.16: a fault that comes and goes does not restart the patience, and rebuilding has a limit.
#[test]
fn a_robot_that_never_finishes_ends_the_game() {
    let started = || {
        let mut table = table();
        table.robot_changed(RobotStatus::Ready, None, s(0));
        table.signup(&token("a"), "Ada", Opponent::Machine(Level::Easy), ToWaiting::Ask, s(1));
        table.robot_done(s(2));
        table.turn(&token("a"), column(4), s(3));
        table.take_effects();
        table
    };
    let mut table = started();
    for second in (10..120).step_by(40) {
        table.robot_changed(RobotStatus::Error, Some("jammed"), s(second));
        table.robot_changed(RobotStatus::Busy, None, s(second + 20));
    }
    table.tick(s(122));
    assert_eq!(table.state(), TableState::Playing);
    table.tick(s(123));
    assert_eq!(table.game_view(s(123)).unwrap().reason, Some(EndReason::Robot));

    let mut table = started();
    for second in 10..14 {
        table.robot_changed(RobotStatus::Error, Some("jammed"), s(second));
        table.robot_changed(RobotStatus::Busy, None, s(second));
    }
    assert!(words(&mut table).contains(&"WITHOUT_ROBOT".to_owned()), "the fourth fault is one too many");
}

/// 13.20: saying "still there" does not hold the table for ever.
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
    WithoutRobot(u8),
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
        1 => visitor.clone().prop_map(Happening::Disconnected),
        1 => visitor.prop_map(Happening::WithoutRobot),
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
                    let waiting = if accept { ToWaiting::Accept } else { ToWaiting::Decline };
                    table.signup(&token(v), &format!("Name{n}"), opponent, waiting, now);
                }
                Happening::Turn(v, c) => table.turn(&token(v), column(c), now),
                Happening::Leave(v) => table.leave(&token(v), now),
                Happening::Stay(v) => table.stay(&token(v), now),
                Happening::Rematch(v) => table.rematch(&token(v), now),
                Happening::Connected(v) => table.connected(&token(v), now),
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
                Happening::WithoutRobot(v) => table.go_on_without_robot(&token(v), now),
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
