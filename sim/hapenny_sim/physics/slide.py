"""One disc between impacts: the closed form on a plain board, and the error-controlled step for everything else."""

import math

from numba.extending import register_jitable

from hapenny_sim.physics.curves import INERTIA, REACH, TIME, Z_MAX, at_z
from hapenny_sim.physics.friction import rub, size
from hapenny_sim.physics.model import BED_MM, FIRST_LINE_MM, GROOVE_MM, LINES, SIDE_LINE_MM


@register_jitable
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
def local_friction(model, p):
    """The factor by which patches and grooves under a disc at p change its friction."""
    factor = 1.0
    for k in range(model.patched):
        dx, dy = p.real - model.patches[k, 0], p.imag - model.patches[k, 1]
        inside = 1.0 - (dx * dx + dy * dy) / model.patches[k, 2] ** 2
        if inside > 0.0:
            factor *= 1.0 + (model.patches[k, 3] - 1.0) * inside * inside
    if model.groove_grip > 0.0:
        r = model.radius
        line = min(max(round((p.imag - FIRST_LINE_MM) / BED_MM), 0), LINES - 1) * BED_MM + FIRST_LINE_MM
        side = min(abs(p.real - SIDE_LINE_MM), abs(model.width - SIDE_LINE_MM - p.real))
        open_part = _chord(r, p.imag - line) + _chord(r, side)
        factor *= 1.0 + model.groove_grip * open_part * GROOVE_MM / (math.pi * r * r)
    return factor


@register_jitable
def _chord(r, off):
    return 2.0 * math.sqrt(max(r * r - off * off, 0.0))


@register_jitable
def forces(model, p, v, spin, riding):
    """(acceleration, d spin/dt) by friction and tilt of a disc at p (mm) moving at v (mm/s, complex) and spin
    (rad/s).
    """
    speed, rim = size(v), model.radius * abs(spin)
    if speed + rim == 0.0:
        return model.slope, 0.0
    f, across, along = rub(model.contact, speed, rim)
    factor, mu_x, mu_y = 1.0, model.disc_friction, model.disc_friction
    if not riding:
        mu_x, mu_y = model.mu_x, model.mu_y
        factor = local_friction(model, p)
    if model.fast != 1.0:
        rubbing = math.sqrt(speed * speed + 0.5 * rim * rim)
        factor *= model.fast + (1.0 - model.fast) / (1.0 + rubbing / model.fast_speed)
    load = model.weight * factor
    mean = 0.5 * (mu_x + mu_y)
    if speed <= 1e-9 * rim:  # hardly slides at all; the table would give more noise than force
        return model.slope, -math.copysign(INERTIA / model.radius * load * mean * (across + along), spin)
    ex, ey = v.real / speed, v.imag / speed
    tilt_of_grain = 0.5 * (mu_y - mu_x) * (ey * ey - ex * ex)  # friction along the path less the mean
    couple = load * ((mean - tilt_of_grain) * across + (mean + tilt_of_grain) * along)
    twist = 0.0 if spin == 0.0 else -math.copysign(INERTIA / model.radius * couple, spin)
    return model.slope - load * f * complex(mu_x * ex, mu_y * ey), twist


@register_jitable
def magnets(model, i, p, at, scene):
    """Acceleration of disc i at p by the other discs' magnets, those foretold `at` seconds ahead."""
    total = 0j
    for j in range(scene.n):
        if j != i and scene.state[j] < 2 and scene.level[j] == 0 and scene.level[i] == 0:
            apart = p - (scene.pos[j] + at * (scene.vel[j] + 0.5 * at * scene.acc[j]))
            total += model.magnet * apart / size(apart) ** 5
    return total


@register_jitable
def push(model, i, p, v, spin, at, scene):
    """(acceleration, d spin/dt) of disc i of a scene, all forces."""
    a, twist = forces(model, p, v, spin, scene.level[i] > 0)
    if model.magnet > 0.0:
        a += magnets(model, i, p, at, scene)
    return a, twist


@register_jitable
def step(model, i, h, scene):
    """One Dormand-Prince 5(4) step of disc i: (p, v, angle, spin, acc, twist) after h and the errors of place
    and speed.
    """
    p, v, w = scene.pos[i], scene.vel[i], scene.spin[i]
    a1, b1 = scene.acc[i], scene.twist[i]
    v2, w2 = v + h * 0.2 * a1, w + h * 0.2 * b1
    a2, b2 = push(model, i, p + h * 0.2 * v, v2, w2, 0.2 * h, scene)
    v3, w3 = v + h * (3 / 40 * a1 + 9 / 40 * a2), w + h * (3 / 40 * b1 + 9 / 40 * b2)
    a3, b3 = push(model, i, p + h * (3 / 40 * v + 9 / 40 * v2), v3, w3, 0.3 * h, scene)
    v4 = v + h * (44 / 45 * a1 - 56 / 15 * a2 + 32 / 9 * a3)
    w4 = w + h * (44 / 45 * b1 - 56 / 15 * b2 + 32 / 9 * b3)
    a4, b4 = push(model, i, p + h * (44 / 45 * v - 56 / 15 * v2 + 32 / 9 * v3), v4, w4, 0.8 * h, scene)
    c1, c2, c3, c4 = 19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729
    v5, w5 = v + h * (c1 * a1 + c2 * a2 + c3 * a3 + c4 * a4), w + h * (c1 * b1 + c2 * b2 + c3 * b3 + c4 * b4)
    a5, b5 = push(model, i, p + h * (c1 * v + c2 * v2 + c3 * v3 + c4 * v4), v5, w5, 8 / 9 * h, scene)
    c1, c2, c3, c4, c5 = 9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656
    v6 = v + h * (c1 * a1 + c2 * a2 + c3 * a3 + c4 * a4 + c5 * a5)
    w6 = w + h * (c1 * b1 + c2 * b2 + c3 * b3 + c4 * b4 + c5 * b5)
    a6, b6 = push(model, i, p + h * (c1 * v + c2 * v2 + c3 * v3 + c4 * v4 + c5 * v5), v6, w6, h, scene)
    c1, c3, c4, c5, c6 = 35 / 384, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84
    v7 = v + h * (c1 * a1 + c3 * a3 + c4 * a4 + c5 * a5 + c6 * a6)
    w7 = w + h * (c1 * b1 + c3 * b3 + c4 * b4 + c5 * b5 + c6 * b6)
    p7 = p + h * (c1 * v + c3 * v3 + c4 * v4 + c5 * v5 + c6 * v6)
    turned = h * (c1 * w + c3 * w3 + c4 * w4 + c5 * w5 + c6 * w6)
    a7, b7 = push(model, i, p7, v7, w7, h, scene)
    c1, c3, c4, c5, c6, c7 = 71 / 57600, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40
    off_v = size(h * (c1 * a1 + c3 * a3 + c4 * a4 + c5 * a5 + c6 * a6 + c7 * a7))
    off_w = abs(h * model.radius * (c1 * b1 + c3 * b3 + c4 * b4 + c5 * b5 + c6 * b6 + c7 * b7))
    off_p = size(h * (c1 * v + c3 * v3 + c4 * v4 + c5 * v5 + c6 * v6 + c7 * v7))
    return (p7, v7, scene.angle[i] + turned, w7, a7, b7), off_p, off_v + off_w


@register_jitable
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
    brake = slowing / speed / rub(model.contact, speed, rim)[0]
    return v / speed * stop(model.curves, brake, speed, rim)[0]
