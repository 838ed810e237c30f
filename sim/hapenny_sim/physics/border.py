"""Walls and edges: how far a disc is from them, and when it comes to them."""

import math

from numba.extending import register_jitable

from hapenny_sim.physics.friction import FAST
from hapenny_sim.physics.impact import TOUCH_MM, cross

STEP, IMPACT, RIDE, LAND, EDGE, WALL, REST = 0, 1, 2, 3, 4, 5, 6  # what `scene.advance` reports


@register_jitable
def border_time(model, scene, i, h):
    """The first wall or edge disc i comes to within h: (when, what, number)."""
    when, what, number = math.inf, STEP, -1
    end = scene.pos1[i]
    if model.walls == 0 and 0.0 <= end.real <= model.width and 0.0 <= end.imag <= model.length:
        return when, what, number
    for k in range(model.walls):
        gap, rate = wall_gap(model, k, scene.pos[i], scene.vel[i])
        end, end_rate = wall_gap(model, k, scene.pos1[i], scene.vel1[i])
        if gap > -1e-6 and (end <= TOUCH_MM or gap <= TOUCH_MM):
            t = cross(gap, rate, end, end_rate, h)
            if t < when:
                when, what, number = t, WALL, k
    for k in range(4):
        gap, rate = edge_gap(model, k, scene.pos[i], scene.vel[i])
        end, end_rate = edge_gap(model, k, scene.pos1[i], scene.vel1[i])
        if gap >= 0.0 and end < 0.0:
            t = min(cross(gap, rate, end, end_rate, h), h)
            if t < when:
                when, what, number = t, EDGE, k
    return when, what, number


@register_jitable
def wall_gap(model, k, p, v):
    """How far a centre is from where wall k stops it, and its rate."""
    out = model.wall_out[k]
    return model.wall_at[k] - (p * out.conjugate()).real, -(v * out.conjugate()).real


@register_jitable(**FAST)
def edge_gap(model, k, p, v):
    """How far a centre is inside edge k (left, right, far, front), and its rate."""
    if k == 0:
        return p.real, v.real
    if k == 1:
        return model.width - p.real, -v.real
    if k == 2:
        return model.length - p.imag, -v.imag
    return p.imag, v.imag
