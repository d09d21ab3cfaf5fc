/* Two players on one cable. The master starts one transfer a frame; each carries a byte both ways:

   0x00..0x12  height of my stack        0x40+n  I chose height n
   0x20+p      piece p of the list       0x50    the list has ended: begin
   0x80+n      n rows of rubble for you  0xAA    I have topped out
   0x77        I have my lines           0x94    pause, or go on
   0x29, 0x55  who calls, who answers    0xFF    nobody there                                     */

#include "memory.h"

#define CALL 0x29
#define ANSWER 0x55
#define WINS 4

/* Ready to be called. */
void link_listen(void) {
    link_role = ALONE;
    link_send = link_idle = ANSWER;
    link_read = link_write;
    REG_SB = ANSWER;
    REG_SC = 0x80;
}

/* Calls; the answer arrives some frames later. */
void link_call(void) {
    link_role = MASTER;
    timer = 4;
    REG_SB = CALL;
    REG_SC = 0x81;
}

/* The next byte that came, or 0xFF. */
static u8 receive(void) {
    u8 byte;
    if (link_read == link_write) return 0xFF;
    byte = LINK_RING[link_read];
    link_read = link_read + 1 & 15;
    return byte;
}

static void transfer(void) {
    if (link_role != MASTER) return;
    REG_SB = link_send;
    link_send = link_idle;
    REG_SC = 0x81;
}

static void show_setup(void) {
    u8 i;
    begin_screen();
    side_walls();
    scene = LINK_SETUP;
    game_type = VERSUS;
    text(5, 2, "TWO PLAYERS");
    text(4, 4, link_role == MASTER ? "START BEGINS" : "OTHER BEGINS");
    text(8, 8, "HIGH");
    for (i = 0; i < 6; i++) put_tile(4 + 2 * i, 10, i);
    link_send = link_idle = 0x40 + high;
    lcd_on();
}

static void begin_match(u8 role) {
    link_role = role;
    my_wins = their_wins = 0;
    high = 0;
    show_setup();
}

void link_title_frame(void) {
    u8 byte = receive();
    if (link_role == MASTER) {
        if (byte == ANSWER) begin_match(MASTER);
        else if (--timer == 0) link_listen();
    } else if (byte == CALL) {
        begin_match(SLAVE);
    }
}

static void get_ready(u8 next) {
    stop_song();
    begin_screen();
    text(6, 8, "GET READY");
    scene = next;
    play_frames = 0;
    lcd_on();
}

static void start_sending(void) {
    u8 i = 0;
    piece = preview = 0;
    /* Drawn as in a game alone: each knows the two pieces before it. */
    do {
        draw_piece();
        LIST[i] = hidden;
        piece = preview;
        preview = hidden;
        i++;
    } while (i);
    get_ready(LINK_SENDING);
}

static void start_receiving(u8 byte) {
    LIST[0] = byte - 0x20;
    list_index = 1;
    link_send = link_idle = 0;
    get_ready(LINK_RECEIVING);
}

static u8 is_piece(u8 byte) {
    return byte >= 0x20 && byte < 0x27;
}

static void begin_round(void) {
    u8 last = LIST[255] << 2;
    garbage_hole = last ? (last - 1) % 10 : 5;
    their_height = 0;
    start_game();
    link_send = link_idle = 0;
}

void setup_frame(void) {
    u8 before = high, byte;
    if (pressed & RIGHT && high < 5) high++;
    if (pressed & LEFT && high > 0) high--;
    if (high != before) {
        queue_tile(4 + 2 * before, 10, before);
        effect(EFFECT_MOVE);
        link_idle = link_send = 0x40 + high;
    }
    queue_tile(4 + 2 * high, 10, frame_low & 0x10 ? high : INVERSE + high);
    byte = receive();
    if (link_role == MASTER) {
        if (pressed & START) start_sending();
        else transfer();
    } else if (is_piece(byte)) {
        start_receiving(byte);
    }
}

/* The first piece, some frames in which the other player draws its screen, one piece a frame, a
   moment to write the last of them down, and the word to begin. */
#define DRAWING 12
#define LAST_PIECE (DRAWING + 255)

