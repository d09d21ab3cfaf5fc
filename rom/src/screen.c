/* What is drawn: whole screens while the display is off, single tiles through the queue while it is on. */

#include "memory.h"

static u16 address_of(u8 x, u8 y) {
    return MAP + ((u16)y << 5) + x;
}

static u8 tile_for(char letter) {
    if (letter >= 'A' && letter <= 'Z') return letter - 'A' + 10;
    if (letter >= '0' && letter <= '9') return letter - '0';
    if (letter == '.') return DOT;
    if (letter == '-') return DASH;
    if (letter == '!') return BANG;
    if (letter == '>') return ARROW;
    if (letter == '<') return HEART;
    return BLANK;
}

/* Switches the display off and blanks both maps and all sprites. */
void begin_screen(void) {
    u8 *tile = (u8 *)MAP;
    u16 count;
    lcd_off();
    for (count = 0x800; count; count--) {
        *tile = BLANK;
        tile++;
    }
    hide_sprites();
    QUEUE[0] = 0;
    queue_end = 0;
}

void put_tile(u8 x, u8 y, u8 tile) {
    *(u8 *)address_of(x, y) = tile;
}

void text(u8 x, u8 y, const char *words) {
    u8 *tile = (u8 *)address_of(x, y);
    for (; *words; words++) {
        *tile = tile_for(*words);
        tile++;
    }
}

void frame_box(u8 x, u8 y, u8 width, u8 height) {
    u8 i, right = x + width - 1, bottom = y + height - 1;
    for (i = x + 1; i < right; i++) {
        put_tile(i, y, 0x65);
        put_tile(i, bottom, 0x6A);
    }
    for (i = y + 1; i < bottom; i++) {
        put_tile(x, i, 0x67);
        put_tile(right, i, 0x68);
    }
    put_tile(x, y, 0x64);
    put_tile(right, y, 0x66);
    put_tile(x, bottom, 0x69);
    put_tile(right, bottom, 0x6B);
}

/* Brick walls along both sides of a menu. */
void side_walls(void) {
    u8 y, third = 0;
    for (y = 0; y < 18; y++) {
        put_tile(0, y, WALL + third);
        put_tile(19, y, WALL + third);
        third = third == 2 ? 0 : third + 1;
    }
}

/* Six digits, units first, without zeros in front. */
void put_digits(u8 x, u8 y, const u8 *digits) {
    u8 i, seen = 0;
    for (i = 0; i < 6; i++) {
        u8 digit = digits[5 - i];
        if (digit || i == 5) seen = 1;
        if (seen) put_tile(x + i, y, digit);
    }
}

/* Writes bytes into video memory at the next vertical blank. */
void queue_bytes(u16 address, u8 count, const u8 *bytes) {
    u8 *entry = QUEUE + queue_end;
    *entry++ = count;
    *entry++ = (u8)address;
    *entry++ = (u8)(address >> 8);
    queue_end += count + 3;
    for (; count; count--) *entry++ = *bytes++;
    *entry = 0;
}

void queue_tile(u8 x, u8 y, u8 tile) {
    queue_bytes(address_of(x, y), 1, &tile);
}

void queue_text(u8 x, u8 y, const char *words) {
    for (; *words; words++) {
        queue_tile(x, y, tile_for(*words));
        x++;
    }
}

void queue_row(u8 row) {
    queue_bytes(address_of(2, row - 1), 10, (u8 *)FIELD + ((u16)row << 4) + 2);
}

void queue_filled_row(u8 row, u8 tile) {
    u8 tiles[10], x;
    for (x = 0; x < 10; x++) tiles[x] = tile;
    queue_bytes(address_of(2, row - 1), 10, tiles);
}

void queue_score(void) {
    u8 digits[6], i, seen = 0;
    for (i = 0; i < 6; i++) {
        u8 digit = score[5 - i];
        if (digit || i == 5) seen = 1;
        digits[i] = seen ? digit : BLANK;
    }
    queue_bytes(address_of(13, 3), 6, digits);
}

