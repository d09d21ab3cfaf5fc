//! Levels: strength, explanation, variety.

use budget::Budget;
use connect_four::exhibition::{self, Evaluation, Known};
use connect_four::{
    Column, Decision, Intent, Level, Machine, MachineSettings, Outlook, Player, Position, Values,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;

fn rng(seed: u64) -> Xoshiro256PlusPlus {
    Xoshiro256PlusPlus::seed_from_u64(seed)
}

fn machine() -> Machine {
    Machine::new(MachineSettings { table_bytes: 1 << 22, ..MachineSettings::default() })
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
        assert_eq!(blocked.reason.en, "blocks three in column 1");
        assert_eq!(blocked.reason.de, "blockiert drei in Spalte 1");
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
            exhibition::SearchSettings::exhibition(4),
            exhibition::SearchSettings { table: true, ..exhibition::SearchSettings::exhibition(4) },
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
    assert_eq!(decision.outlooks[decision.column.index()], Some(Outlook::Wins { moves: 3 }));
    assert!(decision.reason.en.contains("in 3 moves"), "{}", decision.reason.en);
}

/// Whatever is shown is what decided: the tree holds the values of the bars, each side takes its best on the bold
/// line, and where the machine did not, the decision says so (C9).
#[test]
fn what_is_shown_is_what_decided() {
    let mut machine = machine();
    let mut intents = std::collections::BTreeMap::new();
    for level in [Level::Easy, Level::Medium, Level::Perfect, Level::Adaptive, Level::Lego] {
        for seed in 0..4 {
            let (mut rng, mut position) = (rng(seed), Position::EMPTY);
            let machine_is = if seed % 2 == 0 { Player::First } else { Player::Second };
            while !position.is_over() {
                let column = if position.to_move() == machine_is {
                    let decision = machine.choose(&position, level, &mut rng, &Budget::unlimited()).unwrap();
                    check_what_is_shown(&position, &decision);
                    *intents.entry(format!("{level} {:?}", decision.intent)).or_insert(0) += 1;
                    decision.column
                } else {
                    machine.choose(&position, Level::Medium, &mut rng, &Budget::unlimited()).unwrap().column
                };
                position = position.play(column).unwrap();
            }
        }
    }
    let seen = |what: &str| intents.get(what).copied().unwrap_or(0) > 0;
    assert!(seen("easy Slip") && seen("adaptive Yields") && seen("perfect Best"), "{intents:?}");
    assert!(!seen("perfect Slip") && !seen("medium Slip") && !seen("easy Yields"), "{intents:?}");
}

fn check_what_is_shown(position: &Position, decision: &Decision) {
    let chosen = decision.columns[decision.column.index()];
    let best = decision.columns.iter().flatten().copied().max();
    assert!(chosen.is_some(), "{position:?}");
    assert_eq!(decision.intent == Intent::Best, chosen == best, "{position:?} {decision:?}");
    for column in Column::ALL {
        let (value, outlook) = (decision.columns[column.index()], decision.outlooks[column.index()]);
        assert_eq!(value.is_some(), outlook.is_some());
        assert!(value.is_none() || position.has_room(column), "a full column has no value");
    }
    match (&decision.tree, decision.values) {
        (None, Values::Scores) => {}
        (Some(tree), Values::Points) => {
            assert_eq!(tree.value, chosen);
            for child in &tree.children {
                assert_eq!(child.value, decision.columns[child.column.unwrap().index()]);
            }
            check_chosen_line(tree.chosen_child().unwrap(), true);
        }
        (tree, values) => panic!("{values:?} with tree {}", tree.is_some()),
    }
}

/// Below the first row the mover takes his best of what is known.
fn check_chosen_line(node: &exhibition::Node, opponent_moves: bool) {
    let Some(chosen) = node.chosen_child() else { return };
    for sibling in node.children.iter().filter_map(|child| child.value) {
        let value = chosen.value.unwrap();
        assert!(if opponent_moves { value <= sibling } else { value >= sibling }, "{node:?}");
    }
    check_chosen_line(chosen, !opponent_moves);
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
