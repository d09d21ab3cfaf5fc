; Start-up, interrupts and the few routines that must be quick or exact to the cycle.
; Everything else is C. Assembler: sdasgb.

	.module start
	.globl _main
	.globl _wait_frame, _read_pad, _draw_piece, _copy_row, _lcd_off, _lcd_on, _load_tiles
	.globl _tiles

; Hardware registers, as offsets into the page 0xFF00.
P1   = 0x00
SB   = 0x01
SC   = 0x02
DIV  = 0x04
IF   = 0x0F
LCDC = 0x40
SCY  = 0x42
SCX  = 0x43
LY   = 0x44
BGP  = 0x47
OBP0 = 0x48
OBP1 = 0x49
IE   = 0xFF
; In the page above the registers: the routine that copies the sprites, and the flag of the vertical blank.
COPY_SPRITES = 0xFF80
BLANKED      = 0x90

; The memory map of memory.h.
HELD          = 0xC0A3
PRESSED       = 0xC0A4
PIECE_ACTIVE  = 0xC0B2
PIECE_PREVIEW = 0xC0B6
PIECE_HIDDEN  = 0xC0B7
DRAWS         = 0xC0CC
FIRST_DIV     = 0xC0CD
LINK_ROLE     = 0xC0D8
LINK_SEND     = 0xC0D9
LINK_IDLE     = 0xC0DA
LINK_WRITE    = 0xC0DB
QUEUE_END     = 0xC0F0
LINK_RING     = 0xC0E0
LCD_WANTED    = 0xC0FD
QUEUE         = 0xC100
COPY_FROM     = 0xC0F2
COPY_TO       = 0xC0F4

	.area _HEADER (ABS)
	.org 0x0040
	jp vertical_blank
	.org 0x0058
	jp serial
	.org 0x0100
	nop
	jp begin

	.org 0x0150
begin:
	di
	ld sp, #0xE000
	; Memory is random at power-on; the game wants zeros.
	ld hl, #0xC000
clear_memory:
	xor a
	ld (hl+), a
	ld a, h
	cp #0xDF
	jr nz, clear_memory
	; The sprites can only be copied by code outside the cartridge.
	ld hl, #sprite_routine
	ld de, #COPY_SPRITES
	ld b, #sprite_routine_end - sprite_routine
copy_routine:
	ld a, (hl+)
	ld (de), a
	inc de
	dec b
	jr nz, copy_routine
	xor a
	ldh (SCX), a
	ldh (SCY), a
	ldh (IF), a
	ldh (BLANKED), a
	ld a, #0xE4
	ldh (BGP), a
	ldh (OBP0), a
	ldh (OBP1), a
	ld a, #0x09		; vertical blank and serial
	ldh (IE), a
	ei
	call _main
forever:
	jr forever

sprite_routine:
	ld a, #0xC0
	ldh (0x46), a
	ld a, #40
sprite_wait:
	dec a
	jr nz, sprite_wait
	ret
sprite_routine_end:

vertical_blank:
	push af
	ld a, #1
	ldh (BLANKED), a
	pop af
	reti

; A byte has come over the cable: into the ring of 16, and the next one is made ready.
serial:
	push af
	push hl
	ld a, (LINK_WRITE)
	ld l, a
	inc a
	and #0x0F
	ld (LINK_WRITE), a
	ld a, l
	add a, #<LINK_RING
	ld l, a
	ld h, #>LINK_RING
	ldh a, (SB)
	ld (hl), a
	ld a, (LINK_ROLE)
	cp #1			; the master starts its next transfer itself
	jr z, serial_end
	ld a, (LINK_SEND)
	ldh (SB), a
	ld a, (LINK_IDLE)
	ld (LINK_SEND), a
	ld a, #0x80
	ldh (SC), a
serial_end:
	pop hl
	pop af
	reti

	.area _CODE

; Waits for the vertical blank, then copies the sprites, which map is shown and what was queued for video memory.
_wait_frame::
wait_more:
	halt
	nop
	ldh a, (BLANKED)
	or a
	jr z, wait_more
	xor a
	ldh (BLANKED), a
	call COPY_SPRITES
	ld a, (LCD_WANTED)
	ldh (LCDC), a
	; Queue: length, address low, address high, bytes; a length of 0 ends it.
	ld hl, #QUEUE
