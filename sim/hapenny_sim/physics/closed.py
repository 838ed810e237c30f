"""A whole shove on a plain board in closed form: straight paths, and from blow to blow no time steps at all.

On an even, level board without magnets every disc goes straight, so a moving disc meets resting ones by a ray
against circles and stops where its universal curve says. Only two discs moving at once need a search in time, which
strides as far as their accelerations surely allow. Compiled by `batch`; what it cannot do (a disc riding up) it
hands back, untouched, with -1.
"""

import math
from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable

from hapenny_sim.physics.curves import (
    CLOCK,
    FIRST_Z,
    REACH,
    TIME,
    WAY,
    Z_MAX,
    Z_MIN,
    at_z,
    cell_of,
    part_of,
    quintic,
    z_at,
)
from hapenny_sim.physics.friction import FAST
from hapenny_sim.physics.impact import CREEP_MM_S, PRESS_MM, SLOW_MM_S, TOUCH_MM, bounce, safe
from hapenny_sim.physics.scene import GONE
from hapenny_sim.physics.slide import place

BLOWS_MAX = 5_000  # of one shove, then it is handed back; seen only in racks at restitution 0


class Table(NamedTuple):
    """Discs of one turn: where each lies or was last sent off, and how it goes on from there."""

    x: np.ndarray
    y: np.ndarray
    dx: np.ndarray  # direction of the path
    dy: np.ndarray
    v: np.ndarray  # speed and rim speed (signed) when sent off
    rim: np.ndarray
    kind: np.ndarray  # place on the universal curves
    z: np.ndarray
    scale: np.ndarray
    way: np.ndarray  # until it stops by itself
    time: np.ndarray
    sent: np.ndarray  # when it was sent off
    end: np.ndarray  # way until it stops or its centre passes an edge
    fate: np.ndarray  # 0 stays on the board, GONE + k passes edge k
    moving: np.ndarray
    hit: np.ndarray  # the resting disc it meets first, or -1, and after which way
    hit_way: np.ndarray
    meets: np.ndarray  # when two moving discs touch


def new_table(n):
    """A table with room for n discs."""
    f, k = np.zeros((13, n)), np.zeros((4, n), dtype=np.int64)
    return Table(
        f[0],
        f[1],
        f[2],
        f[3],
        f[4],
        f[5],
        k[0],
        f[6],
        f[7],
        f[8],
        f[9],
        f[10],
        f[11],
        k[1],
        k[2],
        k[3],
        f[12],
        np.full((n, n), np.inf),
    )


@register_jitable
def play(model, t, n, i, vx, vy, rim):
    """Shove disc i of the n on the table; it and those it moves end with moving = 1 and `end`. Returns blows, or -1."""
    for k in range(n):
        t.moving[k] = 0
    _send(model, t, i, vx, vy, rim, 0.0)
    _look(model, t, n, i)
    blows, movers = 0, 1
    while True:
        if movers == 1:
            a, b, now = _only(t, n, i)
        else:
            a, b, now = _next(model, t, n)
        if a < 0:
            return blows
        rested = t.moving[b] == 0
        if not _deal(model, t, a, b, now):
            return -1
        movers += rested and t.moving[b] == 1
        blows += 1
        if blows > BLOWS_MAX:
            return -1
        _renew(model, t, n, a, b, now)


@register_jitable(fastmath={"contract"})
def _send(model, t, i, vx, vy, rim, now):
    """Send disc i off from where it is."""
    v = math.sqrt(vx * vx + vy * vy)
    brake = model.weight * model.mu_y
    t.moving[i], t.sent[i], t.v[i], t.rim[i], t.fate[i] = 1, now, v, rim, 0
    t.dx[i], t.dy[i] = (vx / v, vy / v) if v > 0.0 else (0.0, 1.0)
    kind, z, scale = place(model.curves, v, abs(rim))
    t.kind[i], t.z[i], t.scale[i] = kind, z, scale
    beyond = min(1.0, Z_MAX / z) if kind == 1 else 1.0  # there ways are in proportion to v
    z = min(max(z, Z_MIN), Z_MAX)
    cell = cell_of(z)
    row, off = model.curves.by_z[kind, cell - FIRST_Z], part_of(z)
    t.way[i] = quintic(row, REACH, off) * scale * scale * beyond / brake
    t.time[i] = quintic(row, TIME, off) * scale / brake
    t.end[i] = t.way[i]
    x, y = t.x[i] + t.dx[i] * t.way[i], t.y[i] + t.dy[i] * t.way[i]
    if x < 0.0 or x > model.width or y < 0.0 or y > model.length:
        _leave(model, t, i)


