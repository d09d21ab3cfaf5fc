"""Tetris for two on the link cable: the same pieces, rubble for lines, 30 lines win.

>>> from gamebot.pettingzoo import tetris_versus_v0
>>> env = tetris_versus_v0.parallel_env()
>>> observations, infos = env.reset(seed=1)
>>> actions = {agent: int(infos[agent]["action_mask"].argmax()) for agent in env.agents}
>>> _ = env.step(actions)

An action is ``10 * orientation + column`` as in ``gamebot/Tetris-v0``; one outside the mask puts the piece into the
first legal place instead. An observation has the own board and the other's, 18 × 10 each, under a row with the piece
in play and the next one, numbered from 1; ``action_mask`` and ``lines`` are in the info. Two, three and four lines push one, two and four rows under the other's stack.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from numpy.typing import NDArray
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils import parallel_to_aec

from ..tetris import Versus

__all__ = ["TetrisVersus", "env", "parallel_env", "raw_env"]


def parallel_env(
    max_cycles: int = 1000, press_ms: float = 75.0, render_mode: str | None = None
) -> TetrisVersus:
    """Both place their pieces at the same time."""
    return TetrisVersus(max_cycles, press_ms, render_mode)


def raw_env(**settings: Any) -> AECEnv[str, Any, int]:
    """The same game, turn by turn."""
    return parallel_to_aec(parallel_env(**settings))


env = raw_env


class TetrisVersus(ParallelEnv[str, Any, int]):
    """Two players on a cable."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "gamebot_tetris_versus_v0",
        "render_modes": ["ansi", "rgb_array"],
        "is_parallelizable": True,
        "render_fps": 4,
    }

    def __init__(self, max_cycles: int = 1000, press_ms: float = 75.0, render_mode: str | None = None) -> None:
        if render_mode not in (None, "ansi", "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}: choose 'ansi', 'rgb_array' or None")
        if max_cycles < 1:
            raise ValueError(f"max_cycles is {max_cycles}: choose 1 or more")
        self.render_mode = render_mode
        self.max_cycles = max_cycles
        self.press_ms = press_ms
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self._round = Versus(press_ms=press_ms)
        self._cycles = 0
        self._random: np.random.Generator | None = None
        self.observation_spaces = {
            agent: spaces.Box(0, 7, (2, 19, 10), np.int8) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(40) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, dict[str, Any]]]:
        if seed is not None or self._random is None:
            self._random, _ = seeding.np_random(seed)
        self._round = Versus(press_ms=self.press_ms, seed=int(self._random.integers(2**63)))
        self._cycles = 0
        self.agents = self.possible_agents[:]
        return self._observations(), self._infos()

    def step(
        self, actions: dict[str, int]
    ) -> tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        if not self.agents:
            return {}, {}, {}, {}, {}
        chosen = [self._legal(side, actions[agent]) for side, agent in enumerate(self.possible_agents)]
        self._round.step(chosen[0], chosen[1])
        self._cycles += 1
        winner = self._round.winner
        rewards = dict.fromkeys(self.agents, 0.0)
        if winner in (0, 1):
            rewards[self.possible_agents[winner]] = 1.0
            rewards[self.possible_agents[1 - winner]] = -1.0
        over = winner is not None
        truncated = not over and self._cycles >= self.max_cycles
        agents = self.agents
        observations, infos = self._observations(), self._infos()
        if over or truncated:
            self.agents = []
        return (
            observations,
            rewards,
            dict.fromkeys(agents, over),
            dict.fromkeys(agents, truncated),
            infos,
        )

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return repr(self._round)
        if self.render_mode == "rgb_array":
            from ..environments import _CELL, _PALETTE

            gap = np.zeros((18, 2), dtype=np.uint8)
            cells = np.concatenate([self._round.board(0), gap, self._round.board(1)], axis=1)
            return np.repeat(np.repeat(_PALETTE[cells], _CELL, axis=0), _CELL, axis=1)
        return None

    def close(self) -> None:
        """Nothing is open."""

    def _legal(self, side: int, action: int) -> int:
        if not 0 <= int(action) < 40:
            raise ValueError(f"there is no action {action}: choose 0 to 39")
        mask = self._round.mask(side)
        return int(action) if mask[int(action)] else int(mask.argmax())

    def _board(self, side: int) -> NDArray[np.int8]:
        """Pieces in the uppermost row, the board below."""
        top = np.zeros((1, 10), dtype=np.int8)
        top[0, :2] = np.array(self._round.pieces(side)) + 1
        return np.concatenate([top, self._round.board(side).astype(np.int8)])

    def _observations(self) -> dict[str, Any]:
        boards = [self._board(0), self._board(1)]
        return {
            agent: np.stack([boards[side], boards[1 - side]])
            for side, agent in enumerate(self.possible_agents)
        }

    def _infos(self) -> dict[str, dict[str, Any]]:
        return {
            agent: {"action_mask": self._round.mask(side), "lines": self._round.lines(side)}
            for side, agent in enumerate(self.possible_agents)
        }
