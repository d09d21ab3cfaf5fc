//! What goes out to pages: in one order for everyone, and nothing before what it tells is stored.
//!
//! An event that follows a change waits until storage has handled it; everything behind it waits as well. The hall itself
//! goes on meanwhile.

use std::collections::VecDeque;
use std::net::IpAddr;
use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use serde::Serialize;
use tokio::time::Instant;

use super::connections::{Announcement, Connected, ConnectionId, Connections};
use crate::cabinets::connect_four::event::{Event, Numbered};
use crate::storage::Ticket;
use crate::visitor::Token;

/// A disk that takes longer than this to store a turn keeps nobody waiting any longer.
const HELD_AT_MOST: Duration = Duration::from_secs(1);

/// Events on their way.
#[derive(Default)]
pub struct Outbox {
    connections: Connections,
    /// The number of the last event for everyone, as pages see it.
    seq: u64,
    /// Counts everything that was ever sent, watchers' events and answers included.
    count: u64,
    /// What was stored last must be handled before anything else goes out.
    gate: Ticket,
    handled: Ticket,
    held: VecDeque<Held>,
}

struct Held {
    gate: Ticket,
    since: Instant,
    item: Item,
}

enum Item {
    All(Announcement),
    One { id: ConnectionId, text: Utf8Bytes },
}

impl Outbox {
    /// The number of the last event for everyone.
    pub fn seq(&self) -> u64 {
        self.seq
    }

    /// Tells everyone.
    pub fn broadcast(&mut self, event: &Event) {
        self.seq += 1;
        let Some(text) = json(&Numbered { seq: self.seq, event }) else { return };
        self.count += 1;
        self.push(Item::All(Announcement { number: self.count, text, watchers_only: false }));
    }

    /// Tells everyone at once, before everything that waits for storage: without a number, so that none is out of order.
    pub fn broadcast_now(&mut self, event: &Event) {
        if let Some(text) = json(event) {
            self.connections.send_all(&[Announcement { number: u64::MAX, text, watchers_only: false }]);
        }
    }

    /// Tells those who watch, without a number: others must not see a gap. Returns the text.
    pub fn broadcast_to_watchers(&mut self, event: &Event) -> Option<Utf8Bytes> {
        let text = json(event)?;
        self.count += 1;
        let announcement = Announcement { number: self.count, text: text.clone(), watchers_only: true };
        self.push(Item::All(announcement));
        Some(text)
    }

    /// Tells all pages of one visitor.
    pub fn tell(&mut self, token: &Token, answer: &impl Serialize) {
        for id in self.connections.of(token) {
            self.answer(id, answer);
        }
    }

    /// Answers one page.
    pub fn answer(&mut self, id: ConnectionId, answer: &impl Serialize) {
        if let Some(text) = json(answer) {
            self.send(id, text);
        }
    }

    /// Sends a text to one page.
    pub fn send(&mut self, id: ConnectionId, text: Utf8Bytes) {
        self.push(Item::One { id, text });
    }

    /// What is sent from now on waits until this change is handled.
    pub fn hold_until(&mut self, ticket: Ticket) {
        self.gate = self.gate.max(ticket);
    }

    /// Storage has come so far.
    pub fn handled(&mut self, ticket: Ticket) {
        self.handled = self.handled.max(ticket);
        let mut together = Vec::new();
        while let Some(held) = self.held.pop_front_if(|held| held.gate <= self.handled) {
            match held.item {
                Item::All(announcement) => together.push(announcement),
                Item::One { id, text } => {
                    self.connections.send_all(&std::mem::take(&mut together));
                    self.connections.send(id, text);
                }
            }
        }
        self.connections.send_all(&together);
    }

    /// Whether everything that was told so far, or waits to be told, follows from changes up to this one.
    pub fn all_within(&self, ticket: Ticket) -> bool {
        self.gate <= ticket
    }

    /// Whether something has waited too long for the disk.
    pub fn is_overdue(&self) -> bool {
        self.held.front().is_some_and(|held| held.since.elapsed() >= HELD_AT_MOST)
    }

    /// Lets out what waits, stored or not. Whoever calls this has told everyone before that turns are not recorded.
    pub fn let_out(&mut self) {
        tracing::warn!("the disk is slow: turns are shown before they are stored");
        self.handled(self.gate);
    }

    // ---- Connections ----

    /// How many pages are connected.
    pub fn pages(&self) -> usize {
        self.connections.len()
    }

