"""Frames per second of processor time of PyBoy with our cartridge, pressed as in crates/gameboy/benches/speed.rs."""

import json
import sys
import time

from pyboy import PyBoy

FRAMES = 30_000
ALL = ["a", "b", "start", "select", "left", "right", "up", "down"]


def held(frame):
    if frame < 160 or frame % 4000 < 160:
        return "start" if frame % 20 < 2 else None
    phase, turn = frame % 64, frame // 64 % 4
    if phase < 2:
        return "a"
    if 4 <= phase < 30 and turn == 0 or 4 <= phase < 6 and turn == 2:
        return "left"
    if 4 <= phase < 30 and turn == 1:
        return "right"
    if 30 <= phase < 60:
        return "down"
    return None


def measure(rom, render):
    console = PyBoy(rom, window="null", sound_emulated=False, no_input=True, log_level="ERROR")
    console.set_emulation_speed(0)
    before = None
    start = 0.0
    for frame in range(200 + FRAMES):
        if frame == 200:
            start = time.process_time()
        now = held(frame)
        if now != before:
            if before:
                console.button_release(before)
            if now:
                console.button_press(now)
            before = now
        console.tick(1, render)
    seconds = time.process_time() - start
    console.stop(save=False)
    return FRAMES / seconds


rendered = max(measure(sys.argv[1], True) for _ in range(3))
print(json.dumps({"rendered": rendered, "not_rendered": measure(sys.argv[1], False)}))
