"""Measures the Python package beside its peers in the same run; prints one JSON document."""

import argparse
import json
import math
import resource
import sys
import time

import gymnasium
import numpy as np

import gamebot
from gamebot import connect_four, gameboy, tetris


def rate(work, amount, seconds):
    """Units a second of wall time, the best of three runs."""
    best = 0.0
    for _ in range(3):
        done, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            work()
            done += amount
        best = max(best, done / (time.perf_counter() - start))
    return best


def vector(name, count, seconds, **settings):
    env = gymnasium.make_vec(
        f"gamebot/{name}-v0", count, vectorization_mode="vector_entry_point", copy=False, **settings
    )
    env.reset(seed=1)
    return rate(lambda: env.step(env.sample_actions()), count, seconds)


def plain(seconds):
    env = gymnasium.make("gamebot/Tetris-v0", rules="classic").unwrapped
    env.reset(seed=1)

    def work():
        for _ in range(1000):
            if env.step(env.sample_action())[2]:
                env.reset()

    return rate(work, 1000, seconds)


def pgx_steps(count, seconds):
    import jax
    import pgx

    env = pgx.make("connect_four")
    init, step = jax.jit(jax.vmap(env.init)), env.step

    @jax.jit
    def play(state, key):
        def one(carry, _):
            state, key = carry
            key, draw, fresh = jax.random.split(key, 3)
            logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
            action = jax.random.categorical(draw, logits, axis=1)
            after = jax.vmap(step)(state, action)
            begun = jax.vmap(env.init)(jax.random.split(fresh, count))
            over = after.terminated
            after = jax.tree.map(
                lambda new, old: jax.numpy.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old), begun, after
            )
            return (after, key), None

        return jax.lax.scan(one, (state, key), None, length=20)[0]

    state, key = init(jax.random.split(jax.random.PRNGKey(1), count)), jax.random.PRNGKey(2)
    state, key = play(state, key)
    jax.block_until_ready(state)

    def work():
        nonlocal state, key
        state, key = play(state, key)
        jax.block_until_ready(state)

    return rate(work, 20 * count, seconds)


def pettingzoo_moves(seconds):
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()
    dice = np.random.default_rng(1)

    def work():
        env.reset()
        for _ in env.agent_iter():
            observation, _, over, cut, _ = env.last()
            env.step(None if over or cut else int(dice.choice(np.flatnonzero(observation["action_mask"]))))
            work.moves += 1

    work.moves = 0
    start = time.perf_counter()
    while time.perf_counter() - start < seconds:
        work()
    return work.moves / (time.perf_counter() - start)


def solver_overhead(seconds):
    """Upper bounds: all of a call whose answer needs no search (the game is over)."""
    solver, over = connect_four.Solver(), connect_four.Position("1212121")
    batch = [over] * 10_000

    def calls():
        for _ in range(1000):
            solver.score(over)

    return {
        "call_us": 1e6 / rate(calls, 1000, seconds),
        "batch_ns": 1e9 / rate(lambda: solver.score_many(batch), len(batch), seconds),
    }


def bitbully_ratios(folder, positions):
    from bitbully import bitbully_core

    peer, ours = bitbully_core.BitBullyCore(), connect_four.Solver(book=False)
    ratios = {}
    for name in ("L1_R1", "L1_R2", "L1_R3", "L2_R1", "L2_R2", "L3_R1"):
        with open(f"{folder}/Test_{name}") as file:
            lines = [line.split() for line in file][:positions]
        spent = [0, 0]
        for moves, score in lines:
            ours.clear()
            start = time.process_time_ns()
            found = ours.score(moves)
            spent[0] += time.process_time_ns() - start
            board = bitbully_core.BoardCore()
            for column in moves:
                board.play(int(column) - 1)
            peer.resetTranspositionTable()
            start = time.process_time_ns()
            theirs = peer.mtdf(board, first_guess=0)
            spent[1] += time.process_time_ns() - start
            if not found == int(score) == theirs:
                sys.exit(f"{moves}: ours {found}, BitBully {theirs}, known {score}")
        ratios[name] = spent[1] / max(spent[0], 1)
    return ratios


