//! What documents say is so: every command that a document or a help page shows is run, and what they list is complete.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use crate::gamebot::{run, stdout, workspace};

/// How long a command may work before it gets a Ctrl-C; many go on for hours, or until somebody ends them.
const PATIENCE: Duration = Duration::from_millis(400);
/// After this it counts as one that does not hear Ctrl-C.
const DEAF: Duration = Duration::from_mins(2);
const AT_ONCE: usize = 4;
/// Of the next command.
static NUMBER: AtomicU32 = AtomicU32::new(0);

/// What a test does not have, by the words of commands that want it. Without it they end with 1, or with 2 and one of
/// [`WITHOUT`].
const NEEDS: &[(&str, &str)] = &[
    ("--body lego", "a LEGO hub"),
    ("measure lego-colors", "a LEGO hub"),
    ("--body robot", "solenoids, and a camera"),
    ("--camera", "a camera"),
    ("robot.kind=lego", "a LEGO hub"),
    ("robot.kind=serial", "a serial line"),
    ("--window", "a desktop"),
    ("--region", "a desktop"),
    ("--screen", "a desktop"),
    ("simulate samegame", "a desktop"),
    ("--body terminal", "a terminal"),
    ("play connect-four", "a person at the keyboard"),
];

/// What is said for want of a device, unlike for a mistake in the command.
const WITHOUT: &[&str] =
    &["cannot open the hub's port", "no X11 display", "is not a terminal", "needs a terminal"];

/// What is written differently in a test: addresses that others may use at the same time, and names that are looked up in
/// a network.
const INSTEAD: &[(&str, &str)] = &[
    ("0.0.0.0:8080", "127.0.0.1:0"),
    ("127.0.0.1:8090", "127.0.0.1:0"),
    ("http://cam/", "http://127.0.0.1:9/"),
];

