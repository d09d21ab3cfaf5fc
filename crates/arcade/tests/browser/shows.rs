//! The hall of cabinets and the pages of its shows: live pictures, and what the machine makes of them (X1, X3).

use crate::appearance::is_well_made;
use crate::browser::Device;
use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn every_cabinet_has_a_live_picture() {
    let stage = Stage::open(&[]).await;
    let visitor = stage.visitor(Device::Desktop, "/").await;
    for show in ["tetris", "samegame"] {
        visitor.sees(&format!("[data-state={show}][data-is=playing]")).await;
    }
    // Without MicroPython on this machine the cabinet says how to get it.
    visitor.sees("[data-state=lego][data-is=playing], [data-state=lego][data-is=failed]").await;
    for cabinet in ["tetris", "play-tetris", "samegame", "connect-four", "lego"] {
        visitor.sees(&format!("[data-cabinet={cabinet}] h2")).await;
    }
    visitor.keeps_picture("hall").await;
    visitor.taps("[data-cabinet=tetris] a").await;
    visitor.sees("body[data-show=tetris]").await;
    stage.close([visitor]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_show_tells_what_the_machine_sees_decides_and_does() {
    let stage = Stage::open(&[]).await;
    let visitor = stage.visitor(Device::Desktop, "/shows/tetris").await;
    visitor.sees("#state[data-is=playing]").await;
    visitor.sees("#cells .kind-filled").await;
    visitor.sees("#outline polygon").await;
    visitor.sees("#recognised .cell").await;
    visitor.sees("#candidates li[data-chosen=true]").await;
    visitor.sees("#steps [data-step=see]").await;
    visitor.sees("#timeline rect[data-action]").await;
    let counted = "return Number(document.querySelector('[data-figure=decisions] dd').textContent) > 3";
    visitor.sees_that(counted).await;
    visitor.keeps_picture("show-tetris").await;
    // A reload at the worst moment finds the run again.
    visitor.reload().await;
    visitor.sees("#cells .kind-filled").await;
    stage.close([visitor]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn samegame_tells_which_groups_it_weighed() {
    let stage = Stage::open(&[]).await;
    let visitor = stage.visitor(Device::Desktop, "/shows/samegame").await;
    visitor.sees("#outline polygon").await;
    visitor.sees("#candidates li[data-chosen=true]").await;
    visitor.sees_that("return document.querySelectorAll('#candidates li').length > 1").await;
    visitor.keeps_picture("show-samegame").await;
    stage.close([visitor]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_big_screen_shows_one_cabinet_after_the_other() {
    let stage = Stage::open(&[]).await;
    let screen = stage.visitor(Device::BigScreen, "/screen?seconds=3").await;
    for shown in ["tetris", "samegame", "connect-four"] {
        screen.sees(&format!("body[data-shown={shown}]")).await;
    }
    screen.taps("#hold").await;
    screen.sees("#hold[aria-pressed=true]").await;
    screen.keeps_picture("screen").await;
    for _ in 0..4 {
        screen.taps("#next").await;
        let shown = screen.value("return document.body.dataset.shown").await;
        is_well_made(&screen, &format!("big screen with {shown}")).await;
    }
    stage.close([screen]).await;
}

/// X3: a recording that a visitor brings is scrubbed frame by frame, and a link leads to a moment.
#[tokio::test(flavor = "multi_thread")]
async fn a_recording_is_scrubbed_frame_by_frame() {
    let stage = Stage::open(&[]).await;
    let visitor = stage.visitor(Device::Desktop, "/runs").await;
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/recordings/tetris-0.1.0-cut-off.mcap");
    visitor.sees("#bring:not([hidden])").await;
    visitor.chooses_file("#file", file).await;
    visitor.sees("#state[data-is=recorded]").await;
    visitor.sees("#scrubber[data-frame='0']").await;
    visitor.taps("#forward").await;
    visitor.sees("#scrubber[data-frame='1']").await;
    let address = visitor.value("return location.pathname").await.as_str().unwrap().to_owned();
    visitor.open(&format!("{address}#frame=100")).await;
    visitor.sees("#scrubber[data-frame='100']").await;
    visitor.sees("#cells .cell").await;
    visitor.sees("#timeline rect[data-action]").await;
    visitor.keeps_picture("recording").await;
    visitor.taps("#play").await;
    visitor.sees_that("return Number(document.getElementById('scrubber').dataset.frame) > 103").await;
    visitor.open("/runs").await;
    visitor.sees("#runs [data-run] img").await;
    visitor.keeps_picture("runs").await;
    visitor.chooses_file("#file", concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml")).await;
    visitor.sees("#bring-state[data-is=refused]").await;
    visitor.complaints().await; // The browser names the refused request; that is wanted here.
    stage.close([visitor]).await;
}

/// The operator's panel, and what a visitor may do without it (G17).
#[tokio::test(flavor = "multi_thread")]
async fn the_operator_steers_the_robot_from_its_page() {
    let stage = Stage::open(&["arcade.visitors_may_disturb=true"]).await;
    let visitor = stage.visitor(Device::Phone, "/shows/tetris").await;
    visitor.sees("[data-fault=dark]").await;
    let push = "document.querySelector('[data-fault=dark]').click()";
    visitor.value(push).await;
    visitor.sees("[data-fault=dark][aria-pressed=true]").await;
    visitor.keeps_picture("faults-phone").await;
    visitor.value(push).await;
    visitor.sees("[data-fault=dark][aria-pressed=false]").await;
    assert_eq!(visitor.value("return document.querySelectorAll('[data-command]').length").await, 0);
    let operator = stage.visitor(Device::Desktop, "/admin").await;
    operator.writes("#setup-code", &stage.setup_code).await;
    operator.writes("#setup-password", "correct horse battery").await;
    operator.taps("#setup button").await;
    operator.sees("body[data-view=open]").await;
    operator.open("/shows/tetris").await;
    operator.sees("#state[data-is=playing]").await;
    operator.taps("[data-command=stop]").await;
    operator.sees("#happenings [data-kind=order]").await;
    operator.keeps_picture("panel").await;
    // Calibrated by four clicks, where the screen was found before.
    operator.sees_that(CLICKS_ON_THE_CORNERS).await;
    operator.sees("#panel-state[data-is=done]").await;
    operator
        .sees_that(
            "return [...document.querySelectorAll('#happenings [data-kind=order]')]
                .some((line) => line.textContent.includes('corners are here'))",
        )
        .await;
    operator.taps("[data-command=start]").await;
    stage.close([visitor, operator]).await;
}

/// What an operator does who calibrates by hand: four clicks on the picture, as the panel asks for them.
const CLICKS_ON_THE_CORNERS: &str = "
    const canvas = document.getElementById('picture');
    const corners = document.querySelector('#outline polygon')?.getAttribute('points').split(' ');
    if (!corners) return false;
    document.querySelector('[data-command=key_points]').click();
    const box = canvas.getBoundingClientRect();
    const scale = Math.min(box.width / canvas.width, box.height / canvas.height);
    const at = (start, room, size, value) => start + (room - size * scale) / 2 + value * scale;
    for (const [x, y] of corners.map((corner) => corner.split(',').map(Number))) {
        const clientX = at(box.left, box.width, canvas.width, x), clientY = at(box.top, box.height, canvas.height, y);
        canvas.dispatchEvent(new MouseEvent('click', { bubbles: true, clientX, clientY }));
    }
    return true;
";

/// A screenshot of any SameGame: recognised, drawn over, solved and played.
#[tokio::test(flavor = "multi_thread")]
async fn a_screenshot_is_recognised_and_solved() {
    let stage = Stage::open(&[]).await;
    let visitor = stage.visitor(Device::Desktop, "/screenshot").await;
    visitor.taps("#sample").await;
    visitor.sees("#bring-state[data-is=read], #bring-state[data-is=refused]").await;
    if visitor.value("return document.getElementById('bring-state').dataset.is").await == "read" {
        visitor.sees("#found .cell").await;
        visitor.taps("#forward").await;
        visitor.sees("#solved-text[data-move='1']").await;
    }
    visitor.keeps_picture("screenshot").await;
    visitor.complaints().await;
    stage.close([visitor]).await;
}

/// X1: a visitor races the robot. What falls in the visitor's field are the robot's pieces, one by one.
#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_races_the_robot_on_the_same_pieces() {
    let stage = Stage::open(&["tetris.idle_periods=60"]).await;
    let visitor = stage.visitor(Device::Desktop, "/shows/tetris").await;
    visitor.taps("#race a").await;
    visitor.sees("body[data-page=tetris], html[data-page=tetris]").await;
    visitor.sees_that("return document.getElementById('race').value === 'robot'").await;
    visitor.chooses("#pace", "0").await;
    visitor.taps("#start").await;
    visitor.sees("body[data-view=playing]").await;
    visitor.presses("m").await;
    let same = "const { mine } = gamebot.tables(), { pieces } = gamebot.robot(), at = mine.view.pieces;
        if (mine.view.piece && (pieces[at - 1] !== mine.view.piece || pieces[at] !== mine.view.next)) throw new Error(`piece ${at}`);
        return at";
    for wanted in [2, 3, 4, 6] {
        visitor.sees_that(&format!("return gamebot.tables().mine.view.pieces >= {wanted}")).await;
        visitor.value(same).await;
    }
    visitor.sees_that("return gamebot.tables().rival.view.cells.includes('8')").await;
    visitor.keeps_picture("race").await;
    visitor.taps("#stop").await;
    visitor.sees("body[data-view=over]").await;
    visitor.sees_that("return document.getElementById('enter-score').hidden").await;
    visitor.keeps_picture("race-over").await;
    stage.close([visitor]).await;
}

/// A visitor plays against the LEGO robot from a phone, where MicroPython is.
#[tokio::test(flavor = "multi_thread")]
async fn a_visitor_takes_the_seat_at_the_lego_robots_table() {
    let stage = Stage::open(&["lego.beginner=other"]).await;
    let visitor = stage.visitor(Device::Phone, "/shows/lego").await;
    visitor.sees("#state[data-is=playing], #state[data-is=failed]").await;
    if visitor.value("return document.getElementById('state').dataset.is").await == "playing" {
        visitor.sees("#seat[data-is=free]").await;
        visitor.taps("#seat-take").await;
        visitor.sees("#seat[data-is=mine] #seat-text[data-turn=true]").await;
        visitor.taps("#seat .board button[data-column='6']").await;
        visitor.sees("#seat .board g.disc[data-cell='6-1']").await;
        visitor.keeps_picture("seat-phone").await;
        // The robot looks for it, weighs its own columns, and answers.
        visitor.sees("#candidates li[data-chosen=true]").await;
        visitor.taps("#seat-leave").await;
        visitor.sees("#seat[data-is=free]").await;
    }
    stage.close([visitor]).await;
}
