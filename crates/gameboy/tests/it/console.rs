//! What a console owes its users: the same again from the same, and a way back.

use gameboy::{Console, Emulator, memory, stackfall};
use tetris::gameboy::Buttons;

use crate::start_game;

#[test]
fn the_same_buttons_give_the_same_screens() {
    let mut consoles = [(); 2].map(|()| Emulator::new(&stackfall::cartridge()).unwrap());
    for console in &mut consoles {
        start_game(console, 5);
    }
    for frame in 0..200u32 {
        let held = if frame % 7 < 3 { Buttons::LEFT } else { Buttons::DOWN };
        for console in &mut consoles {
            console.step(held).unwrap();
        }
        let [first, second] = &consoles;
        assert!(first.screen() == second.screen(), "frame {frame}");
    }
}

#[test]
fn a_saved_state_plays_on_as_before() {
    let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
    start_game(&mut console, 3);
    let state = console.save().unwrap();
    let play_on = |console: &mut Emulator| {
        for frame in 0..120u32 {
            console.step(if frame % 40 < 30 { Buttons::DOWN } else { Buttons::NONE }).unwrap();
        }
        (memory::read(console), console.screen().clone())
    };
    let first = play_on(&mut console);
    console.restore(&state).unwrap();
    let second = play_on(&mut console);
    assert_eq!(first.0, second.0);
    assert!(first.1 == second.1);
    assert!(console.restore(b"no state").is_err());
}

#[test]
fn holding_all_four_lower_buttons_goes_back_to_the_title() {
    let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
    start_game(&mut console, 0);
    crate::press(&mut console, Buttons(0xF0), 10);
    assert_eq!(memory::scene(&mut console), memory::Scene::Title);
}
