//! The sounds, from text to the bytes that `rom/src/sound.c` plays.

use std::fmt::Write;

use anyhow::{Context, bail};

use super::SONGS;

/// Voices in the order of the console's channels.
const VOICES: [&str; 4] = ["harmony", "lead", "bass", "drums"];
const BASS: usize = 2;
const DRUMS: usize = 3;
/// The drums, numbered from 1.
const KIT: &str = "kshtr";
/// Ends of a voice.
const AGAIN: u8 = 0xFF;
const STOP: u8 = 0xFE;
const REST: u8 = 0;
/// Highest note, B7, counted from C2 = 1.
const HIGHEST: u8 = 72;
const OCTAVE: u8 = 12;

/// A song or an effect.
#[derive(Debug, PartialEq, Eq)]
pub struct Sound {
    /// `SONG_…` or `EFFECT_…`.
    name: String,
    tempo: u8,
    end: u8,
    is_song: bool,
    /// Pairs of note and frames.
    voices: [Vec<u8>; 4],
}

/// Reads the sheet; errors name the line.
pub fn parse(sheet: &str) -> anyhow::Result<Vec<Sound>> {
    let mut sounds: Vec<Sound> = Vec::new();
    for (number, line) in sheet.lines().enumerate() {
        let words: Vec<_> = line.split_whitespace().collect();
        match words.as_slice() {
            [] | ["#", ..] => {}
            [kind @ ("song" | "effect"), name, tempo, end @ ..] => {
                let tempo =
                    tempo.parse().with_context(|| format!("{SONGS}:{}: tempo “{tempo}”", number + 1))?;
                let is_song = *kind == "song";
                let end = if is_song && end.is_empty() { AGAIN } else { STOP };
                let name = format!("{}_{}", kind.to_uppercase(), name.to_uppercase());
                sounds.push(Sound { name, tempo, end, is_song, voices: Default::default() });
            }
            [voice, notes @ ..] => {
                let at = || format!("{SONGS}:{}", number + 1);
                let sound = sounds.last_mut().with_context(|| format!("{}: notes outside a song", at()))?;
                let Some(voice) = VOICES.iter().position(|known| known == voice) else {
                    bail!("{}: “{voice}” is not one of the voices {}", at(), VOICES.join(", "));
                };
                for note in notes.iter().filter(|note| **note != "|") {
                    let (pitch, frames) = parse_note(note, voice, sound.tempo)
                        .with_context(|| format!("{}: “{note}” is not a note", at()))?;
                    sound.voices[voice].extend([pitch, frames]);
                }
            }
        }
    }
    for sound in sounds.iter().filter(|sound| sound.is_song) {
        let lengths = sound.voices.each_ref().map(|voice| length(voice));
        if lengths.iter().any(|length| *length != 0 && *length != lengths[1]) {
            bail!("{SONGS}: the voices of {} last {lengths:?} frames", sound.name);
        }
    }
    Ok(sounds)
}

fn length(voice: &[u8]) -> u32 {
    voice.iter().skip(1).step_by(2).map(|frames| u32::from(*frames)).sum()
}

/// `C#5:2` to the number of a note and its frames.
fn parse_note(note: &str, voice: usize, tempo: u8) -> Option<(u8, u8)> {
    let (name, length) = note.split_once(':')?;
    let frames = length.parse::<u8>().ok()?.checked_mul(tempo).filter(|frames| *frames > 0)?;
    if name == "-" {
        return Some((REST, frames));
    }
    if voice == DRUMS {
        let drum = KIT.find(name).filter(|_| name.len() == 1)?;
        return Some((drum as u8 + 1, frames));
    }
    let (name, octave) = name.split_at_checked(name.len().checked_sub(1)?)?;
    let octave = octave.parse::<u8>().ok()?.checked_sub(2)?;
    let names = ["C", "C#", "D", "D#", "E", "F", "F#", "G", "G#", "A", "A#", "B"];
    let step = names.iter().position(|known| *known == name)? as u8;
    // The wave channel sounds an octave lower than the others for the same number.
    let raised = if voice == BASS { OCTAVE } else { 0 };
    let pitch = (OCTAVE * octave).checked_add(step + 1 + raised)?;
    (pitch <= HIGHEST).then_some((pitch, frames))
}

/// The numbers of the sounds, for C.
pub fn header(sounds: &[Sound]) -> String {
    let mut code = "#ifndef SONGS_H\n#define SONGS_H\n".to_owned();
    for (number, sound) in sounds.iter().enumerate() {
        // Writing to a String cannot fail.
        let _ = writeln!(code, "#define {} {number}", sound.name);
    }
    code + "#endif\n"
}

/// The notes, for C: four voices for each sound, nothing where it has none.
pub fn in_c(sounds: &[Sound]) -> String {
    let mut code = String::new();
    let mut table = "const unsigned char *const songs[][4] = {\n".to_owned();
    for sound in sounds {
        table += "    {";
        for (voice, notes) in VOICES.iter().zip(&sound.voices) {
            if notes.is_empty() {
                table += "0, ";
                continue;
            }
            let name = format!("{}_{voice}", sound.name.to_lowercase());
            let _ = write!(code, "static const unsigned char {name}[] = {{");
            for byte in notes {
                let _ = write!(code, "{byte},");
            }
            let _ = writeln!(code, "{}}};", sound.end);
            let _ = write!(table, "{name}, ");
        }
        table += "},\n";
    }
    code + &table + "};\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_become_numbers_and_frames() {
        assert_eq!(parse_note("C2:1", 1, 7), Some((1, 7)));
        assert_eq!(parse_note("A4:4", 1, 7), Some((34, 28)));
        assert_eq!(parse_note("A4:4", BASS, 7), Some((46, 28)));
        assert_eq!(parse_note("C#5:2", 0, 1), Some((38, 2)));
        assert_eq!(parse_note("-:3", 0, 2), Some((REST, 6)));
        assert_eq!(parse_note("s:2", DRUMS, 3), Some((2, 6)));
        for wrong in ["C1:1", "H4:2", "C4", "C4:0", "C4:200", "C8:1", "x", ":", "C:1"] {
            assert_eq!(parse_note(wrong, 1, 7), None, "{wrong}");
        }
    }

    #[test]
    fn voices_of_a_song_last_as_long_as_each_other() {
        let sheet = "song a 7\nlead | C4:4 |\nbass C3:4\n";
        assert_eq!(parse(sheet).unwrap()[0].voices[1], [25, 28]);
        assert!(parse("song a 7\nlead C4:4\nbass C3:2\n").is_err());
        assert!(parse("lead C4:4\n").is_err());
        assert!(parse("song a 7\nviolin C4:4\n").is_err());
    }
}
