//! Our player for lines beside DT-10, whose features it shares: on a low field, where games are short.

use tetris::arena::{Contest, Limits, Player, Rules};

#[test]
fn ours_survives_longer_than_dt10_where_no_preview_is_shown() {
    const GAMES: u64 = 30;
    let contest = Contest {
        rules: Rules::Classic { rows: 7, preview: false },
        limits: Limits { lines: 5_000, stop_at_max_out: false },
        seed: 1,
    };
    let lines = |player: Player| (0..GAMES).map(|index| player.play(&contest, index).lines).sum::<u32>();
    let (ours, dt10) = (lines(Player::OursSurvive), lines(Player::Dt10));
    assert!(2 * ours > 3 * dt10, "ours {ours} lines, DT-10 {dt10}");
}
