/* Every screen around the game. The place that is chosen blinks white on black, 16 frames each. */

#include "memory.h"

static u8 blink_is_on(void) {
    return !(frame_low & 0x10);
}

/* Marks one of two words with an arrow in front of it. */
void mark(u8 x, u8 other, u8 y) {
    queue_tile(x, y, ARROW);
    queue_tile(other, y, BLANK);
}

/* Which game, and which music: it is heard while it is chosen. */
static const char *const music_names[4] = {"SUNRISE", "NIGHT TRAIN", "NO MUSIC", "SILENT"};
#define MUSIC_ROW 12

void enter_type(void) {
    u8 i;
    begin_screen();
    scene = TYPE;
    side_walls();
    frame_box(1, 1, 18, 7);
    text(5, 3, "GAME TYPE");
    text(3, 5, "A-TYPE");
    text(11, 5, "B-TYPE");
    text(3, 6, "ENDLESS");
    text(11, 6, "TO 25");
    put_tile(game_type == B_TYPE ? 10 : 2, 5, ARROW);
    frame_box(1, 9, 18, 8);
    text(7, 10, "MUSIC");
    for (i = 0; i < 4; i++) text(5, MUSIC_ROW + i, music_names[i]);
    put_tile(4, MUSIC_ROW + music, ARROW);
    play_music();
    lcd_on();
}

static void choose_music(void) {
    queue_tile(4, MUSIC_ROW + music, BLANK);
    if (pressed & DOWN) music = music + 1 & 3;
    else music = music - 1 & 3;
    queue_tile(4, MUSIC_ROW + music, ARROW);
    sound_on();
    play_music();
}

void type_frame(void) {
    if (pressed & (LEFT | RIGHT)) {
        game_type = pressed & RIGHT ? B_TYPE : A_TYPE;
        if (game_type == B_TYPE) mark(10, 2, 5);
        else mark(2, 10, 5);
        effect(EFFECT_MOVE);
    }
    if (pressed & (UP | DOWN)) choose_music();
    if (pressed & (START | BUTTON_A)) {
        effect(EFFECT_PICK);
        if (game_type == A_TYPE) enter_level();
        else enter_b_level();
    } else if (pressed & BUTTON_B) {
        enter_title();
    }
}

/* Ten levels in two rows. */
static void draw_level_grid(void) {
    u8 i;
    for (i = 0; i < 10; i++) put_tile(5 + 2 * (i < 5 ? i : i - 5), i < 5 ? 6 : 8, i);
    frame_box(4, 5, 11, 5);
}

static void show_level(u8 number, u8 inverse) {
    queue_tile(5 + 2 * (number < 5 ? number : number - 5), number < 5 ? 6 : 8, inverse ? INVERSE + number : number);
}

/* Moves the choice of a level; the old place goes back to normal. */
static u8 move_level(u8 number) {
    u8 before = number;
    if (pressed & RIGHT && number < 9) number++;
    if (pressed & LEFT && number > 0) number--;
    if (pressed & UP && number >= 5) number -= 5;
    if (pressed & DOWN && number < 5) number += 5;
    if (number != before) {
        show_level(before, 0);
        effect(EFFECT_MOVE);
    }
    show_level(number, blink_is_on());
    return number;
}

static u8 *table_entry(u8 rank) {
    return TABLE + ENTRY_SIZE * 3 * (u16)start_level + ENTRY_SIZE * rank;
}

void clear_table(void) {
    u8 *byte = TABLE;
    u8 entry, i;
    for (entry = 0; entry < 30; entry++) {
        for (i = 0; i < 6; i++) *byte++ = 0;
        for (i = 0; i < 6; i++) *byte++ = DASH;
    }
}

/* One line of the table: rank, name, points. */
static void queue_table_line(u8 rank) {
    u8 *entry = table_entry(rank);
    u8 tiles[17], i, seen = 0;
    for (i = 0; i < 17; i++) tiles[i] = BLANK;
    tiles[1] = rank + 1;
    for (i = 0; i < 6; i++) {
        tiles[3 + i] = entry[6 + i];
        if (entry[5 - i]) seen = 1;
        if (seen) tiles[11 + i] = entry[5 - i];
    }
    queue_bytes(MAP + 32 * (13 + rank) + 1, 17, tiles);
}

static void queue_table(void) {
    queue_table_line(0);
    queue_table_line(1);
    queue_table_line(2);
}

static void draw_level_screen(void) {
    begin_screen();
    side_walls();
    text(6, 1, "A-TYPE");
    if (heart) put_tile(13, 1, HEART);
    text(7, 3, "LEVEL");
    draw_level_grid();
    text(5, 11, "BEST SCORES");
    queue_table();
}

