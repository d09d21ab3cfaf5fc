/* The rules, one frame at a time; the same order as `Game::step` of crates/tetris. */

#include "memory.h"

/* Frames a piece stays in a row, less one, by speed. */
static const u8 drop_frames[21] = {52, 48, 44, 40, 36, 32, 27, 21, 16, 10, 9, 8, 7, 6, 5, 5, 4, 4, 3, 3, 2};
static const u16 line_points[5] = {0, 40, 100, 300, 1200};
static const u16 powers_of_ten[5] = {1, 10, 100, 1000, 10000};

#define SHIFT_DELAY 23
#define SHIFT_REPEAT 9
#define SOFT_DROP_FRAMES 3
#define SPAWN_COLUMN 5
#define SPAWN_TOP 0
#define MAX_LEVEL 20
#define DEMO_LEVEL 3
#define MAX_LINES 9999

/* Cells of each piece and orientation: 16 · box row + box column. */
#define C(x, y) ((y) * 16 + (x))
const u8 cells_of[7][4][4] = {
    {{C(0, 2), C(1, 2), C(2, 2), C(0, 3)}, {C(1, 1), C(1, 2), C(1, 3), C(2, 3)},
     {C(2, 1), C(0, 2), C(1, 2), C(2, 2)}, {C(0, 1), C(1, 1), C(1, 2), C(1, 3)}},
    {{C(0, 2), C(1, 2), C(2, 2), C(2, 3)}, {C(1, 1), C(2, 1), C(1, 2), C(1, 3)},
     {C(0, 1), C(0, 2), C(1, 2), C(2, 2)}, {C(1, 1), C(1, 2), C(0, 3), C(1, 3)}},
    {{C(0, 2), C(1, 2), C(2, 2), C(3, 2)}, {C(1, 0), C(1, 1), C(1, 2), C(1, 3)},
     {C(0, 2), C(1, 2), C(2, 2), C(3, 2)}, {C(1, 0), C(1, 1), C(1, 2), C(1, 3)}},
    {{C(1, 2), C(2, 2), C(1, 3), C(2, 3)}, {C(1, 2), C(2, 2), C(1, 3), C(2, 3)},
     {C(1, 2), C(2, 2), C(1, 3), C(2, 3)}, {C(1, 2), C(2, 2), C(1, 3), C(2, 3)}},
    {{C(0, 2), C(1, 2), C(1, 3), C(2, 3)}, {C(1, 1), C(0, 2), C(1, 2), C(0, 3)},
     {C(0, 2), C(1, 2), C(1, 3), C(2, 3)}, {C(1, 1), C(0, 2), C(1, 2), C(0, 3)}},
    {{C(1, 2), C(2, 2), C(0, 3), C(1, 3)}, {C(0, 1), C(0, 2), C(1, 2), C(1, 3)},
     {C(1, 2), C(2, 2), C(0, 3), C(1, 3)}, {C(0, 1), C(0, 2), C(1, 2), C(1, 3)}},
    {{C(0, 2), C(1, 2), C(2, 2), C(1, 3)}, {C(1, 1), C(1, 2), C(2, 2), C(1, 3)},
     {C(1, 1), C(0, 2), C(1, 2), C(2, 2)}, {C(1, 1), C(0, 2), C(1, 2), C(1, 3)}},
};

static const u8 bar_across[4] = {0x8A, 0x8B, 0x8B, 0x8F};
static const u8 bar_upright[4] = {0x80, 0x88, 0x88, 0x89};
static const u8 tiles_of[7] = {0x84, 0x81, 0, 0x83, 0x82, 0x86, 0x85};

u8 is_free(u8 turned, u8 at_column, u8 at_top) {
    const u8 *cell = cells_of[piece][turned];
    u8 *box = (u8 *)FIELD + ((u16)at_top << 4) + at_column;
    return box[cell[0]] == BLANK && box[cell[1]] == BLANK && box[cell[2]] == BLANK && box[cell[3]] == BLANK;
}

