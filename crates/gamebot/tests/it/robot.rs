//! The robot's driver against the simulated robot (C3, C4, C11, X2), over a pipe in simulated time: every fault at
//! every character of a game, at the real robot's speed, in an instant.

use std::io;
use std::sync::{Arc, Mutex};

use devices::robot::{
    Cell, Column, Direction, Disc, Robot, RobotError, RobotFault, RobotHandle, RobotStatus, Timing,
};
use proptest::prelude::*;
use simulators::robot::{Mechanism, Mishap as Broken, Mishaps, Scheduled, State, Times};
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::task::JoinHandle;
use tokio::time::{Duration, Instant, sleep_until};

/// A game that red wins with the bottom row's columns 1 to 4, its eleventh disc.
const GAME: [u8; 11] = [0, 0, 1, 1, 2, 6, 6, 2, 5, 5, 3];
const FOUR: [(u8, u8); 4] = [(0, 0), (1, 0), (2, 0), (3, 0)];
const BOARD_AT_THE_END: [&str; 6] = [".......", ".......", ".......", ".......", "YYY..YR", "RRRR.RY"];
/// Its characters: new game, the discs, the winner, four lights.
const CHARACTERS: u64 = 1 + GAME.len() as u64 + 1 + 4;

pub fn column(index: u8) -> Column {
    Column::try_from(index).unwrap()
}

/// Plays a game of eleven discs to its end; what the robot must show afterwards is checked by [`check_won`].
pub async fn play(robot: &RobotHandle) -> Result<(), RobotError> {
    robot.new_game().await?;
    for (turn, index) in GAME.iter().enumerate() {
        robot.drop_disc(Disc::ALL[turn % 2], column(*index)).await?;
    }
    robot.show_win(Disc::Red, FOUR.map(|(column, row)| Cell::new(column, row).unwrap())).await
}

/// Both boards are right and equal, the four is lit, no disc is missing.
pub fn check_won(robot: &RobotHandle, state: &State) {
    assert_eq!(state.board, BOARD_AT_THE_END);
    assert_eq!(drawn(robot), BOARD_AT_THE_END);
    assert_eq!(state.lights, FOUR.map(|(column, row)| (usize::from(column), usize::from(row))));
    assert_eq!(state.winner, Some(simulators::robot::Disc::Red));
    let board = robot.board().borrow().clone();
    assert_eq!((board.red_left, board.yellow_left), (15, 16));
    assert_eq!((state.red_left, state.yellow_left), (15, 16));
}

/// The driver's board as the simulator writes its own.
pub fn drawn(robot: &RobotHandle) -> Vec<String> {
    let board = robot.board().borrow().clone();
    assert_eq!(board.standing, Some(board.wanted.len()), "everything that is wanted stands");
    let mut columns = vec![Vec::new(); 7];
    for drop in board.wanted {
        columns[usize::from(drop.column.index())].push(if drop.disc == Disc::Red { 'R' } else { 'Y' });
    }
    let cell = |column: &Vec<char>, row: usize| column.get(row).copied().unwrap_or('.');
    (0..6).rev().map(|row| columns.iter().map(|column| cell(column, row)).collect()).collect()
}

/// Collects every fault that the driver reports until it is stopped.
pub fn listen(robot: &RobotHandle) -> JoinHandle<Vec<RobotStatus>> {
    let mut status = robot.status();
    tokio::spawn(async move {
        let mut seen = Vec::new();
        loop {
            let now = status.borrow_and_update().clone();
            if now == RobotStatus::Off {
                return seen;
            }
            if now.fault().is_some_and(|(fault, _)| *fault != RobotFault::NotYetReached) {
                seen.push(now);
            }
            if status.changed().await.is_err() {
                return seen;
            }
        }
    })
}

/// How the driver must report a fault; `None` for faults that it recovers from silently.
pub fn report_of(fault: Broken) -> Option<fn(&RobotStatus) -> bool> {
    match fault {
        Broken::NoAnswer | Broken::WrongByte => None,
        Broken::Deaf => {
            Some(|status| matches!(status, RobotStatus::Lost { why: RobotFault::Silent { .. }, .. }))
        }
        Broken::Unplug => {
            Some(|status| matches!(status, RobotStatus::Lost { why: RobotFault::Unplugged { .. }, .. }))
        }
        Broken::StuckBusy => {
            Some(|status| matches!(status, RobotStatus::Error { why: RobotFault::StuckBusy { .. }, .. }))
        }
        Broken::Error | Broken::Jam => {
            Some(|status| matches!(status, RobotStatus::Error { why: RobotFault::ErrorState, .. }))
        }
    }
}

