"""How much a sliding, spinning disc is braked: the friction integrals over its contact face.

A disc of radius R sliding at v and turning at omega rubs with the force mu*N*f and the couple mu*N*R*tau, where f
and tau depend on eps = v/(R*|omega|) only (Farkas, Bartels, Unger, Wolf, Phys. Rev. Lett. 90, 248302, 2003). For an
even load their elliptic integrals are Gauss hypergeometric functions (same values, no cancellation at either end):

    eps <= 1: f = eps F(-1/2, 1/2; 2; eps^2)      eps >= 1: f = F(-1/2, 1/2; 2; 1/eps^2)
    across    = 1/3 F(-3/2, 1/2; 2; eps^2)         across   = F(-1/2, 1/2; 3; 1/eps^2) / (4 eps)
    along     = 1/3 F(-3/2, 3/2; 2; eps^2)         tau      = F(1/2, 1/2; 3; 1/eps^2) / (4 eps)

tau = across + along: the part of the couple from rubbing across and along the path, which grain weighs differently.
A contact loaded only outside `inner`*R (a worn or dished coin) is the difference of two even discs.
"""

import math
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numba.extending import register_jitable
from scipy.interpolate import CubicSpline
from scipy.special import hyp2f1

INNER_MAX = 0.9  # beyond it the universal curves grow too steep to tabulate
FAST = {"fastmath": {"contract"}, "forceinline": True}  # products are added unrounded; called in the innermost loops
CELLS = 1024  # of the contact table, even so that eps = 1 (where f'' is singular) is a node


class Contact(NamedTuple):
    """f, across and along as cubics over p = w/(v + w), w = R*|omega|: rows of 12 coefficients, CELLS rows."""

    table: np.ndarray


def integrals(eps, inner: float = 0.0):
    """(f, across, along) of a contact at `eps` = v/(R|omega|) > 0 (array or float), loaded evenly outside `inner`*R."""
    eps = np.asarray(eps, dtype=float)
    f, across, along = _even(eps)
    if inner == 0.0:
        return f, across, along
    hole = _even(eps / inner)
    area = 1.0 - inner**2
    return ((f - inner**2 * hole[0]) / area, (across - inner**3 * hole[1]) / area, (along - inner**3 * hole[2]) / area)


def _even(eps: np.ndarray):
    slow, square = eps <= 1.0, np.minimum(eps, 1.0 / eps) ** 2
    f = hyp2f1(-0.5, 0.5, 2, square) * np.minimum(eps, 1.0)
    quarter = 0.25 / np.maximum(eps, 1.0)
    far = quarter * hyp2f1(-0.5, 0.5, 3, square)
    across = np.where(slow, hyp2f1(-1.5, 0.5, 2, square) / 3.0, far)
    along = np.where(slow, hyp2f1(-1.5, 1.5, 2, square) / 3.0, quarter * hyp2f1(0.5, 0.5, 3, square) - far)
    return f, across, along


@lru_cache(maxsize=8)
def contact(inner: float = 0.0) -> Contact:
    """The contact table of a load profile; good to 1e-6 (see tests), kept for later calls."""
    q = np.linspace(0.0, 1.0, CELLS + 1)
    eps = np.clip(np.sqrt((1.0 - q) / np.maximum(q, 1e-300)), 1e-4, 1e4)  # beyond, the three no longer change
    f, across, along = integrals(eps, inner)
    less, more = np.minimum(eps, 1.0), np.maximum(eps, 1.0)
    whole = np.sqrt(1.0 + np.minimum(eps, 1.0 / eps) ** 2)  # of v and w, in units of the greater
    values = np.array([f / less * whole, (across + along) * more * whole, (along - across) * more / less**2 * whole**3])
    breaks = [0, CELLS // 2, CELLS]
    rows = [CubicSpline(q[a : b + 1], values[:, a : b + 1], axis=1).c[::-1] for a, b in pairwise(breaks)]
    coefficients = np.concatenate(rows, axis=1)  # (power, cell, function)
    return Contact(np.ascontiguousarray(coefficients.transpose(1, 2, 0).reshape(CELLS, 12)))


@register_jitable(**FAST)
def size(z):
    """The length of a vector (complex); abs() guards against overflow and takes three times as long."""
    return math.sqrt(z.real * z.real + z.imag * z.imag)


@register_jitable(**FAST)
def rub(table, q):
    """(f s/v, tau s/w, (along - across) s^3/(v^2 w)) by table, with s^2 = v^2 + w^2 and q = w^2/s^2.

    All three are finite and smooth at both ends.
    """
    cell = min(int(q * CELLS), CELLS - 1)
    t = q - cell * (1.0 / CELLS)
    c, t2 = table[cell], t * t
    return (
        c[0] + t * c[1] + t2 * (c[2] + t * c[3]),
        c[4] + t * c[5] + t2 * (c[6] + t * c[7]),
        c[8] + t * c[9] + t2 * (c[10] + t * c[11]),
    )