u8 tile_of(u8 which, u8 turned, u8 cell) {
    if (which != 2) return tiles_of[which];
    return turned & 1 ? bar_upright[cell] : bar_across[cell];
}

static u8 speed(void) {
    u8 index = heart ? level + 10 : level;
    return drop_frames[index > MAX_LEVEL ? MAX_LEVEL : index];
}

/* Points of a clear of one to four lines on this level. */
u16 points_of(u8 count) {
    u16 points = line_points[count], sum = 0;
    u8 times;
    for (times = 0; times <= level; times++) sum += points;
    return sum;
}

/* Adds to six digits, units first; 999,999 is the end. */
void add_points(u8 *digits, u16 points) {
    u8 place = 4, carry = 0, digit, sum;
    u8 addend[6];
    addend[5] = 0;
    for (;;) {
        digit = 0;
        while (points >= powers_of_ten[place]) {
            points -= powers_of_ten[place];
            digit++;
        }
        addend[place] = digit;
        if (place == 0) break;
        place--;
    }
    for (place = 0; place < 6; place++) {
        sum = digits[place] + addend[place] + carry;
        carry = 0;
        if (sum > 9) {
            sum -= 10;
            carry = 1;
        }
        digits[place] = sum;
    }
    if (carry) {
        for (place = 0; place < 6; place++) digits[place] = 9;
    }
}

static void next_piece(void) {
    piece = preview;
    preview = hidden;
    if (game_type == VERSUS) {
        hidden = LIST[list_index];
        list_index++;
    } else {
        draw_piece();
    }
}

static void move_row(u8 from, u8 to) {
    copy_from = FIELD + ((u16)from << 4) + 2;
    copy_to = FIELD + ((u16)to << 4) + 2;
    copy_row();
}

static void push_garbage(void) {
    u8 row, x, count = garbage_rows;
    u8 *cell;
    garbage_rows = 0;
    if (count == 0) return;
    if (count > 18) count = 18;
    effect(EFFECT_RUBBLE);
    for (row = 1; row + count < 19; row++) move_row(row + count, row);
    for (; row < 19; row++) {
        cell = (u8 *)FIELD + ((u16)row << 4) + 2;
        for (x = 0; x < 10; x++) cell[x] = x == garbage_hole ? BLANK : RUBBLE;
    }
    redraw_row = 18;
}

static void spawn(void) {
    push_garbage();
    next_piece();
    orientation = 0;
    column = SPAWN_COLUMN;
    top = SPAWN_TOP;
    drop_timer = speed();
    phase = FALLING;
    show_piece();
    show_preview();
}

void start_game(void) {
    u8 row, x;
    u8 *cell = (u8 *)FIELD;
    for (row = 0; row < 20; row++) {
        for (x = 0; x < 16; x++) {
            *cell = x >= 2 && x < 12 && row < 19 ? BLANK : WALL;
            cell++;
        }
    }
    for (x = 0; x < 6; x++) score[x] = 0;
    for (x = 0; x < 4; x++) clears[x] = 0;
    level = demo_is_on() ? DEMO_LEVEL : game_type == VERSUS ? 1 : start_level;
    lines = game_type == A_TYPE ? 0 : game_type == B_TYPE ? 25 : 30;
    if (game_type != A_TYPE) fill_rubble();
    drop_points = 0;
    shift_timer = SHIFT_DELAY;
    soft_timer = 0;
    soft_steps = 0;
    down_blocked = 0;
    spawn_locks = 0;
    paused = 0;
    preview_hidden = 0;
    garbage_rows = 0;
    redraw_row = 0;
    list_index = 0;
    play_frames = 0;
    attack_pending = 0;
    news_pending = 0;
    preview = hidden = 0;
    next_piece();
    next_piece();
    next_piece();
    orientation = 0;
    column = SPAWN_COLUMN;
    top = SPAWN_TOP;
    drop_timer = speed();
    phase = FALLING;
    draw_play_screen();
    show_piece();
    show_preview();
    scene = PLAY;
    play_music();
    lcd_on();
}

