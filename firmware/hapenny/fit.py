"""The fitting half of a Locator: its numbers, its discs, and what moves one of them over the kernels' state."""

from array import array

from hapenny import kernels as K
from hapenny.kernels_pick import kernels as chosen

MAX_DISCS = 12
FAR2 = 12600 * 12600  # a disc's field is taken out this far
NEAR2 = 4500 * 4500  # Halls that a disc is fitted to
CROWD = 7000  # hmm: discs nearer than this disturb each other
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
        self.se_x_um = numbers(MAX_DISCS)
        self.se_y_um = numbers(MAX_DISCS)
        self.chi2 = numbers(MAX_DISCS)
        self.flags = numbers(MAX_DISCS)
        self.source = numbers(MAX_DISCS + 1)
        self.table = layout.FIELD_UT
        self.count = 0
        self.level_ut = 0
        self.unexplained = 0
        self.state[K.HALLS] = layout.HALLS
        self.state[K.PRIOR] = PRIOR

    def _level(self):
        self.level_ut = int(self.kernels.median(self.state, self.rest))
        self.state[K.LEVEL] = self.level_ut

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
        state[K.FROM_X] = state[K.X]
        state[K.FROM_Y] = state[K.Y]
        state[K.REACH2] = FAR2
        state[K.BLOCK] = 0
        self.kernels.reach(state, self.calibration.places)
        self.kernels.predict(state, self.calibration.places, self.table)
        self.kernels.spread(state, self.rest)

    def _fit(self, reach2, tries):
        state = self.state
        state[K.REACH2] = reach2
        state[K.TRIES] = tries
        return int(self.kernels.fit(state, self.calibration.places, self.table, self.rest))

    def _fit_one(self, i, tries):
        self._spread(i, -1)
        self._load(i)
        self._fit(NEAR2, tries)
        self._store(i)
        self._spread(i, 1)

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
        best = within_hmm * within_hmm
        found = -1
        for i in range(self.count):
            dx = self.x_hmm[i] - x
            dy = self.y_hmm[i] - y
            if i != but and i != other and -within_hmm < dx < within_hmm and -within_hmm < dy < within_hmm:
                if dx * dx + dy * dy < best:
                    best = dx * dx + dy * dy
                    found = i
        return found


def numbers(count):
    """An array of `count` whole numbers."""
    return array("i", bytes(4 * count))
