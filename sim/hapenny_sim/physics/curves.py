"""The two universal curves every slide on an even, level board follows, tabulated once.

With mu*g = 1 the slide speed v and rim speed w = R|omega| obey v' = -f(eps), w' = -K tau(eps), eps = v/w, K = m
R^2/I = 2. Scaling speeds by s scales times by s and ways by s^2, so all slides lie on two curves, one each side of
the end ratio eps* (0.6530018 for an even load). A place on a curve is z = eps/eps* - 1 ("slides": the way is in
units of v^2) or eps*/eps - 1 ("spins": of w^2). Tables are quintics over the floating-point number itself: the cell
is the exponent and the top five bits of the mantissa, so one table covers all magnitudes at the same relative error
and needs neither logarithm nor search.
"""

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable
from scipy.interpolate import CubicHermiteSpline
from scipy.optimize import brentq

from hapenny_sim.physics.friction import FAST, integrals

INERTIA = 2.0  # m R^2 / I of a solid disc
LOWER, ONE = 2**47 - 1, 1023 << 52  # mask of the lower mantissa bits; the bits of 1.0
SHIFT = 47  # 52 mantissa bits less the five that pick a cell
Z_MIN, Z_MAX = 2.0**-26, 2.0**24  # nearer to eps* a slide is self-similar, farther it is pure sliding or pure spin
NEAR = 1e-5  # below this z the drift towards eps* is taken as a straight line
STEP = 0.005  # of ln z in the quadrature
ROWS = 24_000  # of the tables that lead back to z; load profiles up to INNER_MAX need 23,530
REACH, WAY, TIME, CLOCK, TURN = 0, 6, 12, 18, 24  # where each function of z starts in a row of `by_z`


class Curves(NamedTuple):
    """Tables of both curves (first axis: 0 slides, 1 spins).

    by_z rows hold quintics of z: reach, way, time, clock, turn. Remaining way = reach*S^2/(mu g), time = time*S/(mu
    g), rotation = turn*S^2/(mu g R), S = v on curve 0 and w on curve 1. `way` and `clock` place a state on its
    curve: they are scaled by the remaining way and time; by_way and by_clock lead back from them to z.
    """

    eps_end: float
    f_end: float  # f there, the least on curve 0
    by_z: np.ndarray
    by_way: np.ndarray
    by_clock: np.ndarray
    first_way: np.ndarray
    first_clock: np.ndarray


@register_jitable(**FAST)
def cell_of(x):
    """The cell number of a positive float: its top bits."""
    return np.float64(x).view(np.int64) >> SHIFT


@register_jitable(**FAST)
def part_of(x):
    """Where in its cell a positive float is, 0 to 1: its lower mantissa bits."""
    return np.int64(((np.float64(x).view(np.int64) & LOWER) << (52 - SHIFT)) | ONE).view(np.float64) - 1.0


def start_of(cell: int) -> float:
    """The smallest float in a cell."""
    return float(np.int64(cell << SHIFT).view(np.float64))


FIRST_Z = int(cell_of(Z_MIN))


@register_jitable(**FAST)
def quintic(row, at, t):
    """The quintic whose six coefficients start at `at` of a table row."""
    return row[at] + t * (row[at + 1] + t * (row[at + 2] + t * (row[at + 3] + t * (row[at + 4] + t * row[at + 5]))))


@register_jitable(**FAST)
def at_z(curves, kind, z, at):
    """One function of z (REACH, WAY, TIME, CLOCK or TURN) on curve `kind`."""
    z = min(max(z, Z_MIN), Z_MAX)
    cell = cell_of(z)
    return quintic(curves.by_z[kind, cell - FIRST_Z], at, part_of(z))


@register_jitable(**FAST)
def z_at(table, first, x):
    """z at the curve coordinate x, from by_way[kind] or by_clock[kind]."""
    cell = cell_of(x)
    if cell < first:
        return Z_MIN
    return min(max(quintic(table[cell - first], 0, part_of(x)), Z_MIN), Z_MAX)


def end_ratio(inner: float = 0.0) -> float:
    """eps*, the ratio v/(R|omega|) with which every slide ends."""

    def drift(eps: float) -> float:
        f, across, along = integrals(eps, inner)
        return float(INERTIA * (across + along) * eps - f)

    return float(brentq(drift, 0.3, 5.0, xtol=1e-15))  # pyright: ignore[reportArgumentType]


@lru_cache(maxsize=8)
def curves(inner: float = 0.0) -> Curves:
    """The universal curves of a load profile (about 0.7 s to make, then kept)."""
    eps_end = end_ratio(inner)
    by_z, by_way, by_clock, first = [], [], [], []
    last_z = int(cell_of(Z_MAX))
    for kind in (0, 1):
        log_z, logs = _trace(kind, eps_end, inner)
        names = ("reach", "way", "time", "clock", "turn")
        by_z.append(
            np.concatenate([_power_table(log_z, logs[n][0], logs[n][1], FIRST_Z, last_z) for n in names], axis=1)
        )
        for name, kept in (("way", by_way), ("clock", by_clock)):
            value, slope = logs[name]
            low, high = int(cell_of(np.exp(value[0]))), int(cell_of(np.exp(value[-1])))
            kept.append(_power_table(value, log_z, 1.0 / slope, low, high))
            first.append(low)
    f_end = float(integrals(eps_end, inner)[0])
    return Curves(
        eps_end, f_end, np.array(by_z), _stack(by_way), _stack(by_clock), np.array(first[0::2]), np.array(first[1::2])
    )


