//! The bench: what can be measured, what is being measured, and what was.

use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// What can be measured in a few minutes, by its name in the lab.
pub const EXPERIMENTS: [(&str, &[&str]); 10] = [
    ("pieces", &["measure", "pieces", "--count", "18000", "--seed", "1"]),
    ("actuator-speed", &["measure", "actuator-speed"]),
    ("actuator-reliability", &["measure", "actuator-reliability"]),
    ("recognition", &["measure", "recognition"]),
    ("image-processing", &["measure", "image-processing"]),
    ("robot", &["measure", "robot", "--games", "1"]),
    ("strength", &["measure", "strength", "--games", "5", "--threads", "1"]),
    ("lego-turns", &["measure", "lego-turns", "--games", "2"]),
    ("compare-tetris", &["compare", "tetris", "--players", "lee,bcts,ours", "--games", "5", "--seed", "1"]),
    (
        "compare-connect-four",
        &["compare", "connect-four", "--players", "easy,hard", "--games", "20", "--seed", "1"],
    ),
];
/// Those that draw.
const PLOTTED: &[&str] = &[
    "pieces",
    "actuator-speed",
    "actuator-reliability",
    "recognition",
    "image-processing",
    "robot",
    "strength",
    "lego-turns",
    "compare-tetris",
];
/// Results that are kept.
const KEPT: usize = 50;
/// What is kept of a measurement's words.
const LONGEST_OUTPUT: u64 = 64 << 10;
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Why nothing is measured.
#[derive(Debug, Error)]
pub enum LabError {
    /// There is no such measurement.
    #[error("there is no measurement {0:?}")]
    Unknown(String),
    /// One runs already.
    #[error("{0} is being measured; one runs at a time")]
    Busy(String),
    /// Nothing runs.
    #[error("nothing is being measured")]
    Idle,
    /// The program cannot be started, or the folder not written.
    #[error("cannot measure: {0}")]
    Start(#[from] io::Error),
}

/// A measurement that is over.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Its name in addresses.
    pub id: String,
    /// Which measurement.
    pub experiment: String,
    /// The command that repeats it.
    pub command: String,
    /// When it ended, as RFC 3339.
    pub at: String,
    /// How long it took.
    pub seconds: f64,
    /// `done`, `failed` or `stopped`.
    pub state: String,
    /// What it printed.
    pub output: String,
    /// Whether there is a plot.
    pub plot: bool,
}

/// A measurement under way.
#[derive(Clone, Debug, Serialize)]
pub struct UnderWay {
    /// Which.
    pub experiment: String,
    /// Its command.
    pub command: String,
    /// Its last word.
    pub progress: String,
    #[serde(skip)]
    child: Arc<Mutex<Child>>,
    #[serde(skip)]
    stopped: bool,
}

/// The lab; cheap to clone.
#[derive(Clone, Debug)]
pub struct Lab(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    program: Option<PathBuf>,
    folder: PathBuf,
    is_temporary: bool,
    running: Mutex<Option<UnderWay>>,
}

impl Lab {
    /// A lab that measures with `program` and keeps results in a folder; none for one that is deleted at the end.
    pub fn open(program: Option<PathBuf>, folder: Option<PathBuf>) -> Self {
        let is_temporary = folder.is_none();
        let temporary = || {
            std::env::temp_dir().join(format!(
                "gamebot-lab-{}-{:x}",
                std::process::id(),
                rand::random::<u64>()
            ))
        };
        Self(Arc::new(Inner {
            program,
            folder: folder.unwrap_or_else(temporary),
            is_temporary,
            running: Mutex::default(),
        }))
    }

    /// Whether there is a program to measure with.
    pub fn can_measure(&self) -> bool {
        self.0.program.is_some()
    }

    /// What runs.
    pub fn running(&self) -> Option<UnderWay> {
        self.lock().clone()
    }

    /// What was measured, newest first.
    pub fn results(&self) -> Vec<Measured> {
        let files = fs::read_dir(&self.0.folder).into_iter().flatten().flatten();
        let read = |path: PathBuf| serde_json::from_slice(&fs::read(path).ok()?).ok();
        let mut all: Vec<Measured> = files
            .map(|file| file.path())
            .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
            .filter_map(read)
            .collect();
        all.sort_by(|a, b| b.at.cmp(&a.at));
        all
    }

    /// The plot of a result.
    pub fn plot(&self, id: &str) -> Option<Vec<u8>> {
        let fine = id.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if fine { fs::read(self.0.folder.join(format!("{id}.svg"))).ok() } else { None }
    }

