//! A browser window that one visitor looks at.

use std::path::PathBuf;
use std::time::Duration;

use serde_json::{Value, json};

use crate::webdriver::{Driver, Session};

/// Long enough for a busy machine; nothing is measured with it.
const PATIENCE: Duration = Duration::from_mins(3);
/// Between two looks at a page: looking all the time would keep it from what it is waited for.
const LOOK_EVERY: Duration = Duration::from_millis(20);
/// What `WebDriver` says about an element that a page has just drawn again, or that lies under another one for a moment,
/// and about a page that is still loading.
const PASSING: [&str; 8] = [
    "stale element reference",
    "no such element",
    "element click intercepted",
    "element not interactable",
    "javascript error",
    "script timeout",
    "aborted by navigation",
    "unknown error",
];

/// What a visitor holds in the hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// 360 × 740 pixels, touch.
    Phone,
    /// The smallest phones: 320 × 640 pixels.
    SmallPhone,
    /// A phone on its side: 740 × 360 pixels.
    PhoneOnItsSide,
    /// 1440 × 900 pixels.
    Desktop,
    /// A small laptop, or a projector: 1280 × 720 pixels of page.
    Laptop,
    /// 1920 × 1080 pixels of page, as beside the robot.
    BigScreen,
}

impl Device {
    fn size(self) -> (u32, u32) {
        match self {
            Device::Phone => (360, 740),
            Device::SmallPhone => (320, 640),
            Device::PhoneOnItsSide => (740, 360),
            Device::Desktop => (1440, 900),
            Device::Laptop => (1280, 720),
            Device::BigScreen => (1920, 1080),
        }
    }

    /// A window cannot be as narrow as a phone, and has a frame; the emulation has the size of the page itself.
    fn emulation(self) -> Option<Value> {
        let (width, height) = self.size();
        match self {
            Device::Phone | Device::SmallPhone | Device::PhoneOnItsSide => {
                Some(json!({ "width": width, "height": height, "pixelRatio": 2.0, "touch": true }))
            }
            Device::Laptop | Device::BigScreen => Some(
                json!({ "width": width, "height": height, "pixelRatio": 1.0, "touch": false, "mobile": false }),
            ),
            Device::Desktop => None,
        }
    }
}

/// Whether the visitor's device asks pages to keep still.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Motion {
    /// Nothing moves, so a test sees at once what is there in the end.
    Reduced,
    /// Discs fall.
    Full,
}

/// Somebody with a browser of their own, with its own storage.
pub struct Visitor {
    session: Session,
    lobby: String,
}

impl Visitor {
    /// Opens a browser in this language.
    pub async fn arrive(
        driver: &Driver,
        lobby: &str,
        device: Device,
        language: &str,
        motion: Motion,
    ) -> Self {
        let (width, height) = device.size();
        let mut options = json!({
            "args": [
                "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
                "--disable-background-networking", "--disable-component-update", "--disable-sync",
                "--disable-quic", "--disable-extensions",
                // Ends the browser with its driver, whatever happens to the test.
                "--remote-debugging-pipe",
                format!("--window-size={width},{height}"),
            ],
            "prefs": { "intl.accept_languages": language },
        });
        if let Some(arguments) = options["args"].as_array_mut().filter(|_| motion == Motion::Reduced) {
            arguments.push(json!("--force-prefers-reduced-motion"));
        }
        if let Some(metrics) = device.emulation() {
            options["mobileEmulation"] = json!({ "deviceMetrics": metrics });
        }
        let session = driver.open_browser(&options).await;
        Self { session, lobby: lobby.to_owned() }
    }

    /// Opens a page of the hall.
    pub async fn open(&self, path: &str) {
        let url = format!("{}{}", self.lobby.trim_end_matches('/'), path);
        self.session.post("url", &json!({ "url": url })).await.unwrap();
    }

    /// Chooses language and light for every page opened from now on, as the switches do.
    pub async fn prefers(&self, language: &str, light: &str) {
        self.value(&format!(
            "localStorage.setItem('gamebot.language', '{language}'); localStorage.setItem('gamebot.theme', '{light}')"
        ))
        .await;
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        self.session.post("refresh", &json!({})).await.unwrap();
    }

    /// Waits until the page shows this (a CSS selector).
    pub async fn sees(&self, selector: &str) {
        self.sees_that(&format!("return document.querySelector({}) !== null", json!(selector))).await;
    }

    /// Waits until this script returns true. A page that is still loading may not have what the script asks for, so
    /// its errors count only when they do not pass.
    pub async fn sees_that(&self, script: &str) {
        let mut last = Value::Null;
        let look = async {
            while last != Value::Bool(true) {
                last = match self.session.post("execute/sync", &json!({ "script": script, "args": [] })).await
                {
                    Err(why) if !PASSING.iter().any(|passing| why["error"] == *passing) => {
                        panic!("{script}: {why}")
                    }
                    Ok(seen) | Err(seen) => seen,
                };
                if last != Value::Bool(true) {
                    tokio::time::sleep(LOOK_EVERY).await;
                }
            }
        };
        if tokio::time::timeout(PATIENCE, look).await.is_err() {
            let page = self.value("return document.body.dataset.view + ': ' + document.body.innerText").await;
            panic!("never: {script}\nlast: {last}\n{page}");
        }
    }

    /// Waits for it and taps it.
    pub async fn taps(&self, selector: &str) {
        self.with(selector, async |element| {
            self.session.post(&format!("element/{element}/click"), &json!({})).await
        })
        .await;
    }

