//! `/api/solve`: exact answers for other programs, a few at a time (X1).

use axum::extract::Query;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::{Extension, Json};
use browser::samegame::{Closing, Goal, Table};
use browser::{connect_four as four, samegame as same};
use connect_four::Analyst;
use serde::Deserialize;
use serde_json::{Value, json};

use super::{Bench, refused};
use crate::web::gate::Visitor;

/// Some seconds of one core.
const CONNECT_FOUR_NODES: u64 = 20_000_000;
const SAMEGAME_NODES: u64 = 300_000;
const TABLE_BYTES: usize = 1 << 24;

/// A question.
#[derive(Debug, Deserialize)]
#[serde(tag = "game", rename_all = "kebab-case")]
pub(super) enum Question {
    /// `?game=connect-four&moves=4453`
    ConnectFour {
        #[serde(default)]
        moves: String,
    },
    /// `?game=samegame&board=[[1,2],[1,2]]&min_group=2`
    Samegame { board: String, min_group: Option<String> },
}

/// Answers with the fields that `gamebot solve … --json` has.
pub(super) async fn solve(
    Extension(visitor): Extension<Visitor>,
    Extension(bench): Extension<Bench>,
    question: Result<Query<Question>, axum::extract::rejection::QueryRejection>,
) -> Response {
    let Ok(Query(question)) = question else {
        let usage = "ask ?game=connect-four&moves=4453 or ?game=samegame&board=[[1,2],[1,2]]";
        return refused(StatusCode::BAD_REQUEST, usage);
    };
    match bench.answers.work(visitor.address, move || answer(question)).await {
        Ok(Ok(value)) => Json(value).into_response(),
        Ok(Err((status, why))) => refused(status, why),
        Err(response) => response,
    }
}

fn answer(question: Question) -> Result<Value, (StatusCode, String)> {
    let wrong = |why: String| (StatusCode::BAD_REQUEST, why);
    match question {
        Question::ConnectFour { moves } => {
            let position = four::read(&moves).map_err(|error| wrong(error.to_string()))?;
            let mut analyst = Analyst::new(TABLE_BYTES);
            let hard = || {
                let why =
                    "this position takes longer than a server may think; use `gamebot solve connect-four`";
                (StatusCode::UNPROCESSABLE_ENTITY, why.to_owned())
            };
            let found = four::analyse(&mut analyst, &position, Some(CONNECT_FOUR_NODES)).ok_or_else(hard)?;
            let line = four::line(&mut analyst, &position, Some(CONNECT_FOUR_NODES)).ok_or_else(hard)?;
            Ok(json!({
                "moves": moves, "score": found.score, "columns": found.columns, "best": found.best,
                "line": line, "nodes": found.nodes,
            }))
        }
        Question::Samegame { board, min_group } => {
            let board: samegame::board::Board = board.parse().map_err(|error| wrong(format!("{error}")))?;
            let min_group = min_group.map_or(Ok(2), |text| text.parse());
            let min_group = min_group.map_err(|_| wrong("min_group is a number from 2 to 255".to_owned()))?;
            let table = Table { board: board.columns().to_vec(), min_group, closing: Closing::Left };
            let found = same::solve(table, Goal::Clear, SAMEGAME_NODES, 1);
            let found = found.map_err(|error| wrong(error.to_string()))?;
            Ok(json!({
                "moves": found.moves, "cleared": found.remaining == 0, "proof": found.proof,
                "remaining": found.remaining, "score": found.score, "nodes": found.nodes,
            }))
        }
    }
}
