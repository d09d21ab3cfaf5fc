//! Games that visitors play by themselves: our Rust in a real browser (P1–P5, S1, S4, X4).

use browser::Desk;
use browser::tetris::Choices;
use serde_json::{Value, json};

use crate::appearance::is_well_made;
use crate::browser::{Device, Visitor};
use crate::stage::Stage;

const PAGES: [&str; 3] = ["/tetris", "/samegame", "/connect-four"];
const GAMES: u32 = 100;
const FRAMES: u32 = 900;

/// A small generator for keys, the same here and in the page.
fn next(random: &mut u32) -> u32 {
    *random = random.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
    *random >> 8
}

fn fnv(hash: u32, text: &str) -> u32 {
    text.bytes().fold(hash, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(16_777_619))
}

fn choices_of(game: u32) -> Choices {
    match game % 2 {
        0 => Choices::gameboy((game / 2 % 21) as u8, game),
        _ => Choices::classic(4 + game as usize % 29, 4 + game as usize % 37, game),
    }
}

/// A game with random keys, every frame of it as one number.
fn native_game(game: u32) -> u32 {
    let mut desk = Desk::default();
    let mut ask =
        |request: Value| -> Value { serde_json::from_str(&desk.answer(&request.to_string())).unwrap() };
    ask(json!({ "ask": "tetris-new", "game": 1, "choices": choices_of(game) }));
    let (mut random, mut hash, mut held) = (game, 0x811c_9dc5, 0);
    for frame in 0..FRAMES {
        if frame % 5 == 0 {
            held = next(&mut random) & 63;
        }
        let view = ask(json!({ "ask": "tetris-step", "game": 1, "held": held, "frames": 1 }));
        let falling: Vec<_> =
            view["falling"].as_array().unwrap().iter().flat_map(|cell| cell.as_array().unwrap()).collect();
        let falling: Vec<_> = falling.iter().map(ToString::to_string).collect();
        let figures =
            ["score", "lines", "level", "pieces", "frames", "over"].map(|name| view[name].to_string());
        let text = format!("{}|{}|{}", view["cells"].as_str().unwrap(), falling.join(","), figures.join(","));
        hash = fnv(hash, &text);
    }
    hash
}

/// The same in the page.
const PAGE_GAME: &str = "
    const desk = gamebot.desk();
    return arguments[0].map(([game, choices]) => {
      desk.ask({ ask: 'tetris-new', game: 99, choices });
      let random = game, hash = 0x811c9dc5, held = 0;
      for (let frame = 0; frame < FRAMES; frame++) {
        if (frame % 5 === 0) {
          random = (Math.imul(random, 1664525) + 1013904223) >>> 0;
          held = (random >>> 8) & 63;
        }
        const view = desk.ask({ ask: 'tetris-step', game: 99, held, frames: 1 });
        const figures = ['score', 'lines', 'level', 'pieces', 'frames', 'over'].map((name) => String(view[name]));
        const text = `${view.cells}|${view.falling.flat().join(',')}|${figures.join(',')}`;
        for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
      }
      desk.ask({ ask: 'tetris-end', game: 99 });
      return hash >>> 0;
    });
";

#[tokio::test(flavor = "multi_thread")]
async fn a_hundred_games_are_the_same_in_the_browser_frame_by_frame() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    let script = PAGE_GAME.replace("FRAMES", &FRAMES.to_string());
    let mut different = Vec::new();
    for start in (0..GAMES).step_by(10) {
        let games: Vec<_> = (start..start + 10).map(|game| json!([game, choices_of(game)])).collect();
        let hashes = anna.value_of(&script, &[json!(games)]).await;
        for (game, hash) in (start..).zip(hashes.as_array().unwrap()) {
            if *hash != native_game(game) {
                different.push(game);
            }
        }
    }
    assert!(different.is_empty(), "games that differ: {different:?}");
    stage.close([anna]).await;
}

