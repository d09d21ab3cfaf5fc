//! Recordings as files: killed, interrupted, replayed, read by other programs (X3).

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::gamebot::{gamebot, run, stderr, stdout, workspace};

struct Recorded {
    folder: TempDir,
}

impl Recorded {
    fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap() }
    }

    fn path(&self) -> String {
        self.folder.path().join("run.mcap").to_str().unwrap().to_owned()
    }

    fn play(&self, arguments: &[&str]) {
        let output = run(&[["play", "catch", "--record", &self.path()].as_slice(), arguments].concat());
        assert!(output.status.success(), "{}", stderr(&output));
    }

    /// Plays in the background until the file holds `bytes`.
    fn play_until(&self, bytes: u64, arguments: &[&str]) -> Child {
        let path = self.path();
        let command = [["play", "catch", "--record", &path].as_slice(), arguments].concat();
        let child = gamebot(&command).stdout(Stdio::null()).spawn().unwrap();
        while fs::metadata(&path).map_or(0, |file| file.len()) < bytes {
            std::thread::yield_now();
        }
        child
    }

    fn inspect(&self) -> Value {
        let output = run(&["inspect", &self.path(), "--json"]);
        assert!(output.status.success(), "{}", stderr(&output));
        serde_json::from_str(stdout(&output)).unwrap()
    }
}

#[test]
fn a_recording_is_inspected_and_replayed() {
    let recorded = Recorded::new();
    recorded.play(&["--seed", "3", "--set", "catch.torn_frames=0.2", "--set", "catch.lost_presses=0.1"]);
    let summary = recorded.inspect();
    assert_eq!(summary["game"], "catch");
    assert_eq!(summary["seed"], 3);
    assert_eq!(summary["cut_off"], false);
    assert!(summary["step_times"].as_array().unwrap().len() >= 7);

    let replayed = run(&["replay", &recorded.path()]);
    assert_eq!(replayed.status.code(), Some(0), "{}", stderr(&replayed));
    assert!(stdout(&replayed).starts_with("equal: "));
}

#[test]
fn a_changed_recording_is_a_difference() {
    let recorded = Recorded::new();
    recorded.play(&["--seed", "3"]);
    // Chunks carry checksums; without them a changed byte reaches the comparison.
    let file = fs::read(recorded.path()).unwrap();
    let changed = rewrite(&file, "/decision", |text| text.replace("\"to\":", "\"to\": "));
    fs::write(recorded.path(), changed).unwrap();
    let replayed = run(&["replay", &recorded.path(), "--json"]);
    assert_eq!(replayed.status.code(), Some(1), "{}", stderr(&replayed));
    let report: Value = serde_json::from_str(stdout(&replayed)).unwrap();
    assert_eq!(report["equal"], false);
    assert!(report["divergence"]["recorded"].as_str().unwrap().starts_with("/decision "));
}

/// Writes a recording again with the notes of a topic changed.
fn rewrite(file: &[u8], topic: &str, change: impl Fn(&str) -> String) -> Vec<u8> {
    let mut writer = mcap::Writer::new(std::io::Cursor::new(Vec::new())).unwrap();
    let summary = mcap::Summary::read(file).unwrap().unwrap();
    for index in &summary.metadata_indexes {
        writer.write_metadata(&mcap::read::metadata(file, index).unwrap()).unwrap();
    }
    for message in mcap::MessageStream::new(file).unwrap() {
        let mut message = message.unwrap();
        if message.channel.topic == topic {
            // The note's JSON is the first field: its number, its length, its text.
            let length = usize::from(message.data[1]);
            assert!(message.data[0] == 0x0A && length < 0x80, "a short note");
            let changed = change(str::from_utf8(&message.data[2..][..length]).unwrap());
            message.data = [&[0x0A, changed.len() as u8], changed.as_bytes()].concat().into();
        }
        writer.write(&message).unwrap();
    }
    writer.finish().unwrap();
    writer.into_inner().into_inner()
}

