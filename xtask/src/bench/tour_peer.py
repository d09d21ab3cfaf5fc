"""The tour of crates/gameboy/examples/tour in PyBoy: tour_peer.py ROM FRAMES prints the same numbers and pictures."""

import sys
import zlib

import numpy
from pyboy import PyBoy

QUIET, BLOCK, PRESS, SETTLED, FIRST = 9_000, 12, 5, 1, 4
LCDC, SCENE, FRAME, GAME_TYPE, HIGH = 0xFF40, 0xC0A0, 0xC0A1, 0xC0A5, 0xC0A9
FIRST_DIGIT, LINES, PIECE, TOP, PREVIEW, HIDDEN = 0xC0AF, 0xC0B0, 0xC0B2, 0xC0B5, 0xC0B6, 0xC0B7
PHASE, DRAWS, MUSIC, FIELD = 0xC0B8, 0xC0CC, 0xC0FC, 0xC202
SHOWN, TYPE, PLAY, BLANK, CELL = 0xD3, 1, 5, 0x2F, 0x82
ORDINARY = ["left"] * 3 + ["right"] * 3 + ["down"] * 5 + ["a", "b", "b", "up", None]


def dice(block):
    mixed = block * 2_654_435_761 & 0xFFFFFFFF
    return ((mixed ^ mixed >> 15) * 2_246_822_519 & 0xFFFFFFFF) >> 13


def button(frame, scene):
    if frame < QUIET or frame % BLOCK >= PRESS:
        return None
    block = frame // BLOCK
    if dice(block) % 24 == 0 or dice(block - 1) % 24 == 0:
        return "start"
    wanted = ORDINARY[dice(block) % 16]
    return None if scene == TYPE and wanted in ("up", "down") else wanted


def arrange(memory):
    draws = memory[DRAWS]
    if memory[LCDC] & 0x80 == 0:
        count = memory[FRAME]
        memory[PIECE] = count % 7
        memory[PREVIEW] = count // 7 % 7
        memory[HIDDEN] = count // 3 % 7
        memory[MUSIC] = count // 4 % 2
        if memory[SCENE] <= TYPE:
            memory[GAME_TYPE] = count // 8 % 2
        if memory[GAME_TYPE] == 1:
            rubble = 18 - 2 * min(memory[HIGH], 5)
            for row in range(9, 19):
                for x in range(10):
                    filled = row > rubble and (row * 7 + x * 3 + count) % 5 < 2
                    memory[FIELD + 16 * row + x] = CELL if filled else BLANK
        return
    memory[HIDDEN] = (draws * 5 + 3) % 7
    just_came = memory[SCENE] == PLAY and memory[PHASE] == 0 and memory[TOP] == 2
    if just_came and draws % 3 == 0:
        for x in range(10):
            memory[FIELD + 16 * 18 + x] = CELL
    if just_came and draws % 5 == 0:
        memory[FIRST_DIGIT] = 1 + draws % 3
        if memory[GAME_TYPE] == 1:
            memory[LINES] = 1


def checksum(console):
    luma = console.screen.ndarray[:, :, 0]
    return zlib.crc32(numpy.select([luma > 200, luma > 120, luma > 40], [0, 1, 2], 3).astype("uint8").tobytes())


def main(rom, frames):
    console = PyBoy(rom, window="null", sound_emulated=True, cgb=False, log_level="ERROR")
    console.set_emulation_speed(0)
    memory = console.memory
    while memory[LCDC] != SHOWN:
        console.tick(1, True, True)
    frame, count, down, since_off = memory[FRAME], memory[FRAME], None, 0
    lines = []
    # PyBoy stops after the cartridge has begun its next frame, so its picture belongs to the frame before.
    while frame <= frames:
        wanted = button(frame + 1, memory[SCENE])
        if wanted != down:
            if down:
                console.button_release(down)
            if wanted:
                console.button_press(wanted)
            down = wanted
        console.tick(1, True, True)
        picture = checksum(console)
        off = memory[LCDC] & 0x80 == 0
        arrange(memory)
        if memory[FRAME] != count:
            count = memory[FRAME]
            if frame >= FIRST:
                lines.append(f"{frame} " + (f"{picture:08x}" if since_off > SETTLED else "-"))
            frame += 1
            since_off += 1
        if off:
            since_off = 0
    print("\n".join(lines))


main(sys.argv[1], int(sys.argv[2]))
