//! What the big screen says is true, can be understood without a guide, and can be read from afar (C9).

use serde_json::json;

use crate::browser::{Device, Visitor};
use crate::stage::Stage;

/// Runs in the page; says what it is about.
const FALSEHOODS: &str = include_str!("falsehoods.js");

/// Waits for the thought before this ply and checks what is shown.
async fn is_true(screen: &Visitor, ply: usize) {
    screen.sees(&format!("#bars[data-ply='{ply}']")).await;
    assert_eq!(screen.value(FALSEHOODS).await, json!([]), "ply {ply}");
}

/// Plays the columns as they have room, and checks every thought of the machine; ends with the game.
async fn play_and_check(stage: &Stage, level: &str, columns: &[usize]) -> (Visitor, Visitor) {
    let screen = stage.visitor(Device::BigScreen, "/watch?kiosk").await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    anna.signs_up("Anna", level).await;
    for (index, column) in columns.iter().enumerate() {
        anna.drops(*column).await;
        is_true(&screen, 2 * index + 2).await;
        anna.sees("body[data-view=result], #turn[data-turn=mine]").await;
        if anna.value("return document.body.dataset.view").await == json!("result") {
            break;
        }
    }
    (anna, screen)
}

#[tokio::test(flavor = "multi_thread")]
async fn perfect_play_shows_how_each_column_ends() {
    let stage = Stage::open(&[]).await;
    // From the eighth disc on the book no longer knows all columns.
    let (anna, screen) = play_and_check(&stage, "perfect", &[4, 3, 5, 1, 7, 1]).await;
    screen.sees("#thought[data-kind=lanes] #lanes .lane[data-chosen]").await;
    assert_eq!(screen.value("return document.querySelectorAll('#tree .node').length").await, json!(0));
    screen.keeps_picture("watch-perfect").await;
    stage.close([anna, screen]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn slips_are_called_slips() {
    let stage = Stage::open(&["levels.easy_bad_share=1.0"]).await;
    let (anna, screen) = play_and_check(&stage, "easy", &[4, 4]).await;
    screen.sees("#intent[data-intent=slip]:not([hidden])").await;
    assert_eq!(screen.reads("#intent").await, "A slip, on purpose");
    assert!(screen.reads("#reason").await.starts_with("Slips, as this level does now and then: column "));
    let size = "return parseFloat(getComputedStyle(document.getElementById('intent')).fontSize)";
    assert!(screen.value(size).await.as_f64().unwrap() >= 30.0, "in large type");
    captions_fit(&screen).await;
    screen.keeps_picture("watch-slip").await;
    stage.close([anna, screen]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn adaptive_says_when_it_yields() {
    let stage = Stage::open(&[]).await;
    let screen = stage.visitor(Device::BigScreen, "/watch?kiosk").await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    // Of a visitor without a past it does not know whether to win or to be beaten, and tosses a coin for each game.
    let mut yielded = false;
    for _ in 0..6 {
        anna.signs_up("Anna", "adaptive").await;
        for (index, column) in [4, 3, 5].into_iter().enumerate() {
            anna.drops(column).await;
            is_true(&screen, 2 * index + 2).await;
            let shown = "return document.querySelector('#intent[data-intent=yields]:not([hidden])') !== null";
            yielded = screen.value(shown).await == json!(true);
            if yielded {
                break;
            }
        }
        if yielded {
            break;
        }
        anna.leaves().await;
        anna.sees("body[data-view=lobby] #table-note[data-mood=free]").await;
    }
    assert!(yielded, "in six games it never gave a chance away");
    assert!(screen.reads("#reason").await.starts_with("Gives a chance away on purpose: column "));
    let size = "return parseFloat(getComputedStyle(document.getElementById('intent')).fontSize)";
    assert!(screen.value(size).await.as_f64().unwrap() >= 30.0, "in large type");
    screen.keeps_picture("watch-adaptive").await;
    stage.close([anna, screen]).await;
}

/// Turns the captions once round: each explains something that is there to be seen.
async fn captions_fit(screen: &Visitor) {
    let fits = "return import('/static/js/explanation.js').then(({ CAPTIONS }) => {
        const caption = CAPTIONS.find(({ key }) => key === document.body.dataset.explain);
        return Boolean(caption) && [...document.querySelectorAll(caption.needs)].some((found) => found.checkVisibility())
            && document.getElementById('explain-text').textContent.length > 20;
    })";
    let mut seen = std::collections::BTreeSet::new();
    for _ in 0..9 {
        let key = screen.value("return document.body.dataset.explain").await.to_string();
        assert_eq!(screen.value(fits).await, json!(true), "{key}");
        seen.insert(key);
        screen.presses("\u{E014}").await; // arrow right
    }
    assert!(seen.len() >= 3, "{seen:?}");
}

/// Two people play: the machine comments with exact values, and explains what is on the screen.
#[tokio::test(flavor = "multi_thread")]
async fn the_machine_comments_on_a_game_between_people() {
    let stage = Stage::open(&[]).await;
    let screen = stage.visitor(Device::BigScreen, "/watch?kiosk").await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    anna.signs_up("Anna", "human").await;
    anna.sees("body[data-view=waiting]").await;
    ben.signs_up("Ben", "human").await;
    screen.sees("#thought[data-kind=comment] #lanes[data-ply='1'] .lane[data-chosen]").await;
    assert_eq!(screen.reads("#verdict").await, "Anna begins.");
    screen.sees_that("return document.getElementById('spectators').textContent === '3 visitors here'").await;
    anna.drops(3).await;
    is_true(&screen, 2).await;
    assert_eq!(screen.reads("#verdict").await, "Anna misses a chance: column 4 would have won in 21 moves.");
    assert!(screen.reads("#reason").await.starts_with("Ben is next. The machine would play column "));
    assert!(screen.reads("#bars-title").await.contains("for Ben"));
    captions_fit(&screen).await;
    ben.drops(4).await;
    is_true(&screen, 3).await;
    assert!(screen.reads("#verdict").await.starts_with("Ben "));
    screen.keeps_picture("watch-people").await;
    stage.close([anna, ben, screen]).await;
}

/// Everything on the big screen can be read from five metres, in both languages and lights.
#[tokio::test(flavor = "multi_thread")]
async fn the_big_screen_is_legible() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let wall = stage.visitor(Device::BigScreen, "/watch?kiosk").await;
    let laptop = stage.visitor(Device::Laptop, "/watch?kiosk").await;
    wall.sees("body[data-view=attract] #today dd").await;
    legible(&wall, 20.0, "empty table").await;
    wall.keeps_picture("watch-attract").await;
    for (level, ply) in [("medium", 4), ("perfect", 4)] {
        anna.signs_up("Anna", level).await;
        anna.drops(4).await;
        anna.drops(3).await;
        for (screen, smallest, name) in [(&wall, 20.0, "wall"), (&laptop, 13.3, "laptop")] {
            for (language, light) in [("en", "light"), ("de", "dark")] {
                screen.prefers(language, light).await;
                screen.open("/watch?kiosk").await;
                screen.sees(&format!("html[lang={language}] #bars[data-ply='{ply}']")).await;
                legible(screen, smallest, &format!("{level} {name} {language} {light}")).await;
                screen.keeps_picture(&format!("watch-{level}-{name}-{language}-{light}")).await;
            }
        }
        anna.leaves().await;
        anna.sees("body[data-view=lobby] #table-note[data-mood=free]").await;
    }
    stage.close([anna, wall, laptop]).await;
}

async fn legible(screen: &Visitor, smallest: f64, what: &str) {
    screen.sees_that("return document.fonts.status === 'loaded' && document.fonts.check('20px Inter')").await;
    let script = format!("return (function () {{ {} }})({smallest})", include_str!("legible.js"));
    assert_eq!(screen.value(&script).await, json!([]), "{what}");
    let links = "return [...document.querySelectorAll('nav a, .wordmark')].filter((link) => link.checkVisibility({ visibilityProperty: true })).length";
    assert_eq!(screen.value(links).await, json!(0), "{what}: a kiosk leads nowhere else");
}

/// The four light up and the result takes the stage when the last disc has landed, not while it falls.
#[tokio::test(flavor = "multi_thread")]
async fn the_result_waits_for_the_disc() {
    const WATCH: &str = "window.early = []; window.ends = 0;
        new MutationObserver(() => {
            const over = document.querySelector('.board.won, body[data-view=result], #finale:not([hidden])');
            if (!over) return;
            window.ends += 1;
            for (const disc of document.querySelectorAll('.board g.disc'))
                for (const fall of disc.getAnimations())
                    // Fading and pulsing are the style sheet's; falling is a script's.
                    if (fall.constructor === Animation && fall.playState !== 'finished') window.early.push(disc.dataset.cell);
        }).observe(document.body, { subtree: true, childList: true, attributes: true, attributeFilter: ['class', 'hidden', 'data-view'] });";
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor_with_motion(Device::Phone, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    let screen = stage.visitor_with_motion(Device::BigScreen, "/watch?kiosk").await;
    anna.signs_up("Anna", "human").await;
    anna.sees("body[data-view=waiting]").await;
    ben.signs_up("Ben", "human").await;
    for _ in 0..3 {
        anna.drops(1).await;
        ben.drops(2).await;
    }
    anna.sees("#turn[data-turn=mine]").await;
    for visitor in [&anna, &screen] {
        visitor.value(WATCH).await;
    }
    anna.taps(".column[data-column='1']").await;
    anna.sees("#result[data-mood=won]").await;
    anna.sees(".board.won").await;
    screen.sees("#finale[data-result=won]:not([hidden])").await;
    assert_eq!(screen.reads("#finale-title").await, "Anna wins!");
    let size = "return parseFloat(getComputedStyle(document.getElementById('finale-title')).fontSize)";
    assert!(screen.value(size).await.as_f64().unwrap() > 80.0, "the result takes the stage");
    screen.keeps_picture("watch-finale").await;
    for visitor in [&anna, &screen] {
        assert!(visitor.value("return window.ends").await.as_u64().unwrap() > 0);
        assert_eq!(visitor.value("return window.early").await, json!([]));
    }
    stage.close([anna, ben, screen]).await;
}
