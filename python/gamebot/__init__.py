"""Solvers, environments and an emulated Game Boy for Connect Four, Tetris and SameGame.

The modules are ``connect_four``, ``tetris``, ``samegame``, ``gameboy`` and ``recording``. Importing the package
registers the environments ``gamebot/ConnectFour-v0``, ``gamebot/SameGame-v0`` and ``gamebot/Tetris-v0`` if
Gymnasium is installed; ``gamebot.pettingzoo`` has games for two, ``python -m gamebot.cluster`` many machines.
"""

from importlib.util import find_spec as _find_spec

from . import connect_four, gameboy, recording, samegame, tetris
from ._native import BudgetExhausted

__all__ = ["BudgetExhausted", "connect_four", "gameboy", "recording", "samegame", "tetris"]

if _find_spec("gymnasium") is not None:
    from .environments import register as _register

    _register()
