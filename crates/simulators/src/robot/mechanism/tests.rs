//! The robot's answers and mishaps, moment by moment.

use proptest::prelude::*;

use super::*;

fn seconds(seconds: f64) -> Duration {
    Duration::from_secs_f64(seconds)
}

fn robot() -> Mechanism {
    Mechanism::new(Times::default(), Mishaps::default())
}

/// Says the bytes at the times and compares the answers; `-` is none.
fn check(mechanism: &mut Mechanism, conversation: &[(f64, u8, char)]) {
    for (at, byte, expected) in conversation {
        let answer = mechanism.receive(seconds(*at), *byte).map_or('-', char::from);
        assert_eq!(answer, *expected, "`{}` at {at} s", char::from(*byte));
    }
}

/// The tests of figure 41 that were made with the real robot, in one conversation.
#[test]
fn answers_as_the_real_robot_did() {
    let mut mechanism = robot();
    check(&mut mechanism, &[(0.0, b'A', '1'), (0.1, b'B', '-'), (0.2, b'D', '-'), (0.3, b'C', '4')]);
    check(&mut mechanism, &[(0.4, b'A', '2'), (0.5, b'G', '-'), (8.2, b'A', '2'), (8.4, b'A', '1')]);
    for (index, byte) in (b'G'..=b'T').enumerate() {
        let at = 10.0 * (index + 1) as f64;
        check(&mut mechanism, &[(at, byte, '4'), (at + 0.1, b'A', '1'), (at + 1.0, b'A', '2')]);
        check(&mut mechanism, &[(at + 2.0, b'E', '-'), (at + 6.0, b'A', '1')]);
    }
    for byte in b"UVWXYZabcdefghijklmnopqrstuvwxyz1234567890" {
        check(&mut mechanism, &[(200.0, *byte, '4'), (200.0, b'A', '1')]);
    }
    assert_eq!(mechanism.state().board[4..], ["YYYYYYY", "RRRRRRR"]);
    assert_eq!((mechanism.state().red_left, mechanism.state().yellow_left), (14, 14));
}

/// Figure 41, comment 5.
#[test]
fn a_later_column_replaces_an_earlier_one_until_the_arm_leaves() {
    let mut mechanism = robot();
    check(&mut mechanism, &[(0.0, b'G', '4'), (0.5, b'M', '4'), (1.2, b'A', '1'), (1.4, b'A', '2')]);
    assert_eq!(mechanism.state().arm, Some(6), "the arm carries the disc there");
    check(&mut mechanism, &[(1.5, b'H', '-'), (6.0, b'A', '1')]);
    assert_eq!(mechanism.state().arm, None);
    assert_eq!(mechanism.state().board[5], "......R");
}

/// Figure 41, comments 4 and 6.
#[test]
fn lights_burn_after_the_fourth_and_go_out_by_themselves() {
    let mut mechanism = robot();
    check(&mut mechanism, &[(0.0, b'U', '4'), (0.0, b'E', '4')]);
    for byte in b"456" {
        check(&mut mechanism, &[(1.0, *byte, '4')]);
        assert!(mechanism.state().lights.is_empty());
    }
    check(&mut mechanism, &[(2.0, b'7', '4')]);
    assert_eq!(mechanism.state().lights, [(0, 5), (1, 5), (2, 5), (3, 5)]);
    mechanism.advance(seconds(11.9));
    assert_eq!(mechanism.state().lights.len(), 4);
    mechanism.advance(seconds(12.1));
    assert!(mechanism.state().lights.is_empty());
}

#[test]
fn a_new_game_returns_all_discs() {
    let mut mechanism = robot();
    check(&mut mechanism, &[(0.0, b'G', '4'), (10.0, b'C', '4'), (17.0, b'A', '2')]);
    assert_eq!(mechanism.state().board[5], "R......");
    check(&mut mechanism, &[(19.0, b'A', '1')]);
    assert_eq!(mechanism.state().board, ["......."; 6]);
    assert_eq!(mechanism.state().red_left, 21);
}

#[test]
fn a_full_column_stops_the_arm_in_its_error_state() {
    let mut mechanism = robot();
    for turn in 0..7 {
        check(&mut mechanism, &[(10.0 * f64::from(turn), b'G', '4')]);
    }
    check(&mut mechanism, &[(66.0, b'A', '3'), (67.0, b'G', '-'), (68.0, b'C', '-')]);
    mechanism.repair(seconds(70.0));
    check(&mut mechanism, &[(71.0, b'A', '1')]);
    assert_eq!(mechanism.state().red_left, 15);
}

