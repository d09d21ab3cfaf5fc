//! The LEGO arm at the table, on the simulated hub with its program on real MicroPython (C4, L5): a visitor plays on the
//! phone, the arm drops the discs, and its faults reach the pages as the other robot's do.

use serde_json::{Value, json};

use crate::operator::{OURS, open};
use crate::server::Server;
use crate::visitor::{PATIENCE, Visitor};

/// Simulated time, hardly held back; nobody comes to help unless the operator says so.
const LEGO: &[&str] = &[
    "robot.kind=simulated-lego",
    "robot.simulated_speed=1000",
    "robot.simulated_fault_s=3600",
    "arcade.demo=false",
    "arcade.question_after_s=3600",
    "arcade.robot_patience_s=3600",
];

struct Hall {
    server: Server,
    cookie: String,
    ada: Visitor,
}

impl Hall {
    /// Ada begins a game, the arm has looked at its empty board.
    async fn open() -> Self {
        let server = Server::start(LEGO).await;
        let cookie = open(&server).await;
        let mut hall = Self { ada: server.visitor().await, server, cookie };
        hall.ada.signup("Ada", "easy").await;
        hall.ada.hear("GAME_START").await;
        hall.free().await;
        hall
    }

    async fn strike(&self, fault: &str) {
        let headers = [OURS, ("Cookie", self.cookie.as_str())];
        let body = json!({ "fault": fault }).to_string();
        let (status, _, answer) =
            self.server.request("POST", "/api/admin/robot/fault", &headers, &body).await;
        assert_eq!(status, 204, "{fault}: {answer}");
    }

    /// Waits until pages are told of this status.
    async fn robot_is(&mut self, status: &str) -> Value {
        loop {
            let event = self.ada.hear("ROBOT").await;
            if event["robot"]["status"] == status {
                return event["robot"].clone();
            }
        }
    }

    /// Waits until the arm has nothing to do.
    async fn free(&self) {
        let looking = async {
            while self.server.json("/api/robot").await["status"] != "ready" {
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, looking).await.expect("the arm is done");
    }

    /// Ada's turn and the machine's; afterwards the arm has seen this many discs.
    async fn turns(&mut self, column: u64, discs: usize) {
        loop {
            self.ada.turn(column).await;
            let answer = loop {
                let event = self.ada.next().await.expect("the server lives");
                if let Some("TURN" | "REFUSED") = event["type"].as_str() {
                    break event;
                }
            };
            if answer["type"] == "TURN" {
                break;
            }
            // The arm may be ready before its last task is booked.
            assert_eq!(answer["code"], "robot_busy");
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        self.ada.hear("TURN").await;
        self.shows(discs).await;
    }

    async fn shows(&self, discs: usize) {
        let looking = async {
            loop {
                let robot = self.server.json("/api/robot").await;
                if robot["status"] == "ready" && count(&robot) == discs {
                    return;
                }
                tokio::time::sleep(std::time::Duration::from_millis(20)).await;
            }
        };
        tokio::time::timeout(PATIENCE, looking).await.expect("the arm sees the discs");
    }
}

fn count(robot: &Value) -> usize {
    robot["board"].to_string().matches(['r', 'y']).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_plays_on_the_phone_and_the_arm_drops_the_discs() {
    let mut hall = Hall::open().await;
    let robot = hall.server.json("/api/robot").await;
    assert_eq!((robot["kind"].as_str(), count(&robot)), (Some("simulated-lego"), 0), "{robot}");
    hall.turns(4, 2).await;

    // A disc jams: the pages hear what people should do, and the game goes on once somebody has helped.
    hall.strike("jam").await;
    hall.ada.turn(4).await;
    let robot = hall.robot_is("error").await;
    assert!(robot["asks"]["en"].as_str().unwrap().contains("free the slide"), "{robot}");
    assert!(robot["asks"]["de"].as_str().unwrap().contains("Rutsche"), "{robot}");
    hall.strike("repair").await;
    hall.shows(4).await;

    // The cable is pulled while nothing moves: the pages hear that, too.
    hall.strike("unplug").await;
    let robot = hall.robot_is("lost").await;
    assert!(robot["text"].as_str().unwrap().contains("hub"), "{robot}");
    hall.strike("plug").await;
    hall.robot_is("ready").await;
    hall.turns(3, 6).await;

    let game = hall.server.json("/api/games/1").await;
    let (moves, board) =
        (game["moves"].as_str().unwrap(), hall.server.json("/api/robot").await["board"].clone());
    assert_eq!(expected_board(moves), board);
    assert_eq!(game["faults"].as_array().unwrap().len(), 2, "{game}");
    // Faults of the other robot's language are refused.
    let headers = [OURS, ("Cookie", hall.cookie.as_str())];
    let body = json!({ "fault": "wrong_byte" }).to_string();
    assert_eq!(hall.server.request("POST", "/api/admin/robot/fault", &headers, &body).await.0, 409);
    hall.server.close().await;
}

/// Rows from the top after these moves, red first.
fn expected_board(moves: &str) -> Value {
    let mut rows = vec![vec!['.'; 7]; 6];
    for (index, column) in moves.bytes().map(|digit| usize::from(digit - b'1')).enumerate() {
        let row = rows.iter().rposition(|row| row[column] == '.').unwrap();
        rows[row][column] = if index % 2 == 0 { 'r' } else { 'y' };
    }
    rows.into_iter().map(String::from_iter).collect()
}
