"""Environments under the official checkers, and vector environments against single ones."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env, data_equivalence
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import DictInfoToList, RecordEpisodeStatistics
from pettingzoo.test import api_test, max_cycles_test, parallel_api_test, parallel_seed_test, seed_test

import gamebot  # noqa: F401  registers the environments
from gamebot.connect_four import Opponent, Position
from gamebot.pettingzoo import connect_four_v0, tetris_versus_v0
from gamebot.tetris import PIECES, Board, Versus, decide, drops

NAMES = ["ConnectFour", "SameGame", "Tetris", "TetrisButtons", "TetrisScreen"]


@pytest.fixture(autouse=True)
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def vector(name: str, count: int, **settings: Any) -> Any:
    mode = "vector_entry_point"
    return gymnasium.make_vec(f"gamebot/{name}-v0", count, vectorization_mode=mode, **settings)


@pytest.mark.parametrize("render_mode", [None, "ansi", "rgb_array"])
@pytest.mark.parametrize("name", NAMES)
def test_gymnasiums_checker_passes_without_warnings(name: str, render_mode: str | None) -> None:
    env = gymnasium.make(f"gamebot/{name}-v0", render_mode=render_mode).unwrapped
    check_env(env)
    picture = env.render()
    assert {None: type(None), "ansi": str, "rgb_array": np.ndarray}[render_mode] is type(picture)


@pytest.mark.parametrize("name", NAMES)
def test_vectors_are_many_single_games(name: str) -> None:
    count, steps = 3, 60 if name != "TetrisScreen" else 5
    many = vector(name, count, threads=2)
    assert many.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    singles = [gymnasium.make(f"gamebot/{name}-v0").unwrapped for _ in range(count)]
    observations, infos = many.reset(seed=11)
    assert many.observation_space.contains(observations)
    for index, env in enumerate(singles):
        observation, info = env.reset(seed=11 + index)
        assert data_equivalence(observation, pick(observations, index))
        assert np.array_equal(info["action_mask"], infos["action_mask"][index])
    over = [False] * count
    for _ in range(steps):
        actions = many.sample_actions()
        assert many.action_space.contains(actions)
        observations, rewards, terminated, _, infos = many.step(actions)
        for index, env in enumerate(singles):
            if over[index]:
                continue
            observation, reward, over[index], _, info = env.step(int(actions[index]))
            assert (reward, over[index]) == (rewards[index], terminated[index])
            assert data_equivalence(observation, pick(observations, index))
            assert np.array_equal(info["action_mask"], infos["action_mask"][index])


@pytest.mark.parametrize("name", NAMES)
def test_vectors_answer_like_gymnasiums_own(name: str) -> None:
    count, steps = 3, 60 if name != "TetrisScreen" else 5
    ours = vector(name, count, threads=2)
    theirs = gymnasium.make_vec(f"gamebot/{name}-v0", count, vectorization_mode="sync")
    for space in ("observation_space", "action_space", "single_observation_space", "single_action_space"):
        assert getattr(ours, space) == getattr(theirs, space)
    assert ours.metadata["autoreset_mode"] == theirs.metadata["autoreset_mode"]
    answers: list[Any] = [env.reset(seed=11) for env in (ours, theirs)]
    over = np.zeros(count, dtype=bool)
    for _ in range(steps):
        # Later games have other seeds.
        for one, other in zip(answers[0][:-1], answers[1][:-1], strict=True):
            assert data_equivalence(one, other)
        masks = [answer[-1]["action_mask"] for answer in answers]
        assert np.array_equal(masks[0], masks[1]) and masks[0].dtype == masks[1].dtype
        if over.any():
            break
        actions = ours.sample_actions()
        answers = [env.step(actions) for env in (ours, theirs)]
        over = answers[0][2]


def test_gymnasiums_wrappers_for_vectors_work() -> None:
    count, lengths, moves = 16, 0, 0
    env = DictInfoToList(RecordEpisodeStatistics(vector("ConnectFour", count, opponent=None)))
    native = env.unwrapped
    env.reset(seed=1)
    before = np.zeros(count, dtype=bool)
    for _ in range(100):
        _, _, over, _, infos = env.step(native.sample_actions())
        moves += count - int(before.sum())
        lengths += sum(int(info["episode"]["l"]) for info, ended in zip(infos, over, strict=True) if ended)
        assert all(("episode" in info) == ended for info, ended in zip(infos, over, strict=True))
        before = over
    assert moves / 2 < lengths <= moves


def pick(observations: Any, index: int) -> Any:
    if isinstance(observations, dict):
        return {name: part[index] for name, part in observations.items()}
    return observations[index]


@pytest.mark.parametrize("autoreset_mode", ["NextStep", "SameStep"])
def test_moving_both_sides_keeps_to_the_rules(autoreset_mode: str) -> None:
    count, ended = 50, 0
    env = vector("ConnectFour", count, opponent=None, autoreset_mode=autoreset_mode)
    env.reset(seed=2)
    positions = [Position() for _ in range(count)]
    over = np.zeros(count, dtype=bool)
    dice = np.random.default_rng(3)
    for _ in range(150):
        # Full columns are among them.
        actions = dice.integers(0, 7, size=count)
        before, begins = positions.copy(), over & (autoreset_mode == "NextStep")
        observations, rewards, over, _, infos = env.step(actions)
        for index, action in enumerate(actions):
            if begins[index]:
                positions[index], expected = Position(), (0.0, False)
            elif action + 1 not in before[index].legal():
                expected = (-1.0, False)
            else:
                positions[index] = after = before[index].play(action + 1)
                expected = (float(after.outcome in ("first", "second")), after.is_over)
            assert (rewards[index], over[index]) == expected, (before[index], action)
            last = positions[index]
            ended += int(over[index])
            if over[index] and autoreset_mode == "SameStep":
                assert np.array_equal(infos["final_obs"][index], seen_by_player_to_move(last))
                assert not infos["final_info"]["action_mask"][index].any()
                positions[index] = Position()
            assert np.array_equal(observations[index], seen_by_player_to_move(positions[index]))
            mask = [column in positions[index].legal() for column in range(1, 8)]
            assert infos["action_mask"][index].tolist() == mask
    assert ended > 2 * count


def seen_by_player_to_move(position: Position) -> Any:
    board = position.to_array()
    return np.stack([board == position.to_move, board == 3 - position.to_move], axis=2)


def test_arrays_of_the_games_may_be_passed_to_them() -> None:
    env = vector("Tetris", 8, copy=False)
    observations, infos = env.reset(seed=1)
    env.step(observations["pieces"].reshape(-1)[:8])
    env = vector("ConnectFour", 8, opponent=None, copy=False, autoreset_mode="Disabled")
    env.reset(seed=1)
    over = np.zeros(8, dtype=bool)
    while not over.any():
        observations, _, over, _, _ = env.step(env.sample_actions())
    ended = np.flatnonzero(over)
    env.reset(options={"reset_mask": over})
    assert not observations[ended].any() and not over.any()


def test_drawn_actions_are_legal_and_fair() -> None:
    env = vector("ConnectFour", 7_000, opponent=None, illegal="raise")
    _, infos = env.reset(seed=1)
    counts = np.bincount(env.sample_actions(), minlength=7)
    assert counts.shape == (7,) and (abs(counts - 1_000) < 150).all()
    for _ in range(50):
        actions = env.sample_actions()
        over = infos["action_mask"].sum(axis=1) == 0
        assert infos["action_mask"][~over, actions[~over]].all() and not actions[over].any()
        *_, infos = env.step(actions)


def test_autoreset_next_step() -> None:
    env = vector("ConnectFour", 64, opponent=None)
    env.reset(seed=1)
    before = np.zeros(64, dtype=bool)
    ended = 0
    for _ in range(60):
        observations, rewards, over, truncated, _ = env.step(env.sample_actions())
        assert not truncated.any()
        assert not over[before].any() and not rewards[before].any()
        assert not observations[before].any(), "a game that was over begins with an empty board"
        before = over
        ended += int(over.sum())
    assert ended > 64


def test_autoreset_same_step_has_final_observations() -> None:
    env = vector("ConnectFour", 64, opponent=None, autoreset_mode="SameStep")
    env.reset(seed=1)
    seen = 0
    for _ in range(60):
        observations, rewards, over, _, infos = env.step(env.sample_actions())
        assert not observations[over].any()
        if over.any():
            assert np.array_equal(infos["_final_obs"], over)
            for index in np.flatnonzero(over):
                last = infos["final_obs"][index]
                assert last.sum() in range(7, 43) and (rewards[index] == 1 or last.sum() == 42)
                seen += 1
            assert all(infos["final_obs"][index] is None for index in np.flatnonzero(~over))
    assert seen > 64


def test_autoreset_disabled_wants_a_reset() -> None:
    env = vector("ConnectFour", 8, opponent=None, autoreset_mode="Disabled")
    env.reset(seed=1)
    over = np.zeros(8, dtype=bool)
    while not over.any():
        observations, _, over, _, _ = env.step(env.sample_actions())
    with pytest.raises(ValueError, match="is over: reset it first"):
        env.step(env.sample_actions())
    kept = observations[~over]
    observations, _ = env.reset(options={"reset_mask": over})
    assert not observations[over].any() and np.array_equal(observations[~over], kept)


def test_truncation_counts_steps() -> None:
    env = vector("TetrisButtons", 4, max_episode_steps=10)
    env.reset(seed=1)
    truncated = [env.step(env.sample_actions())[3].tolist() for _ in range(22)]
    assert [index for index, flags in enumerate(truncated) if any(flags)] == [9, 20]


def test_arrays_are_copies_unless_asked_otherwise() -> None:
    kept = vector("ConnectFour", 4, opponent=None)
    first, _ = kept.reset(seed=1)
    kept.step(kept.sample_actions())
    assert not first.any()
    reused = vector("ConnectFour", 4, opponent=None, copy=False)
    first, _ = reused.reset(seed=1)
    second = reused.step(reused.sample_actions())[0]
    assert np.shares_memory(first, second) and first.any()


def test_threads_change_nothing() -> None:
    games = []
    for threads in (1, 3):
        env = vector("Tetris", 300, threads=threads)
        env.reset(seed=5)
        for _ in range(20):
            last = env.step(env.sample_actions())
        games.append(last)
    assert data_equivalence(games[0][0], games[1][0]) and np.array_equal(games[0][1], games[1][1])


def test_illegal_actions() -> None:
    env = gymnasium.make("gamebot/ConnectFour-v0", opponent=None).unwrapped
    env.reset(seed=1)
    for _ in range(6):
        observation, *_ = env.step(3)
    after, reward, over, _, info = env.step(3)
    assert (reward, over, info["discs"]) == (-1.0, False, 6) and np.array_equal(after, observation)
    strict = vector("ConnectFour", 2, opponent=None, illegal="raise")
    strict.reset(seed=1)
    for _ in range(6):
        strict.step(np.array([3, 3]))
    with pytest.raises(ValueError, match="action 3 of game 0 is not in its action mask"):
        strict.step(np.array([3, 1]))
    with pytest.raises(ValueError, match="there is no action 7"):
        strict.step(np.array([7, 1]))


def test_the_perfect_opponent_never_loses_to_chance() -> None:
    env = vector("ConnectFour", 2, opponent="perfect", first=True)
    env.reset(seed=3)
    rewards = np.concatenate([env.step(env.sample_actions())[1] for _ in range(30)])
    assert -1.0 in rewards and 1.0 not in rewards


def test_pettingzoo_connect_four() -> None:
    api_test(connect_four_v0.env(), num_cycles=200, verbose_progress=False)
    seed_test(connect_four_v0.env, num_cycles=50)
    env = connect_four_v0.env(render_mode="ansi")
    env.reset(seed=1)
    players = {"player_0": Opponent("perfect"), "player_1": Opponent("easy")}
    for agent in env.agent_iter():
        _, reward, over, _, _ = env.last()
        env.step(None if over else players[agent].choose(env.unwrapped.position)["column"] - 1)
    assert env.unwrapped.position.outcome == "first"


def test_pettingzoo_tetris_versus() -> None:
    parallel_api_test(tetris_versus_v0.parallel_env(), num_cycles=200)
    parallel_seed_test(tetris_versus_v0.parallel_env, num_cycles=50)
    api_test(tetris_versus_v0.env(max_cycles=30), num_cycles=60, verbose_progress=False)
    seed_test(tetris_versus_v0.env, num_cycles=20)
    max_cycles_test(tetris_versus_v0)


def pose_of_lee(round_: Versus, side: int) -> int:
    """The action that comes closest to what Lee would do."""
    active, preview = (PIECES[number] for number in round_.pieces(side))
    best = decide(Board.from_array(round_.board(side)), active, preview, player="lee", level=1)
    legal = np.flatnonzero(round_.mask(side))
    if best is None:
        return int(legal[0])
    turn = best[0].orientation
    left = best[0].x - min(place.x for place in drops(Board(), active) if place.orientation == turn)
    wanted = 10 * turn + left
    return int(wanted) if wanted in legal else int(legal[0])


def test_lines_push_rubble_under_the_other() -> None:
    round_ = Versus(seed=2)
    pushed = 0
    while round_.winner is None:
        heights = [int(round_.board(side).any(axis=1).sum()) for side in (0, 1)]
        cleared = round_.step(pose_of_lee(round_, 0), pose_of_lee(round_, 1))
        for side in (0, 1):
            rows = (0, 0, 1, 2, 4)[cleared[1 - side]]
            if rows and round_.winner is None:
                pushed += 1
                assert (round_.board(side)[-rows:].sum(axis=1) == 9).all(), (round_, heights)
    assert pushed > 0 and round_.winner is not None
