//! The codec of the hub's protocol against an independent one in Python (`hub_codec.py`).

use std::io::Write;
use std::process::{Command, Stdio};

use devices::hub::{crc, frame};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |hex, byte| format!("{hex}{byte:02x}"))
}

fn python(lines: &[String]) -> Vec<String> {
    let python = std::env::var("GAMEBOT_TEST_PYTHON").unwrap_or_else(|_| "python3".into());
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/hub_codec.py");
    let mut child =
        Command::new(python).arg(script).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let text = lines.join("\n");
    // Written from a thread of its own: both pipes may fill.
    let writer = std::thread::spawn(move || stdin.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn two_thousand_random_messages_agree() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(16);
    let messages: Vec<Vec<u8>> = (0..2000)
        .map(|index| {
            let length = rng.random_range(1..400);
            // Some with many delimiters, some with none for long stretches.
            let (low, high) = [(0, 255), (0, 4), (3, 255), (2, 60)][index % 4];
            (0..length).map(|_| rng.random_range(low..=high)).collect()
        })
        .collect();
    let ask = |verb: &str, bytes: &[u8]| format!("{verb} {}", hex(bytes));
    let framed = python(&messages.iter().map(|message| ask("frame", message)).collect::<Vec<_>>());
    let unframed =
        python(&messages.iter().map(|message| ask("unframe", &frame::wrap(message))).collect::<Vec<_>>());
    for ((message, framed), unframed) in messages.iter().zip(framed).zip(unframed) {
        assert_eq!(hex(&frame::wrap(message)), framed);
        assert_eq!(hex(message), unframed);
    }
}

#[test]
fn running_checksums_agree() {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(17);
    let files: Vec<Vec<u8>> =
        (0..100).map(|_| (0..rng.random_range(1..3000)).map(|_| rng.random()).collect()).collect();
    let size = 512;
    let lines = files
        .iter()
        .map(|file| file.chunks(size).fold("crc".to_owned(), |line, chunk| format!("{line} {}", hex(chunk))));
    for (file, answer) in files.iter().zip(python(&lines.collect::<Vec<_>>())) {
        let mut running = 0;
        let ours = file.chunks(size).map(|chunk| {
            running = crc::running(running, chunk);
            format!("{running:08x}")
        });
        assert_eq!(ours.collect::<Vec<_>>().join(" "), answer);
        assert_eq!(answer.split(' ').next_back(), Some(format!("{:08x}", crc::checksum(file)).as_str()));
    }
}
