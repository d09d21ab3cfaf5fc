"""An emulated Game Boy with our free cartridge, *Stackfall*, or an image of your own."""

from ._native.gameboy import BUTTONS, Console

__all__ = ["BUTTONS", "Console"]
