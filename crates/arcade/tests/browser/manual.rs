//! The manual at `/docs`: read on a phone and on a desktop, searched with the keyboard, and as a folder of plain files.

use serde_json::json;

use crate::appearance::is_well_made;
use crate::browser::Device;
use crate::stage::Stage;

#[tokio::test(flavor = "multi_thread")]
async fn the_manual_is_read_and_searched() {
    let stage = Stage::open(&["robot.kind=none"]).await;
    let phone = stage.visitor(Device::Phone, "/docs").await;
    let small = stage.visitor_speaking("de", Device::SmallPhone, "/docs/events.html").await;
    let desktop = stage.visitor(Device::Desktop, "/docs/").await;

    phone.sees("#language").await;
    desktop.sees("nav a[href='/hall']:not([hidden])").await;
    assert_eq!(phone.value("return location.pathname").await, json!("/docs/"));
    assert_eq!(phone.value("return document.title").await, json!("Get started · Gamebot"));
    let chapters = "return [...document.querySelectorAll('#manual-contents a')].map((link) => link.getAttribute('href'))";
    let chapters: Vec<String> = serde_json::from_value(phone.value(chapters).await).unwrap();
    assert!(chapters.len() > 20, "{chapters:?}");
    for (visitor, place) in [(&phone, "phone"), (&desktop, "desktop"), (&small, "small-phone")] {
        // The widest tables, drawings, long code, and a report.
        for page in
            ["start", "events", "tetris-robot", "lego-robot", "architecture", "2026-11-16-connect-four"]
        {
            visitor.open(&format!("/docs/{page}.html")).await;
            visitor.sees("#language").await;
            is_well_made(visitor, &format!("{page} on {place}")).await;
            visitor.keeps_picture(&format!("manual/{page}-{place}")).await;
        }
    }
    let drawn = "return [...document.querySelectorAll('main img')].every((img) => img.complete && img.naturalWidth > 0)";
    phone.open("/docs/tetris-robot.html").await;
    phone.sees_that(drawn).await;
    desktop.prefers("en", "dark").await;
    desktop.open("/docs/tetris-robot.html").await;
    desktop.sees("html[data-theme=dark] #language").await;
    desktop.keeps_picture("manual/tetris-robot-desktop-dark").await;

    // The keyboard alone: / into the search, down to the first section, and there.
    desktop.open("/docs/").await;
    desktop.sees("#language").await;
    desktop.presses("/").await;
    desktop.sees_that("return document.activeElement.id === 'manual-words'").await;
    desktop.presses("diode coil").await;
    desktop.sees("#manual-found a[href='tetris-robot.html#wiring']").await;
    desktop.keeps_picture("manual/search-desktop").await;
    is_well_made(&desktop, "the search").await;
    desktop.presses("\u{E015}").await;
    desktop.sees_that("return document.activeElement.matches('#manual-found a')").await;
    desktop.presses("\u{E007}").await;
    desktop.sees_that("return location.pathname.endsWith('tetris-robot.html') && location.hash !== ''").await;
    desktop.open("/docs/").await;
    desktop.writes("#manual-words", "nosuchwordanywhere").await;
    desktop.sees("#manual-count[data-count='0']").await;

    phone.open("/docs/").await;
    phone.writes("#manual-words", "foxglove").await;
    phone.sees("#manual-found a").await;
    phone.keeps_picture("manual/search-phone").await;
    phone.open("/hall").await;
    phone.sees("a[href='/docs/']").await;
    stage.close([phone, small, desktop]).await;
}
