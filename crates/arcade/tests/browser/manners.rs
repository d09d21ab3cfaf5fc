//! How pages treat visitors: taps get answers, what cannot be undone is asked first, small phones are phones too (C6, C10).

use serde_json::json;

use crate::appearance::is_well_made;
use crate::browser::{Device, Visitor};
use crate::stage::Stage;

/// Anna begins against Ben.
async fn two_people(stage: &Stage, device: Device) -> (Visitor, Visitor) {
    let anna = stage.visitor(device, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    anna.signs_up("Anna", "human").await;
    anna.sees("body[data-view=waiting]").await;
    ben.signs_up("Ben", "human").await;
    anna.sees("body[data-view=playing]").await;
    ben.sees("body[data-view=playing]").await;
    (anna, ben)
}

#[tokio::test(flavor = "multi_thread")]
async fn every_tap_gets_an_answer() {
    let stage = Stage::open(&[]).await;
    let (anna, ben) = two_people(&stage, Device::Phone).await;
    ben.taps(".column[data-column='4']").await;
    assert_eq!(ben.reads("#toast").await, "It is not your turn.");
    for _ in 0..3 {
        anna.drops(1).await;
        ben.drops(1).await;
    }
    anna.sees("#turn[data-turn=mine]").await;
    anna.taps(".column[data-column='1']").await;
    assert_eq!(anna.reads("#toast").await, "This column is full.");
    anna.sees("html[data-sounded=refused]").await;

    // Leaving is asked first, and No means No.
    anna.taps("#leave").await;
    assert_eq!(anna.reads("dialog#confirm[open] #confirm-title").await, "Leave the game?");
    anna.taps("#confirm-no").await;
    anna.sees("dialog#confirm:not([open])").await;
    anna.sees("body[data-view=playing]").await;
    anna.leaves().await;
    ben.sees("#result[data-mood=won]").await;
    stage.close([anna, ben]).await;
}

/// Sounds, and how to be rid of them; the replay as a keepsake; how long there is time for another game.
#[tokio::test(flavor = "multi_thread")]
async fn the_end_of_a_game() {
    let stage = Stage::open(&[]).await;
    let (anna, ben) = two_people(&stage, Device::Phone).await;
    for visitor in [&anna, &ben] {
        visitor.value("window.buzzes = 0; navigator.vibrate = () => (window.buzzes += 1)").await;
    }
    ben.taps("#sound[aria-pressed=true]").await;
    ben.sees("#sound[aria-pressed=false]").await;
    ben.value("delete document.documentElement.dataset.sounded").await;
    for _ in 0..3 {
        anna.drops(1).await;
        anna.sees("html[data-sounded=drop]").await;
        ben.drops(2).await;
        anna.sees("html[data-sounded=mine]").await;
    }
    anna.drops_last(1).await;
    anna.sees("#result[data-mood=won]").await;
    anna.sees("html[data-sounded=won]").await;
    ben.sees("#result[data-mood=lost]").await;
    assert_eq!(ben.value("return document.documentElement.dataset.sounded ?? null").await, json!(null));
    assert!(anna.value("return window.buzzes").await.as_u64().unwrap() >= 4, "each of her discs can be felt");
    assert_eq!(ben.value("return window.buzzes").await, json!(0), "the switch mutes vibration as well");

    let ends = anna.reads("#result-ends").await;
    assert!(ends.contains("more seconds; then the table goes to the next visitor"), "{ends}");
    anna.sees_that(
        "const code = document.getElementById('keepsake-code'); return code.complete && code.naturalWidth > 0",
    )
    .await;
    let differs = "return Promise.all(['/qr.svg', document.getElementById('keepsake-code').src]
        .map((path) => fetch(path).then((answer) => answer.text()))).then(([lobby, game]) => lobby !== game)";
    assert_eq!(anna.value(differs).await, json!(true), "the code leads to the game, not to the lobby");
    anna.keeps_picture("result-phone").await;
    anna.taps("#keepsake-link").await;
    anna.sees("#replay[data-ply='7'] .board.won").await;
    // The archive counts it: a game between people, seven discs long.
    anna.sees("#total [data-figure=between_visitors] dd").await;
    assert_eq!(anna.reads("#total [data-figure=between_visitors] dd").await, "1");
    assert_eq!(anna.reads("#total [data-figure=games] dd").await, "0");
    anna.sees("#lengths .plot-bar[data-at='7'][data-count='1']").await;
    anna.sees("#hours .plot-bar[data-count='1']").await;
    anna.keeps_picture("games-phone").await;
    stage.close([anna, ben]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_phone_says_why_the_machine_played_so() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    anna.signs_up("Anna", "medium").await;
    anna.drops(4).await;
    anna.sees("#turn[data-turn=mine]").await;
    let why = anna.reads("#why").await;
    assert!(why.starts_with("Column ") && why.len() > 20, "{why}");
    // It is still there after a reload.
    anna.reload().await;
    assert_eq!(anna.reads("#why").await, why);
    stage.close([anna]).await;
}

/// C6 stays as it is, but nobody is left alone with it.
#[tokio::test(flavor = "multi_thread")]
async fn joerg_learns_how_to_write_himself() {
    let stage = Stage::open(&[]).await;
    let visitor = stage.visitor(Device::Phone, "/lobby").await;
    for (name, plain) in [("Jörg", "Joerg"), ("Zoë", "Zoe"), ("Anna Maria", "Anna_Maria"), ("Groß", "Gross")]
    {
        visitor.signs_up(name, "easy").await;
        visitor.sees("#name[aria-invalid=true]").await;
        let told = visitor.reads("#name-error").await;
        assert!(told.ends_with(&format!("{name} is written {plain}.")), "{told}");
    }
    stage.close([visitor]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_address_is_a_page() {
    let stage = Stage::open(&[]).await;
    let visitor = stage.visitor(Device::Phone, "/plya").await;
    assert_eq!(visitor.reads("h1").await, "There is nothing here.");
    is_well_made(&visitor, "unknown address").await;
    // The browser notes that the page was not found; it was meant to be.
    let complaints = visitor.complaints().await;
    assert!(complaints.iter().all(|line| line.contains("404")), "{complaints:#?}");
    visitor.taps("main a.button").await;
    visitor.sees("html[data-page=hall]").await;
    stage.close([visitor]).await;
}

/// The smallest phones, and phones on their side: nothing sticks out, the board is seen whole, the buttons are there.
#[tokio::test(flavor = "multi_thread")]
async fn small_phones_and_phones_on_their_side() {
    const WHOLE: &str = "const box = document.querySelector('.board').getBoundingClientRect();
        return box.top >= -1 && box.bottom <= innerHeight + 1 && box.left >= -1 && box.right <= innerWidth + 1";
    let stage = Stage::open(&[]).await;
    for (device, name) in [(Device::SmallPhone, "small-phone"), (Device::PhoneOnItsSide, "phone-on-its-side")]
    {
        let (anna, ben) = two_people(&stage, device).await;
        for (language, light) in [("de", "dark"), ("en", "light")] {
            anna.prefers(language, light).await;
            anna.reload().await;
            anna.sees(&format!("html[lang={language}] body[data-view=playing] #turn[data-turn=mine]")).await;
            // The words of a view come in softly.
            anna.sees_that("return document.getElementById('turn-title').checkVisibility({ visibilityProperty: true, opacityProperty: true })").await;
            is_well_made(&anna, &format!("{name} playing {language}")).await;
            assert_eq!(anna.value(WHOLE).await, json!(true), "{name} {language}: the board is seen whole");
            anna.keeps_picture(&format!("{name}-playing-{language}")).await;
        }
        for _ in 0..3 {
            anna.drops(1).await;
            ben.drops(2).await;
        }
        anna.drops_last(1).await;
        anna.sees("#result[data-mood=won]").await;
        is_well_made(&anna, &format!("{name} result")).await;
        anna.keeps_picture(&format!("{name}-result")).await;
        anna.taps("#to-lobby").await;
        ben.taps("#to-lobby").await;
        anna.sees("body[data-view=lobby]").await;
        is_well_made(&anna, &format!("{name} lobby")).await;
        anna.keeps_picture(&format!("{name}-lobby")).await;
        for visitor in [anna, ben] {
            assert_eq!(visitor.complaints().await, Vec::<String>::new());
            visitor.goes_home().await;
        }
    }
    stage.close([]).await;
}

/// C4: without a robot nobody is promised one.
#[tokio::test(flavor = "multi_thread")]
async fn no_robot_is_promised_where_there_is_none() {
    let stage = Stage::open(&["robot.kind=none"]).await;
    let anna = stage.visitor(Device::Desktop, "/lobby").await;
    let screen = stage.visitor(Device::BigScreen, "/watch?kiosk").await;
    anna.sees("body[data-view=lobby] #table-note[data-mood=free]").await;
    screen.sees("body[data-view=attract]").await;
    let ben = stage.visitor(Device::Phone, "/lobby").await;
    for visitor in [&anna, &screen] {
        let text = visitor.value("return document.body.innerText.toLowerCase()").await;
        assert!(!text.as_str().unwrap().contains("robot"), "{text}");
    }
    anna.signs_up("Anna", "medium").await;
    anna.drops(4).await;
    ben.sees("#table-note[data-mood=busy]").await;
    screen.sees("#bars[data-ply='2']").await;
    for visitor in [&anna, &ben, &screen] {
        let text = visitor.value("return document.body.innerText.toLowerCase()").await;
        assert!(!text.as_str().unwrap().contains("robot"), "{text}");
    }
    // While the table is taken, the button says what it does.
    assert_eq!(ben.reads("#start").await, "Wait in line");
    stage.close([anna, ben, screen]).await;
}
