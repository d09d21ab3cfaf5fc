/* A rocket for great scores; the more points, the bigger it is. */

#include "memory.h"

#define NOSE 0x90
#define BODY 0x92
#define WINDOW 0x94
#define FINS 0x96
#define FLAME 0x98
#define STAR 0x9C
#define TOWER 0x9D
#define GROUND WALL

/* As sprites count: 16 more than the screen's line. */
#define PAD_BOTTOM 144
#define LEFT_EDGE 76
#define COUNTDOWN 150
#define IGNITION 40
#define FLIGHT 170

static u8 parts;
static u8 after;
/* Where the rocket's lower end is: 0 on the pad. */
static u8 risen;

static const u8 stars[12][2] = {{2, 4}, {5, 7}, {1, 10}, {4, 13}, {7, 5}, {3, 15},
                                {16, 4}, {13, 6}, {18, 8}, {14, 11}, {17, 13}, {15, 15}};

/* 100,000, 150,000 and 200,000 points earn a rocket of size 1, 2 and 3; less earns none. */
u8 rocket_size(const u8 *digits) {
    if (digits[5] >= 2) return 3;
    if (digits[5] == 1) return digits[4] >= 5 ? 2 : 1;
    return 0;
}

static void pair(u8 index, u8 y, u8 tile) {
    sprite(index, LEFT_EDGE + 8, y, tile);
    sprite(index + 1, LEFT_EDGE + 16, y, tile + 1);
}

/* From the bottom up: fins, bodies with a window among them, nose; below them the flame. */
static void show_rocket(u8 burning) {
    u8 part, y = PAD_BOTTOM - risen, tile;
    for (part = 0; part < parts; part++) {
        tile = part == 0 ? FINS : part == parts - 1 ? NOSE : part == parts - 2 ? WINDOW : BODY;
        if (risen + 8 * part >= PAD_BOTTOM) pair(2 * part, 0, BLANK);
        else pair(2 * part, y - 8 * part, tile);
    }
    if (burning && risen <= PAD_BOTTOM) pair(20, y + 8, FLAME + (timer & 4 ? 2 : 0));
    else pair(20, 0, BLANK);
}

void enter_rocket(u8 size, u8 next) {
    u8 i, x;
    begin_screen();
    scene = ROCKET;
    parts = 3 + size;
    after = next;
    risen = 0;
    timer = 0;
    text(4, 1, "GREAT SCORE!");
    for (i = 0; i < 12; i++) put_tile(stars[i][0], stars[i][1], STAR);
    for (i = 8; i < 17; i++) put_tile(12, i, TOWER);
    for (x = 0; x < 20; x++) put_tile(x, 17, GROUND);
    show_rocket(0);
    play_song(SONG_TRIUMPH);
    lcd_on();
}

void rocket_frame(void) {
    timer++;
    if (timer == COUNTDOWN - IGNITION) effect(EFFECT_LIFT_OFF);
    if (timer > COUNTDOWN && risen < FLIGHT) {
        /* Slow at first. */
        if (risen > 80) risen += 3;
        else if (risen > 40) risen += 2;
        else if (risen > 12 || timer & 1) risen++;
    }
    show_rocket(timer >= COUNTDOWN - IGNITION);
    if (pressed & (START | BUTTON_A) || timer == 255) {
        if (after == B_LEVEL) enter_b_level();
        else enter_best();
    }
}
