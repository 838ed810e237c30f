"""The RP2040's ADC: code edges with its four wide codes (erratum E11), other non-linearity, and a fast noise source."""

import numpy as np
from numba import njit

CODES = 4096
WIDE_CODES = (512, 1536, 2560, 3584)
NORMALS = 1 << 16


def code_edges(rng: np.random.Generator, wide: float, wide_spread: float, dnl: float, inl: float) -> np.ndarray:
    """Lower edge of every code, in codes of an ideal converter, and one upper end: shape (4097,).

    Four codes are wider by `wide` +- `wide_spread` (measured: 9 to 10), every edge is off by a normal `dnl`, and the
    whole bends by three slow waves of amplitude `inl`: with E11 corrected, 0.4 codes rms are left, as measured.
    """
    widths = np.ones(CODES)
    for code in WIDE_CODES:
        widths[code] += wide + wide_spread * rng.standard_normal()
    edges = np.concatenate([[0.0], np.cumsum(np.maximum(widths, 0.05))])
    edges *= CODES / edges[-1]
    edges += dnl * rng.standard_normal(CODES + 1)
    phase = rng.uniform(0, 2 * np.pi, 3)
    ramp = np.arange(CODES + 1) / CODES
    edges += inl * sum(np.sin(2 * np.pi * (k + 1.5) * ramp + phase[k]) for k in range(3))
    return np.sort(edges)


def normal_pool(rng: np.random.Generator) -> np.ndarray:
    """Standard normals to draw from: much cheaper than making each."""
    pool = rng.standard_normal(NORMALS)
    return (pool - pool.mean()) / pool.std()


@njit(cache=True)
def draw(pool, state):
    """One standard normal from the pool; `state` (uint64 of one) is an xorshift generator."""
    s = state[0]
    s ^= s << np.uint64(13)
    s ^= s >> np.uint64(7)
    s ^= s << np.uint64(17)
    state[0] = s
    return pool[(s * np.uint64(2685821657736338717)) >> np.uint64(48)]


@njit(cache=True)
def convert(edges, value):
    """The code of an analog value given in ideal codes."""
    if value <= 0.0:
        return 0
    code = min(int(value), CODES - 1)
    while code > 0 and value < edges[code]:
        code -= 1
    while code < CODES - 1 and value >= edges[code + 1]:
        code += 1
    return code
