//! A desktop without a monitor, for tests and measurements: an X server, a window manager, programs on it.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use devices::desktop::Display;
use engine::notes::NoReader;
use engine::{Cancel, Clock, Limits, RealClock};
use runs::samegame::OnDesktop;
use runs::{Played, Request, Speed};

use crate::settings::values;

/// A child that ends with the test.
pub struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// An X server without a monitor, with a window manager.
pub struct Desktop {
    pub name: String,
    _manager: Running,
    _server: Running,
}

impl Desktop {
    pub fn start() -> Self {
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

pub fn program(program: &str, arguments: &[&str], display: &str) -> Running {
    let child = Command::new(program)
        .args(arguments)
        .env("DISPLAY", display)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    Running(child.unwrap_or_else(|error| panic!("{program}: {error}; `cargo xtask test` installs it")))
}

/// Our SameGame page (`fixtures/samegame/page`) in a browser window without bars, and the folder that the browser
/// keeps its things in.
pub fn page(query: &str, display: &str) -> (Running, tempfile::TempDir) {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/samegame/page/index.html");
    let folder = tempfile::tempdir().unwrap();
    let arguments = [
        format!("--app=file://{page}?{query}"),
        format!("--user-data-dir={}", folder.path().display()),
        "--window-size=760,620".to_owned(),
    ];
    let plain = [
        "--no-sandbox",
        "--test-type",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--no-first-run",
        "--no-default-browser-check",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--disable-extensions",
        "--password-store=basic",
        // Another window in front must not stop its timers: the player waits for that window to go.
        "--disable-backgrounding-occluded-windows",
    ];
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).chain(plain).collect();
    let browser = program("chromium", &arguments, display);
    (browser, folder)
}

/// Waits until a window of this title is shown.
pub fn wait_for(title: &str, display: &str) {
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

/// Plays rounds in a window of this display, for some minutes at most.
pub fn play(display: &str, window: &str, settings: &[&str], rounds: u32, minutes: u64) -> Played<OnDesktop> {
    let (window, display) = (format!("samegame.window={window}"), format!("samegame.display={display}"));
    // A loaded machine draws late.
    let general = [window.as_str(), &display, "engine.visible_within_ms=4000"];
    let request = Request {
        speed: Speed::Real,
        limits: Limits { games: Some(rounds), time: Some(Duration::from_mins(minutes)) },
        ..Request::unlimited(values(&[&general, settings].concat()), 1)
    };
    runs::play::<OnDesktop, _>(request, NoReader, |_, _| ()).unwrap()
}
