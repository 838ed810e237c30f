"""How fast and how exact the physics is; with peers, other engines on the same turns in the same run."""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from hapenny_sim.bench import exact
from hapenny_sim.bench.fuzz import fuzz, racks, told
from hapenny_sim.physics import Physics
from hapenny_sim.physics.batch import play

PLAIN = Physics(ride_up_m_s=np.inf)
GENERAL = Physics(ride_up_m_s=np.inf, tilt_side_deg=0.3, friction_across=0.19, friction_fast=0.9)
ALTERNATIONS = 80
EXACT_ENOUGH_S = 2.0  # of processor time a rate is measured over, at least
PEERS = {"pymunk": 40, "box2d": 40, "pooltool": 60}  # turns each


def five_shove_turns(turns: int, seed: int = 1) -> np.ndarray:
    """The workload: five shoves a turn, 1.0 to 1.3 m/s, x +-50 mm, angle sigma 2 degrees, spin sigma 20 rad/s."""
    rng = np.random.default_rng(seed)
    shoves = np.zeros((turns, 5, 5))
    shoves[..., 0] = 184.15 + rng.uniform(-50, 50, (turns, 5))
    shoves[..., 1] = 6.0
    shoves[..., 2] = rng.uniform(1.0, 1.3, (turns, 5))
    shoves[..., 3] = rng.normal(0, 2, (turns, 5))
    shoves[..., 4] = rng.normal(0, 20, (turns, 5))
    return shoves


def measure(shoves: int, peers: bool, fuzzed: int = 0, seed: int = 1) -> dict[str, Any]:
    """All figures; `shoves` are played, half of them into touching racks, to look for turns given up; `fuzzed`
    starts of any kind besides, drawn with `seed`.
    """
    turns = five_shove_turns(40_000)
    play(turns[:8], PLAIN)
    play(turns[:8], GENERAL)
    found: dict[str, Any] = {
        "shoves_per_s_core": rate(lambda: play(turns[:2000], PLAIN, threads=1), turns[:2000]),
        "general_per_s": rate(lambda: play(turns[:500], GENERAL, threads=1), turns[:500]),
        "load": os.getloadavg()[0],
        **threads_ratios(turns),
        "stop_error_mm": stop_error(200),
        "general_stop_error_mm": general_stop_error(40),
        "general_error_mm": general_error(turns[:400]),
        "event_cap_hits": cap_hits(shoves),
        "cap_shoves": shoves,
    }
    if fuzzed:
        found["fuzz"] = fuzz(fuzzed, seed)
    if peers:
        found["peers"] = {name: peer(name, five_shove_turns(count, seed=2)) for name, count in PEERS.items()}
        for figures in found["peers"].values():
            if "shoves_per_s_core" in figures:
                again = rate(lambda: play(turns[:2000], PLAIN, threads=1), turns[:2000])
                figures["times_slower"] = max(again, found["shoves_per_s_core"]) / figures["shoves_per_s_core"]
    return found


def rate(go: Callable[[], Any], turns: np.ndarray) -> float:
    """Shoves a second of processor time: the best of many short runs, as of the peers."""
    best, spent = np.inf, 0.0
    while spent < EXACT_ENOUGH_S:
        began = time.process_time()
        go()
        took = time.process_time() - began
        best, spent = min(best, took), spent + took
    return turns.shape[0] * turns.shape[1] / best


def threads_ratios(turns: np.ndarray) -> dict[str, float]:
    """How much faster two threads are than one: the median over pairs of runs, one thread and two in turn.

    A pair lasts a quarter of a second, so that a core which turns faster or slower for a while does so for both of
    its runs; the fastest run of each kind would compare one thread's luckiest moment with two threads' at once.

    By processor time: one thread's over what two would take with a core each, that is the part that only one can do
    and half of the rest; it sees what threads cost each other, and other programs hardly. And by the clock, which is
    the same on a machine that has nothing else to do.
    """
    pairs = [
        [times(lambda n=threads: play(turns, PLAIN, threads=n)) for threads in (1, 2)] for _ in range(ALTERNATIONS)
    ]
    one, two = np.array(pairs).transpose(1, 2, 0)
    return {
        "threads2_ratio": float(np.median(one[0] / (two[1] + (two[0] - two[1]) / 2))),
        "threads2_clock": float(np.median(one[2] / two[2])),
    }


def times(go: Callable[[], Any]) -> np.ndarray:
    """Seconds: of processor time of all threads, of that in this one, and by the clock."""
    clocks = (time.process_time, time.thread_time, time.perf_counter)
    began = [clock() for clock in clocks]
    go()
    return np.array([clock() for clock in clocks]) - began


