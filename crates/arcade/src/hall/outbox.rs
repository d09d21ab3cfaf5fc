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
use crate::cabinets::connect_four::event::{Answer, Event, Numbered, Welcome};
use crate::storage::{Progress, Ticket};
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
    /// Pages were told that they are shown what is not stored yet.
    warned: bool,
}

struct Held {
    gate: Ticket,
    since: Instant,
    item: Item,
}

enum Item {
    All(Announcement),
    One { id: ConnectionId, text: Utf8Bytes },
    Welcome { id: ConnectionId, welcome: Box<Welcome> },
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

    /// Welcomes one page. What it hears of recording is what holds when the welcome goes out.
    pub fn welcome(&mut self, id: ConnectionId, welcome: Welcome) {
        self.push(Item::Welcome { id, welcome: Box::new(welcome) });
    }

    // ---- Storage ----

    /// What is sent from now on waits until this change is handled.
    pub fn hold_until(&mut self, ticket: Ticket) {
        self.gate = self.gate.max(ticket);
    }

    /// Whether everything that pages are shown is stored.
    pub fn is_recorded(&self) -> bool {
        !self.warned
    }

    /// Storage has come so far: what waited for it goes out, with a warning before it if it is not stored, and with the
    /// end of the warning once everything is.
    pub fn progressed(&mut self, progress: &Progress) {
        // What was let out before it was stored is stored when everything is.
        let caught_up = !self.warned || self.gate <= progress.stored;
        self.set_warned(progress.trouble.is_some() || !caught_up);
        self.let_out(progress.handled);
    }

    /// Lets out everything, stored or not and with a warning before it, when some of it has waited too long.
    pub fn let_out_overdue(&mut self) {
        if self.held.front().is_some_and(|held| held.since.elapsed() >= HELD_AT_MOST) {
            tracing::warn!("the disk is slow: turns are shown before they are stored");
            self.set_warned(true);
            self.let_out(self.gate);
        }
    }

    /// The warning, or its end, overtakes everything that waits: without a number, so that none is out of order.
    fn set_warned(&mut self, warned: bool) {
        if warned == std::mem::replace(&mut self.warned, warned) {
            return;
        }
        if let Some(text) = json(&Event::Recording { recorded: !warned }) {
            self.connections.send_all(&[Announcement { number: u64::MAX, text, watchers_only: false }]);
        }
    }

    fn let_out(&mut self, ticket: Ticket) {
        self.handled = self.handled.max(ticket);
        let mut together = Vec::new();
        while let Some(held) = self.held.pop_front_if(|held| held.gate <= self.handled) {
            match held.item {
                Item::All(announcement) => together.push(announcement),
                item @ (Item::One { .. } | Item::Welcome { .. }) => {
                    self.connections.send_all(&std::mem::take(&mut together));
                    self.send_now(item);
                }
            }
        }
        self.connections.send_all(&together);
    }

    // ---- Connections ----

    /// How many pages are connected.
    pub fn pages(&self) -> usize {
        self.connections.len()
    }

    /// How many pages one address has.
    pub fn pages_of(&self, address: IpAddr) -> usize {
        self.connections.of_address(address)
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
        self.send_now(item);
    }

    fn send_now(&mut self, item: Item) {
        match item {
            Item::All(announcement) => self.connections.send_all(&[announcement]),
            Item::One { id, text } => self.connections.send(id, text),
            Item::Welcome { id, mut welcome } => {
                welcome.state.recorded = self.is_recorded();
                if let Some(text) = json(&Answer::Welcome(welcome)) {
                    self.connections.send(id, text);
                }
            }
        }
    }
}

