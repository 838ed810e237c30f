"""The arithmetic of finding one disc, as plain integer functions over arrays: the specification of viper.

One array of words, `state`, carries what a kernel needs and what it finds; `places` holds x, y and stretch of every
Hall (stretch 4096 = nominal depth, 0 = leave it out), `table` is layout.FIELD_UT, `rest` the field not yet explained.
Every intermediate stays below 2^30, so that the 32-bit twin, which hardware/twin.py writes, gives the same bits.
"""

# ruff: noqa: F405

from hapenny.kernels.words import *  # noqa: F403

FEW = 4  # Halls that a fit wants
WIDE = 7500  # and how far it looks for them
LOOSE = 120  # a Hall lies within this of its row
NEAR_BLIND2 = 12960000  # Halls left out this near (36 mm) count
BEND = 8388608  # hmm^2: where the steps of the field table change from 2^14 to 2^19 (hardware/generate.py) ...
FARTHEST = 169345024  # ... and where it ends
FAINT = 24  # microtesla: below it a prediction's doubt is nothing
CLIP_LEVEL = 100
SETTLED = 3  # hmm: a step that ends a fit


def begin(state, rest, field):
    """A new frame: nothing is explained yet, and every Hall is as sure as its noise, in LEVEL, lets it be."""
    for k in range(state[HALLS]):
        rest[k] = field[k]
        state[VAR + k] = state[LEVEL]


def reach(state, places):
    """Lists the Halls within REACH of FROM: PICK, and AWAY_X, AWAY_Y from X, Y; returns how many. Counts BLIND."""
    x = state[FROM_X]
    y = state[FROM_Y]
    ox = x - state[X]
    oy = y - state[Y]
    far = state[REACH]
    limit = far * far
    far += LOOSE
    count = 0
    blind = 0
    for row in range(HALL_ROWS, HALL_ROWS + 5 * state[ROWS_OF_HALLS], 5):
        dy = state[row + 1] - y
        if dy > far or dy < -far:
            continue
        left = x - state[row + 2]
        first = (left - far) // state[row + 3] + 1
        last = (left + far) // state[row + 3] + 1
        first = state[row] + (0 if first < 0 else first)
        last = state[row] + (state[row + 4] if last > state[row + 4] else last)
        for k in range(first, last):
            dx = places[3 * k] - x
            dy = places[3 * k + 1] - y
            if dx * dx + dy * dy < limit:
                if places[3 * k + 2] != 0:
                    state[PICK + count] = k
                    state[AWAY_X + count] = dx + ox
                    state[AWAY_Y + count] = dy + oy
                    count += 1
                elif dx * dx + dy * dy < NEAR_BLIND2:
                    blind += 1
    state[COUNT] = count
    state[BLIND] = blind
    return count


def predict(state, places, table):
    """At every picked Hall: UNIT, the field of a standard disc, SLOPE, 1024 x its change a near step, and OWN.

    OWN is the variance of that prediction: gain and place of the Hall, lean of the magnet (|dx| + |dy| is near enough).
    """
    at = state[BLOCK]
    gain = state[GAIN_ERROR]
    place = state[PLACE_ERROR]
    tilt = state[TILT_ERROR]
    for j in range(state[COUNT]):
        dx = state[AWAY_X + at + j]
        dy = state[AWAY_Y + at + j]
        u = dx * dx + dy * dy
        u += (u >> 8) * (places[3 * state[PICK + j] + 2] - 4096) >> 4
        u = FARTHEST if u > FARTHEST else u
        i = (u >> 14 if u < BEND else (u >> 19) + 496) * 3
        b = table[i] + (table[i + 1] * (u & 16383 if u < BEND else (u & 524287) >> 5) + 262144 >> 19)
        slope = table[i + 1] << 4 if u < BEND else table[i + 1] >> 1
        state[UNIT + at + j] = b
        state[SLOPE + at + j] = slope
        away = ((dx if dx > 0 else -dx) + (dy if dy > 0 else -dy)) * 7 >> 3
        e = b * gain >> 10
        g = (slope * away >> 15) * place >> 7
        t = (table[i + 2] * away >> 10) * tilt >> 10
        state[OWN + at + j] = e * e + g * g + t * t


