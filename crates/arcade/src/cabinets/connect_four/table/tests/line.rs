//! The line of those who wait for the table.

use super::*;

/// First come, first served; the place is kept over a lost connection; the line goes before rematches.
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

/// Whoever waits for a person is asked, and others play the machine meanwhile.
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
