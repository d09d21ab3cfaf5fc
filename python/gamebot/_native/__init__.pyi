from . import connect_four as connect_four
from . import environments as environments
from . import gameboy as gameboy
from . import recording as recording
from . import samegame as samegame
from . import tetris as tetris

__all__ = [
    "BudgetExhausted",
    "_defect",
    "connect_four",
    "environments",
    "gameboy",
    "recording",
    "samegame",
    "tetris",
]

class BudgetExhausted(RuntimeError): ...

def _defect(way: str) -> None: ...