@register_jitable
def _leave(model, t, i):
    """Find the edge disc i passes first."""
    dx, dy = t.dx[i], t.dy[i]
    ways = (
        -t.x[i] / dx if dx < 0.0 else math.inf,
        (model.width - t.x[i]) / dx if dx > 0.0 else math.inf,
        (model.length - t.y[i]) / dy if dy > 0.0 else math.inf,
        -t.y[i] / dy if dy < 0.0 else math.inf,
    )
    if t.y[i] < 0.0 and dy >= 0.0:  # still before the front edge and not getting over it
        ways = (ways[0], ways[1], ways[2], t.way[i])
    for k in range(4):
        if ways[k] <= t.end[i]:
            t.end[i], t.fate[i] = max(ways[k], 0.0), GONE + k


@register_jitable(**FAST)
def _way_to(model, t, i, x, y):
    """(way on the path of disc i to its touch with a disc resting at x, y; way to the foot of x, y); inf if it
    passes by.
    """
    ax, ay = x - t.x[i], y - t.y[i]
    ahead = ax * t.dx[i] + ay * t.dy[i]
    inside = 4.0 * model.radius * model.radius - (ax * ax + ay * ay) + ahead * ahead
    if ahead * t.v[i] <= 2.0 * model.radius * CREEP_MM_S or inside <= 0.0:
        return math.inf, ahead
    return ahead - math.sqrt(inside), ahead


@register_jitable(**FAST)
def _look(model, t, n, i):
    """The first resting disc on the path of disc i."""
    best, found = t.end[i], -1
    for k in range(n):
        if t.moving[k] == 0:
            way = _way_to(model, t, i, t.x[k], t.y[k])[0]
            if way < best:
                best, found = way, k
    t.hit[i], t.hit_way[i] = found, max(best, 0.0)


@register_jitable(**FAST)
def _only(t, n, i):
    """The next blow while disc i alone moves."""
    return (i, t.hit[i], 0.0) if t.hit[i] >= 0 else (-1, -1, 0.0)


@register_jitable
def _next(model, t, n):
    """The next blow: (moving disc, other, when), or -1."""
    first, second, when = -1, -1, math.inf
    for a in range(n):
        if t.moving[a] == 0:
            continue
        if t.hit[a] >= 0:
            at = t.sent[a] + _time_to(model, t, a, t.hit_way[a])
            if at < when:
                first, second, when = a, t.hit[a], at
        for b in range(a):
            if t.moving[b] == 1 and t.meets[a, b] < when:
                first, second, when = a, b, t.meets[a, b]
    return first, second, when


@register_jitable(fastmath={"contract"})
def _after(model, t, i, way):
    """(speed, rim speed) of disc i after a way."""
    if way >= t.way[i]:
        return 0.0, 0.0
    q = 1.0 - way / t.way[i]
    kind, z, eps_end = t.kind[i], t.z[i], model.curves.eps_end
    if z > Z_MAX:
        root = math.sqrt(q)
        return (t.v[i] * root, t.rim[i] * math.sqrt(root)) if kind == 0 else (t.v[i], t.rim[i])
    later = z_at(model.curves.by_way[kind], model.curves.first_way[kind], at_z(model.curves, kind, z, WAY) * q)
    scale = t.scale[i] * math.sqrt(q * at_z(model.curves, kind, z, REACH) / at_z(model.curves, kind, later, REACH))
    return _speeds(kind, scale, later, eps_end, t.rim[i])


@register_jitable(**FAST)
def _speeds(kind, scale, z, eps_end, rim):
    if kind == 0:
        return scale, math.copysign(scale / (eps_end * (1.0 + z)), rim)
    return scale * eps_end / (1.0 + z), math.copysign(scale, rim)


@register_jitable(fastmath={"contract"})
def _time_to(model, t, i, way):
    """How long disc i takes for a way."""
    v, rim = _after(model, t, i, way)
    if v == 0.0 and rim == 0.0:
        return t.time[i]
    kind, z, scale = place(model.curves, v, abs(rim))
    return max(t.time[i] - at_z(model.curves, kind, z, TIME) * scale / (model.weight * model.mu_y), 0.0)


