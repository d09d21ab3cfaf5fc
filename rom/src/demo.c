/* The demo: the title was left alone, and the cartridge plays by itself for a minute.

   A piece's place is found by trying: one turn and column a frame, each judged by the heights and holes it
   would leave. Then the piece is steered there by the same buttons that a player has. */

#include "memory.h"

#define TURNS 4
#define FIRST_COLUMN 0
#define LAST_COLUMN 12
#define LENGTH 3600u

static u8 is_on;
/* The piece that is being placed, by the number of pieces drawn. */
static u8 for_draw;
static u8 try_turn, try_column;
static u8 best_turn, best_column;
static u16 best_cost;
/* The uppermost row with anything in it, 19 when there is none: above it nothing needs a look. */
static u8 stack_top;

static u8 find_stack_top(void) {
    u8 row, x;
    u8 *cell = (u8 *)FIELD + 16 + 2;
    for (row = 1; row < 19; row++) {
        for (x = 0; x < 10; x++) {
            if (cell[x] != BLANK) return row;
        }
        cell += 16;
    }
    return row;
}

/* Heights weigh 6, holes 24, steps between columns 2. Rows above the first are empty. */
static u16 cost_of_field(u8 first) {
    u8 x, row, height, before = 0, filled, rows = 19 - first;
    u16 cost = 1000;
    u8 *column_top = (u8 *)FIELD + ((u16)first << 4) + 2, *cell;
    for (x = 0; x < 10; x++) {
        cell = column_top;
        for (row = rows; row; row--) {
            if (*cell != BLANK) break;
            cell += 16;
        }
        height = row;
        filled = 0;
        for (; row; row--) {
            if (*cell != BLANK) filled++;
            cell += 16;
        }
        cost += 6 * height;
        cost += 24 * (height - filled);
        if (x) cost += 2 * (height > before ? height - before : before - height);
        before = height;
        column_top++;
    }
    return cost;
}

static u8 full_rows_from(u8 row) {
    u8 last = row + 4 < 19 ? row + 4 : 19, count = 0, x;
    u8 *cell;
    for (; row < last; row++) {
        cell = (u8 *)FIELD + ((u16)row << 4) + 2;
        for (x = 10; x; x--) {
            if (*cell == BLANK) break;
            cell++;
        }
        if (x == 0) count++;
    }
    return count;
}

static void put_cells(u8 turned, u8 at_column, u8 at_top, u8 tile) {
    const u8 *cell = cells_of[piece][turned];
    u8 *box = (u8 *)FIELD + ((u16)at_top << 4) + at_column;
    box[cell[0]] = box[cell[1]] = box[cell[2]] = box[cell[3]] = tile;
}

/* Judges one place and goes on to the next one; 0 when all have been judged. */
static u8 try_next(void) {
    u8 row = top;
    u16 cost;
    if (try_turn == TURNS) return 0;
    if (is_free(try_turn, try_column, row)) {
        if (row + 4 < stack_top) row = stack_top - 4;
        while (is_free(try_turn, try_column, row + 1)) row++;
        put_cells(try_turn, try_column, row, BRICK);
        cost = cost_of_field(row < stack_top ? row ? row : 1 : stack_top);
        cost -= 68 * full_rows_from(row);
        put_cells(try_turn, try_column, row, BLANK);
        if (cost < best_cost) {
            best_cost = cost;
            best_turn = try_turn;
            best_column = try_column;
        }
    }
    try_column++;
    if (try_column == LAST_COLUMN) {
        try_column = FIRST_COLUMN;
        try_turn++;
    }
    return 1;
}

/* The buttons for this frame: a press every other frame, then down. */
static u8 steer(void) {
    if (phase != FALLING) return 0;
    if (for_draw != draws) {
        for_draw = draws;
        try_turn = 0;
        try_column = FIRST_COLUMN;
        best_cost = 0xFFFF;
        stack_top = find_stack_top();
        best_turn = orientation;
        best_column = column;
        return 0;
    }
    if (try_next()) return 0;
    if (frame_low & 3) return orientation == best_turn && column == best_column ? DOWN : 0;
    if (orientation != best_turn) return BUTTON_B;
    if (column < best_column) return RIGHT;
    if (column > best_column) return LEFT;
    return DOWN;
}

u8 demo_is_on(void) {
    return is_on;
}

void end_demo(void) {
    is_on = 0;
}

void enter_demo(void) {
    is_on = 1;
    for_draw = draws - 1;
    game_type = A_TYPE;
    start_game();
}

/* Before a frame of play: whether the demo goes on. Any of the four lower buttons ends it, and so does a
   call over the cable. */
u8 demo_frame(void) {
    static u8 before;
    u8 now;
    link_title_frame();
    if (scene != PLAY) {
        is_on = 0;
        return 0;
    }
    if (held & (START | SELECT | BUTTON_A | BUTTON_B) || play_frames >= LENGTH || phase == LOST) {
        enter_title();
        return 0;
    }
    now = steer();
    pressed = now & ~before;
    held = before = now;
    return 1;
}
