"""What frames with a disc in a known place, or at rest anywhere, teach about the sensors. Floats: not in the loop."""

from array import array

from hapenny import kernels as K

SAMPLES = 160  # frames kept of one row of Halls
ROUNDS = 4  # more would let the whole row drift along itself, which nothing holds
REACH_HMM = 2600  # Halls of the row itself; the next row is 29 mm away
# what is believed of a sensor before any sweep, as a standard deviation
GAIN = 0.04
PLACE_HMM = 20.0
STRETCH = 0.045
NOISE_UT = 14.0
EDGE_WEIGHT = 1864135  # a straightedge and the disc along it are placed within 6 hmm: 4096 (128 / 6)^2
EDGE_HMM = 2.0  # ... and once that is allowed for
EDGE_AREA = 28.0  # hmm^2 of a groove that a just touching disc covers by its blur alone: this times blur^1.5


class Row:
    """Frames of one row of Halls with a disc at a known y and an unknown x; `learn` then corrects the row."""

    def __init__(self, calibration, layout, first, count, kernels):
        self.calibration = calibration
        self.layout = layout
        self.kernels = kernels
        self.first = first
        self.count = count
        self.fields = array("h", bytes(2 * SAMPLES * count))
        self.x_hmm = array("i", bytes(4 * SAMPLES))
        self.y_hmm = array("i", bytes(4 * SAMPLES))
        self.samples = 0
        self.state = kernels.words(K.WORDS)
        self.rest = kernels.words(layout.HALLS)
        self.sums = [[0.0] * 14 for _ in range(count)]

    def add(self, field, y_hmm):
        """One frame; False if there is no room or no disc over the row."""
        best = max(range(self.count), key=lambda i: abs(int(field[self.first + i])))
        if self.samples == SAMPLES or abs(int(field[self.first + best])) < 800:
            return False
        t = self.samples
        for i in range(self.count):
            self.fields[t * self.count + i] = int(field[self.first + i])
        self.x_hmm[t] = self.layout.HALL_X_HMM[self.first + best]
        self.y_hmm[t] = y_hmm
        self.samples = t + 1
        return True

    def learn(self):
        """Corrects gain, place and stretch of the row's Halls; returns the rms of what is left, in microtesla."""
        gains = [1.0] * self.count
        left = 0.0
        for turn in range(ROUNDS):
            for sums in self.sums:
                for n in range(14):
                    sums[n] = 0.0
            left = self._gather(gains, turn == 0)
            for i in range(self.count):
                self._correct(i, gains)
        for i in range(self.count):
            at = 2 + 2 * (self.first + i)
            self.calibration.scales[at] = int(int(self.calibration.scales[at]) * gains[i] + 0.5)
        return left

    def _gather(self, gains, new):
        """Sums each Hall's normal equations over the frames."""
        total = 0.0
        count = 0
        for t in range(self.samples):
            self._place(t, gains, new)
            state = self.state
            for j in range(state[K.COUNT]):
                i = int(state[K.PICK + j]) - self.first
                if 0 <= i < self.count:
                    r = self._observe(i, j)
                    total += r * r
                    count += 1
        return (total / count) ** 0.5 if count else 0.0

    def _observe(self, i, j):
        """Adds what one frame says about Hall i (pick j)."""
        state = self.state
        h, residual, variance = partials(state, j, int(self.rest[self.first + i]))
        sums = self.sums[i]
        n = 0
        for a in range(4):
            for b in range(a, 4):
                sums[n] += h[a] * h[b] / variance
                n += 1
            sums[10 + a] += h[a] * residual / variance
        return residual

    def _place(self, t, gains, new):
        """Finds x of frame t, y being known; leaves the state predicted there."""
        state = self.state
        kernels = self.kernels
        for i in range(self.count):
            self.rest[self.first + i] = int(self.fields[t * self.count + i] * gains[i])
        state[K.HALLS] = self.layout.HALLS
        state[K.GAIN_ERROR] = 20
        state[K.PLACE_ERROR] = 10
        state[K.LEVEL] = 0
        state[K.BLOCK] = 0
        state[K.MOMENT] = 4096
        state[K.PRIOR] = 1 << 28
        for k in range(self.layout.HALLS):
            state[K.VAR + k] = 200
        if new:
            best = None
            for start in (-500, 500):
                cost = self._slide(t, int(self.x_hmm[t]) + start, 6)
                if best is None or cost < best[0]:
                    best = (cost, int(state[K.X]))
            self.x_hmm[t] = best[1]
        self._slide(t, int(self.x_hmm[t]), 3)
        self.x_hmm[t] = int(state[K.X])
        kernels.reach(state, self.calibration.places)
        kernels.predict(state, self.calibration.places, self.calibration.table)

    def _slide(self, t, x, tries):
        """Gauss-Newton in x, and in y within what a straightedge allows; returns chi squared."""
        state = self.state
        kernels = self.kernels
        state[K.X] = x
        state[K.Y] = self.y_hmm[t]
        for _ in range(tries):
            state[K.FROM_X] = state[K.X]
            state[K.FROM_Y] = state[K.Y]
            state[K.REACH2] = REACH_HMM * REACH_HMM
            kernels.reach(state, self.calibration.places)
            kernels.predict(state, self.calibration.places, self.calibration.table)
            kernels.normal(state, self.rest)
            state[K.NORMAL + 3] += EDGE_WEIGHT
            state[K.NORMAL + 7] += (EDGE_WEIGHT >> 7) * (self.y_hmm[t] - int(state[K.Y]))
            kernels.solve(state)
            state[K.X] += state[K.STEP_X]
            state[K.Y] += state[K.STEP_Y]
        return int(state[K.CHI2])

    def _correct(self, i, gains):
        """Solves Hall i's equations with what was believed before as weak evidence."""
        sums = self.sums[i]
        places = self.calibration.places
        k = self.first + i
        now = (gains[i] - 1.0, int(places[3 * k]) - self.layout.HALL_X_HMM[k],
               int(places[3 * k + 1]) - self.layout.HALL_Y_HMM[k], (int(places[3 * k + 2]) - 4096) / 4096)  # fmt: skip
        believed = (GAIN, PLACE_HMM, PLACE_HMM, STRETCH)
        matrix = [[0.0] * 5 for _ in range(4)]
        n = 0
        for a in range(4):
            for b in range(a, 4):
                matrix[a][b] = matrix[b][a] = sums[n]
                n += 1
            matrix[a][4] = sums[10 + a] - now[a] / believed[a] ** 2
            matrix[a][a] += 1.0 / believed[a] ** 2
        change = solved(matrix)
        gains[i] += change[0]
        self.calibration.move(k, now[1] + change[1], now[2] + change[2], now[3] + change[3])