void enter_level(void) {
    draw_level_screen();
    scene = LEVEL;
    lcd_on();
}

void level_frame(void) {
    u8 before = start_level;
    start_level = move_level(start_level);
    if (start_level != before) queue_table();
    if (pressed & (START | BUTTON_A)) start_game();
    else if (pressed & BUTTON_B) enter_type();
}

/* B-type: level, then height. */
void enter_b_level(void) {
    u8 i;
    begin_screen();
    side_walls();
    scene = B_LEVEL;
    text(6, 1, "B-TYPE");
    if (heart) put_tile(13, 1, HEART);
    text(7, 3, "LEVEL");
    draw_level_grid();
    text(8, 11, "HIGH");
    for (i = 0; i < 6; i++) put_tile(4 + 2 * i, 13, i);
    lcd_on();
}

void b_level_frame(void) {
    start_level = move_level(start_level);
    if (pressed & (START | BUTTON_A)) {
        show_level(start_level, 1);
        scene = B_HIGH;
    } else if (pressed & BUTTON_B) {
        enter_type();
    }
}

void b_high_frame(void) {
    u8 before = high;
    if (pressed & RIGHT && high < 5) high++;
    if (pressed & LEFT && high > 0) high--;
    if (high != before) {
        queue_tile(4 + 2 * before, 13, before);
        effect(EFFECT_MOVE);
    }
    queue_tile(4 + 2 * high, 13, blink_is_on() ? INVERSE + high : high);
    if (pressed & (START | BUTTON_A)) start_game();
    else if (pressed & BUTTON_B) {
        queue_tile(4 + 2 * high, 13, high);
        scene = B_LEVEL;
    }
}

/* Whether the first six digits are more than the second, units first. */
static u8 is_more(const u8 *a, const u8 *b) {
    u8 i;
    for (i = 6; i; i--) {
        if (a[i - 1] != b[i - 1]) return a[i - 1] > b[i - 1];
    }
    return 0;
}

/* The rank of the score, 3 when it is not among the best. */
static u8 rank_of_score(void) {
    u8 rank;
    for (rank = 0; rank < 3; rank++) {
        if (is_more(score, table_entry(rank))) break;
    }
    return rank;
}

static void enter_name(u8 rank) {
    u8 other, i;
    for (other = 2; other > rank; other--) {
        for (i = 0; i < ENTRY_SIZE; i++) table_entry(other)[i] = table_entry(other - 1)[i];
    }
    for (i = 0; i < 6; i++) {
        table_entry(rank)[i] = score[i];
        table_entry(rank)[6 + i] = DASH;
    }
    table_entry(rank)[6] = 10;
    entry_rank = rank;
    entry_letter = 0;
    draw_level_screen();
    scene = NAME;
    lcd_on();
}

/* After a game: the name if its score is among the best, else the levels. */
void enter_best(void) {
    u8 rank = rank_of_score();
    if (rank < 3) enter_name(rank);
    else enter_level();
}

static u8 inverse_of(u8 tile) {
    return tile == DASH ? 0x54 : INVERSE + tile;
}

/* Up and Down turn the letter, A goes on, B goes back, Start ends. */
void name_frame(void) {
    u8 *letters = table_entry(entry_rank) + 6;
    u8 letter = letters[entry_letter], steps = 0;
    if (held & (UP | DOWN)) {
        if (pressed & (UP | DOWN)) repeat_timer = 23, steps = 1;
        else if (--repeat_timer == 0) repeat_timer = 9, steps = 1;
    }
    if (steps) {
        effect(EFFECT_MOVE);
        if (held & UP) letter = letter == DASH ? 10 : letter == 35 ? DASH : letter + 1;
        else letter = letter == DASH ? 35 : letter == 10 ? DASH : letter - 1;
        letters[entry_letter] = letter;
    }
    if (pressed & BUTTON_A && entry_letter < 5) {
        queue_tile(4 + entry_letter, 13 + entry_rank, letters[entry_letter]);
        entry_letter++;
        if (letters[entry_letter] == DASH) letters[entry_letter] = 10;
    } else if (pressed & BUTTON_B && entry_letter > 0) {
        queue_tile(4 + entry_letter, 13 + entry_rank, letters[entry_letter]);
        entry_letter--;
    }
    letter = letters[entry_letter];
    queue_tile(4 + entry_letter, 13 + entry_rank, blink_is_on() ? inverse_of(letter) : letter);
    if (pressed & START) {
        queue_tile(4 + entry_letter, 13 + entry_rank, letter);
        effect(EFFECT_PICK);
        scene = LEVEL;
    }
}