@register_jitable(fastmath={"contract"})
def _at(model, t, i, now):
    """(way gone, speed, rim speed) of disc i at a time."""
    ago = now - t.sent[i]
    if ago <= 0.0:
        return 0.0, t.v[i], t.rim[i]
    if ago >= t.time[i]:
        return t.way[i], 0.0, 0.0
    q = 1.0 - ago / t.time[i]
    kind, z, brake = t.kind[i], t.z[i], model.weight * model.mu_y
    if z > Z_MAX:
        if kind == 0:
            return t.way[i] * (1.0 - q * q), t.v[i] * q, t.rim[i] * math.sqrt(q)
        slow = math.sqrt(q * math.sqrt(q))
        return t.way[i] * (1.0 - q * slow), t.v[i] * slow, t.rim[i] * q
    later = z_at(model.curves.by_clock[kind], model.curves.first_clock[kind], at_z(model.curves, kind, z, CLOCK) * q)
    scale = t.scale[i] * q * at_z(model.curves, kind, z, TIME) / at_z(model.curves, kind, later, TIME)
    way = t.way[i] - at_z(model.curves, kind, later, REACH) * scale * scale / brake
    v, rim = _speeds(kind, scale, later, model.curves.eps_end, t.rim[i])
    return way, v, rim


@register_jitable(**FAST)
def _bring(t, i, way, v, rim):
    """Put a moving disc where it is after a way, at the speeds it then has."""
    t.x[i] += t.dx[i] * way
    t.y[i] += t.dy[i] * way
    t.v[i], t.rim[i] = v, rim


@register_jitable(**FAST)
def _bring_onto(model, t, a, b, way):
    """Put moving disc a, after a way, to its touch with disc b, which rests."""
    v, rim = _after(model, t, a, way)
    _bring(t, a, way, v, rim)
    t.v[b], t.rim[b], t.way[b], t.end[b], t.time[b] = 0.0, 0.0, 0.0, 0.0, 0.0


@register_jitable(fastmath={"contract"})
def _deal(model, t, a, b, now):
    """Bring moving disc a and disc b to their touch and send both off; False if a would climb onto b."""
    if t.moving[b] == 0:
        _bring_onto(model, t, a, b, t.hit_way[a])
    elif now >= t.sent[b] + t.time[b] or now >= t.sent[a] + t.time[a]:
        if now < t.sent[b] + t.time[b]:
            a, b = b, a
        _bring(t, b, t.end[b], 0.0, 0.0)
        way = _way_to(model, t, a, t.x[b], t.y[b])[0]
        _bring_onto(model, t, a, b, way if way <= t.end[a] else _at(model, t, a, now)[0])
    else:
        for i in (a, b):
            way, v, rim = _at(model, t, i, now)
            _bring(t, i, way, v, rim)
    nx, ny = t.x[b] - t.x[a], t.y[b] - t.y[a]
    d = math.sqrt(nx * nx + ny * ny)
    nx, ny = nx / d, ny / d
    ux, uy = t.v[a] * t.dx[a] - t.v[b] * t.dx[b], t.v[a] * t.dy[a] - t.v[b] * t.dy[b]
    speed = ux * nx + uy * ny
    if speed >= model.ride_speed:
        return False
    if speed < SLOW_MM_S and t.v[b] == 0.0 and t.rim[b] == 0.0:  # a disc at rest stands such a touch
        _send(model, t, a, t.v[a] * t.dx[a] - speed * nx, t.v[a] * t.dy[a] - speed * ny, t.rim[a], now)
        return True
    kick, side = _kick(model, speed, uy * nx - ux * ny, t.rim[a] + t.rim[b])
    kx, ky = kick * nx - side * ny, kick * ny + side * nx
    vb, ra, rb = t.v[b], t.rim[a] - 2.0 * side, t.rim[b] - 2.0 * side
    bx, by = vb * t.dx[b], vb * t.dy[b]
    _send(model, t, a, t.v[a] * t.dx[a] - kx, t.v[a] * t.dy[a] - ky, ra, now)
    _send(model, t, b, bx + kx, by + ky, rb, now)
    return True


