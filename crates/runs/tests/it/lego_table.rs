//! The requirements 1 to 16 of the study's table 3.1 (L1), each shown on the simulated hub with its program on real
//! MicroPython. One run of a few games is looked at from many sides; special cases have tables of their own.

use std::fs::File;
use std::io::BufReader;
use std::sync::LazyLock;

use engine::notes::NoReader;
use engine::replay::{Outcome, Tape};
use engine::{Cancel, Counts, RunEnding};
use players::connect_four::{ConnectFourPlayer, GameEnd, LegoGame};
use runs::connect_four::{SimulatedLego, play_tournament, simulate_alone};
use runs::operator::{GuestSeat, controls};
use runs::{Request, Setup};
use simulators::hub::GameSeen;

use crate::settings::values;

struct Evening {
    believed: Vec<LegoGame>,
    seen: Vec<GameSeen>,
    log: Vec<String>,
    beeps: Vec<u32>,
    lights_used: bool,
}

fn play(games: u32, seed: u64, assignments: &[&str]) -> Evening {
    let request = Request::games(values(assignments), seed, games);
    let played = runs::play::<SimulatedLego, _>(request, NoReader, |_, _| ()).unwrap();
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    let table = &played.witness.table;
    // The table's time goes on when the robot has gone, as far as this machine lets it until we look.
    let afterwards = format!("game {} begins", games + 1);
    let log = table.log().into_iter().map(|(_, what)| what);
    Evening {
        believed: played.player.games().to_vec(),
        seen: table.games(),
        log: log.take_while(|what| !what.starts_with(&afterwards)).collect(),
        beeps: table.beeps(0).into_iter().map(|(_, hertz, _)| hertz).collect(),
        lights_used: table.lights(0) != [0; 25],
    }
}

/// Two games on a good day: the robot begins the first, the person the second.
static EVENING: LazyLock<Evening> = LazyLock::new(|| play(2, 3, &[]));
/// Two games as yellow, with bad light, a rough slide and smooth wheels.
static BAD_EVENING: LazyLock<Evening> = LazyLock::new(|| {
    let faults = ["misread=0.02", "jam=0.1", "slip=0.05", "damage=0.05"]
        .map(|fault| format!("simulated_lego.{fault}"));
    let mut settings: Vec<&str> = faults.iter().map(String::as_str).collect();
    settings.push("lego.color=yellow");
    play(2, 5, &settings)
});

fn moves(seen: &GameSeen) -> String {
    seen.columns.iter().map(|&column| char::from(b'1' + column as u8)).collect()
}

#[test]
fn requirement_1_the_board_is_scanned() {
    // Every disc of both sides is known at the end, though only one cell is seen at a time.
    for (believed, seen) in EVENING.believed.iter().zip(&EVENING.seen) {
        assert_eq!(believed.moves, moves(seen));
    }
}

#[test]
fn requirement_2_the_end_of_the_game_is_noticed() {
    for (believed, seen) in EVENING.believed.iter().zip(&EVENING.seen) {
        let end = match seen.winner {
            Some(0) => GameEnd::Win,
            Some(_) => GameEnd::Loss,
            None => GameEnd::Draw,
        };
        assert_eq!(believed.end, end);
    }
    let announcements = EVENING.beeps.iter().filter(|hertz| [880, 440, 220].contains(hertz)).count();
    assert_eq!(announcements, EVENING.believed.len(), "{:?}", EVENING.beeps);
}

#[test]
fn requirements_3_and_5_it_drives_and_places_discs_by_itself() {
    assert!(EVENING.seen.iter().all(|game| !game.turns.is_empty()));
    assert!(!EVENING.log.iter().any(|what| what.contains("helps")), "{:?}", EVENING.log);
    assert!(EVENING.lights_used);
}

#[test]
fn requirement_4_the_ends_of_the_board_are_found() {
    // Slipping wheels would carry the robot away from its columns if it did not find the stop at every turn.
    let evening = play(1, 11, &["simulated_lego.slip=0.3"]);
    assert_eq!(evening.believed[0].moves, moves(&evening.seen[0]));
}

