"""One frame of fields to discs: where each lies, how sure that is, and what is odd about it. Integers, no allocation."""

from array import array

from hapenny import kernels as K
from hapenny.kernels_pick import kernels as chosen

MAX_DISCS = 12
FLIPPED = 1
STACKED = 2
WEAK = 4
DEGRADED = 8
FOREIGN = 16
SATURATED = 32
POOR = 64

STANDARD = 4096  # moment of a disc of ours
FAR2 = 12600 * 12600  # a disc's field is taken out this far
NEAR2 = 4500 * 4500  # Halls that a disc is fitted to
WIDE2 = 7500 * 7500  # the same where fewer than FEW are near
JUDGED2 = 6500 * 6500  # Halls by which rival first guesses are judged
FEW = 4
BESIDE2 = 2000 * 2000
NOISE_1 = 1560  # variance of one pass, microtesla squared
MOMENT_VARIANCE = 160  # (164 / 4096)^2 in units of 1/65536: a disc of ours has its moment within 4 %
PRIOR = 160000  # the same as a weight in the normal equations
DOUBTED = 64 * 100  # cost that makes a first fit doubtful
UNEXPLAINED = 20  # r^2 / variance of a Hall that makes the region worth another thought
ADDED = 64 * 30  # what a disc more must save
CROWD = 7000  # hmm
PAIR2 = 6500 * 6500
STRONG = 2000  # microtesla
SEEN = 12  # r^2 / variance that makes a Hall worth a search
EXPLAINED = 2500  # what a new disc must explain (1/256 of chi squared)
LEAST = 3200
MOST = 5000
BLIND = 1 << 22
ILL = 64 * 8  # chi squared of a bad fit
OVERLAP = 2250  # hmm: discs nearer than this lie on each other
CLOSE = 3  # hmm: a fit has settled
MAGNET_SE_UM = 60  # eccentricity and tilt of a magnet in its disc


