//! Looking for the other's new disc: first free cells only, from the near side, and twice before it is believed.

use super::ConnectFourPlayer;
use super::action::Help;
use super::phase::Phase;
use super::scan::Sight;
use super::votes::Votes;
use super::wishes::Beginner;

/// Looks that must agree on a new disc of the other's.
const SURE_OF_THEIRS: u8 = 3;
/// Times around the board before a person is asked.
const PASSES: u32 = 3;
/// Looks at a disc of earlier that must disagree before a person is asked.
const SURE_OF_CHANGE: u8 = 3;

impl ConnectFourPlayer {
    /// Looks on from a column, the next one that is not full; or ends the pass.
    pub(super) fn scan_from(&self, column: usize, pass: u32) -> Phase {
        match (column..::connect_four::COLUMNS).find(|&column| !self.belief.is_full(column)) {
            Some(column) => Phase::Scanning { column, pass },
            None => Phase::Scanned { pass },
        }
    }

    /// Nothing new was found anywhere.
    pub(super) fn end_pass(&mut self, pass: u32) {
        let may_begin = self.belief.discs() == 0 && self.wishes.beginner == Beginner::Look;
        self.phase = if may_begin && pass >= 2 {
            self.belief.begin(true);
            Phase::Thinking
        } else if may_begin {
            self.scan_from(0, pass + 1)
        } else if pass < PASSES {
            self.trouble("no new disc: looking again".to_owned());
            Phase::Lost { then: Box::new(self.scan_from(0, pass + 1)) }
        } else {
            return self.ask(Help::NoNewDisc, self.scan_from(0, 1));
        };
    }

    fn found(&mut self, column: usize) {
        if self.belief.discs() == 0 {
            self.belief.begin(false);
        }
        self.belief.play(column);
        self.phase = if self.belief.is_over() { Phase::Leaving } else { Phase::Thinking };
    }

    /// Takes in a look at the cell that a phase asked for.
    pub(super) fn take_in(&mut self, column: usize, row: usize, sight: Sight) {
        self.looks += 1;
        match self.phase.clone() {
            Phase::Scanning { column: wanted, pass } if wanted == column => {
                if sight == Sight::Empty {
                    self.phase = self.scan_from(column + 1, pass);
                } else {
                    self.changed = 0;
                    let votes = Votes::of(sight);
                    self.phase = Phase::Confirming { column, pass, votes, is_away: true };
                    self.count_scan_votes(column, pass, votes);
                }
            }
            Phase::Confirming { column: wanted, pass, mut votes, is_away } if wanted == column => {
                if is_away {
                    self.phase = Phase::Confirming { column, pass, votes, is_away: false };
                    return self.check_old_disc(column, row, sight);
                }
                votes.add(sight);
                self.phase = Phase::Confirming { column, pass, votes, is_away: true };
                self.count_scan_votes(column, pass, votes);
            }
            Phase::Dropping { column: wanted, push, mut votes, is_away } if wanted == column => {
                if is_away {
                    self.phase = Phase::Dropping { column, push, votes, is_away: false };
                    return self.check_old_disc(column, row, sight);
                }
                votes.add(sight);
                self.phase = Phase::Dropping { column, push, votes, is_away: true };
            }
            _ => {}
        }
    }

    /// Whether the looks at a first free cell have settled what is there.
    fn count_scan_votes(&mut self, column: usize, pass: u32, votes: Votes) {
        let needed = if self.is_hurried() { 1 } else { SURE_OF_THEIRS };
        if votes.count(self.theirs()) >= needed {
            if !self.doubts_old_disc() {
                self.found(column);
            }
        } else if votes.count(Sight::Empty) >= 2 {
            self.trouble(format!("misread a colour in column {}", column + 1));
            self.phase = self.scan_from(column + 1, pass);
        } else if votes.count(self.mine()) >= SURE_OF_THEIRS {
            self.ask(Help::WrongDisc { column }, self.scan_from(0, 1));
        } else if votes.count(Sight::Strange) >= 2 {
            self.trouble(format!("strange colour in column {}: the wheels may have slipped", column + 1));
            let pass = pass + 1;
            if pass > PASSES {
                self.ask(Help::WrongDisc { column }, self.scan_from(0, 1));
            } else {
                self.phase = Phase::Lost { then: Box::new(self.scan_from(column, pass)) };
            }
        }
    }

    /// A look aside is a look at a disc of earlier, if there is one below.
    fn check_old_disc(&mut self, column: usize, row: usize, sight: Sight) {
        let Some(is_mine) = self.belief.is_mine(column, row) else { return };
        let expected = if is_mine { self.mine() } else { self.theirs() };
        self.changed = match sight {
            sight if sight == expected => 0,
            // The edge of a hole says nothing about its disc.
            Sight::Strange => self.changed,
            Sight::Empty | Sight::Red | Sight::Yellow => self.changed + 1,
        };
        if self.changed >= SURE_OF_CHANGE {
            self.changed = 0;
            let then = match &self.phase {
                Phase::Dropping { .. } => self.phase.clone().looked_again(),
                _ => self.scan_from(0, 1),
            };
            self.ask(Help::BoardChanged { column }, then);
        }
    }

    /// Whether a disc of earlier looked wrong the last time: it is looked at again before anything is believed.
    pub(super) fn doubts_old_disc(&self) -> bool {
        self.changed > 0 && !self.is_hurried()
    }

    /// The row where the disc under discussion is, and the one beside it to look at in between.
    pub(super) fn rows(&self, column: usize) -> (usize, usize) {
        let row = self.belief.height(column);
        (row, if row > 0 { row - 1 } else { 1 })
    }
}