/// Every fault on the second character, a disc; what is said after it, and what stands at the end.
#[test]
fn faults_do_what_their_names_say() {
    let cases: [(Mishap, &[(f64, u8, char)], &str); 6] = [
        (Mishap::NoAnswer, &[(10.0, b'H', '-'), (11.0, b'A', '2'), (15.0, b'A', '1')], "RR....."),
        (Mishap::Deaf, &[(10.0, b'H', '-'), (19.9, b'A', '-'), (20.1, b'A', '1')], "RR....."),
        (
            Mishap::StuckBusy,
            &[(10.0, b'H', '4'), (10.1, b'A', '2'), (19.9, b'A', '2'), (20.1, b'A', '1')],
            "RR.....",
        ),
        (
            Mishap::Error,
            &[(10.0, b'H', '4'), (10.1, b'A', '3'), (29.9, b'A', '3'), (30.1, b'A', '1')],
            "RR.....",
        ),
        (
            Mishap::Jam,
            &[(10.0, b'H', '4'), (11.0, b'A', '2'), (15.0, b'A', '3'), (34.9, b'A', '1')],
            "R......",
        ),
        (Mishap::Unplug, &[(10.0, b'H', '-'), (19.9, b'A', '-'), (20.1, b'A', '1')], "RR....."),
    ];
    for (fault, conversation, board) in cases {
        let scheduled = vec![Scheduled { mishap: fault, character: 2 }];
        let mut mechanism = Mechanism::new(Times::default(), Mishaps { scheduled, ..Mishaps::default() });
        check(&mut mechanism, &[(0.0, b'A', '1'), (0.1, b'G', '4')]);
        check(&mut mechanism, conversation);
        assert_eq!(mechanism.state().board[5], board, "{fault}");
        assert_eq!(mechanism.state().faults, 1, "{fault}");
    }
}

#[test]
fn a_wrong_byte_hides_the_answer_and_nothing_else() {
    for seed in 0..100 {
        let scheduled = vec![Scheduled { mishap: Mishap::WrongByte, character: 1 }];
        let mut mechanism =
            Mechanism::new(Times::default(), Mishaps { scheduled, seed, ..Mishaps::default() });
        let answer = mechanism.receive(Duration::ZERO, b'H');
        assert!(answer.is_some_and(|byte| byte != b'4'), "{answer:?}");
        check(&mut mechanism, &[(1.0, b'A', '2'), (5.0, b'A', '1'), (6.0, b'H', '4')]);
    }
}

#[test]
fn the_same_seed_gives_the_same_faults() {
    let run = |seed| {
        let mut mechanism =
            Mechanism::new(Times::default(), Mishaps { rate: 0.3, seed, ..Mishaps::default() });
        let answers =
            (0..200).map(|turn| mechanism.receive(seconds(f64::from(turn) * 7.0), b'G' + turn as u8 % 14));
        (answers.collect::<Vec<_>>(), mechanism.state())
    };
    assert_eq!(run(5), run(5));
    assert_ne!(run(5), run(6));
}

proptest! {
    /// Any bytes, orders and waits: it never panics, its discs are never more or fewer than 42, and it comes
    /// back to ready in the end.
    #[test]
    fn nothing_breaks_the_robot(
        doings in prop::collection::vec((any::<u8>(), any::<bool>(), 0..12_000_u64), 0..300),
        rate in 0.0..1.0,
        seed: u64,
    ) {
        let mut mechanism = Mechanism::new(Times::default(), Mishaps { rate, seed, ..Mishaps::default() });
        let mut now = Duration::ZERO;
        for (byte, likely, wait) in doings {
            now += Duration::from_millis(wait);
            let byte = if likely { b'A' + byte % 26 } else { byte };
            let answer = mechanism.receive(now, byte);
            let state = mechanism.state();
            let count = |letter| state.board.iter().flat_map(|row| row.chars()).filter(|c| *c == letter).count();
            prop_assert_eq!(count('R') + state.red_left, 21);
            prop_assert_eq!(count('Y') + state.yellow_left, 21);
            prop_assert!(answer.is_none() || byte.is_ascii_alphanumeric());
            prop_assert_eq!(state.picture().lines().count(), 8);
        }
        now += Duration::from_mins(5);
        mechanism.advance(now);
        prop_assert_eq!(mechanism.next_event(), None);
        prop_assert_eq!(mechanism.receive(now, b'A'), Some(b'1'));
    }
}
