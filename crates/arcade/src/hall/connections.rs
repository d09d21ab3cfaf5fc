//! Everyone who is connected, and the queue of events to each of them.

use std::collections::BTreeMap;

use axum::extract::ws::Utf8Bytes;
use tokio::sync::mpsc;

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

    pub(super) fn connect(&mut self) -> Connected {
        let id = self.next;
        self.next += 1;
        let (sender, events) = mpsc::channel(QUEUE);
        self.open.insert(id, Connection { visitor: None, events: sender });
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

    /// Sends event number `number` to everyone who does not know it yet.
    pub(super) fn send_all(&mut self, number: u64, text: &Utf8Bytes, watchers_only: bool) {
        let mut slow = Vec::new();
        for (id, connection) in &self.open {
            let Some(visitor) = &connection.visitor else { continue };
            let wanted = visitor.knows < number && (visitor.watches || !watchers_only);
            if wanted && connection.events.try_send(text.clone()).is_err() {
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

    #[tokio::test]
    async fn pages_get_what_they_do_not_know_and_slow_ones_are_let_go() {
        let mut connections = Connections::default();
        let (ada, bob) = (Token::random(), Token::random());
        let (mut first, second) = (connections.connect(), connections.connect());
        connections.send_all(1, &"before hello".into(), false);
        connections.join(first.id, &ada, false, 5);
        connections.join(second.id, &bob, true, 5);
        connections.send_all(5, &"known".into(), false);
        connections.send_all(6, &"tree".into(), true);
        connections.send_all(7, &"turn".into(), false);
        assert_eq!(first.events.recv().await.unwrap().as_str(), "turn");
        for number in 8..8 + QUEUE as u64 {
            connections.send_all(number, &"more".into(), false);
        }
        assert_eq!(connections.take_gone(), [bob], "bob does not read");
        assert_eq!(connections.len(), 1);
    }

    #[test]
    fn a_visitor_is_gone_with_the_last_page() {
        let mut connections = Connections::default();
        let ada = Token::random();
        let (first, second) = (connections.connect(), connections.connect());
        connections.join(first.id, &ada, false, 0);
        connections.join(second.id, &ada, false, 0);
        connections.disconnect(first.id);
        assert!(connections.take_gone().is_empty());
        // Whoever says hello as somebody else has left as well.
        connections.join(second.id, &Token::random(), false, 0);
        assert_eq!(connections.take_gone(), [ada]);
    }
}
