//! Recordings, lab, screenshots and settings as operators and visitors use them (S3, X3, X6).

use std::os::unix::fs::PermissionsExt;

use engine::Picture;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use samegame::board::Board;
use serde_json::json;
use simulators::samegame::{Around, LookName, Scene};

use crate::appearance::is_well_made;
use crate::browser::Device;
use crate::operator::operator;
use crate::stage::Stage;

/// Stands for `gamebot`: measures for ever if it is asked for pieces, else prints a table and draws.
const PROGRAM: &str = r#"#!/bin/sh
echo measuring >&2
[ "$2" = pieces ] && exec sleep 600
echo "a table"
[ "$3" = --plot ] && echo '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200"/></svg>' > "$4"
exit 0
"#;

/// X6: a measurement is started from the page, seen at work and stopped; results have plots and their commands.
#[tokio::test(flavor = "multi_thread")]
async fn the_operator_measures_in_the_lab() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("gamebot");
    std::fs::write(&program, PROGRAM).unwrap();
    std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    let stage = Stage::open_measuring(program, &["robot.kind=none"]).await;
    let operator = operator(&stage).await;
    let visitor = stage.visitor(Device::Phone, "/lab").await;
    operator.open("/lab").await;
    operator.taps("[data-experiment=pieces]:not(:disabled)").await;
    visitor.sees("#running:not([hidden])").await;
    visitor.sees_that("return document.getElementById('progress').textContent === 'measuring'").await;
    visitor.sees("#stop[hidden]").await;
    operator.taps("#stop").await;
    operator.sees("[data-result][data-is=stopped]").await;
    operator.taps("[data-experiment=actuator-speed]:not(:disabled)").await;
    operator.sees("[data-result][data-is=done] img.plot").await;
    let drawn = "const plot = document.querySelector('[data-is=done] img.plot'); plot.loading = 'eager'; return plot.complete && plot.naturalWidth === 300";
    visitor.sees("[data-result][data-is=done] img.plot").await;
    for page in [&operator, &visitor] {
        page.sees_that(drawn).await;
        let command = "return document.querySelector('[data-is=done] code').textContent";
        assert_eq!(page.value(command).await, json!("gamebot measure actuator-speed"));
        is_well_made(page, "lab with results").await;
    }
    operator.keeps_picture("lab-operator").await;
    visitor.keeps_picture("lab-phone").await;
    stage.close([operator, visitor]).await;
}

/// The operator keeps, names and deletes recordings.
#[tokio::test(flavor = "multi_thread")]
async fn the_operator_keeps_recordings() {
    let stage = Stage::open(&["robot.kind=none"]).await;
    let operator = operator(&stage).await;
    operator.open("/runs").await;
    operator.sees("#bring:not([hidden])").await;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/recordings/tetris-0.1.0-cut-off.mcap");
    operator.chooses_file("#file", file).await;
    operator.sees("#state[data-is=recorded]").await;
    operator.open("/runs").await;
    operator.taps("[data-run] [data-do=keep][aria-pressed=false]").await;
    operator.sees("[data-run] [data-do=keep][aria-pressed=true]").await;
    // The browser's own questions, answered.
    operator.value("window.prompt = () => 'A game to remember'; window.confirm = () => true").await;
    operator.taps("[data-run] [data-do=name]").await;
    operator
        .sees_that("return document.querySelector('[data-run] h2').textContent === 'A game to remember'")
        .await;
    operator.keeps_picture("runs-operator").await;
    is_well_made(&operator, "recordings for the operator").await;
    operator.taps("[data-run] [data-do=delete]").await;
    operator.sees("#none:not([hidden])").await;
    stage.close([operator]).await;
}

/// S3: a picture of a SameGame that is dropped onto the page is found, drawn over and solved.
#[tokio::test(flavor = "multi_thread")]
async fn a_screenshot_is_dropped_onto_the_page() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
    let columns = (0..10).map(|_| (0..8).map(|_| 1 + (random.next_u32() >> 8) as u8 % 3).collect()).collect();
    let board = Board::from_columns(columns).unwrap();
    let scene = Scene::new(LookName::ALL[0], (10, 8), 3, Around::Window, 1);
    let picture: Picture = scene.paint_board(&board);
    let mut png = Vec::new();
    picture.write_png(&mut png).unwrap();

    let stage = Stage::open(&["robot.kind=none"]).await;
    let visitor = stage.visitor(Device::Desktop, "/screenshot").await;
    visitor.sees("#sample").await;
    let drop_it = "const files = new DataTransfer();
        files.items.add(new File([Uint8Array.from(arguments[0])], 'game.png', { type: 'image/png' }));
        document.getElementById('bring').dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }))";
    visitor.value_of(drop_it, &[json!(png)]).await;
    visitor.sees("#bring-state[data-is=read]").await;
    let drawn = "return document.querySelectorAll('#found .cell').length";
    assert_eq!(visitor.value(drawn).await, json!(80));
    visitor.sees("#solved-text[data-proof=cleared]").await;
    visitor.taps("#forward").await;
    visitor.sees("#solved-text[data-move='1']").await;
    visitor.keeps_picture("screenshot-dropped").await;
    is_well_made(&visitor, "a solved screenshot").await;
    // What is no picture is refused in words.
    visitor.value_of(drop_it, &[json!([1, 2, 3])]).await;
    visitor.sees("#bring-state[data-is=refused]").await;
    stage.close([visitor]).await;
}

/// Language and light are chosen on the page about the hall, which names what is connected and every licence.
#[tokio::test(flavor = "multi_thread")]
async fn about_and_settings() {
    let stage = Stage::open(&[]).await;
    let visitor = stage.visitor(Device::Phone, "/about").await;
    visitor.sees_that("return document.querySelectorAll('#facts dd').length >= 4").await;
    visitor.sees_that("return document.querySelectorAll('#packages dt').length >= 3").await;
    visitor.chooses("#choose-language", "de").await;
    visitor.chooses("#choose-theme", "dark").await;
    visitor.sees("html[lang=de][data-theme=dark]").await;
    visitor.open("/").await;
    visitor.sees("html[lang=de][data-theme=dark] #language").await;
    stage.close([visitor]).await;
}