def stop_error(count: int, seed: int = 3) -> float:
    """The largest distance (mm) of single stops from an integration of the exact equations at 1e-12."""
    turns = five_shove_turns(count, seed)[:, :1]
    turns[:, :, 4] *= 3
    return _worst(turns, replace(PLAIN, length_mm=5000.0))


def general_stop_error(count: int, seed: int = 3) -> float:
    """The same with tilt, grain and friction by speed: the integrator's largest error (mm) of a single stop."""
    turns = five_shove_turns(count, seed)[:, :1]
    turns[:, :, 4] *= 3
    turns[::2, :, 2] *= 0.6
    return _worst(turns, replace(GENERAL, length_mm=5000.0, width_mm=5000.0))


def _worst(turns: np.ndarray, physics: Physics) -> float:
    """The largest distance of the stops of single shoves from those of `exact`."""
    played = play(turns, physics)
    return max(float(np.hypot(*(exact.stop(physics, shove[0]) - (played.x_mm[k, 0], played.y_mm[k, 0]))))
               for k, shove in enumerate(turns))  # fmt: skip


def general_error(turns: np.ndarray) -> float:
    """The 99.9th percentile of the distance (mm) between stops of the general way and the closed form on a
    plain board.
    """
    exact, general = play(turns, PLAIN), play(turns, PLAIN, general=True)
    return float(np.percentile(np.hypot(exact.x_mm - general.x_mm, exact.y_mm - general.y_mm), 99.9))


def cap_hits(shoves: int) -> int:
    """Turns given up for too many events among `shoves` shoves, half of them into touching racks."""
    hits, piece = 0, 100_000
    for number in range(max(shoves // (2 * piece), 1)):
        hits += int(play(five_shove_turns(piece // 5, 100 + number), Physics()).capped.sum())
        aimed = five_shove_turns(piece // 5, 500 + number).reshape(piece, 1, 5)
        hits += int(play(aimed, Physics(), racks(piece, number)).capped.sum())
    return hits


def peer(name: str, turns: np.ndarray) -> dict[str, Any]:
    """Another engine's rate on the same turns, in an interpreter that has it; `missing` says why there is none."""
    python = os.environ.get("HAPENNY_PEERS_PYTHON", sys.executable)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "turns.npy"
        np.save(file, turns)
        done = subprocess.run([python, str(Path(__file__).with_name("peers.py")), name, str(file)], capture_output=True,
                              text=True, check=False)  # fmt: skip
    if done.returncode:
        return {"missing": (done.stderr.strip().splitlines() or ["it ended without a word"])[-1]}
    found = json.loads(done.stdout.splitlines()[-1])
    away = np.hypot(*np.moveaxis(np.array(found["stops"]) - positions(turns), -1, 0))
    return {
        "version": found["version"],
        "shoves_per_s_core": turns.shape[0] * turns.shape[1] / found["seconds"],
        "median_apart_mm": float(np.median(away)),
    }


def positions(turns: np.ndarray) -> np.ndarray:
    """Our stops of turns."""
    played = play(turns, PLAIN)
    return np.stack([played.x_mm, played.y_mm], axis=-1)


def report(found: dict[str, Any]) -> str:
    """For people."""
    lines = [
        f"shoves a second on one core: {found['shoves_per_s_core']:,.0f} (exact coupling, five a turn)",
        f"with tilt, grain, friction by speed: {found['general_per_s']:,.0f}",
        f"two threads: {found['threads2_ratio']:.2f} times one by processor time, {found['threads2_clock']:.2f} by the "
        f"clock (load {found['load']:.1f})",
        f"stops off by {found['stop_error_mm']:.1e} mm at most",
        f"with tilt, grain, friction by speed: single stops off by {found['general_stop_error_mm']:.1e} mm at most",
        f"the general way is within {found['general_error_mm']:.1e} mm of the closed form in 99.9 % of turns",
        f"turns given up: {found['event_cap_hits']} in {found['cap_shoves']:,} shoves",
    ]
    if "fuzz" in found:
        lines.append(told(found["fuzz"]))
    for name, figures in found.get("peers", {}).items():
        lines.append(
            f"{name}: {figures['missing']}"
            if "missing" in figures
            else f"{name} {figures['version']}: {figures['shoves_per_s_core']:,.0f} a second, we are "
            f"{figures['times_slower']:,.0f} times as fast (stops {figures['median_apart_mm']:.2f} mm apart, median)"
        )
    return "\n".join(lines)
