"""Measures the Python package beside its peers in the same run; prints one JSON document."""

import argparse
import glob
import json
import math
import os
import resource
import signal
import sys
import threading
import time

import gymnasium
import numpy as np

import gamebot
from gamebot import connect_four, gameboy, tetris


def rate(work, amount, seconds):
    """Units a second of wall time, the best of three runs; without an amount, the work says how many it did."""
    best = 0.0
    for _ in range(3):
        done, start = 0, time.perf_counter()
        while time.perf_counter() - start < seconds:
            did = work()
            done += did if amount is None else amount
        best = max(best, done / (time.perf_counter() - start))
    return best


def vector(name, count, seconds, **settings):
    """Moves a second; a step that only restarts a game that was over is none."""
    env = gymnasium.make_vec(
        f"gamebot/{name}-v0", count, vectorization_mode="vector_entry_point", copy=False, **settings
    )
    env.reset(seed=1)

    def work():
        moves = 0
        for _ in range(20):
            moves += count - np.count_nonzero(env.step(env.sample_actions())[2])
        return moves

    return rate(work, None, seconds)


def plain(seconds, wrapped, **settings):
    """Steps a second of one game: its own `step`, or the one inside the wrappers that `gymnasium.make` adds."""
    env = gymnasium.make("gamebot/Tetris-v0", **settings)
    env.reset(seed=1)
    inner = env.unwrapped
    step, draw, reset = (env if wrapped else inner).step, inner.sample_action, env.reset

    def work():
        for _ in range(1000):
            if step(draw())[2]:
                reset()

    return rate(work, 1000, seconds)


def interrupts():
    """Milliseconds from Ctrl-C to its exception in every long call, the worse of two."""
    from long_calls import LONG

    waits = {}
    for name, make in LONG.items():
        for _ in range(2):
            pressed = []

            def press():
                pressed.append(time.perf_counter())
                os.kill(os.getpid(), signal.SIGINT)

            call, done = make(), False
            timer = threading.Timer(0.2, press)
            try:
                timer.start()
                call()
                done = True
                threading.Event().wait(60)
            except KeyboardInterrupt:
                # From a call that was done before, nothing is learned.
                if not done:
                    wait = 1000 * (time.perf_counter() - pressed[0])
                    waits[name] = max(wait, waits.get(name, 0.0))
    return waits


