//! Players from outside on the Tetris page: WebAssembly evaluators in the page, programs on the server; all players
//! compared (P3, P5).

use serde_json::json;

use crate::browser::Device;
use crate::play::sees_pieces;
use crate::stage::Stage;

/// A plug-in that always finds the same: it puts every piece where it falls.
const EVEN: &[u8] = &[0x43, 0, 0, 0x80, 0x3f];
const ADD_PLUGIN: &str =
    "return gamebot.addPlugin(arguments[0] + '.wasm', Uint8Array.from(arguments[1]).buffer).then(() => true)";

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
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("body[data-view=ready]").await;
    let add = ADD_PLUGIN;
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
    // Without a hand that drops files there is a field for them.
    let folder = tempfile::tempdir().unwrap();
    let good = folder.path().join("good.wasm");
    std::fs::write(&good, plugin(EVEN)).unwrap();
    anna.chooses_file("#plugin-file", good.to_str().unwrap()).await;
    anna.sees_that("return document.getElementById('player').value === 'plugin:good'").await;
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
    // A plug-in of her own is compared like the others.
    anna.value_of(ADD_PLUGIN, &[json!("even"), json!(plugin(EVEN))]).await;
    anna.value("for (const box of document.querySelectorAll('#compare-players input')) if (box.checked !== ['height', 'lee', 'plugin:even'].includes(box.value)) box.click()").await;
    anna.chooses("#compare-games", "3").await;
    anna.taps("#compare").await;
    anna.sees(".live canvas[aria-label=even]").await;
    anna.sees_that("return document.querySelectorAll('#compare-rows tr').length === 3 && document.querySelectorAll('.plot-dot').length === 9").await;
    let lines = "return Object.fromEntries([...document.querySelectorAll('#compare-rows tr')].map((row) => [row.dataset.player, parseInt(row.cells[2].textContent)]))";
    let lines = anna.value(lines).await;
    assert!(lines["lee"].as_u64() > lines["plugin:even"].as_u64(), "{lines}");
    assert!(lines["lee"].as_u64() > lines["height"].as_u64(), "{lines}");
    anna.keeps_picture("play/tetris-compare").await;
    stage.close([anna]).await;
}

/// A program that speaks the Tetris Bot Protocol thinks on the server; one that dies is named.
#[tokio::test(flavor = "multi_thread")]
async fn a_program_of_the_servers_folder_plays_in_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let flat = |piece: char| json!({ "location": { "type": piece, "orientation": "north", "x": 4, "y": 0 } });
    let moves = json!({ "type": "suggestion", "moves": "IOTLJSZ".chars().map(flat).collect::<Vec<_>>() });
    write("bot.sh", &BOT.replace("MOVES", &moves.to_string()));
    write("flat.tbp", &format!("sh {}", folder.path().join("bot.sh").display()));
    write("mute.tbp", "false");
    let plugins = format!("plugins.folder={}", folder.path().display());
    let stage = Stage::open(&[&plugins]).await;
    let anna = stage.visitor(Device::Desktop, "/tetris").await;
    anna.sees("#player option[value='plugin:flat']").await;
    anna.chooses("#player", "plugin:flat").await;
    anna.chooses("#pace", "0").await;
    // On a busy machine a program may be too late once; then the game is given back, and asked again.
    anna.sees_that(
        "if (document.body.dataset.machine === '') document.getElementById('machine').click(); \
         return document.getElementById('why-text').textContent.includes('flat')",
    )
    .await;
    sees_pieces(&anna, 1).await;
    anna.taps("#stop").await;
    // It is remembered like the others.
    anna.reload().await;
    anna.sees_that("return document.getElementById('player').value === 'plugin:flat'").await;
    anna.chooses("#player", "plugin:mute").await;
    anna.taps("#machine").await;
    anna.sees_that("return document.getElementById('plugin-error').textContent.includes('mute')").await;
    anna.sees("body[data-view=playing][data-machine='']").await;
    let refusals = anna.complaints().await;
    assert!(refusals.iter().all(|complaint| complaint.contains("502")), "{refusals:#?}");
    stage.close([anna]).await;
}

/// Says that it is ready, and lays every piece flat on the floor.
const BOT: &str = include_str!("../flat_bot.sh");
