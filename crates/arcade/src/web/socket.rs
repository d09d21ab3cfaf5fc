//! One page's WebSocket: reads wishes, writes events, keeps floods out.

use std::net::IpAddr;
use std::time::Duration;

use axum::extract::ws::{CloseFrame, Message as Frame, Utf8Bytes, WebSocket};
use futures_util::stream::SplitSink;
use futures_util::{SinkExt, StreamExt, stream};
use tokio::sync::mpsc;
use tokio::time::{Instant, MissedTickBehavior, interval, timeout};

use crate::cabinets::connect_four::event::{Refusal, parse};
use crate::hall::{Connected, ConnectionId, HallHandle, Message};

/// The largest event a page may send.
pub const LARGEST_EVENT: usize = 4096;
/// Events a page may send at once …
const BURST: f64 = 30.0;
/// … and a second in the long run.
const PER_SECOND: f64 = 10.0;
/// Refused events after which a flooding page is let go.
const PATIENCE: u32 = 50;
/// A page that sleeps is noticed by unanswered pings.
const PING_EVERY: Duration = Duration::from_secs(15);
const SILENT_FOR: Duration = Duration::from_secs(40);
/// How long a page may take to take an event.
const SEND_WITHIN: Duration = Duration::from_secs(5);
/// What may wait to be sent to one page beside the event that is being sent.
pub const LARGEST_UNSENT: usize = 1 << 20;

/// WebSocket close code: policy violation.
const POLICY: u16 = 1008;
/// WebSocket close code: try again later.
const TRY_LATER: u16 = 1013;

/// Serves a page until it goes away.
pub async fn serve(mut socket: WebSocket, hall: HallHandle, address: IpAddr) {
    let Some(Some(connected)) = hall.ask(|reply| Message::Connect { address, reply }).await else {
        let full = serde_json::to_string(&Refusal::HallFull.answer()).unwrap_or_default();
        let goodbye = async {
            // The page may be gone already.
            drop(socket.send(Frame::text(full)).await);
            drop(socket.send(close(TRY_LATER, "the hall is full")).await);
        };
        drop(timeout(SEND_WITHIN, goodbye).await);
        return;
    };
    let Connected { id, events } = connected;
    let reason = talk(socket, id, events, &hall).await;
    tracing::debug!(connection = id, reason, "a page is gone");
    hall.say(Message::Disconnect { connection: id }).await;
}

/// Passes events on in both directions; returns why it ended.
async fn talk(
    socket: WebSocket,
    id: ConnectionId,
    mut events: mpsc::Receiver<Utf8Bytes>,
    hall: &HallHandle,
) -> &'static str {
    let (mut out, mut frames) = socket.split();
    let mut pings = interval(PING_EVERY);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut heard = Instant::now();
    let mut allowance = Allowance::new();
    loop {
        let sent = tokio::select! {
            event = events.recv() => {
                let Some(event) = event else {
                    // The hall let go of us: too slow, or it is closing.
                    say(&mut out, close(TRY_LATER, "please connect again")).await;
                    return "let go by the hall";
                };
                // What follows already (a turn after its explanation) goes into the same write.
                let more = std::iter::from_fn(|| events.try_recv().ok());
                say_all(&mut out, std::iter::once(event).chain(more).map(Frame::Text)).await
            },
            frame = frames.next() => {
                heard = Instant::now();
                let frame = match frame {
                    None | Some(Err(_) | Ok(Frame::Close(_))) => return "closed by the page",
                    Some(Ok(frame)) => frame,
                };
                // Every frame counts, also those that mean nothing.
                let message = match (allowance.take(), frame) {
                    (Verdict::LetGo, _) => {
                        say(&mut out, close(POLICY, "too many events")).await;
                        return "flooding";
                    }
                    (Verdict::Refuse, _) => Some(Message::Refuse { connection: id, refusal: Refusal::TooFast }),
                    (Verdict::Take, Frame::Text(text)) => Some(match parse(&text) {
                        Ok(wish) => Message::Wish { connection: id, wish },
                        Err(refusal) => Message::Refuse { connection: id, refusal },
                    }),
                    (Verdict::Take, Frame::Binary(_)) => {
                        Some(Message::Refuse { connection: id, refusal: Refusal::Malformed })
                    }
                    // Answered by the library.
                    (Verdict::Take, Frame::Ping(_) | Frame::Pong(_) | Frame::Close(_)) => None,
                };
                match message {
                    Some(message) => hall.say(message).await,
                    None => true,
                }
            },
            _ = pings.tick() => {
                if heard.elapsed() > SILENT_FOR {
                    return "silent";
                }
                say(&mut out, Frame::Ping(axum::body::Bytes::new())).await
            }
        };
        if !sent {
            return "the line broke, or nobody reads";
        }
        // Everyone's page gets this event before anyone's gets the next.
        tokio::task::yield_now().await;
    }
}

/// Sends a frame; false if the page does not take it in time.
async fn say(out: &mut SplitSink<WebSocket, Frame>, frame: Frame) -> bool {
    say_all(out, std::iter::once(frame)).await
}

/// Sends frames at once; false if the page does not take them in time.
async fn say_all(out: &mut SplitSink<WebSocket, Frame>, frames: impl Iterator<Item = Frame>) -> bool {
    let mut frames = stream::iter(frames.map(Ok));
    matches!(timeout(SEND_WITHIN, out.send_all(&mut frames)).await, Ok(Ok(())))
}

fn close(code: u16, reason: &'static str) -> Frame {
    Frame::Close(Some(CloseFrame { code, reason: Utf8Bytes::from_static(reason) }))
}

/// A leaky bucket: how many events a page may still send.
struct Allowance {
    left: f64,
    refused: u32,
    at: Instant,
}

enum Verdict {
    Take,
    Refuse,
    LetGo,
}

impl Allowance {
    fn new() -> Self {
        Self { left: BURST, refused: 0, at: Instant::now() }
    }

    fn take(&mut self) -> Verdict {
        let now = Instant::now();
        self.left = (self.left + now.duration_since(self.at).as_secs_f64() * PER_SECOND).min(BURST);
        self.at = now;
        if self.left >= 1.0 {
            self.left -= 1.0;
            self.refused = 0;
            Verdict::Take
        } else {
            self.refused += 1;
            if self.refused > PATIENCE { Verdict::LetGo } else { Verdict::Refuse }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn bursts_are_taken_and_floods_are_not() {
        let mut allowance = Allowance::new();
        let mut verdicts = (0, 0, 0);
        for _ in 0..200 {
            match allowance.take() {
                Verdict::Take => verdicts.0 += 1,
                Verdict::Refuse => verdicts.1 += 1,
                Verdict::LetGo => verdicts.2 += 1,
            }
        }
        assert_eq!(verdicts, (30, 50, 120));
        tokio::time::advance(Duration::from_secs(1)).await;
        let again = (0..20).filter(|_| matches!(allowance.take(), Verdict::Take)).count();
        assert_eq!(again, 10);
    }
}
