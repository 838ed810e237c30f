"""One frame of fields to discs: where each lies, how sure that is, what is odd about it. Integers, no allocation."""

from hapenny.finding.fit import CLOSE, CROWD, FAR, FITS_BESIDE, MAX_DISCS, NEAR, TWO_SIDES, numbers
from hapenny.finding.follow import NEW, PAIR, STILL, Chaser
from hapenny.finding.seek import ADDED, ILL
from hapenny.kernels import words as K
from hapenny.kernels.pick import kernels as chosen
from hapenny.sensing.scan import RAIL_UT

FLIPPED = 1
STACKED = 2
WEAK = 4
DEGRADED = 8
FOREIGN = 16
SATURATED = 32
POOR = 64

ODD = FLIPPED | STACKED | WEAK | FOREIGN | POOR
PUZZLING = 100  # r^2 / variance that discs do not leave, mostly 0 to 30, unless one is misplaced: 200 and more
MISPLACED = 64 * 2  # chi squared, ...
MISPLACED_UM = 900  # ... and the standard error, that of discs found where they are 1 in 100 has
SWEEPS = 5
SMEAR = 30  # hmm: what moves is at a different place when each Hall is read; and the way of a millisecond more
FLAT = 16000  # um: a disc so unsure lies where its row cannot tell which way,
ASIDE = 600  # hmm: ... and is fitted again from a little off that place
BEHIND = 5000  # hmm: about so far behind the approach row Halls tell one side of it from the other
PAIR_SIDES = 900  # ... and may each be taken for its mirror image this near to a row
HALVES = 64 * 3  # of 64 chi squared: a mirror image that fits so much worse is half as likely


