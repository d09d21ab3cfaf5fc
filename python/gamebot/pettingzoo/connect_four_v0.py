"""Connect Four for two agents that take turns.

>>> from gamebot.pettingzoo import connect_four_v0
>>> env = connect_four_v0.env()
>>> env.reset(seed=1)
>>> env.step(3)
>>> env.agent_selection, env.unwrapped.position.discs
('player_1', 1)

An observation has three planes of 6 × 7: own discs, the other's, empty cells. ``action_mask`` is in the info. An
action is a column from 0; an illegal one loses the game at once. ``position`` is the position for solver and opponents.
"""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from ..connect_four import Position

__all__ = ["ConnectFour", "env", "raw_env"]


def env(render_mode: str | None = None) -> AECEnv[str, Any, int]:
    """The environment with PettingZoo's usual checks around it."""
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(
            wrappers.TerminateIllegalWrapper(raw_env(render_mode), illegal_reward=-1)
        )
    )


def raw_env(render_mode: str | None = None) -> ConnectFour:
    """The bare environment."""
    return ConnectFour(render_mode)


class ConnectFour(AECEnv[str, Any, int]):
    """Two agents drop discs in turn; four in a line win."""

    metadata: ClassVar[dict[str, Any]] = {
        "name": "gamebot_connect_four_v0",
        "render_modes": ["ansi", "rgb_array"],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(self, render_mode: str | None = None) -> None:
        super().__init__()
        if render_mode not in (None, "ansi", "rgb_array"):
            raise ValueError(f"render_mode is {render_mode!r}: choose 'ansi', 'rgb_array' or None")
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]
        self.agents: list[str] = []
        self.position = Position()
        self.observation_spaces = {
            agent: spaces.Box(0, 1, (6, 7, 3), np.int8) for agent in self.possible_agents
        }
        self.action_spaces = {agent: spaces.Discrete(7) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self.action_spaces[agent]

    def observe(self, agent: str) -> NDArray[np.int8]:
        board = self.position.to_array()
        own = self.possible_agents.index(agent) + 1
        return np.stack([board == own, board == 3 - own, board == 0], axis=2).astype(np.int8)

    def _mask(self) -> NDArray[np.int8]:
        mask = np.zeros(7, dtype=np.int8)
        mask[[column - 1 for column in self.position.legal()]] = 1
        return mask

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.agents = self.possible_agents[:]
        self.position = Position()
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._mask()} for agent in self.agents}

    def step(self, action: int | None) -> None:
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} must choose a column from 0 to 6")
        other = self.possible_agents[1 - self.possible_agents.index(agent)]
        self.position = self.position.play(int(action) + 1)
        self._cumulative_rewards[agent] = 0.0
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.position.is_over:
            if self.position.outcome != "draw":
                self.rewards[agent], self.rewards[other] = 1.0, -1.0
            self.terminations = dict.fromkeys(self.agents, True)
        self.infos = {agent: {"action_mask": self._mask()} for agent in self.agents}
        self.agent_selection = other
        self._accumulate_rewards()

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return repr(self.position)
        if self.render_mode == "rgb_array":
            from ..environments import _CELL, _PALETTE

            colours = _PALETTE[self.position.to_array()]
            return np.repeat(np.repeat(colours, _CELL, axis=0), _CELL, axis=1)
        return None

    def close(self) -> None:
        """Nothing is open."""