    /// Writes into a field in place of what is there.
    pub async fn writes(&self, selector: &str, text: &str) {
        self.with(selector, async |element| {
            self.session.post(&format!("element/{element}/clear"), &json!({})).await?;
            self.session.post(&format!("element/{element}/value"), &json!({ "text": text })).await
        })
        .await;
    }

    /// Chooses a file of this machine in a field for files.
    pub async fn chooses_file(&self, selector: &str, path: &str) {
        let path = std::fs::canonicalize(path).unwrap();
        self.with(selector, async |element| {
            self.session.post(&format!("element/{element}/value"), &json!({ "text": path })).await
        })
        .await;
    }

    /// Chooses in a list or on a scale, as a hand does.
    pub async fn chooses(&self, selector: &str, choice: &str) {
        self.is_shown(selector).await;
        self.value(&format!(
            "const field = document.querySelector({}); field.value = {}; \
             for (const name of ['input', 'change']) field.dispatchEvent(new Event(name, {{ bubbles: true }}))",
            json!(selector),
            json!(choice)
        ))
        .await;
    }

    /// Presses a key, wherever the focus is.
    pub async fn presses(&self, key: &str) {
        until_done("a key", async || {
            let element = Session::element(&self.session.get("element/active").await?);
            self.session.post(&format!("element/{element}/value"), &json!({ "text": key })).await
        })
        .await;
    }

    /// What the page says there, once it is there.
    pub async fn reads(&self, selector: &str) -> String {
        let text = self
            .with(selector, async |element| self.session.get(&format!("element/{element}/text")).await)
            .await;
        text.as_str().unwrap().to_owned()
    }

    /// What a script returns.
    pub async fn value(&self, script: &str) -> Value {
        self.session.post("execute/sync", &json!({ "script": script, "args": [] })).await.unwrap()
    }

    /// The same with arguments.
    pub async fn value_of(&self, script: &str, arguments: &[Value]) -> Value {
        self.session.post("execute/sync", &json!({ "script": script, "args": arguments })).await.unwrap()
    }

    /// Waits until it can be seen and touched, and does something with it.
    async fn with(&self, selector: &str, act: impl AsyncFn(String) -> Result<Value, Value>) -> Value {
        until_done(selector, async || {
            self.is_shown(selector).await;
            let wanted = json!({ "using": "css selector", "value": selector });
            act(Session::element(&self.session.post("element", &wanted).await?)).await
        })
        .await
    }

    /// Waits until it can be seen and touched.
    async fn is_shown(&self, selector: &str) {
        let visible = format!(
            "const found = document.querySelector({}); return found !== null \
             && found.checkVisibility({{ visibilityProperty: true }}) && found.getBoundingClientRect().width > 0",
            json!(selector)
        );
        self.sees_that(&visible).await;
    }

    /// Signs up in the lobby.
    pub async fn signs_up(&self, name: &str, opponent: &str) {
        self.sees("body[data-view=lobby]").await;
        self.writes("#name", name).await;
        self.value(&format!("document.getElementById('opponent-{opponent}').click()")).await;
        self.taps("#start").await;
    }

    /// Leaves the game, and says yes to the question.
    pub async fn leaves(&self) {
        self.taps("#leave").await;
        self.taps("dialog#confirm[open] #confirm-yes").await;
        self.sees("body:not([data-view=playing])").await;
    }

    /// Makes the turn when it is this visitor's, and waits until the disc is in.
    pub async fn drops(&self, column: usize) {
        self.sees("body[data-view=playing] #turn[data-turn=mine]").await;
        let button = format!(".column[data-column='{column}']");
        let count =
            self.value(&format!("return Number(document.querySelector(\"{button}\").dataset.count)")).await;
        self.taps(&button).await;
        let after = count.as_u64().unwrap() + 1;
        // On a busy machine the answer may lie on top of it already.
        self.sees_that(&format!(
            "return Number(document.querySelector(\"{button}\").dataset.count) >= {after}"
        ))
        .await;
    }

    /// Makes the turn that ends the game.
    pub async fn drops_last(&self, column: usize) {
        self.sees("body[data-view=playing] #turn[data-turn=mine]").await;
        self.taps(&format!(".column[data-column='{column}']")).await;
    }

    /// Keeps a picture under `target/screens/`.
    pub async fn keeps_picture(&self, name: &str) {
        let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(format!("../../target/screens/{name}.png"));
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        // Two frames later everything is painted, also on a busy machine.
        self.value("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))").await;
        std::fs::write(file, self.session.screenshot().await).unwrap();
    }

    /// Errors and warnings in the browser's console since the last look.
    pub async fn complaints(&self) -> Vec<String> {
        let log = self.session.post("se/log", &json!({ "type": "browser" })).await.unwrap();
        let serious = |line: &&Value| matches!(line["level"].as_str(), Some("SEVERE" | "WARNING"));
        log.as_array().unwrap().iter().filter(serious).map(|line| line["message"].to_string()).collect()
    }

    /// Closes the browser.
    pub async fn goes_home(self) {
        self.session.close().await;
    }
}

/// Tries again while what is in the way is passing.
async fn until_done(what: &str, act: impl AsyncFn() -> Result<Value, Value>) -> Value {
    let tries = async {
        loop {
            match act().await {
                Ok(value) => return value,
                Err(why) if PASSING.iter().any(|passing| why["error"] == *passing) => {
                    tokio::time::sleep(LOOK_EVERY).await;
                }
                Err(why) => panic!("{what}: {why}"),
            }
        }
    };
    tokio::time::timeout(PATIENCE, tries).await.unwrap_or_else(|_| panic!("never: {what}"))
}
