"""One disc between impacts: the closed form on a plain board, and the forces and the last hop on every other."""

import math

from numba.extending import register_jitable

from hapenny_sim.physics.curves import INERTIA, REACH, TIME, Z_MAX, at_z
from hapenny_sim.physics.friction import FAST, rub, size
from hapenny_sim.physics.model import BED_MM, FIRST_LINE_MM, GROOVE_MM, LINES, SIDE_LINE_MM


@register_jitable(**FAST)
def place(curves, v, w):
    """(kind, z, S): which universal curve a slide is on, where, and its speed scale (v on curve 0, w on curve 1)."""
    if v > curves.eps_end * w:
        return 0, (v / (curves.eps_end * w) - 1.0 if w > 0.0 else math.inf), v
    return 1, (curves.eps_end * w / v - 1.0 if v > 0.0 else math.inf), w


@register_jitable
def stop(curves, brake, v, w):
    """(way, time) a disc at slide speed v and rim speed w still goes where friction brakes at `brake` = mu*g."""
    if v <= 0.0 and w <= 0.0:
        return 0.0, 0.0
    kind, z, scale = place(curves, v, w)
    way = at_z(curves, kind, z, REACH) * scale * scale / brake
    return way * (min(1.0, Z_MAX / z) if kind == 1 else 1.0), at_z(curves, kind, z, TIME) * scale / brake


@register_jitable
def local_friction(model, x, y):
    """The factor by which patches and grooves under a disc at x, y change its friction."""
    factor = 1.0
    for k in range(model.patched):
        dx, dy = x - model.patches[k, 0], y - model.patches[k, 1]
        inside = 1.0 - (dx * dx + dy * dy) / model.patches[k, 2] ** 2
        if inside > 0.0:
            factor *= 1.0 + (model.patches[k, 3] - 1.0) * inside * inside
    if model.groove_grip > 0.0:
        r = model.radius
        line = min(max(round((y - FIRST_LINE_MM) / BED_MM), 0), LINES - 1) * BED_MM + FIRST_LINE_MM
        side = min(abs(x - SIDE_LINE_MM), abs(model.width - SIDE_LINE_MM - x))
        open_part = _chord(r, y - line) + _chord(r, side)
        factor *= 1.0 + model.groove_grip * open_part * GROOVE_MM / (math.pi * r * r)
    return factor


@register_jitable
def _chord(r, off):
    return 2.0 * math.sqrt(max(r * r - off * off, 0.0))


@register_jitable(**FAST)
def forces(model, riding, x, y, vx, vy, spin):
    """(ax, ay, d spin/dt) by friction and tilt of a disc at x, y (mm) moving at vx, vy (mm/s) and spin (rad/s)."""
    rim = model.radius * spin
    slide, turn = vx * vx + vy * vy, rim * rim
    total = slide + turn
    if total == 0.0:
        return model.slope.real, model.slope.imag, 0.0
    part = 1.0 / total
    load, mu_x, mu_y = model.weight / math.sqrt(total), model.disc_friction, model.disc_friction
    if not riding:
        mu_x, mu_y = model.mu_x, model.mu_y
        if model.uneven:
            load *= local_friction(model, x, y)
    if model.fast != 1.0:
        rubbing = math.sqrt(slide + 0.5 * turn)
        load *= model.fast + (1.0 - model.fast) * model.fast_speed / (model.fast_speed + rubbing)
    grip, turning, askew = rub(model.contact, turn * part)
    skew = 0.5 * (mu_y - mu_x) * (vy * vy - vx * vx) * part
    twist = -INERTIA * load * spin * (0.5 * (mu_x + mu_y) * turning + skew * askew)
    grip *= load
    return model.slope.real - grip * mu_x * vx, model.slope.imag - grip * mu_y * vy, twist


@register_jitable
def magnets(model, i, x, y, at, scene):
    """Acceleration of disc i at x, y by the other discs' magnets, those foretold `at` seconds ahead."""
    ax = ay = 0.0
    for j in range(scene.n):
        if j != i and scene.state[j] < 2 and scene.level[j] == 0 and scene.level[i] == 0:
            there = scene.pos[j] + at * (scene.vel[j] + 0.5 * at * scene.acc[j])
            dx, dy = x - there.real, y - there.imag
            square = dx * dx + dy * dy
            push = model.magnet / (square * square * math.sqrt(square))
            ax, ay = ax + push * dx, ay + push * dy
    return ax, ay


@register_jitable(**FAST)
def push(model, i, x, y, vx, vy, spin, at, scene):
    """(ax, ay, d spin/dt) of disc i of a scene, all forces."""
    ax, ay, twist = forces(model, scene.level[i] > 0, x, y, vx, vy, spin)
    if model.magnet > 0.0:
        mx, my = magnets(model, i, x, y, at, scene)
        ax, ay = ax + mx, ay + my
    return ax, ay, twist


@register_jitable(**FAST)
def time_left(model, v, spin, acc, twist):
    """A time within which a disc surely does not come to rest: its speed, or its spin if it mostly spins, over
    the rate.
    """
    if abs(spin) * model.radius * model.curves.eps_end > size(v):
        return -spin / twist if spin * twist < 0.0 else math.inf
    slowing = -(v.real * acc.real + v.imag * acc.imag)
    return (v.real * v.real + v.imag * v.imag) / slowing if slowing > 0.0 else math.inf


@register_jitable
def last_hop(model, v, spin, acc):
    """The way (complex) a slow disc still goes: the closed form for friction as it is here, tilt and grain included."""
    speed, rim = size(v), model.radius * abs(spin)
    slowing = -(v.real * acc.real + v.imag * acc.imag)
    if speed == 0.0 or slowing <= 0.0:
        return 0j
    whole = math.sqrt(speed * speed + rim * rim)
    brake = slowing / speed / (rub(model.contact, rim * rim / (whole * whole))[0] * speed / whole)
    way, time = stop(model.curves, brake, speed, rim)
    aside = (v.real * acc.imag - v.imag * acc.real) / speed  # it turns ever faster: by the log of the time left
    return v / speed * complex(way, 0.25 * aside * time * time)
