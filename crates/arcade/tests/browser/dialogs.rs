//! What visitors are told, asked and refused (C2, C6, C8, C10).

use serde_json::json;

use crate::browser::Device;
use crate::stage::Stage;

/// C6: `NAME_INVALID`, `NAME_TAKEN`, `NO_VIRTUAL`.
#[tokio::test(flavor = "multi_thread")]
async fn names_and_whoever_waits() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    for bad in ["x", "<b>Anna</b>", "a !"] {
        anna.signs_up(bad, "human").await;
        anna.sees("#name[aria-invalid=true]").await;
        assert!(anna.reads("#name-error").await.contains("3 to 15 characters"), "{bad}");
    }
    anna.signs_up("Anna", "human").await;
    anna.sees("body[data-view=waiting]").await;

    ben.signs_up("Anna", "human").await;
    ben.sees("#name[aria-invalid=true]").await;
    assert!(ben.reads("#name-error").await.contains("has this name"));

    ben.signs_up("Ben", "easy").await;
    ben.sees("dialog#no-virtual[open]").await;
    assert_eq!(ben.reads("#no-virtual-title").await, "Anna is waiting for a human opponent.");
    ben.taps("#decline").await;
    ben.sees("dialog#no-virtual:not([open])").await;
    ben.taps("#start").await;
    ben.taps("dialog#no-virtual[open] #accept").await;
    anna.sees("body[data-view=playing][data-seat=red]").await;
    ben.sees("body[data-view=playing][data-seat=yellow]").await;
    stage.close([anna, ben]).await;
}

/// C2: whoever waits sees the running game and why, and gets in when it ends.
#[tokio::test(flavor = "multi_thread")]
async fn the_table_is_busy() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    anna.signs_up("Anna", "easy").await;
    anna.drops(4).await;
    ben.sees("#table-note[data-mood=busy]").await;
    assert!(ben.reads("#table-note").await.contains("Anna is playing against Machine"));
    ben.sees(".board g.disc[data-cell='4-1']").await;
    assert_eq!(ben.reads("#start").await, "Wait in line");
    ben.signs_up("Ben", "easy").await;
    assert_eq!(ben.reads("#queue:not([hidden]) #queue-place").await, "You are next.");
    let cleo = stage.visitor(Device::SmallPhone, "/lobby").await;
    cleo.signs_up("Cleo", "medium").await;
    assert_eq!(cleo.reads("#queue-place").await, "You are number 2 in line.");
    let guess = cleo.reads("#queue-text").await;
    assert!(guess.starts_with("It takes about "), "{guess}");
    // The place is the server's: a reload keeps it.
    cleo.reload().await;
    assert_eq!(cleo.reads("#queue:not([hidden]) #queue-place").await, "You are number 2 in line.");
    cleo.keeps_picture("queue-phone").await;
    anna.leaves().await;
    ben.sees("body[data-view=playing][data-seat=red]").await;
    cleo.sees("#queue[data-position='1']").await;
    assert_eq!(cleo.reads("#queue-place").await, "You are next.");
    cleo.taps("#queue-cancel").await;
    cleo.sees("body[data-view=lobby] #signup:not([hidden])").await;
    stage.close([anna, ben, cleo]).await;
}

