/* The rubble that a B-type game and a round of two begin with. */

#include "memory.h"

static u16 chance;

/* The next of 65,535 numbers in a shuffled order (a xorshift). */
static void shuffle(void) {
    chance ^= chance << 7;
    chance ^= chance >> 9;
    chance ^= chance << 8;
}

/* Alone, the divider and the frame decide, which nobody can time. Two players get the same rubble: it
   follows from the list of pieces that they share. */
static void begin_chance(void) {
    u8 i = 0;
    if (game_type == VERSUS) {
        chance = 1;
        do {
            chance += LIST[i];
            if (chance == 0) chance = 1;
            shuffle();
            i++;
        } while (i);
        return;
    }
    chance ^= (u16)REG_DIV << 8 | frame_low;
    chance += frame_high;
    if (chance == 0) chance = 1;
    for (; i < 4; i++) shuffle();
}

/* Two rows for each step of `high`: half of the cells, at least one gap a row. */
void fill_rubble(void) {
    u8 row, x, gap;
    u8 *cell;
    begin_chance();
    for (row = 18; row > 18 - 2 * high; row--) {
        cell = (u8 *)FIELD + ((u16)row << 4) + 2;
        gap = 0;
        for (x = 0; x < 10; x++) {
            shuffle();
            if (!(chance & 0x10)) gap = 1;
            else if (x < 9 || gap) cell[x] = 0x81 + ((u8)(chance >> 8) & 3);
        }
    }
}
