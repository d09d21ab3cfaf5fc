//! What strangers may send: one function per way in, which must survive any bytes.
//!
//! Tests run each on its corpus and on mutated copies of it (`tests/corpus.rs`), `cargo xtask fuzz` does the same for as
//! long as it is told, and `nightly/` hands the same functions to cargo-fuzz. A target panics if an answer breaks our own
//! rules; errors are fine.

#![allow(
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::panic,
    reason = "a target that finds a mistake panics: that is how fuzzers learn of it"
)]

mod boards;
mod cartridges;
mod configurations;
mod hub;
mod mutate;
mod plug_ins;
mod recordings;
mod serial_line;
mod tbp;
mod values;
mod visitors;

use std::path::{Path, PathBuf};

pub use mutate::Mutator;

/// One way in.
#[derive(Debug)]
pub struct Target {
    /// Its name, also of its folder under `corpus/`.
    pub name: &'static str,
    /// What comes in there.
    pub what: &'static str,
    /// More to begin with: files and folders from the workspace's root.
    pub fixtures: &'static [&'static str],
    /// Survives any bytes.
    pub run: fn(&[u8]),
}

/// All ways in.
pub const TARGETS: &[Target] = &[
    Target {
        name: "configuration",
        what: "profiles, flags and variables",
        fixtures: &["fixtures/configuration", "profiles/samegame"],
        run: configurations::read,
    },
    Target {
        name: "boards",
        what: "boards and moves of all games as text",
        fixtures: &["fixtures/samegame/standard20.txt"],
        run: boards::read,
    },
    Target {
        name: "recordings",
        what: "MCAP files",
        fixtures: &["fixtures/recordings/catch-0.1.0.mcap"],
        run: recordings::read,
    },
    Target {
        name: "tbp",
        what: "front ends and bots of the Tetris Bot Protocol",
        fixtures: &[],
        run: tbp::hear,
    },
    Target {
        name: "plug-ins",
        what: "WebAssembly modules, binary and text",
        fixtures: &["fixtures/tetris/plugins/low.wat"],
        run: plug_ins::load,
    },
    Target {
        name: "cartridges",
        what: "Game Boy images",
        fixtures: &["rom/stackfall.gb"],
        run: cartridges::insert,
    },
    Target { name: "values", what: "learned tables", fixtures: &[], run: values::read },
    Target {
        name: "serial-line",
        what: "the Connect Four robot's line, both ends",
        fixtures: &[],
        run: serial_line::hear,
    },
    Target {
        name: "visitors",
        what: "events of the arcade's pages",
        fixtures: &[],
        run: |bytes| {
            visitors::send(&String::from_utf8_lossy(bytes));
        },
    },
    Target {
        name: "hub",
        what: "frames and messages of a LEGO hub",
        fixtures: &[],
        run: |bytes| {
            hub::hear(bytes);
        },
    },
];

/// The inputs to begin with: the target's own folder and its fixtures, in the order of their names.
pub fn corpus(target: &Target) -> std::io::Result<Vec<Vec<u8>>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let own = root.join("fuzz/corpus").join(target.name);
    let mut files = Vec::new();
    // A target may do with its fixtures.
    let own = own.is_dir().then_some(own);
    for place in own.into_iter().chain(target.fixtures.iter().map(|name| root.join(name))) {
        collect(&place, &mut files)?;
    }
    files.iter().map(std::fs::read).collect()
}

fn collect(place: &Path, files: &mut Vec<PathBuf>) -> std::io::Result<()> {
    if place.is_dir() {
        let mut entries: Vec<_> =
            std::fs::read_dir(place)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<_>>()?;
        entries.sort();
        return entries.iter().try_for_each(|entry| collect(entry, files));
    }
    files.push(place.to_owned());
    Ok(())
}