def _trace(kind: int, eps_end: float, inner: float):
    """ln z and, by name, (ln value, slope d ln value / d ln z) along one curve, by Gauss quadrature from the
    end ratio outwards.
    """
    log_z = np.arange(np.log(Z_MIN) - 2 * STEP, np.log(Z_MAX) + 2 * STEP, STEP)
    x, weight = np.polynomial.legendre.leggauss(6)
    inside = log_z[:-1, None] + STEP * (x + 1) / 2
    scale = _scale_slope(kind, log_z, eps_end, inner)[0]
    panel = STEP / 2 * weight
    log_s = np.concatenate([[0.0], np.cumsum(_scale_slope(kind, inside, eps_end, inner)[0] @ panel)])
    # ln S inside each panel: cubic through the ends is exact enough (its integral is what counts)
    log_s_inside = CubicHermiteSpline(log_z, log_s, scale)(inside)
    logs = {}
    for name, power in (("reach", 2), ("time", 1), ("turn", 2)):
        logs[name] = _remaining(name, power, kind, (log_z, inside, panel), (log_s, log_s_inside), eps_end, inner)
    middle = np.searchsorted(log_z, 0.0)
    for name, source, power in (("way", "reach", 2), ("clock", "time", 1)):
        value = logs[source][0] + power * log_s
        logs[name] = (value - value[middle], logs[source][1] + power * scale)
    return log_z, logs


def _scale_slope(kind: int, log_z: np.ndarray, eps_end: float, inner: float):
    """d ln S/d ln z on a curve, and dt/d ln z in units of S."""
    z = np.exp(log_z)
    brake = _rates(kind, z, eps_end, inner)[0]
    near, far = (_rates(kind, np.array(at), eps_end, inner)[1] for at in (NEAR, 2 * NEAR))
    drift = np.where(z < NEAR, near + (far - near) / NEAR * (z - NEAR), _rates(kind, z, eps_end, inner)[1])
    return brake / drift, 1.0 / drift


def _rates(kind: int, z: np.ndarray, eps_end: float, inner: float):
    """-S' and -(ln z)' times S. The latter is 0/0 at eps*, which costs digits below z = NEAR."""
    eps = _ratio(kind, z, eps_end)
    f, across, along = integrals(eps, inner)
    brake_w = INERTIA * (across + along)
    if kind == 0:  # S = v: z' = eps'/eps*, eps' = (eps K tau - f) eps / v
        return f, (f - eps * brake_w) * (1 + z) / z
    # S = w: z' = -eps* eps'/eps^2, eps' = (eps K tau - f)/w
    return brake_w, (eps * brake_w - f) / eps_end * (1 + z) ** 2 / z


def _ratio(kind: int, z: np.ndarray, eps_end: float) -> np.ndarray:
    return eps_end * (1 + z) if kind == 0 else eps_end / (1 + z)


def _remaining(name: str, power: int, kind: int, grid, scales, eps_end: float, inner: float):
    """ln of (what remains)/S^power and its slope: what remains = integral of dt, v dt or w dt from the end
    ratio up to z.
    """
    log_z, inside, panel = grid
    log_s, log_s_inside = scales

    def integrand(at: np.ndarray, log_scale: np.ndarray) -> np.ndarray:
        eps = _ratio(kind, np.exp(at), eps_end)
        speed = {"reach": 1.0 if kind == 0 else eps, "turn": 1 / eps if kind == 0 else 1.0, "time": 1.0}[name]
        return _scale_slope(kind, at, eps_end, inner)[1] * speed * np.exp(power * log_scale)

    ends = integrand(log_z, log_s)
    # self-similar tail: pure power of z
    first = ends[0] / (power * _scale_slope(kind, log_z[:1], eps_end, inner)[0][0])
    total = first + np.concatenate([[0.0], np.cumsum(integrand(inside, log_s_inside) @ panel)])
    value = np.log(total) - power * log_s
    return value, ends / total - power * _scale_slope(kind, log_z, eps_end, inner)[0]


def _power_table(log_x: np.ndarray, log_y: np.ndarray, slope: np.ndarray, first: int, last: int) -> np.ndarray:
    """Rows of quintic coefficients of y(x) for cells first..last, from ln y with slope d ln y/d ln x over ln x."""
    starts = np.array([start_of(cell) for cell in range(first, last + 2)])
    nodes = (1 - np.cos(np.pi * (np.arange(6) + 0.5) / 6)) / 2  # of Chebyshev, in a cell of length 1
    width = np.diff(starts)
    at = np.log(starts[:-1, None] + width[:, None] * nodes)
    y = np.exp(CubicHermiteSpline(log_x, log_y, slope)(np.clip(at, log_x[0], log_x[-1])))
    return np.ascontiguousarray(np.linalg.solve(np.vander(nodes, increasing=True), y.T).T)


def _stack(tables: list[np.ndarray]) -> np.ndarray:
    """Both curves in one array of a fixed size (the compiled kernels want it fixed), padded with the last row."""
    return np.array([np.concatenate([table, np.repeat(table[-1:], ROWS - len(table), axis=0)]) for table in tables])
