"""A stream of random numbers per turn, read by number: the same whoever plays the turn, in whatever order.

Each number is a hash of seed, turn and place in the stream (the finalizer of SplitMix64: Steele, Lea, Flood, OOPSLA
2014), so nothing is drawn that others depend on.
"""

import numpy as np

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
S11, S27, S30, S31 = (np.uint64(shift) for shift in (11, 27, 30, 31))


def uniforms(seed: int, turns: np.ndarray, count: int) -> np.ndarray:
    """(turns, count): the first numbers of each turn's stream, 0 < u < 1."""
    with np.errstate(over="ignore"):  # wraps, as hashes do
        key = _mixed(np.uint64(seed) * GOLDEN + np.asarray(turns, dtype=np.uint64))
        bits = _mixed(key[:, None] + np.arange(1, count + 1, dtype=np.uint64) * GOLDEN)
    return ((bits >> S11).astype(float) + 0.5) * 2.0**-53


def normals(seed: int, turns: np.ndarray, count: int) -> np.ndarray:
    """(turns, count): standard normal numbers (Box and Muller), two of the stream to each."""
    u = uniforms(seed, turns, 2 * count)
    return np.sqrt(-2.0 * np.log(u[:, :count])) * np.cos(2.0 * np.pi * u[:, count:])


def _mixed(x: np.ndarray) -> np.ndarray:
    x = (x ^ (x >> S30)) * MIX_1
    x = (x ^ (x >> S27)) * MIX_2
    return x ^ (x >> S31)
