//! Players from the server's plug-in folder: evaluators that pages fetch and run themselves, and programs that speak the
//! Tetris Bot Protocol, which think here (P3, G22).

use std::collections::BTreeMap;
use std::path::Path as FilePath;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use browser::tetris::{Candidate, Scene, places};
use plugins::folder;
use plugins::tbp::Bot;
use serde_json::json;

use super::{Bench, refused};
use crate::web::gate::Visitor;
use crate::web::{AppState, not_found};

/// How long a program may think about one piece.
const PATIENCE: Duration = Duration::from_secs(2);

/// All players of the folder; cheap to clone.
#[derive(Clone, Debug, Default)]
pub struct Guests(Arc<Folder>);

#[derive(Debug, Default)]
struct Folder {
    evaluators: BTreeMap<String, Bytes>,
    programs: BTreeMap<String, Program>,
}

/// A program, started when it is first asked; after a failure it is started again for the next question.
#[derive(Debug)]
struct Program {
    command: Vec<String>,
    bot: Mutex<Option<Bot>>,
}

impl Guests {
    /// Reads the folder; what is broken is reported and left out. No name, no folder.
    pub fn read(path: &str) -> Self {
        if path.is_empty() {
            return Self::default();
        }
        let path = FilePath::new(path);
        let found = folder::find(path);
        for (file, reason) in &found.broken {
            tracing::warn!("plug-in {}: {reason}", file.display());
        }
        let mut read = Folder::default();
        for evaluator in found.evaluators {
            // Pages run binary modules only; the text form is for the command line.
            if let Ok(bytes) = std::fs::read(path.join(format!("{}.wasm", evaluator.name()))) {
                read.evaluators.insert(evaluator.name().to_owned(), bytes.into());
            }
        }
        for (name, command) in found.programs {
            read.programs.insert(name, Program { command, bot: Mutex::default() });
        }
        Self(Arc::new(read))
    }
}

impl Program {
    fn choose(&self, scene: &Scene) -> Result<(Candidate, usize), String> {
        let (board, piece, next) = scene.as_board().ok_or("this program knows fields of ten columns only")?;
        let places = places(scene);
        let legal: Vec<_> = places.iter().map(|place| place.plan.placement()).collect();
        let mut running = self.bot.lock().unwrap_or_else(PoisonError::into_inner);
        let mut bot = match running.take() {
            Some(bot) => bot,
            None => Bot::start(&self.command, PATIENCE).map_err(|error| error.to_string())?,
        };
        let chosen = bot.decide(&board, piece, next, &legal).map_err(|error| error.to_string())?;
        *running = Some(bot);
        let plan =
            places.iter().find(|place| place.plan.placement() == chosen).map(|place| place.plan.clone());
        Ok((plan.ok_or("this piece has nowhere to go")?, legal.len()))
    }
}

/// The names.
pub(super) async fn list(State(state): State<AppState>) -> Response {
    let Folder { evaluators, programs } = &*state.guests.0;
    let names = |names: Vec<&String>| json!(names);
    Json(json!({
        "evaluators": names(evaluators.keys().collect()),
        "programs": names(programs.keys().collect()),
    }))
    .into_response()
}

/// A module, for a page to run.
pub(super) async fn evaluator(State(state): State<AppState>, Path(name): Path<String>) -> Response {
    match state.guests.0.evaluators.get(&name) {
        Some(bytes) => ([(header::CONTENT_TYPE, "application/wasm")], bytes.clone()).into_response(),
        None => not_found(),
    }
}

/// Where a program would put the piece.
pub(super) async fn think(
    State(state): State<AppState>,
    Extension(visitor): Extension<Visitor>,
    Extension(bench): Extension<Bench>,
    Path(name): Path<String>,
    scene: Result<Json<Scene>, JsonRejection>,
) -> Response {
    let scene = match scene {
        Ok(Json(scene)) => scene,
        Err(rejection) => return refused(rejection.status(), rejection.body_text()),
    };
    let guests = state.guests.clone();
    if !guests.0.programs.contains_key(&name) {
        return not_found();
    }
    let choose = move || guests.0.programs.get(&name).map(|program| program.choose(&scene));
    match bench.guests.work(visitor.address, choose).await {
        Ok(Some(Ok((plan, places)))) => {
            Json(json!({ "candidates": [plan], "features": [], "places": places })).into_response()
        }
        Ok(Some(Err(why))) => refused(StatusCode::BAD_GATEWAY, why),
        Ok(None) => not_found(),
        Err(response) => response,
    }
}
