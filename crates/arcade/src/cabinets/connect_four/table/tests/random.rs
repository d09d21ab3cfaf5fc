//! Anything that can happen, in any order: no story breaks the rules.

use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

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
