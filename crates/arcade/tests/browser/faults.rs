//! Every fault of the simulated robot in the middle of a game: the visitor is told, the game goes on or ends cleanly, the
//! next game works (C10, C11).

use serde_json::Value;

use crate::browser::{Device, Visitor};
use crate::operator::operator;
use crate::stage::Stage;

/// What the operator does to the robot, and what ends it; without a cure the fault passes by itself. Faults of the first
/// kind strike with the next disc.
const FAULTS: [(&str, Option<&str>); 7] = [
    ("no_answer", None),
    ("wrong_byte", None),
    ("jam", Some("repair")),
    ("deaf", None),
    ("stuck_busy", None),
    ("error", Some("repair")),
    ("unplug", Some("plug")),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_fault_in_the_middle_of_a_game() {
    // A lost answer is missed for longer than a movement takes, so that the driver cannot make up for it without a
    // word; passing faults last longer than the driver waits before it calls them faults.
    let stage = Stage::open(&[
        "robot.simulated_speed=10",
        "robot.reply_deadline_ms=3000",
        "robot.busy_deadline_s=10",
        "robot.simulated_fault_s=40",
        "robot.poll_ms=100",
    ])
    .await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let operator = operator(&stage).await;
    for (fault, cure) in FAULTS {
        anna.signs_up("Anna", "easy").await;
        anna.drops(4).await;
        anna.sees("#turn[data-turn=mine]").await;
        robot_agrees(&anna).await;
        operator.taps(&format!("[data-fault={fault}]")).await;
        if ["no_answer", "wrong_byte", "jam"].contains(&fault) {
            anna.drops(1).await;
        }
        anna.sees("#strip-robot").await;
        let told = anna.reads("#strip-robot").await;
        assert!(told.contains("the game goes on when it is back"), "{fault}: {told}");
        anna.keeps_picture(&format!("fault-{fault}-phone")).await;
        if let Some(cure) = cure {
            operator.taps(&format!("[data-fault={cure}]")).await;
        }
        anna.sees_that("return document.getElementById('strip-robot') === null").await;
        anna.drops(7).await;
        anna.sees("#turn[data-turn=mine]").await;
        robot_agrees(&anna).await;
        anna.leaves().await;
    }
    stage.close([anna, operator]).await;
}

/// The robot stays away: the game ends without a result, and the next one waits for nobody.
#[tokio::test(flavor = "multi_thread")]
async fn a_robot_that_does_not_come_back() {
    // Longer than a busy machine needs for a disc of a robot that is well.
    let stage = Stage::open(&["arcade.robot_patience_s=10"]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let operator = operator(&stage).await;
    anna.signs_up("Anna", "easy").await;
    anna.drops(4).await;
    operator.taps("[data-fault=unplug]").await;
    anna.sees("#result[data-mood=ended]").await;
    let told = anna.reads("#result-text").await;
    assert_eq!(told, "The robot did not come back, so the game ends without a result.");
    operator.taps("[data-fault=plug]").await;
    anna.taps("#to-lobby").await;
    robot_says(&anna, "status === 'ready'").await;
    anna.sees_that("return document.getElementById('strip-robot') === null").await;
    anna.signs_up("Anna", "easy").await;
    anna.drops(4).await;
    anna.sees("#turn[data-turn=mine]").await;
    robot_agrees(&anna).await;
    stage.close([anna, operator]).await;
}

/// Everybody hears of a lost robot at once, and whoever plays need not wait for it.
#[tokio::test(flavor = "multi_thread")]
async fn the_game_goes_on_without_the_robot() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let ben = stage.visitor(Device::Phone, "/lobby").await;
    let operator = operator(&stage).await;
    anna.signs_up("Anna", "easy").await;
    anna.drops(4).await;
    operator.taps("[data-fault=unplug]").await;
    ben.sees("#strip-robot").await;
    assert!(ben.reads("#strip-robot").await.contains("Games can go on without it."));
    anna.sees("#strip-robot").await;
    anna.taps("#without-robot").await;
    anna.sees_that("return document.getElementById('strip-robot') === null").await;
    anna.drops(1).await;
    anna.drops(7).await;
    stage.close([anna, ben, operator]).await;
}

/// Waits until the robot's own board is the one that the page shows.
async fn robot_agrees(visitor: &Visitor) {
    let same = "(() => {
        const cells = [...document.querySelectorAll('.board g.disc[data-cell]')].map((g) =>
            g.dataset.cell + (g.classList.contains('disc-red') ? 'r' : 'y'));
        const stands = board.flatMap((row, top) => [...row].flatMap((disc, column) =>
            disc === '.' ? [] : [`${column + 1}-${6 - top}${disc}`]));
        return status === 'ready' && cells.length > 0 && String(cells.sort()) === String(stands.sort());
    })()";
    robot_says(visitor, same).await;
}

/// Waits until this holds for the robot's `status` and `board`. It is asked some times a second: more often, the server
/// would refuse to answer, and the browser would complain.
async fn robot_says(visitor: &Visitor, condition: &str) {
    let script = format!(
        "return new Promise((ask) => setTimeout(ask, 200)).then(() => fetch('/api/robot'))
            .then((answer) => answer.json()).then(({{ board, status }}) => {condition})"
    );
    let once: Value = visitor.value(&script).await;
    assert!(once.is_boolean(), "{once}");
    visitor.sees_that(&script).await;
}
