"""The arithmetic of finding discs, as plain integer functions over arrays: the specification of kernels_viper.

One array of words, `state`, carries what a kernel needs and what it finds; `places` holds x, y and stretch of every Hall
(stretch 4096 = nominal depth, 0 = leave this sensor out), `table` is layout.FIELD_UT, `rest` the field not yet explained.
Every intermediate stays below 2^30, so that the 32-bit twin gives the same bits.
"""

from array import array

X = 0  # disc, hundredths of a millimetre
Y = 1
MOMENT = 2  # 4096 = a standard disc, negative = flipped
REACH2 = 3  # squared radius of `reach`
COUNT = 4  # sensors picked by `reach`
HALLS = 5
GAIN_ERROR = 6  # of the model at a sensor, 1/1024
PLACE_ERROR = 7  # of a sensor, hmm
SIGN = 8  # `spread` takes a disc's field away (1) or gives it back (-1); `search` wants this sign of moment (0: either)
PRIOR = 9  # weight of "a disc of ours has the standard moment"
LEVEL = 10  # common step of all Halls, microtesla
CHI2 = 11  # 64 = one standard deviation squared
NORMAL = 12  # xx xy xm yy ym mm, then the right sides x y m
STEP_X = 21  # what `solve` finds
STEP_Y = 22
STEP_M = 23
SE_X = 24  # micrometres
SE_Y = 25
BEST_X = 26  # what `search` finds
BEST_Y = 27
BEST_M = 28
LEFT = 29  # first column of the grid of `search`, against X; then first row, spacing, columns, rows
TOP = 30
SPACING = 31
COLUMNS = 32
ROWS = 33
SE_M = 34
FROM_X = 36  # centre of `reach`
FROM_Y = 37
COARSE = 35  # `weigh` allows for a rest wrong by 1 part in 2^COARSE
X2 = 38  # the other disc of a pair
Y2 = 39
MOMENT2 = 40
PAIR = 41  # six equations of `couple`, seven numbers each: x, y, moment of the first disc, then the other's
STEPS = PAIR + 42  # what `solve_pair` finds
DOUBT = STEPS + 6  # sum of 64 ln(variance) over the picked Halls: what chi squared must be paid to be fair
SECOND = 100  # where in the blocks the other disc of a pair has its numbers
MOST = 200  # Halls that the blocks below hold
PICK = 91
UNIT = PICK + MOST
SLOPE = UNIT + MOST
AWAY_X = SLOPE + MOST
AWAY_Y = AWAY_X + MOST
VAR = AWAY_Y + MOST
WORDS = VAR + MOST


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
    """At every picked Hall: UNIT, the field of a standard disc (microtesla), and SLOPE, 1024 x its change a near step."""
    for j in range(state[COUNT]):
        dx = state[AWAY_X + j]
        dy = state[AWAY_Y + j]
        u = dx * dx + dy * dy
        u += (u >> 8) * (places[3 * state[PICK + j] + 2] - 4096) >> 4
        if u < 8388608:
            i = (u >> 13) * 2
            slope = table[i + 1]
            state[UNIT + j] = table[i] + (slope * (u & 8191) >> 19)
            state[SLOPE + j] = slope << 4
        else:
            i = ((u >> 19) + 1008) * 2
            slope = table[i + 1]
            state[UNIT + j] = table[i] + (slope * ((u & 524287) >> 6) >> 19)
            state[SLOPE + j] = slope >> 2


def spread(state, rest):
    """Takes the disc's field out of `rest` at every picked Hall (SIGN 1) or gives it back (-1), and its doubt in VAR."""
    sign = state[SIGN]
    moment = state[MOMENT]
    gain = state[GAIN_ERROR]
    place = state[PLACE_ERROR]
    for j in range(state[COUNT]):
        k = state[PICK + j]
        b = moment * state[UNIT + j] >> 12
        slope = state[SLOPE + j]
        gx = slope * state[AWAY_X + j] >> 15
        gy = slope * state[AWAY_Y + j] >> 15
        e = b * gain >> 10
        gx = gx * place >> 7
        gy = gy * place >> 7
        rest[k] -= sign * b
        state[VAR + k] += sign * (e * e + gx * gx + gy * gy)


def normal(state, rest):
    """Sums the normal equations of x, y (a unit = 128 hmm) and moment (a unit = 1/4) over the picked Halls."""
    moment = state[MOMENT]
    gain = state[GAIN_ERROR]
    place = state[PLACE_ERROR]
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
        e = b * gain >> 10
        ex = gx * place >> 7
        ey = gy * place >> 7
        w = 1048576 // (state[VAR + k] + e * e + ex * ex + ey * ey)
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


def logarithm(number):
    """64 x the natural logarithm, taken straight between powers of two and less a constant."""
    total = 0
    while number >= 256:
        number >>= 1
        total += 44
    return total + (number * 44 >> 7)


def vagueness(state):
    """DOUBT over the picked Halls, as `normal` sees their variance."""
    moment = state[MOMENT]
    gain = state[GAIN_ERROR]
    place = state[PLACE_ERROR]
    total = 0
    for j in range(state[COUNT]):
        e = (moment * state[UNIT + j] >> 12) * gain >> 10
        slope = state[SLOPE + j]
        ex = (slope * state[AWAY_X + j] >> 15) * place >> 7
        ey = (slope * state[AWAY_Y + j] >> 15) * place >> 7
        total += logarithm(state[VAR + state[PICK + j]] + e * e + ex * ex + ey * ey)
    state[DOUBT] = total


