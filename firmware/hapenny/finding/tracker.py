"""From frames to what happened: knows when something moves, follows it, and tells when all is at rest again.

`tick` looks once. When it returns SETTLED a new picture stands: where every disc lies, which of the old picture it is,
which one was shoved, and what became of those that are gone. Nothing here knows the rules.
"""

from array import array

from hapenny.finding.locate import DEGRADED, MAX_DISCS, STACKED
from hapenny.finding.tracks import ADDRESSED_HMM, ADOPT_HMM, HERE, NOBODY, WHOLE, Tracks, near, numbers, since
from hapenny.layout import APPROACH_Y_HMM, DISC_RADIUS_HMM
from hapenny.sensing.scan import FROZEN, VERDICT_PASSES

# what tick returns
SAME = 0  # nothing new
MOVING = 1  # something moves; positions are live
HAND = 2  # still, but a hand is over the board; or the sensors stand still, and nothing is known
SETTLED = 3  # a new picture

GONE = -2  # of `shoved`: it left the board

REST_PASSES = 8
TRACK_PASSES = 2  # few, so that a fast disc is not smeared
DISTURBED_UT = 110  # a rest frame further than this from the reference: something changed (noise of 8 passes: 14)
STILL_UT = 240  # two tracking frames nearer than this are still (noise of 2 passes, two of them: 40)
QUARTERS_UT = 100  # the verdict frame's quarters must agree as well as this (noise 14; 0.1 mm near a Hall: 100 to 200)
STILL_MS = 60
STILL_HMM = 60
STAYED_HMM = 60  # a disc found this near its old place, and twice its standard error, has not moved
HEAP_HMM = 600
FARTHEST_HMM = 100000
UNSURE_UM = 8000  # a disc found no better than this is no disc
LIGHT_EVERY_MS = 50
REFERENCE_EVERY_MS = 500