def pgx_moves(count, seconds):
    """Moves a second of pgx in two ways: as its documents show it, and with as little work beside the game as we found:
    an action by the sum of the mask instead of Gumbel noise, fresh games from one constant."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("connect_four")
    init = jax.jit(jax.vmap(env.init))
    fresh = init(jax.random.split(jax.random.PRNGKey(3), count))
    reset_by_itself = jax.vmap(auto_reset(env.step, env.init))

    def documented(state, key):
        draw, again = jax.random.split(key)
        logits = jnp.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(draw, logits, axis=1)
        return reset_by_itself(state, action, jax.random.split(again, count))

    def lean(state, key):
        so_far = jnp.cumsum(state.legal_action_mask, axis=1)
        nth = jnp.floor(jax.random.uniform(key, (count, 1)) * so_far[:, -1:])
        action = jnp.argmax(so_far > nth, axis=1)
        after = jax.vmap(env.step)(state, action)
        over = after.terminated
        return jax.tree.map(
            lambda new, old: jnp.where(over.reshape((-1,) + (1,) * (old.ndim - 1)), new, old), fresh, after
        )

    def measured(one):
        @jax.jit
        def play(state, key):
            return jax.lax.scan(lambda state, key: (one(state, key), None), state, jax.random.split(key, 20))[0]

        state, key = fresh, jax.random.PRNGKey(2)

        def work():
            nonlocal state, key
            key, now = jax.random.split(key)
            state = play(state, now)
            jax.block_until_ready(state)

        work()
        return rate(work, 20 * count, seconds)

    return {"documented": measured(documented), "lean": measured(lean)}


def pettingzoo_moves(seconds):
    from pettingzoo.classic import connect_four_v3

    env = connect_four_v3.env()
    dice = np.random.default_rng(1)

    def work():
        moves = 0
        for _ in range(10):
            env.reset()
            for _ in env.agent_iter():
                observation, _, over, cut, _ = env.last()
                if over or cut:
                    env.step(None)
                    continue
                env.step(int(dice.choice(np.flatnonzero(observation["action_mask"]))))
                moves += 1
        return moves

    return rate(work, None, seconds)


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
    """CPU time of BitBully's searches by ours, each with an empty table whose clearing is not counted.

    Clearing BitBully's table empties the processor's caches. A small search before the clock starts fills them again,
    so that neither side pays for it.
    """
    from bitbully import bitbully_core

    small = "52753311433677442422121456"

    def board_of(moves):
        board = bitbully_core.BoardCore()
        for column in moves:
            board.play(int(column) - 1)
        return board

    class Ours:
        def __init__(self):
            self.solver, self.small = connect_four.Solver(book=False), connect_four.Position(small)
            self.clear, self.position, self.solve = self.solver.clear, connect_four.Position, self.solver.score

    class Theirs:
        def __init__(self):
            self.solver, self.small = bitbully_core.BitBullyCore(), board_of(small)
            self.clear, self.position = self.solver.resetTranspositionTable, board_of

        def solve(self, board):
            return self.solver.mtdf(board, first_guess=0)

    def spent(side, moves, score):
        """The least of five searches, or of one if it is long."""
        best, position = math.inf, side.position(moves)
        for _ in range(5):
            side.clear()
            side.solve(side.small)
            cpu = time.process_time_ns()
            wall = time.perf_counter_ns()
            found = side.solve(position)
            wall = time.perf_counter_ns() - wall
            cpu = time.process_time_ns() - cpu
            # Asking for CPU time takes as long as the shortest searches; wall time has other programs in it.
            best = min(best, cpu, wall)
            if found != int(score):
                sys.exit(f"{moves}: {type(side).__name__} {found}, known {score}")
            if best > 1e8:
                break
        return best

    ours, theirs, ratios = Ours(), Theirs(), {}
    for name in ("L1_R1", "L1_R2", "L1_R3", "L2_R1", "L2_R2", "L3_R1"):
        with open(f"{folder}/Test_{name}") as file:
            lines = [line.split() for line in file][:positions]
        sums = [sum(spent(side, moves, score) for moves, score in lines) for side in (ours, theirs)]
        ratios[name] = sums[1] / max(sums[0], 1)
    return ratios


def console(rom, seconds):
    from pyboy import PyBoy

    peer = PyBoy(rom, window="null", sound_emulated=False, no_input=True, log_level="ERROR")
    peer.set_emulation_speed(0)
    for _ in range(200):
        peer.tick(1, True)
    # Frames differ in what they cost, and machines from moment to moment: both consoles run the same frames in turns,
    # and the quicker of three passes counts.
    spent = []
    for _ in range(3):
        one, other = gameboy.Console(), gameboy.Console()
        times = []
        for _ in range(max(1, int(20 * seconds))):
            start = time.perf_counter()
            for _ in range(200):
                one.frame(1)
            middle = time.perf_counter()
            other.frame(200)
            times.append((middle - start, time.perf_counter() - middle))
        spent.append(times)
    best = [sum(min(turn) for turn in zip(*([turn[side] for turn in run] for run in spent))) for side in (0, 1)]
    frames = 200 * len(spent[0])
    return {
        "one_by_one": frames / best[0],
        "in_rust": frames / best[1],
        "pyboy": rate(lambda: [peer.tick(1, True) for _ in range(200)], 200, seconds),
    }


def service_seconds():
    """CPU time of the processes that Ray starts beside driver and workers."""
    ticks = 0
    for stat in glob.glob("/proc/[0-9]*/stat"):
        try:
            with open(stat) as file:
                name, fields = file.read().split("(", 1)[1].rsplit(")", 1)
        except OSError:
            continue
        fields = fields.split()
        if name in ("raylet", "gcs_server") and int(fields[1]) == os.getpid():
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def nap(seconds):
    """A task of a known size."""
    time.sleep(seconds)


def spreading(count):
    """Throughput of one and two workers, the driver's share of the processor, and the cost of small tasks."""
    import ray

    from gamebot.cluster import tasks
    from gamebot.cluster.workers import Workers

    # Games that hardly ever end early, as many a task as one core plays in a second.
    contest = {"rules": "gameboy", "level": 9, "until": "death", "lines": 2_000}
    start = time.process_time()
    tetris.play("lee", 0, **contest)
    size = max(1, round(1 / (time.process_time() - start)))
    work = [(contest, "lee", list(range(first * size, (first + 1) * size))) for first in range(count)]
    answers, throughput, driver, service = [], [], [], []
    for workers in (1, 2):
        with Workers(workers=workers) as pool:
            list(pool.map(tasks.games, [(contest, "lee", [0])] * 2 * workers))
            begun, cpu, rays = time.perf_counter(), time.process_time(), service_seconds()
            played = list(pool.map(tasks.games, work))
            wall, used = time.perf_counter() - begun, time.process_time() - cpu
            rays = service_seconds() - rays
            busy = sum(seconds for result in played for seconds, _ in result)
            answers.append([game for result in played for _, game in result])
            throughput.append(count / wall)
            driver.append(used / busy)
            service.append(rays / busy)
    assert answers[0] == answers[1]
    overhead = []
    with Workers(workers=2) as pool:
        list(pool.map(nap, [(0.001,)] * 20))
        for size in (0.001, 0.01, 0.1, 1.0):
            count = max(4, min(200, int(4 / size)))
            begun, cpu = time.perf_counter(), time.process_time()
            list(pool.map(nap, [(size,)] * count))
            wall, used = time.perf_counter() - begun, time.process_time() - cpu
            overhead.append({"task_s": size, "efficiency": count * size / 2 / wall, "driver_ms": 1000 * used / count})
    ray.shutdown()
    return {
        "ratio": throughput[1] / throughput[0],
        "driver_share": driver[1],
        "service_share": service[1],
        "by_size": overhead,
    }


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--seconds", type=float, default=1.0)
    options.add_argument("--positions", type=int, default=20)
    options.add_argument("--tasks", type=int, default=24)
    options.add_argument("--sets", default="fixtures/connect-four")
    options.add_argument("--tests", default="python/tests")
    options.add_argument("--rom", default="rom/stackfall.gb")
    options.add_argument("--skip-cluster", action="store_true")
    options = options.parse_args()
    seconds = options.seconds
    figures = {
        "connect_four": vector("ConnectFour", 4096, seconds, opponent=None),
        "pgx": pgx_moves(4096, seconds),
        "pettingzoo": pettingzoo_moves(seconds),
        "tetris_classic": vector("Tetris", 4096, seconds, rules="classic"),
        "tetris_gameboy": vector("Tetris", 4096, seconds),
        "samegame": vector("SameGame", 4096, seconds),
        "plain_step": plain(seconds, wrapped=False, rules="classic"),
        "plain_gameboy": plain(seconds, wrapped=False),
        "wrapped_gameboy": plain(seconds, wrapped=True),
        "solver": solver_overhead(seconds),
        "bitbully": bitbully_ratios(options.sets, options.positions),
        "console": console(options.rom, seconds),
    }
    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.path.insert(0, options.tests)
    figures["interrupts_ms"] = interrupts()
    figures["bitbully_mean"] = math.exp(sum(map(math.log, figures["bitbully"].values())) / 6)
    if not options.skip_cluster:
        figures["spreading"] = spreading(options.tasks)
    figures["memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    figures["version"] = getattr(gamebot, "__doc__", "").splitlines()[0]
    print(json.dumps(figures))


main()
