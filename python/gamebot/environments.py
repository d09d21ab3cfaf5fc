"""Gymnasium environments over native games: one game, or thousands stepped in one call.

=========================  ====================================  ==============================
name                       a step                                observation
=========================  ====================================  ==============================
``gamebot/ConnectFour-v0``  a disc, and the opponent's answer     6 × 7 × 2: own, opponent's
``gamebot/SameGame-v0``     a click on a cell                     rows × columns: colours
``gamebot/Tetris-v0``       a placement: orientation × column     board, and the two pieces shown
``gamebot/TetrisButtons-v0``  one frame with a button held          the same, the piece as 2
``gamebot/TetrisScreen-v0``  a button held for four frames         the Game Boy's screen
=========================  ====================================  ==============================

Every ``info`` has an ``action_mask``. An action outside it leaves the game as it is and costs 1 point; with
``illegal="raise"`` it is a ``ValueError``. The observations of vector environments are copies; with ``copy=False``
they are views of arrays that the next step writes again.

>>> import gamebot, gymnasium
>>> env = gymnasium.make("gamebot/Tetris-v0")
>>> observation, info = env.reset(seed=1)
>>> observation["board"].shape, info["action_mask"].shape
((18, 10), (40,))
>>> name, native = "gamebot/ConnectFour-v0", "vector_entry_point"
>>> envs = gymnasium.make_vec(name, 1000, vectorization_mode=native, opponent=None)
>>> _ = envs.reset(seed=1)
>>> observations, rewards, over, cut, infos = envs.step(envs.sample_actions())
>>> observations.shape, int(observations.sum())
((1000, 6, 7, 2), 1000)
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import partial
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray
from typing_extensions import Self

from ._native import environments as native

__all__ = [
    "ConnectFourEnv",
    "ConnectFourVectorEnv",
    "GameEnv",
    "GameVectorEnv",
    "SameGameEnv",
    "SameGameVectorEnv",
    "TetrisButtonsEnv",
    "TetrisButtonsVectorEnv",
    "TetrisEnv",
    "TetrisScreenEnv",
    "TetrisScreenVectorEnv",
    "TetrisVectorEnv",
    "register",
]

_CELL = 16
"""Pixels of a cell in pictures."""

_PALETTE = np.array(
    [
        (24, 26, 32),
        (230, 80, 70),
        (240, 200, 60),
        (80, 160, 240),
        (110, 200, 110),
        (190, 110, 220),
        (90, 210, 210),
        (240, 150, 60),
        (170, 170, 170),
        (250, 250, 250),
    ],
    dtype=np.uint8,
)


class _Kind:
    """What games of one kind look like."""

    def __init__(self, games: native.Games, highest: int) -> None:
        self.games = games
        self.shape = shape = games.dimensions
        self.highest = highest
        self.has_pieces = games.pieces.size > 0
        count = games.count
        self.observation = games.observation.reshape(count, *shape)
        self.last_observation = games.last_observation.reshape(count, *shape)
        self.pieces = games.pieces.reshape(count, -1)
        self.last_pieces = games.last_pieces.reshape(count, -1)
        self.mask = games.mask.reshape(count, games.actions)
        self.last_mask = games.last_mask.reshape(count, games.actions)
        self.reward = games.reward
        self.over = games.over

    def observation_space(self) -> spaces.Space[Any]:
        board = spaces.Box(0, self.highest, self.shape, np.uint8)
        if not self.has_pieces:
            return board
        return spaces.Dict({"board": board, "pieces": spaces.MultiDiscrete([7, 7])})

    def last(self, index: int) -> Any:
        board = self.last_observation[index].copy()
        return {"board": board, "pieces": self.last_pieces[index].copy()} if self.has_pieces else board

    def all(self, copy: bool) -> Any:
        board = self.observation.copy() if copy else self.observation
        if not self.has_pieces:
            return board
        return {"board": board, "pieces": self.pieces.copy() if copy else self.pieces}

    def picture(self, index: int) -> NDArray[np.uint8]:
        cells = self.observation[index]
        if cells.shape == (144, 160):
            shades = np.array([255, 170, 85, 0], dtype=np.uint8)[cells]
            return np.repeat(shades[:, :, None], 3, axis=2)
        if cells.ndim == 3:
            cells = cells[:, :, 0] + 2 * cells[:, :, 1]
        colours = _PALETTE[cells]
        picture = np.repeat(np.repeat(colours, _CELL, axis=0), _CELL, axis=1)
        picture[::_CELL, :] = picture[:, ::_CELL] = _PALETTE[0] // 2
        return picture


def _check_render_mode(render_mode: str | None) -> str | None:
    if render_mode not in (None, "rgb_array", "ansi"):
        raise ValueError(f"render_mode is {render_mode!r}: choose 'rgb_array', 'ansi' or None")
    return render_mode


class _Remembered:
    """Pickled as it was made: a copy begins with a new game."""

    _made: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *arguments: Any, **settings: Any) -> Self:
        made = super().__new__(cls)
        made._made = (arguments, settings)
        return made

    def __reduce__(self) -> tuple[Any, tuple[Any, ...]]:
        arguments, settings = self._made
        return partial(type(self), *arguments, **settings), ()


class GameEnv(_Remembered, gymnasium.Env[Any, np.int64]):
    """One native game behind Gymnasium's interface; subclasses say which."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(self, kind: _Kind, render_mode: str | None, illegal: str) -> None:
        self._kind = kind
        self._games = kind.games
        self._illegal = illegal
        self.render_mode = _check_render_mode(render_mode)
        self.observation_space = kind.observation_space()
        self.action_space = spaces.Discrete(kind.games.actions)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        super().reset(seed=seed)
        chosen = seed if seed is not None else int(self.np_random.integers(2**63))
        self._games.reset(np.array([chosen], dtype=np.uint64))
        observation, _, _, _, info = self._games.look_at_one()
        return observation, info

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        return self._games.step_one(action, self._illegal)

    def render(self) -> Any:
        if self.render_mode == "ansi":
            return self._kind.games.picture(0)
        if self.render_mode == "rgb_array":
            return self._kind.picture(0)
        return None

    def action_mask(self) -> NDArray[np.int8]:
        """1 for every legal action."""
        mask: NDArray[np.int8] = self._kind.mask[0].copy()
        return mask

    def sample_action(self) -> int:
        """A legal action, drawn uniformly."""
        return self._games.sample_one()