class Tracker:
    """The picture: `count` discs in `x`, `y`, `found`, `prior`, `moved`; and `shoved`, `shoved_fate`, `gone_x`.

    found[i]: the locator's (and the judge's) number of disc i. prior[i]: its number in the picture before, NOBODY if
    new. moved[i]: it lies elsewhere than before. shoved: number of the disc that came from the front, NOBODY, or GONE
    with `shoved_fate` (FAR, SIDE) and `gone_x`. again[k]: disc k of the picture before is in this one.
    """

    def __init__(self, scan, locator, judge):
        self.scan = scan
        self.locator = locator
        self.judge = judge
        self.tracks = Tracks(locator)
        self.kernels = scan.calibration.kernels
        self.reference = array("h", bytes(2 * len(scan.field)))
        self.count = 0
        self.x = numbers()
        self.y = numbers()
        self.found = numbers()
        self.prior = numbers()
        self.moved = numbers()
        self.rough = numbers()  # 1: in a heap, and known to a few millimetres only
        self.before_count = 0
        self.before_x = numbers()
        self.before_y = numbers()
        self.before_rough = numbers()
        self.again = numbers()
        self.shoved = NOBODY
        self.shoved_fate = HERE
        self.gone_x = 0
        self.active = False
        self.disturbed = 0
        self.still = False
        self.still_ms = 0
        self.light_ms = self.reference_ms = 0

    def begin(self, now_ms):
        """The first picture after power-up: whatever lies there. Waits for stillness by itself."""
        self.count = 0
        self.scan.quick(TRACK_PASSES)
        self.wake(now_ms)

    def tick(self, now_ms):
        """One look at the board; see the module for what it returns."""
        seen = self.follow(now_ms) if self.active else self.watch(now_ms)
        return HAND if self.scan.alike >= FROZEN else seen

    # At rest

    def watch(self, now_ms):
        self.scan.quick(REST_PASSES)
        apart = self.kernels.change(self.scan.field, self.reference, len(self.reference))
        if apart > DISTURBED_UT:
            self.disturbed += 1
            if self.disturbed > 1 or apart > 3 * DISTURBED_UT:
                self.wake(now_ms)
                return MOVING
            return SAME
        self.disturbed = 0
        if since(now_ms, self.reference_ms) > REFERENCE_EVERY_MS:
            self.reference_ms = now_ms
            drift(self.reference, self.scan.field)
        if since(now_ms, self.light_ms) > LIGHT_EVERY_MS:
            self.light_ms = now_ms
            if self.hand():
                return HAND
        return SAME

    def hand(self):
        self.scan.light(1)
        return self.judge.hand(self.locator, self.scan.lit, self.scan.dark, 1)

    def wake(self, now_ms):
        """Something moves."""
        self.active = True
        self.still = False
        self.disturbed = 0
        self.tracks.begin(self.count, self.x, self.y, now_ms)

    # In motion

    def follow(self, now_ms):
        apart = self.scan.quick(TRACK_PASSES)
        self.tracks.predict(now_ms)
        self.locator.follow(self.scan.field, TRACK_PASSES)
        self.tracks.follow(now_ms)
        if apart > STILL_UT or self.tracks.expected(now_ms):
            self.still = False
            return MOVING
        if not self.still:
            self.still = True
            self.still_ms = now_ms
            self.tracks.mark()
        if since(now_ms, self.still_ms) < STILL_MS:
            return MOVING
        if not self.tracks.near_marks(STILL_HMM):
            self.still = False
            return MOVING
        if self.hand():
            return HAND
        return self.settle(now_ms)

    # At rest again

    def settle(self, now_ms):
        """The verdict frame: if its quarters agree, the new picture."""
        if not 0 < self.scan.verdict(QUARTERS_UT) <= QUARTERS_UT:
            self.still = False
            return MOVING
        scan = self.scan
        self.locator.refine(scan.field, VERDICT_PASSES)
        self.tracks.end(now_ms)
        if self.judge.hand(self.locator, scan.lit, scan.dark, scan.pairs):
            return HAND
        self.judge.judge(self.locator, scan.lit, scan.dark, scan.pairs)
        self.compare()
        self.reference[WHOLE] = scan.field
        self.active = False
        return SETTLED

    def rebase(self):
        """The zero of the sensors was taken anew on a bare board."""
        for k in range(len(self.reference)):
            self.reference[k] = 0

    def compare(self):
        """Old picture, tracks and new places together: what happened."""
        locator, tracks = self.locator, self.tracks
        self.before_count = self.count
        for k in range(self.count):
            self.before_x[k] = self.x[k]
            self.before_y[k] = self.y[k]
            self.before_rough[k] = self.rough[k]
            self.again[k] = 0
        for i in range(locator.count):
            for k in range(self.before_count):
                if self.same_place(k, i, locator.x_hmm[i], locator.y_hmm[i]):
                    tracks.ident[i] = k
        self.shoved = NOBODY
        self.count = 0
        for i in range(locator.count):
            if self.lies(i):
                self.place(i)
        self.find_missing()
        if self.shoved == NOBODY and tracks.any_shoved():
            self.find_new()
        if self.shoved == NOBODY:
            self.find_gone()
        if self.shoved == NOBODY and tracks.any_shoved():
            self.find_instead()

    def lies(self, i):
        """Whether the locator's disc i is one that was played: on the board, past the edge, and surely there."""
        locator = self.locator
        if locator.y_hmm[i] < ADDRESSED_HMM or locator.se_y_um[i] > UNSURE_UM:
            return False
        return -DISC_RADIUS_HMM < locator.x_hmm[i] < locator.layout.WIDTH_HMM + DISC_RADIUS_HMM

    def same_place(self, k, i, x, y):
        """Whether disc k of the picture before lay at (x, y), where the locator's disc i seems to lie.

        Sensors are sure of a place to a standard error, of a heap, or where some are out, to some millimetres.
        The approach row cannot tell before it from behind it.
        """
        reach = STAYED_HMM + self.locator.se_y_um[i] // 5
        if self.before_rough[k] or self.locator.flags[i] & (STACKED | DEGRADED):
            reach += HEAP_HMM
        if near(self.before_x[k] - x, self.before_y[k] - y, reach):
            return True
        twin = 2 * APPROACH_Y_HMM - y
        return twin > 0 and near(self.before_x[k] - x, self.before_y[k] - twin, reach)

    def place(self, i):
        """Puts the locator's disc i into the picture."""
        n = self.count
        ident = self.tracks.ident[i]
        x, y = self.locator.x_hmm[i], self.judge.y_hmm[i]
        known = 0 <= ident < self.before_count and not self.again[ident]
        self.found[n] = i
        self.prior[n] = ident if known else NOBODY
        self.moved[n] = 0
        self.rough[n] = 1 if self.locator.flags[i] & STACKED else 0
        if known:
            self.again[ident] = 1
            if self.same_place(ident, i, x, y):
                x, y = self.before_x[ident], self.before_y[ident]
            else:
                self.moved[n] = 1
        elif self.shoved == NOBODY and ident >= MAX_DISCS and self.tracks.was_shoved(ident):
            self.shoved = n
        self.x[n] = x
        self.y[n] = y
        self.count = n + 1

    def find_missing(self):
        """Discs of the picture before that nobody has found again may be those that are new and were not shoved."""
        for n in range(self.count):
            if self.prior[n] == NOBODY and n != self.shoved:
                self.adopt(n)

    def adopt(self, n):
        """Disc n was not shoved, and one is missing: if that is near, or a shove was seen, they are one, moved."""
        best = NOBODY
        least = FARTHEST_HMM if self.tracks.any_shoved() else ADOPT_HMM
        for k in range(self.before_count):
            if not self.again[k]:
                away = abs(self.before_x[k] - self.x[n]) + abs(self.before_y[k] - self.y[n])
                if away < least:
                    least = away
                    best = k
        if best != NOBODY:
            self.prior[n] = best
            self.moved[n] = 1
            self.again[best] = 1

    def find_new(self):
        """A disc was shoved, but the names were lost in an impact: the disc without one is it."""
        for n in range(self.count):
            if self.prior[n] == NOBODY:
                self.shoved = n
                return

    def find_instead(self):
        """A disc was shoved, and all seem to be there still: the first that moved is it; the one it struck has gone."""
        for n in range(self.count):
            if self.moved[n]:
                self.prior[n] = NOBODY
                self.shoved = n
                return

    def find_gone(self):
        """A disc that came from the front and is no longer there has left the board."""
        k = self.tracks.gone()
        if k != NOBODY:
            self.shoved = GONE
            self.shoved_fate = self.tracks.went(k)
            self.gone_x = max(0, min(self.locator.layout.WIDTH_HMM, self.tracks.last_x[k]))


def drift(reference, field):
    """Lets the reference follow slow drift: an eighth of the way, to nearest."""
    for k in range(len(reference)):
        reference[k] += (field[k] - reference[k] + 4) >> 3
