"""One shove as `shove` plays it, compiled: a path of the same knots, whose places are looked up by compiled code.

For studies of many shoves with their paths. It takes seconds to compile, the first time on a machine.
"""

import fcntl
import math
import os
import tempfile
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit
from numba.extending import register_jitable

from hapenny_sim.physics.batch import DISCS_MAX, _numbers, _sources_stamp, record
from hapenny_sim.physics.impact import STOP_MM_S
from hapenny_sim.physics.model import EDGES, Physics, Rest, Shove
from hapenny_sim.physics.scene import GONE, MOVES, Scene, advance, new_scene, support
from hapenny_sim.physics.shove import EVENTS_MAX, LONGEST_S, TOLERANCE_MM, start

KNOTS_MAX = 20_000  # of all discs of a shove
TIME, X, Y, TURN, SPEED_X, SPEED_Y, SPIN = range(7)  # columns of a knot
MOVED_FIELDS = ("pos", "vel", "angle", "spin", "acc", "twist", "state", "level")


class QuickPath:
    """What a shove did: as Trajectory, but for the events."""

    def __init__(self, duration_s: float, knots: np.ndarray, first: np.ndarray, gone_s: np.ndarray,
                 ends: list[tuple[float, float, float, str, int]]) -> None:  # fmt: skip
        self.duration_s = duration_s
        self.n = len(gone_s)
        self.kept = [i for i, end in enumerate(ends) if not end[3]]
        self._path = (knots, first, gone_s)
        self._ends = ends

    def at(self, t_s: float) -> np.ndarray:
        """(n, 3): x_mm, y_mm, angle_rad of every disc at a time; NaN once it has left the board."""
        return self.sample(np.array([t_s]))[0]

    def sample(self, times_s: np.ndarray) -> np.ndarray:
        """(len(times), n, 3), as `at`."""
        out = np.empty((len(times_s), self.n, 3))
        _sample(*self._path, times_s, out)
        return out

    def rests(self) -> list[Rest]:
        """The discs still on the board, as the next shove finds them."""
        number = {i: k for k, i in enumerate(self.kept)}
        return [Rest(e[0], e[1], e[2], number.get(e[4], -1)) for i, e in enumerate(self._ends) if i in number]


def simulate(lying: Sequence[Rest], shove: Shove, physics: Physics | None = None) -> QuickPath:
    """Play one shove over the lying discs, 15 at most; ValueError names what is out of range."""
    physics = physics or Physics()
    begun = start(lying, shove, physics)
    n = len(begun.pos)
    if n > DISCS_MAX:
        raise ValueError(f"lying: {n - 1} discs are more than the {DISCS_MAX - 1} allowed.")
    scene, rows, of = _room()
    for name in MOVED_FIELDS:
        scene[0][name][:n] = getattr(begun, name)
    scene[0]["n"], scene[0]["hurry"][0], scene[0]["stride"][0] = n, 0, 1.0
    gone_s = np.full(n, math.inf)
    on = np.full(n, -1)
    count, duration_s = _kernel()(_numbers(physics), scene, rows, of, gone_s, on)
    if count < 0:
        raise RuntimeError("a shove has too many events; please report its discs and its speed.")
    order = np.argsort(of[:count], kind="stable")
    first = np.searchsorted(of[:count][order], np.arange(n + 1))
    return QuickPath(duration_s, rows[:count][order], first, gone_s, _ends(scene[0], n, on))


def _ends(scene: Any, n: int, on: np.ndarray) -> list[tuple[float, float, float, str, int]]:
    """x_mm, y_mm, angle_rad, the edge it went over or "", and which disc it lies on, of every disc."""
    out = []
    for i in range(n):
        place, state = scene["pos"][i], int(scene["state"][i])
        edge = EDGES[state - GONE] if state >= GONE else ""
        out.append((float(place.real), float(place.imag), float(scene["angle"][i]), edge, int(on[i])))
    return out


@lru_cache(maxsize=1)
def _room() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    scene: Scene = new_scene(DISCS_MAX)
    return record(scene), np.zeros((KNOTS_MAX, 7)), np.zeros(KNOTS_MAX, np.int64)


@register_jitable
def _knot(rows, of, count, last, i, t, place, speed, turn, spin):
    rows[count, TIME], rows[count, TURN], rows[count, SPIN] = t, turn, spin
    rows[count, X], rows[count, Y] = place.real, place.imag
    rows[count, SPEED_X], rows[count, SPEED_Y] = speed.real, speed.imag
    of[count] = i
    last[i] = count
    return count + 1


