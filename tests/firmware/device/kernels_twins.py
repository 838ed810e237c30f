"""Runs on MicroPython: every viper kernel against its plain twin, bit for bit, on random boards. Prints `same N`."""

import random
from array import array

from hapenny import layout
from hapenny.desktop.kernels import plain as plain
from hapenny.finding.judge import curves as made
from hapenny.finding.locate import Locator
from hapenny.kernels import words as K
from hapenny.kernels.pick import kernels as viper
from hapenny.sensing.calibration import Calibration

TABLE = array("h", layout.FIELD_UT)
CURVES = made(layout, plain)
ROWS = Locator(layout, Calibration(layout)).state[K.HALL_ROWS : K.HALL_ROWS + 5 * (layout.BEDS + 1)]
WRITTEN = []  # the arrays that kernels write


def start(seed):
    """A board with errors, discs' fields in the rest, a state in use."""
    random.seed(seed)
    r = random.randint
    places = plain.places(3 * layout.HALLS)
    for k in range(layout.HALLS):
        places[3 * k] = layout.HALL_X_HMM[k] + r(-60, 60)
        places[3 * k + 1] = layout.HALL_Y_HMM[k] + r(-60, 60)
        places[3 * k + 2] = r(3900, 4300) if r(0, 30) else 0
    state = plain.words(K.WORDS)
    rest = plain.words(layout.HALLS)
    state[K.HALLS] = layout.HALLS
    state[K.PRIOR] = 160000
    state[K.GAIN_ERROR] = r(4, 60)
    state[K.PLACE_ERROR] = r(3, 30)
    state[K.TILT_ERROR] = r(0, 40)
    state[K.LEVEL] = r(-80, 80)
    for k in range(layout.HALLS):
        rest[k] = r(-60, 60) if r(0, 3) else r(-16000, 16000)
        state[K.VAR + k] = r(36, 3000)
    for at in (K.X, K.X2):
        state[at] = r(500, 36000)
        state[at + 1] = r(2000, 43000)
        state[at + 2] = r(3200, 5000) * (1 if r(0, 4) else -1)
    state[K.X2] = state[K.X] + r(-4000, 4000)
    state[K.Y2] = state[K.Y] + r(-4000, 4000)
    state[K.FROM_X] = state[K.X] + r(-2000, 2000)
    state[K.FROM_Y] = state[K.Y] + r(-2000, 2000)
    state[K.REACH] = r(2000, 6500)
    state[K.QUIET] = r(60, 2000)
    state[K.ROWS_OF_HALLS] = len(ROWS) // 5
    for i in range(len(ROWS)):
        state[K.HALL_ROWS + i] = ROWS[i]
    state[K.SIGN] = 1 - 2 * r(0, 1)
    state[K.TRIES] = r(0, 7)
    state[K.LEFT] = state[K.TOP] = -r(900, 5000)
    state[K.SPACING] = r(200, 900)
    state[K.COLUMNS] = state[K.ROWS] = r(3, 9)
    state[K.COARSE] = r(2, 3)
    WRITTEN[:] = [state, rest]
    return state, places, rest


def both(name, arguments, seed):
    """Runs both twins on copies; they must return and leave the same."""
    copies = [array("i", a) if a is not TABLE and any(a is w for w in WRITTEN) else a for a in arguments]
    one = getattr(plain, name)(*arguments)
    two = getattr(viper, name)(*copies)
    if one != two and not (one is None or two is None):
        raise AssertionError("%s returns %r, its twin %r (seed %d)" % (name, one, two, seed))
    for a, b in zip(arguments, copies):
        if a is not b:
            for i in range(len(a)):
                if a[i] != b[i]:
                    raise AssertionError("%s leaves %d at %d, its twin %d (seed %d)" % (name, a[i], i, b[i], seed))


def check(seed):
    state, places, rest = start(seed)
    field = plain.halves(layout.HALLS)
    sums = plain.words(layout.HALLS)
    scales = plain.places(1 + 2 * layout.HALLS)
    scales[0] = layout.HALLS
    for k in range(layout.HALLS):
        sums[k] = random.randint(0, 64 * 4095)
        scales[1 + 2 * k] = random.randint(30000, 35000)
        scales[2 + 2 * k] = random.randint(12000, 16000)
    outs = (plain.halves(layout.HALLS), plain.halves(layout.HALLS))
    plain.convert(sums, scales, outs[0], 64)
    viper.convert(sums, scales, outs[1], 64)
    assert outs[0] == outs[1], "convert"
    for k in range(layout.HALLS):
        field[k] = outs[0][k] + random.randint(-100, 100)
    both("change", (field, outs[0], layout.HALLS), seed)
    state[K.LEVEL] = 24
    both("begin", (state, rest, field), seed)
    state, places, rest = start(seed)
    for name in ("reach", "predict", "normal", "solve", "weigh", "search", "reach", "predict", "couple", "spread"):
        takes = {
            "reach": (state, places),
            "predict": (state, places, TABLE),
            "spread": (state, places, TABLE, rest),
            "solve": (state,),
            "search": (state, TABLE),
        }
        both(name, takes.get(name, (state, rest)), seed)
    state, places, rest = start(seed)
    plain.reach(state, places)
    plain.predict(state, places, TABLE)
    plain.couple(state, rest)
    both("solve_pair", (state,), seed)
    state, places, rest = start(seed)
    both("fit", (state, places, TABLE, rest), seed)
    both("regret", (state, places, rest), seed)
    both("peak", (state, rest, places), seed)
    both("level", (state, rest), seed)
    state, places, rest = start(seed)
    both("fit_pair", (state, places, TABLE, rest), seed)
    state[K.TRIES] = 0
    both("fit_pair", (state, places, TABLE, rest), seed)
    both("doubt", (state,), seed)
    for number in (0, 1, 2, 255, 4096, 268435455, random.randint(0, 268435455)):
        both("root", (number,), seed)
    judge_line(seed)


def judge_line(seed):
    """The light's kernels on one line."""
    r = random.randint
    curves = CURVES
    for edge in range(-100, 1500, 53):
        both("cover", (curves, edge, r(5, 40)), seed)
    state = plain.words(plain.JUDGING)
    WRITTEN[:] = [state]
    state[plain.SPREAD] = r(8, 50000) if r(0, 3) == 0 else r(8, 80)
    state[plain.EDGE] = r(-5, 5) * state[plain.SPREAD] + r(-40, 40)
    state[plain.SEEN] = r(-2000, 60000) if r(0, 2) else r(-500, 2000)
    state[plain.NOISE2] = r(0, 3) * r(1000, 200000000) // r(1, 2000)
    state[plain.SHARE] = r(40, 200)
    state[plain.BLUR] = r(4, 40)
    both("astride", (state, curves), seed)


def main():
    count = 200
    for seed in range(count):
        check(seed)
    print("same", count)


main()
