"""One turn over plain arrays: put a disc down, play its shove, take off what is gone. Compiled by `batch`."""

import math

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


@register_jitable
def lay_out(lying, px, py, level):
    """Put the lying discs (x, y, whether on another) on the board (NaN: not there) and all others away."""
    for k in range(px.shape[0]):
        there = k < lying.shape[0] and not math.isnan(lying[k, 0]) and not math.isnan(lying[k, 1])
        px[k] = lying[k, 0] if there else AWAY_MM
        py[k] = lying[k, 1] if there else AWAY_MM + 100.0 * k
        level[k] = 1 if there and lying[k, 2] > 0.0 else 0


@register_jitable
def put_down(model, px, py, level, i, x, y):
    """Put disc i at x, y, or as near beside it as is free of others; False if there is no room along that line."""
    reach = 2.0 * model.radius
    left = right = x
    for _ in range(i + 1):
        for k in range(i):
            dy = py[k] - y
            if level[k] > 0 or abs(dy) >= reach:
                continue
            half = math.sqrt(reach * reach - dy * dy)
            if abs(left - px[k]) < half:
                left = px[k] - half - 1e-9
            if abs(right - px[k]) < half:
                right = px[k] + half + 1e-9
    nearer_left = left >= 0.0 and (x - left <= right - x or right > model.width)
    px[i], py[i] = (left if nearer_left else right), y
    return nearer_left or right <= model.width


@register_jitable
def shove_one(model, table, scene, px, py, level, i, shove, closed_form, x, y, fate):
    """Play one shove (x_mm, y_mm, m/s, degrees, rad/s) of disc i: (blows, whether it was given up)."""
    if not put_down(model, px, py, level, i, shove[0], shove[1]):
        x[i], y[i], fate[i] = shove[0], shove[1], FRONT
        px[i], py[i] = AWAY_MM, AWAY_MM + 100.0 * i
        return 0, False
    speed, heading = shove[2] * 1000.0, shove[3] * math.pi / 180.0
    vx, vy = speed * math.sin(heading), speed * math.cos(heading)
    flat = closed_form
    for k in range(i):
        flat = flat and level[k] == 0
    if flat:
        for k in range(i + 1):
            table.x[k], table.y[k] = px[k], py[k]
        blows = closed.play(model, table, i + 1, i, vx, vy, shove[4] * model.radius)
        if blows >= 0:
            _keep_closed(table, i + 1, px, py, x, y, fate)
            return blows, False
    return _integrate(model, scene, px, py, level, i, complex(vx, vy), shove[4], x, y, fate)


@register_jitable
def _keep_closed(t, n, px, py, x, y, fate):
    for k in range(n):
        if t.moving[k] == 1:
            px[k], py[k] = t.x[k] + t.dx[k] * t.end[k], t.y[k] + t.dy[k] * t.end[k]
            if t.fate[k] > 0:
                _gone(k, px, py, x, y, fate, t.fate[k])


@register_jitable
def _gone(k, px, py, x, y, fate, how):
    x[k], y[k], fate[k] = px[k], py[k], how
    px[k], py[k] = AWAY_MM, AWAY_MM + 100.0 * k


@register_jitable
def _integrate(model, scene, px, py, level, i, velocity, spin, x, y, fate):
    scene.n = i + 1
    for k in range(i + 1):
        scene.pos[k], scene.vel[k], scene.spin[k] = complex(px[k], py[k]), 0j, 0.0
        scene.pos1[k], scene.vel1[k] = scene.pos[k], 0j
        scene.state[k] = RESTS if px[k] < AWAY_MM else GONE
        scene.level[k] = level[k]
    scene.vel[i], scene.spin[i], scene.stride[0] = velocity, spin, 0.4
    scene.hurry[0] = 0
    if abs(velocity) + abs(spin) > 0.0:
        wake(model, scene, i)
    blows, capped = until_rest(model, scene)
    for k in range(i + 1):
        if px[k] < AWAY_MM:
            px[k], py[k], level[k] = scene.pos[k].real, scene.pos[k].imag, scene.level[k]
            if scene.state[k] >= GONE:
                level[k] = 0
                _gone(k, px, py, x, y, fate, scene.state[k])
    return blows, capped


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
def take_off(model, px, py, level, n, limits, x, y, fate):
    """Take dead discs off: those at rest past the far limit or within the side limit of an edge."""
    for k in range(n):
        if px[k] < AWAY_MM and (py[k] >= limits[0] or px[k] < limits[1] or px[k] > model.width - limits[1]):
            _gone(k, px, py, x, y, fate, DEAD)
            level[k] = 0


@register_jitable
def record(model, scene, px, py, level, x, y, on):
    """Write where the discs on the board lie, and which lies upon which."""
    scene.n = px.shape[0]
    for k in range(px.shape[0]):
        scene.pos[k], scene.level[k] = complex(px[k], py[k]), level[k]
        scene.state[k] = RESTS if px[k] < AWAY_MM else GONE
    for k in range(px.shape[0]):
        on[k] = -1
        if px[k] < AWAY_MM:
            x[k], y[k] = px[k], py[k]
            if level[k] > 0:
                on[k] = support(model, scene, k)
