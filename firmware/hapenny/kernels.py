"""The arithmetic of finding one disc, as plain integer functions over arrays: the specification of kernels_viper.

One array of words, `state`, carries what a kernel needs and what it finds; `places` holds x, y and stretch of every
Hall (stretch 4096 = nominal depth, 0 = leave it out), `table` is layout.FIELD_UT, `rest` the field not yet explained.
Every intermediate stays below 2^30, so that the 32-bit twin, which hardware/twin.py writes, gives the same bits.
"""

from array import array

X = 0  # disc, hundredths of a millimetre
Y = 1
MOMENT = 2  # 4096 = a standard disc, negative = flipped
X2 = 3  # the other disc of a pair
Y2 = 4
MOMENT2 = 5
FROM_X = 6  # centre of `reach` and `regret`
FROM_Y = 7
REACH2 = 8  # their squared radius
COUNT = 9  # sensors picked by `reach`
HALLS = 10
BLOCK = 11  # where `predict` reads and writes: 0, or SECOND for a pair's other disc
TRIES = 12  # steps of `fit` and `fit_pair`
GAIN_ERROR = 13  # of the model at a sensor, 1/1024
PLACE_ERROR = 14  # of a sensor, hmm
TILT_ERROR = 15  # of a magnet in its disc, 1/1024
SIGN = 16  # `spread` takes a disc's field away (1) or back (-1); `search` wants this sign of moment (0: either)
PRIOR = 17  # weight of "a disc of ours has the standard moment"
LEVEL = 18  # common step of all Halls, microtesla
CHI2 = 19  # 64 = one standard deviation squared
NORMAL = 20  # xx xy xm yy ym mm, then the right sides x y m
STEP_X = 29  # what `solve` finds
STEP_Y = 30
STEP_M = 31
SE_X = 32  # micrometres
SE_Y = 33
SE_M = 34  # 1/4096
BEST_X = 35  # what `search` finds
BEST_Y = 36
BEST_M = 37
LEFT = 38  # first column of the grid of `search`, against X; then first row, spacing, columns, rows
TOP = 39
SPACING = 40
COLUMNS = 41
ROWS = 42
COARSE = 43  # `weigh` allows for a rest wrong by 1 part in 2^COARSE
DOUBT = 44  # sum of 64 ln(variance) over the picked Halls: what chi squared must be paid to be fair
PAIR = 45  # six equations of `couple`, seven numbers each: x, y, moment of the first disc, then the other's
STEPS = 87  # what `solve_pair` finds
PICK = 93  # blocks of MOST words: numbers of the picked Halls, ...
MOST = 200
SECOND = 100  # where in the blocks the other disc of a pair has its numbers
UNIT = 293  # ... field of a standard disc there
SLOPE = 493  # ... its change, 1024 x a near step
AWAY_X = 693  # ... place against the disc
AWAY_Y = 893
OWN = 1093  # ... variance of what a disc is predicted to do there
VAR = 1293  # variance of every Hall's rest
WORDS = 1493

FEW = 4  # Halls that a fit wants
WIDE2 = 56250000  # and how far it looks for them (75 mm)
LEAST = 3200  # moments that a fit may find
GREATEST = 5000
SETTLED = 3  # hmm: a step that ends a fit
FAILED = 536870912


def words(count):
    """An array of `count` 32-bit numbers."""
    return array("i", bytes(4 * count))


def halves(count):
    """An array of `count` 16-bit numbers."""
    return array("h", bytes(2 * count))


def places(count):
    """An array of `count` unsigned 16-bit numbers."""
    return array("H", bytes(2 * count))


def begin(state, rest, field, noise):
    """A new frame: nothing is explained yet, and every Hall is as sure as its own noise and one frame's (LEVEL)."""
    for k in range(state[HALLS]):
        rest[k] = field[k]
        state[VAR + k] = noise[k] + state[LEVEL]


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


def reach(state, places):
    """Lists the Halls within sqrt(REACH2) of FROM: PICK, and AWAY_X, AWAY_Y from X, Y; returns how many."""
    x = state[FROM_X]
    y = state[FROM_Y]
    ox = x - state[X]
    oy = y - state[Y]
    limit = state[REACH2]
    count = 0
    for k in range(state[HALLS]):
        dy = places[3 * k + 1] - y
        if dy > 13000 or dy < -13000:
            continue
        dx = places[3 * k] - x
        if dx > 13000 or dx < -13000:
            continue
        if dx * dx + dy * dy < limit and places[3 * k + 2] != 0:
            state[PICK + count] = k
            state[AWAY_X + count] = dx + ox
            state[AWAY_Y + count] = dy + oy
            count += 1
    state[COUNT] = count
    return count