class Locator(Chaser):
    """Finds discs; results lie in arrays by disc number, valid up to `count`, until the next call."""

    def __init__(self, layout, calibration, kernels=chosen):
        super().__init__(layout, calibration, kernels)
        self.moved = numbers(MAX_DISCS + 1)

    def forget(self):
        """The next call knows of no disc."""
        self.count = self.kept = 0

    def find(self, field, passes):
        """Everything that lies on the board, from nothing; returns the number of discs."""
        self.count = self.level_ut = 0
        self._begin(field, passes)
        self._add(4)
        self._settle(FAR)
        self._doubts(4)
        self._prune()
        self._add(2)
        self._settle(FAR)
        self._finish(field)
        return self._keep_bias()

    def refine(self, field, passes):
        """The discs known from the call before, to full accuracy; new ones are added.

        If that leaves something unexplained, what is new is sought anew; then beside what the verdict before has found;
        then everything from nothing.
        """
        self._begin(field, passes)
        self._known()
        for tries in (2, 4, 8):
            for i in range(self.count, MAX_DISCS):
                self.away[i] = NEW
            self._add(tries)  # first: what is new must not draw the known ones towards it
            self._settle(PAIR_SIDES)
            self._doubts(4)
            self._prune()
            self._finish(field)
            if self.unexplained <= PUZZLING and not self.odd(tries == 2):
                return self._keep_bias()
            for i in range(self.count - 1, -1, -1):  # what is new is sought anew; a glimpse of it was not enough
                if self.away[i] == NEW:
                    self._spread(i, -1)
                    self._drop(i)
            if tries == 4:
                self._begin(field, passes)
                self._recall()
        return self.find(field, passes)

    def _recall(self):
        """The discs that the verdict before has found, if they seem to lie there still."""
        self.count = 0
        for k in range(self.kept):
            i = self.count
            self.seed_x = self.x_hmm[i] = self.kept_x[k]
            self.seed_y = self.y_hmm[i] = self.kept_y[k]
            self.moment[i] = self.kept_moment[k]
            before = self._regret()
            self._spread(i, 1)
            self.count = i + 1
            if before - self._regret() < ADDED:
                self._spread(i, -1)
                self.count = i
        self._level()

    def follow(self, field, passes):
        """The discs known from the call before, cheaply: only those that move are fitted; new ones are added.

        A disc moves whose place the caller has changed since, to where it should be by now, or that is seen elsewhere.
        """
        self._begin(field, passes)
        self.state[K.PLACE_ERROR] = SMEAR + self.fastest // 1000
        self.kernels.add(self.rest, self.bias, len(self.bias))
        self._known()
        for i in range(self.count - 1, -1, -1):
            self.chased[i] = 1 if self.away[i] else self._led(i)
            if self.chased[i]:
                self._fit_close(i, 4)
                if self.chi2[i] > ILL:  # it is found anew, wherever it is
                    self._spread(i, -1)
                    self._leave(i)
                    self._drop(i)
        self._chase()
        for i in range(self.count - 1, -1, -1):
            if self.chased[i]:
                self._lost(i)
        return self._flag()

    def odd(self, vague):
        """Is a disc not what a disc of ours should look like, or, if `vague`, new and may as well lie elsewhere?"""
        for i in range(self.count):
            if self.flags[i] & ODD or self._off(i):
                return True
            if vague and self.away[i] == NEW and (self.chi2[i] > MISPLACED or self.se_y_um[i] > MISPLACED_UM):
                return True
        return False

    # one frame

    def _settle(self, reach):
        """Fits all discs with the others taken out, close ones two at a time; again where a neighbour moved since.

        At first also from the other side of the row, if it is within `reach`.
        """
        for i in range(self.count):
            self.moved[i] = 0
        for sweep in range(SWEEPS):
            busy = False
            for i in range(self.count):
                if sweep == 0 or self._stirred(i, sweep):
                    self._settle_one(i, sweep, 0 if sweep else reach)
                    busy = True
            self._level()
            if not busy:
                return

    def _settle_one(self, i, sweep, reach):
        x, y = self.x_hmm[i], self.y_hmm[i]
        j = self._neighbour(i, x, y, PAIR)
        if j < 0:
            self._fit_one(i, 7, 0 if sweep else TWO_SIDES)
        elif j > i or self._neighbour(j, self.x_hmm[j], self.y_hmm[j], PAIR) != i:
            x2, y2 = self.x_hmm[j], self.y_hmm[j]
            self._fit_pair(i, j, 6, reach)
            self._stir(j, x2, y2, sweep)
        self._stir(i, x, y, sweep)

    def _stir(self, i, x, y, sweep):
        """Notes the sweep in which disc i, which lay at (x, y), moved."""
        dx, dy = self.x_hmm[i] - x, self.y_hmm[i] - y
        if not (-STILL < dx < STILL and -STILL < dy < STILL):
            self.moved[i] = sweep + 1

    def _stirred(self, i, sweep):
        """Has a disc near disc i moved since the sweep before?"""
        for j in range(self.count):
            if self.moved[j] >= sweep and j != i:
                dx, dy = self.x_hmm[i] - self.x_hmm[j], self.y_hmm[i] - self.y_hmm[j]
                if -CROWD < dx < CROWD and -CROWD < dy < CROWD:
                    return True
        return False

    def _finish(self, field):
        """Standard errors and flags of every disc."""
        state = self.state
        self.kernels.peak(state, self.rest, self.calibration.places)
        self.unexplained = int(state[K.BEST_M])
        for i in range(self.count):
            if self.y_hmm[i] < 2 * self.layout.APPROACH_Y_HMM:
                self._side(i)
            self.twin_q12[i] = 0
            away = self._row(self.y_hmm[i]) - self.y_hmm[i]
            self.twin_y[i] = self.y_hmm[i] + (2 * away if -TWO_SIDES < away < TWO_SIDES else 0)
            if not self.alone(i):
                self._fit_one(i, 0)
                j = self._neighbour(i, self.x_hmm[i], self.y_hmm[i], PAIR)
                if j >= 0:
                    self._sure_beside(i, j)
        self._flag()
        if max(field) >= RAIL_UT or min(field) <= -RAIL_UT:
            self._railed(field)

    def _sure_beside(self, i, j):
        """Standard errors of disc i, whose neighbour j is as unsure."""
        state = self.state
        self._take(i, j, -1)
        self.seed_x = self.x_hmm[i] + self.x_hmm[j] >> 1
        self.seed_y = self.y_hmm[i] + self.y_hmm[j] >> 1
        state[K.X2], state[K.Y2], state[K.MOMENT2] = self.x_hmm[j], self.y_hmm[j], self.moment[j]
        self._load(i)
        cost = self._couple(0)
        self.kernels.doubt(state)
        self._errors(i, FITS_BESIDE)
        self._other_side(i, cost)
        self._take(i, j, 1)

    def _other_side(self, i, cost):
        """Where disc i, loaded in a pair that costs `cost`, lies if it is its mirror image, and how likely that is.

        Of such a cost more, by what was seen of discs mistaken: half at none, half as likely every 3 of chi squared.
        """
        state = self.state
        row = self._row(self.y_hmm[i])
        away = row - self.y_hmm[i]
        if -PAIR_SIDES < away < PAIR_SIDES:
            state[K.Y] = row + away
            cost = self._couple(6) - cost
            if (int(state[K.Y]) - row) * away > 0:
                self.twin_y[i] = int(state[K.Y])
                self.twin_q12[i] = 2048 >> (cost // HALVES if cost > 0 else 0)

    def _side(self, i):
        """Puts disc i on that side of the approach row that the next row of Halls speaks for."""
        row = self.layout.APPROACH_Y_HMM
        if self.se_y_um[i] > FLAT:  # a fit that met the row's middle sees no way off it
            self._shift(i, self.y_hmm[i] + ASIDE)
            self._fit_one(i, 8)
        self.seed_x, self.seed_y = self.x_hmm[i], row + BEHIND
        before = self._regret()
        y = self.y_hmm[i]
        self._shift(i, 2 * row - y)
        if self._regret() < before:
            self._fit_one(i, 4)
        else:
            self._shift(i, y)

    def _shift(self, i, y):
        """Puts disc i at another y."""
        self._spread(i, -1)
        self.y_hmm[i] = y
        self._spread(i, 1)

    def _railed(self, field):
        """Flags the disc nearest to each Hall that is at a rail: no magnet of ours brings it there."""
        for k in range(self.layout.HALLS):
            if abs(field[k]) >= RAIL_UT and self.calibration.places[3 * k + 2]:
                self._seed(k)
                i = self._neighbour(-1, self.seed_x, self.seed_y)
                if i >= 0:
                    self.flags[i] |= SATURATED

    def _flag(self):
        """Flags every disc, and notes where this frame leaves it; returns how many there are."""
        for i in range(self.count):
            self.flags[i] = self._flags(i)
            self.left_x[i], self.left_y[i] = self.x_hmm[i], self.y_hmm[i]
        return self.count

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
        if self.left_out[i] > 1:
            flags |= DEGRADED
        return flags

    def _lies_on(self, i):
        """Does disc i surely overlap another?"""
        j = self._neighbour(i, self.x_hmm[i], self.y_hmm[i], K.LYING)
        if j < 0:
            return False
        slack = 3 * (self.se_x_um[i] + self.se_y_um[i] + self.se_x_um[j] + self.se_y_um[j]) // 20
        return slack < K.LYING and self._neighbour(i, self.x_hmm[i], self.y_hmm[i], K.LYING - slack) >= 0

    # one disc

    def close(self, i):
        """Does another disc lie within a few millimetres of disc i?"""
        return self._neighbour(i, self.x_hmm[i], self.y_hmm[i], CLOSE) >= 0

    # for those who learn from discs at rest

    def alone(self, i):
        """Is no other disc near enough to disturb disc i?"""
        return self._neighbour(i, self.x_hmm[i], self.y_hmm[i]) < 0

    def lift(self, i):
        """Takes disc i out and leaves it predicted at its Halls; `lay` must follow."""
        self._spread(i, -1)
        self._load(i)
        self._fit(NEAR, 0)

    def lay(self, i):
        """Puts disc i back."""
        self._spread(i, 1)