/// Somebody waits for a person: others are asked, and may play the machine meanwhile; whoever waits is asked, too.
#[tokio::test(flavor = "multi_thread")]
async fn waiting_for_a_person() {
    let stage = Stage::open(&["arcade.waiting_question_after_s=5", "arcade.drop_after_s=12"]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    anna.signs_up("Anna", "human").await;
    anna.sees("body[data-view=waiting]").await;
    ben.signs_up("Ben", "easy").await;
    ben.taps("dialog#no-virtual[open] #insist").await;
    ben.sees("body[data-view=playing][data-seat=red]").await;
    assert_eq!(anna.value("return document.body.dataset.view").await, json!("waiting"));
    anna.taps("dialog#inactivity[open] #stay").await;
    anna.sees("dialog#inactivity[open]").await;
    anna.sees("body[data-view=lobby]").await;
    assert!(anna.reads("#toast").await.contains("your place in line was given up"));
    stage.close([anna, ben]).await;
}

/// C8: the question, its yes, and the seat that is given up.
#[tokio::test(flavor = "multi_thread")]
async fn are_you_still_there() {
    let stage = Stage::open(&["arcade.question_after_s=5", "arcade.drop_after_s=12"]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    anna.signs_up("Anna", "easy").await;
    anna.sees("dialog#inactivity[open]").await;
    assert!(anna.reads("#inactivity-text").await.contains("second"));
    anna.taps("#stay").await;
    anna.sees("dialog#inactivity:not([open])").await;
    anna.sees("body[data-view=playing]").await;
    anna.sees("dialog#inactivity[open]").await;
    anna.sees("#result[data-mood=lost]").await;
    assert_eq!(anna.reads("#result-title").await, "Your seat was given up.");
    anna.taps("#to-lobby").await;
    anna.sees("body[data-view=lobby]").await;
    stage.close([anna]).await;
}

/// C8: a demo is announced, and makes room at once.
#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_interrupts_the_demo() {
    let stage = Stage::open(&["arcade.demo=true", "arcade.demo_after_s=1", "arcade.demo_pace_ms=100"]).await;
    let screen = stage.visitor(Device::BigScreen, "/watch").await;
    screen.sees("body[data-view=game] #demo-tag:not([hidden])").await;
    screen.sees("#tree .node[data-chosen]").await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    anna.signs_up("Anna", "easy").await;
    anna.sees("body[data-view=playing][data-seat=red]").await;
    screen.sees("#demo-tag[hidden]").await;
    stage.close([anna, screen]).await;
}

/// A reload keeps the seat; a rematch exchanges the colours.
#[tokio::test(flavor = "multi_thread")]
async fn reload_and_rematch() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let ben = stage.visitor(Device::Desktop, "/lobby").await;
    anna.signs_up("Anna", "human").await;
    anna.sees("body[data-view=waiting]").await;
    ben.signs_up("Ben", "human").await;
    for _ in 0..3 {
        anna.drops(7).await;
        ben.drops(6).await;
    }
    ben.reload().await;
    ben.sees("body[data-view=playing][data-seat=yellow]").await;
    ben.sees(".board g.disc[data-cell='7-3']").await;
    anna.sees("#turn[data-turn=mine]").await;
    anna.taps(".column[data-column='7']").await;
    anna.taps("#result[data-mood=won] #rematch").await;
    ben.sees("#result-offer:not([hidden])").await;
    assert_eq!(ben.reads("#result-offer").await, "Anna wants to play again, colours exchanged.");
    ben.taps("#rematch").await;
    anna.sees("body[data-view=playing][data-seat=yellow]").await;
    ben.sees("body[data-view=playing][data-seat=red]").await;
    stage.close([anna, ben]).await;
}

/// C10: a lost connection is told.
#[tokio::test(flavor = "multi_thread")]
async fn the_connection_is_lost() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    anna.sees("body[data-view=lobby]").await;
    let driver = stage.server_dies().await;
    anna.sees("#strip-link").await;
    assert!(anna.reads("#strip-link").await.contains("The connection is lost."));
    anna.goes_home().await;
    driver.close().await;
}

/// Keyboard alone: digits drop a disc, arrows walk the columns, labels say what lies there.
#[tokio::test(flavor = "multi_thread")]
async fn keyboard_and_screen_reader() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Desktop, "/lobby").await;
    anna.signs_up("Anna", "easy").await;
    anna.sees("#turn[data-turn=mine]").await;
    let label = "return document.querySelector(\".column[data-column='3']\").getAttribute('aria-label')";
    assert_eq!(anna.value(label).await, json!("Column 3, 0 discs"));
    anna.presses("3").await;
    anna.sees(".board g.disc-red[data-cell='3-1']").await;
    anna.sees("#turn[data-turn=mine]").await;
    let told = anna.value(label).await;
    assert!(told.as_str().unwrap().starts_with("Column 3, "), "{told}");
    assert!(told.as_str().unwrap().contains(": red"), "{told}");
    let announced = anna.value("return document.getElementById('announcer').textContent").await;
    assert!(announced.as_str().unwrap().contains("Yellow dropped into column"), "{announced}");
    anna.value("document.querySelector(\".column[data-column='4']\").focus()").await;
    for _ in 0..3 {
        anna.presses("\u{E014}").await; // arrow right
    }
    anna.sees(".column[data-column='7']:focus").await;
    anna.presses("\u{E007}").await; // Enter
    anna.sees(".board g.disc-red[data-cell^='7-']").await;
    stage.close([anna]).await;
}
