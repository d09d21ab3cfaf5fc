//! Whoever holds the buttons of the Tetris page: friends who race, gamepads, the keyboard alone (P1, P5).

use serde_json::json;

use crate::browser::Device;
use crate::play::sees_pieces;
use crate::stage::Stage;

/// Two people at one keyboard, then one of them at another computer against the game that was played.
#[tokio::test(flavor = "multi_thread")]
async fn friends_race_on_the_same_pieces() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    anna.chooses("#rules", "classic").await;
    anna.writes("#height", "8").await;
    anna.chooses("#race", "friend").await;
    anna.taps("#start").await;
    anna.sees("#theirs:not([hidden])").await;
    let same = "const { mine, rival } = gamebot.tables(); return mine.view.piece === rival.view.piece && mine.view.next === rival.view.next";
    assert_eq!(anna.value(same).await, json!(true));
    // The friend drops with E, Anna with the space bar; each moves an own field.
    anna.presses("e").await;
    // Where looks come late, both pieces may have come down by themselves meanwhile.
    anna.sees_that("const { mine, rival } = gamebot.tables(); return rival.view.pieces > mine.view.pieces")
        .await;
    let before = anna.value("return gamebot.tables().mine.view.pieces").await;
    anna.presses(" ").await;
    anna.sees_that(&format!("return gamebot.tables().mine.view.pieces > {before}")).await;
    anna.keeps_picture("play/tetris-friends").await;
    anna.taps("#stop").await;

    // A game with points becomes a link.
    anna.chooses("#race", "").await;
    // On eight rows some sequences end before the first line.
    anna.writes("#height", "14").await;
    anna.chooses("#player", "lee").await;
    anna.chooses("#pace", "0").await;
    anna.taps("#machine").await;
    anna.sees_that("return gamebot.tables().mine.view.score > 0").await;
    anna.taps("#stop").await;
    anna.sees("#challenge:not([hidden])").await;
    let link = anna.value("return document.getElementById('challenge-link').href").await;
    let score = anna.value("return gamebot.tables().mine.view.score").await;
    let (_, hash) = link.as_str().unwrap().split_once('#').unwrap();
    assert!(hash.contains("keys=") && hash.len() < 4_000, "{hash}");
    anna.writes("#score-name", "Anna").await;
    anna.taps("#enter-score button").await;
    anna.sees("#scores li[data-entry] button").await;

    let ben = stage.visitor(Device::Desktop, &format!("/tetris#{hash}")).await;
    ben.sees_that("return document.getElementById('race').value === 'recorded'").await;
    // The recorded game comes to the end it came to.
    ben.taps("#start").await;
    ben.sees_that("return gamebot.tables().rival.isOver").await;
    assert_eq!(ben.value("return gamebot.tables().rival.score").await, score);
    ben.taps("#stop").await;
    // The same from the list of best games.
    ben.open("/samegame").await;
    ben.open("/tetris").await;
    ben.chooses("#rules", "classic").await;
    ben.taps("#scores li[data-entry] button").await;
    ben.sees_that("return document.getElementById('race').value === 'recorded'").await;
    ben.taps("#start").await;
    ben.sees_that("return document.getElementById('theirs-name').textContent.startsWith('Anna')").await;
    stage.close([anna, ben]).await;
}

/// Replaces the page's gamepads by one whose buttons and axes the test sets.
const GAMEPAD: &str = "
    window.pad = { buttons: Array.from({ length: 16 }, () => ({ pressed: false })), axes: [0, 0] };
    navigator.getGamepads = () => [null, window.pad];
    window.hold = (index, pressed) => (window.pad.buttons[index].pressed = pressed);
";

#[tokio::test(flavor = "multi_thread")]
async fn a_gamepad_starts_plays_and_takes_the_game_back() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    anna.value(GAMEPAD).await;
    let press = async |index: u32, until: &str| {
        anna.value(&format!("hold({index}, true)")).await;
        anna.sees_that(until).await;
        anna.value(&format!("hold({index}, false)")).await;
        // The page looks once a frame; it must see the button up before it goes down again.
        anna.value("return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))").await;
    };
    press(9, "return document.body.dataset.view === 'playing'").await;
    let column = "gamebot.tables().mine.view.falling[0]?.[0]";
    let at = anna.value(&format!("return {column}")).await.as_i64().unwrap();
    press(14, &format!("return {column} < {at}")).await;
    let at = anna.value(&format!("return {column}")).await.as_i64().unwrap();
    anna.value("pad.axes[0] = 1").await;
    anna.sees_that(&format!("return {column} > {at}")).await;
    anna.value("pad.axes[0] = 0").await;
    press(8, "return document.body.dataset.machine !== ''").await;
    sees_pieces(&anna, 1).await;
    press(0, "return document.body.dataset.machine === ''").await;
    press(9, "return document.body.dataset.view === 'paused'").await;
    stage.close([anna]).await;
}

/// Keys of the game work wherever the focus is, but for fields and the space bar of buttons.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_is_played_with_the_keyboard_alone() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    let tab = "\u{e004}";
    anna.presses("\u{e007}").await;
    anna.sees("body[data-view=playing]").await;
    anna.value("document.getElementById('machine').focus()").await;
    anna.presses(" ").await;
    anna.sees("body:not([data-machine=''])").await;
    // From the button of the machine, an arrow takes the game back.
    anna.value("document.getElementById('machine').focus()").await;
    anna.presses("\u{e012}").await;
    anna.sees("body[data-machine='']").await;
    anna.presses(tab).await;
    anna.sees("#pause:focus").await;
    anna.presses(" ").await;
    anna.sees("body[data-view=paused]").await;
    anna.open("/samegame").await;
    anna.sees("body[data-view=ready] .tile").await;
    let left = "return Number(document.getElementById('left').textContent)";
    let before = anna.value(left).await.as_u64().unwrap();
    anna.value("document.querySelector('.tile:not([aria-disabled]):not(.empty)').focus()").await;
    anna.presses("\u{e007}").await;
    anna.sees_that(&format!("{left} < {before}")).await;
    anna.sees(".tile:focus").await;
    anna.open("/connect-four").await;
    anna.sees("body[data-view=ready]").await;
    anna.presses("4").await;
    anna.sees_that("return document.getElementById('moves').textContent === '4'").await;
    anna.presses("u").await;
    anna.sees_that("return document.getElementById('moves').textContent === '–'").await;
    stage.close([anna]).await;
}