def predict(state, places, table):
    """At every picked Hall: UNIT, the field of a standard disc, SLOPE, 1024 x its change a near step, and OWN."""
    at = state[BLOCK]
    for j in range(state[COUNT]):
        dx = state[AWAY_X + at + j]
        dy = state[AWAY_Y + at + j]
        u = dx * dx + dy * dy
        u += (u >> 8) * (places[3 * state[PICK + j] + 2] - 4096) >> 4
        if u < 8388608:
            i = (u >> 13) * 3
            slope = table[i + 1] << 4
            b = table[i] + (table[i + 1] * (u & 8191) >> 19)
        else:
            i = (u >> 19) + 1008
            i = (1331 if i > 1331 else i) * 3
            slope = table[i + 1] >> 2
            b = table[i] + (table[i + 1] * ((u & 524287) >> 6) >> 19)
        state[UNIT + at + j] = b
        state[SLOPE + at + j] = slope
        state[OWN + at + j] = own(state, b, table[i + 2], (dx if dx > 0 else -dx) + (dy if dy > 0 else -dy), slope)


def own(state, b, lean, away, slope):
    """Variance of a prediction: gain and place of the Hall, lean of the magnet (away: |dx| + |dy|, near enough)."""
    away = away * 7 >> 3
    e = b * state[GAIN_ERROR] >> 10
    g = (slope * away >> 15) * state[PLACE_ERROR] >> 7
    t = (lean * away >> 10) * state[TILT_ERROR] >> 10
    return e * e + g * g + t * t


def spread(state, rest):
    """Takes the disc's field out of `rest` at every picked Hall (SIGN 1) or back (-1), and its doubt in VAR."""
    sign = state[SIGN]
    moment = state[MOMENT]
    for j in range(state[COUNT]):
        k = state[PICK + j]
        rest[k] -= sign * (moment * state[UNIT + j] >> 12)
        state[VAR + k] += sign * state[OWN + j]


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
        b = moment * b >> 12
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
    """Gauss-Newton from X, Y, MOMENT, at most TRIES steps, over the Halls within REACH2; returns chi squared each."""
    state[FROM_X] = state[X]
    state[FROM_Y] = state[Y]
    state[BLOCK] = 0
    count = reach(state, places)
    if count < FEW:
        state[REACH2] = WIDE2
        count = reach(state, places)
        if count == 0:
            return FAILED
    tries = state[TRIES]
    while True:
        predict(state, places, table)
        normal(state, rest)
        if tries == 0:
            return state[CHI2] // (count - 2 if count > 3 else 1)
        solve(state)
        tries -= 1
        dx = state[STEP_X]
        dy = state[STEP_Y]
        state[X] += dx
        state[Y] += dy
        state[MOMENT] = within(state[MOMENT] + state[STEP_M], state[MOMENT])
        for j in range(count):
            state[AWAY_X + j] -= dx
            state[AWAY_Y + j] -= dy
        if -SETTLED < dx < SETTLED and -SETTLED < dy < SETTLED:
            tries = 0


def median(state, rest):
    """The median of `rest` over the Halls that no known disc disturbs (VAR below 128), 0 if they are fewer than 8."""
    low = -4096
    high = 4095
    while low < high:
        middle = (low + high) >> 1
        above = 0
        count = 0
        for k in range(state[HALLS]):
            quiet = 1 if state[VAR + k] < 128 else 0
            count += quiet
            above += quiet if rest[k] > middle else 0
        if count < 8:
            return 0
        if above * 2 > count:
            low = middle + 1
        else:
            high = middle
    return low


def peak(state, rest, places):
    """The Hall whose rest is most significant, its number; BEST_M then holds r^2 / variance."""
    most = 0
    found = 0
    for k in range(state[HALLS]):
        if places[3 * k + 2] == 0:
            continue
        r = rest[k] - state[LEVEL]
        r = 16000 if r > 16000 else (-16000 if r < -16000 else r)
        r = r * r // state[VAR + k]
        if r > most:
            most = r
            found = k
    state[BEST_M] = most
    return found
