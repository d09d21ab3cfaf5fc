//! Our own disc: where it goes, whether it has arrived, and leaving the board.

use ::connect_four::Decision;
use budget::Budget;
use engine::{Candidate, Choice, Verdict};

use super::ConnectFourPlayer;
use super::action::Help;
use super::finished::LegoTurn;
use super::phase::{After, Phase};
use super::scan::Sight;
use super::thought::LegoDecision;
use super::votes::Votes;

/// Looks that must agree on a disc of our own.
const SURE_OF_MINE: u8 = 2;
/// Looks that must agree that a disc is missing: a second one would be against the rules.
const SURE_OF_NONE: u8 = 3;
/// Pushes before a person is asked.
const PUSHES: u32 = 3;

impl ConnectFourPlayer {
    pub(super) fn think(&mut self, budget: &Budget) -> Choice<LegoDecision> {
        let position = self.belief.position();
        let chosen = self.machine.choose(&position, self.wishes.level, &mut self.rng, budget);
        let (column, why) = match chosen {
            Ok(decision) => {
                self.weighed = weighed(&decision);
                (decision.column, decision.reason.en)
            }
            // No budget at all: any legal column is better than none.
            Err(_) => match position.legal().next() {
                Some(column) => (column, String::new()),
                None => return Choice::Wait,
            },
        };
        self.drop_into(column.index(), 1, why)
    }

    fn drop_into(&mut self, column: usize, push: u32, why: String) -> Choice<LegoDecision> {
        self.changed = 0;
        self.phase = Phase::Dropping { column, push, votes: Votes::default(), is_away: false };
        Choice::Act(LegoDecision::Drop { column, push, why })
    }

    /// What the looks at our own disc say so far.
    pub(super) fn judge_drop(&mut self, column: usize, push: u32, votes: Votes) -> Choice<LegoDecision> {
        if votes.count(self.mine()) >= self.looks_for_mine() {
            if self.doubts_old_disc() {
                return Choice::Wait;
            }
            self.belief.play(column);
            self.phase = Phase::Leaving;
            return self.leave();
        }
        if votes.count(self.theirs()) >= SURE_OF_NONE {
            let then = self.phase.clone().looked_again();
            self.ask(Help::WrongDisc { column }, then);
            return Choice::Wait;
        }
        if votes.count(Sight::Strange) >= SURE_OF_NONE {
            self.trouble(format!("strange colour in column {}: the wheels may have slipped", column + 1));
            self.phase = Phase::Lost { then: Box::new(self.phase.clone().looked_again()) };
            return Choice::Wait;
        }
        if votes.count(Sight::Empty) < self.looks_for_none() {
            return Choice::Wait;
        }
        if push < PUSHES {
            self.trouble(format!("the disc is not in column {}: pushing again", column + 1));
            return self.drop_into(column, push + 1, "the disc did not arrive".to_owned());
        }
        let then = Phase::Dropping { column, push: 0, votes: Votes::default(), is_away: false };
        self.ask(Help::DiscMissing { column }, then);
        Choice::Wait
    }

    pub(super) fn leave(&mut self) -> Choice<LegoDecision> {
        let end = self.belief.end();
        let milliseconds = self.now.since(self.pressed_at).as_millis() as u64;
        let discs = self.belief.discs().saturating_sub(1);
        self.turns.push(LegoTurn { discs, milliseconds, looks: self.looks });
        self.phase = Phase::Left { after: end.map_or(After::Wait, After::Over) };
        Choice::Act(LegoDecision::Leave { end })
    }

    /// What the looks at our own disc say of the push.
    pub(super) fn verdict_on_drop(&self, column: usize, votes: Votes) -> Verdict {
        if votes.count(self.mine()) >= self.looks_for_mine() {
            Verdict::Confirmed
        } else if votes.count(Sight::Empty) >= self.looks_for_none() {
            Verdict::Diverged { why: format!("no disc arrived in column {}", column + 1) }
        } else if votes.count(self.theirs()).max(votes.count(Sight::Strange)) >= SURE_OF_NONE {
            Verdict::Diverged { why: format!("something else is in column {}", column + 1) }
        } else {
            Verdict::Pending
        }
    }

    /// What the arm felt and one look saw is enough.
    fn looks_for_none(&self) -> u8 {
        if self.was_blocked { 1 } else { SURE_OF_NONE }
    }

    fn looks_for_mine(&self) -> u8 {
        if self.is_hurried() { 1 } else { SURE_OF_MINE }
    }
}

/// Every column with its value, counted from the near side; the chosen one first, then the best.
fn weighed(decision: &Decision) -> Vec<Candidate> {
    let chosen = decision.column.index();
    let mut known: Vec<_> = decision.columns.iter().copied().enumerate().collect();
    known.sort_by_key(|&(column, value)| (column != chosen, std::cmp::Reverse(value)));
    let told = |(column, value): (usize, Option<i32>)| {
        Some(Candidate { name: (column + 1).to_string(), value: value?.into() })
    };
    known.into_iter().filter_map(told).collect()
}

#[cfg(test)]
mod tests {
    use ::connect_four::{Level, Machine, MachineSettings, Position};
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    #[test]
    fn the_chosen_column_is_told_first_and_every_open_one_with_its_value() {
        let position: Position = "444444".parse().unwrap();
        let mut machine = Machine::new(MachineSettings::default());
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(1);
        let decision = machine.choose(&position, Level::Hard, &mut rng, &Budget::unlimited()).unwrap();
        let told = weighed(&decision);
        assert_eq!(told[0].name, (decision.column.index() + 1).to_string());
        assert_eq!(told.len(), 6, "column 4 is full: {told:?}");
        assert!(told[1..].windows(2).all(|pair| pair[0].value >= pair[1].value), "{told:?}");
    }
}
