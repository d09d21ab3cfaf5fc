//! What strangers do on the pages to play on: they load a page again in mid-game, bring a browser that remembers other
//! people's texts, and play on when the server goes away.

use serde_json::json;

use crate::browser::Device;
use crate::play::sees_pieces;
use crate::stage::Stage;

/// A reload finds the game again, and the server still believes its score.
#[tokio::test(flavor = "multi_thread")]
async fn a_reload_in_mid_game_loses_nothing() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    anna.chooses("#player", "lee").await;
    anna.chooses("#pace", "0").await;
    anna.taps("#machine").await;
    sees_pieces(&anna, 4).await;
    anna.taps("#pause").await;
    anna.sees("body[data-view=paused]").await;
    let game = "const { score, pieces, frames, cells, next } = gamebot.tables().mine.view; return [score, pieces, frames, cells, next]";
    let before = anna.value(game).await;
    assert!(before[0].as_u64() > Some(0), "{before}");
    anna.reload().await;
    anna.sees("body[data-view=paused][data-machine='']").await;
    assert_eq!(anna.value(game).await, before);
    // Another page and back is the same to a visitor.
    anna.open("/about").await;
    anna.open("/tetris").await;
    anna.sees("body[data-view=paused]").await;
    anna.taps("#start").await;
    anna.sees("body[data-view=playing]").await;
    anna.sees_that(&format!("return gamebot.tables().mine.view.frames > {}", before[2])).await;
    anna.taps("#stop").await;
    anna.writes("#score-name", "Anna").await;
    anna.taps("#enter-score button").await;
    anna.sees_that("return document.querySelector('#scores .tag')?.textContent === 'with Lee'").await;
    // A game that has ended stays ended.
    anna.reload().await;
    anna.sees("body[data-view=ready]").await;

    anna.open("/samegame").await;
    anna.sees("body[data-view=ready] .tile").await;
    for _ in 0..3 {
        anna.value("document.querySelector('.tile:not([aria-disabled]):not(.empty)').click()").await;
    }
    let board = "return [...document.querySelectorAll('.tile')].map((tile) => tile.dataset.colour).join('') + document.getElementById('score').textContent";
    let before = anna.value(board).await;
    anna.reload().await;
    anna.sees("body[data-view=ready] .tile").await;
    assert_eq!(anna.value(board).await, before);
    anna.taps("#undo:not(:disabled)").await;
    stage.close([anna]).await;
}

/// Texts of other programs under our names, or of versions to come, are passed over.
#[tokio::test(flavor = "multi_thread")]
async fn what_others_left_in_the_storage_breaks_no_page() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/about").await;
    anna.sees("#facts dt").await;
    for text in
        ["null", "[1", "5", r#"{"rules":"no","width":{},"player":7,"columns":-3,"games":[null],"score":"x"}"#]
    {
        let fill = "for (const key of ['tetris', 'samegame', 'samegame-daily', 'tetris-scores', 'language', 'theme', 'name', 'token', 'muted']) localStorage.setItem('gamebot.' + key, arguments[0]);
            for (const key of ['tetris-game', 'samegame-game']) sessionStorage.setItem('gamebot.' + key, arguments[0])";
        anna.value_of(fill, &[json!(text)]).await;
        for path in ["/tetris", "/samegame", "/connect-four", "/lobby", "/", "/about"] {
            anna.open(path).await;
            anna.sees("html[lang=en] #language").await;
        }
        anna.open("/tetris").await;
        anna.taps("#start").await;
        anna.sees("body[data-view=playing]").await;
        anna.open("/samegame").await;
        anna.sees("body[data-view=ready] .tile").await;
    }
    stage.close([anna]).await;
}

/// The game in the page needs no server; what does need one says that it is away.
#[tokio::test(flavor = "multi_thread")]
async fn a_game_goes_on_without_the_server() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    let ben = stage.visitor(Device::Phone, "/").await;
    anna.sees("body[data-view=ready]").await;
    anna.chooses("#player", "lee").await;
    anna.chooses("#pace", "0").await;
    anna.taps("#machine").await;
    sees_pieces(&anna, 1).await;
    let driver = stage.server_dies().await;
    sees_pieces(&anna, 3).await;
    anna.taps("#stop").await;
    anna.writes("#score-name", "Anna").await;
    anna.taps("#enter-score button").await;
    anna.sees("#scores-error:not(:empty)").await;
    assert_eq!(anna.reads("#scores-error").await, "The server does not answer.");
    anna.sees("#enter-score:not([hidden])").await;
    ben.sees("[data-state=tetris][data-is=lost]").await;
    for visitor in [anna, ben] {
        visitor.goes_home().await;
    }
    driver.close().await;
}
