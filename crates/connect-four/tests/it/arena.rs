//! Strength of the levels in games (C5, X4); more games by `gamebot compare connect-four`.

use budget::Budget;
use connect_four::arena::{self, Contestant, Game, Seat};
use connect_four::{MachineSettings, Player, Position};

const SMALL: usize = 1 << 22;

/// Plays the games of a pair; the first one named starts the even games.
fn games(one: &str, other: &str, count: u64) -> Vec<(Player, Game)> {
    let settings = MachineSettings { table_bytes: SMALL, ..MachineSettings::default() };
    let [mut a, mut b] = [one, other].map(|name| Seat::new(name.parse::<Contestant>().unwrap(), settings));
    let play = |seed: u64| {
        let (me, first, second) = match seed % 2 {
            0 => (Player::First, &mut a, &mut b),
            _ => (Player::Second, &mut b, &mut a),
        };
        (me, arena::play(first, second, seed, &Budget::unlimited()).unwrap())
    };
    (0..count).map(play).collect()
}

fn wins(games: &[(Player, Game)]) -> usize {
    games.iter().filter(|(me, game)| game.winner == Some(*me)).count()
}

#[test]
fn perfect_play_throws_nothing_away() {
    for other in ["easy", "medium", "lego", "adaptive", "random"] {
        for (me, game) in games("perfect", other, 6) {
            let sure =
                game.scores.iter().filter(|(player, _)| *player == me).map(|(_, score)| score.signum());
            let result = game.winner.map_or(0, |winner| if winner == me { 1 } else { -1 });
            assert!(sure.max().unwrap() <= result, "{other}: {:?}", game.moves);
        }
    }
}

#[test]
fn levels_are_ordered() {
    assert!(wins(&games("medium", "easy", 20)) >= 16);
    let won = wins(&games("hard", "medium", 40));
    assert!(won >= 24, "{won} of 40");
    assert!(wins(&games("easy", "random", 20)) >= 12);
}

#[test]
fn visitors_of_any_strength_win_about_half_against_adaptive() {
    for visitor in ["random", "depth-2", "depth-4"] {
        let won = wins(&games(visitor, "adaptive", 60));
        assert!((24..=36).contains(&won), "{visitor}: {won} of 60");
    }
}

/// Also those who overlook most of their chances win, once the machine knows them (X4); all ten strengths are in
/// `cargo xtask bench adaptive`.
#[test]
fn even_dreamers_win_after_their_third_game() {
    let settings = MachineSettings { table_bytes: SMALL, ..MachineSettings::default() };
    let mut visitor = Seat::new(Contestant::Random, settings);
    let mut machine = Seat::new("adaptive".parse().unwrap(), settings);
    let (mut won, mut played) = (0, 0);
    for person in 0..15 {
        machine.meet_another();
        for game in 0..10 {
            let seed = person << 32 | game;
            let result = arena::play(&mut visitor, &mut machine, seed, &Budget::unlimited()).unwrap();
            played += u32::from(game >= 3);
            won += u32::from(game >= 3 && result.winner == Some(Player::First));
        }
    }
    let share = f64::from(won) / f64::from(played);
    assert!((0.37..=0.63).contains(&share), "{won} of {played}");
}

/// It always completes its own four, and blocks a visitor who takes their chances.
#[test]
fn adaptive_is_never_obviously_silly() {
    for (visitor_is, game) in games("depth-4", "adaptive", 20) {
        let mut position = Position::EMPTY;
        for &column in &game.moves {
            if position.to_move() != visitor_is {
                let own: Vec<_> = position.legal().filter(|&c| position.wins_with(c)).collect();
                assert!(own.is_empty() || own.contains(&column), "{position:?} {column}");
            }
            position = position.play(column).unwrap();
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_game() {
    assert_eq!(games("hard", "medium", 2), games("hard", "medium", 2));
}
