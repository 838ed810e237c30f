"""The arithmetic of finding discs from nothing and two at a time, on the same state as `disc`."""

# ruff: noqa: F405

from hapenny.desktop.kernels.disc import *  # noqa: F403
from hapenny.kernels.words import *  # noqa: F403

DIAMETER = 2540  # of a disc, hmm
LYING_COSTS = 4000


def nearest(state, xs, ys, count):
    """The first of `count` discs nearest to FROM and nearer than REACH, but BUT and OTHER; -1 if none."""
    x = state[FROM_X]
    y = state[FROM_Y]
    reach = state[REACH]
    best = reach * reach
    found = -1
    for i in range(count):
        dx = xs[i] - x
        dy = ys[i] - y
        if i != state[BUT] and i != state[OTHER] and -reach < dx < reach and -reach < dy < reach:
            if dx * dx + dy * dy < best:
                best = dx * dx + dy * dy
                found = i
    return found


def regret(state, places, rest):
    """What the Halls within REACH of FROM say against the discs placed: 64 chi squared, vagueness priced in."""
    total = 0
    base = state[LEVEL]
    for j in range(reach(state, places)):
        k = state[PICK + j]
        r = rest[k] - base
        r = 2000 if r > 2000 else (-2000 if r < -2000 else r)
        v = state[VAR + k]
        total += (r * (1048576 // v) >> 10) * r >> 4
        while v >= 256:
            v >>= 1
            total += 44
        total += v * 44 >> 7
    return total


def weigh(state, rest):
    """Prepares `search`: at every picked Hall a trust (SLOPE) that allows for a coarse grid, and the rest by it."""
    for j in range(state[COUNT]):
        k = state[PICK + j]
        r = rest[k] - state[LEVEL]
        size = r if r > 0 else -r
        trust = 16384 // ((size >> state[COARSE]) + root(state[VAR + k] & 268435455))
        state[SLOPE + j] = trust
        r = r * trust >> 10
        state[UNIT + j] = 255 if r > 255 else (-255 if r < -255 else r)


def search(state, table):
    """Where on a grid a disc explains the picked Halls best: BEST_X, BEST_Y, BEST_M; returns how much it explains."""
    best = 0
    sign = state[SIGN]
    for cell in range(state[COLUMNS] * state[ROWS]):
        x = state[LEFT] + cell % state[COLUMNS] * state[SPACING]
        y = state[TOP] + cell // state[COLUMNS] * state[SPACING]
        p = 0
        q = 1
        for j in range(state[COUNT]):
            dx = state[AWAY_X + j] - x
            dy = state[AWAY_Y + j] - y
            u = dx * dx + dy * dy
            b = table[(u >> 14) * 3] if u < BEND else (table[((u >> 19) + 496) * 3] if u < FARTHEST else 0)
            b = b * state[SLOPE + j] >> 10
            b = 160 if b > 160 else (-160 if b < -160 else b)
            p += b * state[UNIT + j]
            q += b * b
        m = (p << 4) // q
        if p * sign < 0:
            continue
        m = (13 if m < 13 else (20 if m > 20 else m)) if m > 0 else (-13 if m > -13 else (-20 if m < -20 else m))
        gain = m * (2 * p - (m * q >> 4)) >> 4
        if gain > best:
            best = gain
            state[BEST_X] = x
            state[BEST_Y] = y
            state[BEST_M] = m << 8
    return best


def couple(state, rest):
    """Sums the normal equations of two discs together over the picked Halls (upper triangle and right sides)."""
    for i in range(42):
        state[PAIR + i] = 0
    state[CHI2] = 0
    state[DOUBT] = 0
    moment = state[MOMENT]
    moment2 = state[MOMENT2]
    for j in range(state[COUNT]):
        k = state[PICK + j]
        slope = state[SLOPE + j]
        state[STEPS] = -((slope * state[AWAY_X + j] >> 15) * moment >> 12)
        state[STEPS + 1] = -((slope * state[AWAY_Y + j] >> 15) * moment >> 12)
        state[STEPS + 2] = state[UNIT + j] >> 2
        slope = state[SLOPE + SECOND + j]
        state[STEPS + 3] = -((slope * state[AWAY_X + SECOND + j] >> 15) * moment2 >> 12)
        state[STEPS + 4] = -((slope * state[AWAY_Y + SECOND + j] >> 15) * moment2 >> 12)
        state[STEPS + 5] = state[UNIT + SECOND + j] >> 2
        v = state[VAR + k] + state[OWN + j] + state[OWN + SECOND + j]
        r = rest[k] - state[LEVEL] - (moment * state[UNIT + j] + moment2 * state[UNIT + SECOND + j] + 2048 >> 12)
        r = 2000 if r > 2000 else (-2000 if r < -2000 else r)
        w = 1048576 // v
        state[CHI2] += ((r * w >> 10) * r) >> 4
        for i in range(6):
            t = w * state[STEPS + i] >> 8
            row = PAIR + 7 * i
            for c in range(i, 6):
                state[row + c] += t * state[STEPS + c]
            state[row + 6] += t * r
        while v >= 256:
            v >>= 1
            state[DOUBT] += 44
        state[DOUBT] += v * 44 >> 7


def eliminate(state):
    """Brings the pair's upper triangle to echelon form."""
    for p in range(6):
        top = PAIR + 7 * p
        if state[top + p] < 2:
            state[top + p] = 2
        for i in range(p + 1, 6):
            f = clipped((state[top + i] << 12) // state[top + p], 16383)
            row = PAIR + 7 * i
            for c in range(i, 6):
                state[row + c] -= f * state[top + c] >> 12
            state[row + 6] -= f * (clipped(state[top + 6], 1048576) >> 5) >> 7


def scale(state):
    """Adds the priors of both moments and brings the pair's equations to 14 bits; STEPS are the shifts, each twice."""
    for i in range(2, 6, 3):
        apart = state[MOMENT] if i == 2 else state[MOMENT2]
        apart = (4096 if apart > 0 else -4096) - apart
        state[PAIR + 8 * i] += state[PRIOR]
        state[PAIR + 7 * i + 6] += (state[PRIOR] >> 4) * apart >> 6
    for i in range(6):
        state[STEPS + i] = shift_of(state[PAIR + 8 * i])
    for i in range(6):
        row = PAIR + 7 * i
        k = state[STEPS + i]
        for c in range(i, 6):
            state[row + c] >>= k + state[STEPS + c]
        state[row + i] += (state[row + i] >> 9) + 1
        state[row + 6] = clipped(state[row + 6] >> k, 1048576)


def solve_pair(state):
    """Solves the equations of `couple` into STEPS (hmm, hmm, 1/4096, twice); destroys them."""
    scale(state)
    eliminate(state)
    for i in range(5, -1, -1):
        row = PAIR + 7 * i
        b = state[row + 6]
        for c in range(i + 1, 6):
            b -= state[row + c] * state[PAIR + 7 * c + 6] >> 7
        state[row + 6] = clipped((clipped(b, 4194304) << 7) // state[row + i], 24000)
    for i in range(6):
        step = state[PAIR + 7 * i + 6]
        k = state[STEPS + i]
        state[STEPS + i] = clipped((step << 3) >> k, 1024) if i % 3 == 2 else clipped(step >> k, 300)


def doubt(state):
    """SE_X and SE_Y (um) of the first disc of a pair just fitted, the other being as unsure; destroys its equations."""
    scale(state)
    eliminate(state)
    for p in range(2):
        total = 0
        for i in range(p, 6):
            y = 4096 if i == p else 0
            for k in range(p, i):
                f = clipped((state[PAIR + 7 * k + i] << 12) // state[PAIR + 8 * k], 16383)
                y -= f * state[PAIR + 7 * k + 6] >> 12
            y = clipped(y, 16000)
            state[PAIR + 7 * i + 6] = y
            total += y * y // state[PAIR + 8 * i]
        state[SE_X + p] = root(clipped(total, 2097152) << 6) * 5 >> 1 + state[STEPS + p]


def oddness(moment):
    """What a moment's distance from the standard adds to chi squared x 64: a disc of ours has it within 4 %."""
    apart = (moment - 4096 if moment > 0 else moment + 4096) >> 3
    return apart * apart // 10


def touch(state, did):
    """Discs cannot overlap: two that do, or did before, are told to touch (to 0.08 mm); returns the price of it.

    Those so near to each other that one must lie on the other stay as they are.
    """
    dx = clipped(state[X] - state[X2], 4000)
    dy = clipped(state[Y] - state[Y2], 4000)
    away = dx * dx + dy * dy
    if did == 0 and away >= DIAMETER * DIAMETER:
        return 0
    away = root(away)
    if away < LYING:
        return LYING_COSTS
    r = DIAMETER - away
    for i in range(6):
        state[STEPS + i] = 0
    state[STEPS] = (dx << 10) // away
    state[STEPS + 1] = (dy << 10) // away
    state[STEPS + 3] = 0 - state[STEPS]
    state[STEPS + 4] = 0 - state[STEPS + 1]
    for i in range(6):
        t = state[STEPS + i]
        row = PAIR + 7 * i
        for c in range(i, 6):
            state[row + c] += t * state[STEPS + c]
        state[row + 6] += t * r << 3
    return clipped(r * r + 1, LYING_COSTS)


def fit_pair(state, places, table, rest):
    """Gauss-Newton of two discs together, at most TRIES steps, over Halls within REACH of FROM; returns the cost."""
    count = reach(state, places)
    for j in range(count):
        state[AWAY_X + SECOND + j] = state[AWAY_X + j] + state[X] - state[X2]
        state[AWAY_Y + SECOND + j] = state[AWAY_Y + j] + state[Y] - state[Y2]
    tries = state[TRIES]
    price = 0
    while True:
        state[BLOCK] = SECOND
        predict(state, places, table)
        state[BLOCK] = 0
        predict(state, places, table)
        couple(state, rest)
        price = touch(state, price)
        if tries == 0:
            return state[CHI2] + state[DOUBT] + oddness(state[MOMENT]) + oddness(state[MOMENT2]) + price
        solve_pair(state)
        tries -= 1
        if move_pair(state) == 0:
            tries = 0


def move_pair(state):
    """Takes the steps of `solve_pair`; returns how many of the two discs still moved."""
    moved = 0
    for disc in range(2):
        dx = state[STEPS + 3 * disc]
        dy = state[STEPS + 3 * disc + 1]
        state[X + 3 * disc] += dx
        state[Y + 3 * disc] += dy
        before = state[MOMENT + 3 * disc]
        state[MOMENT + 3 * disc] = within(before + state[STEPS + 3 * disc + 2], before)
        for j in range(state[COUNT]):
            state[AWAY_X + SECOND * disc + j] -= dx
            state[AWAY_Y + SECOND * disc + j] -= dy
        if dx >= SETTLED or dx <= -SETTLED or dy >= SETTLED or dy <= -SETTLED:
            moved += 1
    return moved
