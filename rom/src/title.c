/* The title: one or two players. Down held with Start: heart mode. Left alone, it becomes a demo. */

#include "memory.h"

/* Longer than any player of ours leaves the title alone to have other pieces dealt; the time after a demo. */
#define FIRST_DEMO 4800u
#define NEXT_DEMO 1200u

#define QUADRANTS 0xA0
#define RAIN 3
#define RAIN_SPRITE 12
#define BEHIND 0x80

static u16 left_alone;
static u16 demo_after;

/* The name, in quarters of tiles. */
static const char *const name[6] = {
    "### ### ### ### # # ### ### #   #   ",
    "#    #  # # #   # # #   # # #   #   ",
    "###  #  ### #   ##  ##  ### #   #   ",
    "  #  #  # # #   # # #   # # #   #   ",
    "###  #  # # ### # # #   # # ### ### ",
    "                                    "};

/* What has fallen so far: J, Z and L, and bars. */
static const char *const heap[3] = {
    "....J........ZZ.....",
    "LLL.JJJ.<==>..ZZ.LLL",
    "LZZ<==>JJJ.LLL<==>ZZ"};

static u8 tile_of_heap(char cell) {
    switch (cell) {
    case 'J': return 0x81;
    case 'Z': return 0x82;
    case 'L': return 0x84;
    case '<': return 0x8A;
    case '=': return 0x8B;
    case '>': return 0x8F;
    default: return BLANK;
    }
}

static void draw_name(void) {
    u8 x, y, tile;
    const char *upper, *lower;
    for (y = 0; y < 3; y++) {
        upper = name[2 * y];
        lower = name[2 * y + 1];
        for (x = 0; x < 18; x++) {
            tile = 0;
            if (*upper++ == '#') tile |= 1;
            if (*upper++ == '#') tile |= 2;
            if (*lower++ == '#') tile |= 4;
            if (*lower++ == '#') tile |= 8;
            put_tile(1 + x, 1 + y, tile ? QUADRANTS + tile : BLANK);
        }
    }
}

/* Pieces that fall from under the name and vanish behind the heap. */
static const u8 rain_columns[RAIN] = {2, 8, 15};
static const u8 rain_turns[RAIN] = {1, 0, 3};
static u8 rain_pieces[RAIN], rain_lines[RAIN];

static void rain_frame(void) {
    u8 drop, i, index = RAIN_SPRITE, y;
    const u8 *cell;
    for (drop = 0; drop < RAIN; drop++) {
        if ((u8)left_alone & 1 || drop == 1) rain_lines[drop]++;
        if (rain_lines[drop] >= 104) {
            rain_lines[drop] = 32;
            rain_pieces[drop] = rain_pieces[drop] == 6 ? 0 : rain_pieces[drop] + 1;
        }
        cell = cells_of[rain_pieces[drop]][rain_turns[drop]];
        for (i = 0; i < 4; i++) {
            y = rain_lines[drop] + ((cell[i] & 0x30) >> 1);
            /* Above the sky and below the heap nothing is shown. */
            if (y < 48 || y > 112) sprite(index, 0, 0, BLANK);
            else sprite(index, (rain_columns[drop] << 3) + 8 + ((cell[i] & 3) << 3), y,
                        tile_of(rain_pieces[drop], rain_turns[drop], i));
            SPRITES[(index << 2) + 3] = BEHIND;
            index++;
        }
    }
}

void enter_title(void) {
    u8 x, y;
    begin_screen();
    scene = TITLE;
    cursor = 0;
    left_alone = 0;
    if (demo_after == 0) demo_after = FIRST_DEMO;
    end_demo();
    for (x = 0; x < RAIN; x++) {
        rain_pieces[x] = 2 * x;
        rain_lines[x] = 36 + 20 * x;
    }
    draw_name();
    for (y = 0; y < 3; y++) {
        for (x = 0; x < 20; x++) put_tile(x, 10 + y, tile_of_heap(heap[y][x]));
    }
    text(2, 14, "1PLAYER");
    text(12, 14, "2PLAYER");
    put_tile(1, 14, ARROW);
    text(3, 16, "FREE AND OPEN");
    link_listen();
    sound_on();
    play_song(SONG_TITLE);
    lcd_on();
}

void title_frame(void) {
    link_title_frame();
    if (scene != TITLE) return;
    left_alone++;
    rain_frame();
    if (pressed) left_alone = 0;
    if (left_alone == demo_after && link_role == ALONE) {
        demo_after = NEXT_DEMO;
        enter_demo();
        return;
    }
    if (pressed & (SELECT | LEFT | RIGHT)) {
        cursor = pressed & LEFT ? 0 : pressed & RIGHT ? 1 : !cursor;
        if (cursor) mark(11, 1, 14);
        else mark(1, 11, 14);
        effect(EFFECT_MOVE);
    }
    if (pressed & START) {
        heart = held & DOWN ? 1 : heart;
        effect(EFFECT_PICK);
        if (cursor) {
            link_call();
        } else {
            link_role = ALONE;
            REG_SC = 0;
            game_type = A_TYPE;
            enter_type();
        }
    }
}
