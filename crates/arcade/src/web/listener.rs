//! The listener: takes connections in, no more than there is room for and no more from one address than its share, and
//! lets go of those who keep the server waiting.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::response::Response;
use axum::routing::future::RouteFuture;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

use crate::hall::HallHandle;
use crate::limits::{Allowances, shared};

/// How long a request's head may take, and how long a connection may be idle between two requests.
const HEAD_WITHIN: Duration = Duration::from_secs(10);
/// The largest head of a request.
const LARGEST_HEAD: usize = 16 << 10;
/// Whoever does not take what was sent for so long is let go by the system, also after we have closed.
const UNREAD_AT_MOST: Duration = Duration::from_secs(10);
/// What the system may keep for one connection that does not read.
const SEND_BUFFER: usize = 64 << 10;
/// Places beside those of pages: requests for files and stored games.
const PLACES_FOR_REQUESTS: usize = 200;
/// New connections of one address a second, in the long run.
const CONNECTS_PER_SECOND: f64 = 50.0;
/// How long open connections are waited for at the end.
const FAREWELL: Duration = Duration::from_secs(3);
/// Pause after the system refused to accept, for lack of files for example.
const RECOVER: Duration = Duration::from_millis(50);

/// Who asks: put into every request.
#[derive(Clone, Debug)]
pub struct Peer {
    /// The address of the other end of the connection.
    pub address: IpAddr,
    /// The connection's place; kept as long as it is used.
    #[expect(dead_code, reason = "its drop frees the place")]
    place: Arc<Place>,
}

/// Takes connections in until `stop` ends, then closes them in order.
pub async fn serve(listener: TcpListener, router: Router, hall: HallHandle, stop: impl Future<Output = ()>) {
    // Inherited by every connection; a system that refuses is no reason to stop.
    let _ = rustix::net::sockopt::set_socket_send_buffer_size(&listener, SEND_BUFFER);
    let places = Arc::new(Places::default());
    let (closing, open) = watch::channel(());
    let mut connects = Allowances::default();
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let (stream, address) = match accepted {
            Ok(accepted) => accepted,
            Err(error) => {
                recover(&error).await;
                continue;
            }
        };
        let (all, share, is_proxy) = {
            let settings = hall.settings();
            let all = settings.connections as usize + PLACES_FOR_REQUESTS;
            let is_proxy = settings.behind_proxy && address.ip().to_canonical().is_loopback();
            // A proxy is no visitor; the hall counts the pages of each who comes through it.
            (all, if is_proxy { all } else { settings.connections_per_address as usize }, is_proxy)
        };
        // What is dropped here is closed at once and costs nothing.
        if !is_proxy && !connects.take(address.ip(), share as f64, CONNECTS_PER_SECOND) {
            continue;
        }
        let Some(place) = Places::take(&places, address.ip(), all, share) else { continue };
        let peer = Peer { address: address.ip(), place: Arc::new(place) };
        tokio::spawn(converse(stream, router.clone(), peer, open.clone()));
    }
    drop(listener);
    drop(closing);
    let farewell = async {
        // Requests end, and pages' sockets get their close frame; each holds its place until then.
        while places.taken() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    // A page that does not close is not waited for any longer.
    drop(tokio::time::timeout(FAREWELL, farewell).await);
}

async fn converse(stream: TcpStream, router: Router, peer: Peer, mut open: watch::Receiver<()>) {
    // Both are wishes to the system; without them only the deadlines of our own are left.
    let _ = stream.set_nodelay(true);
    let _ = rustix::net::sockopt::set_tcp_user_timeout(&stream, UNREAD_AT_MOST.as_millis() as u32);
    let service = TowerToHyperService::new(Service { router, peer });
    let connection = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_WITHIN)
        .max_buf_size(LARGEST_HEAD)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = &mut connection => ended,
        // An error: the other end is dropped when the hall closes.
        _ = open.changed() => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended");
    }
}

/// Answers the requests of one connection; each is told whose they are.
#[derive(Clone)]
struct Service {
    router: Router,
    peer: Peer,
}

impl tower_service::Service<hyper::Request<Incoming>> for Service {
    type Response = Response;
    type Error = Infallible;
    type Future = RouteFuture<Infallible>;

    fn poll_ready(&mut self, context: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        tower_service::Service::<hyper::Request<Body>>::poll_ready(&mut self.router, context)
    }

    fn call(&mut self, request: hyper::Request<Incoming>) -> Self::Future {
        let mut request = request.map(Body::new);
        request.extensions_mut().insert(self.peer.clone());
        self.router.call(request)
    }
}

async fn recover(error: &io::Error) {
    // A connection that was closed before we took it is none of our concern; anything else may pass.
    if !matches!(error.kind(), io::ErrorKind::ConnectionAborted | io::ErrorKind::ConnectionReset) {
        tracing::warn!(%error, "cannot take a connection");
        tokio::time::sleep(RECOVER).await;
    }
}

/// Who has how many connections.
#[derive(Debug, Default)]
struct Places(Mutex<BTreeMap<IpAddr, usize>>);

impl Places {
    fn take(places: &Arc<Self>, address: IpAddr, all: usize, share: usize) -> Option<Place> {
        let address = shared(address);
        let mut taken = places.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = taken.get(&address).copied().unwrap_or(0);
        if own >= share || taken.values().sum::<usize>() >= all {
            return None;
        }
        taken.insert(address, own + 1);
        Some(Place { address, places: Arc::clone(places) })
    }

    fn taken(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).values().sum()
    }
}

/// A connection's place; free again when this is dropped.
#[derive(Debug)]
pub struct Place {
    address: IpAddr,
    places: Arc<Places>,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut taken = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(own) = taken.get_mut(&self.address) {
            *own -= 1;
            if *own == 0 {
                taken.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_takes_more_than_a_share_and_all_no_more_than_there_are() {
        let places = Arc::new(Places::default());
        let address = |last: u8| IpAddr::from([192, 0, 2, last]);
        let take = |last| Places::take(&places, address(last), 5, 3);
        let first: Vec<_> = (0..4).map(|_| take(1)).collect();
        assert_eq!(first.iter().flatten().count(), 3);
        let second: Vec<_> = (0..4).map(|_| take(2)).collect();
        assert_eq!(second.iter().flatten().count(), 2, "five in all");
        drop(first);
        assert_eq!(places.taken(), 2);
        assert!(take(1).is_some());
    }
}