void sending_frame(void) {
    u16 step = play_frames;
    play_frames++;
    while (receive() != 0xFF) {}
    if (step && step < DRAWING) return;
    if (step < LAST_PIECE) {
        link_send = 0x20 + LIST[step ? step - DRAWING + 1 : 0];
        transfer();
    } else if (step == LAST_PIECE + 4) {
        link_send = 0x50;
        transfer();
    } else if (step == LAST_PIECE + 5) {
        begin_round();
    }
}

void receiving_frame(void) {
    u8 byte = receive();
    while (byte != 0xFF) {
        if (byte == 0x50) {
            begin_round();
            return;
        }
        if (is_piece(byte)) {
            LIST[list_index] = byte - 0x20;
            list_index++;
        }
        byte = receive();
    }
}

static u8 stack_height(void) {
    u8 *cell = (u8 *)FIELD + 16 + 2;
    u8 height, x;
    for (height = 18; height; height--) {
        for (x = 0; x < 10; x++) {
            if (cell[x] != BLANK) return height;
        }
        cell += 16;
    }
    return 0;
}

static void show_their_height(u8 height) {
    u8 digits[2];
    their_height = height;
    digits[0] = height >= 10 ? 1 : BLANK;
    digits[1] = height >= 10 ? height - 10 : height;
    queue_bytes(MAP + 32 * 7 + 16, 2, digits);
}

/* What came from the other side, and what goes there; before the frame's own play. */
void link_play_frame(void) {
    u8 byte = receive();
    while (byte != 0xFF) {
        if (byte <= 18) {
            if (byte != their_height) show_their_height(byte);
        } else if ((byte & 0xF0) == 0x80) {
            garbage_rows += byte & 0x0F;
        } else if (byte == 0xAA || byte == 0x77) {
            news_pending = 0;
            enter_link_result(byte == 0xAA ? I_WON : I_LOST);
            return;
        } else if (byte == 0x94 && link_role == SLAVE) {
            paused = !paused;
        }
        byte = receive();
    }
    if (phase == ENTRY && elapsed == 0) link_idle = stack_height();
    if (link_send <= 18) {
        if (news_pending) {
            link_send = news_pending;
            news_pending = 0;
        } else if (attack_pending) {
            link_send = 0x80 + attack_pending;
            attack_pending = 0;
        } else {
            link_send = link_idle;
        }
    }
    transfer();
}

/* This side's round is over by its own doing: the other side is told. */
void end_round(u8 outcome) {
    enter_link_result(outcome);
    link_send = outcome == I_WON ? 0x77 : 0xAA;
}

static void show_result(void) {
    begin_screen();
    side_walls();
    text(6, 3, result == DRAW ? "A DRAW" : result == I_WON ? "YOU WON" : "YOU LOST");
    text(4, 7, "WINS");
    put_tile(14, 7, my_wins);
    text(4, 9, "THEIRS");
    put_tile(14, 9, their_wins);
    if (my_wins == WINS || their_wins == WINS) text(5, 13, "MATCH OVER");
    else text(5, 13, link_role == MASTER ? "START BEGINS" : "OTHER BEGINS");
    lcd_on();
}

void enter_link_result(u8 outcome) {
    result = outcome;
    if (outcome == I_WON) my_wins++;
    else their_wins++;
    link_send = link_idle = 0;
    scene = LINK_RESULT;
    play_song(outcome == I_WON ? SONG_TRIUMPH : SONG_GAME_OVER);
    show_result();
}

void link_result_frame(void) {
    u8 byte = receive();
    if (link_role == SLAVE && is_piece(byte)) {
        start_receiving(byte);
        return;
    }
    /* Both ended in the same moment: nobody's round. */
    if (byte == 0xAA && result == I_LOST) {
        result = DRAW;
        their_wins--;
        show_result();
    } else if (byte == 0x77 && result == I_WON) {
        result = DRAW;
        my_wins--;
        show_result();
    }
    if (pressed & START) {
        if (my_wins == WINS || their_wins == WINS) enter_title();
        else if (link_role == MASTER) start_sending();
    } else {
        transfer();
    }
}