/// Waits until the machine has brought this many pieces down.
pub async fn sees_pieces(visitor: &Visitor, more: u32) {
    let before = visitor.value("return gamebot.tables().mine.view.pieces").await.as_u64().unwrap();
    let after = before + u64::from(more);
    visitor.sees_that(&format!("return gamebot.tables().mine.view.pieces >= {after}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_the_machine_takes_over_and_the_person_gets_it_back() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    anna.chooses("#pace", "0").await;
    anna.taps("#start").await;
    anna.sees("body[data-view=playing]").await;
    anna.sees_that("return gamebot.tables().mine.view.frames > 20").await;
    // In the middle of a fall.
    anna.presses("m").await;
    anna.sees("body:not([data-machine=''])").await;
    sees_pieces(&anna, 3).await;
    anna.sees("#why-rows tr[data-feature=holes]").await;
    anna.keeps_picture("play/tetris-machine").await;
    // Any key of the game gives it back at once.
    anna.presses("\u{e012}").await;
    anna.sees("body[data-machine='']").await;
    let given_back = "const { mine } = gamebot.tables(); return mine.machine === null";
    assert_eq!(anna.value(given_back).await, json!(true));
    anna.presses("p").await;
    anna.sees("body[data-view=paused]").await;
    anna.taps("#stop").await;
    anna.sees("body[data-view=over]").await;
    // The server replays the keys before it lists the game.
    anna.writes("#score-name", "Anna").await;
    anna.taps("#enter-score button").await;
    anna.sees_that("return document.querySelector('#scores strong')?.textContent === 'Anna'").await;
    // At the highest speed, and while lines vanish.
    anna.writes("#start-level", "20").await;
    anna.taps("#machine").await;
    sees_pieces(&anna, 3).await;
    anna.presses("\u{e014}").await;
    anna.sees("body[data-view=playing][data-machine='']").await;
    anna.taps("#stop").await;
    anna.writes("#start-level", "5").await;
    anna.taps("#machine").await;
    anna.sees_that("return gamebot.tables().mine.view.clearing !== null").await;
    anna.presses("\u{e014}").await;
    anna.sees("body[data-view=playing][data-machine='']").await;
    anna.presses("m").await;
    sees_pieces(&anna, 2).await;
    stage.close([anna]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn sizes_are_checked_and_settings_survive() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    anna.chooses("#rules", "classic").await;
    anna.writes("#width", "33").await;
    assert_eq!(anna.reads("#size-error").await, "The field can have 4 to 32 columns.");
    anna.taps("#start").await;
    assert_eq!(anna.value("return document.body.dataset.view").await, json!("ready"));
    anna.writes("#width", "6").await;
    anna.writes("#height", "12").await;
    anna.chooses("#player", "lee").await;
    anna.reload().await;
    anna.sees("body[data-view=ready]").await;
    let kept = "return ['rules', 'width', 'height', 'player'].map((id) => document.getElementById(id).value)";
    assert_eq!(anna.value(kept).await, json!(["classic", "6", "12", "lee"]));
    // The machine takes over on this size, and races on it.
    anna.chooses("#race", "machine").await;
    anna.taps("#machine").await;
    sees_pieces(&anna, 2).await;
    anna.sees_that("return gamebot.tables().rival.view.pieces >= 2").await;
    stage.close([anna]).await;
}

/// Every page by day in English and by night in German, on a phone and on a desktop.
#[tokio::test(flavor = "multi_thread")]
async fn every_page_to_play_on_is_well_made() {
    let stage = Stage::open(&[]).await;
    let phone = stage.visitor(Device::Phone, "/tetris").await;
    let desktop = stage.visitor(Device::Desktop, "/tetris").await;
    for (visitor, place) in [(&phone, "phone"), (&desktop, "desktop")] {
        for (language, light) in [("en", "light"), ("de", "dark")] {
            visitor.prefers(language, light).await;
            for path in PAGES {
                visitor.open(path).await;
                visitor.sees(&format!("html[lang={language}][data-theme={light}] #language")).await;
                visitor.sees("body[data-view=ready]").await;
                if path == "/tetris" {
                    visitor.taps("#machine").await;
                    sees_pieces(visitor, 4).await;
                    visitor.taps("#pause").await;
                    visitor.sees("body[data-view=paused]").await;
                }
                let name = format!("{}-{place}-{language}-{light}", &path[1..]);
                visitor.keeps_picture(&format!("play/{name}")).await;
                is_well_made(visitor, &name).await;
                if path == "/tetris" {
                    // Otherwise the next visit would go on with it.
                    visitor.taps("#stop").await;
                }
            }
        }
    }
    stage.close([phone, desktop]).await;
}