next_entry:
	ld a, (hl+)
	or a
	jr z, queue_done
	ld b, a
	ld a, (hl+)
	ld e, a
	ld a, (hl+)
	ld d, a
next_byte:
	ld a, (hl+)
	ld (de), a
	inc de
	dec b
	jr nz, next_byte
	jr next_entry
queue_done:
	xor a
	ld (QUEUE), a
	ld (QUEUE_END), a
	ret

; Held and newly pressed buttons: right, left, up, down, A, B, Select, Start from bit 0.
_read_pad::
	ld a, #0x20
	ldh (P1), a
	ldh a, (P1)
	ldh a, (P1)
	ldh a, (P1)
	ldh a, (P1)
	cpl
	and #0x0F
	ld b, a
	ld a, #0x10
	ldh (P1), a
	ldh a, (P1)
	ldh a, (P1)
	ldh a, (P1)
	ldh a, (P1)
	ldh a, (P1)
	ldh a, (P1)
	cpl
	and #0x0F
	swap a
	or b
	ld b, a
	ld a, #0x30
	ldh (P1), a
	ld a, (HELD)
	cpl
	and b
	ld (PRESSED), a
	ld a, b
	ld (HELD), a
	ret

; The new hidden piece. A candidate is (divider - 1) mod 7, counted off one by one: a step takes 14
; machine cycles, or 13 when the count wraps, and everything else between two reads of the divider 25,
; as on the console's own falling-block game, so that rejected candidates are followed by the same ones.
_draw_piece::
	push bc
	push de
	push hl
	ld hl, #DRAWS
	inc (hl)
	ld a, (PIECE_ACTIVE)
	ld c, a
	ld a, (PIECE_PREVIEW)
	or c
	ld e, a
	ld d, #3
	ldh a, (DIV)		; remembered for tests; the count below reads it again
	ld (FIRST_DIV), a
candidate:
	ldh a, (DIV)		; 3
	ld b, a			; 1
wrap:
	xor a			; 1
count:
	dec b			; 1
	jr z, counted		; 2, at the end 3
	inc a			; 1
	nop
	nop
	nop
	cp #7			; 2
	jr z, wrap		; 2 or 3
	jr count		; 3
counted:
	ld h, a			; 1
	or e			; 1
	cp c			; 1
	jr nz, accepted		; 2
	nop			; 7 to make the 25 full
	nop
	nop
	nop
	nop
	nop
	nop
	dec d			; 1
	jr nz, candidate	; 3
accepted:
	ld a, h
	ld (PIECE_HIDDEN), a
	pop hl
	pop de
	pop bc
	ret

; Copies the ten cells of a field row from COPY_FROM to COPY_TO.
_copy_row::
	push bc
	push de
	push hl
	ld hl, #COPY_FROM
	ld a, (hl+)
	ld c, a
	ld b, (hl)
	inc hl
	ld a, (hl+)
	ld e, a
	ld d, (hl)
	ld h, #10
copy_cell:
	ld a, (bc)
	ld (de), a
	inc bc
	inc de
	dec h
	jr nz, copy_cell
	pop hl
	pop de
	pop bc
	ret

; Switches the display off, which is only allowed in the vertical blank.
_lcd_off::
	ldh a, (LCDC)
	rlca
	ret nc
lcd_wait:
	ldh a, (LY)
	cp #145
	jr nz, lcd_wait
	xor a
	ldh (LCDC), a
	ret

_lcd_on::
	ld a, #0xD3
	ld (LCD_WANTED), a
	ldh (LCDC), a
	ret

; Copies the 0xB0 tiles into video memory; the display is off.
_load_tiles::
	push bc
	push de
	ld hl, #_tiles
	ld de, #0x8000
	ld bc, #0x0B00
tile_byte:
	ld a, (hl+)
	ld (de), a
	inc de
	dec bc
	ld a, b
	or c
	jr nz, tile_byte
	pop de
	pop bc
	ret
