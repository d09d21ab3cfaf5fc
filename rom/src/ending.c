/* How a game ends: the curtain, the words over it, and the account of a B-type game. */

#include "memory.h"

/* The points of a B-type game, six digits, units first. */
static u8 total[6];

/* The field fills with bricks from the bottom, one row a frame; 70 frames later the words come from the top,
   one row a frame, too. Score, level and lines stay beside it. */
#define WORDS_AFTER 88

void enter_curtain(void) {
    hide_sprites();
    play_song(SONG_GAME_OVER);
    scene = CURTAIN;
    timer = 0;
}

static void queue_box_row(u8 y, u8 left, u8 middle, u8 right) {
    u8 tiles[8], i;
    tiles[0] = left;
    for (i = 1; i < 7; i++) tiles[i] = middle;
    tiles[7] = right;
    queue_bytes(MAP + ((u16)y << 5) + 3, 8, tiles);
}

static void queue_words_row(u8 y) {
    queue_filled_row(y + 1, BLANK);
    if (y == 2) queue_box_row(y, 0x64, 0x65, 0x66);
    if (y > 2 && y < 8) queue_box_row(y, 0x67, BLANK, 0x68);
    if (y == 8) queue_box_row(y, 0x69, 0x6A, 0x6B);
    if (y == 4) queue_text(5, y, "GAME");
    if (y == 6) queue_text(5, y, "OVER");
    if (y == 12) queue_text(4, y, "PRESS");
    if (y == 14) queue_text(4, y, "START");
}

void curtain_frame(void) {
    timer++;
    if (timer <= 18) queue_filled_row(19 - timer, BRICK);
    if (timer < WORDS_AFTER) return;
    queue_words_row(timer - WORDS_AFTER);
    if (timer == WORDS_AFTER + 17) scene = OVER;
}

void over_frame(void) {
    u8 size;
    if (!(pressed & (START | BUTTON_A))) return;
    effect(EFFECT_PICK);
    stop_song();
    if (game_type == B_TYPE) {
        enter_b_level();
        return;
    }
    size = rocket_size(score);
    if (size) enter_rocket(size, NAME);
    else enter_best();
}

static void clear_digits(u8 *digits) {
    u8 i;
    for (i = 0; i < 6; i++) digits[i] = 0;
}

/* Clears by size with their points, the points of soft drops, and the total. */
void enter_b_result(void) {
    u8 digits[6], i, times, y = 4;
    u16 points;
    begin_screen();
    scene = B_RESULT;
    side_walls();
    text(5, 1, "25 LINES!");
    clear_digits(total);
    for (i = 0; i < 4; i++) {
        put_tile(2, y, i + 1);
        text(4, y, i ? "LINES" : "LINE");
        clear_digits(digits);
        add_points(digits, clears[i]);
        put_digits(5, y, digits);
        clear_digits(digits);
        points = points_of(i + 1);
        for (times = clears[i]; times; times--) {
            add_points(digits, points);
            add_points(total, points);
        }
        put_digits(12, y, digits);
        y += 2;
    }
    text(2, 12, "DROPS");
    clear_digits(digits);
    add_points(digits, drop_points);
    add_points(total, drop_points);
    put_digits(12, 12, digits);
    for (i = 2; i < 18; i++) put_tile(i, 13, 0x6A);
    text(2, 14, "TOTAL");
    put_digits(12, 14, total);
    text(4, 16, "PRESS START");
    play_song(SONG_TRIUMPH);
    lcd_on();
}

/* The highest level earns a rocket; the higher the rubble was, the bigger it is. */
void b_result_frame(void) {
    if (!(pressed & (START | BUTTON_A))) return;
    stop_song();
    if (level == 9) enter_rocket(1 + (high >> 1), B_LEVEL);
    else enter_b_level();
}
