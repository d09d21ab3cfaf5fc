//! A rig on TCP, in tasks of its own.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use engine::Clock;
use gameboy::Button;
use serde::Serialize;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::tcp::{OwnedReadHalf, OwnedWriteHalf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{mpsc, watch};
use tokio::time::sleep;

use super::daemon::ClientId;
use super::fingers::ButtonEdge;
use super::rig::{Rig, RigConfig};

/// Packets that may wait for a client; one that reads more slowly is hung up on.
const WAITING_WRITES: usize = 1024;

/// What somebody does to the rig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// Pull the USB cable.
    Unplug,
    /// Plug it in again.
    Plug,
    /// Start the daemon again: all clients lose their connection.
    Restart,
}

/// What can be seen from outside.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Whether the USB cable is in.
    pub plugged: bool,
    /// How many clients are connected.
    pub clients: usize,
    /// Which relays are closed.
    pub relays_closed: Vec<bool>,
    /// Which buttons are down.
    pub buttons_down: Vec<Button>,
    /// How often a button went down.
    pub presses: u64,
}

/// A running simulated daemon; it stops when this is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    orders: mpsc::UnboundedSender<Order>,
    report: watch::Receiver<Report>,
}

impl Server {
    /// Listens at `address` (port 0 for any) in a task of the current tokio runtime. Times are those of
    /// `clock`; `press` hears of every button edge, with the moment at which it happened.
    pub async fn start(
        address: SocketAddr,
        config: RigConfig,
        clock: impl Clock,
        press: impl FnMut(ButtonEdge) + Send + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address).await?;
        let address = listener.local_addr()?;
        let (orders, taken) = mpsc::unbounded_channel();
        let (told, report) = watch::channel(Report { plugged: true, ..Report::default() });
        tokio::spawn(serve(listener, Rig::new(config), clock, press, taken, told));
        Ok(Self { address, orders, report })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Does something to the rig.
    pub fn order(&self, order: Order) {
        // Without a task there is nothing left to do it to.
        let _ = self.orders.send(order);
    }

    /// Its state, now and whenever it changes. The channel closes when the server ends.
    pub fn report(&self) -> watch::Receiver<Report> {
        self.report.clone()
    }
}

/// What came from a client: bytes, or none at its end.
type Arrival = (ClientId, Vec<u8>);

async fn serve(
    listener: TcpListener,
    mut rig: Rig,
    clock: impl Clock,
    mut press: impl FnMut(ButtonEdge),
    mut orders: mpsc::UnboundedReceiver<Order>,
    report: watch::Sender<Report>,
) {
    let (arrived, mut arrivals) = mpsc::channel::<Arrival>(64);
    let mut writers: BTreeMap<ClientId, mpsc::Sender<Vec<u8>>> = BTreeMap::new();
    let mut buttons = Buttons::default();
    loop {
        let wait = rig.next_event().map_or(Duration::from_hours(1), |event| event.since(clock.now()));
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    tracing::info!(%peer, "a client connected");
                    let id = rig.connect();
                    writers.insert(id, attend(stream, id, arrived.clone()));
                }
                Err(error) => {
                    // Out of file handles, for instance: clients may go, and it gets better.
                    tracing::warn!(%error, "a client could not connect");
                    sleep(Duration::from_millis(100)).await;
                }
            },
            Some((id, bytes)) = arrivals.recv() => {
                if bytes.is_empty() {
                    rig.disconnect(id);
                } else {
                    rig.receive(id, clock.now(), &bytes);
                }
            }
            order = orders.recv() => match order {
                Some(Order::Unplug) => rig.set_plugged(false, clock.now()),
                Some(Order::Plug) => rig.set_plugged(true, clock.now()),
                Some(Order::Restart) => rig.drop_clients(),
                None => return,
            },
            () = sleep(wait) => {}
        }
        rig.advance(clock.now());
        for edge in rig.take_edges() {
            buttons.note(edge);
            press(edge);
        }
        // A client that the rig has forgotten loses its writer, and with it the connection.
        writers.retain(|id, writer| {
            let output = rig.take_output(*id);
            rig.daemon().is_open(*id) && (output.is_empty() || writer.try_send(output).is_ok())
        });
        for id in rig.daemon().client_ids() {
            if !writers.contains_key(&id) {
                rig.disconnect(id);
            }
        }
        let now = buttons.report(&rig);
        report.send_if_modified(|shown| {
            let differs = *shown != now;
            *shown = now;
            differs
        });
    }
}

/// Buttons as the edges leave them.
#[derive(Debug, Default)]
struct Buttons {
    down: BTreeSet<u8>,
    presses: u64,
}

impl Buttons {
    fn note(&mut self, edge: ButtonEdge) {
        if edge.down {
            self.presses += u64::from(self.down.insert(edge.button as u8));
        } else {
            self.down.remove(&(edge.button as u8));
        }
    }

    fn report(&self, rig: &Rig) -> Report {
        let down = |button: &Button| self.down.contains(&(*button as u8));
        Report {
            plugged: rig.daemon().stack().is_plugged(),
            clients: rig.daemon().clients(),
            relays_closed: rig.daemon().stack().closed().to_vec(),
            buttons_down: Button::ALL.into_iter().filter(down).collect(),
            presses: self.presses,
        }
    }
}

/// Carries bytes between a client and the rig, until either is gone.
fn attend(stream: TcpStream, id: ClientId, arrived: mpsc::Sender<Arrival>) -> mpsc::Sender<Vec<u8>> {
    // Relays are switched by single small packets.
    if let Err(error) = stream.set_nodelay(true) {
        tracing::debug!(%error, "small packets may be delayed");
    }
    let (reader, writer) = stream.into_split();
    let (outgoing, waiting) = mpsc::channel(WAITING_WRITES);
    let (hung_up, gone) = tokio::sync::oneshot::channel();
    tokio::spawn(write(writer, waiting, hung_up));
    tokio::spawn(read(reader, id, arrived, gone));
    outgoing
}

async fn write(
    mut writer: OwnedWriteHalf,
    mut waiting: mpsc::Receiver<Vec<u8>>,
    hung_up: tokio::sync::oneshot::Sender<()>,
) {
    while let Some(bytes) = waiting.recv().await {
        if writer.write_all(&bytes).await.is_err() {
            break;
        }
    }
    // The reader may sit on a client that says nothing.
    let _ = hung_up.send(());
}

async fn read(
    mut reader: OwnedReadHalf,
    id: ClientId,
    arrived: mpsc::Sender<Arrival>,
    mut gone: tokio::sync::oneshot::Receiver<()>,
) {
    let mut buffer = vec![0; 4096];
    loop {
        let count = tokio::select! {
            count = reader.read(&mut buffer) => count.unwrap_or(0),
            _ = &mut gone => 0,
        };
        // An empty arrival says goodbye; without a rig nobody is interested.
        if arrived.send((id, buffer[..count].to_vec())).await.is_err() || count == 0 {
            return;
        }
    }
}