def spread(state, places, table, rest):
    """Takes the field of the disc at X, Y out of `rest` within REACH (SIGN 1) or back (-1), and its doubt in VAR."""
    x = state[X]
    y = state[Y]
    sign = state[SIGN]
    moment = state[MOMENT]
    gain = state[GAIN_ERROR]
    place = state[PLACE_ERROR]
    far = state[REACH]
    for row in range(HALL_ROWS, HALL_ROWS + 5 * state[ROWS_OF_HALLS], 5):
        dy = state[row + 1] - y
        if dy > far or dy < -far:
            continue
        first = (x - far - state[row + 2]) // state[row + 3] + 1
        last = (x + far - state[row + 2]) // state[row + 3] + 1
        first = state[row] + (0 if first < 0 else first)
        last = state[row] + (state[row + 4] if last > state[row + 4] else last)
        for k in range(first, last):
            dx = places[3 * k] - x
            dy = places[3 * k + 1] - y
            u = dx * dx + dy * dy
            if u >= far * far or places[3 * k + 2] == 0:
                continue
            u += (u >> 8) * (places[3 * k + 2] - 4096) >> 4
            i = (u >> 14 if u < BEND else (u >> 19) + 496) * 3
            b = table[i] + (table[i + 1] * (u & 16383 if u < BEND else (u & 524287) >> 5) + 262144 >> 19)
            rest[k] -= sign * (moment * b + 2048 >> 12)
            if b > FAINT or b < -FAINT:
                slope = table[i + 1] << 4 if u < BEND else table[i + 1] >> 1
                away = ((dx if dx > 0 else -dx) + (dy if dy > 0 else -dy)) * 7 >> 3
                e = b * gain >> 10
                g = (slope * away >> 15) * place >> 7
                t = (table[i + 2] * away >> 10) * state[TILT_ERROR] >> 10
                state[VAR + k] += sign * (e * e + g * g + t * t)


def normal(state, rest):
    """Sums the normal equations of x, y (a unit = 128 hmm) and moment (a unit = 1/4) over the picked Halls."""
    moment = state[MOMENT]
    for i in range(CHI2, NORMAL + 9):
        state[i] = 0
    for j in range(state[COUNT]):
        k = state[PICK + j]
        b = state[UNIT + j]
        slope = state[SLOPE + j]
        gx = -((slope * state[AWAY_X + j] >> 15) * moment >> 12)
        gy = -((slope * state[AWAY_Y + j] >> 15) * moment >> 12)
        gm = b >> 2
        b = moment * b + 2048 >> 12
        r = rest[k] - state[LEVEL] - b
        r = 2000 if r > 2000 else (-2000 if r < -2000 else r)
        w = 1048576 // (state[VAR + k] + state[OWN + j])
        state[CHI2] += ((r * w >> 10) * r) >> 4
        tx = w * gx >> 8
        ty = w * gy >> 8
        tm = w * gm >> 8
        state[NORMAL] += tx * gx
        state[NORMAL + 1] += tx * gy
        state[NORMAL + 2] += tx * gm
        state[NORMAL + 3] += ty * gy
        state[NORMAL + 4] += ty * gm
        state[NORMAL + 5] += tm * gm
        state[NORMAL + 6] += tx * r
        state[NORMAL + 7] += ty * r
        state[NORMAL + 8] += tm * r


def shift_of(diagonal):
    """The k that brings diagonal >> 2k into 2^12..2^14."""
    k = 0
    while diagonal >= 16384:
        diagonal >>= 2
        k += 1
    return k


def root(number):
    """Integer square root of a number below 2^28."""
    bit = 1 << 26
    found = 0
    while bit:
        if number >= found + bit:
            number -= found + bit
            found = (found >> 1) + bit
        else:
            found >>= 1
        bit >>= 2
    return found


def clipped(value, limit):
    """The value, brought within +-limit."""
    if value > limit:
        return limit
    if value < -limit:
        return -limit
    return value


