//! One page that watches a show: frames as binary messages, everything else as JSON (docs/events.md).

use std::time::Duration;

use axum::extract::ws::{Message as Frame, WebSocket};
use engine::broadcast::{LiveFrame, Sight, Viewer};
use engine::{Picture, PixelFormat};
use futures_util::{SinkExt, StreamExt};
use serde_json::json;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use super::{Now, Show, Ticket, Wanted};
use crate::hall::HallHandle;

/// How long a page may take to take a message.
const SEND_WITHIN: Duration = Duration::from_secs(5);
/// How often it is checked whether the hall is still open and the page still there.
const CHECK_EVERY: Duration = Duration::from_millis(500);
/// Pictures up to this size are sent exactly.
const SMALL_PIXELS: u32 = 200 * 200;
const JPEG_QUALITY: u8 = 70;
const PING_EVERY: Duration = Duration::from_secs(15);

/// Serves a page until it goes away or the hall closes.
pub(super) async fn serve(socket: WebSocket, ticket: &Ticket, wanted: Wanted, hall: &HallHandle) {
    let show = ticket.show();
    let (mut out, mut frames) = socket.split();
    let mut now = show.now.subscribe();
    now.mark_changed();
    let mut viewer: Option<Viewer> = None;
    let mut checks = interval(CHECK_EVERY);
    checks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut pinged = Instant::now();
    let pause = Duration::from_secs(1) / wanted.fps.clamp(1, 60);
    let mut next_frame = Instant::now();
    loop {
        let message = tokio::select! {
            // What the page says is not listened to; only its going is.
            heard = frames.next() => match heard {
                None | Some(Err(_) | Ok(Frame::Close(_))) => return,
                Some(Ok(_)) => None,
            },
            changed = now.changed() => {
                if changed.is_err() {
                    return;
                }
                let state = now.borrow_and_update().clone();
                viewer = match &state {
                    Now::Playing { live, .. } => live.watch(),
                    Now::Resting | Now::Failed { .. } => None,
                };
                Some(Frame::text(state_event(show, &state)))
            },
            sight = next(&mut viewer) => match sight {
                // The run has ended; the next one is announced.
                None => {
                    viewer = None;
                    None
                }
                Some(Sight::Frame(frame)) if Instant::now() >= next_frame => {
                    next_frame = Instant::now() + pause;
                    // Packing a large picture takes tens of milliseconds, once for all who watch.
                    tokio::task::spawn_blocking(move || Frame::binary(packed(&frame))).await.ok()
                }
                Some(Sight::Note(note)) if wanted.notes => {
                    let content = serde_json::from_slice(&note.json).unwrap_or(serde_json::Value::Null);
                    let time_ms = note.time.elapsed().as_millis() as u64;
                    let event = json!({ "type": "NOTE", "topic": note.topic, "time_ms": time_ms, "note": content });
                    Some(Frame::text(event.to_string()))
                }
                Some(Sight::Missed(count)) if wanted.notes => {
                    Some(Frame::text(json!({ "type": "MISSED", "count": count }).to_string()))
                }
                Some(Sight::Frame(_) | Sight::Note(_) | Sight::Missed(_)) => None,
            },
            _ = checks.tick() => {
                if hall.is_closed() {
                    return;
                }
                let due = pinged.elapsed() >= PING_EVERY;
                if due {
                    pinged = Instant::now();
                }
                due.then(|| Frame::Ping(axum::body::Bytes::new()))
            }
        };
        let Some(message) = message else { continue };
        if !matches!(timeout(SEND_WITHIN, out.send(message)).await, Ok(Ok(()))) {
            return; // The line broke, or nobody reads.
        }
    }
}

async fn next(viewer: &mut Option<Viewer>) -> Option<Sight> {
    match viewer {
        Some(viewer) => viewer.next().await,
        None => std::future::pending().await,
    }
}

fn state_event(show: &Show, state: &Now) -> String {
    let event = match state {
        Now::Resting => json!({ "type": "RESTING" }),
        Now::Playing { run, seed, .. } => {
            json!({ "type": "RUN", "game": show.game, "body": show.body, "run": run, "seed": seed })
        }
        Now::Failed { why } => json!({ "type": "FAILED", "why": &**why }),
    };
    event.to_string()
}

/// Time in milliseconds (8 bytes, little-endian), then the picture.
fn packed(frame: &LiveFrame) -> Vec<u8> {
    let time = frame.captured.elapsed().as_millis() as u64;
    [&time.to_le_bytes(), frame.packed(picture)].concat()
}

/// Small pictures as they are, as PNG; large ones as JPEG, which is a tenth of it where a camera is noisy.
fn picture(picture: &Picture) -> Vec<u8> {
    let mut packed = Vec::new();
    let colour = match picture.format {
        PixelFormat::Gray8 => jpeg_encoder::ColorType::Luma,
        PixelFormat::Rgb8 => jpeg_encoder::ColorType::Rgb,
    };
    let size = u16::try_from(picture.width).ok().zip(u16::try_from(picture.height).ok());
    let done = match size.filter(|_| picture.width * picture.height > SMALL_PIXELS) {
        Some((width, height)) => jpeg_encoder::Encoder::new(&mut packed, JPEG_QUALITY)
            .encode(&picture.pixels, width, height, colour)
            .map_err(|error| error.to_string()),
        None => picture.write_png(&mut packed).map_err(|error| error.to_string()),
    };
    if let Err(error) = done {
        tracing::error!(%error, "a frame cannot be shown");
    }
    packed
}