#[test]
fn frames_are_exported_as_png() {
    let recorded = Recorded::new();
    recorded.play(&["--set", "catch.balls=1"]);
    let frames = recorded.folder.path().join("frames");
    assert!(run(&["inspect", &recorded.path(), "--frames", frames.to_str().unwrap()]).status.success());
    let files: Vec<_> = fs::read_dir(&frames).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len() as u64, recorded.inspect()["ticks"].as_u64().unwrap());
    assert!(files.iter().all(|file| fs::read(file).unwrap().starts_with(b"\x89PNG")));
}

#[test]
fn equal_runs_give_equal_files() {
    let (first, second) = (Recorded::new(), Recorded::new());
    for recorded in [&first, &second] {
        recorded.play(&[
            "--games",
            "2",
            "--set",
            "recording.wall_clock=false",
            "--set",
            "catch.torn_frames=0.3",
        ]);
    }
    assert!(fs::read(first.path()).unwrap() == fs::read(second.path()).unwrap());
}

#[test]
fn a_killed_run_leaves_a_readable_file() {
    let recorded = Recorded::new();
    let mut child = recorded.play_until(2_000_000, &["--games", "1000000"]);
    child.kill().unwrap(); // SIGKILL
    child.wait().unwrap();
    let summary = recorded.inspect();
    assert_eq!(summary["cut_off"], true);
    assert_eq!(summary["ending"], Value::Null);
    // A frame and its observation are some 600 bytes: all but the last chunk is there.
    assert!(summary["ticks"].as_u64().unwrap() > 2_000, "{summary}");
    let replayed = run(&["replay", &recorded.path(), "--json"]);
    assert_eq!(replayed.status.code(), Some(1), "not equal: nobody knows what came after");
    let report: Value = serde_json::from_str(stdout(&replayed)).unwrap();
    assert_eq!((&report["equal"], &report["cut_off"]), (&false.into(), &true.into()));
    assert_eq!(report["divergence"], Value::Null);
}

#[test]
fn ctrl_c_ends_a_run_cleanly() {
    let recorded = Recorded::new();
    let mut child = recorded.play_until(1, &["--speed", "real", "--games", "1000"]);
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    let summary = recorded.inspect();
    assert_eq!(summary["cut_off"], false);
    assert_eq!(summary["ending"], "cancelled");
    assert_eq!(run(&["replay", &recorded.path()]).status.code(), Some(0));
}

/// The official Python reader of the format opens our files; each figure that its protobuf decoder finds is the one that
/// was noted, and there is none that it does not find.
#[test]
fn the_official_python_reader_finds_every_figure() {
    let recorded = Recorded::new();
    recorded.play(&[
        "--set",
        "catch.balls=4",
        "--set",
        "catch.torn_frames=0.1",
        "--set",
        "catch.lost_presses=0.3",
    ]);
    let figures = read_in_python(&recorded.path());
    let ticks = recorded.inspect()["ticks"].as_u64().unwrap();
    assert_eq!(figures["image"], "foxglove.CompressedImage");
    assert_eq!(figures["records"], serde_json::json!(["run", "wall_clock"]));
    assert_eq!(figures["messages"]["/frame"], ticks);
    let seen = figures["messages"]["/observation"].as_u64().unwrap();
    assert_eq!(seen + figures["messages"]["/unclear"].as_u64().unwrap(), ticks);
    for topic in ["/verdict", "/decision", "/plan", "/command", "/remedy", "/body", "/ending"] {
        assert!(figures["messages"][topic].as_u64().is_some_and(|count| count > 0), "{topic}: {figures}");
    }
    // The columns in which the four balls of this seed fall.
    assert_eq!(figures["balls"], serde_json::json!(["1", "7", "8"]));
}

