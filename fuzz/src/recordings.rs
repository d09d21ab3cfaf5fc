//! Recordings: MCAP files of anybody.

use engine::replay::{Summary, Tape};

/// Larger pictures than any eye of ours has are only counted.
const LARGEST_PICTURE: usize = 1 << 20;

/// Reads the file to its end, pictures included.
pub fn read(bytes: &[u8]) {
    let Ok(tape) = Tape::open(bytes) else { return };
    drop(Summary::read(tape, |note| {
        if note.bytes.len() < LARGEST_PICTURE {
            drop(note.picture());
        }
    }));
}
