"""The fitting half of a Locator: its numbers, its discs, and what moves one of them over the kernels' state."""

from array import array

from hapenny.kernels import words as K
from hapenny.kernels.pick import kernels as chosen

MAX_DISCS = 12
FAR = 11500  # hmm: a disc's field is taken out this far
NEAR = 4500  # Halls that a disc is fitted to
CROWD = 7000  # hmm: discs nearer than this disturb each other
CLOSE = 3500  # and these nearly touch
LEANS_HMM = 540  # so far from a row a leaning magnet looks shifted across it by as much as it sits off its middle
TWO_SIDES = 450  # hmm: a disc nearer to a row of Halls than this may be taken for its mirror image
FITS = 42  # of 64: what is seen of (error / stated)^2 is 0.65 (1 + chi^2), ...
FITS_BESIDE = 57  # ... of a disc close to another 0.9 (1 + chi^2)
PRIOR = 160000  # weight of "a disc of ours has its moment within 4 %"


class Fitter:
    """Discs by number, valid up to `count`, and the field that they do not explain."""

    def __init__(self, layout, calibration, kernels=chosen):
        self.layout = layout
        self.calibration = calibration
        self.kernels = kernels
        self.state = kernels.words(K.WORDS)
        self.rest = kernels.words(layout.HALLS)
        self.x_hmm = numbers(MAX_DISCS + 1)
        self.y_hmm = numbers(MAX_DISCS + 1)
        self.moment = numbers(MAX_DISCS + 1)
        self.se_x_um = numbers(MAX_DISCS + 1)
        self.se_y_um = numbers(MAX_DISCS + 1)
        self.chi2 = numbers(MAX_DISCS + 1)
        self.twin_y = numbers(MAX_DISCS + 1)  # where its mirror image is beyond its row, if it may be that; else its y
        self.twin_q12 = numbers(MAX_DISCS + 1)  # the chance of that by the Halls, of 4096
        self.flags = numbers(MAX_DISCS + 1)
        self.left_out = numbers(MAX_DISCS + 1)
        self.left_x = numbers(MAX_DISCS + 1)  # where the frame before left it
        self.left_y = numbers(MAX_DISCS + 1)
        self.columns = (self.x_hmm, self.y_hmm, self.moment, self.left_x, self.left_y)
        self.columns += (self.chi2, self.se_x_um, self.se_y_um, self.left_out)
        self.table = layout.FIELD_UT
        self.count = 0
        self.level_ut = 0
        self.unexplained = 0
        self.state[K.HALLS] = layout.HALLS
        self.state[K.PRIOR] = PRIOR
        lay_rows(self.state, layout)

    def _level(self):
        self.level_ut = int(self.kernels.level(self.state, self.rest))

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

    def _spread(self, i, sign):
        """Takes disc i out of the rest (1) or gives it back (-1)."""
        state = self.state
        self._load(i)
        state[K.SIGN] = sign
        state[K.REACH] = FAR
        self.kernels.spread(state, self.calibration.places, self.table, self.rest)

    def _fit(self, reach, tries):
        state = self.state
        state[K.REACH] = reach
        state[K.TRIES] = tries
        return int(self.kernels.fit(state, self.calibration.places, self.table, self.rest))

    def _fit_one(self, i, tries, reach=0):
        """Fits disc i with the others taken out; also from the row's other side, if it lies within `reach` of it."""
        state = self.state
        self._spread(i, -1)
        self._load(i)
        self.chi2[i] = self._fit(NEAR, tries)
        self._sure(i)
        self._store(i)
        row = self._row(self.y_hmm[i])
        away = self.y_hmm[i] - row
        if -reach < away < reach:
            state[K.Y] -= 2 * away
            chi2 = self._fit(NEAR, tries)
            if chi2 < self.chi2[i] and (state[K.Y] - row) * away < 0:
                self.chi2[i] = chi2
                self._sure(i)
                self._store(i)
        self._spread(i, 1)

    def _sure(self, i):
        """Standard errors of disc i, just fitted (or predicted), and how many Halls are left out about it."""
        self.kernels.solve(self.state)
        self.left_out[i] = self.state[K.BLIND]
        self._errors(i)

    def _errors(self, i, fits=FITS):
        """Standard errors of disc i, loaded, from what its equations say and how well it fits.

        A magnet that leans looks shifted besides.
        """
        state = self.state
        y = state[K.Y]
        magnet = self.calibration.magnet_um
        share = self.kernels.root((64 + min(self.chi2[i], 2048)) * fits)
        self.se_x_um[i] = self.widened(int(state[K.SE_X]) * share >> 6, 5 * magnet >> 1)
        self.se_y_um[i] = self.widened(int(state[K.SE_Y]) * share >> 6, magnet * abs(y - self._row(y)) // LEANS_HMM)

    def widened(self, se_um, more_um):
        """A standard error with one more that has nothing to do with it."""
        return self.kernels.root(se_um * se_um + more_um * more_um) if se_um < 16000 else min(se_um, 500000)

    def _row(self, y_hmm):
        """y of the row of Halls nearest to y."""
        layout = self.layout
        first = layout.FIRST_LINE_HMM + layout.LINE_PITCH_HMM // 2
        if y_hmm * 2 < first + layout.APPROACH_Y_HMM:
            return layout.APPROACH_Y_HMM
        bed = (y_hmm - layout.FIRST_LINE_HMM) // layout.LINE_PITCH_HMM
        bed = 0 if bed < 0 else (layout.BEDS - 1 if bed >= layout.BEDS else bed)
        return first + bed * layout.LINE_PITCH_HMM

    def _neighbour(self, but, x, y, within_hmm=CROWD, other=-1):
        """The disc nearest to a place, closer than within_hmm, other than `but` and `other`; -1 if there is none."""
        state = self.state
        state[K.FROM_X] = x
        state[K.FROM_Y] = y
        state[K.REACH] = within_hmm
        state[K.BUT] = but
        state[K.OTHER] = other
        return int(self.kernels.nearest(state, self.x_hmm, self.y_hmm, self.count))


def lay_rows(state, layout):
    """Writes into a kernels' state where the rows of Halls lie, for `reach` and `spread`."""
    state[K.ROWS_OF_HALLS] = layout.BEDS + 1
    for n in range(layout.BEDS + 1):
        first = n * layout.HALLS_PER_BED
        at = K.HALL_ROWS + 5 * n
        state[at] = first
        state[at + 1] = layout.HALL_Y_HMM[first]
        state[at + 2] = layout.HALL_X_HMM[first]
        state[at + 3] = layout.HALL_X_HMM[first + 1] - layout.HALL_X_HMM[first]
        state[at + 4] = layout.HALLS_PER_BED if n < layout.BEDS else layout.APPROACH_HALLS


def numbers(count):
    """An array of `count` whole numbers."""
    return array("i", bytes(4 * count))
