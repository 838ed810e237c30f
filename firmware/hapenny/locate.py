"""One frame of fields to discs: where each lies, how sure that is, and what is odd about it. Integers, no allocation."""

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
FEW = 6
NOISE_1 = 1560  # variance of one pass, microtesla squared
PRIOR = 71000  # a disc of ours has its moment within 6 %
SEEN = 12  # r^2 / variance that makes a Hall worth a search
EXPLAINED = 6000  # what a new disc must explain (1/256 of chi squared)
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
        self.x_hmm = kernels.words(MAX_DISCS)
        self.y_hmm = kernels.words(MAX_DISCS)
        self.moment = kernels.words(MAX_DISCS)
        self.se_x_um = kernels.words(MAX_DISCS)
        self.se_y_um = kernels.words(MAX_DISCS)
        self.chi2 = kernels.words(MAX_DISCS)
        self.flags = kernels.words(MAX_DISCS)
        self.source = kernels.words(MAX_DISCS)
        self.table = layout.FIELD_UT
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
        self._sweep(3)
        self._level()
        self._sweep(2)
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
        state[K.REACH2] = FAR2
        self.kernels.reach(state, self.calibration.places)
        self.kernels.predict(state, self.calibration.places, self.table)
        self.kernels.spread(state, self.rest)

    def _level(self):
        self.level_ut = self.kernels.median(self.state, self.rest)
        self.state[K.LEVEL] = self.level_ut

    def _near(self):
        """Lists and predicts the Halls to fit to; returns how many."""
        state = self.state
        state[K.REACH2] = NEAR2
        count = self.kernels.reach(state, self.calibration.places)
        if count < FEW:
            state[K.REACH2] = WIDE2
            count = self.kernels.reach(state, self.calibration.places)
        self.kernels.predict(state, self.calibration.places, self.table)
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
            state[K.MOMENT] = within(moment)
            if -CLOSE < dx < CLOSE and -CLOSE < dy < CLOSE:
                return

    def _chi2(self):
        """Chi squared a degree of freedom (64 = 1) of the loaded disc."""
        count = self._near()
        self.kernels.normal(self.state, self.rest)
        return self.state[K.CHI2] // (count - 2 if count > 3 else 1)

    def _sides(self, i):
        """A row of Halls sees a disc beyond it like its mirror image before it: fit both, keep the better."""
        row = self._row(self.state[K.Y])
        offset = self.state[K.Y] - row
        if not -900 < offset < 900 or -40 < offset < 40:
            return
        here = self._chi2()
        self._store(i)
        self.state[K.Y] = row - offset
        self._fit(4)
        if self._chi2() >= here:
            self._load(i)

    def _row(self, y_hmm):
        layout = self.layout
        bed = (y_hmm - layout.FIRST_LINE_HMM) // layout.LINE_PITCH_HMM
        if bed < 0:
            return layout.APPROACH_Y_HMM if y_hmm < layout.FIRST_LINE_HMM - 3000 else layout.FIRST_LINE_HMM + layout.LINE_PITCH_HMM // 2
        if bed >= layout.BEDS:
            bed = layout.BEDS - 1
        return layout.FIRST_LINE_HMM + layout.LINE_PITCH_HMM // 2 + bed * layout.LINE_PITCH_HMM

    def _sweep(self, tries):
        for _ in range(tries):
            for i in range(self.count):
                self._load(i)
                self._spread(-1)
                self._fit(2)
                self._store(i)
                self._spread(1)

    def _add(self, tries):
        """Looks for discs that are not known, strongest first."""
        state = self.state
        places = self.calibration.places
        kernels = self.kernels
        while self.count < MAX_DISCS and tries:
            k = kernels.peak(state, self.rest, places)
            if state[K.BEST_M] < SEEN:
                return
            state[K.X] = places[3 * k]
            state[K.Y] = places[3 * k + 1]
            if not self._search():
                state[K.VAR + k] += 1 << 22
                tries -= 1
                continue
            i = self.count
            self._fit(6)
            self._sides(i)
            self._store(i)
            self.count = i + 1
            self._spread(1)
            self._level()

    def _search(self):
        """A first guess of a disc near the loaded Hall; False if none explains enough."""
        state = self.state
        kernels = self.kernels
        state[K.REACH2] = 6500 * 6500
        kernels.reach(state, self.calibration.places)
        kernels.weigh(state, self.rest)
        state[K.LEFT] = state[K.TOP] = -2400
        state[K.SPACING] = 600
        state[K.COLUMNS] = state[K.ROWS] = 9
        gain = kernels.search(state, self.table)
        if gain < EXPLAINED:
            state[K.LEFT] = state[K.TOP] = -4800
            state[K.SPACING] = 800
            state[K.COLUMNS] = state[K.ROWS] = 13
            gain = kernels.search(state, self.table)
        if gain < EXPLAINED:
            return False
        state[K.X] += state[K.BEST_X]
        state[K.Y] += state[K.BEST_Y]
        state[K.MOMENT] = state[K.BEST_M]
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
            self.flags[i] = 0
            self._spread(1)
        return self.count


def within(moment):
    """A moment that keeps its sign and stays below twice the standard."""
    if moment > 0:
        return 1024 if moment < 1024 else (8191 if moment > 8191 else moment)
    return -1024 if moment > -1024 else (-8191 if moment < -8191 else moment)