class Play:
    """Discs at rest anywhere, in ordinary play: each moves the Halls about it a little towards what was seen."""

    def __init__(self, calibration, layout, swept):
        self.calibration = calibration
        self.layout = layout
        count = layout.HALLS
        self.now = array("f", bytes(16 * count))  # gain, x, y, stretch of each Hall against what is stored nominally
        self.sure = array("f", bytes(16 * count))  # their variances
        believed = (0.008, 6.0, 6.0, 0.015) if swept else (GAIN, PLACE_HMM, PLACE_HMM, STRETCH)
        for k in range(count):
            at = 4 * k
            self.now[at] = calibration.scales[2 + 2 * k] / layout.UT_PER_CODE_Q10 - 1.0
            self.now[at + 1] = int(calibration.places[3 * k]) - layout.HALL_X_HMM[k]
            self.now[at + 2] = int(calibration.places[3 * k + 1]) - layout.HALL_Y_HMM[k]
            self.now[at + 3] = (int(calibration.places[3 * k + 2]) - 4096) / 4096
            for n in range(4):
                self.sure[at + n] = believed[n] ** 2
        self.rests = 0

    def learn(self, locator):
        """Takes what the locator has just found at rest; returns how many discs were of use."""
        used = 0
        for i in range(locator.count):
            if locator.chi2[i] < 64 * 4 and locator.flags[i] == 0 and locator.alone(i):
                locator.lift(i)
                self._disc(locator.state, locator.rest)
                locator.lay(i)
                used += 1
        self.rests += used
        return used

    def _disc(self, state, rest):
        for j in range(state[K.COUNT]):
            k = int(state[K.PICK + j])
            h, residual, variance = partials(state, j, int(rest[k]) - int(state[K.LEVEL]))
            at = 4 * k
            sure = self.sure
            total = 2.0 * variance  # the disc's own place was fitted to the same frame
            for n in range(4):
                total += h[n] * h[n] * sure[at + n]
            if residual * residual > 12.0 * total:
                continue
            for n in range(4):
                share = sure[at + n] * h[n] / total
                self.now[at + n] += share * residual
                sure[at + n] *= 1.0 - share * h[n]
            now = self.now
            self.calibration.scales[2 + 2 * k] = int(self.layout.UT_PER_CODE_Q10 * (1.0 + now[at]) + 0.5)
            self.calibration.move(k, now[at + 1], now[at + 2], now[at + 3])


