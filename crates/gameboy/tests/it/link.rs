//! Two consoles on a cable: call and answer, the same pieces, rubble (G19).

use gameboy::memory::{self, Scene};
use gameboy::{Console, LinkedConsoles, stackfall};
use tetris::gameboy::Buttons;

use crate::cartridge::{PAUSE_MAP, words_at};

const LIST: u16 = 0xC400;
const ATTACK: u16 = 0xC0DD;

fn press(consoles: &mut LinkedConsoles, held: [Buttons; 2], rest: u32) {
    for frame in 0..2 + rest {
        consoles.step(if frame < 2 { held } else { [Buttons::NONE; 2] }).unwrap();
    }
}

#[test]
fn two_consoles_share_pieces_and_send_rubble() {
    let mut consoles = LinkedConsoles::new(&stackfall::cartridge()).unwrap();
    press(&mut consoles, [Buttons::NONE; 2], 40);
    press(&mut consoles, [Buttons::RIGHT, Buttons::NONE], 5);
    press(&mut consoles, [Buttons::START, Buttons::NONE], 30);
    for side in 0..2 {
        assert_eq!(memory::scene(consoles.console(side)), Scene::LinkSetup, "side {side}");
    }
    // Two rows of rubble for one, four for the other: the lower two are the same.
    press(&mut consoles, [Buttons::RIGHT; 2], 5);
    press(&mut consoles, [Buttons::NONE, Buttons::RIGHT], 5);
    press(&mut consoles, [Buttons::START, Buttons::NONE], 310);
    let heaps = [0, 1].map(|side| memory::read(consoles.console(side)).board);
    for x in 0..10 {
        assert_eq!(heaps[0].column(x), heaps[1].column(x) & 3, "column {x}");
    }
    assert!(heaps[1].cells() > 10);
    let lists = [0, 1].map(|side| {
        assert_eq!(memory::scene(consoles.console(side)), Scene::Play, "side {side}");
        (0..256).map(|i| consoles.console(side).peek(LIST + i)).collect::<Vec<_>>()
    });
    assert_eq!(lists[0], lists[1]);
    assert!(lists[0].iter().all(|piece| *piece < 7));

    // Only the one who began can pause and go on, and the screens say so.
    press(&mut consoles, [Buttons::NONE, Buttons::START], 10);
    assert!(!memory::read(consoles.console(1)).paused);
    press(&mut consoles, [Buttons::START, Buttons::NONE], 10);
    for (side, words) in [(0, "GOES ON  "), (1, "THE OTHER")] {
        assert!(memory::read(consoles.console(side)).paused, "side {side}");
        assert_eq!(words_at(consoles.console(side), PAUSE_MAP, 3, 8, 9), words);
    }
    press(&mut consoles, [Buttons::NONE, Buttons::START], 10);
    assert!(memory::read(consoles.console(1)).paused);
    press(&mut consoles, [Buttons::START, Buttons::NONE], 10);

    // Three rows for the other player, who lets its piece fall.
    let before = memory::read(consoles.console(1));
    consoles.console(0).poke(ATTACK, 3);
    let mut frames = 0;
    while memory::read(consoles.console(1)).pieces == before.pieces {
        consoles.step([Buttons::NONE, Buttons::DOWN]).unwrap();
        frames += 1;
        assert!(frames < 200);
    }
    let after = memory::read(consoles.console(1));
    let hole = after.garbage_hole;
    for row in 0..3 {
        for x in 0..10 {
            assert_eq!(after.board.is_filled(x, row), x != usize::from(hole), "column {x}, row {row}");
        }
    }
    assert_eq!(after.board.cells(), before.board.cells() + 3 * 9 + 4, "the piece stands on the rubble");
    assert_eq!(
        tetris::gameboy::garbage_row(tetris::Piece::from_index(lists[0][255].into())),
        0x3FF & !(1 << hole)
    );
}
