//! Power cuts and full disks, many of them: the code of the tests, 1,000 and 200 times. A turn that is lost ends
//! the program with a message.
//!
//! Options: `--json`, `--kills N` (1,000), `--full-disks N` (200), `--seed N` (1).

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    missing_docs,
    dead_code,
    reason = "a measuring program prints its figures and ends with the first thing that fails"
)]

mod hall;
#[path = "../tests/it/survival.rs"]
mod survival;
#[path = "../../arcade/tests/it/visitor.rs"]
mod visitor;

use hall::number;
use serde_json::json;

#[tokio::main]
async fn main() {
    let (kills, full_disks) = (number("--kills", 1_000), number("--full-disks", 200));
    let folder = tempfile::tempdir().expect("a folder");
    let database = folder.path().join("games.sqlite");
    let shown = survival::survive(&database, kills, full_disks, u64::from(number("--seed", 1))).await;
    hall::print(&json!({
        "kills": kills,
        "full_disks": full_disks,
        "turns_shown": shown.turns,
        "games_resumed": shown.resumed,
        "warnings": shown.warned,
    }));
}