@register_jitable(**FAST)
def _kick(model, speed, passing, rims):
    """(along, across) speed given by one disc to the other; as impact.blow, whose twin this is."""
    if speed <= 0.0:
        return 0.0, 0.0
    along = 0.5 * (1.0 + bounce(model.restitution, speed, passing)) * speed
    most = model.disc_friction * along
    return along, min(max((passing + rims) / 6.0, -most), most)


@register_jitable
def _renew(model, t, n, a, b, now):
    """After a blow between a and b: what they, and those that were to hit b at rest, meet next."""
    for k in range(n):
        if t.moving[k] == 1 and (k in (a, b) or t.hit[k] == b):
            _look(model, t, n, k)
    for k in range(n):
        if t.moving[k] == 1 and k != a and k != b:
            _pair(model, t, k, a, now)
            _pair(model, t, k, b, now)
    _pair(model, t, a, b, now)


@register_jitable(**FAST)
def _pair(model, t, a, b, now):
    when = _meeting(model, t, a, b, now)
    t.meets[a, b] = when
    t.meets[b, a] = when


@register_jitable
def _meeting(model, t, a, b, now):
    """When moving discs a and b touch, from now on, else inf."""
    reach = 2.0 * model.radius
    if _boxes_apart(t, a, b, reach):
        return math.inf
    ta, tb = _until(model, t, a), _until(model, t, b)
    if ta > tb:
        a, b, ta, tb = b, a, tb, ta
    apart = t.dx[a] * t.dx[b] + t.dy[a] * t.dy[b]
    least = model.curves.f_end if t.kind[a] + t.kind[b] == 0 else 0.0  # either's friction is between least and 1
    most = (
        model.weight * model.mu_y * math.sqrt(max(2.0 - 2.0 * apart, 1.0 + least * least - 2.0 * least * apart) + 1e-9)
    )
    when = _search(model, t, a, b, now, min(ta, tb), most)
    if when < math.inf or t.fate[a] > 0 or tb <= ta:
        return when
    return _onto_stopped(model, t, a, b, max(ta, now))


@register_jitable(**FAST)
def _boxes_apart(t, a, b, reach):
    """Whether the boxes around two paths are farther apart than two radii."""
    ax, bx = t.x[a] + t.dx[a] * t.end[a], t.x[b] + t.dx[b] * t.end[b]
    if min(t.x[a], ax) - max(t.x[b], bx) >= reach or min(t.x[b], bx) - max(t.x[a], ax) >= reach:
        return True
    ay, by = t.y[a] + t.dy[a] * t.end[a], t.y[b] + t.dy[b] * t.end[b]
    return min(t.y[a], ay) - max(t.y[b], by) >= reach or min(t.y[b], by) - max(t.y[a], ay) >= reach


@register_jitable
def _until(model, t, i):
    """When disc i stops or leaves."""
    return t.sent[i] + (t.time[i] if t.fate[i] == 0 else _time_to(model, t, i, t.end[i]))


@register_jitable(fastmath={"contract"})
def _search(model, t, a, b, now, until, most):
    """The touch of two discs that both move, between now and until, if their accelerations differ by at most `most`."""
    reach, least = 2.0 * model.radius, math.sqrt(2.0 * PRESS_MM / most)
    while now < until:
        sa, va, _ = _at(model, t, a, now)
        sb, vb, _ = _at(model, t, b, now)
        px = t.x[b] + t.dx[b] * sb - t.x[a] - t.dx[a] * sa
        py = t.y[b] + t.dy[b] * sb - t.y[a] - t.dy[a] * sa
        d = math.sqrt(px * px + py * py)
        gap = d - reach
        rate = (px * (vb * t.dx[b] - va * t.dx[a]) + py * (vb * t.dy[b] - va * t.dy[a])) / d
        if gap <= TOUCH_MM and rate < -CREEP_MM_S:
            return now
        now += max(safe(gap, rate, most), least if gap <= TOUCH_MM else 1e-12)
    return math.inf


@register_jitable
def _onto_stopped(model, t, a, b, now):
    """The touch of disc b, moving on from now, with disc a where it has stopped."""
    way, ahead = _way_to(model, t, b, t.x[a] + t.dx[a] * t.end[a], t.y[a] + t.dy[a] * t.end[a])
    gone = _at(model, t, b, now)[0]
    if way >= t.end[b] or ahead <= gone:
        return math.inf
    return now if way <= gone else t.sent[b] + _time_to(model, t, b, way)