    /// Takes a page in.
    pub fn connect(&mut self, address: IpAddr) -> Connected {
        self.connections.connect(address)
    }

    /// Where a page is.
    pub fn address(&self, id: ConnectionId) -> Option<IpAddr> {
        self.connections.address(id)
    }

    /// How many visitors are here.
    pub fn visitors(&self) -> usize {
        self.connections.visitors()
    }

    /// A page has said who it is; false if it has gone. It gets everything that is sent from now on.
    pub fn join(&mut self, id: ConnectionId, token: &Token, watches: bool) -> bool {
        self.connections.join(id, token, watches, self.count)
    }

    /// Whose page it is.
    pub fn token(&self, id: ConnectionId) -> Option<&Token> {
        self.connections.token(id)
    }

    /// A page has gone.
    pub fn disconnect(&mut self, id: ConnectionId) {
        self.connections.disconnect(id);
    }

    /// Visitors whose last page has gone since the last call.
    pub fn take_gone(&mut self) -> Vec<Token> {
        self.connections.take_gone()
    }

    fn push(&mut self, item: Item) {
        if !self.held.is_empty() || self.gate > self.handled {
            return self.held.push_back(Held { gate: self.gate, since: Instant::now(), item });
        }
        match item {
            Item::All(announcement) => self.connections.send_all(&[announcement]),
            Item::One { id, text } => self.connections.send(id, text),
        }
    }
}

fn json(value: &impl Serialize) -> Option<Utf8Bytes> {
    // Cannot fail: events hold nothing that JSON cannot.
    serde_json::to_string(value).ok().map(Utf8Bytes::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cabinets::connect_four::event::Refusal;
    use crate::storage::Storage;

    fn texts(page: &mut Connected) -> Vec<String> {
        let mut texts = Vec::new();
        while let Ok(text) = page.events.try_recv() {
            let event: serde_json::Value = serde_json::from_str(&text).unwrap();
            texts.push(event["type"].as_str().unwrap().to_owned());
        }
        texts
    }

    /// Nobody hears of a turn before it is stored, and whoever comes meanwhile does not hear of it twice.
    #[tokio::test]
    async fn events_wait_for_storage_in_their_order() {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(&folder.path().join("games.sqlite")).unwrap();
        let mut outbox = Outbox::default();
        let mut early = outbox.connect("127.0.0.1".parse().unwrap());
        outbox.join(early.id, &Token::random(), false);
        let ticket = storage.keep(|_| Ok(()));
        outbox.hold_until(ticket);
        outbox.broadcast(&Event::TableFree);
        outbox.answer(early.id, &Refusal::TooFast.answer());
        let mut late = outbox.connect("127.0.0.1".parse().unwrap());
        outbox.join(late.id, &Token::random(), false);
        assert_eq!(texts(&mut early), Vec::<String>::new());
        storage.stored(ticket).await.unwrap();
        outbox.handled(storage.progress().borrow().handled);
        assert_eq!(texts(&mut early), ["TABLE_FREE", "REFUSED"]);
        assert_eq!(texts(&mut late), Vec::<String>::new());
        outbox.broadcast(&Event::TableFree);
        assert_eq!(texts(&mut late), ["TABLE_FREE"], "nothing is held any more");
    }

    #[tokio::test(start_paused = true)]
    async fn a_slow_disk_keeps_nobody_waiting_for_ever() {
        let mut outbox = Outbox::default();
        let mut page = outbox.connect("127.0.0.1".parse().unwrap());
        outbox.join(page.id, &Token::random(), false);
        let folder = tempfile::tempdir().unwrap();
        let ticket = Storage::open(&folder.path().join("games.sqlite")).unwrap().keep(|_| Ok(()));
        outbox.hold_until(ticket);
        outbox.broadcast(&Event::TableFree);
        assert!(!outbox.is_overdue());
        tokio::time::advance(HELD_AT_MOST).await;
        assert!(outbox.is_overdue() && !outbox.all_within(Ticket::default()) && outbox.all_within(ticket));
        assert_eq!(texts(&mut page), Vec::<String>::new(), "the warning comes first");
        outbox.broadcast_now(&Event::Recording { recorded: false });
        outbox.let_out();
        assert_eq!(texts(&mut page), ["RECORDING", "TABLE_FREE"]);
        assert!(!outbox.is_overdue());
    }
}
