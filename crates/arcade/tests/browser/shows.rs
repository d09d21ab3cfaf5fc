//! The hall of cabinets and the pages of its shows: live pictures, and what the machine makes of them (X1, X3).

use crate::browser::Device;
use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn every_cabinet_has_a_live_picture() {
    let stage = Stage::open(&[]).await;
    let visitor = stage.visitor(Device::Desktop, "/hall").await;
    for show in ["tetris", "samegame"] {
        visitor.sees(&format!("[data-state={show}][data-is=playing]")).await;
    }
    // Without MicroPython on this machine the cabinet says how to get it.
    visitor.sees("[data-state=lego][data-is=playing], [data-state=lego][data-is=failed]").await;
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
    visitor.sees("#cells .kind-planned").await;
    visitor.sees("#timeline rect[data-action]").await;
    let counted = "return Number(document.querySelector('[data-figure=decisions] dd').textContent) > 3";
    visitor.sees_that(counted).await;
    visitor.keeps_picture("show-tetris").await;
    // A reload at the worst moment finds the run again.
    visitor.reload().await;
    visitor.sees("#cells .kind-filled").await;
    stage.close([visitor]).await;
}
