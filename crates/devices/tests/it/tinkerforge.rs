//! The solenoids' driver on the simulated Brick Daemon, on the simulated clock and over TCP (G16).

use std::collections::BTreeMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use devices::tinkerforge::{Config, Dial, HeatLimits, PressTimes, Solenoids, TcpDial, Wire};
use engine::{Cancel, Clock, Fault, Hand, Mapping, RealClock, SimulatedClock, Time};
use gameboy::Button;
use simulators::brickd::{
    ButtonEdge, Cable, Order, RelayKind, Rig, RigConfig, Server, SharedRig, StackConfig, Wiring,
};

struct Here(Cable<SimulatedClock>);

impl Wire for Here {
    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.send(bytes)
    }
    fn receive(&mut self, buffer: &mut Vec<u8>, until: Time) -> io::Result<bool> {
        self.0.receive(buffer, until)
    }
}

struct DialHere(SharedRig, SimulatedClock);

impl Dial for DialHere {
    type Wire = Here;
    fn dial(&mut self) -> io::Result<Here> {
        Ok(Here(Cable::connect(&self.0, &self.1)))
    }
}

struct Bench {
    rig: SharedRig,
    clock: SimulatedClock,
    hand: Solenoids<Button, DialHere, SimulatedClock>,
}

fn wiring() -> BTreeMap<Button, usize> {
    Wiring::default().0.into_iter().enumerate().map(|(relay, button)| (button, relay)).collect()
}

fn config() -> Config<Button> {
    Config { wiring: wiring(), ..Config::default() }
}

fn rig_config(kind: RelayKind) -> RigConfig {
    let mut stack = StackConfig::default();
    stack.relays.iter_mut().for_each(|relay| relay.1 = kind);
    RigConfig { stack, ..RigConfig::default() }
}

fn bench(rig: RigConfig, hand: Config<Button>) -> Bench {
    let (rig, clock) = (Arc::new(Mutex::new(Rig::new(rig))), SimulatedClock::new());
    let hand = Solenoids::new(hand, DialHere(Arc::clone(&rig), clock.clone()), clock.clone());
    Bench { rig, clock, hand }
}

impl Bench {
    fn wait(&self, time: Duration) -> Vec<ButtonEdge> {
        self.clock.sleep(time);
        let mut rig = self.rig.lock().unwrap();
        rig.advance(self.clock.now());
        rig.take_edges()
    }
}

const fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// Milliseconds since a moment at which buttons moved.
fn moments(edges: &[ButtonEdge], begin: Time) -> Vec<u128> {
    edges.iter().map(|edge| edge.at.since(begin).as_millis()).collect()
}

fn pressed(edges: &[ButtonEdge]) -> Vec<Button> {
    edges.iter().filter(|edge| edge.down).map(|edge| edge.button).collect()
}

#[test]
fn both_versions_press_every_button_and_let_go_by_themselves() {
    for kind in [RelayKind::V1, RelayKind::V2] {
        let mut bench = bench(rig_config(kind), config());
        for button in Button::ALL {
            bench.hand.press(&[(button, ms(35))]).unwrap();
            assert!(bench.hand.wait_done(button, bench.clock.now() + ms(50)).unwrap(), "{button:?}");
            let edges = bench.wait(ms(40));
            assert_eq!(pressed(&edges), [button]);
            assert_eq!(edges.len(), 2);
        }
    }
}

#[test]
fn presses_in_parallel_begin_in_the_same_moment() {
    let mut bench = bench(rig_config(RelayKind::V1), config());
    bench.hand.connect().unwrap();
    let begin = bench.clock.now();
    bench.hand.press(&[(Button::A, ms(35)), (Button::Left, ms(70))]).unwrap();
    assert_eq!(moments(&bench.wait(ms(200)), begin), [32, 32, 55, 90]);
    assert!(!bench.hand.wait_done(Button::B, bench.clock.now() + ms(10)).unwrap(), "B was not pressed");
}

