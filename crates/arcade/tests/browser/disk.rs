//! A disk that cannot be written, and a database that is damaged, as visitors and the operator meet them (C12).

use rusqlite::Connection;

use crate::browser::Device;
use crate::operator::operator;
use crate::stage::Stage;

/// Whoever plays is told that games cannot be stored, and when they are again, and the operator reads where a
/// damaged database is.
#[tokio::test(flavor = "multi_thread")]
async fn trouble_with_the_disk_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    std::fs::write(&database, b"SQLite format 3\0 and then nothing that makes sense".repeat(100)).unwrap();
    let stage = Stage::open_on(Some(&database), &["robot.kind=none"]).await;
    let operator = operator(&stage).await;
    let told = operator.reads("#database-warning:not([hidden])").await;
    assert!(told.contains("It is kept as ") && told.contains("games.sqlite.damaged-"), "{told}");
    operator.keeps_picture("admin-database").await;

    let anna = stage.visitor(Device::Phone, "/lobby").await;
    anna.signs_up("Anna", "easy").await;
    anna.sees("body[data-view=playing]").await;
    // Somebody else writes the file: nothing of ours gets through.
    let other = Connection::open(&database).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    anna.drops(4).await;
    anna.sees("#strip-recording").await;
    assert!(anna.reads("#strip-recording").await.starts_with("Games cannot be stored at the moment"));
    anna.keeps_picture("strip-recording-phone").await;
    operator.sees("#happenings [data-kind=fault]").await;
    // It is still there after a reload, and goes when everything is stored.
    anna.reload().await;
    anna.sees("#strip-recording").await;
    other.execute_batch("COMMIT").unwrap();
    anna.sees_that("return document.getElementById('strip-recording') === null").await;
    anna.drops(4).await;
    stage.close([anna, operator]).await;
}