/// The notes of the other players fit what their recordings say of them.
#[test]
fn every_players_notes_fit_their_types() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let samegame = path("samegame.mcap");
    let play = ["play", "samegame", "--body", "simulated-window", "--rounds", "1", "--record", &samegame];
    let output = run(&play);
    assert!(output.status.success(), "{}", stderr(&output));
    let agent = path("agent.mcap");
    let walker = "program:python3 examples/menu_walker.py 7 3";
    let output = run(&["play", "gameboy", "--player", walker, "--record", &agent]);
    assert!(output.status.success(), "{}", stderr(&output));
    let tetris = path("tetris.mcap");
    // A seed whose player leaves the title at once.
    let recorded =
        gamebot(&["play", "tetris", "--seed", "0", "--record", &tetris]).stdout(Stdio::null()).spawn();
    let mut child = recorded.unwrap();
    while fs::metadata(&tetris).map_or(0, |file| file.len()) < 300_000 {
        assert!(child.try_wait().unwrap().is_none(), "a game leaves more behind");
        std::thread::yield_now();
    }
    let interrupted = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(interrupted.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    for (file, topics) in [
        (samegame, ["/observation", "/decision", "/plan"]),
        (agent, ["/observation", "/decision", "/command"]),
        (tetris, ["/observation", "/decision", "/plan"]),
    ] {
        let figures = read_in_python(&file);
        for topic in topics {
            assert!(figures["messages"][topic].as_u64().is_some_and(|count| count > 0), "{topic}: {figures}");
        }
    }
}

/// Reads a recording with the official reader and compares every note with its typed form.
fn read_in_python(path: &str) -> Value {
    let program = "
import json, sys
from mcap.reader import make_reader
from mcap_protobuf.decoder import DecoderFactory

def record(message, value):
    if isinstance(value, str):
        return getattr(message, value) is True
    if isinstance(value, list):
        return field(message, 'items', value)
    return all(field(message, name, inner) for name, inner in value.items())

def field(message, name, value):
    if value is None:
        return not message.HasField(name)
    found = getattr(message, name)
    if isinstance(value, list):
        pairs = list(zip(found, value))
        return len(found) == len(value) and all(
            record(one, other) if hasattr(one, 'DESCRIPTOR') else one == other for one, other in pairs)
    return record(found, value) if hasattr(found, 'DESCRIPTOR') else found == value

messages, image, balls = {}, None, set()
with open(sys.argv[1], 'rb') as file:
    reader = make_reader(file, validate_crcs=True, decoder_factories=[DecoderFactory()])
    for schema, channel, message, decoded in reader.iter_decoded_messages():
        messages[channel.topic] = messages.get(channel.topic, 0) + 1
        if channel.topic == '/frame':
            image = schema.name
            continue
        note, name = json.loads(decoded.json), channel.topic[1:]
        # A note that is no record is the one field beside its JSON.
        own = isinstance(note, list) or not isinstance(note, dict) and note not in decoded.DESCRIPTOR.fields_by_name
        assert field(decoded, name, note) if own else record(decoded, note), (channel.topic, decoded)
        if schema.name == 'gamebot.observation' and hasattr(decoded, 'playing') and decoded.HasField('playing'):
            balls.add(getattr(decoded.playing, 'ball', None))
    names = [one.name for one in reader.iter_metadata()]
print(json.dumps({'messages': messages, 'image': image, 'records': names, 'balls': sorted(map(str, balls))}))
";
    let output = Command::new(python()).args(["-c", program, path]).output().unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    serde_json::from_str(stdout(&output)).unwrap()
}

/// The interpreter that `cargo xtask test` prepares.
fn python() -> String {
    let prepared = workspace().join("target/python/bin/python3");
    let python = std::env::var("GAMEBOT_TEST_PYTHON").unwrap_or(prepared.to_str().unwrap().to_owned());
    assert!(Path::new(&python).exists(), "run `cargo xtask test` once: it prepares {python}");
    python
}

#[test]
fn recordings_of_earlier_versions_replay_equal() {
    let replay = |file: &str| {
        let path = format!("{}/../../fixtures/recordings/{file}", env!("CARGO_MANIFEST_DIR"));
        stdout(&run(&["replay", &path])).to_owned()
    };
    assert_eq!(replay("catch-0.1.0.mcap"), "equal: 420 notes happened again\n");
    assert_eq!(
        replay("tetris-0.1.0-cut-off.mcap"),
        "cut off: 404 notes happened again, then the recording ends in mid-run\n"
    );
}