static u8 is_down_alone(u8 buttons) {
    return (buttons & (DOWN | LEFT | RIGHT)) == DOWN;
}

static void turn(void) {
    u8 turned;
    if (pressed & BUTTON_B) turned = orientation + 1 & 3;
    else if (pressed & BUTTON_A) turned = orientation - 1 & 3;
    else return;
    if (is_free(turned, column, top)) {
        orientation = turned;
        effect(EFFECT_TURN);
    }
}

static void shift(void) {
    u8 button, shifted;
    if (held & RIGHT) button = RIGHT;
    else if (held & LEFT) button = LEFT;
    else {
        shift_timer = SHIFT_DELAY;
        return;
    }
    if (pressed & button) {
        shift_timer = SHIFT_DELAY;
    } else {
        shift_timer--;
        if (shift_timer) return;
        shift_timer = SHIFT_REPEAT;
    }
    shifted = button == RIGHT ? column + 1 : column - 1;
    if (is_free(orientation, shifted, top)) {
        column = shifted;
        effect(EFFECT_MOVE);
    } else {
        shift_timer = 1;
    }
}

/* Gravity or soft drop; 0 when the piece could not fall although it was time to. */
static u8 drop_one_row(void) {
    if (is_down_alone(held) && !down_blocked) {
        if (soft_timer) return 1;
        soft_timer = SOFT_DROP_FRAMES;
        soft_steps++;
    } else {
        if (drop_timer) {
            drop_timer--;
            return 1;
        }
        drop_timer = speed();
    }
    if (!is_free(orientation, column, top + 1)) return 0;
    top++;
    return 1;
}

static void lock(void) {
    const u8 *cell = cells_of[piece][orientation];
    u8 *box = (u8 *)FIELD + ((u16)top << 4) + column;
    u8 i, points = soft_steps ? soft_steps - 1 : 0;
    u8 tile, row;
    soft_steps = 0;
    if (game_type == A_TYPE) {
        if (points) {
            add_points(score, points);
            queue_score();
        }
    } else {
        drop_points += points;
    }
    down_blocked = 1;
    for (i = 0; i < 4; i++) {
        tile = tile_of(piece, orientation, i);
        box[cell[i]] = tile;
        row = top + (cell[i] >> 4);
        if (row) queue_tile(column + (cell[i] & 3), row - 1, tile);
    }
    hide_piece();
    effect(EFFECT_LOCK);
    elapsed = 0;
    if (column == SPAWN_COLUMN && top == SPAWN_TOP) {
        spawn_locks++;
        if (spawn_locks == 2) {
            phase = LOST;
            return;
        }
    }
    phase = ENTRY;
}

static void find_full_rows(void) {
    u8 row, x;
    u8 *cell;
    full_count = 0;
    for (row = 3; row < 19; row++) {
        cell = (u8 *)FIELD + ((u16)row << 4) + 2;
        for (x = 10; x; x--) {
            if (*cell == BLANK) break;
            cell++;
        }
        if (x == 0) {
            full_rows[full_count] = row;
            full_count++;
        }
    }
}

static void count_lines(void) {
    u16 sum;
    effect(full_count == 4 ? EFFECT_FOUR : EFFECT_CLEAR);
    clears[full_count - 1]++;
    if (game_type == A_TYPE) {
        sum = lines + full_count;
        lines = sum > MAX_LINES ? MAX_LINES : sum;
    } else if (lines > full_count) {
        lines -= full_count;
    } else {
        lines = 0;
    }
    if (game_type == VERSUS && full_count > 1) {
        attack_pending += full_count == 4 ? 4 : full_count - 1;
    }
}

/* Rows move down into the gaps; the uppermost is blanked last, so that several clears at once leave
   copies of it behind. */