#[test]
fn requirement_6_one_disc_a_turn() {
    for evening in [&*EVENING, &*BAD_EVENING] {
        assert!(!evening.log.iter().any(|what| what.contains("more than one disc")), "{:?}", evening.log);
    }
}

#[test]
fn requirements_7_and_13_it_waits_for_the_other() {
    // The person moves only when it is the person's turn, and so does the robot: discs alternate.
    for evening in [&*EVENING, &*BAD_EVENING] {
        for game in &evening.seen {
            let robots = game.turns.len();
            let discs = game.columns.len();
            let expected = if game.first == 0 { discs.div_ceil(2) } else { discs / 2 };
            assert_eq!(robots, expected, "{game:?}");
        }
    }
}

#[test]
fn requirement_8_it_leaves_to_the_right_after_every_turn() {
    // A turn counts as over only once the robot stands at its stop; every one of them was.
    assert!(EVENING.seen.iter().flat_map(|game| &game.turns).all(|turn| turn.seconds > 0.0));
    assert!(!EVENING.log.iter().any(|what| what.contains("presses again")), "{:?}", EVENING.log);
}

#[test]
fn requirement_9_no_turn_takes_more_than_90_s() {
    for evening in [&*EVENING, &*BAD_EVENING] {
        for turn in evening.seen.iter().flat_map(|game| &game.turns) {
            assert!(turn.seconds < 90.0, "{turn:?} {:?}", evening.log);
        }
    }
    for turn in EVENING.seen.iter().flat_map(|game| &game.turns) {
        assert!(turn.seconds < 45.0, "{turn:?}");
    }
}

#[test]
fn requirement_10_the_best_move_is_played() {
    // Perfect play never loses as the first player.
    let first = &EVENING.believed[0];
    assert!(first.first && first.end != GameEnd::Loss, "{first:?}");
}

#[test]
fn requirement_11_it_plays_either_colour() {
    for (believed, seen) in BAD_EVENING.believed.iter().zip(&BAD_EVENING.seen) {
        assert_eq!(believed.moves, moves(seen), "{:?}", BAD_EVENING.log);
    }
}

#[test]
fn requirement_12_it_plays_first_or_second() {
    assert_eq!(EVENING.believed.iter().map(|game| game.first).collect::<Vec<_>>(), [true, false]);
}

#[test]
fn a_robot_that_always_begins_does_so_in_every_game() {
    let evening = play(2, 9, &["lego.beginner=robot", "lego.level=easy"]);
    assert!(evening.believed.iter().all(|game| game.first), "{:?}", evening.believed);
    for (believed, seen) in evening.believed.iter().zip(&evening.seen) {
        assert_eq!(believed.moves, moves(seen), "{:?}", evening.log);
    }
}

#[test]
fn requirements_14_15_and_16_it_looks_only_where_a_new_disc_can_be() {
    // At most seven first free cells, once around; three looks at the new disc with two aside, as many at its own.
    for turn in EVENING.believed.iter().flat_map(|game| &game.turns).filter(|turn| turn.discs > 0) {
        assert!(turn.looks <= 7 + 4 + 4, "{turn:?}");
    }
    // It stops at the new disc: on average it sees half of the columns.
    let turns: Vec<u32> =
        EVENING.believed.iter().flat_map(|game| &game.turns).map(|turn| turn.looks).collect();
    let mean = f64::from(turns.iter().sum::<u32>()) / turns.len() as f64;
    assert!(mean < 7.0 + 4.0 + 3.0, "{mean}");
}

#[test]
fn a_pulled_cable_a_restart_and_a_flat_battery_do_not_end_a_game() {
    let evening = play(
        1,
        7,
        &["simulated_lego.unplug_at_s=30", "simulated_lego.reboot_at_s=100", "simulated_lego.flat_at_s=180"],
    );
    assert_eq!(evening.believed[0].moves, moves(&evening.seen[0]), "{:?}", evening.log);
    for happened in ["the hub restarts", "battery is flat"] {
        assert!(evening.log.iter().any(|what| what.contains(happened)), "{happened}: {:?}", evening.log);
    }
    assert!(!evening.log.iter().any(|what| what.contains("more than one disc")), "{:?}", evening.log);
}

