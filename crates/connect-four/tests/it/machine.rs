//! Levels: strength, explanation, variety.

use budget::Budget;
use connect_four::exhibition::{self, Evaluation, Known};
use connect_four::{Column, Decision, Level, Machine, Position, Settings, Values};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn machine() -> Machine {
    Machine::new(Settings { table_bytes: 1 << 22, ..Settings::default() })
}

fn choose(moves: &str, level: Level, seed: u64) -> Decision {
    let position: Position = moves.parse().unwrap();
    machine().choose(&position, level, &mut rng(seed), &Budget::unlimited()).unwrap()
}

#[test]
fn every_level_but_easy_takes_a_win_and_blocks_a_loss() {
    for level in [Level::Medium, Level::Hard, Level::Perfect, Level::Adaptive, Level::Lego] {
        assert_eq!(choose("444444121212", level, 1).column.number(), 1, "{level}");
        let blocked = choose("44444412121", level, 1);
        assert_eq!(blocked.column.number(), 1, "{level}");
        assert_eq!(blocked.reason.en, "blocks your three in column 1");
        assert_eq!(blocked.reason.de, "blockiert deine drei in Spalte 1");
    }
}

/// Alpha-beta search finds the values of plain minimax.
#[test]
fn cutting_changes_no_value() {
    fn minimax(position: &Position, depth: u32) -> i32 {
        if position.is_won() {
            return -1000 * (1 + depth as i32);
        }
        if position.discs() == 42 {
            return 0;
        }
        if depth == 0 {
            return Evaluation::EXHIBITION.of(position).clamp(-999, 999);
        }
        position.legal().map(|c| -minimax(&position.play(c).unwrap(), depth - 1)).max().unwrap()
    }
    for moves in ["", "4453", "32164625", "12345671234567", "5554224333234511764415115"] {
        let position: Position = moves.parse().unwrap();
        for settings in [
            exhibition::Settings::exhibition(4),
            exhibition::Settings { table: true, ..exhibition::Settings::exhibition(4) },
        ] {
            for display in [0, 2, 4] {
                let found =
                    exhibition::search(&position, &settings, display, &Budget::unlimited()).unwrap().unwrap();
                for column in position.legal() {
                    let value = -minimax(&position.play(column).unwrap(), 3);
                    assert_eq!(found.columns[column.index()], Some(value), "{moves} {column}");
                }
            }
        }
    }
}

/// Branches of a tree that were cut.
fn cut(node: &exhibition::Node) -> usize {
    usize::from(node.known == Known::Cut) + node.children.iter().map(cut).sum::<usize>()
}

#[test]
fn a_decision_shows_its_tree() {
    let decision = choose("4453", Level::Hard, 3);
    let tree = decision.tree.as_ref().unwrap();
    assert_eq!(tree.children.len(), 7);
    let mut node = tree;
    let mut shown = Vec::new();
    while let Some(child) = node.chosen_child() {
        assert_eq!(node.children.iter().filter(|child| child.chosen).count(), 1);
        shown.extend(child.column);
        node = child;
    }
    assert_eq!(shown, decision.line[..3]);
    assert_eq!(shown[0], decision.column);
    assert_eq!(decision.line.len(), 8);
    assert!(cut(tree) > 0, "no branch was cut");
    assert_eq!(tree.value, decision.columns[decision.column.index()]);
    let json = serde_json::to_string(&decision).unwrap();
    assert_eq!(serde_json::from_str::<Decision>(&json).unwrap(), decision);
}

#[test]
fn perfect_play_shows_exact_scores() {
    let decision = choose("52753311433677442422121", Level::Perfect, 1);
    assert_eq!(decision.values, Values::Scores);
    assert_eq!(decision.columns[decision.column.index()], Some(8));
}

#[test]
fn a_seed_decides_among_equals() {
    let columns = |level: Level| {
        let seen: std::collections::BTreeSet<Column> =
            (0..30).map(|seed| choose("", level, seed).column).collect();
        assert_eq!(choose("", level, 5), choose("", level, 5));
        seen.len()
    };
    assert!(columns(Level::Easy) > 3);
    // Perfect play chooses all of the equally good columns, and no others.
    let mut machine = machine();
    let mut all_best = |moves: &str| {
        let position: Position = moves.parse().unwrap();
        (position, machine.analyst().analyse(&position, &Budget::unlimited()).unwrap().best)
    };
    let games = ["5554224333234511764415", "274552224131661254", "1234567123456712345", "444444335522117766"];
    let (position, best) =
        games.iter().map(|moves| all_best(moves)).find(|(_, best)| best.len() > 1).unwrap();
    let mut chosen = |seed| {
        machine.choose(&position, Level::Perfect, &mut rng(seed), &Budget::unlimited()).unwrap().column
    };
    let seen: std::collections::BTreeSet<Column> = (0..40).map(&mut chosen).collect();
    assert_eq!(seen, best.into_iter().collect());
}

#[test]
fn nothing_can_be_chosen_after_the_end() {
    let position: Position = "1212121".parse().unwrap();
    let error = machine().choose(&position, Level::Hard, &mut rng(1), &Budget::unlimited()).unwrap_err();
    assert_eq!(error.to_string(), "there is nothing to choose: the game is over");
}