static void collapse(void) {
    u8 from, to = 18, next = full_count, x;
    u8 *cell;
    for (from = 18; from; from--) {
        if (next && full_rows[next - 1] == from) {
            next--;
            continue;
        }
        if (to != from) move_row(from, to);
        to--;
    }
    for (; to > 1; to--) move_row(1, to);
    cell = (u8 *)FIELD + 16 + 2;
    for (x = 0; x < 10; x++) cell[x] = BLANK;
}

static void level_up(void) {
    u16 next = 10 * (u16)level;
    /* floor(lines / 10) > level */
    if (level < MAX_LEVEL && lines < 1000 && lines >= next + 10) {
        level++;
        queue_level();
        effect(EFFECT_LEVEL);
    }
}

static void show_full_rows(u8 as) {
    u8 i;
    for (i = 0; i < full_count; i++) {
        if (as == 0) queue_row(full_rows[i]);
        else queue_filled_row(full_rows[i], as);
    }
}

static void clearing_frame(void) {
    elapsed++;
    switch (elapsed) {
    case 2: case 22: case 42:
        show_full_rows(FLASH);
        break;
    case 12: case 32: case 52:
        show_full_rows(0);
        break;
    case 62:
        show_full_rows(BLANK);
        break;
    case 76:
        collapse();
        break;
    case 79:
        if (game_type == A_TYPE) add_points(score, points_of(full_count));
        break;
    case 90:
        if (game_type == A_TYPE) level_up();
        break;
    case 92:
        if (game_type == A_TYPE) queue_score();
        break;
    case 93:
        queue_row(1);
        queue_lines();
        down_blocked = 1;
        if (game_type != A_TYPE && lines == 0) {
            phase = WON;
            return;
        }
        spawn();
        return;
    }
    /* The field is drawn again from the bottom, one row a frame. */
    if (elapsed >= 76 && elapsed < 93) queue_row(18 - (elapsed - 76));
}

static void entry_frame(void) {
    elapsed++;
    if (elapsed == 1) {
        find_full_rows();
        if (full_count) {
            count_lines();
            phase = CLEARING;
            return;
        }
    }
    if (elapsed == 2) spawn();
}

static void pause_and_preview(void) {
    if (pressed & START && (game_type != VERSUS || link_role == MASTER)) {
        paused = !paused;
        if (game_type == VERSUS) news_pending = 0x94;
    }
    if (pressed & SELECT && !paused) {
        preview_hidden = !preview_hidden;
        show_preview();
    }
}

/* After garbage was pushed in, the whole field is drawn again, five rows a frame. */
static void redraw_field(void) {
    u8 count = 5;
    while (redraw_row && count) {
        queue_row(redraw_row);
        redraw_row--;
        count--;
    }
}

void play_frame(void) {
    if (demo_is_on() && !demo_frame()) return;
    if (game_type == VERSUS) {
        link_play_frame();
        if (scene != PLAY) return;
    }
    play_frames++;
    if (soft_timer) soft_timer--;
    pause_and_preview();
    if (paused) {
        if (lcd_wanted != LCD_PAUSE) {
            hide_sprites();
            lcd_wanted = LCD_PAUSE;
            hold_song(1);
            effect(EFFECT_PAUSE);
        }
        return;
    }
    if (lcd_wanted != LCD_PLAY) {
        if (phase == FALLING) show_piece();
        show_preview();
        lcd_wanted = LCD_PLAY;
        hold_song(0);
    }
    if (is_down_alone(held) && is_down_alone(pressed)) down_blocked = 0;
    if (!is_down_alone(held) || down_blocked) soft_steps = 0;
    switch (phase) {
    case FALLING:
        turn();
        shift();
        if (drop_one_row()) show_piece();
        else lock();
        break;
    case ENTRY:
        entry_frame();
        break;
    case CLEARING:
        clearing_frame();
        break;
    }
    redraw_field();
    if (phase == LOST) {
        if (game_type == VERSUS) end_round(I_LOST);
        else if (!demo_is_on()) enter_curtain();
    } else if (phase == WON) {
        if (game_type == VERSUS) end_round(I_WON);
        else enter_b_result();
    }
}
