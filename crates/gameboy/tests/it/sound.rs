//! The wave form of the cartridge's sound: neither silent nor clipped, and every note at its pitch.

use std::f64::consts::TAU;

use gameboy::emulator::{LOUDEST, SOUND_RATE};
use gameboy::memory::{self, Scene};
use gameboy::{Console, Emulator, stackfall};
use tetris::gameboy::Buttons;

use crate::{press, start_game};

/// The sheet that the cartridge was built from.
const SHEET: &str = include_str!("../../../../rom/songs.txt");
const FRAME: u16 = 0xC0A1;

/// A note of a song: its frequency, and its first frame and length in frames.
#[derive(Clone, Copy, Debug)]
struct Note {
    hertz: f64,
    start: usize,
    frames: usize,
}

/// One voice of a song as the sheet has it, without rests.
fn notes(song: &str, voice: &str) -> Vec<Note> {
    let mut lines = SHEET.lines().skip_while(|line| !line.starts_with(&format!("song {song} ")));
    let tempo: usize = lines.next().unwrap().split(' ').nth(2).unwrap().parse().unwrap();
    let mut start = 0;
    let mut notes = Vec::new();
    for line in lines.take_while(|line| !line.is_empty()) {
        let words = line.split_whitespace().collect::<Vec<_>>();
        for note in words[1..].iter().filter(|word| words[0] == voice && **word != "|") {
            let (name, length) = note.split_once(':').unwrap();
            let frames = length.parse::<usize>().unwrap() * tempo;
            if name != "-" {
                notes.push(Note { hertz: hertz(name), start, frames });
            }
            start += frames;
        }
    }
    notes
}

fn hertz(name: &str) -> f64 {
    let (step, octave) = name.split_at(name.len() - 1);
    let steps = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
    let step = steps.iter().position(|known| *known == step).unwrap() as f64;
    440.0 * 2f64.powf((step - 9.0) / 12.0 + octave.parse::<f64>().unwrap() - 4.0)
}

/// How strong a frequency is (one bin of a windowed Fourier transform).
fn strength(samples: &[i16], hertz: f64) -> f64 {
    let (mut real, mut imaginary) = (0.0, 0.0);
    let length = samples.len() as f64;
    for (i, sample) in samples.iter().enumerate() {
        let time = i as f64;
        let window = 0.5 - 0.5 * (TAU * time / length).cos();
        let angle = TAU * hertz * time / SOUND_RATE;
        real += window * f64::from(*sample) * angle.cos();
        imaginary += window * f64::from(*sample) * angle.sin();
    }
    real.hypot(imaginary) / length
}

/// A console with sound, on the screen where the music is chosen; this many times Down was pressed there.
fn on_music_screen(downs: u32) -> Emulator {
    let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
    console.listen();
    for _ in 0..30 {
        console.step(Buttons::NONE).unwrap();
    }
    press(&mut console, Buttons::START, 10);
    assert_eq!(memory::scene(&mut console), Scene::Type);
    for _ in 0..downs {
        press(&mut console, Buttons::DOWN, 10);
    }
    console
}

fn record(console: &mut Emulator, frames: usize) -> Vec<Vec<i16>> {
    console.take_sound();
    (0..frames)
        .map(|_| {
            console.step(Buttons::NONE).unwrap();
            console.take_sound()
        })
        .collect()
}

fn check_tune(song: &str, downs: u32) {
    // The choice starts the tune in the frame that sees the press; the fourth choice leads round to the first.
    let mut console = on_music_screen(downs);
    console.take_sound();
    let count = console.peek(FRAME);
    let mut frames = Vec::new();
    while frames.len() < 1_900 {
        console.step(if frames.is_empty() { Buttons::DOWN } else { Buttons::NONE }).unwrap();
        frames.push(console.take_sound());
    }
    assert_eq!(console.peek(FRAME).wrapping_sub(count), (1_900 % 256) as u8, "no frame is lost to the sound");

    let loud = frames.iter().flatten().map(|sample| sample.abs()).max().unwrap();
    assert!(loud < LOUDEST * 9 / 10, "{song}: peaks at {loud} of {LOUDEST}");
    let silent = frames.chunks(60).filter(|second| second.iter().flatten().all(|sample| *sample == 0));
    assert_eq!(silent.count(), 0, "{song}: a second of silence");

    for (voice, least) in [("lead", 0.97), ("bass", 0.9)] {
        let mut right = 0;
        let notes = notes(song, voice);
        for note in &notes {
            // The sound of a frame comes with the next step.
            let samples = frames[note.start + 1..note.start + note.frames].concat();
            let at = |semitones: f64| strength(&samples, note.hertz * 2f64.powf(semitones / 12.0));
            right += usize::from(at(0.0) > at(-1.0) && at(0.0) > at(1.0) && at(0.0) > 0.3);
        }
        assert!(
            right as f64 >= least * notes.len() as f64,
            "{song}: {right} of {} of the {voice}",
            notes.len()
        );
    }
}

#[test]
fn both_tunes_have_the_pitches_of_the_sheet() {
    check_tune("sunrise", 3);
    check_tune("night_train", 0);
}

#[test]
fn without_music_only_effects_sound_and_silence_is_silent() {
    let is_silent = |frames: &[Vec<i16>]| frames.iter().flatten().all(|sample| *sample == 0);
    let mut console = on_music_screen(2);
    press(&mut console, Buttons::NONE, 60);
    assert!(is_silent(&record(&mut console, 120)), "no music");
    press(&mut console, Buttons::START, 60);
    press(&mut console, Buttons::START, 60);
    assert_eq!(memory::scene(&mut console), Scene::Play);
    assert!(is_silent(&record(&mut console, 20)), "no music in the game");
    console.step(Buttons::LEFT).unwrap();
    assert!(!is_silent(&record(&mut console, 6)), "a move is heard");

    let mut console = on_music_screen(3);
    press(&mut console, Buttons::NONE, 60);
    press(&mut console, Buttons::START, 10);
    press(&mut console, Buttons::START, 10);
    console.step(Buttons::LEFT).unwrap();
    assert!(is_silent(&record(&mut console, 120)), "silence");
}

#[test]
fn a_pause_holds_the_music_and_listening_changes_nothing() {
    let mut consoles = [false, true].map(|listens| {
        let mut console = Emulator::new(&stackfall::cartridge()).unwrap();
        if listens {
            console.listen();
        }
        start_game(&mut console, 7);
        console
    });
    for frame in 0..150u32 {
        let held = if frame % 9 < 4 { Buttons::DOWN } else { Buttons::RIGHT };
        for console in &mut consoles {
            console.step(held).unwrap();
        }
        let [deaf, listening] = &mut consoles;
        assert_eq!(memory::read(deaf), memory::read(listening), "frame {frame}");
        assert!(deaf.screen() == listening.screen(), "frame {frame}");
    }
    let [_, console] = &mut consoles;
    press(console, Buttons::START, 60);
    assert!(memory::read(console).paused);
    assert!(record(console, 60).iter().flatten().all(|sample| *sample == 0));
    press(console, Buttons::START, 20);
    assert!(record(console, 60).iter().flatten().any(|sample| *sample != 0));
}
