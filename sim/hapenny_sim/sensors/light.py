"""Line light: how much of a segment's aperture discs cover, and what its phototransistor reads, lit and dark."""

import numpy as np
from numba import njit

from hapenny_sim.sensors.adc import convert, draw

# columns of `segments`: one row a segment
LEFT, CENTRE_Y, BASE, FULL, BLUR, WAVE, AMBIENT, FLOOR, CLEAN = range(9)
# Gauss-Legendre abscissae on (0, 1) and weights; quantiles of the normal for the blurred edge
NODES = (np.polynomial.legendre.leggauss(5)[0] + 1) / 2
WEIGHTS = np.polynomial.legendre.leggauss(5)[1] / 2
HERMITE, HERMITE_WEIGHTS = np.polynomial.hermite_e.hermegauss(9)
HERMITE_WEIGHTS = HERMITE_WEIGHTS / HERMITE_WEIGHTS.sum()


@njit(cache=True, fastmath=True)
def band_mm2(radius, low, high, left, right):
    """Area (mm^2) that a circle about the origin covers of the band low..high (y) within left..right (x)."""
    low, high = max(low, -radius), min(high, radius)
    if high <= low:
        return 0.0
    area = 0.0
    for i in range(NODES.shape[0]):
        # the chord starts as a square root at the circle's edge: square the step towards the nearer edge
        t = NODES[i]
        if abs(low) > abs(high):
            y, step = low + (high - low) * t * t, 2 * t
        else:
            y, step = high - (high - low) * t * t, 2 * t
        half = np.sqrt(max(radius * radius - y * y, 0.0))
        area += WEIGHTS[i] * step * max(min(half, right) - max(-half, left), 0.0)
    return area * (high - low)


@njit(cache=True, fastmath=True)
def coverage(dx_left, dy, radius, width, line_width, blur):
    """Covered part (0..1) of a segment; dx_left, dy: its left end and centre line from the disc's centre (mm)."""
    if abs(dy) > radius + line_width + 4 * blur or dx_left > radius + 1.0 or dx_left + width < -radius - 1.0:
        return 0.0
    low, high = dy - line_width / 2, dy + line_width / 2
    total = 0.0
    for i in range(HERMITE.shape[0]):
        total += HERMITE_WEIGHTS[i] * band_mm2(radius + blur * HERMITE[i], low, high, dx_left, dx_left + width)
    return total / (width * line_width)


@njit(cache=True)
def read(segments, scene, hands, width, line_width, rings, mains_phase, drift, edges, pool, state, pairs, lit, dark):
    """Adds `pairs` codes of every segment, emitter on and off, into lit and dark.

    rings: pixel light and mains share of the ambient (0..1); drift: this frame's own error, a share of full scale.
    """
    for s in range(segments.shape[0]):
        covered = 0.0
        shade = 0.0
        for d in range(scene.shape[0]):
            if scene[d, 2] > 5.0:
                continue  # in a hand, out of the light
            part = coverage(segments[s, LEFT] - scene[d, 0], segments[s, CENTRE_Y] - scene[d, 1], scene[d, 9], width,
                            line_width, segments[s, BLUR])  # fmt: skip
            place = (scene[d, 0] - segments[s, LEFT]) / width
            covered += part * scene[d, 8] * (1.0 + segments[s, WAVE] * np.cos(2 * np.pi * place))
            shade += part
        for h in range(hands.shape[0]):
            dx = segments[s, LEFT] + width / 2 - hands[h, 0]
            dy = segments[s, CENTRE_Y] - hands[h, 1]
            if dx * dx + dy * dy < hands[h, 2] ** 2:
                covered += 0.05
                shade += 0.8
        ambient = segments[s, AMBIENT] * max(1.0 - shade, 0.0) * segments[s, CLEAN]
        signal = segments[s, BASE] + segments[s, FULL] * segments[s, CLEAN] * covered
        signal += segments[s, FULL] * drift * draw(pool, state)
        for p in range(pairs):
            now = mains_phase + 2 * np.pi * 100.0 * 0.0027 * p  # pairs of 2.7 ms: 16 of them span four mains periods
            off = ambient * (1.0 + rings * np.sin(now)) + segments[s, FLOOR]
            on = ambient * (1.0 + rings * np.sin(now + 0.13)) + segments[s, FLOOR] + signal
            lit[s] += convert(edges, on + 0.9 * draw(pool, state))
            dark[s] += convert(edges, off + 0.9 * draw(pool, state))
