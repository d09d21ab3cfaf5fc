/* The memory map. Tests read it (crates/gameboy/src/memory.rs); players never do. */

#ifndef MEMORY_H
#define MEMORY_H

#include "songs.h"

typedef unsigned char u8;
typedef unsigned int u16;

#define AT(address) (*(u8 *)(address))
#define VOLATILE_AT(address) (*(volatile u8 *)(address))
#define BYTES(address) ((u8 *)(address))

/* Hardware. */
#define REG_SB VOLATILE_AT(0xFF01)
#define REG_SC VOLATILE_AT(0xFF02)
#define REG_DIV VOLATILE_AT(0xFF04)
#define REG(offset) VOLATILE_AT(0xFF00 + (offset))
#define LCD_PLAY 0xD3
#define LCD_PAUSE 0xDB
#define MAP 0x9800u
#define PAUSE_MAP 0x9C00u

/* Sprites: four bytes each, copied to the display in every frame. */
#define SPRITES BYTES(0xC000)

#define scene AT(0xC0A0)
#define frame_low AT(0xC0A1)
#define frame_high AT(0xC0A2)
#define held AT(0xC0A3)
#define pressed AT(0xC0A4)
#define game_type AT(0xC0A5)
#define heart AT(0xC0A6)
#define start_level AT(0xC0A7)
#define level AT(0xC0A8)
#define high AT(0xC0A9)
/* Six decimal digits, units first. */
#define score BYTES(0xC0AA)
#define lines (*(u16 *)0xC0B0)
#define piece AT(0xC0B2)
#define orientation AT(0xC0B3)
/* Screen column of the box's left column, and field row of its upper row (0 is the invisible row). */
#define column AT(0xC0B4)
#define top AT(0xC0B5)
#define preview AT(0xC0B6)
#define hidden AT(0xC0B7)
#define phase AT(0xC0B8)
#define elapsed AT(0xC0B9)
#define full_count AT(0xC0BA)
#define drop_timer AT(0xC0BB)
#define shift_timer AT(0xC0BC)
#define soft_timer AT(0xC0BD)
#define soft_steps AT(0xC0BE)
#define down_blocked AT(0xC0BF)
#define spawn_locks AT(0xC0C0)
#define paused AT(0xC0C1)
#define preview_hidden AT(0xC0C2)
/* Clears of one to four lines. */
#define clears BYTES(0xC0C3)
#define drop_points (*(u16 *)0xC0C8)
#define garbage_rows AT(0xC0CA)
#define garbage_hole AT(0xC0CB)
/* How many pieces were drawn (modulo 256), and the divider just before the last draw. */
#define draws AT(0xC0CC)
#define first_div AT(0xC0CD)
/* Frames of play, 16 bits. */
#define play_frames (*(u16 *)0xC0CE)
/* Field rows that are full, uppermost first. */
#define full_rows BYTES(0xC0D0)
#define redraw_row AT(0xC0D4)
#define list_index AT(0xC0D5)
#define my_wins AT(0xC0D6)
#define their_wins AT(0xC0D7)
#define link_role VOLATILE_AT(0xC0D8)
#define link_send VOLATILE_AT(0xC0D9)
#define link_idle VOLATILE_AT(0xC0DA)
#define link_write VOLATILE_AT(0xC0DB)
#define link_read AT(0xC0DC)
#define attack_pending AT(0xC0DD)
#define news_pending AT(0xC0DE)
#define their_height AT(0xC0DF)
#define LINK_RING ((volatile u8 *)0xC0E0)
#define queue_end AT(0xC0F0)
#define copy_from (*(u16 *)0xC0F2)
#define copy_to (*(u16 *)0xC0F4)
#define cursor AT(0xC0F6)
#define timer AT(0xC0F7)
#define entry_rank AT(0xC0F8)
#define entry_letter AT(0xC0F9)
#define result AT(0xC0FA)
#define repeat_timer AT(0xC0FB)
/* The music that is chosen: a song, effects alone, or nothing. */
#define music AT(0xC0FC)
/* What the display's control register becomes at the next vertical blank. */
#define lcd_wanted AT(0xC0FD)
#define QUEUE BYTES(0xC100)
/* The field: 20 rows of 16 bytes; row 0 is invisible, row 19 the floor, cells in columns 2 to 11. */
#define FIELD 0xC200u
/* The pieces of a two-player round. */
#define LIST BYTES(0xC400)
/* Best scores of the A-type: ten levels of three entries of six digits (units first) and six letters. */
#define TABLE BYTES(0xC500)
#define ENTRY_SIZE 12