/// A simulated robot at the end of a pipe.
#[derive(Clone)]
struct Rig {
    machine: Arc<Mutex<Mechanism>>,
    start: Instant,
}

impl Rig {
    fn new(faults: Mishaps) -> Self {
        // Faults that last longer than the driver's longest deadline.
        Self::moving(Times { mishap: Duration::from_secs(90), ..Times::default() }, faults)
    }

    fn moving(times: Times, faults: Mishaps) -> Self {
        Self { machine: Arc::new(Mutex::new(Mechanism::new(times, faults))), start: Instant::now() }
    }

    fn with_fault(fault: Broken, character: u64) -> Self {
        Self::new(Mishaps { scheduled: vec![Scheduled { mishap: fault, character }], ..Mishaps::default() })
    }

    /// A driver that is connected to it. `noise` goes before every answer.
    fn drive(&self, patience: Duration, noise: &'static [u8]) -> RobotHandle {
        self.drive_with(Timing { patience, ..Timing::default() }, noise)
    }

    fn drive_with(&self, timing: Timing, noise: &'static [u8]) -> RobotHandle {
        let rig = self.clone();
        let open = move || {
            if !rig.state().plugged {
                return Err(io::ErrorKind::NotFound.into());
            }
            let (near, far) = tokio::io::duplex(64);
            tokio::spawn(rig.clone().serve(far, noise));
            Ok(near)
        };
        Robot::start_on("the pipe", open, timing)
    }

    async fn serve(self, mut line: DuplexStream, noise: &'static [u8]) {
        while self.state().plugged {
            let wake = self.machine.lock().unwrap().next_event().unwrap_or(Duration::from_hours(1000));
            let mut byte = [0];
            let answer = tokio::select! {
                count = line.read(&mut byte) => match count {
                    Ok(1) => self.machine.lock().unwrap().receive(self.start.elapsed(), byte[0]),
                    _ => return,
                },
                () = sleep_until(self.start + wake) => None,
            };
            if let Some(answer) = answer {
                line.write_all(&[noise, &[answer]].concat()).await.unwrap();
            }
        }
    }

    fn state(&self) -> State {
        let mut machine = self.machine.lock().unwrap();
        machine.advance(self.start.elapsed());
        machine.state()
    }
}

const PATIENT: Duration = Duration::from_hours(1);

