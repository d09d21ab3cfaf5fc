//! What can be said of every page: it fits a phone, its controls have names, the console is quiet (C10).

use serde_json::json;

use crate::browser::{Device, Visitor};
use crate::stage::Stage;

const PAGES: [&str; 6] = ["/", "/watch", "/robot", "/games", "/statistics", "/admin"];

/// Controls that can be seen but have no name.
const NAMELESS: &str = "return [...document.querySelectorAll('button, input, select, a, [role=img], img')]
    .filter((control) => control.checkVisibility())
    .filter((control) => !(control.getAttribute('aria-label') || control.textContent.trim() || control.labels?.length
        || control.closest('a, button')?.textContent.trim() || control.alt))
    .map((control) => control.outerHTML)";

async fn is_well_made(visitor: &Visitor, what: &str) {
    let too_wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(visitor.value(too_wide).await, json!(0), "{what} scrolls sideways");
    assert_eq!(visitor.value(NAMELESS).await, json!([]), "{what}");
}

#[tokio::test(flavor = "multi_thread")]
async fn every_page_fits_a_phone_in_both_languages() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/").await;
    let moritz = stage.visitor_speaking("de", Device::Phone, "/").await;
    for path in PAGES {
        for (visitor, language) in [(&anna, "en"), (&moritz, "de")] {
            visitor.open(path).await;
            visitor.sees(&format!("html[lang={language}] #language")).await;
            visitor
                .sees_that("return !document.body.dataset.view || document.body.dataset.view !== 'entering'")
                .await;
            is_well_made(visitor, &format!("{path} in {language}")).await;
        }
    }
    stage.close([anna, moritz]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_lobby_and_board() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/").await;
    let ben = stage.visitor(Device::Desktop, "/").await;
    anna.sees("body[data-view=lobby]").await;
    anna.keeps_picture("lobby-phone").await;
    ben.sees("body[data-view=lobby]").await;
    ben.keeps_picture("lobby-desktop").await;
    anna.signs_up("Anna", "human").await;
    anna.sees("body[data-view=waiting]").await;
    ben.signs_up("Ben", "human").await;
    for (a, b) in [(4, 4), (3, 5), (5, 3), (2, 6)] {
        anna.drops(a).await;
        ben.drops(b).await;
    }
    anna.sees("#turn[data-turn=mine]").await;
    for (visitor, name) in [(&anna, "board-phone"), (&ben, "board-desktop")] {
        visitor.keeps_picture(name).await;
        is_well_made(visitor, name).await;
    }
    stage.close([anna, ben]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn language_and_light_can_be_switched() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/").await;
    anna.sees("html[lang=en][data-theme=light]").await;
    anna.taps("#language").await;
    anna.sees("html[lang=de]").await;
    assert_eq!(anna.reads("#start").await, "Spielen");
    anna.taps("#theme").await;
    anna.sees("html[data-theme=dark]").await;
    anna.reload().await;
    anna.sees("html[lang=de][data-theme=dark]").await;
    stage.close([anna]).await;
}
