//! SameGame and Connect Four for visitors: played, solved, proved, looked back at (S1, S4, X4).

use serde_json::json;

use crate::browser::Device;
use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn samegame_is_played_solved_and_proved() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/samegame").await;
    anna.sees("body[data-view=ready] .tile").await;
    anna.writes("#columns", "31").await;
    assert_eq!(anna.reads("#size-error").await, "Columns: 2 to 30.");
    anna.writes("#columns", "6").await;
    anna.writes("#rows", "5").await;
    anna.taps("#new").await;
    anna.sees_that("return document.querySelectorAll('.tile').length === 30").await;
    anna.taps(".tile:not([aria-disabled]):not(.empty)").await;
    anna.sees_that("return Number(document.getElementById('left').textContent) < 30").await;
    anna.taps("#undo").await;
    anna.sees_that("return document.getElementById('left').textContent === '30'").await;
    anna.taps("#hint").await;
    anna.sees(".tile.hinted").await;
    anna.taps("#question").await;
    anna.sees_that("return /^(Yes|No)/.test(document.getElementById('told').textContent)").await;
    anna.taps("#solution").await;
    anna.sees_that("return document.body.dataset.view === 'ready' && document.querySelectorAll('.tile:not([aria-disabled]):not(.empty)').length === 0").await;
    stage.close([anna]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn connect_four_answers_exactly() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/connect-four").await;
    anna.sees("body[data-view=ready]").await;
    let scores = "return [...document.querySelectorAll('#values li')].map((value) => value.dataset.score)";
    assert_eq!(anna.value(scores).await, json!(["-2", "-1", "0", "1", "0", "-1", "-2"]));
    anna.writes("#position", "44444444").await;
    anna.taps("#setup button").await;
    assert!(anna.reads("#position-error").await.contains("column 4 is full"));
    anna.writes("#position", "6146").await;
    anna.taps("#setup button").await;
    anna.sees_that("return document.querySelector('#values .best')?.dataset.score === '18'").await;
    anna.sees("#course svg").await;
    anna.chooses("#opponent", "second").await;
    anna.taps(".column[data-column='1']").await;
    anna.sees_that("return document.getElementById('moves').textContent.replace(/\\s/g, '').length === 6")
        .await;
    // A drawing instead of moves.
    anna.chooses("#opponent", "").await;
    anna.writes("#position", ".......\n.......\n.......\n.......\n...o...\n...x...").await;
    anna.taps("#setup button").await;
    anna.sees_that("return document.querySelectorAll('#values [data-score]:not([data-score=\"\"])').length === 7 && document.querySelectorAll('g.disc[data-cell]').length === 2").await;
    stage.close([anna]).await;
}

/// A game that was played in the hall: its score after every move, where it turned, and every position of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_stored_game_shows_where_it_turned() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    anna.signs_up("Anna", "human").await;
    anna.sees("body[data-view=waiting]").await;
    ben.signs_up("Ben", "human").await;
    // The first player has the centre, and Ben builds on the floor while Anna builds a tower of four.
    for column in [1, 2, 3] {
        anna.drops(4).await;
        ben.drops(column).await;
    }
    anna.drops_last(4).await;
    anna.sees("body:not([data-view=playing])").await;
    anna.open("/connect-four").await;
    anna.sees("#stored option:nth-child(2)").await;
    let moves = anna.value("return document.querySelector('#stored option:nth-child(2)').value").await;
    assert_eq!(moves, json!("4142434"));
    anna.chooses("#stored", "4142434").await;
    anna.sees_that("return document.querySelectorAll('.course-dot').length === 8").await;
    assert!(anna.reads("#state").await.contains("won"));
    let turned = anna.reads("#turned").await;
    assert_eq!(turned, "Nobody has made a mistake that changed the result.");
    // Going back keeps the graph.
    anna.presses("\u{e00e}").await;
    anna.sees_that("return document.getElementById('moves').textContent.replace(/\\s/g, '') === '414243'")
        .await;
    assert_eq!(anna.value("return document.querySelectorAll('.course-dot').length").await, json!(8));
    anna.sees("body[data-view=ready]").await;
    anna.keeps_picture("play/connect-four-stored").await;
    stage.close([anna, ben]).await;
}
