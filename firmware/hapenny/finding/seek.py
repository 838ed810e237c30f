"""Finding discs that nobody knows of yet, telling rival readings apart, and dropping what need not be there."""

from hapenny.finding.fit import CROWD, FAR, MAX_DISCS, NEAR, Fitter, numbers
from hapenny.kernels import words as K

BESIDE_REACH = 2000  # Halls of a first fit, which a neighbour not yet known shall not disturb
REGION = 6500  # Halls by which rival readings are judged
OVERLAP = 2300  # hmm: discs nearer than this may be one misread
ILL = 64 * 8  # chi squared of a bad fit
STRONG = 2000  # microtesla: a disc lies within 9 mm
SEEN = 12  # r^2 / variance that makes a Hall worth a search
EXPLAINED = 1500  # what a new disc must explain on the search's grid
ADDED = 64 * 40  # and what it must save once fitted
UNLIKELY = 64 * 80  # and more, if it lies upside down,
BESIDE = 64 * 100  # or beside another
LYING_ON = 64 * 30  # price of each of two discs on each other
SEEN_TO_HMM = 44000
BLIND = 1 << 22
FAILED = K.FAILED


class Seeker(Fitter):
    """The searching half of a Locator, which has the state and the discs, and fits them."""

    def __init__(self, layout, calibration, kernels):
        super().__init__(layout, calibration, kernels)
        self.seed_x = self.seed_y = 0  # the place in question
        self.slot = 0  # the disc in question
        self.least = 0  # cost of the best reading of it
        self.best = numbers(6)  # that reading: x, y, moment, of one disc or two
        self.old = numbers(6)
        self.blinded = numbers(8)
        self.blind = 0

    # new discs

    def _add(self, tries):
        """Looks for discs that are not known, strongest first."""
        state = self.state
        places = self.calibration.places
        while self.count < MAX_DISCS and tries:
            k = int(self.kernels.peak(state, self.rest, places))
            if state[K.BEST_M] < SEEN:
                break
            if not self._try(k):
                tries -= 1
                self._blind(k)
        self._unblind()

    def _try(self, k):
        """A disc near Hall k, fitted together with its neighbour; False, and no change, if that saves too little."""
        if self.count == MAX_DISCS:
            return False
        self._seed(k)
        before = self._regret()
        self.slot = i = self.count
        if not self._search(k) or self._off(i):
            return False
        j = self._neighbour(-1, self.x_hmm[i], self.y_hmm[i])
        self.count += 1
        self._spread(i, 1)
        if j >= 0:
            self._keep(self.old, j, j)
            self._fit_pair(i, j)
        self._level()
        if before - self._regret() > self._price(i):
            return True
        self._spread(i, -1)
        self.count -= 1
        if j >= 0:
            self._put_back(self.old, j, j)
        self._level()
        return False

    def _off(self, i):
        """Does disc i lie where no disc can lie, or none be seen?"""
        return not (0 < self.x_hmm[i] < self.layout.WIDTH_HMM and -500 < self.y_hmm[i] < SEEN_TO_HMM)

    def _seed(self, k):
        self.seed_x = int(self.calibration.places[3 * k])
        self.seed_y = int(self.calibration.places[3 * k + 1])

    def _regret(self):
        """What the discs as placed cost about the seed."""
        state = self.state
        state[K.FROM_X] = self.seed_x
        state[K.FROM_Y] = self.seed_y
        state[K.REACH] = REGION
        cost = int(self.kernels.regret(state, self.calibration.places, self.rest))
        for i in range(self.count):
            x = self.x_hmm[i]
            y = self.y_hmm[i]
            if -CROWD < x - self.seed_x < CROWD and -CROWD < y - self.seed_y < CROWD:
                cost += int(self.kernels.oddness(self.moment[i]))
                if self._neighbour(i, x, y, OVERLAP) >= 0:
                    cost += LYING_ON
        return cost

    def _blind(self, k):
        """Hall k led nowhere: `peak` shall pass over it for now. False when too many do already."""
        if self.blind == len(self.blinded):
            return False
        self.state[K.VAR + k] += BLIND
        self.blinded[self.blind] = k
        self.blind += 1
        return True

    def _unblind(self):
        for i in range(self.blind):
            self.state[K.VAR + self.blinded[i]] -= BLIND
        self.blind = 0

    def _search(self, k):
        """Fits a new disc near Hall k, the seed, into `slot`; False if none explains enough."""
        x = self.seed_x
        y = self.seed_y
        self.least = FAILED
        r = int(self.rest[k]) - self.level_ut
        if r > STRONG or r < -STRONG:
            return self._grid(x, y, 900, 225, 9, 3, 1 if r > 0 else -1, BESIDE_REACH)
        if not self._grid(x, y, 2400, 400, 13, 2, 0, NEAR):
            return self._grid(x, y, 5400, 900, 13, 2, 0, NEAR)
        for part in range(4):  # many places give few Halls the same: each quarter by itself, too
            self._grid(x - 1300 + 2600 * (part & 1), y - 1300 + 1300 * (part & 2), 1200, 300, 9, 2, 0, NEAR)
        return True

    def _grid(self, x, y, half_hmm, spacing_hmm, columns, coarse, sign, reach):
        """Fits a disc from the best place of a square grid and its mirror image; the better is kept if best so far."""
        if not self._guess(x, y, half_hmm, spacing_hmm, columns, coarse, sign):
            return False
        self._fit(reach, 7)
        self._better()
        state = self.state
        state[K.Y] = 2 * self._row(int(state[K.Y])) - state[K.Y]
        self._fit(reach, 4)
        self._better()
        return True

    def _guess(self, x, y, half_hmm, spacing_hmm, columns, coarse, sign):
        """Loads the best place on a square grid about x, y, unfitted; False if a disc there explains too little."""
        state = self.state
        kernels = self.kernels
        state[K.X] = state[K.FROM_X] = x
        state[K.Y] = state[K.FROM_Y] = y
        state[K.REACH] = half_hmm + 3300
        state[K.LEFT] = state[K.TOP] = -half_hmm
        state[K.SPACING] = spacing_hmm
        state[K.COLUMNS] = state[K.ROWS] = columns
        state[K.COARSE] = coarse
        state[K.SIGN] = sign
        kernels.reach(state, self.calibration.places)
        kernels.weigh(state, self.rest)
        if kernels.search(state, self.table) < EXPLAINED:
            return False
        state[K.X] += state[K.BEST_X]
        state[K.Y] += state[K.BEST_Y]
        state[K.MOMENT] = state[K.BEST_M]
        return True

    def _better(self):
        """Keeps the loaded disc in `slot` if about the seed it costs least so far."""
        i = self.slot
        state = self.state
        x, y, moment = self.x_hmm[i], self.y_hmm[i], self.moment[i]
        self._store(i)
        self._spread(i, 1)
        cost = self._regret() + int(self.kernels.oddness(state[K.MOMENT]))
        self._spread(i, -1)
        if cost < self.least:
            self.least = cost
        else:
            self.x_hmm[i], self.y_hmm[i], self.moment[i] = x, y, moment

    # two discs

    def _fit_pair(self, i, j, tries=6, reach=FAR):
        """Fits two discs together, each also from the row's other side if it lies within `reach` of a row.

        Keeps what costs least.
        """
        self._take(i, j, -1)
        self.seed_x = self.x_hmm[i] + self.x_hmm[j] >> 1
        self.seed_y = self.y_hmm[i] + self.y_hmm[j] >> 1
        self.least = FAILED
        self._four_sides(i, j, tries, reach)
        self._put(self.best, i, j)
        self._take(i, j, 1)

    def _four_sides(self, i, j, tries, reach):
        state = self.state
        x, y, moment = self.x_hmm[i], self.y_hmm[i], self.moment[i]
        x2, y2, moment2 = self.x_hmm[j], self.y_hmm[j], self.moment[j]
        for side in range(4):
            state[K.X], state[K.MOMENT] = x, moment
            state[K.X2], state[K.MOMENT2] = x2, moment2
            away = self._row(y) - y
            away2 = self._row(y2) - y2
            if (side & 1 and not -reach < away < reach) or (side & 2 and not -reach < away2 < reach):
                continue
            state[K.Y] = y + 2 * away if side & 1 else y
            state[K.Y2] = y2 + 2 * away2 if side & 2 else y2
            cost = self._couple(tries)
            if not side:
                x, y, moment = int(state[K.X]), int(state[K.Y]), int(state[K.MOMENT])
                x2, y2, moment2 = int(state[K.X2]), int(state[K.Y2]), int(state[K.MOMENT2])
            if cost < self.least:
                self.least = cost
                self._store(i)
                self.x_hmm[j], self.y_hmm[j], self.moment[j] = state[K.X2], state[K.Y2], state[K.MOMENT2]
                self._keep(self.best, i, j)

    def _couple(self, tries):
        """Fits the two loaded discs, which are taken out, together about the seed; returns the cost."""
        state = self.state
        state[K.FROM_X] = self.seed_x
        state[K.FROM_Y] = self.seed_y
        state[K.REACH] = REGION
        state[K.TRIES] = tries
        return int(self.kernels.fit_pair(state, self.calibration.places, self.table, self.rest))

    def _keep(self, reading, i, j):
        reading[0], reading[1], reading[2] = self.x_hmm[i], self.y_hmm[i], self.moment[i]
        reading[3], reading[4], reading[5] = self.x_hmm[j], self.y_hmm[j], self.moment[j]

    def _put(self, reading, i, j):
        self.x_hmm[i], self.y_hmm[i], self.moment[i] = reading[0], reading[1], reading[2]
        self.x_hmm[j], self.y_hmm[j], self.moment[j] = reading[3], reading[4], reading[5]

    def _take(self, i, j, sign):
        """Takes discs i and j, which may be one, out of the rest (1) or gives them back (-1)."""
        self._spread(i, sign)
        if j != i:
            self._spread(j, sign)

    def _put_back(self, reading, i, j):
        """Makes discs i and j, which may be one, what they were."""
        self._take(i, j, -1)
        self._put(reading, i, j)
        self._take(i, j, 1)

    def _price(self, i):
        """What disc i must save to be believed: more beside another, whose errors it could explain, or upside down."""
        price = ADDED if self.moment[i] > 0 else ADDED + UNLIKELY
        return price + BESIDE if self._neighbour(i, self.x_hmm[i], self.y_hmm[i], 4000) >= 0 else price

    # second thoughts

    def _doubts(self, tries):
        """Where the discs found do not explain what is seen, the two nearest are sought anew, together."""
        state = self.state
        for _ in range(tries):
            k = int(self.kernels.peak(state, self.rest, self.calibration.places))
            if state[K.BEST_M] < SEEN:
                break
            if not self._rethink(k):
                self._blind(k)
        self._unblind()

    def _rethink(self, k):
        self._seed(k)
        i = self._neighbour(-1, self.seed_x, self.seed_y)
        if i < 0:
            return False
        j = self._neighbour(i, self.seed_x, self.seed_y)
        before = self._regret()
        new = j < 0
        if new and self.count == MAX_DISCS:
            return False
        if new:
            j = self.count
        else:
            self._spread(j, -1)
        self._keep(self.old, i, j)
        self._spread(i, -1)
        self.least = FAILED
        for part in range(5):
            self._propose(i, j, part)
        if self.least < FAILED:
            self._put(self.best, i, j)
            self._take(i, j, 1)
            self.count += new
            if self._regret() + (self._price(j) if new else 0) < before:
                return True
            self.count -= new
            self._take(i, j, -1)
        self._put(self.old, i, j)
        self._spread(i, 1)
        if not new:
            self._spread(j, 1)
        return False

    def _propose(self, i, j, part):
        """Takes the best place of one part of the region for disc i, what is then best for j, and fits both."""
        x = self.seed_x
        y = self.seed_y
        if part == 4:
            found = self._guess(x, y, 2400, 400, 13, 2, 0)
        else:
            found = self._guess(x - 1300 + 2600 * (part & 1), y - 1300 + 1300 * (part & 2), 1200, 300, 9, 2, 0)
        if not found:
            return
        self._store(i)
        self._spread(i, 1)
        found = self._guess(x, y, 4000, 500, 17, 2, 0)
        if found:
            self._store(j)
        self._spread(i, -1)
        if found:
            self._four_sides(i, j, 6, FAR)

    def _prune(self):
        """Drops discs that the others can explain: only what lies on another, is flipped or fits badly is asked."""
        i = 0
        while i < self.count:
            if self._off(i):
                self._spread(i, -1)
                self._drop(i)
                continue
            odd = not K.LEAST < self.moment[i] < K.GREATEST or self.chi2[i] > ILL
            if odd or self._neighbour(i, self.x_hmm[i], self.y_hmm[i], OVERLAP) >= 0:
                if self._spare(i):
                    continue
            i += 1

    def _spare(self, i):
        """Drops disc i if its neighbours, fitted anew, do nearly as well; False (and no change) if not."""
        self.seed_x = x = self.x_hmm[i]
        self.seed_y = y = self.y_hmm[i]
        before = self._regret()
        price = self._price(i)
        a = self._neighbour(i, x, y)
        b = self._neighbour(i, x, y, CROWD, a)
        self._spread(i, -1)
        if b >= 0:
            self._keep(self.old, a, b)
            self._fit_pair(a, b)
        elif a >= 0:
            self._keep(self.old, a, a)
            self._fit_one(a, 6)
        self.seed_x = x
        self.seed_y = y
        if self._regret() < before + price:
            self._drop(i)
            return True
        if a >= 0:
            self._put_back(self.old, a, a if b < 0 else b)
        self._spread(i, 1)
        return False

    def _drop(self, i):
        """Forgets disc i, which is taken out; later ones move down."""
        self.count -= 1
        for column in self.columns:
            for j in range(i, self.count):
                column[j] = column[j + 1]