class GameVectorEnv(_Remembered, VectorEnv[Any, NDArray[np.int64], NDArray[Any]]):
    """Many native games stepped in one call on all cores; subclasses say which."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "ansi"], "render_fps": 4}  # noqa: RUF012

    def __init__(
        self,
        kind: _Kind,
        *,
        render_mode: str | None = None,
        illegal: str = "penalty",
        copy: bool = True,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
    ) -> None:
        self._kind = kind
        self._illegal = illegal
        self._copy = copy
        self._autoreset = _AUTORESET[AutoresetMode(autoreset_mode)]
        self._longest = max_episode_steps
        self.metadata = {**type(self).metadata, "autoreset_mode": AutoresetMode(autoreset_mode)}
        self.render_mode = _check_render_mode(render_mode)
        self.num_envs = kind.games.count
        self.single_observation_space = kind.observation_space()
        self.single_action_space = spaces.Discrete(kind.games.actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._steps = np.zeros(self.num_envs, dtype=np.int64)
        self._never = np.zeros(self.num_envs, dtype=np.bool_)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Any, dict[str, Any]]:
        chosen = None if options is None else options.get("reset_mask")
        if chosen is not None:
            chosen = np.ascontiguousarray(chosen, dtype=np.bool_)
        self._kind.games.reset(self._seeds(seed), chosen)
        if chosen is None:
            self._steps[:] = 0
        else:
            self._steps[chosen] = 0
        return self._kind.all(self._copy), self._infos()

    def step(
        self, actions: NDArray[np.int64]
    ) -> tuple[Any, NDArray[Any], NDArray[Any], NDArray[Any], dict[str, Any]]:
        kind = self._kind
        actions = np.ascontiguousarray(actions)
        if actions.dtype != np.int64:
            if actions.dtype.kind not in "iu":
                raise TypeError(f"actions must be integers, not {actions.dtype}")
            actions = actions.astype(np.int64)
        kind.games.step(actions, self._autoreset, self._illegal)
        over = kind.over.copy() if self._copy else kind.over
        reward = kind.reward.copy() if self._copy else kind.reward
        infos = self._infos()
        if self._autoreset == "same_step" and over.any():
            infos.update(self._final(over))
        truncated = self._never
        if self._longest is not None:
            truncated = self._truncate(over)
        return kind.all(self._copy), reward, over, truncated, infos

    def sample_actions(self) -> NDArray[np.int64]:
        """A legal action for every game, each drawn uniformly from its mask."""
        return self._kind.games.sample()

    def render(self) -> tuple[Any, ...] | None:
        if self.render_mode == "ansi":
            return tuple(self._kind.games.picture(index) for index in range(self.num_envs))
        if self.render_mode == "rgb_array":
            return tuple(self._kind.picture(index) for index in range(self.num_envs))
        return None

    def _infos(self) -> dict[str, Any]:
        return {"action_mask": self._kind.mask.copy() if self._copy else self._kind.mask}

    def _final(self, over: NDArray[np.bool_]) -> dict[str, Any]:
        last = np.full(self.num_envs, None, dtype=object)
        for index in np.flatnonzero(over):
            last[index] = self._kind.last(int(index))
        masks = np.where(over[:, None], self._kind.last_mask, 0).astype(np.int8)
        return {
            "final_obs": last,
            "_final_obs": over.copy(),
            "final_info": {"action_mask": masks, "_action_mask": over.copy()},
            "_final_info": over.copy(),
        }

    def _truncate(self, over: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Counts steps; games that reach the limit are truncated and restarted by the next step."""
        assert self._longest is not None
        self._steps += 1
        truncated = (self._steps >= self._longest) & ~over
        ended = truncated | over
        self._steps[ended] = 0 if self._autoreset == "same_step" else -1
        if truncated.any() and self._autoreset != "disabled":
            self._kind.games.reset(self._seeds(None), truncated)
        return truncated

    def _seeds(self, seed: int | Sequence[int | None] | None) -> NDArray[np.uint64]:
        if seed is None:
            return self.np_random.integers(2**63, size=self.num_envs, dtype=np.int64).astype(np.uint64)
        if isinstance(seed, (int, np.integer)):
            self._np_random, self._np_random_seed = gymnasium.utils.seeding.np_random(int(seed))
            return np.array([(int(seed) + index) % 2**64 for index in range(self.num_envs)], dtype=np.uint64)
        if len(seed) != self.num_envs:
            raise ValueError(f"{len(seed)} seeds for {self.num_envs} games")
        drawn = self._seeds(None)
        return np.array([int(drawn[i]) if s is None else s for i, s in enumerate(seed)], dtype=np.uint64)


