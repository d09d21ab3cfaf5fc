//! The LEGO arm as the hand of a game that is played elsewhere (C4, L5), on the simulated hub with real MicroPython.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use configuration::{Schema, Values};
use engine::{Cancel, Fault};
use players::connect_four::DiscColor;
use runs::connect_four::settings::{LegoSettings, SimulatedLegoSettings};
use runs::connect_four::{Condition, CroupierState, DiscDrop, Job, Plea, Task, Witness, simulate_croupier};
use simulators::hub::Mishap;

/// Real time after which a test counts as stuck; a disc takes a fraction of a second.
const STUCK: Duration = Duration::from_mins(2);
/// A person who never comes without being told to.
const NEVER: Duration = Duration::from_secs(1_000_000);

struct Stage {
    jobs: Sender<Job>,
    witness: Witness,
    states: Receiver<CroupierState>,
    cancel: Cancel,
}

impl Drop for Stage {
    fn drop(&mut self) {
        self.cancel.cancel();
    }
}

fn stage(help_after: Duration, simulated: &SimulatedLegoSettings) -> Stage {
    let (tell, states) = channel();
    let cancel = Cancel::new();
    let settings = LegoSettings::from_values(&Values::default());
    let (jobs, witness) =
        simulate_croupier(&settings, simulated, 1000.0, help_after, &cancel, move |state| {
            // Nobody may listen any more.
            let _ = tell.send(state);
        })
        .unwrap();
    Stage { jobs, witness, states, cancel }
}

fn perfect() -> SimulatedLegoSettings {
    SimulatedLegoSettings::from_values(&Values::default())
}

impl Stage {
    /// Gives a task; the receiver hears when it is done.
    fn give(&self, task: Task) -> Receiver<()> {
        let (done, ended) = channel();
        self.jobs
            .send(Job {
                task,
                done: Box::new(move || {
                    let _ = done.send(());
                }),
            })
            .ok()
            .unwrap();
        ended
    }

    fn give_and_wait(&self, task: Task) {
        let words = format!("{task:?}");
        self.give(task)
            .recv_timeout(STUCK)
            .unwrap_or_else(|_| panic!("{words}: {:?}", self.witness.table.log()));
    }

    fn play(&self, columns: &[usize], first: usize) {
        for (index, drop) in discs(columns).into_iter().enumerate().skip(first) {
            self.give_and_wait(Task::Drop(drop));
            assert_eq!(self.witness.table.board().discs(), index + 1);
        }
    }

    fn wait_for(&self, what: &str, is_it: impl Fn(&Condition) -> bool) {
        while !is_it(&self.states.recv_timeout(STUCK).unwrap_or_else(|_| panic!("never {what}")).condition) {}
    }
}

/// Red and yellow in turn.
fn discs(columns: &[usize]) -> Vec<DiscDrop> {
    let colors = [DiscColor::Red, DiscColor::Yellow];
    columns.iter().zip(colors.into_iter().cycle()).map(|(&column, disc)| DiscDrop { disc, column }).collect()
}

#[test]
fn the_settings_are_described() {
    // The table's own end of the board is a setting like all others.
    let schema = Schema::new(runs::settings::SECTIONS);
    let mut layers = configuration::Layers::new(&schema);
    layers.flag("lego.near_column=middle");
    let problem = layers.finish().unwrap_err().to_string();
    assert!(problem.contains("left") && problem.contains("right"), "{problem}");
}

#[test]
fn both_colours_are_dropped_and_the_next_game_needs_a_person() {
    let stage = stage(Duration::from_secs(4), &perfect());
    stage.give_and_wait(Task::NewGame);
    stage.play(&[3, 3, 2, 6], 0);
    assert!(
        stage.witness.table.board().picture().ends_with("...Y...\n..RR..Y"),
        "{}",
        stage.witness.table.board().picture()
    );
    stage.give_and_wait(Task::Announce { is_won: true });
    assert_eq!(stage.witness.table.beeps(0).last().map(|beep| beep.1), Some(880));
    // The arm cannot take discs out: it calls, a person empties the board and presses.
    stage.give_and_wait(Task::NewGame);
    assert_eq!(stage.witness.table.board().discs(), 0);
    stage.wait_for("asks for an empty board", |condition| *condition == Condition::Asks(Plea::EmptyBoard));
    stage.play(&[0], 0);
}

#[test]
fn a_jam_is_called_for_and_the_game_goes_on() {
    let stage = stage(NEVER, &perfect());
    stage.give_and_wait(Task::NewGame);
    stage.play(&[5], 0);
    stage.witness.table.jam_next(0);
    let ended = stage.give(Task::Drop(discs(&[5, 4])[1]));
    stage.wait_for("calls", |condition| *condition == Condition::Asks(Plea::DiscMissing { column: 4 }));
    stage.witness.table.help(0);
    ended.recv_timeout(STUCK).unwrap();
    assert_eq!(stage.witness.table.board().discs(), 2);
    stage.play(&[5, 4, 4], 2);
}

#[test]
fn a_pulled_cable_in_the_middle_of_a_disc_costs_no_disc() {
    let stage = stage(NEVER, &perfect());
    stage.give_and_wait(Task::NewGame);
    stage.play(&[6], 0);
    let ended = stage.give(Task::Drop(discs(&[6, 6])[1]));
    stage.wait_for("begins", |condition| *condition == Condition::Busy);
    stage.witness.hub.happen(Mishap::Unplug);
    stage.wait_for("is lost", |condition| matches!(condition, Condition::Failed(Fault::Lost { .. })));
    stage.witness.hub.happen(Mishap::Plug);
    ended.recv_timeout(STUCK).unwrap();
    assert_eq!(stage.witness.table.board().discs(), 2, "{:?}", stage.witness.table.log());
    stage.witness.hub.happen(Mishap::Reboot);
    stage.play(&[6, 6, 1], 2);
}

#[test]
fn a_game_is_restored_and_bad_light_is_no_trouble() {
    let mut simulated = perfect();
    simulated.misread = 0.05;
    simulated.slip = 0.05;
    let stage = stage(Duration::from_secs(4), &simulated);
    let columns = [3, 2, 3, 2, 0];
    stage.give_and_wait(Task::Restore(discs(&columns)));
    assert_eq!(stage.witness.table.board().discs(), 5);
    // Restored again, as after a restart of the arcade: everything stands already.
    stage.give_and_wait(Task::Restore(discs(&columns)));
    stage.play(&[3, 2, 3, 2, 0, 6], 5);
    assert!(
        stage.witness.table.board().picture().ends_with("..YR...\nR.YR..Y"),
        "{}",
        stage.witness.table.board().picture()
    );
}
