//! Everyone who is connected, and the queue of events to each of them.

use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

use crate::limits::shared;
use crate::visitor::Token;

/// Events that may wait for one slow page before it is let go; it reconnects and gets the whole state.
const QUEUE: usize = 256;

/// Names one connection.
pub type ConnectionId = u64;

/// A connection's way in and out.
#[derive(Debug)]
#[expect(missing_docs, reason = "two fields")]
pub struct Connected {
    pub id: ConnectionId,
    pub events: mpsc::Receiver<Utf8Bytes>,
}

struct Connection {
    address: IpAddr,
    /// Who it is; none before `HELLO`.
    visitor: Option<Joined>,
    events: mpsc::Sender<Utf8Bytes>,
}

struct Joined {
    token: Token,
    watches: bool,
    /// Events up to this one are part of the state that the page was welcomed with.
    knows: u64,
}

/// An event for everyone, or for everyone who watches.
pub(super) struct Announcement {
    /// Pages that joined after it know it already.
    pub(super) number: u64,
    pub(super) text: Utf8Bytes,
    pub(super) watchers_only: bool,
}

/// All connections.
#[derive(Default)]
pub(super) struct Connections {
    open: BTreeMap<ConnectionId, Connection>,
    next: ConnectionId,
    /// Visitors whose last page has gone, not told to the cabinets yet.
    gone: Vec<Token>,
}

impl Connections {
    pub(super) fn len(&self) -> usize {
        self.open.len()
    }

    pub(super) fn connect(&mut self, address: IpAddr) -> Connected {
        let id = self.next;
        self.next += 1;
        let (sender, events) = mpsc::channel(QUEUE);
        self.open.insert(id, Connection { address, visitor: None, events: sender });
        Connected { id, events }
    }

    /// The page has said who it is; it knows everything up to this event. False if it has gone.
    pub(super) fn join(&mut self, id: ConnectionId, token: &Token, watches: bool, knows: u64) -> bool {
        let Some(connection) = self.open.get_mut(&id) else { return false };
        let before = connection.visitor.replace(Joined { token: token.clone(), watches, knows });
        if let Some(before) = before.filter(|before| before.token != *token) {
            self.check_gone(before.token);
        }
        true
    }

    /// How many pages one address has.
    pub(super) fn of_address(&self, address: IpAddr) -> usize {
        self.open.values().filter(|connection| shared(connection.address) == shared(address)).count()
    }

    /// Where a page is.
    pub(super) fn address(&self, id: ConnectionId) -> Option<IpAddr> {
        Some(self.open.get(&id)?.address)
    }

    /// How many visitors are here.
    pub(super) fn visitors(&self) -> usize {
        let tokens = self.open.values().filter_map(|connection| Some(&connection.visitor.as_ref()?.token));
        tokens.collect::<BTreeSet<_>>().len()
    }

    /// Whose page it is.
    pub(super) fn token(&self, id: ConnectionId) -> Option<&Token> {
        Some(&self.open.get(&id)?.visitor.as_ref()?.token)
    }

    /// All pages of a visitor.
    pub(super) fn of(&self, token: &Token) -> Vec<ConnectionId> {
        let is_theirs = |connection: &Connection| {
            connection.visitor.as_ref().is_some_and(|visitor| visitor.token == *token)
        };
        self.open.iter().filter_map(|(id, connection)| is_theirs(connection).then_some(*id)).collect()
    }

    /// Sends to one page; lets go of one that does not read.
    pub(super) fn send(&mut self, id: ConnectionId, text: Utf8Bytes) {
        let Some(connection) = self.open.get(&id) else { return };
        if connection.events.try_send(text).is_err() {
            self.let_go(id);
        }
    }

    /// Sends announcements to everyone who does not know them yet. A page gets all of them before the next page gets
    /// the first, so that its connection can write them at once.
    pub(super) fn send_all(&mut self, announcements: &[Announcement]) {
        let mut slow = Vec::new();
        for (id, connection) in &self.open {
            let Some(visitor) = &connection.visitor else { continue };
            let mut wanted = announcements.iter().filter(|announcement| {
                visitor.knows < announcement.number && (visitor.watches || !announcement.watchers_only)
            });
            if wanted.any(|announcement| connection.events.try_send(announcement.text.clone()).is_err()) {
                slow.push(*id);
            }
        }
        for id in slow {
            self.let_go(id);
        }
    }

    /// Forgets a connection; dropping its queue closes it.
    pub(super) fn disconnect(&mut self, id: ConnectionId) {
        if let Some(visitor) = self.open.remove(&id).and_then(|connection| connection.visitor) {
            self.check_gone(visitor.token);
        }
    }

    /// Visitors whose last page has gone since the last call.
    pub(super) fn take_gone(&mut self) -> Vec<Token> {
        let gone = std::mem::take(&mut self.gone);
        gone.into_iter().filter(|token| self.of(token).is_empty()).collect()
    }

    fn let_go(&mut self, id: ConnectionId) {
        tracing::info!(connection = id, "a page is too slow; it may come back");
        self.disconnect(id);
    }

    fn check_gone(&mut self, token: Token) {
        if self.of(&token).is_empty() {
            self.gone.push(token);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn here() -> IpAddr {
        "127.0.0.1".parse().unwrap()
    }

    fn turn(number: u64) -> Announcement {
        Announcement { number, text: "turn".into(), watchers_only: false }
    }

    #[tokio::test]
    async fn pages_get_what_they_do_not_know_and_slow_ones_are_let_go() {
        let mut connections = Connections::default();
        let (ada, bob) = (Token::random(), Token::random());
        let (mut first, second) = (connections.connect(here()), connections.connect(here()));
        connections.send_all(&[turn(1)]);
        connections.join(first.id, &ada, false, 5);
        connections.join(second.id, &bob, true, 5);
        let known = Announcement { text: "known".into(), ..turn(5) };
        let tree = Announcement { text: "tree".into(), watchers_only: true, ..turn(6) };
        connections.send_all(&[known, tree, turn(7)]);
        assert_eq!(first.events.recv().await.unwrap().as_str(), "turn");
        for number in 8..8 + QUEUE as u64 {
            connections.send_all(&[turn(number)]);
        }
        assert_eq!(connections.take_gone(), [bob], "bob does not read");
        assert_eq!(connections.len(), 1);
    }

    #[test]
    fn a_visitor_is_gone_with_the_last_page() {
        let mut connections = Connections::default();
        let ada = Token::random();
        let (first, second) = (connections.connect(here()), connections.connect(here()));
        connections.join(first.id, &ada, false, 0);
        connections.join(second.id, &ada, false, 0);
        connections.disconnect(first.id);
        assert!(connections.take_gone().is_empty());
        // Whoever says hello as somebody else has left as well.
        connections.join(second.id, &Token::random(), false, 0);
        assert_eq!(connections.take_gone(), [ada]);
    }
}
