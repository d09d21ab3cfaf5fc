//! As much of the W3C `WebDriver` protocol as these tests need, spoken to `chromedriver`. The protocol is JSON over
//! HTTP; the crates that speak all of it bring some sixty others along.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// The name of an element's reference in JSON, the same for every driver (W3C `WebDriver` §12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// How long a script and a page may take, in milliseconds: long enough for a busy machine.
const SCRIPT_MS: u32 = 150_000;
const PAGE_MS: u32 = 300_000;

/// `chromedriver`, which starts browsers; they end with it.
pub struct Driver {
    port: u16,
    process: Child,
    /// Where its browsers keep their profiles and whatever else they leave behind.
    folder: TempDir,
}

impl Driver {
    /// Starts it on a free port; two that start at once may choose the same one, then one of them ends and tries again.
    pub async fn start() -> Self {
        for _ in 0..10 {
            if let Some(driver) = Self::try_start().await {
                return driver;
            }
        }
        panic!("chromedriver does not start");
    }

    async fn try_start() -> Option<Self> {
        let folder = tempfile::tempdir().unwrap();
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .env("TMPDIR", folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .expect("chromedriver is needed; `cargo xtask test` installs it");
        let mut lines = BufReader::new(process.stdout.take()?).lines();
        while let Some(line) = lines.next_line().await.ok()? {
            if let Some((_, port)) = line.split_once("started successfully on port ") {
                return Some(Self { port: port.trim_end_matches('.').parse().ok()?, process, folder });
            }
        }
        None
    }

    /// Ends it and cleans up; its browsers must be closed.
    pub async fn close(mut self) {
        self.process.kill().await.unwrap();
        // A browser's last processes may still be writing; what they leave behind is not what is tested.
        for _ in 0..50 {
            if std::fs::remove_dir_all(self.folder.path()).is_ok() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Opens a browser with a profile of its own. The driver gives one that starts slowly up after a minute; on a busy
    /// machine the next one is in time.
    pub async fn open_browser(&self, chrome_options: &Value) -> Session {
        let capabilities = json!({
            "browserName": "chrome",
            "timeouts": { "script": SCRIPT_MS, "pageLoad": PAGE_MS },
            "goog:chromeOptions": chrome_options,
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let body = json!({ "capabilities": { "alwaysMatch": capabilities } });
        let mut why = Value::Null;
        for _ in 0..3 {
            match request(self.port, "POST", "/session", Some(&body)).await {
                Ok(opened) => {
                    return Session { port: self.port, id: opened["sessionId"].as_str().unwrap().to_owned() };
                }
                Err(refusal) => why = refusal,
            }
        }
        panic!("chromium is needed; `cargo xtask test` installs it: {why}");
    }
}

/// One browser.
pub struct Session {
    port: u16,
    id: String,
}

impl Session {
    /// Asks for something.
    pub async fn get(&self, command: &str) -> Result<Value, Value> {
        request(self.port, "GET", &format!("/session/{}/{command}", self.id), None).await
    }

    /// Has something done.
    pub async fn post(&self, command: &str, body: &Value) -> Result<Value, Value> {
        request(self.port, "POST", &format!("/session/{}/{command}", self.id), Some(body)).await
    }

    /// Closes the browser.
    pub async fn close(self) {
        request(self.port, "DELETE", &format!("/session/{}", self.id), None).await.unwrap();
    }

    /// The reference of a found element.
    pub fn element(found: &Value) -> String {
        found[ELEMENT].as_str().unwrap().to_owned()
    }

    /// What the window shows, as PNG.
    pub async fn screenshot(&self) -> Vec<u8> {
        let picture = self.get("screenshot").await.unwrap();
        from_base64(picture.as_str().unwrap())
    }
}

/// One request on a connection of its own; the `value` of the answer, or of the error.
async fn request(port: u16, method: &str, path: &str, body: Option<&Value>) -> Result<Value, Value> {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    let body = body.map(Value::to_string).unwrap_or_default();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(body.as_bytes()).await.unwrap();
    // The driver leaves the connection open, so the length tells where the answer ends.
    let mut stream = BufReader::new(stream);
    let (mut line, mut good, mut length) = (String::new(), false, 0);
    while line != "\r\n" {
        line.clear();
        stream.read_line(&mut line).await.unwrap();
        good |= line.starts_with("HTTP/1.1 200");
        if let Some((_, value)) =
            line.split_once(':').filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
        {
            length = value.trim().parse().unwrap();
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body).await.unwrap();
    let mut answer: Value = serde_json::from_slice(&body).unwrap();
    let value = answer["value"].take();
    if good { Ok(value) } else { Err(value) }
}

/// Base 64 as of RFC 4648; pictures are all it is needed for.
fn from_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0_u32, 0);
    for letter in text.bytes() {
        let six = match letter {
            b'A'..=b'Z' => letter - b'A',
            b'a'..=b'z' => letter - b'a' + 26,
            b'0'..=b'9' => letter - b'0' + 52,
            b'+' => 62,
            b'/' => 63,
            _ => break, // padding
        };
        bits = bits << 6 | u32::from(six);
        held += 6;
        if held >= 8 {
            held -= 8;
            bytes.push((bits >> held) as u8);
        }
    }
    bytes
}
