/* Music and effects. A song has four voices, one for each channel; an effect has a tone and a noise, which
   take the first and the fourth channel away from the song while they last. The song keeps time meanwhile. */

#include "memory.h"

enum { HARMONY, LEAD, BASS, DRUMS, TONE, NOISE, VOICES };

/* Ends of a voice, in place of a note. */
#define AGAIN 0xFF
#define STOP 0xFE

/* What a channel is told for the notes C2 to B7: 2048 - 131072 / frequency. */
static const u16 periods[72] = {
    44, 157, 263, 363, 457, 547, 631, 711, 786, 856, 923, 986,
    1046, 1102, 1155, 1205, 1253, 1297, 1339, 1379, 1417, 1452, 1486, 1517,
    1547, 1575, 1602, 1627, 1650, 1673, 1694, 1714, 1732, 1750, 1767, 1783,
    1798, 1812, 1825, 1837, 1849, 1860, 1871, 1881, 1890, 1899, 1907, 1915,
    1923, 1930, 1936, 1943, 1949, 1954, 1959, 1964, 1969, 1974, 1978, 1982,
    1985, 1989, 1992, 1995, 1998, 2001, 2004, 2006, 2009, 2011, 2013, 2015,
};

/* Envelope and colour of the drums: kick, snare, hat, thud, rumble. */
static const u8 drum_envelopes[5] = {0xA1, 0x81, 0x41, 0xA1, 0xA7};
static const u8 drum_colours[5] = {0x62, 0x41, 0x10, 0x73, 0x65};

/* Where a voice begins, its next note (nothing when it is silent) and the frames until then. */
static const u8 *starts[VOICES];
static const u8 *next_notes[VOICES];
static u8 frames_left[VOICES];
static u8 is_held;

static void silence(u8 voice) {
    switch (voice) {
    case HARMONY: case TONE: REG(0x12) = 0; break;
    case LEAD: REG(0x17) = 0; break;
    case BASS: REG(0x1A) = 0; break;
    default: REG(0x21) = 0; break;
    }
}

static void sound_drum(u8 drum) {
    REG(0x20) = 0;
    REG(0x21) = drum_envelopes[drum];
    REG(0x22) = drum_colours[drum];
    REG(0x23) = 0x80;
}

/* Note 0 is a rest, 1 is C2 or the first drum. */
static void sound_note(u8 voice, u8 note) {
    u16 period;
    if (voice == HARMONY && next_notes[TONE]) return;
    if (voice == DRUMS && next_notes[NOISE]) return;
    if (note == 0) {
        silence(voice);
        return;
    }
    if (voice == DRUMS || voice == NOISE) {
        sound_drum(note - 1);
        return;
    }
    period = periods[note - 1];
    switch (voice) {
    case LEAD:
        REG(0x16) = 0x80;
        REG(0x17) = 0xA4;
        REG(0x18) = (u8)period;
        REG(0x19) = 0x80 | (u8)(period >> 8);
        break;
    case BASS:
        /* Off first: a sounding channel that is started again garbles its wave. */
        REG(0x1A) = 0;
        REG(0x1A) = 0x80;
        REG(0x1C) = 0x20;
        REG(0x1D) = (u8)period;
        REG(0x1E) = 0x80 | (u8)(period >> 8);
        break;
    default:
        REG(0x10) = 0;
        REG(0x11) = voice == TONE ? 0x80 : 0x40;
        REG(0x12) = voice == TONE ? 0xB3 : 0x62;
        REG(0x13) = (u8)period;
        REG(0x14) = 0x80 | (u8)(period >> 8);
        break;
    }
}

static void advance(u8 voice) {
    const u8 *at = next_notes[voice];
    u8 note;
    if (!at) return;
    frames_left[voice]--;
    if (frames_left[voice]) return;
    note = *at;
    if (note == STOP) {
        next_notes[voice] = 0;
        silence(voice);
        return;
    }
    if (note == AGAIN) {
        at = starts[voice];
        note = *at;
    }
    at++;
    frames_left[voice] = *at;
    at++;
    next_notes[voice] = at;
    sound_note(voice, note);
}

static void begin_voice(u8 voice, const u8 *notes) {
    starts[voice] = next_notes[voice] = notes;
    frames_left[voice] = 1;
    if (!notes) silence(voice);
}

/* Switches the sound on, or off when silence is chosen. */
void sound_on(void) {
    u8 i;
    stop_song();
    begin_voice(TONE, 0);
    begin_voice(NOISE, 0);
    if (music == SILENT) {
        REG(0x26) = 0;
        return;
    }
    REG(0x26) = 0x80;
    REG(0x24) = 0x77;
    REG(0x25) = 0xFF;
    /* A triangle, two samples a byte. */
    REG(0x1A) = 0;
    for (i = 0; i < 8; i++) {
        REG(0x30 + i) = i * 0x22 + 0x01;
        REG(0x38 + i) = 0xFE - i * 0x22;
    }
}

void play_song(u8 song) {
    u8 voice;
    is_held = 0;
    if (music == SILENT) return;
    for (voice = HARMONY; voice <= DRUMS; voice++) begin_voice(voice, songs[song][voice]);
}

/* The music that is chosen in the menu. */
void play_music(void) {
    if (music < NO_MUSIC) play_song(music);
    else stop_song();
}

void stop_song(void) {
    u8 voice;
    is_held = 0;
    for (voice = HARMONY; voice <= DRUMS; voice++) begin_voice(voice, 0);
}

/* The song stands still, as in a pause, or goes on. */
void hold_song(u8 hold) {
    u8 voice;
    is_held = hold;
    if (!hold) return;
    for (voice = HARMONY; voice <= DRUMS; voice++) silence(voice);
}

void effect(u8 which) {
    const u8 *const *voices = songs[which];
    if (music == SILENT) return;
    if (voices[HARMONY]) begin_voice(TONE, voices[HARMONY]);
    if (voices[DRUMS]) begin_voice(NOISE, voices[DRUMS]);
}

/* Once a frame, after everything else. */
void sound_frame(void) {
    u8 voice;
    if (music == SILENT) return;
    advance(TONE);
    advance(NOISE);
    if (is_held) return;
    for (voice = HARMONY; voice <= DRUMS; voice++) advance(voice);
}
