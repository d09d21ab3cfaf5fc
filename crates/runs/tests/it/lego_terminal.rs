//! The LEGO robot on a pseudo terminal, which looks like a hub's USB port, in real time (L1, X2): what goes wrong with
//! the hub in the middle of a game is told, and the game goes on.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use engine::notes::{NoteReader, Topic};
use engine::{Cancel, Clock, Frame, RunEnding, Time};
use runs::connect_four::Lego;
use runs::{Request, Speed};
use simulators::hub::{
    Disc, Hub, HubSettings, Imperfection, Mishap, PacedClock, Seat, Table, TableSettings, USUAL_HELP,
};

use crate::settings::values;

/// The hub is ten times as fast as a real one; the player is not, so that the hub must be more patient with it.
const HUB_SPEED: f64 = 10.0;
const PATIENT_HUB: &str = "lego.watchdog_ms=30000";

/// Keeps what the run says of faults.
#[derive(Clone, Default)]
struct Faults(Arc<Mutex<Vec<String>>>);

impl NoteReader for Faults {
    fn wants(&self, topic: Topic) -> bool {
        topic == Topic::Fault
    }
    fn frame(&mut self, _frame: &Frame) {}
    fn note(&mut self, _topic: Topic, _time: Time, json: &[u8]) {
        self.0.lock().unwrap().push(String::from_utf8_lossy(json).into_owned());
    }
}

#[test]
fn a_pulled_cable_a_restart_and_a_flat_battery_in_the_middle_of_a_game() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("hub");
    let table = Table::new(&TableSettings {
        seats: [Seat::Robot { disc: Disc::Red }, Seat::Person { depth: 2, slips: 0.1 }],
        games: 1,
        beginner: None,
        imperfection: Imperfection::default(),
        help_after: USUAL_HELP,
        seed: 3,
    });
    let clock = PacedClock::start(HUB_SPEED, Cancel::new());
    let hub = Hub::on_terminal(&link, &table, 0, HubSettings::default(), clock.clone()).unwrap();

    let request = Request {
        speed: Speed::Real,
        ..Request::games(values(&[PATIENT_HUB, &format!("lego.port={}", link.display())]), 1, 1)
    };
    // What happens once that many discs are on the board, and what is done about it once the run has noticed.
    let mut mishaps = [
        (1, Mishap::Unplug, Some(Mishap::Plug)),
        (3, Mishap::Reboot, None),
        (5, Mishap::Flatten, Some(Mishap::Charge)),
    ]
    .into_iter()
    .peekable();
    let mut struck: Option<(u64, Option<Mishap>)> = None;
    let faults = Faults::default();
    let played = runs::play::<Lego, _>(request, faults.clone(), |player, counts| match struck {
        Some((before, remedy)) if counts.faults > before => {
            if let Some(remedy) = remedy {
                hub.happen(remedy);
            }
            struck = None;
        }
        Some(_) => {}
        None => {
            if let Some((_, mishap, remedy)) =
                mishaps.next_if(|&(discs, ..)| player.belief().discs() >= discs)
            {
                hub.happen(mishap);
                struck = Some((counts.faults, remedy));
            }
        }
    })
    .unwrap();

    assert_eq!(played.ending, RunEnding::GamesPlayed);
    assert!(mishaps.next().is_none(), "everything happened");
    let said = faults.0.lock().unwrap().join("\n");
    assert!(said.contains("hub") && said.contains("gone"), "{said}");
    assert!(played.counts.faults >= 3, "{said}");
    // Whoever stands beside the table takes a moment longer.
    (0..100).take_while(|_| !table.is_over()).for_each(|_| clock.sleep(Duration::from_secs(1)));
    let seen = table.games().remove(0);
    let really: String = seen.columns.iter().map(|column| (column + 1).to_string()).collect();
    assert_eq!(played.player.games()[0].moves, really, "{:?}", table.log());
}