enum { TITLE, TYPE, LEVEL, B_LEVEL, B_HIGH, PLAY, CURTAIN, OVER, NAME, B_RESULT,
       LINK_SETUP, LINK_SENDING, LINK_RECEIVING, LINK_RESULT, ROCKET };
enum { A_TYPE, B_TYPE, VERSUS };
enum { FALLING, ENTRY, CLEARING, WON, LOST };
enum { ALONE, MASTER, SLAVE };
enum { NOBODY, I_WON, I_LOST, DRAW };
enum { MUSIC_1 = SONG_SUNRISE, MUSIC_2 = SONG_NIGHT_TRAIN, NO_MUSIC, SILENT };

#define RIGHT 0x01
#define LEFT 0x02
#define UP 0x04
#define DOWN 0x08
#define BUTTON_A 0x10
#define BUTTON_B 0x20
#define SELECT 0x40
#define START 0x80

#define BLANK 0x2F
#define DOT 0x24
#define DASH 0x25
#define BANG 0x26
#define HEART 0x27
#define RUBBLE 0x28
#define ARROW 0x29
#define INVERSE 0x30
#define WALL 0x60
#define FILLER 0x63
#define BRICK 0x87
#define FLASH 0x8C

/* start.s */
void wait_frame(void);
void read_pad(void);
void draw_piece(void);
void copy_row(void);
void lcd_off(void);
void lcd_on(void);
void load_tiles(void);

/* screen.c */
void begin_screen(void);
void text(u8 x, u8 y, const char *words);
void put_tile(u8 x, u8 y, u8 tile);
void frame_box(u8 x, u8 y, u8 width, u8 height);
void side_walls(void);
void put_digits(u8 x, u8 y, const u8 *digits);
void queue_bytes(u16 address, u8 count, const u8 *bytes);
void queue_tile(u8 x, u8 y, u8 tile);
void queue_text(u8 x, u8 y, const char *words);
void queue_row(u8 row);
void queue_filled_row(u8 row, u8 tile);
void draw_play_screen(void);
void queue_score(void);
void queue_lines(void);
void queue_level(void);
void show_piece(void);
void hide_piece(void);
void show_preview(void);
void hide_sprites(void);
void sprite(u8 index, u8 x, u8 y, u8 tile);

/* play.c */
extern const u8 cells_of[7][4][4];
u8 tile_of(u8 which, u8 turned, u8 cell);
u8 is_free(u8 turned, u8 at_column, u8 at_top);
u16 points_of(u8 count);
void add_points(u8 *digits, u16 points);
void start_game(void);
void play_frame(void);

/* rubble.c */
void fill_rubble(void);

/* title.c */
void enter_title(void);
void title_frame(void);

/* menu.c */
void mark(u8 x, u8 other, u8 y);
void enter_type(void);
void type_frame(void);
void enter_level(void);
void level_frame(void);
void enter_b_level(void);
void b_level_frame(void);
void b_high_frame(void);
void clear_table(void);
void enter_best(void);
void name_frame(void);

/* ending.c */
void enter_curtain(void);
void curtain_frame(void);
void over_frame(void);
void enter_b_result(void);
void b_result_frame(void);

/* rocket.c */
u8 rocket_size(const u8 *digits);
void enter_rocket(u8 size, u8 next);
void rocket_frame(void);

/* demo.c */
u8 demo_is_on(void);
void enter_demo(void);
void end_demo(void);
u8 demo_frame(void);

/* sound.c */
void sound_on(void);
void sound_frame(void);
void play_song(u8 song);
void play_music(void);
void stop_song(void);
void hold_song(u8 hold);
void effect(u8 which);

/* songs.c: harmony, lead, bass and drums of every sound. */
extern const u8 *const songs[][4];

/* link.c */
void link_listen(void);
void link_call(void);
void link_title_frame(void);
void link_play_frame(void);
void setup_frame(void);
void sending_frame(void);
void receiving_frame(void);
void link_result_frame(void);
void enter_link_result(u8 outcome);
void end_round(u8 outcome);

#endif