def solve(state):
    """Solves the normal equations, scaled to 14 bits: STEP_X, STEP_Y (hmm), STEP_M (1/4096), SE_X, SE_Y (um), SE_M."""
    moment = state[MOMENT]
    prior = state[PRIOR]
    apart = (4096 if moment > 0 else -4096) - moment
    mm = state[NORMAL + 5] + prior + 64
    kx = shift_of(state[NORMAL])
    ky = shift_of(state[NORMAL + 3])
    km = shift_of(mm)
    mm >>= 2 * km
    xm = state[NORMAL + 2] >> (kx + km)
    ym = state[NORMAL + 4] >> (ky + km)
    bm = clipped((state[NORMAL + 8] + ((prior >> 4) * apart >> 6)) >> km, 1048576)
    fx = (xm << 12) // mm
    fy = (ym << 12) // mm
    xx = (state[NORMAL] >> (2 * kx)) + 1 - (fx * xm >> 12)
    yy = (state[NORMAL + 3] >> (2 * ky)) + 1 - (fy * ym >> 12)
    xy = (state[NORMAL + 1] >> (kx + ky)) - (fx * ym >> 12)
    bx = clipped(state[NORMAL + 6] >> kx, 1048576) - (fx * (bm >> 5) >> 7)
    by = clipped(state[NORMAL + 7] >> ky, 1048576) - (fy * (bm >> 5) >> 7)
    xx = 2 if xx < 2 else xx
    yy = 2 if yy < 2 else yy
    fy2 = clipped((xy << 12) // xx, 16383)
    yy2 = yy - (fy2 * xy >> 12)
    yy2 = 2 if yy2 < 2 else yy2
    xx2 = xx - (clipped((xy << 12) // yy, 16383) * xy >> 12)
    xx2 = 2 if xx2 < 2 else xx2
    by -= fy2 * (clipped(bx, 1048576) >> 5) >> 7
    y = clipped((clipped(by, 4194304) << 7) // yy2, 32767)
    x = clipped((clipped(bx - (xy * y >> 7), 4194304) << 7) // xx, 32767)
    m = ((bm << 5) - (xm * x >> 2) - (ym * y >> 2)) // mm
    state[STEP_X] = clipped(x >> kx, 300)
    state[STEP_Y] = clipped(y >> ky, 300)
    state[STEP_M] = clipped((m << 5) >> km, 1024)
    state[SE_X] = 10485760 // root(xx2 << 14) >> kx
    state[SE_Y] = 10485760 // root(yy2 << 14) >> ky
    state[SE_M] = 8388608 // root(mm << 14) >> km


def within(moment, before):
    """A moment that keeps its sign and stays near the standard."""
    if before > 0:
        return LEAST if moment < LEAST else (GREATEST if moment > GREATEST else moment)
    return -LEAST if moment > -LEAST else (-GREATEST if moment < -GREATEST else moment)


def fit(state, places, table, rest):
    """Gauss-Newton from X, Y, MOMENT, at most TRIES steps, over the Halls within REACH; returns chi squared each."""
    state[FROM_X] = state[X]
    state[FROM_Y] = state[Y]
    state[BLOCK] = 0
    count = reach(state, places)
    if count < FEW:
        state[REACH] = WIDE
        count = reach(state, places)
        if count == 0:
            return FAILED
    tries = state[TRIES]
    before = FAILED
    dx = 0
    dy = 0
    while True:
        predict(state, places, table)
        normal(state, rest)
        if tries == 0:
            return state[CHI2] // (count - 2 if count > 3 else 1)
        tries -= 1
        if state[CHI2] > before:  # too far: half the way back
            dx = -dx >> 1
            dy = -dy >> 1
        else:
            before = state[CHI2]
            solve(state)
            dx = state[STEP_X]
            dy = state[STEP_Y]
            state[MOMENT] = within(state[MOMENT] + state[STEP_M], state[MOMENT])
            if -SETTLED < dx < SETTLED and -SETTLED < dy < SETTLED:
                tries = 0
        state[X] += dx
        state[Y] += dy
        for j in range(count):
            state[AWAY_X + j] -= dx
            state[AWAY_Y + j] -= dy


def level(state, rest):
    """Brings LEVEL to the mean of `rest` over the Halls that no known disc disturbs, far values clipped; returns it."""
    step = CLIP_LEVEL
    tries = 8
    while tries > 0 and (step > 20 or step < -20):
        base = state[LEVEL]
        total = 0
        count = 0
        for k in range(state[HALLS]):
            if state[VAR + k] < state[QUIET]:
                r = rest[k] - base
                total += CLIP_LEVEL if r > CLIP_LEVEL else (-CLIP_LEVEL if r < -CLIP_LEVEL else r)
                count += 1
        step = (total + (count >> 1)) // count if count > 7 else 0
        state[LEVEL] = base + step
        tries -= 1
    return state[LEVEL]


def peak(state, rest, places):
    """The Hall whose rest is most significant, its number; BEST_M then holds r^2 / variance."""
    most = 0
    found = 0
    base = state[LEVEL]
    for k in range(state[HALLS]):
        if places[3 * k + 2] == 0:
            continue
        r = rest[k] - base
        if -28 < r < 28:
            continue
        r = 16000 if r > 16000 else (-16000 if r < -16000 else r)
        r = r * r // state[VAR + k]
        if r > most:
            most = r
            found = k
    state[BEST_M] = most
    return found