#[test]
fn a_long_press_can_be_cut_and_everything_let_go() {
    let mut bench = bench(rig_config(RelayKind::V2), config());
    bench.hand.press(&[(Button::Down, ms(3000)), (Button::B, ms(3000))]).unwrap();
    bench.wait(ms(100));
    bench.hand.release(Button::Down).unwrap();
    assert_eq!(bench.wait(ms(100)).iter().map(|edge| edge.button).collect::<Vec<_>>(), [Button::Down]);
    bench.hand.let_go().unwrap();
    assert_eq!(bench.wait(ms(100)).iter().map(|edge| edge.button).collect::<Vec<_>>(), [Button::B]);
}

#[test]
fn a_coil_that_is_too_warm_must_cool_first() {
    let heat = HeatLimits { duty: 0.5, warm_up: Duration::from_secs(10), longest_hold: ms(4000) };
    let mut bench = bench(rig_config(RelayKind::V1), Config { heat, ..config() });
    let too_long = bench.hand.press(&[(Button::Down, ms(4001))]).unwrap_err();
    assert!(too_long.to_string().contains("4.0 s that are allowed"), "{too_long}");
    bench.hand.press(&[(Button::Down, ms(4000))]).unwrap();
    bench.wait(ms(4000));
    let fault = bench.hand.press(&[(Button::Left, ms(35)), (Button::Down, ms(4000))]).unwrap_err();
    assert!(matches!(&fault, Fault::Refused { why, .. } if why.contains("must cool for")), "{fault}");
    assert_eq!(pressed(&bench.wait(ms(100))), [], "all or none");
    assert!(bench.hand.warmth(Button::Left) == 0.0 && bench.hand.warmth(Button::Down) > 0.3);
    bench.wait(Duration::from_secs(12));
    bench.hand.press(&[(Button::Down, ms(4000))]).unwrap();
}

#[test]
fn a_lost_daemon_is_dialled_again() {
    let mut bench = bench(rig_config(RelayKind::V1), config());
    bench.hand.press(&[(Button::A, ms(35))]).unwrap();
    bench.wait(ms(100));
    bench.rig.lock().unwrap().drop_clients();
    let fault = bench.hand.press(&[(Button::A, ms(35))]).unwrap_err();
    assert!(matches!(fault, Fault::Lost { .. }), "{fault}");
    bench.wait(ms(1000));
    bench.hand.press(&[(Button::A, ms(35))]).unwrap();
    assert_eq!(pressed(&bench.wait(ms(100))), [Button::A]);
}

#[test]
fn a_pulled_cable_is_noticed_and_the_stack_found_again() {
    let mut bench = bench(rig_config(RelayKind::V2), config());
    bench.hand.press(&[(Button::A, ms(35))]).unwrap();
    bench.wait(ms(100));
    bench.rig.lock().unwrap().set_plugged(false, bench.clock.now());
    let fault = bench.hand.press(&[(Button::A, ms(35))]).unwrap_err();
    assert!(matches!(fault, Fault::Silent { .. }), "{fault}");
    let fault = bench.hand.press(&[(Button::A, ms(35))]).unwrap_err();
    assert!(fault.to_string().contains("no Industrial Quad Relay was found"), "{fault}");
    bench.rig.lock().unwrap().set_plugged(true, bench.clock.now());
    bench.wait(ms(1000));
    bench.hand.press(&[(Button::A, ms(35))]).unwrap();
    assert_eq!(pressed(&bench.wait(ms(100))), [Button::A]);
}

#[test]
fn secrets_and_wiring_are_checked_when_connecting() {
    let guarded = RigConfig { secret: Some("open sesame".to_owned()), ..rig_config(RelayKind::V1) };
    let with = |secret: Option<&str>| Config { secret: secret.map(str::to_owned), ..config() };
    bench(guarded.clone(), with(Some("open sesame"))).hand.connect().unwrap();
    let fault = bench(guarded.clone(), with(Some("barley"))).hand.connect().unwrap_err();
    assert!(fault.to_string().contains("refused the secret"), "{fault}");
    let fault = bench(guarded, with(None)).hand.connect().unwrap_err();
    assert!(fault.to_string().contains("is a secret needed?"), "{fault}");

    let mut far = config();
    far.wiring.insert(Button::A, 8);
    let fault = bench(rig_config(RelayKind::V1), far).hand.connect().unwrap_err();
    assert!(fault.to_string().contains("A is wired to relay 8; the daemon has relays 0 to 7"), "{fault}");
    let unknown = Config { bricklets: vec!["xyz".parse().unwrap()], ..config() };
    let fault = bench(rig_config(RelayKind::V1), unknown).hand.connect().unwrap_err();
    assert!(
        fault.to_string().contains("xyz is not connected") && fault.to_string().contains("mTA"),
        "{fault}"
    );
}