#[test]
fn every_documented_command_runs() {
    let commands = documented();
    assert!(commands.len() > 150, "{} commands", commands.len());
    let wrong = Mutex::new(String::new());
    let waiting = Mutex::new(commands.iter());
    std::thread::scope(|scope| {
        for _ in 0..AT_ONCE {
            scope.spawn(|| {
                // Of its own: commands write files that others read.
                let folder = tempfile::tempdir().unwrap();
                prepare(folder.path());
                loop {
                    let Some((command, place)) = waiting.lock().unwrap().next() else { break };
                    if let Err(why) = try_out(command, folder.path()) {
                        writeln!(wrong.lock().unwrap(), "{place}: {command}\n{why}\n").unwrap();
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "\n{wrong}");
}

#[test]
fn what_does_not_exist_is_noticed() {
    let folder = tempfile::tempdir().unwrap();
    for command in ["gamebot paly catch", "gamebot play catch --recrod run.mcap", "gamebot inspect no.mcap"] {
        assert!(try_out(command, folder.path()).is_err(), "{command}");
    }
}

/// Runs a command as a shell does, until it ends or has worked for a while.
fn try_out(command: &str, folder: &Path) -> Result<(), String> {
    let mut line = INSTEAD.iter().fold(command.to_owned(), |line, (from, to)| line.replace(from, to));
    // Simulated devices of the same name do not run side by side.
    line = line.replace("/tmp/", &format!("{}-", NUMBER.fetch_add(1, Ordering::Relaxed)));
    let listens = ["arcade", "simulate camera", "simulate brickd"].iter().any(|name| line.contains(name));
    if listens && !line.contains("--listen") {
        line.push_str(" --listen 127.0.0.1:0");
    }
    let errors = tempfile::NamedTempFile::new().unwrap();
    let program = Path::new(env!("CARGO_BIN_EXE_gamebot")).parent().unwrap();
    let path = format!("{}:{}", program.display(), std::env::var("PATH").unwrap_or_default());
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec {line}")]).current_dir(folder);
    shell.env("HOME", folder).env("PATH", path).env_remove("DISPLAY").env_remove("XDG_CONFIG_HOME");
    shell.stdin(Stdio::null()).stdout(Stdio::null()).stderr(errors.reopen().unwrap());
    let mut child = shell.spawn().map_err(|error| error.to_string())?;
    let id = child.id().to_string();
    let (ended, end) = mpsc::channel();
    let waits = std::thread::spawn(move || ended.send(child.wait().unwrap()));
    let signal = |name: &str| Command::new("kill").args([name, &id]).stderr(Stdio::null()).status();
    let status = end.recv_timeout(PATIENCE).or_else(|_| {
        signal("-INT").unwrap();
        end.recv_timeout(DEAF)
    });
    let Ok(status) = status else {
        signal("-KILL").unwrap();
        waits.join().unwrap().unwrap();
        return Err("does not end on Ctrl-C".to_owned());
    };
    let needs = NEEDS.iter().find(|(words, _)| line.contains(words)).map(|(_, what)| *what);
    let said = fs::read_to_string(errors.path()).unwrap_or_default();
    if is_fine(status) || needs.is_some() && is_want_of_device(status, &said) {
        return Ok(());
    }
    let needs = needs.map(|what| format!(" without {what}")).unwrap_or_default();
    Err(format!("ended with {status}{needs}\n{}", said.trim()))
}

/// Whether a command ended as it should: done or interrupted.
fn is_fine(status: ExitStatus) -> bool {
    const INTERRUPT: i32 = 2;
    match status.code() {
        Some(code) => matches!(code, 0 | 130),
        // Ctrl-C before it listened for it.
        None => status.signal() == Some(INTERRUPT),
    }
}

fn is_want_of_device(status: ExitStatus, said: &str) -> bool {
    match status.code() {
        Some(1) => true,
        Some(2) => WITHOUT.iter().any(|words| said.contains(words)),
        _ => false,
    }
}

/// Files that the documents' commands read.
fn prepare(folder: &Path) {
    let root = workspace();
    let copy = |from: &str, to: &str| {
        let to = folder.join(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root.join(from), to).unwrap();
    };
    copy("fixtures/recordings/catch-0.1.0.mcap", "run.mcap");
    copy("fixtures/recordings/catch-0.1.0.mcap", "game.mcap");
    copy("fixtures/tetris/plugins/low.wat", "my-plugins/mine.wat");
    copy("rom/stackfall.gb", "my-cartridge.gb");
    copy("rom/stackfall.gb", "my-game.gb");
    copy("examples/menu_walker.py", "examples/menu_walker.py");
    copy("examples/menu_walker.py", "my-agent");
    fs::write(folder.join("boards.txt"), "[[1,1,2],[1,2,2]]\n").unwrap();
    fs::write(folder.join("positions.txt"), "4453\n44\n").unwrap();
    fs::write(folder.join("my-rig.toml"), stdout(&run(&["config", "init"]))).unwrap();
    for completions in [".local/share/bash-completion/completions", ".config/fish/completions", ".zfunc"] {
        fs::create_dir_all(folder.join(completions)).unwrap();
    }
    draw_board(&folder.join("shot.png"));
}

/// A picture of a SameGame board of 8 × 6 tiles in three colours.
fn draw_board(path: &Path) {
    const TILE: usize = 40;
    const GROUND: [u8; 3] = [24, 24, 28];
    let mut pixels = Vec::new();
    for y in 0..6 * TILE {
        for x in 0..8 * TILE {
            let inside = (3..TILE - 3).contains(&(x % TILE)) && (3..TILE - 3).contains(&(y % TILE));
            let colours = [[220, 60, 60], [60, 200, 80], [70, 90, 230]];
            pixels.extend(if inside {
                colours[(x / TILE * 5 + y / TILE * 7 + x / TILE * (y / TILE)) % 3]
            } else {
                GROUND
            });
        }
    }
    let mut encoder = png::Encoder::new(fs::File::create(path).unwrap(), 8 * TILE as u32, 6 * TILE as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
}

/// The commands, each with where it stands.
fn documented() -> BTreeMap<String, String> {
    let mut commands = BTreeMap::new();
    let root = workspace();
    let documents = fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path());
    let more =
        ["README.md", "CONTRIBUTING.md", "rom/README.md", "python/README.md"].map(|name| root.join(name));
    for path in documents.chain(more).filter(|path| path.extension().is_some_and(|end| end == "md")) {
        let text = fs::read_to_string(&path).unwrap();
        let place = path.strip_prefix(&root).unwrap().display().to_string();
        commands.extend(in_markdown(&text).into_iter().map(|command| (command, place.clone())));
    }
    add_examples(&[], &mut commands);
    commands
}

/// The examples of a command's help and of all commands below it.
fn add_examples(command: &[&str], commands: &mut BTreeMap<String, String>) {
    let help = run(&[command, &["--help"]].concat());
    let text = stdout(&help);
    let place = format!("gamebot {} --help", command.join(" "));
    commands.extend(text.lines().filter_map(in_help).map(|example| (example, place.clone())));
    let below =
        text.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    // Explanations of more than a line go on further in.
    let names = below.filter_map(|line| line.strip_prefix("  ").filter(|line| !line.starts_with(' ')));
    for name in names.filter_map(|line| line.split_whitespace().next()).filter(|name| *name != "help") {
        add_examples(&[command, &[name]].concat(), commands);
    }
}

/// An example of a help page; its explanation stands two blanks or more after it.
fn in_help(line: &str) -> Option<String> {
    let line = line.strip_prefix("  ").filter(|line| line.starts_with("gamebot "))?;
    Some(line.split("  ").next()?.trim().to_owned())
}

/// Commands in code, between backticks or in blocks.
fn in_markdown(text: &str) -> Vec<String> {
    let mut commands = Vec::new();
    let mut fenced = false;
    let mut paragraph = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        } else if fenced {
            commands.extend(as_command(line.split(" #").next().unwrap_or_default()));
        } else if line.is_empty() || line.starts_with('|') {
            commands.extend(paragraph.split('`').skip(1).step_by(2).filter_map(as_command));
            line.clone_into(&mut paragraph);
        } else {
            paragraph.push(' ');
            paragraph.push_str(line);
        }
    }
    commands.extend(paragraph.split('`').skip(1).step_by(2).filter_map(as_command));
    commands
}

fn as_command(text: &str) -> Option<String> {
    let text = text.trim().replace("\\|", "|");
    let ours = ["gamebot ", "cargo run --release -- ", "./target/release/gamebot "];
    let arguments = ours.iter().find_map(|start| text.strip_prefix(start))?;
    // "…" and a choice between words stand for what the reader fills in.
    let is_whole = !arguments.contains(['…', '|']);
    is_whole.then(|| format!("gamebot {}", arguments.trim()))
}

#[test]
fn commands_are_found_where_they_stand() {
    let text = "Try `gamebot solve connect-four\n44` or `gamebot x…`.\n\n```sh\ngamebot arcade   # a\n   cargo run --release -- tbp\n```\n| a | `gamebot tune a\\|b` and `gamebot play catch` |\n";
    let mut found = in_markdown(text);
    found.sort();
    assert_eq!(
        found,
        ["gamebot arcade", "gamebot play catch", "gamebot solve connect-four 44", "gamebot tbp"]
    );
    assert_eq!(in_help("  gamebot a 'b c'  what it does").as_deref(), Some("gamebot a 'b c'"));
    assert_eq!(in_help("     continued"), None);
}

#[test]
fn every_channel_of_a_recording_is_documented() {
    let text = fs::read_to_string(workspace().join("docs/recordings.md")).unwrap();
    // Notes on the machine itself are not recorded.
    for topic in engine::notes::Topic::ALL.into_iter().filter(|topic| !topic.is_of_the_machine()) {
        assert!(
            text.contains(&format!("`{}`", topic.channel())),
            "docs/recordings.md lacks {}",
            topic.channel()
        );
    }
}
