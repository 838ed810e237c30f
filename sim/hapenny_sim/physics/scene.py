"""All discs of one shove, moved on to the next instant at which something happens: the kernels' event loop.

Everything here runs as plain Python and is compiled unchanged by `batch`.
"""

import math
from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable

from hapenny_sim.physics.border import EDGE, IMPACT, LAND, REST, RIDE, STEP, WALL, border_time, edge_gap, wall_gap
from hapenny_sim.physics.friction import FAST, size
from hapenny_sim.physics.impact import SLOW_MM_S, STOP_MM_S, blow, climb, meet, rebound
from hapenny_sim.physics.slide import last_hop, push, time_left
from hapenny_sim.physics.step import step

WEDGED = 4  # a disc that has touched this often in no time, and hardly moves, leans on several discs at rest
HURRY_S, JAMMED = 1e-6, 1000  # so many events in a row this close together: the disc is jammed and stops
RIDER_S = 2e-3  # the longest step of a disc on another: its friction changes where it lands
RESTS, MOVES, GONE = 0, 1, 2  # state; GONE + k is gone over edge k of EDGES (left, right, far, front)
STRIDE = 0.8  # the most of the time a disc surely still moves that one step may take
LONELY_MM, HOP_MM = (
    10.0,
    0.2,
)  # the longest last hop at once; it wants resting discs twice as far off, moving ones LONELY_MM
SHIFT_S = 3e-5  # the longest time a step is taken on by a Taylor series, to an event
NEAR_MM, DEEP_MM = 1e-5, 5e-7  # a blow is dealt between this gap and this overlap


class Scene(NamedTuple):
    """Discs as arrays (mm, s, complex for vectors); the second half is where the step being tried leads."""

    n: int  # discs in play, the first n of the arrays
    pos: np.ndarray
    vel: np.ndarray
    angle: np.ndarray
    spin: np.ndarray
    acc: np.ndarray
    twist: np.ndarray
    state: np.ndarray
    level: np.ndarray  # 0 on the board, 1 on another disc
    pos1: np.ndarray
    vel1: np.ndarray
    angle1: np.ndarray
    spin1: np.ndarray
    acc1: np.ndarray
    twist1: np.ndarray
    hurry: np.ndarray  # [0] how many events have come with less than HURRY_S between them
    stride: np.ndarray  # [0] the part of the time left that the error control proposes as a step


def new_scene(n):
    """A scene with room for n discs, all zero and at rest."""

    def vector():
        return np.zeros(n, dtype=np.complex128)

    def scalar():
        return np.zeros(n, dtype=np.float64)

    return Scene(
        n,
        vector(),
        vector(),
        scalar(),
        scalar(),
        vector(),
        scalar(),
        np.zeros(n, dtype=np.int64),
        np.zeros(n, dtype=np.int64),
        vector(),
        vector(),
        scalar(),
        scalar(),
        vector(),
        scalar(),
        np.zeros(1, dtype=np.int64),
        np.ones(1),
    )


@register_jitable
def wake(model, scene, i):
    """Set disc i moving (its speed or spin has changed)."""
    scene.state[i] = MOVES
    p, v = scene.pos[i], scene.vel[i]
    ax, ay, scene.twist[i] = push(model, i, p.real, p.imag, v.real, v.imag, scene.spin[i], 0.0, scene)
    scene.acc[i] = complex(ax, ay)


@register_jitable
def advance(model, scene, tolerance, longest, slow):
    """Move all discs on by one error-controlled step, cut short at the first event: (time, what, disc, other,
    approach speed).

    `tolerance` (mm) holds for a step, `longest` (s) bounds it; discs slower than `slow` (mm/s) go the rest of their
    way at once.
    """
    h = _try_steps(model, scene, longest, tolerance)
    when, what, i, j = _first_event(model, scene, h)
    if what != STEP:
        h, there = _meet_exactly(model, scene, when, what, i, j)
        what = what if there else STEP
    _commit(scene)
    scene.hurry[0] = scene.hurry[0] + 1 if h < HURRY_S else 0
    speed = 0.0
    if what == IMPACT:
        what, i, j, speed = _strike(model, scene, i, j)
    elif what == WALL:
        out = model.wall_out[j]
        scene.vel[i], scene.spin[i], speed = rebound(
            model.radius, model.wall_restitution, model.disc_friction, out, scene.vel[i], scene.spin[i]
        )
        wake(model, scene, i)
    elif what == EDGE:
        speed = size(scene.vel[i])
        scene.state[i] = GONE + j
        scene.vel[i], scene.spin[i] = 0j, 0.0
    else:
        what, i, j = _settle(model, scene, slow)
    return h, what, i, j, speed


@register_jitable
def _longest(model, scene, longest):
    """(time surely left until a disc stops or at most `longest`, whether a rider bounds the step)."""
    left = longest
    for i in range(scene.n):
        if scene.state[i] == MOVES:
            left = min(left, time_left(model, scene.vel[i], scene.spin[i], scene.acc[i], scene.twist[i]))
            if scene.level[i] > 0:
                left = min(left, RIDER_S)
    return max(left, 1e-9)