_AUTORESET = {
    AutoresetMode.NEXT_STEP: "next_step",
    AutoresetMode.SAME_STEP: "same_step",
    AutoresetMode.DISABLED: "disabled",
}


def _threads(threads: int | None) -> int:
    return threads if threads is not None else min(os.cpu_count() or 1, 256)


def _connect_four(count: int, opponent: str | None, first: bool | None, threads: int) -> _Kind:
    games = native.connect_four_games(count, opponent=opponent, first=first, threads=threads)
    return _Kind(games, 1)


class ConnectFourEnv(GameEnv):
    """Connect Four against an opponent by name: ``"random"``, a level, or ``"depth-4-slips"``.

    ``first`` says whether you begin; ``None`` leaves it to chance. With ``opponent=None`` you move both sides, and
    the observation is that of the player to move. A win is worth 1, a loss −1.
    """

    def __init__(
        self,
        opponent: str | None = "easy",
        first: bool | None = None,
        render_mode: str | None = None,
        illegal: str = "penalty",
    ) -> None:
        super().__init__(_connect_four(1, opponent, first, 1), render_mode, illegal)


class ConnectFourVectorEnv(GameVectorEnv):
    """Many games of :class:`ConnectFourEnv`."""

    def __init__(
        self,
        num_envs: int = 1,
        opponent: str | None = "easy",
        first: bool | None = None,
        threads: int | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(_connect_four(num_envs, opponent, first, _threads(threads)), **settings)


def _samegame(count: int, columns: int, rows: int, colours: int, threads: int) -> _Kind:
    games = native.samegame_games(count, columns=columns, rows=rows, colours=colours, threads=threads)
    return _Kind(games, colours)


class SameGameEnv(GameEnv):
    """SameGame on a random full board: (n−2)² points for a group of n, 1000 for an empty board."""

    def __init__(
        self,
        columns: int = 15,
        rows: int = 15,
        colours: int = 5,
        render_mode: str | None = None,
        illegal: str = "penalty",
    ) -> None:
        super().__init__(_samegame(1, columns, rows, colours, 1), render_mode, illegal)


class SameGameVectorEnv(GameVectorEnv):
    """Many games of :class:`SameGameEnv`."""

    def __init__(
        self,
        num_envs: int = 1,
        columns: int = 15,
        rows: int = 15,
        colours: int = 5,
        threads: int | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(_samegame(num_envs, columns, rows, colours, _threads(threads)), **settings)


def _tetris(
    count: int, rules: str, level: int, heart: bool, press_ms: float, rows: int, reward: str, threads: int
) -> _Kind:
    games = native.tetris_games(
        count,
        rules=rules,
        level=level,
        heart=heart,
        press_ms=press_ms,
        rows=rows,
        reward=reward,
        threads=threads,
    )
    return _Kind(games, 1)


class TetrisEnv(GameEnv):
    """Tetris piece by piece; action ``10 * orientation + column`` puts the leftmost cell into that column.

    With ``rules="gameboy"`` pieces come from the console's own randomiser, and a placement is legal if keys that
    take ``press_ms`` each reach it in time. With ``rules="classic"`` pieces are uniform and drop straight down. The
    reward is ``"lines"`` or ``"score"``.
    """

    def __init__(
        self,
        rules: str = "gameboy",
        level: int = 9,
        heart: bool = False,
        press_ms: float = 75.0,
        rows: int = 20,
        reward: str = "lines",
        render_mode: str | None = None,
        illegal: str = "penalty",
    ) -> None:
        super().__init__(_tetris(1, rules, level, heart, press_ms, rows, reward, 1), render_mode, illegal)


class TetrisVectorEnv(GameVectorEnv):
    """Many games of :class:`TetrisEnv`."""

    def __init__(
        self,
        num_envs: int = 1,
        rules: str = "gameboy",
        level: int = 9,
        heart: bool = False,
        press_ms: float = 75.0,
        rows: int = 20,
        reward: str = "lines",
        threads: int | None = None,
        **settings: Any,
    ) -> None:
        kind = _tetris(num_envs, rules, level, heart, press_ms, rows, reward, _threads(threads))
        super().__init__(kind, **settings)


def _buttons(count: int, level: int, heart: bool, reward: str, threads: int) -> _Kind:
    games = native.tetris_frame_games(count, level=level, heart=heart, reward=reward, threads=threads)
    return _Kind(games, 2)


class TetrisButtonsEnv(GameEnv):
    """Tetris frame by frame. Actions hold: 0 nothing, 1 Right, 2 Left, 3 Down, 4 A, 5 B."""

    def __init__(
        self,
        level: int = 9,
        heart: bool = False,
        reward: str = "lines",
        render_mode: str | None = None,
        illegal: str = "penalty",
    ) -> None:
        super().__init__(_buttons(1, level, heart, reward, 1), render_mode, illegal)


class TetrisButtonsVectorEnv(GameVectorEnv):
    """Many games of :class:`TetrisButtonsEnv`."""

    def __init__(
        self,
        num_envs: int = 1,
        level: int = 9,
        heart: bool = False,
        reward: str = "lines",
        threads: int | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(_buttons(num_envs, level, heart, reward, _threads(threads)), **settings)


def _screen(count: int, frames: int, reward: str, threads: int) -> _Kind:
    games = native.tetris_screen_games(count, frames=frames, reward=reward, threads=threads)
    return _Kind(games, 3)


class TetrisScreenEnv(GameEnv):
    """Stackfall on an emulated Game Boy: its screen, and the actions of :class:`TetrisButtonsEnv`."""

    def __init__(
        self,
        frames: int = 4,
        reward: str = "lines",
        render_mode: str | None = None,
        illegal: str = "penalty",
    ) -> None:
        super().__init__(_screen(1, frames, reward, 1), render_mode, illegal)


class TetrisScreenVectorEnv(GameVectorEnv):
    """Many games of :class:`TetrisScreenEnv`."""

    def __init__(
        self,
        num_envs: int = 1,
        frames: int = 4,
        reward: str = "lines",
        threads: int | None = None,
        **settings: Any,
    ) -> None:
        super().__init__(_screen(num_envs, frames, reward, _threads(threads)), **settings)


def register() -> None:
    """Registers the environments; importing ``gamebot`` does it."""
    for name in ("ConnectFour", "SameGame", "Tetris", "TetrisButtons", "TetrisScreen"):
        identifier = f"gamebot/{name}-v0"
        if identifier not in gymnasium.registry:
            gymnasium.register(
                identifier,
                entry_point=f"gamebot.environments:{name}Env",
                vector_entry_point=f"gamebot.environments:{name}VectorEnv",
            )
