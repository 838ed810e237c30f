"""A stream of random numbers per turn, read by number: the same whoever plays the turn, and in whatever order.

Each number is a hash (the finalizer of SplitMix64: Steele, Lea, Flood, OOPSLA 2014) of seed, turn and place in the
stream.
"""

import math

import numpy as np
from numba.extending import register_jitable

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S27, S30, S31, S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(11)


@register_jitable
def mixed(x):
    """SplitMix64's finalizer."""
    x = (x ^ (x >> S30)) * MIX_1
    x = (x ^ (x >> S27)) * MIX_2
    return x ^ (x >> S31)


@register_jitable
def uniform(seed, turn, place):
    """Number `place` of the stream of a turn: in 0 < u < 1."""
    x = mixed(np.uint64(seed) * GOLDEN + np.uint64(turn))
    x = mixed(x + (np.uint64(place) + np.uint64(1)) * GOLDEN)
    return (np.float64(x >> S11) + 0.5) * (1.0 / 9007199254740992.0)


@register_jitable
def normal(seed, turn, place):
    """A standard normal number (Box and Muller) from places 2*place and 2*place + 1 of the stream."""
    radius = math.sqrt(-2.0 * math.log(uniform(seed, turn, 2 * place)))
    return radius * math.cos(2.0 * math.pi * uniform(seed, turn, 2 * place + 1))
