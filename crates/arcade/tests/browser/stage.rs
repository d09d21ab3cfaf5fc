//! A hall with a simulated robot, and people in it.

use std::path::{Path, PathBuf};

use arcade::RecentLog;
use arcade::{Arcade, Options, SECTIONS};
use configuration::{Layers, Schema};
use serde_json::Value;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::browser::{Device, Motion, Visitor};
use crate::webdriver::Driver;

/// A robot that is quick, answers that may take two seconds on a busy machine (times shrink with the robot's speed), and
/// a hall in which nothing happens by itself.
const STANDARD: &[&str] = &[
    "arcade.demo=false",
    "arcade.result_for_s=600",
    "arcade.question_after_s=600",
    "robot.simulated_speed=25",
    "robot.poll_ms=125",
    "robot.reply_deadline_ms=50000",
];

/// The server under test and the driver of its visitors' browsers.
pub struct Stage {
    pub lobby: String,
    pub setup_code: String,
    driver: Driver,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Stage {
    /// Opens a hall with these settings beside the [`STANDARD`] ones.
    pub async fn open(assignments: &[&str]) -> Self {
        Self::open_on(None, assignments).await
    }

    /// The same on a database file.
    pub async fn open_on(database: Option<&Path>, assignments: &[&str]) -> Self {
        Self::open_with(database, None, assignments).await
    }

    /// The same with a program that the lab measures with.
    pub async fn open_measuring(program: PathBuf, assignments: &[&str]) -> Self {
        Self::open_with(None, Some(program), assignments).await
    }

    async fn open_with(database: Option<&Path>, program: Option<PathBuf>, assignments: &[&str]) -> Self {
        let schema = Schema::new(&[runs::settings::SECTIONS, SECTIONS].concat());
        let mut layers = Layers::new(&schema);
        for assignment in STANDARD.iter().chain(assignments) {
            layers.flag(assignment);
        }
        let options = Options {
            listen: "127.0.0.1:0".parse().unwrap(),
            database: database.map(Path::to_owned),
            seed: 1,
            values: layers.finish().unwrap(),
            log: RecentLog::default(),
            program,
        };
        let arcade = Arcade::open(options).await.unwrap();
        let (lobby, setup_code) = (arcade.address().to_owned(), arcade.setup_code().unwrap());
        let (stop, stopped) = oneshot::channel();
        let serving = tokio::spawn(async move {
            let stopped = async {
                drop(stopped.await);
            };
            arcade.serve(stopped).await.unwrap();
        });
        Self { lobby, setup_code, driver: Driver::start().await, stop, serving }
    }

    /// Somebody comes and opens a page, in English.
    pub async fn visitor(&self, device: Device, path: &str) -> Visitor {
        self.visitor_speaking("en", device, path).await
    }

    /// Somebody comes and opens a page.
    pub async fn visitor_speaking(&self, language: &str, device: Device, path: &str) -> Visitor {
        let visitor = Visitor::arrive(&self.driver, &self.lobby, device, language, Motion::Reduced).await;
        visitor.open(path).await;
        visitor
    }

    /// Somebody whose pages move.
    pub async fn visitor_with_motion(&self, device: Device, path: &str) -> Visitor {
        let visitor = Visitor::arrive(&self.driver, &self.lobby, device, "en", Motion::Full).await;
        visitor.open(path).await;
        visitor
    }

    /// Everybody goes home; nobody's console may hold a complaint.
    pub async fn close<const N: usize>(self, visitors: [Visitor; N]) {
        for visitor in visitors {
            let complaints = visitor.complaints().await;
            assert!(complaints.is_empty(), "{complaints:#?}");
            visitor.goes_home().await;
        }
        self.driver.close().await;
        self.stop.send(()).unwrap();
        self.serving.await.unwrap();
    }

    /// The server goes away while its pages stay open.
    pub async fn server_dies(self) -> Driver {
        self.stop.send(()).unwrap();
        self.serving.await.unwrap();
        self.driver
    }
}

/// The robot's board as its page shows it: `column-row` of every disc of a colour, sorted.
pub async fn robots_discs(page: &Visitor, disc: &str) -> Vec<String> {
    let script = format!(
        "return [...document.querySelectorAll('.board g.disc-{disc}[data-cell]')].map((g) => g.dataset.cell).sort()"
    );
    texts(&page.value(&script).await)
}

/// The lit cells of the robot, sorted.
pub async fn robots_lights(page: &Visitor) -> Vec<String> {
    let script = "return [...document.querySelectorAll('.led[data-cell]')].map((led) => led.dataset.disc + ' ' + led.dataset.cell).sort()";
    texts(&page.value(script).await)
}

fn texts(value: &Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}