def median(state, rest):
    """The median of `rest` over the Halls that no known disc disturbs (VAR below 128), 0 if they are fewer than 8."""
    low = -4096
    high = 4095
    while low < high:
        middle = (low + high) >> 1
        above = 0
        count = 0
        for k in range(state[HALLS]):
            if state[VAR + k] < 128:
                count += 1
                if rest[k] > middle:
                    above += 1
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


def weigh(state, rest):
    """Prepares `search`: at every picked Hall a trust (SLOPE) that allows for a coarse grid, and the rest by it (UNIT)."""
    for j in range(state[COUNT]):
        k = state[PICK + j]
        r = rest[k] - state[LEVEL]
        size = r if r > 0 else -r
        trust = 16384 // (8 + (size >> state[COARSE]) + root(state[VAR + k] & 268435455))
        state[SLOPE + j] = trust
        r = r * trust >> 10
        state[UNIT + j] = 255 if r > 255 else (-255 if r < -255 else r)


def search(state, table):
    """Where on a grid a disc explains the picked Halls best: BEST_X, BEST_Y (offset), BEST_M; returns how much it explains."""
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
            b = table[(u >> 13) * 2] if u < 8388608 else table[((u >> 19) + 1008) * 2]
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


def second(state):
    """Moves what `reach` and `predict` found to the place of a pair's other disc."""
    for j in range(state[COUNT]):
        state[UNIT + SECOND + j] = state[UNIT + j]
        state[SLOPE + SECOND + j] = state[SLOPE + j]
        state[AWAY_X + SECOND + j] = state[AWAY_X + j]
        state[AWAY_Y + SECOND + j] = state[AWAY_Y + j]


def slopes(state, j, moment, to):
    """Field and derivatives of one disc at pick j, as `normal` uses them, into STEPS + to ...; returns its variance."""
    b = state[UNIT + j]
    slope = state[SLOPE + j]
    gx = -((slope * state[AWAY_X + j] >> 15) * moment >> 12)
    gy = -((slope * state[AWAY_Y + j] >> 15) * moment >> 12)
    state[STEPS + to] = gx
    state[STEPS + to + 1] = gy
    state[STEPS + to + 2] = b >> 2
    b = (moment * b >> 12) * state[GAIN_ERROR] >> 10
    gx = gx * state[PLACE_ERROR] >> 7
    gy = gy * state[PLACE_ERROR] >> 7
    return b * b + gx * gx + gy * gy


def couple(state, rest):
    """Sums the normal equations of two discs together over the picked Halls (upper triangle and right sides)."""
    for i in range(42):
        state[PAIR + i] = 0
    state[CHI2] = 0
    state[DOUBT] = 0
    for j in range(state[COUNT]):
        k = state[PICK + j]
        v = state[VAR + k] + slopes(state, j, state[MOMENT], 0) + slopes(state, j + SECOND, state[MOMENT2], 3)
        b = (state[MOMENT] * state[UNIT + j] >> 12) + (state[MOMENT2] * state[UNIT + SECOND + j] >> 12)
        r = clipped(rest[k] - state[LEVEL] - b, 2000)
        w = 1048576 // v
        state[DOUBT] += logarithm(v)
        state[CHI2] += ((r * w >> 10) * r) >> 4
        for i in range(6):
            t = w * state[STEPS + i] >> 8
            row = PAIR + 7 * i
            for c in range(i, 6):
                state[row + c] += t * state[STEPS + c]
            state[row + 6] += t * r


def solve_pair(state):
    """Solves the equations of `couple`, scaled to 14 bits, into STEPS (hmm, hmm, 1/4096, twice); destroys them."""
    for i in (2, 5):
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
    eliminate(state)
    for i in range(5, -1, -1):
        row = PAIR + 7 * i
        b = state[row + 6]
        for c in range(i + 1, 6):
            b -= state[row + c] * state[PAIR + 7 * c + 6] >> 7
        state[row + 6] = clipped((clipped(b, 4194304) << 7) // state[row + i], 32767)
    for i in range(6):
        step = state[PAIR + 7 * i + 6]
        k = state[STEPS + i]
        state[STEPS + i] = clipped((step << 3) >> k, 1024) if i % 3 == 2 else clipped(step >> k, 300)


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


def cap(height):
    """Area (hmm^2) of the part of a disc beyond a chord, by how far its edge lies beyond the chord (hmm, to 600)."""
    if height <= 0:
        return 0
    chord = root((2540 - height) * height << 8) >> 3
    return (chord * height * 2) // 3 + height * height * height // (2 * chord)


def cover(edge, blur):
    """Area (hmm^2) of a groove of 80 hmm that a disc covers whose edge lies `edge` beyond its near side, blurred by `blur`."""
    total = 0
    for i in range(5):
        if i == 0:
            h = edge
            w = 136
        elif i < 3:
            h = edge + (blur * 347 >> 8 if i == 1 else -(blur * 347 >> 8))
            w = 57
        else:
            h = edge + (blur * 731 >> 8 if i == 3 else -(blur * 731 >> 8))
            w = 3
        total += w * (cap(h) - cap(h - 80))
    return total >> 8
