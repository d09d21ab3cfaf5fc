//! The operator's page, and faults of the robot as visitors meet them (C11, C12).

use crate::browser::{Device, Visitor};
use crate::stage::Stage;

const PASSWORD: &str = "correct horse";

pub async fn operator(stage: &Stage) -> Visitor {
    operator_speaking(stage, "en").await
}

async fn operator_speaking(stage: &Stage, language: &str) -> Visitor {
    let operator = stage.visitor_speaking(language, Device::Desktop, "/admin").await;
    // A phone must not offer its number pad for a code of letters.
    let pad = operator.value("return document.getElementById('setup-code').inputMode").await;
    assert_eq!(pad, "", "{}", stage.setup_code);
    operator.writes("#setup-code", &stage.setup_code).await;
    operator.writes("#setup-password", PASSWORD).await;
    operator.taps("#setup button").await;
    operator.sees("body[data-view=open] #settings .setting").await;
    operator
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_change_while_it_runs() {
    let stage = Stage::open(&[]).await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
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
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    let operator = operator(&stage).await;
    anna.signs_up("Anna", "easy").await;
    anna.sees("body[data-view=playing]").await;
    operator.taps("#end-game:not(:disabled)").await;
    assert_eq!(operator.reads("dialog#confirm[open] #confirm-title").await, "End the game?");
    operator.taps("#confirm-no").await;
    anna.sees("body[data-view=playing]").await;
    operator.taps("#end-game:not(:disabled)").await;
    operator.taps("dialog#confirm[open] #confirm-yes").await;
    anna.sees("#result[data-mood=ended]").await;
    assert_eq!(anna.reads("#result-text").await, "The operator ended the game.");
    anna.taps("#to-lobby").await;
    anna.sees("body[data-view=lobby]").await;
    stage.close([anna, operator]).await;
}

/// The whole page in German, with every setting, and a live log of games, visitors, log-ins and faults.
#[tokio::test(flavor = "multi_thread")]
async fn the_operator_reads_german() {
    let stage = Stage::open(&[]).await;
    let operator = operator_speaking(&stage, "de").await;
    let anna = stage.visitor(Device::Phone, "/lobby").await;
    // Every setting has a German label, an explanation and German limits.
    let english = "return [...document.querySelectorAll('.setting')].flatMap((setting) => {
        const [label, doc, limits] = ['label', '.setting-words p', '.setting-words p + p'].map((part) => setting.querySelector(part).textContent);
        const unit = setting.querySelector('.setting-value span')?.textContent ?? '';
        const foreign = /\\b(the|from|to|of|after|how|seconds|number|or|default|whether)\\b/i;
        return /[._]/.test(label) || [label, doc, unit, limits.split(' · ').slice(0, 2).join()].some((text) => foreign.test(text))
            ? [`${setting.dataset.key}: ${label} / ${doc} / ${unit} / ${limits}`] : [];
    })";
    assert_eq!(operator.value(english).await, serde_json::json!([]));
    operator.keeps_picture("admin-de").await;

    // The server of a test listens on this machine only.
    let warning = operator.reads("#address-warning").await;
    assert!(warning.starts_with("Der QR-Code führt zu http://127.0.0.1:"), "{warning}");
    assert!(warning.contains("--listen 0.0.0.0:"), "{warning}");
    let line = ".setting[data-key='arcade.address']";
    operator.writes(&format!("{line} .input"), "robot.example").await;
    operator.taps(&format!("{line} .save")).await;
    operator.sees(&format!("{line} .error:not(:empty)")).await;
    let error = operator.reads(&format!("{line} .error")).await;
    assert!(error.contains("eine Adresse, die mit http:// oder https:// beginnt"), "{error}");
    let complaints = operator.complaints().await;
    assert!(complaints.iter().all(|line| line.contains("422")), "{complaints:#?}");
    operator.writes(&format!("{line} .input"), "http://robot.example/").await;
    operator.taps(&format!("{line} .save")).await;
    operator.sees("#address-warning[hidden]").await;

    anna.signs_up("Anna", "easy").await;
    anna.drops(4).await;
    operator.taps("[data-fault=unplug]").await;
    for (kind, words) in [
        ("game", "Anna beginnt gegen Maschine · Leicht."),
        ("fault", "Der Roboter antwortet nicht."),
        ("door", "Das Passwort der Aufsicht wurde gesetzt."),
        ("door", "Einstellung geändert: Adresse für den QR-Code."),
    ] {
        let told = format!(
            "return [...document.querySelectorAll('#happenings [data-kind={kind}] span')].some((line) => line.textContent === '{words}')"
        );
        operator.sees_that(&told).await;
    }
    operator.taps("[data-fault=plug]").await;
    operator.keeps_picture("admin-happenings-de").await;
    stage.close([anna, operator]).await;
}
