//! A disk that is slow: nobody waits for it, everybody is told, and nobody is told for longer than it lasts (C12).

use std::path::Path;

use rusqlite::Connection;

use crate::server::Server;
use crate::visitor::{PATIENCE, Visitor};

/// Nothing but the disk makes anybody wait, and questions may come as fast as they can.
const QUICK: &[&str] = &[
    "robot.kind=none",
    "arcade.demo=false",
    "levels.answer_after_ms=0",
    "arcade.connections_per_address=100000",
];

/// Makes the disk as slow as the test likes: somebody else writes the file.
fn busy(database: &Path) -> Connection {
    let other = Connection::open(database).unwrap();
    other.execute_batch("BEGIN IMMEDIATE").unwrap();
    other
}

/// Waits until `/healthz` answers so.
async fn health_is(server: &Server, status: u16) -> String {
    let asked = async {
        loop {
            let (found, _, told) = server.request("GET", "/healthz", &[], "").await;
            if found == status {
                break told;
            }
        }
    };
    tokio::time::timeout(PATIENCE, asked).await.unwrap()
}

/// Waits until the server has heard so many wishes.
async fn heard(server: &Server, wishes: usize) {
    let line = format!("gamebot_wishes_total {wishes}\n");
    let heard = async { while !server.request("GET", "/metrics", &[], "").await.2.contains(&line) {} };
    tokio::time::timeout(PATIENCE, heard).await.unwrap();
}

/// Turns are shown with a warning, `/healthz` says so and recovers, and a page that came back meanwhile hears the
/// end of it as well.
#[tokio::test(flavor = "multi_thread")]
async fn a_slow_disk_is_told_and_its_end_as_well() {
    let folder = tempfile::tempdir().unwrap();
    let database = folder.path().join("games.sqlite");
    let server = Server::start_with(QUICK, Some(database.clone())).await;
    let mut ada = server.visitor().await;
    ada.signup("Ada", "easy").await;
    ada.hear("GAME_START").await;
    let slow = busy(&database);
    ada.turn(4).await;
    assert_eq!(ada.hear("RECORDING").await["recorded"], false);
    assert_eq!(ada.hear("TURN").await["ply"], 1);
    let told = health_is(&server, 503).await;
    assert!(told.contains("the disk is slow") || told.contains("locked"), "{told}");
    // The machine's turn is shown, or waits; whoever comes now gets the answer behind it.
    ada.hear("TURN").await;
    ada.turn(4).await;
    let (address, token) = (server.address.clone(), ada.token());
    let coming = tokio::spawn(async move { Visitor::arrive(&address, Some(&token), false).await });
    heard(&server, 5).await;
    slow.execute_batch("COMMIT").unwrap();
    let mut again = coming.await.unwrap();
    if again.welcome["state"]["recorded"] != true {
        assert_eq!(again.hear("RECORDING").await["recorded"], true);
    }
    assert_eq!(ada.hear("RECORDING").await["recorded"], true);
    assert_eq!(health_is(&server, 200).await, "ok\n");
    server.close().await;
}
