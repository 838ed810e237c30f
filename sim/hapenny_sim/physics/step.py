"""The error-controlled step of a disc: the 5(4) pair of Dormand and Prince (J. Comp. Appl. Math. 6, 19, 1980)."""

import math

from numba.extending import register_jitable

from hapenny_sim.physics.friction import FAST
from hapenny_sim.physics.slide import push


@register_jitable(**FAST)
def sum4(c1, c2, c3, c4, x1, x2, x3, x4):
    """A weighted sum."""
    return c1 * x1 + c2 * x2 + c3 * x3 + c4 * x4


@register_jitable(**FAST)
def sum5(c1, c2, c3, c4, c5, x1, x2, x3, x4, x5):
    """A weighted sum."""
    return c1 * x1 + c2 * x2 + c3 * x3 + c4 * x4 + c5 * x5


@register_jitable(**FAST)
def sum6(c1, c2, c3, c4, c5, c6, x1, x2, x3, x4, x5, x6):
    """A weighted sum."""
    return c1 * x1 + c2 * x2 + c3 * x3 + c4 * x4 + c5 * x5 + c6 * x6


@register_jitable(fastmath={"contract"})
def step(model, i, h, scene):
    """One Dormand-Prince 5(4) step of disc i: to where it leads after h; returns the errors of place and speed."""
    x, y, w1 = scene.pos[i].real, scene.pos[i].imag, scene.spin[i]
    u1, v1 = scene.vel[i].real, scene.vel[i].imag
    a1, b1, t1 = scene.acc[i].real, scene.acc[i].imag, scene.twist[i]
    k = h * 0.2
    u2, v2, w2 = u1 + k * a1, v1 + k * b1, w1 + k * t1
    a2, b2, t2 = push(model, i, x + k * u1, y + k * v1, u2, v2, w2, k, scene)
    k, j = h * (3 / 40), h * (9 / 40)
    u3, v3, w3 = u1 + k * a1 + j * a2, v1 + k * b1 + j * b2, w1 + k * t1 + j * t2
    a3, b3, t3 = push(model, i, x + k * u1 + j * u2, y + k * v1 + j * v2, u3, v3, w3, 0.3 * h, scene)
    k, j, m = h * (44 / 45), h * (-56 / 15), h * (32 / 9)
    u4, v4, w4 = u1 + k * a1 + j * a2 + m * a3, v1 + k * b1 + j * b2 + m * b3, w1 + k * t1 + j * t2 + m * t3
    x4, y4 = x + k * u1 + j * u2 + m * u3, y + k * v1 + j * v2 + m * v3
    a4, b4, t4 = push(model, i, x4, y4, u4, v4, w4, 0.8 * h, scene)
    k, j, m, n = h * (19372 / 6561), h * (-25360 / 2187), h * (64448 / 6561), h * (-212 / 729)
    u5, v5 = u1 + sum4(k, j, m, n, a1, a2, a3, a4), v1 + sum4(k, j, m, n, b1, b2, b3, b4)
    w5 = w1 + sum4(k, j, m, n, t1, t2, t3, t4)
    x5, y5 = x + sum4(k, j, m, n, u1, u2, u3, u4), y + sum4(k, j, m, n, v1, v2, v3, v4)
    a5, b5, t5 = push(model, i, x5, y5, u5, v5, w5, 8 / 9 * h, scene)
    k, j, m, n, o = h * (9017 / 3168), h * (-355 / 33), h * (46732 / 5247), h * (49 / 176), h * (-5103 / 18656)
    u6, v6 = u1 + sum5(k, j, m, n, o, a1, a2, a3, a4, a5), v1 + sum5(k, j, m, n, o, b1, b2, b3, b4, b5)
    w6 = w1 + sum5(k, j, m, n, o, t1, t2, t3, t4, t5)
    x6, y6 = x + sum5(k, j, m, n, o, u1, u2, u3, u4, u5), y + sum5(k, j, m, n, o, v1, v2, v3, v4, v5)
    a6, b6, t6 = push(model, i, x6, y6, u6, v6, w6, h, scene)
    k, j, m, n, o = h * (35 / 384), h * (500 / 1113), h * (125 / 192), h * (-2187 / 6784), h * (11 / 84)
    u7, v7 = u1 + sum5(k, j, m, n, o, a1, a3, a4, a5, a6), v1 + sum5(k, j, m, n, o, b1, b3, b4, b5, b6)
    w7 = w1 + sum5(k, j, m, n, o, t1, t3, t4, t5, t6)
    x7, y7 = x + sum5(k, j, m, n, o, u1, u3, u4, u5, u6), y + sum5(k, j, m, n, o, v1, v3, v4, v5, v6)
    scene.angle1[i] = scene.angle[i] + sum5(k, j, m, n, o, w1, w3, w4, w5, w6)
    a7, b7, t7 = push(model, i, x7, y7, u7, v7, w7, h, scene)
    scene.pos1[i], scene.vel1[i], scene.spin1[i] = complex(x7, y7), complex(u7, v7), w7
    scene.acc1[i], scene.twist1[i] = complex(a7, b7), t7
    k, j, m, n = h * (71 / 57600), h * (-71 / 16695), h * (71 / 1920), h * (-17253 / 339200)
    o, p = h * (22 / 525), h * (-1 / 40)
    off_u, off_v = sum6(k, j, m, n, o, p, a1, a3, a4, a5, a6, a7), sum6(k, j, m, n, o, p, b1, b3, b4, b5, b6, b7)
    off_w = model.radius * sum6(k, j, m, n, o, p, t1, t3, t4, t5, t6, t7)
    off_x, off_y = sum6(k, j, m, n, o, p, u1, u3, u4, u5, u6, u7), sum6(k, j, m, n, o, p, v1, v3, v4, v5, v6, v7)
    # a wrong speed matters by the way it still goes: v^2/(2 mu g)
    wrong = (math.sqrt(off_u * off_u + off_v * off_v) + abs(off_w)) * math.sqrt(u7 * u7 + v7 * v7)
    return math.sqrt(off_x * off_x + off_y * off_y) + wrong / (model.weight * model.mu_y)
