"""Following discs that move, look by look: quick and coarse, and only what has changed since the look before."""

from hapenny.finding.fit import CLOSE, MAX_DISCS, NEAR, numbers
from hapenny.finding.seek import ADDED, SEEN, STRONG, Seeker
from hapenny.kernels import words as K

NOISE_1 = 1560  # variance of one pass, microtesla squared
MOVED = 64 * 4  # chi squared of a disc that has been caught up with
STILL = 4  # hmm: a disc that moves less in a sweep has been found
NEW = 2  # of `away`: no verdict has found the disc yet
HOME = 250  # hmm: a disc that seems to lie this near to where the verdict found it still does
PAIR = 4500  # hmm: discs nearer than this are fitted together
LOOKS = 20  # at most so many unexplained Halls are looked at in a frame,
GLIMPSES = 3  # and so many times a new disc is sought
GLIMPSE_REACH = 3200  # Halls that a new disc is fitted to: wherever it is, there are four
APPROACHING = 3500  # hmm past the approach row: the next sees hardly anything of it yet
UNSURE = 8000  # um: a disc found no better than this is no disc,
PAST = 40000  # hmm: ... but past the last row of Halls


class Chaser(Seeker):
    """The following half of a Locator."""

    def __init__(self, layout, calibration, kernels):
        super().__init__(layout, calibration, kernels)
        self.chased = numbers(MAX_DISCS + 1)
        self.away = numbers(MAX_DISCS + 1)  # 0: the disc lies where the verdict found it; 1: it has left; NEW
        self.columns += (self.chased, self.away)
        self.kept = 0  # discs that the verdict before has found
        self.kept_x = numbers(MAX_DISCS)
        self.kept_y = numbers(MAX_DISCS)
        self.kept_moment = numbers(MAX_DISCS)
        self.fastest = 0  # hmm a second, of the discs that move
        self.back = numbers(6)
        self.bias = kernels.words(layout.HALLS)  # what the verdict's discs do not explain, negative

    def _begin(self, field, passes):
        state = self.state
        calibration = self.calibration
        state[K.GAIN_ERROR] = calibration.gain_error_q10
        state[K.PLACE_ERROR] = calibration.place_error_hmm
        state[K.TILT_ERROR] = calibration.tilt_error_q10
        state[K.LEVEL] = noise = NOISE_1 // passes + calibration.noise
        self.kernels.begin(state, self.rest, field)
        state[K.QUIET] = noise + 64
        state[K.LEVEL] = self.level_ut

    def _known(self):
        for i in range(self.count):
            self._spread(i, 1)
        self._level()

    def _keep_bias(self):
        """After a verdict: what its discs leave unexplained is no sign of anything until they move; their number."""
        for k in range(len(self.bias)):
            self.bias[k] = -self.rest[k]
        for i in range(self.count):
            self.away[i] = 0
            self.kept_x[i], self.kept_y[i], self.kept_moment[i] = self.x_hmm[i], self.y_hmm[i], self.moment[i]
        self.kept = self.count
        return self.count

    def _fit_close(self, i, tries):
        """Fits disc i, together with its neighbour if that is close."""
        j = self._neighbour(i, self.x_hmm[i], self.y_hmm[i], PAIR)
        if j >= 0:
            self._fit_pair(i, j, 4, 0)
            self._fit_one(j, 0)
            self._home(j)
            tries = 0
        self._fit_one(i, tries)
        self._home(i)

    def _home(self, i):
        """Disc i, just fitted, lies where the verdict found it, or has left that place and takes its bias along."""
        if self.away[i]:
            return
        x, y = self.left_x[i], self.left_y[i]
        if -HOME < self.x_hmm[i] - x < HOME and -HOME < self.y_hmm[i] - y < HOME:
            self._spread(i, -1)
            self.x_hmm[i], self.y_hmm[i] = x, y
            self._spread(i, 1)
        else:
            self._leave(i)

    def _leave(self, i):
        """What was unexplained about the place where the verdict found disc i is no more."""
        if not self.away[i]:
            self.away[i] = 1
            state = self.state
            state[K.FROM_X], state[K.FROM_Y], state[K.REACH] = self.left_x[i], self.left_y[i], NEAR
            for j in range(int(self.kernels.reach(state, self.calibration.places))):
                self.bias[state[K.PICK + j]] = 0

    def _led(self, i):
        """Is disc i elsewhere than the frame before left it?"""
        dx, dy = self.x_hmm[i] - self.left_x[i], self.y_hmm[i] - self.left_y[i]
        return not (-STILL < dx < STILL and -STILL < dy < STILL)

    def _chase(self):
        """Fits the known disc nearest to what is not explained, as long as there is one; else looks for a new disc."""
        state = self.state
        looks = GLIMPSES
        for _ in range(LOOKS):
            k = int(self.kernels.peak(state, self.rest, self.calibration.places))
            if state[K.BEST_M] < SEEN or not looks:
                break
            self._seed(k)
            i = self._neighbour(-1, self.seed_x, self.seed_y, CLOSE)
            if i >= 0 and self.chased[i] < 2:
                self.chased[i] += 1
                if self._caught(i):
                    continue
            looks -= 1
            found = self._glimpse(k)
            if found:
                self.chased[self.count - 1] = 2
                if i >= 0:
                    self._fit_close(i, 4)
            if not (i >= 0 and self._lost(i)) and not found and not self._blind(k):
                break
        self._unblind()

    def _lost(self, i):
        """Drops disc i, which is chased, if it does not explain what is seen; True if it did."""
        if self.chi2[i] <= MOVED and (self.se_y_um[i] < UNSURE or self.y_hmm[i] > PAST) and not self._off(i):
            return False
        self.seed_x, self.seed_y = self.x_hmm[i], self.y_hmm[i]
        there = self._regret()
        self._spread(i, -1)
        if self._off(i) or self._regret() - there < ADDED:
            self._leave(i)
            self._drop(i)
            return True
        self._spread(i, 1)
        return False

    def _caught(self, i):
        """Fits disc i, which seems to have moved; False, and no change, if it is not there."""
        j = self._neighbour(i, self.x_hmm[i], self.y_hmm[i], PAIR)
        j = i if j < 0 else j
        self._keep(self.back, i, j)
        self._fit_close(i, 8)
        if self.chi2[i] <= MOVED and not self._off(i):
            return True
        self._put_back(self.back, i, j)
        return False

    def _glimpse(self, k):
        """A disc near Hall k, the seed, as well as there is time for; False, and no change, if that saves too little.

        The approach row cannot tell before it from behind it: what comes, comes from the front edge.
        """
        state = self.state
        i = self.count
        r = int(self.rest[k]) - self.level_ut
        if r > STRONG or r < -STRONG:
            upside_down = r < 0 and self._neighbour(-1, self.seed_x, self.seed_y) < 0
            found = self._guess(self.seed_x, self.seed_y, 900, 300, 7, 3, -1 if upside_down else 1)
            reach = GLIMPSE_REACH
        else:
            found = self._guess(self.seed_x, self.seed_y, 3200, 800, 9, 1, 1)
            reach = NEAR
        if i == MAX_DISCS or not found:
            return False
        before = self._regret()
        self.chi2[i] = K.FAILED
        for _ in range(2):
            chi2 = self._fit(reach, 6)
            if chi2 < self.chi2[i]:
                self.chi2[i] = chi2
                self._sure(i)
                self._store(i)
            state[K.Y] = 2 * self._row(int(state[K.Y])) - state[K.Y]
        beyond = self.y_hmm[i] - self.layout.APPROACH_Y_HMM
        if 0 < beyond < APPROACHING:
            self.y_hmm[i] -= 2 * beyond
        self._spread(i, 1)
        if self._off(i) or before - self._regret() < ADDED:
            self._spread(i, -1)
            return False
        self.away[i] = NEW
        self.count += 1
        return True
