"""Two discs, or a disc and a wall: when they touch, and what the blow does."""

import math

from numba.extending import register_jitable

from hapenny_sim.physics.curves import INERTIA
from hapenny_sim.physics.friction import FAST, size

# A disc at rest stands a blow slower than SLOW_MM_S (it would go 3e-4 mm); others leave with this speed, and with
# this part of the speed of passing by, at least, or as they came.
SLOW_MM_S, SLOW_PART = 1.0, 0.005
STOP_MM_S = 0.02  # below this a disc is at rest: it would go 1e-7 mm
KICK_MM_S = 0.2  # no blow leaves slower than this
CREEP_MM_S = 1e-9  # below this nothing is said to approach
TOUCH_MM = 1e-9  # a gap that counts as touching
PRESS_MM = 5e-7  # how far discs moving as one may sink into each other before that is a blow


@register_jitable(**FAST)
def bounce(restitution, speed, passing):
    """Restitution at an approach speed, while the discs pass each other at the speed `passing` (mm/s).

    Slow blows are elastic (real ones grow so, too), and so never die out: discs pressed together patter, with gaps
    below 2e-3 mm, and the mean of that is the contact force. Neither a rack, nor one disc pushing another along,
    nor inelastic collapse asks for endless blows. No blow gains energy, but that those below KICK_MM_S leave at
    KICK_MM_S.
    """
    least = max(SLOW_MM_S, SLOW_PART * abs(passing))
    return max(restitution, min(1.0, least / speed), KICK_MM_S / speed)


@register_jitable
def blow(radius, restitution, friction, p1, v1, spin1, p2, v2, spin2):
    """Speeds after an impact of two equal discs: (v1, spin1, v2, spin2, approach speed); Coulomb friction at
    the rims.
    """
    normal = (p2 - p1) / size(p2 - p1)
    apart = (v1 - v2) * normal.conjugate()  # real: approach, imaginary: slip to the left of the normal
    speed = apart.real
    slip = apart.imag + radius * (spin1 + spin2)
    along = 0.5 * (1.0 + bounce(restitution, speed, apart.imag)) * speed
    most = friction * along
    across = min(max(slip / (2.0 * (1.0 + INERTIA)), -most), most)
    kick = complex(along, across) * normal
    turn = INERTIA * across / radius
    return v1 - kick, spin1 - turn, v2 + kick, spin2 - turn, speed


@register_jitable
def climb(keep, p1, v1, p2, v2):
    """Speeds (v1, v2) when disc 1 climbs onto disc 2, keeping `keep` of the approach speed; the rest goes to disc 2."""
    normal = (p2 - p1) / size(p2 - p1)
    kick = (1.0 - keep) * ((v1 - v2) * normal.conjugate()).real * normal
    return v1 - kick, v2 + kick


@register_jitable
def rebound(radius, restitution, friction, out, v, spin):
    """Speeds (v, spin, approach) after a disc hits a wall whose unit normal towards the wall is `out`."""
    local = v * out.conjugate()
    speed = local.real
    along = (1.0 + bounce(restitution, speed, local.imag)) * speed
    most = friction * along
    across = min(max((local.imag + radius * spin) / (1.0 + INERTIA), -most), most)
    return v - complex(along, across) * out, spin - INERTIA * across / radius, speed


@register_jitable(**FAST)
def hermite(h, apart, v0, v1):
    """The two upper coefficients of the cubic that covers `apart` in h, from v0 to v1."""
    mean = apart / h
    return (3.0 * mean - 2.0 * v0 - v1) / h, (v0 + v1 - 2.0 * mean) / (h * h)


@register_jitable
def meet(reach, start, v0, end, v1, h):
    """When two discs first touch within h, else inf; `start`, `end` are the way from one to the other, v its rate.

    The way is taken as a cubic. From each instant the gap can close no faster than its rate and the largest
    acceleration allow:
    going on by that much time never jumps a touch and closes in on it quadratically.
    """
    c2, c3 = hermite(h, end - start, v0, v1)
    most = max(size(2.0 * c2), size(2.0 * c2 + 6.0 * c3 * h)) + 1e-9
    least = math.sqrt(2.0 * PRESS_MM / most)
    t = 0.0
    while t <= h:
        p = start + t * (v0 + t * (c2 + t * c3))
        v = v0 + t * (2.0 * c2 + t * 3.0 * c3)
        d = size(p)
        gap, rate = d - reach, (p.real * v.real + p.imag * v.imag) / d
        if gap <= TOUCH_MM and rate < -CREEP_MM_S:
            return t
        t += max(safe(gap, rate, most), least if gap <= TOUCH_MM else 1e-12)
    return math.inf


@register_jitable(**FAST)
def safe(gap, rate, most):
    """The time for which a gap changing at `rate` surely stays open if it is accelerated by no more than `most`."""
    gap = max(gap, 0.0)
    root = math.sqrt(rate * rate + 2.0 * most * gap)
    return (rate + root) / most if rate > 0.0 else (2.0 * gap / (root - rate) if root > rate else 0.0)


@register_jitable
def cross(gap, rate0, end_gap, rate1, h):
    """When a gap (to a wall or an edge) first closes within h, else inf."""
    c2, c3 = hermite(h, end_gap - gap, rate0, rate1)
    most = max(abs(2.0 * c2), abs(2.0 * c2 + 6.0 * c3 * h)) + 1e-9
    least = math.sqrt(2.0 * PRESS_MM / most)
    t = 0.0
    while t <= h:
        now = gap + t * (rate0 + t * (c2 + t * c3))
        rate = rate0 + t * (2.0 * c2 + t * 3.0 * c3)
        if now <= TOUCH_MM and rate < -CREEP_MM_S:
            return t
        t += max(safe(now, rate, most), least if now <= TOUCH_MM else 1e-12)
    return math.inf