#[tokio::test(start_paused = true)]
async fn a_whole_game_and_the_next_one() {
    let rig = Rig::new(Mishaps::default());
    let robot = rig.drive(PATIENT, b"");
    let faults = listen(&robot);
    play(&robot).await.unwrap();
    check_won(&robot, &rig.state());

    robot.new_game().await.unwrap();
    assert_eq!(rig.state().board, ["......."; 6]);
    robot.drop_disc(Disc::Yellow, column(6)).await.unwrap();
    robot.show_draw().await.unwrap();
    robot.init().await.unwrap();
    assert_eq!(rig.state().board[5], "......Y");
    robot.stop().await;
    assert_eq!(faults.await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn every_fault_at_every_character_is_reported_and_survived() {
    for fault in Broken::ALL {
        for character in 1..=CHARACTERS {
            let rig = Rig::with_fault(fault, character);
            let robot = rig.drive(PATIENT, b"");
            let faults = listen(&robot);
            play(&robot).await.unwrap();
            check_won(&robot, &rig.state());
            assert_eq!(rig.state().faults, 1, "{fault}@{character}");
            robot.stop().await;
            let faults = faults.await.unwrap();
            // After the last disc there is nothing left to jam.
            let silent = fault == Broken::Jam && character > 1 + GAME.len() as u64;
            match report_of(fault).filter(|_| !silent) {
                Some(report) => assert!(faults.iter().any(report), "{fault}@{character}: {faults:?}"),
                None => assert_eq!(faults, [], "{fault}@{character}"),
            }
        }
    }
}

#[tokio::test(start_paused = true)]
async fn fifty_games_in_a_row_with_random_faults() {
    let rig = Rig::new(Mishaps { rate: 0.05, seed: 4, ..Mishaps::default() });
    let robot = rig.drive(PATIENT, b"");
    for _ in 0..50 {
        play(&robot).await.unwrap();
        check_won(&robot, &rig.state());
    }
    assert!(rig.state().faults > 50, "{}", rig.state().faults);
}

/// A robot that finishes before a missing answer is noticed: its disc may or may not have fallen, so it is not sent again.
#[tokio::test(start_paused = true)]
async fn a_movement_that_nobody_saw_is_not_repeated() {
    let milliseconds = Duration::from_millis;
    let times = Times { load: milliseconds(100), travel: milliseconds(500), ..Times::default() };
    let timing = Timing { patience: PATIENT, shortest_movement: milliseconds(400), ..Timing::default() };
    for character in 2..=12 {
        let scheduled = vec![Scheduled { mishap: Broken::NoAnswer, character }];
        let rig = Rig::moving(times.clone(), Mishaps { scheduled, ..Mishaps::default() });
        let robot = rig.drive_with(timing.clone(), b"");
        play(&robot).await.unwrap();
        check_won(&robot, &rig.state());
    }
}

/// Somebody empties the board while the cable is unplugged: the protocol cannot tell, so the board is rebuilt.
#[tokio::test(start_paused = true)]
async fn a_board_that_was_emptied_meanwhile_is_rebuilt() {
    let rig = Rig::new(Mishaps::default());
    let robot = rig.drive(PATIENT, b"");
    for index in [3, 3, 2] {
        robot.drop_disc(Disc::Red, column(index)).await.unwrap();
    }
    rig.machine.lock().unwrap().set_plugged(rig.start.elapsed(), false);
    let mut status = robot.status();
    status.wait_for(|status| status.fault().is_some()).await.unwrap();
    rig.machine.lock().unwrap().empty_by_hand();
    rig.machine.lock().unwrap().set_plugged(rig.start.elapsed(), true);
    robot.drop_disc(Disc::Yellow, column(2)).await.unwrap();
    assert_eq!(rig.state().board[4..], ["..YR...", "..RR..."]);
    assert_eq!(drawn(&robot), rig.state().board);
}

/// A visitor who does not want to wait for the robot starts a new game.
#[tokio::test(start_paused = true)]
async fn a_new_game_withdraws_open_wishes() {
    let rig = Rig::with_fault(Broken::Deaf, 3);
    let robot = rig.drive(PATIENT, b"");
    robot.drop_disc(Disc::Red, column(0)).await.unwrap();
    let stuck = robot.drop_disc(Disc::Yellow, column(1));
    robot.status().wait_for(|status| status.fault().is_some()).await.unwrap();
    let begun = robot.new_game();
    assert_eq!(stuck.await, Err(RobotError::Superseded));
    begun.await.unwrap();
    assert_eq!(rig.state().board, ["......."; 6]);
    play(&robot).await.unwrap();
    check_won(&robot, &rig.state());
}

/// A new game that begins while the lights of the last one are being set.
#[tokio::test(start_paused = true)]
async fn a_win_that_is_interrupted_does_not_hide_the_next() {
    // The answer to the winner is lost, so that announcing takes a while.
    let rig = Rig::with_fault(Broken::NoAnswer, 6);
    let robot = rig.drive(PATIENT, b"");
    let four = [0, 1, 2, 3].map(|row| Cell::new(0, row).unwrap());
    for _ in 0..4 {
        robot.drop_disc(Disc::Yellow, column(0)).await.unwrap();
    }
    let mut traffic = robot.traffic();
    let win = robot.show_win(Disc::Yellow, four);
    while traffic.recv().await.unwrap().byte != b'F' {}
    let begun = robot.new_game();
    assert_eq!(win.await, Err(RobotError::Superseded));
    begun.await.unwrap();
    for _ in 0..4 {
        robot.drop_disc(Disc::Yellow, column(0)).await.unwrap();
    }
    robot.show_win(Disc::Yellow, four).await.unwrap();
    assert_eq!(rig.state().lights, [(0, 0), (0, 1), (0, 2), (0, 3)]);
}

/// In the error state the driver asks the robot once to initialise itself; if that works, no help is needed.
#[tokio::test(start_paused = true)]
async fn an_error_state_is_answered_with_one_initialisation() {
    let rig = Rig::with_fault(Broken::Error, 3);
    let robot = rig.drive(PATIENT, b"");
    let mut traffic = robot.traffic();
    robot.drop_disc(Disc::Yellow, column(0)).await.unwrap();
    robot.drop_disc(Disc::Yellow, column(0)).await.unwrap();
    let mut said = String::new();
    while let Ok(line) = traffic.try_recv() {
        if line.direction == Direction::ToRobot && line.byte != b'A' {
            said.push(char::from(line.byte));
        }
    }
    assert_eq!(said, "CNNBCNN", "then the board is rebuilt");
}

/// A caller is told about a lasting fault, and the robot recovers all the same.
#[tokio::test(start_paused = true)]
async fn patience_ends_and_the_wish_stands() {
    let rig = Rig::with_fault(Broken::Deaf, 2);
    let robot = rig.drive(Duration::from_secs(30), b"");
    let before = Instant::now();
    let outcome = robot.drop_disc(Disc::Red, column(0)).await;
    assert!(matches!(outcome, Err(RobotError::Fault(RobotFault::Silent { .. }))), "{outcome:?}");
    assert!(before.elapsed() < Duration::from_mins(1), "{:?}", before.elapsed());
    robot.board().wait_for(|board| board.standing == Some(1)).await.unwrap();
    assert_eq!(rig.state().board[5], "R......");
}

/// As after a server restart: the board is rebuilt, whatever was there.
#[tokio::test(start_paused = true)]
async fn a_board_can_be_restored() {
    let rig = Rig::new(Mishaps::default());
    let robot = rig.drive(PATIENT, b"");
    robot.drop_disc(Disc::Yellow, column(5)).await.unwrap();
    let discs = robot.board().borrow().wanted.clone();
    robot.stop().await;
    assert_eq!(robot.drop_disc(Disc::Red, column(5)).await, Err(RobotError::Stopped));

    let next = rig.drive(PATIENT, b"");
    next.restore(&discs).await.unwrap();
    next.drop_disc(Disc::Red, column(5)).await.unwrap();
    assert_eq!(rig.state().board[4..], [".....R.", ".....Y."]);
}

/// A later column replaces an earlier one until the arm moves (C3); therefore the driver never sends the next
/// disc before it has seen the arm come back.
#[tokio::test(start_paused = true)]
async fn commands_given_at_once_are_all_carried_out() {
    let rig = Rig::new(Mishaps::default());
    let robot = rig.drive(PATIENT, b"");
    let all: Vec<_> = (0..7).map(|index| robot.drop_disc(Disc::Red, column(index))).collect();
    for done in all {
        done.await.unwrap();
    }
    assert_eq!(rig.state().board[5], "RRRRRRR");
}

/// Meaningless bytes before every answer.
#[tokio::test(start_paused = true)]
async fn noise_between_the_answers_does_no_harm() {
    let rig = Rig::new(Mishaps::default());
    let robot = rig.drive(PATIENT, b"\x00\xffx5A");
    let faults = listen(&robot);
    play(&robot).await.unwrap();
    check_won(&robot, &rig.state());
    robot.stop().await;
    assert_eq!(faults.await.unwrap(), []);
}

#[tokio::test(start_paused = true)]
async fn impossible_commands_are_refused_at_once() {
    let rig = Rig::new(Mishaps::default());
    let robot = rig.drive(PATIENT, b"");
    for _ in 0..6 {
        robot.drop_disc(Disc::Red, column(0)).await.unwrap();
    }
    let full = robot.drop_disc(Disc::Red, column(0)).await;
    assert_eq!(full, Err(RobotError::ColumnFull { column: column(0) }));
    for turn in 0..15 {
        robot.drop_disc(Disc::Red, column(1 + turn / 6)).await.unwrap();
    }
    let none_left = robot.drop_disc(Disc::Red, column(6)).await;
    assert_eq!(none_left, Err(RobotError::NoDiscLeft { disc: Disc::Red }));
    let cell = |column, row| Cell::new(column, row).unwrap();
    let not_yellow = robot.show_win(Disc::Yellow, [0, 1, 2, 3].map(|row| cell(0, row))).await;
    assert_eq!(not_yellow, Err(RobotError::NotAFour { disc: Disc::Yellow, cell: cell(0, 0) }));
    let twice = robot.show_win(Disc::Red, [0, 1, 2, 2].map(|row| cell(0, row))).await;
    assert_eq!(twice, Err(RobotError::NotAFour { disc: Disc::Red, cell: cell(0, 2) }));
    robot.show_win(Disc::Red, [0, 1, 2, 3].map(|row| cell(0, row))).await.unwrap();
    assert_eq!(robot.drop_disc(Disc::Yellow, column(6)).await, Err(RobotError::GameOver));
    assert_eq!(rig.state().red_left, 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever faults strike at whatever characters, the game ends with the right board.
    #[test]
    fn any_faults_in_any_order_are_survived(
        faults in prop::collection::vec((0..Broken::ALL.len(), 1..60_u64), 0..8),
    ) {
        let scheduled = faults.iter().map(|(fault, character)| Scheduled { mishap: Broken::ALL[*fault], character: *character });
        let faults = Mishaps { scheduled: scheduled.collect(), ..Mishaps::default() };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let rig = Rig::new(faults);
            let robot = rig.drive(PATIENT, b"");
            play(&robot).await.unwrap();
            check_won(&robot, &rig.state());
        });
    }
}