@register_jitable
def _try_steps(model, scene, longest, tolerance):
    """Step every moving disc by a part of the time left that keeps within `tolerance` mm; returns the time gone."""
    left = _longest(model, scene, longest)
    while True:
        h = left * scene.stride[0]
        error = _try(model, scene, h)
        root = math.sqrt(tolerance / max(error, 0.01 * tolerance))
        grow = 0.9 * (0.3 + 0.7 * root) / (0.7 + 0.3 * root)  # 0.9 (tolerance/error)^0.2, nearly
        if error <= tolerance or h < 1e-8:
            scene.stride[0] = min(scene.stride[0] * max(grow, 0.5), STRIDE)
            return h
        scene.stride[0] *= max(0.2, grow)


@register_jitable
def _try(model, scene, h):
    error = 0.0
    for i in range(scene.n):
        if scene.state[i] == MOVES:
            error = max(error, step(model, i, h, scene))
        else:
            scene.pos1[i], scene.vel1[i] = scene.pos[i], 0j
    return error


@register_jitable
def _commit(scene):
    for i in range(scene.n):
        if scene.state[i] == MOVES:
            scene.pos[i], scene.vel[i], scene.angle[i] = scene.pos1[i], scene.vel1[i], scene.angle1[i]
            scene.spin[i], scene.acc[i], scene.twist[i] = scene.spin1[i], scene.acc1[i], scene.twist1[i]


@register_jitable
def _first_event(model, scene, h):
    """The earliest touch, wall or edge within the tried step: (when, what, disc, other)."""
    when, what, first, second = h, STEP, -1, -1
    n = scene.n
    for i in range(n):
        if scene.state[i] != MOVES:
            continue
        for j in range(n):
            if j == i or (j < i and scene.state[j] == MOVES) or scene.state[j] >= GONE:
                continue
            t = _touch_time(model, scene, i, j, h)
            if t < when or (t == when and what == STEP):
                when, what, first, second = t, IMPACT, i, j
        t, kind, number = border_time(model, scene, i, h)
        if t < when:
            when, what, first, second = t, kind, i, number
    return when, what, first, second


@register_jitable
def _touch_time(model, scene, i, j, h):
    if scene.level[i] != scene.level[j]:
        return math.inf
    start, v0, v1 = scene.pos[j] - scene.pos[i], scene.vel[j] - scene.vel[i], scene.vel1[j] - scene.vel1[i]
    end, reach = scene.pos1[j] - scene.pos1[i], 2.0 * model.radius
    # a cubic strays from its ends by no more than their distance and a quarter of the change of its speed times h
    way = _taxi(end - start) + 0.25 * h * _taxi(v0 - v1) + reach
    if start.real * start.real + start.imag * start.imag > way * way:
        return math.inf
    return meet(reach, start, v0, end, v1, h)


@register_jitable(**FAST)
def _taxi(z):
    """A bound of a vector's length that needs no root."""
    return abs(z.real) + abs(z.imag)


@register_jitable
def _gap(model, scene, what, i, j):
    """The gap of an event and its rate after the tried step."""
    if what == IMPACT:
        apart, rate = scene.pos1[j] - scene.pos1[i], scene.vel1[j] - scene.vel1[i]
        d = size(apart)
        return d - 2.0 * model.radius, (apart.real * rate.real + apart.imag * rate.imag) / d
    if what == WALL:
        return wall_gap(model, j, scene.pos1[i], scene.vel1[i])
    return edge_gap(model, j, scene.pos1[i], scene.vel1[i])


@register_jitable
def _meet_exactly(model, scene, when, what, i, j):
    """Step again, to an event the cubics foretold: (time gone, whether it is there and not still ahead)."""
    h = when
    for _ in range(4):
        _try(model, scene, h)
        gap, rate = _gap(model, scene, what, i, j)
        if rate < 0.0 and abs(gap) < -rate * SHIFT_S and h > 10.0 * SHIFT_S:
            h -= gap / rate
            _shift(model, scene, -gap / rate)
            gap, rate = _gap(model, scene, what, i, j)
        if gap > NEAR_MM or rate >= 0.0:
            return h, False
        if gap >= -DEEP_MM:
            break
        h = max(h - gap / rate, 0.5 * h)
    return h, True


@register_jitable
def _shift(model, scene, t):
    """Take the tried step on by a time t so short that a Taylor series does."""
    for i in range(scene.n):
        if scene.state[i] == MOVES:
            scene.pos1[i] += t * (scene.vel1[i] + 0.5 * t * scene.acc1[i])
            scene.vel1[i] += t * scene.acc1[i]
            scene.angle1[i] += t * scene.spin1[i]
            scene.spin1[i] += t * scene.twist1[i]
            p, v = scene.pos1[i], scene.vel1[i]
            ax, ay, scene.twist1[i] = push(model, i, p.real, p.imag, v.real, v.imag, scene.spin1[i], 0.0, scene)
            scene.acc1[i] = complex(ax, ay)


