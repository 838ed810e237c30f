"""Many independent turns, compiled and on all cores; the same results for any number of threads.

The kernels are those that `shove` runs as plain Python. A turn's shoves go one after another over what lies on the
board. On a plain board each is played in closed form, and what that cannot do, and every other board, by the
error-controlled integrator.
"""

import atexit
import fcntl
import hashlib
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numba import njit

from hapenny_sim.physics import turn
from hapenny_sim.physics.closed import new_table
from hapenny_sim.physics.model import SHOVE_LIMITS, Physics, model
from hapenny_sim.physics.scene import new_scene

ON_BOARD, ABSENT = 0, 7  # fates, besides turn.DEAD and scene.GONE + k over edge k of EDGES
DISCS_MAX = 16  # in one turn, lying ones included
BLOCK = 512  # turns a thread takes at a time


@dataclass(frozen=True)
class Zones:
    """Where a disc at rest is dead and is taken off before the next shove (RULES point 8); none by default."""

    far_mm: float = np.inf  # y from which it is past the far line
    side_mm: float = -np.inf  # distance from either side edge below which it is past a side line


@dataclass(frozen=True)
class Played:
    """What became of each disc: axes (turn, disc), lying discs first, then the shoved ones in order.

    x_mm, y_mm: its place, or where it passed the edge; fate: ON_BOARD, turn.DEAD, ABSENT (not there before), or
    scene.GONE + k over edge k of EDGES; on: -1 or the disc it lies upon; blows: impacts in the turn; capped: turns
    given up for too many events (none is known).
    """

    x_mm: np.ndarray
    y_mm: np.ndarray
    fate: np.ndarray
    on: np.ndarray
    blows: np.ndarray
    capped: np.ndarray


def play(
    shoves: np.ndarray,
    physics: Physics | None = None,
    lying: np.ndarray | None = None,
    *,
    zones: Zones | None = None,
    threads: int | None = None,
    general: bool = False,
    done: Callable[[int], None] | None = None,
) -> Played:
    """Play turns. `shoves` (turns, shoves, 5): x_mm, y_mm, speed_m_s, direction_deg, spin_rad_s.

    `lying` (turns, discs, 2 or 3) or (discs, 2 or 3): what lies there before, x_mm, y_mm, and 1 for a disc on
    another one; NaN for none. `general` uses the integrator even where the closed form holds. `done(turns)` is
    called as blocks are finished. ValueError names what is out of range.
    """
    physics, zones = physics or Physics(), zones or Zones()
    shoves = _shaped(shoves)
    places = _checked_lying(lying, len(shoves), physics)
    out = _empty(len(shoves), places.shape[1] + shoves.shape[1])
    settings = (np.array([zones.far_mm, zones.side_mm]), physics.plain and not general)
    kernel, numbers = _kernels(), _numbers(physics)

    def block(first: int) -> int:
        rows = slice(first, first + BLOCK)
        _check_ranges(shoves[rows], physics)
        table, scene, spots = (part.copy() for part in _room())
        results = (out.x_mm[rows], out.y_mm[rows], out.fate[rows], out.on[rows], out.blows[rows], out.capped[rows])
        kernel(numbers, table, scene, spots, places[rows], shoves[rows], *settings, *results)
        return min(BLOCK, len(shoves) - first)

    blocks = range(0, len(shoves), BLOCK)
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        for count in pool.map(block, blocks) if len(blocks) > 1 else map(block, blocks):
            if done:
                done(count)
    absent = np.isnan(places).any(axis=2)
    for values, mark in ((out.fate, ABSENT), (out.x_mm, np.nan), (out.y_mm, np.nan)):
        values[:, : places.shape[1]][absent] = mark
    return out


def _empty(turns: int, discs: int) -> Played:
    """Room for what becomes of `discs` discs in each turn."""
    if discs > DISCS_MAX:
        raise ValueError(f"lying, shoves: {discs} discs in a turn are more than the {DISCS_MAX} allowed.")
    return Played(
        x_mm=np.zeros((turns, discs)),
        y_mm=np.zeros((turns, discs)),
        fate=np.zeros((turns, discs), dtype=np.int8),
        on=np.zeros((turns, discs), dtype=np.int8),
        blows=np.zeros(turns, dtype=np.int64),
        capped=np.zeros(turns, dtype=np.bool_),
    )


def _shaped(shoves: np.ndarray) -> np.ndarray:
    shoves = np.ascontiguousarray(shoves, dtype=float)
    if shoves.ndim != 3 or shoves.shape[2] != 5:
        raise ValueError(f"shoves: shape {shoves.shape} is not (turns, shoves, 5).")
    return shoves


def _check_ranges(shoves: np.ndarray, physics: Physics) -> None:
    """Every thread checks the shoves it plays: for many turns that is time worth sharing."""
    limits = dict(SHOVE_LIMITS, x_mm=(0.0, physics.width_mm), y_mm=(-physics.radius_mm, physics.length_mm))
    for k, (name, (low, high)) in enumerate(limits.items()):
        column = shoves[:, :, k]
        if not ((column >= low) & (column <= high)).all():
            raise ValueError(f"shoves {name}: not all in {low:g} .. {high:g}.")


