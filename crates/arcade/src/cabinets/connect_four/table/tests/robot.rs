//! The table and a robot that drops its discs, fails, and is done without.

use super::*;

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

/// A player need not wait for a robot that has failed.
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

/// A fault that comes and goes does not restart the patience, and rebuilding has a limit.
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
