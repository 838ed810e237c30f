"""One frame of fields to discs: where each lies, how sure that is, what is odd about it. Integers, no allocation."""

from hapenny import kernels as K
from hapenny.fit import MAX_DISCS, NEAR2, numbers  # noqa: F401
from hapenny.kernels_pick import kernels as chosen
from hapenny.seek import Seeker

FLIPPED = 1
STACKED = 2
WEAK = 4
DEGRADED = 8
FOREIGN = 16
SATURATED = 32
POOR = 64

LYING = 2150  # hmm: discs surely nearer than this lie on each other
NOISE_1 = 1560  # variance of one pass, microtesla squared
BLIND_HMM = 3600  # two Halls left out this near a disc degrade it
ILL = 64 * 8  # chi squared of a bad fit
MAGNET_SE_UM = 60  # eccentricity and tilt of a magnet in its disc


class Locator(Seeker):
    """Finds discs; results lie in arrays by disc number, valid up to `count`, until the next call."""

    def __init__(self, layout, calibration, kernels=chosen):
        super().__init__(layout, calibration, kernels)

    def forget(self):
        """The next call knows of no disc."""
        self.count = 0

    def find(self, field, passes):
        """Everything that lies on the board, from nothing; returns the number of discs."""
        self.count = 0
        self._begin(field, passes)
        self._add(4)
        self._settle(2, True)
        self._add(2)
        self._settle(2, False)
        return self._finish()

    def refine(self, field, passes):
        """The discs known from the call before, to full accuracy; new ones are added."""
        self._begin(field, passes)
        self._known()
        self._add(2)  # first: what is new must not draw the known ones towards it
        self._settle(2, True)
        return self._finish()

    def follow(self, field, passes):
        """The discs known from the call before, cheaply; new ones are added."""
        self._begin(field, passes)
        self._known()
        self._add(2)
        for i in range(self.count):
            self._fit_one(i, 3)
        self._prune()
        return self._finish()

    # one frame

    def _begin(self, field, passes):
        state = self.state
        calibration = self.calibration
        state[K.GAIN_ERROR] = calibration.gain_error_q10
        state[K.PLACE_ERROR] = calibration.place_error_hmm
        state[K.TILT_ERROR] = calibration.tilt_error_q10
        state[K.LEVEL] = NOISE_1 // passes
        self.kernels.begin(state, self.rest, field, calibration.noise)
        self.level_ut = 0
        state[K.LEVEL] = 0
        for i in range(MAX_DISCS):
            self.source[i] = i if i < self.count else -1

    def _known(self):
        for i in range(self.count):
            self._spread(i, 1)
        self._level()

    def _settle(self, sweeps, again):
        """Fits all discs with the others taken out, close ones two at a time; `again`: questions every reading, too."""
        for _ in range(sweeps):
            for i in range(self.count):
                if self._neighbour(i, self.x_hmm[i], self.y_hmm[i]) < 0:
                    self._fit_one(i, 3)
            self._pairs()
            self._level()
        if again:
            self._doubts(4)
            self._prune()

    def _finish(self):
        """Standard errors and flags of every disc."""
        state = self.state
        self.kernels.peak(state, self.rest, self.calibration.places)
        self.unexplained = int(state[K.BEST_M])
        for i in range(self.count):
            self._spread(i, -1)
            self._load(i)
            self.chi2[i] = self._fit(NEAR2, 0)
            self.kernels.solve(state)
            crowd = self._crowding(i)
            # half as much again in x: a leaning magnet over a Hall looks shifted along the row
            self.se_x_um[i] = self._error(int(state[K.SE_X]) * crowd * 3 >> 4)
            self.se_y_um[i] = self._error(int(state[K.SE_Y]) * crowd >> 3)
            self._spread(i, 1)
        for i in range(self.count):
            self.flags[i] = self._flags(i)
        return self.count

    def _crowding(self, i):
        """Eighths by which a neighbour, fitted to the same Halls, widens the standard errors."""
        if self._neighbour(i, self.x_hmm[i], self.y_hmm[i], 3500) >= 0:
            return 10
        return 9 if self._neighbour(i, self.x_hmm[i], self.y_hmm[i]) >= 0 else 8

    def _error(self, se_um):
        if se_um < 16000:
            return int(self.kernels.root(se_um * se_um + MAGNET_SE_UM * MAGNET_SE_UM))
        return se_um if se_um < 500000 else 500000

    def _flags(self, i):
        flags = 0
        if self.moment[i] < 0:
            flags |= FLIPPED
        if self.se_y_um[i] > 3000:
            flags |= WEAK
        if self.chi2[i] > ILL:
            flags |= POOR
        if not K.LEAST < abs(self.moment[i]) < K.GREATEST:
            flags |= FOREIGN
        if self._lies_on(i):
            flags |= STACKED
        if self._blind_spot(i):
            flags |= DEGRADED
        return flags

    def _blind_spot(self, i):
        """Are three or more Halls near disc i left out, or the nearest two?"""
        layout = self.layout
        places = self.calibration.places
        out = 0
        for k in range(layout.HALLS):
            if places[3 * k + 2] == 0:
                dx = self.x_hmm[i] - layout.HALL_X_HMM[k]
                dy = self.y_hmm[i] - layout.HALL_Y_HMM[k]
                if -BLIND_HMM < dx < BLIND_HMM and -BLIND_HMM < dy < BLIND_HMM:
                    out += 1
        return out >= 2

    def _lies_on(self, i):
        """Does disc i surely overlap another?"""
        j = self._neighbour(i, self.x_hmm[i], self.y_hmm[i], LYING)
        if j < 0:
            return False
        slack = 3 * (self.se_x_um[i] + self.se_y_um[i] + self.se_x_um[j] + self.se_y_um[j]) // 20
        return slack < LYING and self._neighbour(i, self.x_hmm[i], self.y_hmm[i], LYING - slack) >= 0

    # one disc

    # for those who learn from discs at rest

    def alone(self, i):
        """Is no other disc near enough to disturb disc i?"""
        return self._neighbour(i, self.x_hmm[i], self.y_hmm[i]) < 0

    def lift(self, i):
        """Takes disc i out and leaves it predicted at its Halls; `lay` must follow."""
        self._spread(i, -1)
        self._load(i)
        self._fit(NEAR2, 0)

    def lay(self, i):
        """Puts disc i back."""
        self._spread(i, 1)
