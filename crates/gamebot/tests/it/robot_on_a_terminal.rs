//! The driver and the simulated robot on a real pseudo terminal, in real time.

use devices::robot::{Config, Connection, DEFAULT_BAUD, Robot, RobotHandle, RobotStatus, Timing};
use simulators::robot::{Mishap as Broken, Mishaps, Scheduled, Simulator, Times};
use tempfile::TempDir;
use tokio::task::JoinSet;
use tokio::time::Duration;

use crate::robot::{check_won, listen, play, report_of};

fn milliseconds(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

/// A robot with the proportions of the real one, twenty times as fast.
fn quick_robot(faults: Mishaps, folder: &TempDir) -> simulators::robot::Config {
    let times = Times {
        load: milliseconds(30),
        travel: milliseconds(200),
        empty: milliseconds(300),
        lights: Duration::from_mins(10),
        mishap: milliseconds(2_500),
        help: milliseconds(400),
    };
    simulators::robot::Config { link: Some(folder.path().join("robot")), times, mishaps: faults }
}

fn drive(folder: &TempDir) -> RobotHandle {
    let timing = Timing {
        reply_deadline: milliseconds(200),
        tries: 3,
        poll: milliseconds(5),
        shortest_movement: milliseconds(150),
        heartbeat: milliseconds(20),
        start_deadline: milliseconds(1_000),
        busy_deadline: milliseconds(1_000),
        reopen_first: milliseconds(10),
        reopen_limit: milliseconds(100),
        patience: Duration::from_mins(10),
    };
    let connection = Connection::Serial { path: folder.path().join("robot"), baud: DEFAULT_BAUD };
    Robot::start(Config { connection, timing })
}

#[tokio::test]
async fn a_whole_game_on_a_serial_line() {
    let folder = tempfile::tempdir().unwrap();
    let simulator = Simulator::start(quick_robot(Mishaps::default(), &folder)).unwrap();
    let robot = drive(&folder);
    let mut traffic = robot.traffic();
    play(&robot).await.unwrap();
    check_won(&robot, &simulator.state().borrow());
    let first = traffic.recv().await.unwrap();
    assert_eq!((first.byte, first.meaning()), (b'A', "status?".to_owned()));

    // The port is free for others as soon as the driver stops.
    robot.stop().await;
    let next = drive(&folder);
    play(&next).await.unwrap();
    check_won(&next, &simulator.state().borrow());
    simulator.stop().await;
    assert_eq!(folder.path().read_dir().unwrap().count(), 0, "the link is gone");
}

#[tokio::test]
async fn every_fault_in_the_middle_of_a_game() {
    let mut games = JoinSet::new();
    for fault in Broken::ALL {
        games.spawn(async move {
            let scheduled = vec![Scheduled { mishap: fault, character: 7 }];
            let folder = tempfile::tempdir().unwrap();
            let config = quick_robot(Mishaps { scheduled, ..Mishaps::default() }, &folder);
            let simulator = Simulator::start(config).unwrap();
            let robot = drive(&folder);
            let faults = listen(&robot);
            play(&robot).await.unwrap();
            check_won(&robot, &simulator.state().borrow());
            robot.stop().await;
            let faults = faults.await.unwrap();
            if let Some(report) = report_of(fault) {
                assert!(faults.iter().any(report), "{fault}: {faults:?}");
            }
        });
    }
    while let Some(game) = games.join_next().await {
        game.unwrap();
    }
}

/// The robot may be switched on long after the server.
#[tokio::test]
async fn a_robot_that_comes_late_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let robot = drive(&folder);
    let mut status = robot.status();
    let lost = |status: &RobotStatus| {
        status.fault().is_some_and(|(fault, _)| fault.to_string().contains("cannot open"))
    };
    status.wait_for(lost).await.unwrap();
    let simulator = Simulator::start(quick_robot(Mishaps::default(), &folder)).unwrap();
    status.wait_for(|status| *status == RobotStatus::Ready).await.unwrap();
    play(&robot).await.unwrap();
    check_won(&robot, &simulator.state().borrow());
}