fn json(value: &impl Serialize) -> Option<Utf8Bytes> {
    // Cannot fail: events hold nothing that JSON cannot.
    serde_json::to_string(value).ok().map(Utf8Bytes::from)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;
    use crate::cabinets::connect_four::event::{
        Refusal, RobotStatus, RobotView, State, Statistics, TableState,
    };
    use crate::storage::Storage;

    fn events(page: &mut Connected) -> Vec<Value> {
        std::iter::from_fn(|| page.events.try_recv().ok())
            .map(|text| serde_json::from_str(&text).unwrap())
            .collect()
    }

    fn texts(page: &mut Connected) -> Vec<String> {
        events(page).iter().map(|event| event["type"].as_str().unwrap().to_owned()).collect()
    }

    /// What a page hears of recording, in its order.
    fn recorded(page: &mut Connected) -> Vec<(String, bool)> {
        let heard = events(page).into_iter().filter_map(|event| {
            let recorded = event.get("recorded").or_else(|| event["state"].get("recorded"))?;
            Some((event["type"].as_str().unwrap().to_owned(), recorded.as_bool().unwrap()))
        });
        heard.collect()
    }

    fn page(outbox: &mut Outbox) -> Connected {
        let page = outbox.connect("127.0.0.1".parse().unwrap());
        outbox.join(page.id, &Token::random(), false);
        page
    }

    fn welcome(outbox: &Outbox) -> Welcome {
        let robot = RobotView { status: RobotStatus::Off, kind: "none", since_ms: 0, text: None, asks: None };
        let state = State {
            seq: outbox.seq(),
            table: TableState::Free,
            waiting: None,
            queue: 0,
            watchers: 0,
            recorded: outbox.is_recorded(),
            game: None,
            robot,
            levels: Vec::new(),
            language: "en".to_owned(),
            demo: false,
            statistics: Statistics::default(),
            address: String::new(),
        };
        Welcome { token: Token::random(), state, seat: None, waiting: false, place: None, question_s: None }
    }

    /// The numbers of three changes.
    fn tickets() -> [Ticket; 3] {
        let folder = tempfile::tempdir().unwrap();
        let storage = Storage::open(&folder.path().join("games.sqlite")).unwrap();
        [(); 3].map(|()| storage.keep(|_| Ok(())))
    }

    /// Nobody hears of a turn before it is stored, and whoever comes meanwhile does not hear of it twice.
    #[test]
    fn events_wait_for_storage_in_their_order() {
        let mut outbox = Outbox::default();
        let mut early = page(&mut outbox);
        let [ticket, ..] = tickets();
        outbox.hold_until(ticket);
        outbox.broadcast(&Event::TableFree);
        outbox.answer(early.id, &Refusal::TooFast.answer());
        let mut late = page(&mut outbox);
        assert_eq!(texts(&mut early), Vec::<String>::new());
        outbox.progressed(&Progress { stored: ticket, handled: ticket, trouble: None });
        assert_eq!(texts(&mut early), ["TABLE_FREE", "REFUSED"]);
        assert_eq!(texts(&mut late), Vec::<String>::new());
        outbox.broadcast(&Event::TableFree);
        assert_eq!(texts(&mut late), ["TABLE_FREE"], "nothing is held any more");
    }

    /// The warning comes before what is not stored, and ends when everything that was shown is.
    #[tokio::test(start_paused = true)]
    async fn a_slow_disk_keeps_nobody_waiting_for_ever() {
        let mut outbox = Outbox::default();
        let mut page = page(&mut outbox);
        let [first, second, _] = tickets();
        outbox.hold_until(first);
        outbox.broadcast(&Event::TableFree);
        outbox.let_out_overdue();
        assert_eq!(texts(&mut page), Vec::<String>::new());
        tokio::time::advance(HELD_AT_MOST).await;
        outbox.let_out_overdue();
        assert_eq!(texts(&mut page), ["RECORDING", "TABLE_FREE"]);
        assert!(!outbox.is_recorded());
        outbox.hold_until(second);
        outbox.progressed(&Progress { stored: first, handled: first, trouble: None });
        assert!(!outbox.is_recorded(), "the second was perhaps let out as well");
        outbox.progressed(&Progress { stored: second, handled: second, trouble: None });
        assert_eq!(recorded(&mut page), [("RECORDING".to_owned(), true)]);
    }

    /// A page that comes back while turns wait for the disk is told what holds when it is answered, not what held
    /// when it asked: the news of it has gone out before the answer.
    #[tokio::test(start_paused = true)]
    async fn a_late_welcome_tells_no_stale_news() {
        let heard = |kind: &str, recorded| (kind.to_owned(), recorded);
        let mut outbox = Outbox::default();
        let mut returned = page(&mut outbox);
        let [first, second, third] = tickets();
        // The disk is full, and empties while the page is back.
        outbox.progressed(&Progress {
            stored: Ticket::default(),
            handled: first,
            trouble: Some("full".into()),
        });
        outbox.hold_until(second);
        let asked = welcome(&outbox);
        outbox.welcome(returned.id, asked);
        assert_eq!(recorded(&mut returned), [heard("RECORDING", false)]);
        outbox.progressed(&Progress { stored: second, handled: second, trouble: None });
        assert_eq!(recorded(&mut returned), [heard("RECORDING", true), heard("WELCOME", true)]);
        // The other way round: everything was stored when it asked, and is not when it is answered.
        outbox.hold_until(third);
        let asked = welcome(&outbox);
        outbox.welcome(returned.id, asked);
        tokio::time::advance(HELD_AT_MOST).await;
        outbox.let_out_overdue();
        assert_eq!(recorded(&mut returned), [heard("RECORDING", false), heard("WELCOME", false)]);
    }
}