/// As the engine uses it: the planned end is the bricklet's, a cut comes only with letting go.
#[test]
fn planned_presses_end_by_themselves() {
    let mut bench = bench(rig_config(RelayKind::V1), config());
    let (button, mapping) = (Button::Left, Mapping::IDENTITY);
    bench.hand.connect().unwrap();
    let begin = bench.clock.now();
    bench.hand.begin_for(&button, ms(60), &mapping).unwrap();
    assert_eq!(moments(&bench.wait(ms(200)), begin), [32, 80]);
    bench.hand.end(&button).unwrap();
    // Too short for the finger: lengthened to its own 35 ms.
    bench.hand.begin_for(&button, ms(10), &mapping).unwrap();
    bench.hand.end(&button).unwrap();
    assert_eq!(pressed(&bench.wait(ms(200))), [button]);
    // Without a planned end it is held until it is ended, and never for ever.
    bench.hand.begin(&button, &mapping).unwrap();
    assert_eq!(bench.wait(ms(1000)).len(), 1);
    bench.hand.end(&button).unwrap();
    assert_eq!(bench.wait(ms(100)).len(), 1);
    bench.hand.begin(&button, &mapping).unwrap();
    assert_eq!(bench.wait(ms(6000)).len(), 2, "let go after the longest hold");
}

#[test]
fn single_buttons_have_their_own_times() {
    let own = PressTimes { press: ms(50), pause: ms(60) };
    let config = Config { own_times: BTreeMap::from([(Button::Left, own)]), ..config() };
    let bench = bench(rig_config(RelayKind::V1), config);
    assert_eq!(bench.hand.times(Button::Left), own);
    assert_eq!(bench.hand.times(Button::A), PressTimes::default());
}

/// The same over a real socket, where the daemon goes and comes back.
#[test]
fn over_tcp_a_restarted_daemon_is_found_again() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let clock = RealClock::start(Cancel::new());
    let (pressed, presses) = std::sync::mpsc::channel();
    let server = runtime.block_on(Server::start(
        "127.0.0.1:0".parse().unwrap(),
        rig_config(RelayKind::V1),
        clock.clone(),
        move |edge| {
            let _ = pressed.send(edge);
        },
    ));
    let server = server.unwrap();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let background = {
        let address = server.address();
        let dial = TcpDial {
            host: address.ip().to_string(),
            port: address.port(),
            patience: Duration::from_secs(5),
            clock: clock.clone(),
        };
        let config = Config { redial_after: Duration::ZERO, patience: Duration::from_secs(5), ..config() };
        std::thread::spawn(move || {
            let mut hand = Solenoids::new(config, dial, clock);
            let mut faults = 0;
            // Each with another finger: the last one is still on its way home.
            for button in [Button::Start, Button::Select, Button::A, Button::B] {
                while let Err(fault) = hand.press(&[(button, ms(35))]) {
                    assert!(matches!(fault, Fault::Lost { .. }), "{fault}");
                    faults += 1;
                }
                for down in [true, false] {
                    let edge = presses.recv_timeout(Duration::from_secs(20)).unwrap();
                    assert_eq!((edge.button, edge.down), (button, down));
                }
                if button == Button::Select {
                    server.order(Order::Restart);
                    let mut report = server.report();
                    while report.borrow_and_update().clients > 0 {
                        std::thread::yield_now();
                    }
                }
            }
            hand.let_go().unwrap();
            let _ = stop.send(());
            faults
        })
    };
    runtime.block_on(async { stopped.await.unwrap() });
    assert!(background.join().unwrap() >= 1, "the restart was noticed");
}
