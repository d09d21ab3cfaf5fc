//! The operator and the robot: commands, faults on demand, every character on the line.

use std::convert::Infallible;
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::sse::{Event as SseEvent, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use devices::robot::{Direction, TrafficLine};
use futures_util::stream;
use serde::Deserialize;
use serde_json::json;
use simulators::robot::{BadMishap, Order};
use tokio::sync::broadcast;
use tokio::time::Instant;

use super::{closed, refuse};
use crate::cabinets::connect_four::{Call, RobotCommand};
use crate::hall::Message;
use crate::web::AppState;

/// How often a quiet stream looks whether its session still lasts.
const CHECK_SESSION: Duration = Duration::from_secs(1);

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Command {
    command: RobotCommand,
}

pub(super) async fn robot(
    State(state): State<AppState>,
    Json(Command { command }): Json<Command>,
) -> Response {
    if state.hall.say(Message::Call(Call::RobotCommand { command })).await {
        StatusCode::NO_CONTENT.into_response()
    } else {
        closed()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct FaultBody {
    fault: String,
}

pub(super) async fn robot_fault(
    State(state): State<AppState>,
    Json(FaultBody { fault }): Json<FaultBody>,
) -> Response {
    let order = match fault.as_str() {
        "plug" => Order::Plug,
        "unplug" => Order::Unplug,
        "repair" => Order::Repair,
        name => match name.replace('_', "-").parse() {
            Ok(mishap) => Order::Mishap(mishap),
            Err(error) => return refuse(StatusCode::UNPROCESSABLE_ENTITY, &BadMishap::to_string(&error)),
        },
    };
    match state.hall.ask(|reply| Message::Call(Call::RobotOrder { order, reply })).await {
        Some(true) => StatusCode::NO_CONTENT.into_response(),
        Some(false) => refuse(
            StatusCode::CONFLICT,
            "only a simulated robot has faults on demand, and the LEGO arm not all of them",
        ),
        None => closed(),
    }
}

/// Every character on the robot's line, as it goes.
pub(super) async fn traffic(State(state): State<AppState>, headers: HeaderMap) -> Response {
    let lines = match state.hall.ask(|reply| Message::Call(Call::Traffic { reply })).await {
        Some(Some(lines)) => lines,
        Some(None) => return refuse(StatusCode::CONFLICT, "there is no robot whose line can be heard"),
        None => return closed(),
    };
    let start = Instant::now();
    let operator = state.operator;
    let events =
        stream::unfold((lines, operator, headers), move |(mut lines, operator, headers)| async move {
            let event = loop {
                let line = tokio::time::timeout(CHECK_SESSION, lines.recv()).await;
                // The stream ends with the session.
                if !operator.is_open(&headers) {
                    return None;
                }
                match line {
                    Ok(Ok(line)) => break traffic_event(&line, start),
                    Ok(Err(broadcast::error::RecvError::Lagged(_))) | Err(_) => {}
                    Ok(Err(broadcast::error::RecvError::Closed)) => return None,
                }
            };
            Some((Ok::<_, Infallible>(event), (lines, operator, headers)))
        });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}

fn traffic_event(line: &TrafficLine, start: Instant) -> SseEvent {
    let direction = match line.direction {
        Direction::ToRobot => "to",
        Direction::FromRobot => "from",
    };
    let json = json!({
        "at_ms": line.at.saturating_duration_since(start).as_millis() as u64,
        "direction": direction,
        "character": char::from(line.byte).to_string(),
        "meaning": line.meaning(),
    });
    SseEvent::default().data(json.to_string())
}
