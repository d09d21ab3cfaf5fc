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
async fn sees_pieces(visitor: &Visitor, more: u32) {
    let before = visitor.value("return gamebot.tables().mine.view.pieces").await.as_u64().unwrap();
    let after = before + u64::from(more);
    visitor.sees_that(&format!("return gamebot.tables().mine.view.pieces >= {after}")).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_the_machine_takes_over_and_the_person_gets_it_back() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    anna.value("const pace = document.getElementById('pace'); pace.value = 0; pace.dispatchEvent(new Event('input', { bubbles: true }))").await;
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
    anna.value("const rules = document.getElementById('rules'); rules.value = 'classic'; rules.dispatchEvent(new Event('input', { bubbles: true }))").await;
    anna.writes("#width", "33").await;
    assert_eq!(anna.reads("#size-error").await, "The field can have 4 to 32 columns.");
    anna.taps("#start").await;
    assert_eq!(anna.value("return document.body.dataset.view").await, json!("ready"));
    anna.writes("#width", "6").await;
    anna.writes("#height", "12").await;
    anna.value("const player = document.getElementById('player'); player.value = 'lee'; player.dispatchEvent(new Event('input', { bubbles: true }))").await;
    anna.reload().await;
    anna.sees("body[data-view=ready]").await;
    let kept = "return ['rules', 'width', 'height', 'player'].map((id) => document.getElementById(id).value)";
    assert_eq!(anna.value(kept).await, json!(["classic", "6", "12", "lee"]));
    // The machine takes over on this size, and races on it.
    anna.taps("#race").await;
    anna.taps("#machine").await;
    sees_pieces(&anna, 2).await;
    anna.sees_that("return gamebot.tables().rival.view.pieces >= 2").await;
    stage.close([anna]).await;
}

/// A module whose `evaluate` has this body.
fn plugin(evaluate: &[u8]) -> Vec<u8> {
    let mut code = vec![2, 4, 0, 0x41, 0, 0x0b, evaluate.len() as u8 + 2, 0];
    code.extend(evaluate);
    code.push(0x0b);
    let mut module = b"\0asm\x01\0\0\0".to_vec();
    let exports = b"\x03\x06memory\x02\0\x05board\0\0\x08evaluate\0\x01";
    let sections: [(u8, &[u8]); 5] = [
        (1, &[2, 0x60, 0, 1, 0x7f, 0x60, 0, 1, 0x7d]),
        (3, &[2, 0, 1]),
        (5, &[1, 0, 1]),
        (7, exports),
        (10, &code),
    ];
    for (id, body) in sections {
        module.extend([id, body.len() as u8]);
        module.extend(body);
    }
    module
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bad_plug_in_is_named_and_the_person_plays_on() {
    const LOOPS: &[u8] = &[0x03, 0x40, 0x0c, 0, 0x0b, 0x43, 0, 0, 0, 0];
    const TRAPS: &[u8] = &[0x00];
    const NOT_A_NUMBER: &[u8] = &[0x43, 0, 0, 0xc0, 0x7f];
    // Grows its memory until that fails, and then traps.
    const ALLOCATES: &[u8] = &[0x03, 0x40, 0x41, 0x10, 0x40, 0, 0x41, 0x7f, 0x47, 0x0d, 0, 0x0b, 0x00];
    const GOOD: &[u8] = &[0x43, 0, 0, 0x80, 0x3f];
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    let add = "return gamebot.addPlugin(arguments[0] + '.wasm', Uint8Array.from(arguments[1]).buffer).then(() => true)";
    let refused = "return document.getElementById('plugin-error').textContent";
    anna.value_of(add, &[json!("junk"), json!([1, 2, 3])]).await;
    assert_eq!(
        anna.value(refused).await,
        json!("junk.wasm cannot be used: this is not a WebAssembly module")
    );
    for (name, body, why) in [
        ("loops", LOOPS, "it thought for more than"),
        ("traps", TRAPS, "unreachable"),
        ("nan", NOT_A_NUMBER, "it returned NaN"),
        ("allocates", ALLOCATES, "unreachable"),
    ] {
        anna.value_of(add, &[json!(name), json!(plugin(body))]).await;
        anna.taps("#machine").await;
        anna.sees_that(&format!(
            "return document.getElementById('plugin-error').textContent.includes({})",
            json!(why)
        ))
        .await;
        anna.sees("body[data-view=playing][data-machine='']").await;
        anna.taps("#stop").await;
    }
    anna.value_of(add, &[json!("good"), json!(plugin(GOOD))]).await;
    anna.taps("#machine").await;
    sees_pieces(&anna, 2).await;
    assert_eq!(anna.value(refused).await, json!(""));
    stage.close([anna]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn players_are_compared_on_the_same_pieces() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    anna.value("for (const box of document.querySelectorAll('#compare-players input')) box.checked = ['height', 'lee'].includes(box.value)").await;
    anna.taps("#compare").await;
    anna.sees_that("return document.querySelectorAll('#compare-rows tr').length === 2 && document.querySelectorAll('.plot-dot').length >= 6").await;
    let lines = "return [...document.querySelectorAll('#compare-rows tr')].map((row) => parseInt(row.cells[2].textContent.replace(/[^0-9 ]/g, '')))";
    let lines = anna.value(lines).await;
    assert!(lines[1].as_u64() > lines[0].as_u64(), "{lines}");
    anna.keeps_picture("play/tetris-compare").await;
    stage.close([anna]).await;
}

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
    anna.value("const opponent = document.getElementById('opponent'); opponent.value = 'second'; opponent.dispatchEvent(new Event('change'))").await;
    anna.taps(".column[data-column='1']").await;
    anna.sees_that("return document.getElementById('moves').textContent.replace(/\\s/g, '').length === 6")
        .await;
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
            }
        }
    }
    stage.close([phone, desktop]).await;
}