class Locator:
    """Finds discs; results lie in arrays by disc number, valid up to `count`, until the next call."""

    def __init__(self, layout, calibration, kernels=chosen):
        self.layout = layout
        self.calibration = calibration
        self.kernels = kernels
        self.state = kernels.words(K.WORDS)
        self.rest = kernels.words(layout.HALLS)
        self.x_hmm = numbers(MAX_DISCS)
        self.y_hmm = numbers(MAX_DISCS)
        self.moment = numbers(MAX_DISCS)
        self.se_x_um = numbers(MAX_DISCS)
        self.se_y_um = numbers(MAX_DISCS)
        self.chi2 = numbers(MAX_DISCS)
        self.flags = numbers(MAX_DISCS)
        self.source = numbers(MAX_DISCS)
        self.table = layout.FIELD_UT
        self.spare = numbers(6)
        self.start = numbers(6)
        self.least = 0
        self.blind = 0
        self.blinded = numbers(8)
        self.near2 = NEAR2
        self.slot = 0
        self.seed_x = 0
        self.seed_y = 0
        self.count = 0
        self.level_ut = 0
        self.unexplained = 0
        self.state[K.HALLS] = layout.HALLS
        self.state[K.PRIOR] = PRIOR

    def forget(self):
        """The next call knows of no disc."""
        self.count = 0

    def find(self, field, passes):
        """Everything that lies on the board, from nothing; returns the number of discs."""
        self.count = 0
        self._begin(field, passes)
        self._add(4)
        self._sweep(1)
        self._pairs(6)
        self._rethink()
        self._level()
        self._pairs(6)
        self._add(4)
        self._pairs(4)
        self._doubts(3)
        self._sweep(1)
        return self._finish()

    def refine(self, field, passes):
        """The discs known from the call before, to full accuracy; new ones are added."""
        self._begin(field, passes)
        self._known()
        self._sweep(2)
        self._add(4)
        self._sweep(2)
        return self._finish()

    def follow(self, field, passes):
        """The discs known from the call before, cheaply; new ones are added."""
        self._begin(field, passes)
        self._known()
        self._sweep(1)
        self._add(3)
        return self._finish()

    def _begin(self, field, passes):
        state = self.state
        calibration = self.calibration
        state[K.GAIN_ERROR] = calibration.gain_error_q10
        state[K.PLACE_ERROR] = calibration.place_error_hmm
        state[K.LEVEL] = NOISE_1 // passes
        self.kernels.begin(state, self.rest, field, calibration.noise)
        self.level_ut = 0
        state[K.LEVEL] = 0
        for i in range(MAX_DISCS):
            self.source[i] = i if i < self.count else -1

    def _known(self):
        for i in range(self.count):
            self._load(i)
            self._spread(1)
        self._level()

    def _load(self, i):
        state = self.state
        state[K.X] = self.x_hmm[i]
        state[K.Y] = self.y_hmm[i]
        state[K.MOMENT] = self.moment[i]

    def _store(self, i):
        state = self.state
        self.x_hmm[i] = state[K.X]
        self.y_hmm[i] = state[K.Y]
        self.moment[i] = state[K.MOMENT]

    def _spread(self, sign):
        state = self.state
        state[K.SIGN] = sign
        self._reach(FAR2)
        self.kernels.predict(state, self.calibration.places, self.table)
        self.kernels.spread(state, self.rest)

    def _level(self):
        self.level_ut = self.kernels.median(self.state, self.rest)
        self.state[K.LEVEL] = self.level_ut

    def _reach(self, reach2):
        """Lists the Halls about the loaded disc; returns how many."""
        state = self.state
        state[K.FROM_X] = state[K.X]
        state[K.FROM_Y] = state[K.Y]
        state[K.REACH2] = reach2
        return self.kernels.reach(state, self.calibration.places)

    def _near(self):
        """Lists and predicts the Halls to fit to; returns how many."""
        count = self._reach(self.near2)
        if count < FEW:
            count = self._reach(WIDE2)
        self.kernels.predict(self.state, self.calibration.places, self.table)
        return count

    def _fit(self, tries):
        """Gauss-Newton from the loaded disc; leaves chi squared and standard errors in the state."""
        state = self.state
        kernels = self.kernels
        for _ in range(tries):
            if self._near() == 0:
                return
            kernels.normal(state, self.rest)
            kernels.solve(state)
            dx = state[K.STEP_X]
            dy = state[K.STEP_Y]
            state[K.X] += dx
            state[K.Y] += dy
            moment = state[K.MOMENT] + state[K.STEP_M]
            state[K.MOMENT] = within(moment, state[K.MOMENT])
            if -CLOSE < dx < CLOSE and -CLOSE < dy < CLOSE:
                return

    def _chi2(self):
        """Chi squared a degree of freedom (64 = 1) of the loaded disc."""
        count = self._near()
        self.kernels.normal(self.state, self.rest)
        return self.state[K.CHI2] // (count - 2 if count > 3 else 1)

    def _better(self):
        """Keeps the loaded disc as the candidate if it explains the Halls about its Hall (seed) better than the one before."""
        state = self.state
        kernels = self.kernels
        i = self.slot
        state[K.FROM_X] = self.seed_x
        state[K.FROM_Y] = self.seed_y
        state[K.REACH2] = JUDGED2
        kernels.reach(state, self.calibration.places)
        kernels.predict(state, self.calibration.places, self.table)
        kernels.normal(state, self.rest)
        kernels.vagueness(state)
        cost = state[K.DOUBT] + state[K.CHI2] + oddness(state[K.MOMENT])
        if cost < self.chi2[i]:
            self._store(i)
            self.chi2[i] = cost

    def _sides(self):
        """A row of Halls sees a disc beyond it like its mirror image before it: fit both, keep the better."""
        row = self._row(self.state[K.Y])
        offset = self.state[K.Y] - row
        if not -900 < offset < 900 or -40 < offset < 40:
            return
        self.state[K.Y] = row - offset
        self._fit(4)
        self._better()

    def _row(self, y_hmm):
        layout = self.layout
        bed = (y_hmm - layout.FIRST_LINE_HMM) // layout.LINE_PITCH_HMM
        if bed < 0:
            return layout.APPROACH_Y_HMM if y_hmm < layout.FIRST_LINE_HMM - 3000 else layout.FIRST_LINE_HMM + layout.LINE_PITCH_HMM // 2
        if bed >= layout.BEDS:
            bed = layout.BEDS - 1
        return layout.FIRST_LINE_HMM + layout.LINE_PITCH_HMM // 2 + bed * layout.LINE_PITCH_HMM

    def _sweep(self, times):
        """Fits every disc with all others taken out, `times` over."""
        for _ in range(times):
            for i in range(self.count):
                self._load(i)
                self._spread(-1)
                self._fit(2)
                self._store(i)
                self._spread(1)

    def _rethink(self):
        """Fits every disc anew with all others taken out, from its mirror image too, and where it fits badly from nothing."""
        state = self.state
        for i in range(self.count):
            self._load(i)
            self._spread(-1)
            self.slot = i
            self.seed_x = int(state[K.X])
            self.seed_y = int(state[K.Y])
            self._fit(4)
            self.chi2[i] = 1 << 28
            self._better()
            self._sides()
            self._load(i)
            if self._crowded(i):
                self._grid(self.seed_x, self.seed_y, 2400, 400, 13, 2, 0)
                self._quarters()
            self._load(i)
            self._spread(1)

    def _crowded(self, i):
        """Does another disc lie so near that both may have been misread?"""
        for j in range(self.count):
            if j != i and self._close(i, j):
                return True
        return False

    def _close(self, i, j):
        dx = self.x_hmm[i] - self.x_hmm[j]
        dy = self.y_hmm[i] - self.y_hmm[j]
        return -CROWD < dx < CROWD and -CROWD < dy < CROWD

    def _pairs(self, tries):
        """Fits discs that lie close together two at a time."""
        for i in range(self.count):
            for j in range(i):
                if self._close(i, j):
                    self._fit_pair(i, j, tries)

    def _fit_pair(self, i, j, tries):
        """Gauss-Newton of two discs together, from each of their four combinations of sides; the best is kept."""
        self._load(j)
        self._spread(-1)
        self._load(i)
        self._spread(-1)
        self.seed_x = self.x_hmm[i] + self.x_hmm[j] >> 1
        self.seed_y = self.y_hmm[i] + self.y_hmm[j] >> 1
        self.least = 1 << 29
        self._sides_of_pair(i, j, tries)
        self._put_pair(i, j)

    def _sides_of_pair(self, i, j, tries):
        """Couples discs i and j as they lie and from their mirror images; keeps what costs least."""
        start = self.start
        self._keep(i, j, start)
        for side in range(4 if tries > 2 else 1):
            if side:  # mirror images of the first disc (1), the second (2) or both (3) about their rows
                self.x_hmm[i], self.y_hmm[i], self.moment[i] = start[0], start[1], start[2]
                self.x_hmm[j], self.y_hmm[j], self.moment[j] = start[3], start[4], start[5]
                if side & 1:
                    self.y_hmm[i] = 2 * self._row(start[1]) - start[1]
                if side & 2:
                    self.y_hmm[j] = 2 * self._row(start[4]) - start[4]
            cost = self._couple(i, j, tries)
            if cost < self.least:
                self.least = cost
                self._keep(i, j, self.spare)
                if not side:
                    self._keep(i, j, start)

    def _keep(self, i, j, places):
        places[0], places[1], places[2] = self.x_hmm[i], self.y_hmm[i], self.moment[i]
        places[3], places[4], places[5] = self.x_hmm[j], self.y_hmm[j], self.moment[j]

    def _put_pair(self, i, j):
        """Puts the kept pair back on the board."""
        spare = self.spare
        self.x_hmm[i], self.y_hmm[i], self.moment[i] = spare[0], spare[1], spare[2]
        self.x_hmm[j], self.y_hmm[j], self.moment[j] = spare[3], spare[4], spare[5]
        self._load(j)
        self._spread(1)
        self._load(i)
        self._spread(1)

    def _couple(self, i, j, tries):
        """Fits discs i and j, which are taken out, together; returns the cost of what it found."""
        state = self.state
        kernels = self.kernels
        places = self.calibration.places
        state[K.FROM_X] = self.seed_x
        state[K.FROM_Y] = self.seed_y
        state[K.REACH2] = PAIR2
        while True:
            self._load(j)
            state[K.MOMENT2] = self.moment[j]
            kernels.reach(state, places)
            kernels.predict(state, places, self.table)
            kernels.second(state)
            self._load(i)
            kernels.reach(state, places)
            kernels.predict(state, places, self.table)
            kernels.couple(state, self.rest)
            if tries == 0:
                return state[K.CHI2] + state[K.DOUBT] + oddness(self.moment[i]) + oddness(self.moment[j])
            kernels.solve_pair(state)
            tries -= 1
            if self._step(i, 0) + self._step(j, 3) == 0:
                tries = 0

    def _doubts(self, tries):
        """Thinks again about regions that the discs found do not explain."""
        state = self.state
        for _ in range(tries):
            self._level()
            k = self.kernels.peak(state, self.rest, self.calibration.places)
            if state[K.BEST_M] < UNEXPLAINED:
                break
            self._rescue(k)
            self._blind(k)
        self._unblind()

    def _rescue(self, k):
        """Something near Hall k is not explained: the two discs nearest to it are sought anew, together."""
        places = self.calibration.places
        self.seed_x = int(places[3 * k])
        self.seed_y = int(places[3 * k + 1])
        i = self._nearest(-1)
        if i < 0:
            return
        j = self._nearest(i)
        alone = j < 0
        if alone:
            if self.count == MAX_DISCS:
                return
            j = self.count
            self.x_hmm[j], self.y_hmm[j], self.moment[j] = self.seed_x, self.seed_y + 20000, STANDARD
        else:
            self._load(j)
            self._spread(-1)
        self._load(i)
        self._spread(-1)
        self.least = self._couple(i, j, 0)
        before = self.least
        self._keep(i, j, self.spare)
        for part in range(5):
            self._propose(i, j, part)
        if alone and before - self.least < ADDED:
            self._load(i)
            self._spread(1)
            return
        if alone:
            self.count += 1
        self._put_pair(i, j)

    def _nearest(self, but):
        """The disc nearest to the seed, other than `but`, within CROWD; -1 if there is none."""
        best = CROWD * CROWD
        found = -1
        for i in range(self.count):
            dx = self.x_hmm[i] - self.seed_x
            dy = self.y_hmm[i] - self.seed_y
            if i != but and -CROWD < dx < CROWD and -CROWD < dy < CROWD and dx * dx + dy * dy < best:
                best = dx * dx + dy * dy
                found = i
        return found

    def _propose(self, i, j, part):
        """Takes the best place of one part of the region for disc i, what is then best for j, and fits both."""
        x = self.seed_x
        y = self.seed_y
        if part == 4:
            found = self._guess(i, x, y, 2400, 400, 13)
        else:
            found = self._guess(i, x - 1300 + 2600 * (part & 1), y - 1300 + 1300 * (part & 2), 1200, 300, 9)
        if not found:
            return
        self._spread(1)
        found = self._guess(j, x, y, 4000, 500, 17)
        self._load(i)
        self._spread(-1)
        if found:
            self._sides_of_pair(i, j, 6)

    def _guess(self, i, x, y, half_hmm, spacing_hmm, columns):
        """The best place of a grid for disc i, unfitted."""
        state = self.state
        self._aim(x, y, half_hmm, spacing_hmm, columns, 2, 0)
        if self.kernels.search(state, self.table) < EXPLAINED:
            return False
        state[K.X] += state[K.BEST_X]
        state[K.Y] += state[K.BEST_Y]
        state[K.MOMENT] = within(state[K.BEST_M], state[K.BEST_M])
        self._store(i)
        return True

    def _step(self, i, at):
        """Moves a disc by what `solve_pair` found; returns 0 if that was next to nothing."""
        state = self.state
        dx = state[K.STEPS + at]
        dy = state[K.STEPS + at + 1]
        self.x_hmm[i] += dx
        self.y_hmm[i] += dy
        moment = self.moment[i]
        self.moment[i] = within(moment + state[K.STEPS + at + 2], moment)
        return 0 if -CLOSE < dx < CLOSE and -CLOSE < dy < CLOSE else 1

    def _quarters(self):
        """Many places give few Halls the same: tries each quarter about the seed by itself."""
        for quarter in range(4):
            x = self.seed_x - 1300 + 2600 * (quarter & 1)
            self._grid(x, self.seed_y - 1300 + 1300 * (quarter & 2), 1200, 300, 9, 2, 0)

    def _add(self, tries):
        """Looks for discs that are not known, strongest first."""
        state = self.state
        places = self.calibration.places
        kernels = self.kernels
        while self.count < MAX_DISCS and tries:
            k = kernels.peak(state, self.rest, places)
            if state[K.BEST_M] < SEEN:
                break
            state[K.X] = places[3 * k]
            state[K.Y] = places[3 * k + 1]
            self.slot = self.count
            if not self._search(k):
                tries -= 1
                self._blind(k)
                continue
            self._load(self.count)
            self.count += 1
            self._spread(1)
            self._level()
        self._unblind()

    def _blind(self, k):
        """Hall k led nowhere: `peak` shall pass over it for now."""
        self.state[K.VAR + k] += BLIND
        self.blinded[self.blind] = k
        self.blind += 1

    def _unblind(self):
        for i in range(self.blind):
            self.state[K.VAR + self.blinded[i]] -= BLIND
        self.blind = 0

    def _search(self, k):
        """Fits a new disc near the loaded Hall into the first free place; False if none explains enough."""
        state = self.state
        r = self.rest[k] - state[K.LEVEL]
        self.seed_x = x = int(state[K.X])
        self.seed_y = y = int(state[K.Y])
        self.chi2[self.slot] = 1 << 28
        if r > STRONG or r < -STRONG:  # the disc lies within 9 mm
            self.near2 = BESIDE2  # the nearest Halls alone: a neighbour not yet known disturbs them least
            found = self._grid(x, y, 900, 225, 9, 3, 1 if r > 0 else -1)
            self.near2 = NEAR2
        else:
            found = self._grid(x, y, 2400, 400, 13, 2, 0) or self._grid(x, y, 5400, 900, 13, 2, 0)
        if found and self.chi2[self.slot] > DOUBTED:
            self._quarters()
        return found

    def _aim(self, x, y, half_hmm, spacing_hmm, columns, coarse, sign):
        """Prepares a search over a square grid about x, y."""
        state = self.state
        state[K.X] = x
        state[K.Y] = y
        state[K.LEFT] = state[K.TOP] = -half_hmm
        state[K.SPACING] = spacing_hmm
        state[K.COLUMNS] = state[K.ROWS] = columns
        state[K.COARSE] = coarse
        state[K.SIGN] = sign
        self._reach((half_hmm + 3300) * (half_hmm + 3300))
        self.kernels.weigh(state, self.rest)

    def _grid(self, x, y, half_hmm, spacing_hmm, columns, coarse, sign):
        """Fits a disc from the best place of a square grid; it becomes the candidate if none was better. False: none there."""
        state = self.state
        self._aim(x, y, half_hmm, spacing_hmm, columns, coarse, sign)
        if self.kernels.search(state, self.table) < EXPLAINED:
            return False
        state[K.X] += state[K.BEST_X]
        state[K.Y] += state[K.BEST_Y]
        state[K.MOMENT] = state[K.BEST_M]
        self._fit(7)
        self._better()
        self._sides()
        return True

    def _finish(self):
        """Standard errors and flags of every disc."""
        state = self.state
        for i in range(self.count):
            self._load(i)
            self._spread(-1)
            self.chi2[i] = self._chi2()
            self.kernels.solve(state)
            se = state[K.SE_X]
            self.se_x_um[i] = self.kernels.root(se * se + MAGNET_SE_UM * MAGNET_SE_UM) if se < 16000 else se
            se = state[K.SE_Y]
            self.se_y_um[i] = self.kernels.root(se * se + MAGNET_SE_UM * MAGNET_SE_UM) if se < 16000 else se
            self.flags[i] = self._flags(i)
            self._spread(1)
        return self.count


    def _flags(self, i):
        flags = 0
        if self.moment[i] < 0:
            flags |= FLIPPED
        if self.se_y_um[i] > 3000:
            flags |= WEAK
        if self.chi2[i] > ILL:
            flags |= POOR
        for j in range(self.count):
            dx = self.x_hmm[i] - self.x_hmm[j]
            dy = self.y_hmm[i] - self.y_hmm[j]
            if j != i and -OVERLAP < dx < OVERLAP and -OVERLAP < dy < OVERLAP and dx * dx + dy * dy < OVERLAP * OVERLAP:
                flags |= STACKED
        return flags


def numbers(count):
    """An array of `count` whole numbers."""
    return array("i", bytes(4 * count))


def oddness(moment):
    """What a moment's distance from the standard adds to chi squared."""
    apart = (moment - STANDARD if moment > 0 else moment + STANDARD) >> 3
    return apart * apart * 16 // MOMENT_VARIANCE


def within(moment, before):
    """A moment that keeps its sign and stays near the standard."""
    if before > 0:
        return LEAST if moment < LEAST else (MOST if moment > MOST else moment)
    return -LEAST if moment > -LEAST else (-MOST if moment < -MOST else moment)
