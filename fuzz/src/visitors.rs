//! Pages that send anything at all, to the server's parser and to its table. Run by `cargo fuzz` with inputs that it
//! makes up, and by the arcade's tests with real events that are mutated at random.

use std::time::Duration;

use arcade::cabinets::connect_four::event::{TableState, Wish, parse};
use arcade::cabinets::connect_four::machine::thoughtless;
use arcade::cabinets::connect_four::records::Record;
use arcade::cabinets::connect_four::table::{Effect, Table, TableSettings, ThinkTask, ToWaiting};
use arcade::cabinets::connect_four::{EndReason, GameNumber, ResultKind};
use arcade::visitor::Token;
use connect_four::{Level, Position};

/// Three visitors send these lines in turn; time passes with every one of them. Panics when the table breaks its own
/// rules; returns how many games ended.
pub fn send(lines: &str) -> usize {
    let mut ended = 0;
    let mut table = Table::new(settings(), GameNumber(1), Duration::ZERO);
    let mut now = Duration::ZERO;
    for (line, visitor) in lines.lines().take(500).zip(["a", "b", "c"].into_iter().cycle()) {
        // Long lines leave the others waiting, so that questions, drops and demos happen as well.
        now += Duration::from_millis(line.len() as u64 * 40);
        table.tick(now);
        if let Ok(wish) = parse(line) {
            let token = Token::parse(&visitor.repeat(32)).expect("a digit, 32 times");
            act(&mut table, &token, wish, now);
        }
        ended += carry_out(&mut table, now);
        check(&table, now);
    }
    ended
}

fn settings() -> TableSettings {
    let seconds = Duration::from_secs;
    TableSettings {
        question_after: seconds(30),
        drop_after: seconds(10),
        waiting_question_after: seconds(60),
        turn_at_most: seconds(120),
        line_at_most: 10,
        reconnect_within: seconds(20),
        result_for: seconds(15),
        robot_patience: seconds(120),
        robot_faults_at_most: 10,
        demo: true,
        demo_after: seconds(20),
        demo_pace: seconds(2),
        demo_levels: (Level::Medium, Level::Hard),
    }
}

fn act(table: &mut Table, visitor: &Token, wish: Wish, now: Duration) {
    match wish {
        Wish::Hello { watch: true, .. } => table.connected(visitor, now),
        // Whoever says hello without watching goes away again.
        Wish::Hello { .. } => table.disconnected(visitor, now),
        Wish::GameSignup { name, opponent, accept, .. } => {
            let waiting = if accept { ToWaiting::Accept } else { ToWaiting::Ask };
            table.signup(visitor, &name, opponent, waiting, now);
        }
        Wish::Turn { column } => table.turn(visitor, column, now),
        Wish::Leave {} => table.leave(visitor, now),
        Wish::Stay {} => table.stay(visitor, now),
        Wish::Rematch {} => table.rematch(visitor, now),
        Wish::WithoutRobot {} => table.go_on_without_robot(visitor, now),
    }
}

/// The machine answers at once and there is no robot. Returns how many games ended.
fn carry_out(table: &mut Table, now: Duration) -> usize {
    let mut ended = 0;
    loop {
        let effects = table.take_effects();
        if effects.is_empty() {
            return ended;
        }
        for effect in effects {
            match effect {
                Effect::Think(task) => decide(table, &task, now),
                Effect::Robot(_) => table.robot_done(now),
                Effect::Store(Record::Ended { .. }) => ended += 1,
                Effect::Broadcast(_) | Effect::Tell(..) | Effect::Store(_) => {}
            }
        }
    }
}

fn decide(table: &mut Table, task: &ThinkTask, now: Duration) {
    let position = task.moves.iter().fold(Position::EMPTY, |position, column| {
        position.play(*column).expect("the machine is asked about legal positions")
    });
    assert!(position.legal().next().is_some(), "the machine is asked while there is room");
    table.decided(task.game, task.ply, Box::new(thoughtless(task)), now);
}

/// The game on the table is one that the rules allow, and over when they say so.
fn check(table: &Table, now: Duration) {
    let Some(game) = table.game_view(now) else { return assert_ne!(table.state(), TableState::Playing) };
    let mut position = Position::EMPTY;
    for column in &game.moves {
        assert!(!position.is_over(), "played on after the end: {game:?}");
        position = position.play(*column).expect("only legal turns are played");
    }
    if position.is_over() {
        assert!(game.result.is_some(), "an end that nobody noticed: {game:?}");
    }
    assert_eq!(game.next.is_none(), game.result.is_some(), "{game:?}");
    if game.result == Some(ResultKind::Won) && game.reason == Some(EndReason::Four) {
        assert!(position.is_won() && game.cells.len() >= 4, "{game:?}");
    }
}
