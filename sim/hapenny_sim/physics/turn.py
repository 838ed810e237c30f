"""One turn over plain arrays: put a disc down, play its shove, take off what is gone. Compiled by `batch`.

All that these functions read and write is in records, which compiled code passes as plain addresses: arrays as
arguments would cost an atomic count at every call, on memory that threads share.
"""

import math
from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable

from hapenny_sim.physics import closed
from hapenny_sim.physics.scene import GONE, MOVES, RESTS, advance, support, wake

AWAY_MM = 1e9  # where discs are kept that are not on the board
DEAD = 6  # fate of a disc taken off at rest; 0 is on the board, GONE + k = 2..5 gone over edge k
TOLERANCE_MM = 1e-3  # of one integrator step; the stop is within 0.01 mm (tests hold it)
LONGEST_S = 1.0
HOP_MM_S = 12.0  # discs this slow and alone go their last 0.04 mm at once
EVENTS_MAX = 1_000_000  # steps of one shove; a fast spinning disc that leans on others on a tilted board takes 100,000
FRONT = GONE + 3


class Spots(NamedTuple):
    """Where the discs of a turn lie between its shoves, and what became of them."""

    x: np.ndarray
    y: np.ndarray
    level: np.ndarray  # 1 for a disc on another
    end_x: np.ndarray  # where it lay in the end, or went over an edge
    end_y: np.ndarray
    fate: np.ndarray
    on: np.ndarray  # which disc it lies upon, or -1
    shove: np.ndarray  # x_mm, y_mm, m/s, degrees, rad/s
    limits: np.ndarray  # a disc at rest is dead past [0], or less than [1] from a side edge


def new_spots(n):
    """Spots for n discs."""
    f, k = np.zeros((4, n)), np.zeros((3, n), dtype=np.int64)
    return Spots(f[0], f[1], k[0], f[2], f[3], k[1], k[2], np.zeros(5), np.zeros(2))


@register_jitable
def lay_out(at, i, x, y, on):
    """Disc i lies at x, y before the turn, on another if `on` > 0; NaN: it is not there."""
    there = not math.isnan(x) and not math.isnan(y)
    at.x[i], at.y[i] = (x, y) if there else (AWAY_MM, AWAY_MM + 100.0 * i)
    at.level[i] = 1 if there and on > 0.0 else 0
    at.end_x[i], at.end_y[i], at.fate[i], at.on[i] = 0.0, 0.0, 0, 0


@register_jitable
def put_down(model, at, i, x, y):
    """Put disc i at x, y, or as near beside it as is free of others; False if there is no room along that line."""
    reach = 2.0 * model.radius
    left = right = x
    for _ in range(i + 1):
        for k in range(i):
            dy = at.y[k] - y
            if at.level[k] > 0 or abs(dy) >= reach:
                continue
            half = math.sqrt(reach * reach - dy * dy)
            if abs(left - at.x[k]) < half:
                left = at.x[k] - half - 1e-9
            if abs(right - at.x[k]) < half:
                right = at.x[k] + half + 1e-9
    nearer_left = left >= 0.0 and (x - left <= right - x or right > model.width)
    at.x[i], at.y[i] = (left if nearer_left else right), y
    return nearer_left or right <= model.width


@register_jitable
def shove_one(model, table, scene, at, i, closed_form):
    """Play `at.shove` with disc i: (blows, whether it was given up)."""
    if not put_down(model, at, i, at.shove[0], at.shove[1]):
        at.x[i], at.y[i] = at.shove[0], at.shove[1]
        _gone(at, i, FRONT)
        return 0, False
    speed, heading = at.shove[2] * 1000.0, at.shove[3] * math.pi / 180.0
    vx, vy, spin = speed * math.sin(heading), speed * math.cos(heading), at.shove[4]
    flat = closed_form
    for j in range(i):
        flat = flat and at.level[j] == 0
    if flat:
        for j in range(i + 1):
            table.x[j], table.y[j] = at.x[j], at.y[j]
        blows = closed.play(model, table, i + 1, i, vx, vy, spin * model.radius)
        if blows >= 0:
            _keep_closed(table, i + 1, at)
            return blows, False
    _set_up(scene, at, i, complex(vx, vy), spin)
    if speed + abs(spin) > 0.0:
        wake(model, scene, i)
    blows, capped = until_rest(model, scene)
    _keep_scene(scene, i + 1, at)
    return blows, capped


@register_jitable
def _keep_closed(t, n, at):
    for i in range(n):
        if t.moving[i] == 1:
            at.x[i], at.y[i] = t.x[i] + t.dx[i] * t.end[i], t.y[i] + t.dy[i] * t.end[i]
            if t.fate[i] > 0:
                _gone(at, i, t.fate[i])


@register_jitable
def _gone(at, i, how):
    at.end_x[i], at.end_y[i], at.fate[i] = at.x[i], at.y[i], how
    at.x[i], at.y[i], at.level[i] = AWAY_MM, AWAY_MM + 100.0 * i, 0


@register_jitable
def _set_up(scene, at, i, velocity, spin):
    """The scene in which disc i is shoved."""
    scene.n = i + 1
    for j in range(i + 1):
        scene.pos[j], scene.vel[j], scene.spin[j] = complex(at.x[j], at.y[j]), 0j, 0.0
        scene.pos1[j], scene.vel1[j] = scene.pos[j], 0j
        scene.state[j] = RESTS if at.x[j] < AWAY_MM else GONE
        scene.level[j] = at.level[j]
    scene.vel[i], scene.spin[i], scene.stride[0] = velocity, spin, 0.4
    scene.hurry[0] = 0


@register_jitable
def _keep_scene(scene, n, at):
    for i in range(n):
        if at.x[i] < AWAY_MM:
            at.x[i], at.y[i], at.level[i] = scene.pos[i].real, scene.pos[i].imag, scene.level[i]
            if scene.state[i] >= GONE:
                _gone(at, i, scene.state[i])


@register_jitable
def until_rest(model, scene):
    """Run a scene until nothing moves: (events but rests, whether it was given up)."""
    events = 0
    for _ in range(EVENTS_MAX):
        moving = False
        for k in range(scene.n):
            moving = moving or scene.state[k] == MOVES
        if not moving:
            return events, False
        what = advance(model, scene, TOLERANCE_MM, LONGEST_S, HOP_MM_S)[1]
        events += 0 < what < 6
    return events, True


@register_jitable
def take_off(model, at, n):
    """Take dead discs off: those at rest past the far limit or within the side limit of an edge."""
    for i in range(n):
        if at.x[i] < AWAY_MM and (
            at.y[i] >= at.limits[0] or at.x[i] < at.limits[1] or at.x[i] > model.width - at.limits[1]
        ):
            _gone(at, i, DEAD)


@register_jitable
def record(model, scene, at, n):
    """Write down where the discs on the board lie, and which lies upon which."""
    scene.n = n
    for i in range(n):
        scene.pos[i], scene.level[i] = complex(at.x[i], at.y[i]), at.level[i]
        scene.state[i] = RESTS if at.x[i] < AWAY_MM else GONE
    for i in range(n):
        at.on[i] = -1
        if at.x[i] < AWAY_MM:
            at.end_x[i], at.end_y[i] = at.x[i], at.y[i]
            if at.level[i] > 0:
                at.on[i] = support(model, scene, i)
