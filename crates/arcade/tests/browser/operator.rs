//! The operator's page, and faults of the robot as visitors meet them (C11, C12).

use crate::browser::{Device, Visitor};
use crate::stage::Stage;

const PASSWORD: &str = "correct horse";

pub async fn operator(stage: &Stage) -> Visitor {
    let operator = stage.visitor(Device::Desktop, "/admin").await;
    operator.writes("#setup-code", &stage.setup_code).await;
    operator.writes("#setup-password", PASSWORD).await;
    operator.taps("#setup button").await;
    operator.sees("body[data-view=open] #settings .setting").await;
    operator
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_change_while_it_runs() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/").await;
    anna.sees("body[data-view=lobby]").await;
    let operator = operator(&stage).await;
    operator.sees("#traffic tr").await;
    operator.keeps_picture("admin").await;
    let line = ".setting[data-key='arcade.question_after_s']";
    operator.writes(&format!("{line} .input"), "2").await;
    operator.taps(&format!("{line} .save")).await;
    operator.sees(&format!("{line} .error:not(:empty)")).await;
    let error = operator.reads(&format!("{line} .error")).await;
    assert!(error.contains("from 5 to 3600"), "{error}");
    // The browser notes every refused request; that one was meant.
    let complaints = operator.complaints().await;
    assert!(complaints.iter().all(|line| line.contains("422")), "{complaints:#?}");

    operator.value("document.querySelector('[data-key=\"arcade.language\"] .input').value = 'de'").await;
    operator.taps(".setting[data-key='arcade.language'] .save").await;
    operator.sees(".setting[data-key='arcade.language'][data-source=\"operator's page\"]").await;
    anna.sees("html[lang=de]").await;
    operator.taps("#logout").await;
    operator.sees("body[data-view=login]").await;
    operator.writes("#login-password", PASSWORD).await;
    operator.taps("#login button").await;
    operator.sees("body[data-view=open]").await;
    stage.close([anna, operator]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_operator_ends_a_game() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/").await;
    let operator = operator(&stage).await;
    anna.signs_up("Anna", "easy").await;
    anna.sees("body[data-view=playing]").await;
    operator.taps("#end-game:not(:disabled)").await;
    anna.sees("#result[data-mood=ended]").await;
    assert_eq!(anna.reads("#result-text").await, "The operator ended the game.");
    anna.taps("#to-lobby").await;
    anna.sees("body[data-view=lobby]").await;
    stage.close([anna, operator]).await;
}
