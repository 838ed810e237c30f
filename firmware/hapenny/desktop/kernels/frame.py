"""The arithmetic of a frame before anything is looked for in it: sums of codes, their meaning, their differences."""


def clear(sums, count):
    """Zeroes."""
    for k in range(count):
        sums[k] = 0


def add(sums, part, count):
    """Adds `count` numbers."""
    for k in range(count):
        sums[k] += part[k]


def change(field, reference, count):
    """Largest difference between two fields, microtesla."""
    most = 0
    for k in range(count):
        d = field[k] - reference[k]
        if d < 0:
            d = -d
        if d > most:
            most = d
    return most


def convert(sums, scales, out, passes):
    """Sums of codes to microtesla: scales = count, then zero (1/16 code) and gain (microtesla a code, Q10) of each.

    Erratum E11: nine codes are missing at each of 512, 1536, 2560 and 3584, and the others are that much too narrow.
    Straighten around the nearest of the four; the ramp is as wide as the noise smears the gap.
    """
    for k in range(scales[0]):
        code = sums[k] * 16 // passes
        away = (code & 16383) - 8192
        code += (72 if away > 72 else (-72 if away < -72 else away)) - (away * 9 >> 10)
        value = (code - scales[1 + 2 * k]) * scales[2 + 2 * k] >> 14
        out[k] = 32000 if value > 32000 else (-32000 if value < -32000 else value)
