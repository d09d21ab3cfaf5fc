/* Stackfall: one pass of the loop is one frame. */

#include "memory.h"

static void run_scene(void) {
    switch (scene) {
    case TITLE: title_frame(); break;
    case TYPE: type_frame(); break;
    case LEVEL: level_frame(); break;
    case B_LEVEL: b_level_frame(); break;
    case B_HIGH: b_high_frame(); break;
    case PLAY: play_frame(); break;
    case CURTAIN: curtain_frame(); break;
    case OVER: over_frame(); break;
    case NAME: name_frame(); break;
    case B_RESULT: b_result_frame(); break;
    case LINK_SETUP: setup_frame(); break;
    case LINK_SENDING: sending_frame(); break;
    case LINK_RECEIVING: receiving_frame(); break;
    case LINK_RESULT: link_result_frame(); break;
    case ROCKET: rocket_frame(); break;
    }
}

void main(void) {
    lcd_off();
    load_tiles();
    clear_table();
    enter_title();
    for (;;) {
        wait_frame();
        read_pad();
        frame_low++;
        if (frame_low == 0) frame_high++;
        if ((held & 0xF0) == 0xF0 && pressed) {
            heart = 0;
            enter_title();
        } else {
            run_scene();
        }
        sound_frame();
    }
}