@register_jitable
def _strike(model, scene, i, j):
    """Deal the blow between touching discs i and j: (what, disc, other, approach speed)."""
    normal = scene.pos[j] - scene.pos[i]
    apart = size(normal)
    normal /= apart
    if apart < 2.0 * model.radius:  # or pressing again and again would add up
        scene.pos[i] -= (2.0 * model.radius - apart) * normal
    speed = ((scene.vel[i] - scene.vel[j]) * normal.conjugate()).real
    if speed <= 0.0:
        return STEP, i, j, 0.0
    if scene.hurry[0] > JAMMED:
        return _stop_both(model, scene, i, j)
    if speed < SLOW_MM_S and scene.state[j] == RESTS:
        return _stand(model, scene, i, j, speed * normal)
    if size(scene.vel[j]) > size(scene.vel[i]):
        i, j = j, i
    what = RIDE if speed >= model.ride_speed and _may_ride(model, scene, i) else IMPACT
    p, q = scene.pos[i], scene.pos[j]
    if what == RIDE:
        scene.vel[i], scene.vel[j] = climb(model.ride_keep, p, scene.vel[i], q, scene.vel[j])
        scene.level[i] = 1
    else:
        scene.vel[i], scene.spin[i], scene.vel[j], scene.spin[j], _ = blow(
            model.radius,
            model.restitution,
            model.disc_friction,
            p,
            scene.vel[i],
            scene.spin[i],
            q,
            scene.vel[j],
            scene.spin[j],
        )
    wake(model, scene, i)
    wake(model, scene, j)
    return what, i, j, speed


@register_jitable
def _stand(model, scene, i, j, approach):
    """Disc j, at rest, stands the touch of disc i: the board takes the momentum."""
    scene.vel[i] -= approach
    if scene.hurry[0] > WEDGED and size(scene.vel[i]) < STOP_MM_S:
        scene.vel[i] = 0j
    wake(model, scene, i)
    return STEP, i, j, 0.0


@register_jitable
def _stop_both(model, scene, i, j):
    """End the jam of discs i and j: neither slides on (they may spin)."""
    for k in (i, j):
        scene.vel[k] = 0j
        if scene.state[k] == MOVES:
            wake(model, scene, k)
    return STEP, i, j, 0.0


@register_jitable
def _may_ride(model, scene, i):
    """Whether disc i lies on the board with no disc above it."""
    if scene.level[i] > 0:
        return False
    for k in range(scene.n):
        if k != i and scene.level[k] > 0 and scene.state[k] < GONE and overlaps(model, scene, i, k):
            return False
    return True


@register_jitable
def overlaps(model, scene, i, k):
    """Whether discs i and k cover the same place."""
    return size(scene.pos[i] - scene.pos[k]) < 2.0 * model.radius - 1e-6


@register_jitable
def _settle(model, scene, slow):
    """Let one disc that has come to rest rest, or one that lies on nothing any more land: (what, disc, other)."""
    for i in range(scene.n):
        if scene.level[i] > 0 and scene.state[i] < GONE and support(model, scene, i) < 0:
            scene.level[i] = 0
            return LAND, i, -1
        if scene.state[i] != MOVES:
            continue
        speed = size(scene.vel[i]) + model.radius * abs(scene.spin[i])
        if speed >= slow and speed >= STOP_MM_S:
            continue
        hop = last_hop(model, scene.vel[i], scene.spin[i], scene.acc[i])
        if speed < STOP_MM_S or (size(hop) < HOP_MM and _alone(model, scene, i)):
            scene.pos[i] += hop
            scene.state[i], scene.vel[i], scene.spin[i] = RESTS, 0j, 0.0
            scene.acc[i], scene.twist[i] = 0j, 0.0
            if scene.pos[i].imag < 0.0:
                scene.state[i] = GONE + 3
                return EDGE, i, 3
            return REST, i, -1
    return STEP, -1, -1


@register_jitable
def _alone(model, scene, i):
    """Whether a slow disc can take its last hop at once: no disc, wall or edge near, nothing moving towards it soon."""
    for k in range(scene.n):
        if k != i and scene.state[k] < GONE:
            near = 2.0 * model.radius + (LONELY_MM if scene.state[k] == MOVES else 2.0 * HOP_MM)
            if size(scene.pos[k] - scene.pos[i]) < near:
                return False
    for k in range(model.walls):
        if abs(wall_gap(model, k, scene.pos[i], scene.vel[i])[0]) < 2.0 * HOP_MM:
            return False
    near = math.inf
    for k in range(4):
        near = min(near, abs(edge_gap(model, k, scene.pos[i], scene.vel[i])[0]))
    return near >= 2.0 * HOP_MM


@register_jitable
def support(model, scene, i):
    """The disc that disc i lies upon: the nearest it covers, else -1."""
    best, found = 2.0 * model.radius - 1e-6, -1
    for k in range(scene.n):
        if (
            k != i
            and scene.level[k] < scene.level[i]
            and scene.state[k] < GONE
            and size(scene.pos[i] - scene.pos[k]) < best
        ):
            best, found = size(scene.pos[i] - scene.pos[k]), k
    return found