void queue_lines(void) {
    static const u16 places[4] = {1000, 100, 10, 1};
    u8 digits[4], i, digit, seen = 0;
    u16 left = lines;
    for (i = 0; i < 4; i++) {
        digit = 0;
        while (left >= places[i]) {
            left -= places[i];
            digit++;
        }
        if (digit || i == 3) seen = 1;
        digits[i] = seen ? digit : BLANK;
    }
    queue_bytes(address_of(14, 10), 4, digits);
}

void queue_level(void) {
    u8 digits[2];
    digits[0] = level >= 20 ? 2 : level >= 10 ? 1 : BLANK;
    digits[1] = level >= 20 ? level - 20 : level >= 10 ? level - 10 : level;
    if (game_type == A_TYPE) queue_bytes(address_of(16, 7), 2, digits);
    else queue_bytes(address_of(16, 2), 1, digits + 1);
}

void draw_play_screen(void) {
    u8 y, third = 0;
    u8 *tile = (u8 *)MAP;
    begin_screen();
    for (y = 0; y < 36; y++) {
        /* The second map is the one that is shown while the game is paused. */
        if (y == 18) tile = (u8 *)PAUSE_MAP;
        tile[0] = FILLER;
        tile[1] = WALL + third;
        tile[12] = WALL + third;
        third = third == 2 ? 0 : third + 1;
        tile += 32;
    }
    frame_box(14, 12, 6, 6);
    text(14, 9, "LINES");
    if (game_type == A_TYPE) {
        frame_box(13, 0, 7, 3);
        text(14, 1, "SCORE");
        text(14, 6, "LEVEL");
        if (heart) put_tile(18, 7, HEART);
    } else if (game_type == B_TYPE) {
        text(14, 1, "LEVEL");
        if (heart) put_tile(18, 2, HEART);
        text(14, 4, "HIGH");
        put_tile(16, 5, high);
    } else {
        text(14, 1, "WINS");
        put_tile(16, 2, my_wins);
        text(14, 4, "THEIRS");
        put_tile(16, 5, their_wins);
        text(14, 6, "HEIGHT");
        put_tile(17, 7, 0);
    }
    /* Text on the second map: it begins 32 rows below the first. */
    text(4, 35, "PAUSE");
    if (game_type == VERSUS && link_role == SLAVE) {
        /* Only the one who began can go on. */
        text(3, 38, "WAIT FOR");
        text(3, 40, "THE OTHER");
    } else {
        text(3, 38, "START");
        text(3, 40, "GOES ON");
    }
    if (demo_is_on()) text(15, 11, "DEMO");
    for (y = 1; y < 19; y++) {
        copy_from = FIELD + ((u16)y << 4) + 2;
        copy_to = address_of(2, y - 1);
        copy_row();
    }
    if (game_type == A_TYPE) queue_score();
    queue_lines();
    if (game_type != VERSUS) queue_level();
}

void sprite(u8 index, u8 x, u8 y, u8 tile) {
    u8 *entry = SPRITES + (index << 2);
    entry[0] = y;
    entry[1] = x;
    entry[2] = tile;
    entry[3] = 0;
}

void hide_sprites(void) {
    u8 *entry = SPRITES;
    u8 count;
    for (count = 160; count; count--) *entry++ = 0;
}

/* The falling piece is made of sprites 4 to 7, the preview of 8 to 11. */
void show_piece(void) {
    const u8 *cell = cells_of[piece][orientation];
    u8 *entry = SPRITES + 16;
    u8 x = (column << 3) + 8, y = (top << 3) + 8;
    u8 i;
    for (i = 0; i < 4; i++) {
        *entry++ = y + ((cell[i] & 0x30) >> 1);
        *entry++ = x + ((cell[i] & 3) << 3);
        *entry++ = tile_of(piece, orientation, i);
        entry++;
    }
}

void hide_piece(void) {
    u8 i;
    for (i = 4; i < 8; i++) sprite(i, 0, 0, BLANK);
}

void show_preview(void) {
    const u8 *cell = cells_of[preview][0];
    u8 i;
    for (i = 0; i < 4; i++) {
        if (preview_hidden) sprite(8 + i, 0, 0, BLANK);
        else sprite(8 + i, 128 + ((cell[i] & 3) << 3), 112 + ((cell[i] & 0x30) >> 1), tile_of(preview, 0, i));
    }
}
