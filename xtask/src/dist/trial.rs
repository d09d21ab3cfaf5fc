//! Tries a package: made again it has the same bytes; installed, its service runs as a user without rights; removed, it
//! leaves nothing behind.

use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, bail, ensure};

use super::{PROFILE, UNIT, package};
use crate::run;

/// How long the service may take to answer on a busy machine.
const ANSWERS_WITHIN: Duration = Duration::from_mins(1);

/// Makes the files once more, compares them, and runs the service from the package.
pub fn try_package(program: &Path, made: &[PathBuf]) -> anyhow::Result<()> {
    let again = package(program, Path::new("target/dist-again"))?;
    for (first, second) in made.iter().zip(&again) {
        ensure!(
            fs::read(first)? == fs::read(second)?,
            "{} has other bytes when it is made again",
            first.display()
        );
    }
    let debian = made.iter().find(|file| file.extension().is_some_and(|end| end == "deb"));
    run_service(debian.context("there is no Debian package")?)?;
    eprintln!(
        "xtask: the same bytes twice; installed, the service answers and ends; removed, nothing is left"
    );
    Ok(())
}

/// Installs the package in a folder, starts the unit's own command there, and removes it.
fn run_service(debian: &Path) -> anyhow::Result<()> {
    let root = std::env::temp_dir().join(format!("gamebot-package-{}", std::process::id()));
    fs::create_dir_all(root.join("state"))?;
    let result = install(debian, &root).and_then(|()| run_service_in(&root)).and_then(|()| purge(&root));
    fs::remove_dir_all(&root)?;
    result
}

/// Has the system's package manager install the package below this folder. It knows of no other package there, so that
/// libraries count as missing.
fn install(debian: &Path, root: &Path) -> anyhow::Result<()> {
    let records = root.join("var/lib/dpkg");
    for folder in ["info", "updates"] {
        fs::create_dir_all(records.join(folder))?;
    }
    for file in ["status", "available"] {
        fs::write(records.join(file), "")?;
    }
    run::run_command(dpkg(root).args(["--force-depends", "--install"]).arg(debian))?;
    run::run_command(dpkg(root).args(["--verify", "gamebot"]))
}

/// Removes the package with its configuration; nothing of it may be left.
fn purge(root: &Path) -> anyhow::Result<()> {
    run::run_command(dpkg(root).args(["--purge", "gamebot"]))?;
    for path in ["usr/bin/gamebot", PROFILE, UNIT] {
        ensure!(!root.join(path).exists(), "/{path} is left after the package was removed");
    }
    Ok(())
}

fn dpkg(root: &Path) -> Command {
    let mut command = Command::new("dpkg");
    command.arg(format!("--root={}", root.display())).arg("--force-not-root");
    command
}

fn run_service_in(root: &Path) -> anyhow::Result<()> {
    let unit = fs::read_to_string(root.join(UNIT))?;
    let start =
        unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).context("the unit starts nothing")?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let in_root = |path: &str| root.join(path.trim_start_matches('/')).display().to_string();
    let start = start
        .replace("/usr/bin/gamebot", &in_root("usr/bin/gamebot"))
        .replace(&format!("/{PROFILE}"), &in_root(PROFILE))
        .replace("0.0.0.0:8080", &format!("127.0.0.1:{port}"));
    let words: Vec<&str> = start.split_whitespace().collect();
    let mut command = if run::capture("id", &["-u"])?.trim() == "0" {
        // The unit's DynamicUser: nobody, with a folder for its state and nothing else.
        run::run_command(Command::new("chown").arg("nobody").arg(root.join("state")))?;
        run::run_command(Command::new("chmod").args(["755"]).arg(root))?;
        let mut command = Command::new("setpriv");
        command.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).args(&words);
        command
    } else {
        let mut command = Command::new(words[0]);
        command.args(&words[1..]);
        command
    };
    eprintln!("xtask: {start}");
    command.current_dir(root.join("state")).env_clear().env("PATH", "/usr/bin:/bin").stdout(Stdio::null());
    let mut service = command.spawn().context("cannot start the service")?;
    let answers = ["/healthz", "/", "/docs/", "/static/wasm/browser.wasm"]
        .iter()
        .try_for_each(|path| answers(&mut service, port, path));
    run::run("kill", &["-TERM", &service.id().to_string()])?;
    let status = service.wait()?;
    answers?;
    ensure!(status.success(), "the service ended with {status}");
    let kept = fs::read_dir(root.join("state"))?.count();
    ensure!(kept > 0, "the service kept no database in its folder");
    Ok(())
}

/// Asks until the page is there.
#[expect(clippy::disallowed_methods, reason = "another program starts in wall time")]
fn answers(service: &mut Child, port: u16, path: &str) -> anyhow::Result<()> {
    let until = Instant::now() + ANSWERS_WITHIN;
    while Instant::now() < until {
        if let Some(status) = service.try_wait()? {
            bail!("the service ended by itself with {status}");
        }
        if get(port, path).is_ok_and(|answer| answer.starts_with(b"HTTP/1.1 200")) {
            return Ok(());
        }
        std::thread::park_timeout(Duration::from_millis(50));
    }
    bail!("{path} did not answer")
}

fn get(port: u16, path: &str) -> std::io::Result<Vec<u8>> {
    let mut stream = TcpStream::connect(("127.0.0.1", port))?;
    stream.set_read_timeout(Some(Duration::from_secs(10)))?;
    write!(stream, "GET {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\n\r\n")?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    Ok(answer)
}
