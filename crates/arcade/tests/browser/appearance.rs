//! What can be said of every page: it fits a phone, its controls have names, the console is quiet (C10).

use serde_json::json;

use crate::browser::{Device, Visitor};
use crate::stage::Stage;

const PAGES: [&str; 12] = [
    "/lobby",
    "/",
    "/shows/samegame",
    "/watch",
    "/robot",
    "/games",
    "/admin",
    "/screen",
    "/runs",
    "/lab",
    "/about",
    "/screenshot",
];

/// Runs in every page; says what it is about.
const FLAWS: &str = include_str!("flaws.js");

pub async fn is_well_made(visitor: &Visitor, what: &str) {
    let too_wide = "return document.documentElement.scrollWidth - document.documentElement.clientWidth";
    assert_eq!(visitor.value(too_wide).await, json!(0), "{what} scrolls sideways");
    assert_eq!(visitor.value(FLAWS).await, json!([]), "{what}");
}

/// Every page by day in English and by night in German, on a phone and on a desktop, with and without a game.
#[tokio::test(flavor = "multi_thread")]
async fn every_page_is_well_made() {
    let stage = Stage::open(&[]).await;
    let (phone, desktop) = (
        stage.visitor_speaking("en", Device::Phone, "/lobby").await,
        stage.visitor_speaking("de", Device::Desktop, "/lobby").await,
    );
    let player = stage.visitor(Device::Desktop, "/lobby").await;
    for situation in ["empty", "playing"] {
        if situation == "playing" {
            player.signs_up("Cleo", "medium").await;
            player.drops(4).await;
            player.sees("#turn[data-turn=mine]").await;
        }
        for (visitor, place) in [(&phone, "phone"), (&desktop, "desktop")] {
            for (language, light) in [("en", "light"), ("de", "dark")] {
                visitor.prefers(language, light).await;
                for path in PAGES {
                    visitor.open(path).await;
                    visitor.sees(&format!("html[lang={language}][data-theme={light}] #language")).await;
                    visitor.sees("body:not([data-view=entering])").await;
                    let name = if path == "/" { "hall".to_owned() } else { path[1..].replace('/', "-") };
                    visitor
                        .keeps_picture(&format!("every/{name}-{situation}-{place}-{language}-{light}"))
                        .await;
                    is_well_made(visitor, &format!("{name}, {situation}, {place}, {language}, {light}"))
                        .await;
                }
            }
        }
    }
    stage.close([phone, desktop, player]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn pictures_of_lobby_and_board() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    anna.sees("body[data-view=lobby]").await;
    anna.keeps_picture("lobby-phone").await;
    ben.sees("body[data-view=lobby]").await;
    ben.keeps_picture("lobby-desktop").await;
    let whole = "return document.getElementById('start').getBoundingClientRect().bottom <= innerHeight";
    assert_eq!(ben.value(whole).await, json!(true), "the whole form is seen without scrolling");
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
    let anna = stage.visitor(Device::Phone, "/lobby").await;
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