def _checked_lying(lying: np.ndarray | None, turns: int, physics: Physics) -> np.ndarray:
    """(turns, discs, 3): x, y, 1 for a disc on another; the same board for all turns is spread out."""
    if lying is None:
        return np.zeros((turns, 0, 3))
    given = np.asarray(lying, dtype=float)
    if given.ndim not in (2, 3) or given.shape[-1] not in (2, 3) or (given.ndim == 3 and len(given) != turns):
        raise ValueError(f"lying: shape {given.shape} is not (discs, 2 or 3) or (turns, discs, 2 or 3).")
    places = np.zeros((turns, given.shape[-2], 3))
    places[:, :, : given.shape[-1]] = given
    xy, there = places[:, :, :2], ~np.isnan(places).any(axis=2)
    if np.isinf(places).any() or (xy[there] < 0).any() or (xy[there] > (physics.width_mm, physics.length_mm)).any():
        raise ValueError(f"lying: not all in 0 .. {physics.width_mm:g} by 0 .. {physics.length_mm:g} mm.")
    for a in range(places.shape[1]):
        for b in range(a):
            apart = np.hypot(*np.moveaxis(xy[:, a] - xy[:, b], 1, 0))
            if ((apart < 2 * physics.radius_mm - 1e-6) & (places[:, a, 2] == places[:, b, 2])).any():
                raise ValueError(
                    f"lying: discs {b} and {a} overlap; centres must be {2 * physics.radius_mm:g} mm apart."
                )
    return places


def record(named: NamedTuple) -> np.ndarray:
    """A NamedTuple of numbers and arrays as one record: passed to compiled code as a plain address, it costs no
    bookkeeping.
    """
    parts = {k: record(v) if hasattr(v, "_asdict") else np.asarray(v) for k, v in named._asdict().items()}
    shapes = [(k, v.dtype, () if v.dtype.names else v.shape) for k, v in parts.items()]
    out = np.zeros(1, dtype=np.dtype(shapes, align=True))
    for k, v in parts.items():
        out[0][k] = v[0] if v.dtype.names else v
    return out


@lru_cache(maxsize=16)
def _numbers(physics: Physics) -> np.ndarray:
    return record(model(physics))


@lru_cache(maxsize=1)
def _room() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return record(new_table(DISCS_MAX)), record(new_scene(DISCS_MAX)), record(turn.new_spots(DISCS_MAX))


def _sources_stamp() -> int:
    """A number that changes with the physics sources: numba's own cache watches this file only."""
    text = b"".join(path.read_bytes() for path in sorted(Path(__file__).parent.glob("*.py")))
    return int.from_bytes(hashlib.sha256(text).digest()[:6], "big")


def _make(stamp: int):
    """The compiled kernel; `stamp` enters its key in numba's cache."""

    @njit(cache=True, nogil=True, error_model="numpy")
    def turns(models, tables, scenes, spots, lying, shoves, limits, closed_form, x, y, fate, on, blows, capped):
        assert stamp >= 0
        n, first = x.shape[1], lying.shape[1]
        m, table, scene, at = models[0], tables[0], scenes[0], spots[0]
        at.limits[0], at.limits[1] = limits[0], limits[1]
        for k in range(x.shape[0]):
            for i in range(n):
                if i < first:
                    turn.lay_out(at, i, lying[k, i, 0], lying[k, i, 1], lying[k, i, 2])
                else:
                    turn.lay_out(at, i, np.nan, np.nan, 0.0)
            for s in range(shoves.shape[1]):
                for c in range(5):
                    at.shove[c] = shoves[k, s, c]
                more, given_up = turn.shove_one(m, table, scene, at, first + s, closed_form)
                blows[k] += more
                capped[k] = capped[k] or given_up
                turn.take_off(m, at, first + s + 1)
            turn.record(m, scene, at, n)
            for i in range(n):
                x[k, i], y[k, i], fate[k, i], on[k, i] = at.end_x[i], at.end_y[i], at.fate[i], at.on[i]

    return turns


@lru_cache(maxsize=1)
def _kernels():
    """The kernel, compiled (half a minute, once; then kept on disk by numba). Processes that start together
    compile it once.
    """
    stamp = _sources_stamp()
    kernel = _make(stamp)
    table, scene, spots = (part.copy() for part in _room())
    out = _empty(0, 1)
    nothing = (np.zeros((0, 1, 3)), np.zeros((0, 0, 5)), np.zeros(2), True)
    results = (out.x_mm, out.y_mm, out.fate, out.on, out.blows, out.capped)
    with (Path(tempfile.gettempdir()) / f"hapenny-physics-{os.getuid()}-{stamp}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        kernel(_numbers(Physics()), table, scene, spots, *nothing, *results)
    return kernel


APART = "import os; os.nice(10); from hapenny_sim.physics import batch; batch._kernels()"


def get_ready() -> None:
    """Compile before it is needed: in a process apart, so that this one goes on meanwhile, at half a minute's leisure
    the first time on a machine; then only take what it left on disk.
    """
    command, nothing = [sys.executable, "-c", APART], subprocess.DEVNULL
    apart = subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing, start_new_session=True)
    atexit.register(apart.kill)
    killed = apart.wait() < 0
    atexit.unregister(apart.kill)
    if not killed:
        _kernels()