    /// Begins a measurement.
    pub fn start(&self, name: &str) -> Result<(), LabError> {
        let (name, arguments) = EXPERIMENTS
            .into_iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| LabError::Unknown(name.to_owned()))?;
        let mut running = self.lock();
        if let Some(other) = &*running {
            return Err(LabError::Busy(other.experiment.clone()));
        }
        let program =
            self.0.program.as_ref().ok_or_else(|| io::Error::other("this server has no program to run"))?;
        fs::create_dir_all(&self.0.folder)?;
        let id = format!("{name}-{}", jiff::Zoned::now().strftime("%Y%m%d-%H%M%S"));
        let mut command = Command::new(program);
        command.args(arguments);
        if PLOTTED.contains(&name) {
            command.arg("--plot").arg(self.0.folder.join(format!("{id}.svg")));
        }
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()?;
        let (stdout, stderr) = (child.stdout.take(), child.stderr.take());
        let child = Arc::new(Mutex::new(child));
        let written = format!("gamebot {}", arguments.join(" "));
        *running = Some(UnderWay {
            experiment: name.to_owned(),
            command: written.clone(),
            progress: String::new(),
            child: Arc::clone(&child),
            stopped: false,
        });
        drop(running);
        let listener = stderr.map(|stderr| {
            let lab = self.clone();
            std::thread::spawn(move || lab.follow(stderr))
        });
        let lab = self.clone();
        let mut measured = Measured {
            id,
            experiment: name.to_owned(),
            command: written,
            at: String::new(),
            seconds: 0.0,
            state: "failed".to_owned(),
            output: String::new(),
            plot: false,
        };
        let begun = jiff::Timestamp::now();
        std::thread::spawn(move || {
            if let Some(stdout) = stdout {
                // A measurement may print anything; what is not text is not kept.
                let _ = stdout.take(LONGEST_OUTPUT).read_to_string(&mut measured.output);
            }
            let ended_well = wait(&child);
            if let Some(listener) = listener {
                // Its last word says why it failed; a listener that panicked has heard nothing.
                let _ = listener.join();
            }
            let now = jiff::Timestamp::now();
            (measured.at, measured.seconds) =
                (format!("{now:.3}"), (now - begun).total(jiff::Unit::Second).unwrap_or(0.0));
            lab.finish(measured, ended_well);
        });
        Ok(())
    }

    /// Ends the measurement under way.
    pub fn stop(&self) -> Result<(), LabError> {
        let mut running = self.lock();
        let under_way = running.as_mut().ok_or(LabError::Idle)?;
        under_way.stopped = true;
        under_way.child.lock().unwrap_or_else(PoisonError::into_inner).kill()?;
        Ok(())
    }

    /// Keeps the last word of a measurement.
    fn follow(&self, stderr: impl Read) {
        for line in BufReader::new(stderr).split(b'\n').map_while(Result::ok) {
            let text = String::from_utf8_lossy(&line);
            // Progress is written over itself.
            let last = text.rsplit('\r').find(|part| !part.trim().is_empty()).unwrap_or_default();
            let words: String = last.chars().filter(|letter| !letter.is_control()).take(200).collect();
            if let Some(running) = &mut *self.lock() {
                running.progress = words;
            }
        }
    }

    fn finish(&self, mut measured: Measured, ended_well: bool) {
        let running = self.lock().take();
        let stopped = running.as_ref().is_some_and(|running| running.stopped);
        let state = if stopped {
            "stopped"
        } else if ended_well {
            "done"
        } else {
            "failed"
        };
        state.clone_into(&mut measured.state);
        if measured.output.trim().is_empty() {
            measured.output = running.map_or_else(String::new, |running| running.progress);
        }
        measured.plot = self.plot(&measured.id).is_some();
        let path = self.0.folder.join(format!("{}.json", measured.id));
        let json = serde_json::to_vec(&measured).unwrap_or_default();
        if let Err(error) = fs::write(&path, json) {
            tracing::warn!(%error, path = %path.display(), "a measurement is not kept");
        }
        for old in self.results().into_iter().skip(KEPT) {
            for ending in ["json", "svg"] {
                // There may be no plot.
                let _ = fs::remove_file(self.0.folder.join(format!("{}.{ending}", old.id)));
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<UnderWay>> {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        if self.is_temporary {
            // It may never have been made.
            let _ = fs::remove_dir_all(&self.folder);
        }
    }
}

/// Waits until it has ended; whether it says that all is well.
#[expect(clippy::disallowed_methods, reason = "another program runs in wall time")]
fn wait(child: &Mutex<Child>) -> bool {
    loop {
        let ended = child.lock().unwrap_or_else(PoisonError::into_inner).try_wait();
        match ended {
            Ok(Some(status)) => return status.success(),
            Ok(None) => std::thread::sleep(LOOK_EVERY),
            Err(_) => return false,
        }
    }
}
