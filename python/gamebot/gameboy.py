"""An emulated Game Boy with our free cartridge, *Stackfall*, or an image of yours, and our player that watches it."""

from ._native.gameboy import BUTTONS, Console, Player

__all__ = ["BUTTONS", "Console", "Player"]