@register_jitable
def _keep(scene, rows, of, count, last, i, t, moved):
    """As shove._Track.add."""
    if moved:
        count = _knot(rows, of, count, last, i, t, scene.pos[i], scene.vel1[i], scene.angle[i], scene.spin1[i])
    elif last[i] >= 0 and rows[last[i], TIME] < t:
        count = _knot(rows, of, count, last, i, t, scene.pos[i], 0j, scene.angle[i], 0.0)
    if last[i] < 0 or rows[last[i], SPEED_X] != scene.vel[i].real or rows[last[i], SPEED_Y] != scene.vel[i].imag \
            or rows[last[i], SPIN] != scene.spin[i]:  # fmt: skip
        count = _knot(rows, of, count, last, i, t, scene.pos[i], scene.vel[i], scene.angle[i], scene.spin[i])
    return count


def _make(stamp: int):
    """The compiled kernel; `stamp` enters its key in numba's cache."""

    @njit(cache=True, error_model="numpy")
    def run(models, scenes, rows, of, gone_s, on):
        """Until all is at rest: (knots, or -1 if they are too many, duration in seconds)."""
        assert stamp >= 0
        m, scene = models[0], scenes[0]
        n = scene.n
        last = np.full(n, -1)
        before = np.zeros(n, np.int64)
        now, count = 0.0, 0
        for i in range(n):
            count = _keep(scene, rows, of, count, last, i, 0.0, False)
        for _ in range(EVENTS_MAX):
            moving = False
            for k in range(n):
                before[k] = scene.state[k]
                moving = moving or before[k] == MOVES
            if not moving:
                for i in range(n):
                    on[i] = support(m, scene, i) if scene.level[i] > 0 and scene.state[i] < GONE else -1
                return count, now
            if count > KNOTS_MAX - 3 * n:
                return -1, now
            took, what, i, _, _ = advance(m, scene, TOLERANCE_MM, LONGEST_S, STOP_MM_S)
            now += took
            for k in range(n):
                if before[k] == MOVES or scene.state[k] == MOVES:
                    count = _keep(scene, rows, of, count, last, k, now, before[k] == MOVES)
            if scene.state[i] >= GONE and math.isinf(gone_s[i]) and what:
                gone_s[i] = now
        return -1, now

    return run


@lru_cache(maxsize=1)
def _kernel():
    """The kernel, compiled once for all processes that start together; then kept on disk by numba."""
    stamp = _sources_stamp()
    kernel = _make(stamp)
    scene, rows, of = (part.copy() for part in _room())
    with (Path(tempfile.gettempdir()) / f"hapenny-quick-{os.getuid()}-{stamp}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        scene[0]["n"] = 0
        kernel(_numbers(Physics()), scene, rows, of, np.zeros(0), np.zeros(0, np.int64))
    return kernel


@njit(cache=True)
def _between(a, b, t, out):
    """Place and turn at a time after knot a and before b, which may be the same."""
    h = b[TIME] - a[TIME]
    s = min(max(t - a[TIME], 0.0), h)
    for c in range(3):
        out[c] = a[X + c]
        if h > 0.0:
            d0, d1, mean = a[SPEED_X + c], b[SPEED_X + c], (b[X + c] - a[X + c]) / h
            out[c] += s * (d0 + s * ((3 * mean - 2 * d0 - d1) / h + s * (d0 + d1 - 2 * mean) / (h * h)))


@njit(cache=True)
def _sample(knots, first, gone_s, times, out):
    """Places and turn of every disc at each of the times: cubics between knots."""
    for k in range(times.shape[0]):
        for i in range(gone_s.shape[0]):
            if times[k] >= gone_s[i]:
                out[k, i, 0] = out[k, i, 1] = out[k, i, 2] = np.nan
            else:
                low = _knot_before(knots, first[i], first[i + 1], times[k])
                _between(knots[low], knots[min(low + 1, first[i + 1] - 1)], times[k], out[k, i])


@njit(cache=True)
def _knot_before(knots, low, high, t):
    """The last of the knots from low to before high that is not later than t; low if all are."""
    while high - low > 1:
        middle = (low + high) // 2
        if knots[middle, TIME] <= t:
            low = middle
        else:
            high = middle
    return low
