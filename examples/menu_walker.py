#!/usr/bin/env python3
"""An agent for Gamebot that walks the menus of our own cartridge, Stackfall.

    gamebot play gameboy --player "program:python3 examples/menu_walker.py 7 3"

It chooses the B-type at the given level and height, sees that the game begins, and says that it is done. It
knows the menus by their tiles alone, and looks after every press whether it has worked: a lost press is simply
made again. The protocol is described in docs/agents.md; this file uses nothing but Python's standard library.
"""

import json
import sys

TILE = 8


class Screen:
    """160 × 144 grey pixels, read tile by tile."""

    def __init__(self, width, pixels):
        self.width = width
        self.pixels = pixels

    def darkness(self, x, y):
        """How many of a tile's 64 pixels are dark."""
        first = TILE * y * self.width + TILE * x
        rows = (self.pixels[first + row * self.width:][:TILE] for row in range(TILE))
        return sum(pixel < 128 for row in rows for pixel in row)

    def is_filled(self, x, y):
        return self.darkness(x, y) > 0

    def is_inverse(self, x, y):
        """White on black, as the chosen digit blinks."""
        return self.darkness(x, y) > 40


def level_place(level):
    return 5 + 2 * (level % 5), 6 if level < 5 else 8


def height_place(height):
    return 4 + 2 * height, 13


def menu(screen):
    """Which screen this is, by tiles that only it has."""
    if all(screen.is_filled(1, y) and screen.is_filled(12, y) for y in range(18)):
        return "game"
    # The menus have a wall on either side, the title has none.
    if screen.is_filled(18, 14) and not screen.is_filled(0, 14):
        return "title"
    if all(screen.is_filled(*height_place(height)) for height in range(6)):
        return "b-menu"
    if screen.is_filled(5, 3) and screen.is_filled(3, 5) and screen.is_filled(11, 5):
        return "type"
    return "unknown"


class Walker:
    """Decides about one screen at a time."""

    # The chosen digit is inverse for 16 pictures, then normal for 16.
    BLINK_US = 600_000

    def __init__(self, level, height):
        self.level, self.height = level, height
        self.height_seen_us = None

    def decide(self, screen, time_us):
        where = menu(screen)
        if where == "game":
            return {"type": "game_over"}
        if where == "title":
            return press("start")
        if where == "type":
            # The arrow stands before B-TYPE, or must be moved there.
            return press("start") if screen.is_filled(10, 5) else press("right")
        if where == "b-menu":
            return self.choose(screen, time_us)
        return {"type": "wait"}

    def choose(self, screen, time_us):
        """Level first, then height; the height's digits blink only once the level is chosen."""
        height = next((h for h in range(6) if screen.is_inverse(*height_place(h))), None)
        if height is not None:
            self.height_seen_us = time_us
            if height != self.height:
                return press("right" if height < self.height else "left")
            return press("start")
        if self.height_seen_us is not None and time_us - self.height_seen_us < self.BLINK_US:
            return {"type": "wait"}
        level = next((n for n in range(10) if screen.is_inverse(*level_place(n))), None)
        if level is None:
            return {"type": "wait"}
        if level // 5 != self.level // 5:
            return press("down" if level < self.level else "up")
        if level != self.level:
            return press("right" if level < self.level else "left")
        # After A the height begins to blink: wait for that, or press again.
        self.height_seen_us = time_us
        return press("a")


def press(button):
    """Long enough for slow fingers, with time for the screen to follow."""
    return {"type": "press", "press": [{"button": button, "hold_ms": 60}], "rest_ms": 150}


def main():
    level = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    height = int(sys.argv[2]) if len(sys.argv) > 2 else 3
    walker = Walker(level, height)
    stdin, stdout = sys.stdin.buffer, sys.stdout

    def say(message):
        stdout.write(json.dumps(message) + "\n")
        stdout.flush()

    hello = json.loads(stdin.readline())
    if (hello.get("protocol"), hello.get("version"), hello.get("format")) != ("gamebot-agent", 1, "gray8"):
        sys.exit(f"I speak version 1 of gamebot-agent with gray8 screens, not {hello}")
    say({"type": "ready", "name": "menu walker"})
    for line in stdin:
        header = json.loads(line)
        pixels = stdin.read(header["bytes"])
        say(walker.decide(Screen(header["width"], pixels), header["time_us"]))


if __name__ == "__main__":
    main()
