//! S3, S6: a program that we did not write is found on a real X11 desktop, learned and cleared.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use configuration::{Layers, Schema};
use devices::desktop::Display;
use engine::notes::NoReader;
use engine::{Cancel, Clock, Limits, RealClock, RunEnding};
use runs::samegame::OnDesktop;
use runs::settings::SECTIONS;
use runs::{Played, Request, Speed};

/// A child that ends with the test.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server without a monitor, with a window manager.
struct Desktop {
    name: String,
    _manager: Running,
    _server: Running,
}

impl Desktop {
    fn start() -> Self {
        let mut server = Command::new("Xvfb")
            .args(["-displayfd", "1", "-screen", "0", "1280x1024x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("Xvfb is installed by `cargo xtask test`");
        let mut number = String::new();
        BufReader::new(server.stdout.take().unwrap()).read_line(&mut number).unwrap();
        let name = format!(":{}", number.trim());
        let server = Running(server);
        let manager = program("openbox", &[], &name);
        Self { name, _manager: manager, _server: server }
    }
}

fn program(program: &str, arguments: &[&str], display: &str) -> Running {
    let child = Command::new(program)
        .args(arguments)
        .env("DISPLAY", display)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Running(child.unwrap_or_else(|error| panic!("{program}: {error}; `cargo xtask test` installs it")))
}

/// Waits until a window of this title is shown.
fn wait_for(title: &str, display: &str) {
    let clock = RealClock::start(Cancel::new());
    let server = Display::open(Some(display)).unwrap();
    for _ in 0..600 {
        if server.find_window(title).is_ok() {
            return;
        }
        clock.sleep(Duration::from_millis(100));
    }
    panic!("no window `{title}`");
}

fn play(display: &str, window: &str) -> Played<OnDesktop> {
    let schema = Schema::new(SECTIONS);
    let mut layers = Layers::new(&schema);
    layers.flag(&format!("samegame.window={window}"));
    layers.flag(&format!("samegame.display={display}"));
    // A loaded machine draws late.
    layers.flag("engine.visible_within_ms=4000");
    let request = Request {
        values: layers.finish().unwrap(),
        seed: 1,
        speed: Speed::Real,
        limits: Limits { games: Some(1), time: Some(Duration::from_mins(4)) },
        record: None,
        live: None,
        cancel: Cancel::new(),
    };
    runs::play::<OnDesktop, _>(request, NoReader, |_, _| ()).unwrap()
}

#[test]
fn sgt_samegame_is_found_learned_and_cleared() {
    let desktop = Desktop::start();
    for seed in 1..=3 {
        let game = format!("10x8c3s2#{seed}");
        let _program = program("/usr/games/sgt-samegame", &[&game], &desktop.name);
        wait_for("Same Game", &desktop.name);
        let played = play(&desktop.name, "Same Game");
        assert_eq!(played.ending, RunEnding::GamesPlayed, "{:?}", played.player.rounds());
        let round = &played.player.rounds()[0];
        assert!(round.cleared, "seed {seed}: {round:?}");
        assert_eq!(played.player.clicks_learned(), Some(2), "seed {seed}");
    }
}
