//! The driver and its program against the simulated hub, which speaks the protocol for itself and runs the program on
//! real MicroPython. Time is simulated.

use std::io;
use std::time::Duration;

use devices::hub::{Arm, ArmError, ArmSettings, Failure, HubError, Order, Outcome, Transport};
use engine::{Clock, SimulatedClock, Time};
use simulators::hub::{
    Cable, Disc, Hub, HubSettings, Imperfection, Mishap, Seat, Table, TableSettings, USUAL_HELP,
};

/// The cable as the driver wants it.
#[derive(Debug)]
pub struct Plug {
    cable: Cable,
    clock: SimulatedClock,
}

impl Transport for Plug {
    fn name(&self) -> String {
        "simulated".into()
    }

    fn open(&mut self) -> io::Result<()> {
        self.cable.open()
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.cable.send(bytes)
    }

    fn receive(&mut self, buffer: &mut [u8], until: Time) -> io::Result<usize> {
        self.cable.receive(buffer, &self.clock, until)
    }
}

struct Stage {
    arm: Arm<Plug, SimulatedClock>,
    table: Table,
    hub: Hub,
    clock: SimulatedClock,
}

const RED_ROBOT: [Seat; 2] = [Seat::Robot { disc: Disc::Red }, Seat::Nobody];

fn stage(settings: HubSettings, imperfection: Imperfection) -> Stage {
    let clock = SimulatedClock::new();
    let table = Table::new(&TableSettings {
        seats: RED_ROBOT,
        games: 0,
        beginner: None,
        imperfection,
        help_after: USUAL_HELP,
        seed: 1,
    });
    let (hub, cable) = Hub::on_cable(&table, 0, settings, clock.participant()).unwrap();
    let plug = Plug { cable, clock: clock.clone() };
    let mut arm = Arm::new(plug, clock.clone(), ArmSettings::default());
    arm.connect().unwrap();
    Stage { arm, table, hub, clock }
}

fn color(outcome: Outcome) -> [u16; 4] {
    match outcome {
        Outcome::Color(reading) => reading.rgbi,
        other => panic!("{other:?}"),
    }
}

#[test]
fn orders_are_carried_out() {
    let Stage { mut arm, table, hub, .. } = stage(HubSettings::default(), Imperfection::default());
    assert!(hub.console()[0].starts_with("remote body, protocol 1"), "{:?}", hub.console());
    assert!(matches!(arm.carry_out(Order::Home), Ok(Outcome::Home { .. })));
    assert!(table.robot_column(0) < -2.6);

    table.drop_disc(4, Disc::Yellow);
    let [red, green, blue, _] = color(arm.carry_out(Order::Look { column: 4, row: 0 }).unwrap());
    assert!(red > 600 && green > 400 && blue < 200, "yellow: {red} {green} {blue}");
    let [red, _, _, _] = color(arm.carry_out(Order::Look { column: 4, row: 1 }).unwrap());
    assert!(red < 100, "nothing above it: {red}");

    arm.carry_out(Order::Drive { column: 2 }).unwrap();
    assert!((table.robot_column(0) - 2.0).abs() < 0.15, "{}", table.robot_column(0));
    arm.carry_out(Order::Drop).unwrap();
    assert_eq!(table.board().disc(2, 0), Some(Disc::Red));

    assert_eq!(arm.carry_out(Order::Force), Ok(Outcome::Force { decinewtons: 0 }));
    table.press(0);
    assert_eq!(arm.carry_out(Order::Force), Ok(Outcome::Force { decinewtons: 50 }));
    arm.carry_out(Order::Beep { hertz: 440, milliseconds: 200 }).unwrap();
    assert_eq!(table.beeps(0).len(), 1);
    let mut lights = [0; 25];
    lights[12] = 100;
    arm.carry_out(Order::Show { lights }).unwrap();
    assert_eq!(table.lights(0), lights);
}

