//! Opening the arcade: database, robot, hall, listener.

use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;

use configuration::{Schema, Section, Values};
use thiserror::Error;
use tokio::net::TcpListener;

use crate::cabinets::connect_four::machine::thinker;
use crate::cabinets::connect_four::settings::{LevelSettings, RobotSettings};
use crate::cabinets::play::Guests;
use crate::cabinets::shows::Shows;
use crate::hall::{self, HallHandle, Message, Parts};
use crate::lab::Lab;
use crate::operator::{Operator, RecentLog};
use crate::recordings::{RecordingsSettings, Shelf};
use crate::settings::{ArcadeSettings, OperatorSettings, PluginSettings};
use crate::storage::{self, Storage, StorageError};
use crate::web::{self, AppState, app};

/// All sections of the arcade's settings.
pub const SECTIONS: &[Section] = &[
    OperatorSettings::SECTION,
    PluginSettings::SECTION,
    RecordingsSettings::SECTION,
    ArcadeSettings::SECTION,
    RobotSettings::SECTION,
    LevelSettings::SECTION,
];

/// Those that the operator may see and change while the arcade runs: all but the operator's own.
const CHANGEABLE: &[Section] = &[ArcadeSettings::SECTION, RobotSettings::SECTION, LevelSettings::SECTION];

/// What an arcade is opened with.
#[derive(Clone, Debug)]
pub struct Options {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The database file; none for one that is forgotten.
    pub database: Option<PathBuf>,
    /// Random seed of the machine.
    pub seed: u64,
    /// All settings.
    pub values: Values,
    /// Where the newest lines of the log are.
    pub log: RecentLog,
    /// This program, for the lab's measurements; none if it cannot measure.
    pub program: Option<PathBuf>,
}

/// Why the arcade cannot be opened.
#[derive(Debug, Error)]
pub enum OpenError {
    /// The address is taken or not ours.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why.
        source: io::Error,
    },
    /// The database cannot be used.
    #[error("{}: {source}", path.as_ref().map_or("the database in memory".to_owned(), |path| format!("database {}", path.display())))]
    Store {
        /// Which file.
        path: Option<PathBuf>,
        /// Why.
        source: StorageError,
    },
}

/// An open arcade.
#[derive(Debug)]
pub struct Arcade {
    listener: TcpListener,
    state: AppState,
    address: String,
    hall: HallHandle,
    hall_task: tokio::task::JoinHandle<()>,
}

impl Arcade {
    /// Opens database, robot and hall, and listens.
    pub async fn open(options: Options) -> Result<Self, OpenError> {
        let Options { listen, database, seed, values, log, program } = options;
        let listener = TcpListener::bind(listen)
            .await
            .map_err(|source| OpenError::Listen { address: listen, source })?;
        let actual = listener.local_addr().unwrap_or(listen);
        let refused = |source| OpenError::Store { path: database.clone(), source };
        let storage = match &database {
            Some(path) => Storage::open(path),
            None => Storage::in_memory(),
        }
        .map_err(refused)?;
        let settings = ArcadeSettings::from_values(&values);
        crate::files::survive_limits();
        let files = crate::files::allow_many();
        if files < u64::from(settings.connections) {
            tracing::warn!(files, connections = settings.connections, "the system allows too few open files");
        }
        let hash = match OperatorSettings::from_values(&values).password_hash.as_str() {
            "" => {
                let stored =
                    storage.read(|connection| storage::secret(connection, crate::operator::HASH)).await;
                stored.map_err(refused)?
            }
            configured => Some(configured.to_owned()),
        };
        let own_address = format!("http://{}/", reachable(actual));
        let configured = &*settings.address;
        let address = if configured.is_empty() { own_address.clone() } else { configured.to_owned() };
        let plugins = PluginSettings::from_values(&values);
        let recordings = RecordingsSettings::from_values(&values);
        let folder = database.as_ref().map(|_| PathBuf::from(&recordings.folder));
        let shelf = Shelf::open(folder.as_deref(), recordings.limit_mb);
        let shows = if settings.shows { Shows::new(&values, &shelf) } else { Shows::none() };
        let parts = Parts {
            storage: storage.clone(),
            think: thinker(seed),
            schema: Schema::new(CHANGEABLE),
            values,
            own_address,
        };
        let (hall, hall_task) = hall::open(parts).await.map_err(refused)?;
        let state = AppState {
            hall: hall.clone(),
            storage,
            gate: web::gate::Gate::default(),
            operator: Operator::new(hash, log),
            shows,
            guests: Guests::read(&plugins.folder),
            shelf,
            lab: Lab::open(program, folder.map(|folder| folder.join("lab"))),
            uploads: recordings.uploads.then_some(recordings.upload_mb),
        };
        Ok(Self { listener, state, address, hall, hall_task })
    }

    /// Where its first page is.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// The port and address it listens on.
    pub fn local_address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// The code that sets the operator's first password; none once there is one.
    pub fn setup_code(&self) -> Option<String> {
        self.state.operator.setup_code()
    }

    /// That address as a QR code for a terminal.
    pub fn qr_code(&self) -> Option<String> {
        let code = qrcode::QrCode::new(self.address()).ok()?;
        Some(code.render::<qrcode::render::unicode::Dense1x2>().quiet_zone(true).build())
    }

    /// Serves until `stop` ends, then closes everything in order.
    pub async fn serve(self, stop: impl Future<Output = ()> + Send + 'static) -> io::Result<()> {
        let Self { listener, state, hall, hall_task, .. } = self;
        let storage = state.storage.clone();
        // Closing the hall closes every page's connection, without which the listener would wait for them.
        let closing = {
            let hall = hall.clone();
            async move {
                stop.await;
                tracing::info!("closing");
                hall.say(Message::Stop).await;
            }
        };
        web::serve(listener, app(state), hall, closing).await;
        drop(hall_task.await);
        storage.close().await;
        Ok(())
    }
}

/// The address under which others reach a listener: one that listens everywhere is reached where this machine is.
fn reachable(listener: SocketAddr) -> SocketAddr {
    if !listener.ip().is_unspecified() {
        return listener;
    }
    // Without a network there is only this machine.
    let ip = own_address().unwrap_or(IpAddr::V4(Ipv4Addr::LOCALHOST));
    SocketAddr::new(ip, listener.port())
}

/// This machine's address in its network, if it has one.
pub(crate) fn own_address() -> Option<IpAddr> {
    // Connecting a datagram socket sends nothing; it only chooses the way out, and with it our address on it. The
    // other end is an address for documentation (RFC 5737), which nobody has.
    let outward = UdpSocket::bind((Ipv4Addr::UNSPECIFIED, 0)).and_then(|socket| {
        socket.connect((Ipv4Addr::new(192, 0, 2, 1), 9))?;
        socket.local_addr()
    });
    outward.ok().map(|outward| outward.ip())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_qr_code_never_leads_nowhere() {
        let everywhere = reachable("0.0.0.0:8080".parse().unwrap());
        assert!(!everywhere.ip().is_unspecified() && everywhere.port() == 8080, "{everywhere}");
        let here = "127.0.0.1:8080".parse().unwrap();
        assert_eq!(reachable(here), here);
    }
}