class Lights:
    """What discs along and over the lines show of the segments: the blur of an edge, and the reading when covered."""

    def __init__(self, calibration, layout):
        self.calibration = calibration
        self.layout = layout
        self.sum = array("f", bytes(4 * layout.LIGHTS))
        self.count = array("i", bytes(4 * layout.LIGHTS))

    def edge(self, line, x_hmm, lit, dark, pairs):
        """A disc at x just touches a line's groove: keeps the area that its segment sees, unless two share it."""
        place = x_hmm - self.layout.LIGHT_X0_HMM
        n, within = divmod(place, self.layout.SEGMENT_HMM)
        if not 0 <= n < self.layout.LIGHTS_PER_LINE or not 300 < within < self.layout.SEGMENT_HMM - 300:
            return
        s = line * self.layout.LIGHTS_PER_LINE + n
        calibration = self.calibration
        signal = calibration.signal(lit, dark, pairs, s) - int(calibration.bare[s])
        self.sum[s] += signal * 406400.0 / int(calibration.full[s])
        self.count[s] += 1

    def learn_blur(self):
        """The blur at which a touching edge covers what was seen, weighed against the nominal blur."""
        for s in range(self.layout.LIGHTS):
            if self.count[s]:
                seen = self.sum[s] / self.count[s]
                best = max(5, min(35, int((seen / EDGE_AREA) ** 0.6667 + 0.5))) if seen > 0 else 5
                before = int(self.calibration.blur[s])
                self.calibration.blur[s] = (best * self.count[s] + 2 * before) // (self.count[s] + 2)

    def full(self, locator, i, lit, dark, pairs):
        """Disc i lies over a line: keeps what its segments show against what it covers of them."""
        layout = self.layout
        line = (locator.y_hmm[i] - layout.FIRST_LINE_HMM + layout.LINE_PITCH_HMM // 2) // layout.LINE_PITCH_HMM
        away = locator.y_hmm[i] - layout.FIRST_LINE_HMM - line * layout.LINE_PITCH_HMM
        if not 0 <= line < layout.LINES or not -600 < away < 600:
            return
        half = (1270 * 1270 - away * away) ** 0.5
        for n in range(layout.LIGHTS_PER_LINE):
            left = layout.LIGHT_X0_HMM + n * layout.SEGMENT_HMM - locator.x_hmm[i]
            part = min(half, left + layout.SEGMENT_HMM) - max(-half, left)
            if part > 1200:
                s = line * layout.LIGHTS_PER_LINE + n
                signal = self.calibration.signal(lit, dark, pairs, s) - int(self.calibration.bare[s])
                self.sum[s] += signal * layout.SEGMENT_HMM / part
                self.count[s] += 1

    def learn_full(self):
        """The full reading of every segment that was seen."""
        for s in range(self.layout.LIGHTS):
            if self.count[s]:
                self.calibration.full[s] = int(self.sum[s] / self.count[s])


def partials(state, j, rest):
    """(changes of the residual with gain, x, y, stretch of the Hall at pick j; the residual; its variance)."""
    moment = int(state[K.MOMENT]) / 4096
    b = moment * int(state[K.UNIT + j])
    slope = moment * int(state[K.SLOPE + j])
    dx = int(state[K.AWAY_X + j])
    dy = int(state[K.AWAY_Y + j])
    gx = slope * dx / 4194304  # microtesla a hundredth of a millimetre: 2 / 8192 / 1024
    gy = slope * dy / 4194304
    gs = slope * (dx * dx + dy * dy) / 8388608
    residual = rest - b
    variance = NOISE_UT * NOISE_UT + (EDGE_HMM * gy) ** 2 + (0.004 * b) ** 2
    return (-b, gx, gy, gs), residual, variance


def solved(matrix):
    """The solution of four equations, the right side in the last column."""
    size = len(matrix)
    for p in range(size):
        top = matrix[p]
        for row in matrix[p + 1 :]:
            f = row[p] / top[p]
            for c in range(p, size + 1):
                row[c] -= f * top[c]
    found = [0.0] * size
    for p in range(size - 1, -1, -1):
        found[p] = (matrix[p][size] - sum(matrix[p][c] * found[c] for c in range(p + 1, size))) / matrix[p][p]
    return found