#[test]
fn damaged_packets_are_repeated_and_never_carried_out_twice() {
    let settings = HubSettings { damage: 0.3, ..HubSettings::default() };
    let Stage { mut arm, table, hub: _hub, .. } = stage(settings, Imperfection::default());
    arm.carry_out(Order::Home).unwrap();
    arm.carry_out(Order::Drive { column: 3 }).unwrap();
    for disc in 1..=5 {
        arm.carry_out(Order::Drop).unwrap();
        assert_eq!(table.board().discs(), disc);
    }
}

#[test]
fn a_blocked_motor_is_reported() {
    let Stage { mut arm, hub: _hub, .. } = stage(HubSettings::default(), Imperfection::default());
    arm.carry_out(Order::Home).unwrap();
    // Beyond the end of the rails.
    let blocked = arm.carry_out(Order::Drive { column: 9 });
    assert_eq!(blocked, Err(ArmError::Failed { order: "drive", failure: Failure::Stalled }));
    assert!(arm.carry_out(Order::Drive { column: 0 }).is_ok());
}

#[test]
fn a_missing_motor_is_reported() {
    let Stage { mut arm, table, hub, clock } = stage(HubSettings::default(), Imperfection::default());
    table.set_plugged(0, 3, false);
    let missing = arm.carry_out(Order::Home);
    assert_eq!(missing, Err(ArmError::Failed { order: "home", failure: Failure::Unplugged }));
    drop((hub, clock));
}

#[test]
fn motors_stop_when_the_computer_is_silent() {
    let Stage { mut arm, table, clock, hub: _hub } = stage(HubSettings::default(), Imperfection::default());
    arm.carry_out(Order::Home).unwrap();
    arm.carry_out(Order::Set { key: 9, value: 40 }).unwrap(); // slowly
    arm.begin(Order::Drive { column: 6 }).unwrap();
    clock.sleep(Duration::from_secs(30));
    assert!(table.robot_column(0) < 3.0, "{}", table.robot_column(0));
    let silence = arm.poll(clock.now() + Duration::from_secs(5));
    assert_eq!(silence, Err(ArmError::Failed { order: "drive", failure: Failure::Watchdog }));
}

#[test]
fn stop_ends_a_movement() {
    let Stage { mut arm, table, clock, hub: _hub } = stage(HubSettings::default(), Imperfection::default());
    arm.carry_out(Order::Home).unwrap();
    arm.begin(Order::Drive { column: 6 }).unwrap();
    clock.sleep(Duration::from_secs(1));
    arm.carry_out(Order::Stop).unwrap();
    let stopped_at = table.robot_column(0);
    clock.sleep(Duration::from_secs(5));
    assert!((table.robot_column(0) - stopped_at).abs() < 0.1 && stopped_at < 5.0);
}

#[test]
fn a_pulled_cable_and_a_restart_are_survived() {
    let Stage { mut arm, hub, clock, table } = stage(HubSettings::default(), Imperfection::default());
    arm.carry_out(Order::Home).unwrap();
    hub.happen(Mishap::Unplug);
    clock.sleep(Duration::from_secs(1));
    let lost = arm.carry_out(Order::Force).unwrap_err();
    assert!(matches!(lost, ArmError::Hub(HubError::Lost { .. })) && lost.is_lost(), "{lost}");
    assert!(arm.connect().is_err());
    hub.happen(Mishap::Plug);
    clock.sleep(Duration::from_secs(1));
    arm.connect().unwrap();
    arm.carry_out(Order::Home).unwrap();

    hub.happen(Mishap::Reboot);
    clock.sleep(Duration::from_secs(1));
    assert!(arm.carry_out(Order::Force).unwrap_err().is_lost());
    clock.sleep(Duration::from_secs(5));
    arm.connect().unwrap();
    arm.carry_out(Order::Home).unwrap();

    // A flat battery, charged after a while.
    table.set_battery(0, 0.5);
    clock.sleep(Duration::from_secs(2));
    assert!(arm.carry_out(Order::Force).is_err());
    table.set_battery(0, 60.0);
    clock.sleep(Duration::from_secs(6));
    arm.connect().unwrap();
    clock.sleep(Duration::from_secs(11));
    arm.carry_out(Order::Force).unwrap();
    assert!(arm.battery().is_some_and(|percent| percent < 61));
}
