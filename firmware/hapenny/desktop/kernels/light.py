"""The arithmetic of what light and Halls together say of one line: does a disc astride its groove?

One array of words, `state`, carries what a kernel needs and what it finds; `curves` holds two curves
of 16-bit numbers, which judge.curves makes.
"""

# ruff: noqa: F405

from hapenny.kernels.words import *  # noqa: F403


def cover(curves, edge, blur):
    """Area (4 hmm^2) that a disc covers of a groove, its blurred edge lying `edge` inside it: three sharp edges."""
    total = 0
    blur = blur * 3 >> 1
    h = edge - blur
    for i in range(3):
        if h > 0:
            h = 4 * BANDS - 1 if h > 4 * BANDS - 1 else h
            k = SURE + (h >> 2)
            area = (curves[k] << 2) + (curves[k + 1] - curves[k]) * (h & 3)
            total += area * 142 if i == 1 else area * 57
        h += blur
    return total >> 10


def astride(state, curves):
    """Weighs every place of the edge within five standard errors by Halls and light: TOTAL, ON, MEAN, SQUARE.

    Finely about the groove's rim, where the light changes, and coarsely elsewhere. The Halls' errors have thick tails.
    """
    edge = state[EDGE]
    se = state[SPREAD]
    noise2 = state[NOISE2]
    total = 0
    on = 0
    mean = 0
    square = 0
    wide = (se >> 1) + 4 & -4
    place = edge - 5 * se & -4
    while place < edge + 5 * se:
        step = place if place > 0 else 0 - place
        step = 4 + (step >> 3 & -4)
        step = wide if step > wide else step
        middle = place + (step >> 1)
        place += step
        z = (((middle - edge) * 16 // se) + 1) >> 1
        k = z * z >> 3
        weight = (curves[k] if k < SURE else 0) + (curves[k // 5] >> 7)
        if noise2:
            area = cover(curves, middle, state[BLUR])
            error = area * state[SHARE] >> 10
            area -= state[SEEN]
            area = 16000 if area > 16000 else (-16000 if area < -16000 else area)
            k = area * area // ((noise2 + error * error >> 3) + 1)
            weight = weight * curves[k] >> 12 if k < SURE else 0
        weight *= (step << 8) // se
        total += weight
        mean += weight * z
        square += weight * z * z
        if middle > 0:
            on += weight
    state[TOTAL] = total
    state[ON] = on
    state[MEAN] = mean
    state[SQUARE] = square
