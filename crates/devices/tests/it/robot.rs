//! The robot's driver alone: on paper, and on lines that make no sense.
//! With a robot at the other end it is tested in `gamebot`.

use devices::robot::{Cell, Column, Config, Disc, DiscDrop, Robot, RobotError, RobotStatus, Timing};
use proptest::prelude::*;
use tokio::io::{AsyncReadExt, AsyncWriteExt, DuplexStream};
use tokio::time::{Duration, sleep, timeout};

fn column(index: u8) -> Column {
    Column::try_from(index).unwrap()
}

/// C4: without a robot everything is done at once, and the rules of the board still hold.
#[tokio::test(start_paused = true)]
async fn no_robot_does_everything_on_paper() {
    let robot = Robot::start(Config::none());
    assert_eq!(*robot.status().borrow(), RobotStatus::Off);
    robot.new_game().await.unwrap();
    for row in 0..4 {
        robot.drop_disc(Disc::Yellow, column(2)).await.unwrap();
        assert_eq!(robot.board().borrow().yellow_left, 20 - row);
    }
    robot.show_win(Disc::Yellow, [0, 1, 2, 3].map(|row| Cell::new(2, row).unwrap())).await.unwrap();
    robot.init().await.unwrap();
    let over = robot.show_draw().await;
    assert_eq!(over, Err(RobotError::GameOver));
    let seven = [DiscDrop { disc: Disc::Red, column: column(0) }; 7];
    assert_eq!(robot.restore(&seven).await, Err(RobotError::ColumnFull { column: column(0) }));
    robot.restore(&seven[..6]).await.unwrap();
    assert_eq!(robot.board().borrow().standing, Some(6));
    robot.stop().await;
    assert_eq!(robot.new_game().await, Err(RobotError::Stopped));
}

/// Every fault has words for the visitor and evidence for the log.
#[tokio::test(start_paused = true)]
async fn a_line_that_nobody_answers_is_lost_with_evidence() {
    let mut ends = Vec::new();
    let open = move || {
        let (near, far) = tokio::io::duplex(64);
        ends.push(far);
        Ok(near)
    };
    let robot = Robot::start_on("the pipe", open, Timing::default());
    let mut status = robot.status();
    let lost = status
        .wait_for(|status| status.fault().is_some_and(|(fault, _)| fault.to_string().contains("no answer")));
    let (fault, _) = lost.await.unwrap().fault().map(|(fault, since)| (fault.clone(), since)).unwrap();
    assert_eq!(fault.to_string(), "no answer to `A` within 500ms");
    assert!(fault.for_visitor().contains("cannot be reached"));
    robot.stop().await;
}

/// An answer that comes after its deadline answers no later question: it may no longer be true.
#[tokio::test(start_paused = true)]
async fn late_answers_are_not_believed() {
    let open = || {
        let (near, mut far) = tokio::io::duplex(64);
        tokio::spawn(async move {
            let mut byte = [0];
            while let Ok(1) = far.read(&mut byte).await {
                sleep(Duration::from_millis(700)).await;
                if far.write_all(b"1").await.is_err() {
                    return;
                }
            }
        });
        Ok(near)
    };
    let robot = Robot::start_on("the pipe", open, Timing::default());
    let mut seen = robot.status();
    for _ in 0..20 {
        sleep(Duration::from_secs(1)).await;
        assert!(seen.borrow_and_update().fault().is_some());
    }
    assert_eq!(seen.borrow().fault().unwrap().0.to_string(), "no answer to `A` within 500ms");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Whatever comes over the line, in whatever portions, the driver lives and still listens to its users.
    #[test]
    fn random_bytes_never_break_the_driver(
        portions in prop::collection::vec((prop::collection::vec(any::<u8>(), 0..40), 0..2_000_u64), 1..40),
        likely in prop::collection::vec(prop::sample::select(b"1234".to_vec()), 0..400),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap();
        runtime.block_on(async {
            let open = move || {
                let (near, far) = tokio::io::duplex(64);
                tokio::spawn(talk_nonsense(far, portions.clone(), likely.clone()));
                Ok(near)
            };
            let robot = Robot::start_on("the pipe", open, Timing::default());
            let first = robot.drop_disc(Disc::Red, column(0));
            let second = robot.drop_disc(Disc::Yellow, column(6));
            // Such a robot may be believed, or not, or seem to be busy for ever; nothing else may come of it.
            let outcomes = timeout(Duration::from_hours(1), async { [first.await, second.await] }).await;
            for outcome in outcomes.into_iter().flatten() {
                assert!(matches!(outcome, Ok(()) | Err(RobotError::Fault(_))), "{outcome:?}");
            }
            let begun = robot.new_game();
            robot.stop().await;
            assert!(matches!(begun.await, Ok(()) | Err(RobotError::Stopped)));
            assert_eq!(*robot.status().borrow(), RobotStatus::Off);
        });
    }
}

/// Says things unasked, then answers every question with something that might be an answer, then hangs up.
async fn talk_nonsense(mut line: DuplexStream, portions: Vec<(Vec<u8>, u64)>, likely: Vec<u8>) {
    for (portion, pause) in portions {
        if line.write_all(&portion).await.is_err() {
            return;
        }
        sleep(Duration::from_millis(pause)).await;
    }
    for answer in likely {
        let mut byte = [0];
        if line.read(&mut byte).await.is_err() || line.write_all(&[answer]).await.is_err() {
            return;
        }
    }
}
