//! A hub on Bluetooth Low Energy: the same bytes as on USB, through two GATT characteristics.

use std::collections::VecDeque;
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::Duration;

use btleplug::api::{
    Central, CharPropFlags, Characteristic, Manager as _, Peripheral as _, ScanFilter, WriteType,
};
use btleplug::platform::{Manager, Peripheral};
use engine::{Clock, Time};
use futures_util::StreamExt;
use tokio::runtime::Runtime;
use uuid::{Uuid, uuid};

use super::transport::Transport;

/// What hubs advertise.
const SERVICE: Uuid = uuid!("0000fd02-0000-1000-8000-00805f9b34fb");
/// The computer writes here.
const TO_HUB: Uuid = uuid!("0000fd02-0001-1000-8000-00805f9b34fb");
/// The hub notifies here.
const FROM_HUB: Uuid = uuid!("0000fd02-0002-1000-8000-00805f9b34fb");
/// How long a hub is looked for.
const SCAN: Duration = Duration::from_secs(10);
/// How often to check whether one was found.
const LOOK: Duration = Duration::from_millis(200);
/// How long it may take to connect and to write.
const WITHIN: Duration = Duration::from_secs(10);
/// The shortest wait for bytes.
const SHORTEST_WAIT: Duration = Duration::from_millis(1);

/// The first hub in reach, or the one of a name.
#[derive(Debug)]
pub struct Bluetooth<C> {
    wanted: String,
    clock: C,
    runtime: Runtime,
    link: Option<Gatt>,
}

/// An open line.
#[derive(Debug)]
struct Gatt {
    hub: Peripheral,
    to_hub: Characteristic,
    notified: Receiver<Vec<u8>>,
    waiting: VecDeque<u8>,
}

impl<C: Clock> Bluetooth<C> {
    /// The hub of this name, or any if it is empty; not opened yet.
    pub fn new(wanted: impl Into<String>, clock: C) -> io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        Ok(Self { wanted: wanted.into(), clock, runtime, link: None })
    }
}

impl<C: Clock> Transport for Bluetooth<C> {
    fn name(&self) -> String {
        if self.wanted.is_empty() { "Bluetooth".to_owned() } else { format!("Bluetooth ({})", self.wanted) }
    }

    fn open(&mut self) -> io::Result<()> {
        if let Some(link) = self.link.take() {
            // Gone already, perhaps.
            let _ = self.runtime.block_on(link.hub.disconnect());
        }
        self.link = Some(self.runtime.block_on(open(&self.wanted))?);
        Ok(())
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        let link = self.link.as_ref().ok_or(io::ErrorKind::NotConnected)?;
        let written = link.hub.write(&link.to_hub, bytes, WriteType::WithoutResponse);
        self.runtime.block_on(in_time(written))
    }

    fn receive(&mut self, buffer: &mut [u8], until: Time) -> io::Result<usize> {
        let link = self.link.as_mut().ok_or(io::ErrorKind::NotConnected)?;
        if link.waiting.is_empty() {
            let wait = until.since(self.clock.now()).max(SHORTEST_WAIT);
            match link.notified.recv_timeout(wait) {
                Ok(bytes) => link.waiting.extend(bytes),
                Err(RecvTimeoutError::Timeout) => return Ok(0),
                Err(RecvTimeoutError::Disconnected) => return Err(io::ErrorKind::UnexpectedEof.into()),
            }
        }
        let count = buffer.len().min(link.waiting.len());
        for (place, byte) in buffer.iter_mut().zip(link.waiting.drain(..count)) {
            *place = byte;
        }
        Ok(count)
    }
}

async fn open(wanted: &str) -> io::Result<Gatt> {
    let hub = find(wanted).await?;
    in_time(hub.connect()).await?;
    in_time(hub.discover_services()).await?;
    let characteristic = |id: Uuid, flag: CharPropFlags| {
        let found =
            hub.characteristics().into_iter().find(|it| it.uuid == id && it.properties.intersects(flag));
        found.ok_or_else(|| io::Error::new(io::ErrorKind::Unsupported, "it is not a hub with hub OS 3"))
    };
    let to_hub = characteristic(TO_HUB, CharPropFlags::WRITE_WITHOUT_RESPONSE | CharPropFlags::WRITE)?;
    let from_hub = characteristic(FROM_HUB, CharPropFlags::NOTIFY)?;
    let mut notifications = hub.notifications().await.map_err(io::Error::other)?;
    in_time(hub.subscribe(&from_hub)).await?;
    let (tell, notified) = channel();
    // Ends with the connection, and then the line is seen to be gone.
    tokio::spawn(async move {
        while let Some(notification) = notifications.next().await {
            if notification.uuid == FROM_HUB && tell.send(notification.value).is_err() {
                return;
            }
        }
    });
    Ok(Gatt { hub, to_hub, notified, waiting: VecDeque::new() })
}

/// Looks around until a hub is found.
async fn find(wanted: &str) -> io::Result<Peripheral> {
    let manager = Manager::new().await.map_err(io::Error::other)?;
    let adapters = manager.adapters().await.map_err(io::Error::other)?;
    let adapter = adapters
        .into_iter()
        .next()
        .ok_or_else(|| io::Error::new(io::ErrorKind::NotFound, "this computer has no Bluetooth"))?;
    let filter = ScanFilter { services: vec![SERVICE] };
    adapter.start_scan(filter).await.map_err(io::Error::other)?;
    let looking = async {
        loop {
            for hub in adapter.peripherals().await.map_err(io::Error::other)? {
                let Some(seen) = hub.properties().await.map_err(io::Error::other)? else { continue };
                let named = wanted.is_empty() || seen.local_name.as_deref() == Some(wanted);
                if named && seen.services.contains(&SERVICE) {
                    return Ok(hub);
                }
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    let found = tokio::time::timeout(SCAN, looking).await;
    // Scanning that cannot be stopped only costs the hub's battery.
    let _ = adapter.stop_scan().await;
    found.unwrap_or_else(|_| {
        let why = "no hub is in reach: press its Bluetooth button until it blinks";
        Err(io::Error::new(io::ErrorKind::NotFound, why))
    })
}

/// A radio link may hang for ever.
async fn in_time<A>(step: impl Future<Output = btleplug::Result<A>>) -> io::Result<A> {
    match tokio::time::timeout(WITHIN, step).await {
        Ok(done) => done.map_err(io::Error::other),
        Err(_) => Err(io::ErrorKind::TimedOut.into()),
    }
}