def console(rom, seconds):
    from pyboy import PyBoy

    ours, peer = gameboy.Console(), PyBoy(rom, window="null", sound_emulated=False, no_input=True, log_level="ERROR")
    peer.set_emulation_speed(0)
    ours.frame(200)
    for _ in range(200):
        peer.tick(1, True)

    def one_by_one():
        for _ in range(200):
            ours.frame(1)

    return {
        "one_by_one": rate(one_by_one, 200, seconds),
        "in_rust": rate(lambda: ours.frame(200), 200, seconds),
        "pyboy": rate(lambda: [peer.tick(1, True) for _ in range(200)], 200, seconds),
    }


def spreading(games):
    """Throughput of one and two workers, the driver's share of the processor, and the cost of small tasks."""
    import ray

    from gamebot.cluster import tasks
    from gamebot.cluster.workers import Workers

    contest = {"rules": "gameboy", "level": 9}
    per_second = tetris.play("lee", 0, lines=100)
    start = time.perf_counter()
    tetris.play("lee", 0, lines=2_000, until="death")
    lines = max(100, int(2_000 / (time.perf_counter() - start)))
    contest |= {"lines": lines, "until": "death"}
    answers, throughput, driver = [], [], []
    for workers in (1, 2):
        with Workers(workers=workers) as pool:
            list(pool.map(tasks.games, [(contest, "lee", [0])] * workers))
            begun, cpu = time.perf_counter(), time.process_time()
            played = list(pool.map(tasks.games, [(contest, "lee", [index]) for index in range(games)]))
            wall, used = time.perf_counter() - begun, time.process_time() - cpu
            busy = sum(seconds for result in played for seconds, _ in result)
            answers.append([game for result in played for _, game in result])
            throughput.append(games / wall)
            driver.append(used / busy)
    assert answers[0] == answers[1] and per_second
    overhead = []
    with Workers(workers=2) as pool:
        for size in (0.001, 0.01, 0.1, 1.0):
            count = max(4, min(200, int(4 / size)))
            begun, cpu = time.perf_counter(), time.process_time()
            list(pool.map(time.sleep, [(size,)] * count))
            wall, used = time.perf_counter() - begun, time.process_time() - cpu
            overhead.append({"task_s": size, "efficiency": count * size / 2 / wall, "driver_ms": 1000 * used / count})
    ray.shutdown()
    return {"ratio": throughput[1] / throughput[0], "driver_share": driver[1], "by_size": overhead}


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=1.0)
    options.add_argument("--positions", type=int, default=20)
    options.add_argument("--games", type=int, default=16)
    options.add_argument("--sets", default="fixtures/connect-four")
    options.add_argument("--rom", default="rom/stackfall.gb")
    options.add_argument("--skip-cluster", action="store_true")
    options = options.parse_args()
    seconds = options.seconds
    figures = {
        "connect_four": vector("ConnectFour", 4096, seconds, opponent=None),
        "pgx": pgx_steps(4096, seconds),
        "pettingzoo": pettingzoo_moves(seconds),
        "tetris_classic": vector("Tetris", 4096, seconds, rules="classic"),
        "tetris_gameboy": vector("Tetris", 4096, seconds),
        "samegame": vector("SameGame", 4096, seconds),
        "plain_step": plain(seconds),
        "solver": solver_overhead(seconds),
        "bitbully": bitbully_ratios(options.sets, options.positions),
        "console": console(options.rom, seconds),
    }
    figures["bitbully_mean"] = math.exp(sum(map(math.log, figures["bitbully"].values())) / 6)
    if not options.skip_cluster:
        figures["spreading"] = spreading(options.games)
    figures["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures["version"] = getattr(gamebot, "__doc__", "").splitlines()[0]
    print(json.dumps(figures))


main()
