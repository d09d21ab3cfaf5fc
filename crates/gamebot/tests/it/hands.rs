//! The robot's hands as a user meets them: `simulate brickd`, `measure actuator-…` (G16, G20).

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

use devices::tinkerforge::{Config, Solenoids, TcpDial};
use engine::{Cancel, RealClock};
use serde_json::Value;

use crate::gamebot::{gamebot, run, stderr, stdout};

#[test]
fn a_simulated_daemon_obeys_its_standard_input() {
    let mut child = gamebot(&["simulate", "brickd", "--listen", "127.0.0.1:0", "--show", "--relays", "2"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map(Result::unwrap);
    let first = lines.next().unwrap();
    let port = first.strip_prefix("listening on 127.0.0.1:").unwrap().parse().unwrap();

    let clock = RealClock::start(Cancel::new());
    let patience = Duration::from_secs(20);
    let dial = TcpDial { host: "127.0.0.1".to_owned(), port, patience, clock: clock.clone() };
    let config = Config { wiring: [('s', 6)].into(), patience, ..Config::default() };
    let mut hand = Solenoids::new(config, dial, clock);
    hand.press(&[('s', Duration::from_millis(50))]).unwrap();
    assert!(lines.next().unwrap().ends_with(" Start down"));
    assert!(lines.next().unwrap().ends_with(" Start up"));

    writeln!(input, "unplug\nstate\nnonsense\nquit").unwrap();
    let state: Value = serde_json::from_str(&lines.next().unwrap()).unwrap();
    assert_eq!((&state["presses"], &state["clients"]), (&1.into(), &1.into()));
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

#[test]
fn an_address_that_is_taken_is_a_mistake_in_the_call() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let output = run(&["simulate", "brickd", "--listen", &address]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains(&format!("cannot listen on {address}")), "{}", stderr(&output));
}

#[test]
fn the_speed_of_the_fingers_is_the_documents() {
    let folder = tempfile::tempdir().unwrap();
    let plot = folder.path().join("speed.svg");
    let output = run(&["measure", "actuator-speed", "--json", "--plot", plot.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert_eq!(report["fastest"]["presses_per_minute"], 857);
    assert_eq!(report["fastest"], report["document_fastest"]);
    assert!(std::fs::read_to_string(plot).unwrap().contains("presses a minute"));
}

#[test]
fn the_reliability_of_the_fingers_stands_beside_the_documents() {
    let call = ["measure", "actuator-reliability", "--series", "2", "--runs", "4"];
    let good = run(&call);
    assert_eq!(good.status.code(), Some(0), "{}", stderr(&good));
    assert!(stdout(&good).contains("100.0 % of the sequences brought the cursor home"), "{}", stdout(&good));
    let bad = run(&[&call[..], &["--json", "--press-ms", "32"]].concat());
    assert_eq!(bad.status.code(), Some(1), "the answer is no: {}", stderr(&bad));
    let report: Value = serde_json::from_str(stdout(&bad)).unwrap();
    assert_eq!(report["reliability"], 0.0);
    assert_eq!(report["series"][1]["presses_left_right"], 16);
    assert_eq!(report["series"][1]["presses_arrived"], 0, "no finger arrives in 32 ms");
}

#[test]
fn wrong_settings_of_the_relays_are_named() {
    let call = ["measure", "actuator-speed", "--body", "robot", "--set"];
    for (setting, words) in [
        ("relays.bricklets=m0A", "`m0A` is not a UID"),
        ("relays.b=4", "the button A has this relay already"),
        ("relays.own_times=left", "is not as in left=37+40"),
        ("relays.port=0", "1 to 65535"),
    ] {
        let output = run(&[&call[..], &[setting]].concat());
        assert_eq!(output.status.code(), Some(2), "{setting}");
        assert!(stderr(&output).contains(words), "{setting}: {}", stderr(&output));
    }
}

/// The whole way of a press: player, engine, driver, daemon, solenoid, console.
#[test]
fn tetris_is_played_with_solenoids() {
    let call = ["play", "tetris", "--body", "simulated-hands", "--level", "5", "--json"];
    let output = run(&[&call[..], &["--set", "tetris.pieces=40"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let report: Value = serde_json::from_str(stdout(&output)).unwrap();
    assert!(report["games"][0]["lines"].as_u64().unwrap() > 5, "{report}");
    assert_eq!(report["counts"]["faults"], 0);
}