#[test]
fn a_recorded_game_replays_equal() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let faults = ["simulated_lego.misread=0.02", "simulated_lego.jam=0.1", "simulated_lego.unplug_at_s=60"];
    let request = Request { record: Some(file.path().to_owned()), ..Request::games(values(&faults), 21, 1) };
    let played = runs::play::<SimulatedLego, _>(request, NoReader, |_, _| ()).unwrap();
    assert_eq!(played.ending, RunEnding::GamesPlayed);
    let tape = Tape::open(BufReader::new(File::open(file.path()).unwrap())).unwrap();
    let entry = runs::find("connect-four", "simulated-lego").unwrap();
    let outcome = entry.replay(tape).unwrap();
    assert!(matches!(outcome, Outcome::Equal { notes } if notes > 100), "{outcome:?}");
}

#[test]
fn two_robots_play_each_other() {
    let values = values(&["lego.level=easy"]);
    let (players, table) = play_tournament(&Setup::new(&values, 2), 1, &Cancel::new()).unwrap();
    let seen = table.games();
    assert_eq!(seen.len(), 1);
    for (game, seen) in players[0].games().iter().zip(&seen) {
        assert_eq!(game.moves, moves(seen));
    }
    for (first, second) in players[0].games().iter().zip(players[1].games()) {
        // The second robot looks from the other side.
        let mirrored: String = second.moves.bytes().map(|column| char::from(b'1' + b'7' - column)).collect();
        assert_eq!(first.moves, mirrored);
        assert_ne!(first.first, second.first);
    }
}

#[test]
fn the_hub_plays_alone() {
    // Another colour than its own, and it must be told so.
    let values = values(&["lego.color=yellow"]);
    let mut lines = Vec::new();
    let setup = Setup::new(&values, 4);
    let (heard, witness) =
        simulate_alone(&setup, 1, &Cancel::new(), |line| lines.push(line.to_owned())).unwrap();
    let games = witness.table.games();
    assert_eq!(games.len(), 1, "{lines:?}");
    let [believed] = heard.ended() else { panic!("{lines:?}") };
    assert_eq!(believed.moves, moves(&games[0]), "{lines:?}");
    assert_eq!(believed.turns.len(), games[0].turns.len());
    assert!(games[0].turns.iter().all(|turn| turn.seconds < 90.0), "{:?}", games[0].turns);
    // At least as deep as the study's own search.
    let depths =
        lines.iter().filter_map(|line| line.split(" depth ").nth(1)?.split(' ').next()?.parse::<u32>().ok());
    assert!(depths.take(3).all(|depth| depth >= 3), "{lines:?}");
    let heap = witness.hub.heap_bytes();
    assert!(heap > 1_000 && heap < 200_000, "{heap} bytes");
}

/// A guest in the person's seat: the robot finds the discs where the guest dropped them, and when the guest has gone the
/// simulated person ends the game.
#[test]
fn a_guest_plays_until_they_go() {
    const DISCS: [usize; 3] = [6, 0, 6];
    let seat = GuestSeat::default();
    assert!(seat.take(7));
    let (_controls, line) = controls();
    let request = Request {
        controls: Some(line.with_seat_for_guests(seat.clone())),
        ..Request::games(values(&["lego.beginner=other"]), 4, 1)
    };
    let dropped = std::cell::Cell::new(0);
    let guest = |_: &ConnectFourPlayer, _: &Counts| {
        if let Some(&column) = DISCS.get(dropped.get())
            && seat.sight().columns.len() == 2 * dropped.get()
            && seat.drop_disc(7, column).is_ok()
        {
            dropped.set(dropped.get() + 1);
        }
    };
    let played = runs::play::<SimulatedLego, _>(request, NoReader, guest).unwrap();
    assert_eq!((played.ending, dropped.get()), (RunEnding::GamesPlayed, DISCS.len()));
    let game = &played.witness.table.games()[0];
    let persons: Vec<_> = game.columns.iter().copied().step_by(2).collect();
    assert_eq!(persons[..DISCS.len()], DISCS);
    assert!(persons.len() > DISCS.len(), "somebody went on: {persons:?}");
    assert!(!seat.is_taken(), "a guest who lets the table wait has gone");
    assert_eq!(played.player.games()[0].moves, moves(game));
    assert!(seat.sight().end.is_some());
}
