"""From frames to what happened: knows when something moves, follows it, and tells when all is at rest again.

`tick` looks once. When it returns SETTLED a new picture stands: where every disc lies, which of the old picture it is,
which one was shoved, and what became of those that are gone. Nothing here knows the rules.
"""

from array import array

from hapenny.locate import MAX_DISCS
from hapenny.scan import VERDICT_PASSES

# what tick returns
SAME = 0  # nothing new
MOVING = 1  # something moves; positions are live
HAND = 2  # still, but a hand is over the board
SETTLED = 3  # a new picture

# where a disc went
HERE = 0
FAR = 1  # past the far line
SIDE = 2  # off a side
FRONT = 3  # back over the front edge
TAKEN = 4  # lifted off

NOBODY = -1
GONE = -2  # of `shoved`: it left the board

REST_PASSES = 8
TRACK_PASSES = 4
DISTURBED_UT = 110  # a rest frame further than this from the reference: something changed (noise of 8 passes: 14)
STILL_UT = 170  # two tracking frames nearer than this are still (noise of 4 passes, two of them: 28)
QUARTERS_UT = 100  # the verdict frame's quarters must agree as well as this (noise 14; 0.1 mm near a Hall: 100 to 200)
STILL_FRAMES = 5
STILL_HMM = 60
STAYED_HMM = 60  # a disc found this near its old place has not moved
LIGHT_EVERY_MS = 50
REFERENCE_EVERY_MS = 500
ADDRESSED_HMM = 2500  # nearer the front edge than this a disc waits to be shoved; it is not played yet
FRONT_HMM = 14000  # a disc first seen nearer than this came from the front edge
ADOPT_HMM = 2600  # a disc lost and one found this near where it should be are the same
FORGET_MS = 250
TICKS_MASK = 0x3FFFFFFF


class Tracker:
    """Follows discs. The picture: `count` discs in `x`, `y`, `prior`, `moved`; and `shoved`, `fate`, `shoved_fate`.

    prior[i]: its number in the picture before, NOBODY if new. moved[i]: it lies elsewhere than before.
    fate[k]: what became of disc k of the picture before (HERE, FAR, SIDE, FRONT, TAKEN).
    shoved: number of the disc that came from the front, NOBODY, or GONE with `shoved_fate`.
    """

    def __init__(self, scan, locator, judge):
        self.scan = scan
        self.locator = locator
        self.judge = judge
        self.kernels = scan.calibration.kernels
        self.reference = array("h", bytes(2 * len(scan.field)))
        self.previous = array("h", bytes(2 * len(scan.field)))
        self.count = 0
        self.x = numbers()
        self.y = numbers()
        self.prior = numbers()
        self.moved = numbers()
        self.before_count = 0
        self.before_x = numbers()
        self.before_y = numbers()
        self.fate = numbers()
        self.shoved = NOBODY
        self.shoved_fate = HERE
        self.gone_x = 0  # where a shoved disc that left was heading
        self.active = False
        self.disturbed = 0
        self.still = 0
        self.light_ms = self.reference_ms = self.frame_ms = 0
        # which disc each of the locator's is: 0.. = of the picture, MAX_DISCS + k = arrival k
        self.ident = numbers()
        self.ident_before = numbers()
        # by ident: last place, speed (hmm a second), when lost (-1 = not lost), where first seen
        self.last_x = numbers(2)
        self.last_y = numbers(2)
        self.speed_x = numbers(2)
        self.speed_y = numbers(2)
        self.lost_ms = numbers(2)
        self.mark_x = numbers(2)
        self.mark_y = numbers(2)
        self.birth_y = numbers()
        self.arrivals = 0

    def begin(self, now_ms):
        """The first picture after power-up: whatever lies there. Waits for stillness by itself."""
        self.count = 0
        self.locator.forget()
        self.scan.quick(TRACK_PASSES)
        self.wake(now_ms)

    def tick(self, now_ms):
        """One look at the board; see the module for what it returns."""
        if not self.active:
            return self.watch(now_ms)
        return self.follow(now_ms)

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
        """Something moves: start tracks at the discs of the picture."""
        self.active = True
        self.still = 0
        self.disturbed = 0
        self.arrivals = 0
        self.frame_ms = now_ms
        for i in range(2 * MAX_DISCS):
            self.lost_ms[i] = -1
            self.speed_x[i] = self.speed_y[i] = 0
        for i in range(self.locator.count):
            self.ident[i] = self.same_place(self.locator.x_hmm[i], self.locator.y_hmm[i])
        for i in range(self.count):
            self.last_x[i] = self.x[i]
            self.last_y[i] = self.y[i]
        copy(self.previous, self.scan.field)

    def same_place(self, x, y):
        """Which disc of the picture lies there; NOBODY if none."""
        for k in range(self.count):
            if near(self.x[k] - x, self.y[k] - y, STAYED_HMM):
                return k
        return NOBODY

    # In motion

    def follow(self, now_ms):
        self.scan.quick(TRACK_PASSES)
        locator = self.locator
        held = locator.count
        for i in range(held):
            self.ident_before[i] = self.ident[i]
        locator.follow(self.scan.field, TRACK_PASSES)
        step_ms = since(now_ms, self.frame_ms) or 1
        self.frame_ms = now_ms
        self.lose(held, now_ms)
        for i in range(locator.count):
            self.identify(i, held, now_ms)
        for i in range(locator.count):
            self.move(self.ident[i], locator.x_hmm[i], locator.y_hmm[i], step_ms)
        apart = self.kernels.change(self.scan.field, self.previous, len(self.previous))
        copy(self.previous, self.scan.field)
        self.still = self.still + 1 if apart < STILL_UT else 0
        if self.still == 1:
            self.mark()
        if self.still < STILL_FRAMES:
            return MOVING
        if not self.stayed_near_marks():
            self.still = 0
            return MOVING
        if self.hand():
            return HAND
        return self.settle()

    def lose(self, held, now_ms):
        """Discs that were followed and are no longer found."""
        for k in range(held):
            if self.ident_before[k] >= 0 and not self.kept(k):
                self.lost_ms[self.ident_before[k]] = now_ms

    def kept(self, k):
        for i in range(self.locator.count):
            if self.locator.source[i] == k:
                return True
        return False

    def identify(self, i, held, now_ms):
        """Which disc the locator's number i is."""
        source = self.locator.source[i]
        if 0 <= source < held and self.ident_before[source] >= 0:
            self.ident[i] = self.ident_before[source]
            return
        x, y = self.locator.x_hmm[i], self.locator.y_hmm[i]
        found = self.adopt(x, y, now_ms)
        if found < 0 and self.arrivals < MAX_DISCS:
            found = MAX_DISCS + self.arrivals
            self.birth_y[self.arrivals] = y
            self.speed_x[found] = self.speed_y[found] = 0
            self.last_x[found] = x
            self.last_y[found] = y
            self.arrivals += 1
        self.ident[i] = found
        if found >= 0:
            self.lost_ms[found] = -1

    def adopt(self, x, y, now_ms):
        """The lost disc that should be about there by now; NOBODY if none."""
        best = ADOPT_HMM * ADOPT_HMM
        found = NOBODY
        for ident in range(MAX_DISCS + self.arrivals):
            lost_ms = self.lost_ms[ident]
            if lost_ms < 0 or since(now_ms, lost_ms) > FORGET_MS:
                continue
            gap_ms = since(now_ms, lost_ms) + 12
            dx = clip(self.last_x[ident] + self.speed_x[ident] * gap_ms // 1000 - x)
            dy = clip(self.last_y[ident] + self.speed_y[ident] * gap_ms // 1000 - y)
            if dx * dx + dy * dy < best:
                best = dx * dx + dy * dy
                found = ident
        return found

    def move(self, ident, x, y, step_ms):
        if ident < 0:
            return
        self.speed_x[ident] = (x - self.last_x[ident]) * 1000 // step_ms
        self.speed_y[ident] = (y - self.last_y[ident]) * 1000 // step_ms
        self.last_x[ident] = x
        self.last_y[ident] = y

    def mark(self):
        for ident in range(2 * MAX_DISCS):
            self.mark_x[ident] = self.last_x[ident]
            self.mark_y[ident] = self.last_y[ident]

    def stayed_near_marks(self):
        for i in range(self.locator.count):
            k = self.ident[i]
            if k >= 0 and not near(self.last_x[k] - self.mark_x[k], self.last_y[k] - self.mark_y[k], self.slack(i)):
                return False
        return True

    def slack(self, i):
        """How far a still disc may seem to move between two quick frames."""
        return STILL_HMM + self.locator.se_y_um[i] // 2

    # At rest again

    def settle(self):
        """The verdict frame: if its quarters agree, the new picture."""
        if self.scan.verdict() > QUARTERS_UT:
            self.still = 0
            return MOVING
        scan = self.scan
        held = self.locator.count
        for i in range(held):
            self.ident_before[i] = self.ident[i]
        self.locator.refine(scan.field, VERDICT_PASSES)
        self.lose(held, self.frame_ms)
        for i in range(self.locator.count):
            self.identify(i, held, self.frame_ms)
        if self.judge.hand(self.locator, scan.lit, scan.dark, scan.pairs):
            return HAND
        self.judge.judge(self.locator, scan.lit, scan.dark, scan.pairs)
        self.compare()
        copy(self.reference, scan.field)
        self.active = False
        return SETTLED

    def rebase(self):
        """The zero of the sensors was taken anew on a bare board."""
        for k in range(len(self.reference)):
            self.reference[k] = 0

    def compare(self):
        """Old picture, tracks and new places together: what happened."""
        self.before_count = self.count
        for k in range(self.count):
            self.before_x[k] = self.x[k]
            self.before_y[k] = self.y[k]
            self.fate[k] = TAKEN
        locator = self.locator
        for i in range(locator.count):
            stayed = self.same_place(locator.x_hmm[i], locator.y_hmm[i])
            if stayed >= 0:
                self.ident[i] = stayed
        self.shoved = NOBODY
        self.shoved_fate = HERE
        self.count = 0
        for i in range(locator.count):
            self.place(i)
        for k in range(self.before_count):
            if self.fate[k] == TAKEN:
                self.fate[k] = self.went(k)
        if self.shoved == NOBODY:
            self.find_gone()

    def place(self, i):
        """Puts the locator's disc i into the picture, in the locator's order."""
        n = self.count
        ident = self.ident[i]
        x, y = self.locator.x_hmm[i], self.judge.y_hmm[i]
        known = 0 <= ident < self.before_count and self.fate[ident] == TAKEN
        self.prior[n] = ident if known else NOBODY
        self.moved[n] = 0
        if known:
            self.fate[ident] = HERE
            if near(self.before_x[ident] - x, self.before_y[ident] - y, STAYED_HMM):
                x, y = self.before_x[ident], self.before_y[ident]
            else:
                self.moved[n] = 1
        elif self.shoved == NOBODY and ident >= MAX_DISCS and y >= ADDRESSED_HMM:
            if self.birth_y[ident - MAX_DISCS] < FRONT_HMM:
                self.shoved = n
        self.x[n] = x
        self.y[n] = y
        self.count = n + 1

    def find_gone(self):
        """A disc that came from the front and is no longer there left the board, or was taken back."""
        for k in range(self.arrivals):
            ident = MAX_DISCS + k
            if self.lost_ms[ident] >= 0 and self.birth_y[k] < FRONT_HMM:
                fate = self.went(ident)
                if fate == FAR or fate == SIDE:
                    self.shoved = GONE
                    self.shoved_fate = fate
                    self.gone_x = max(0, min(self.locator.layout.WIDTH_HMM, self.last_x[ident]))

    def went(self, ident):
        """Where a lost disc went, from where it was last seen and how fast."""
        layout = self.locator.layout
        x, y = self.last_x[ident], self.last_y[ident]
        vx, vy = self.speed_x[ident], self.speed_y[ident]
        far = layout.FIRST_LINE_HMM + layout.BEDS * layout.LINE_PITCH_HMM
        if vy > 2000 and y + vy // 20 > far:
            return FAR
        if (vx < -2000 and x + vx // 20 < layout.SIDE_LINE_HMM) or (
            vx > 2000 and x + vx // 20 > layout.WIDTH_HMM - layout.SIDE_LINE_HMM
        ):
            return SIDE
        if vy < -2000 and y + vy // 20 < ADDRESSED_HMM:
            return FRONT
        return TAKEN


def numbers(times=1):
    return array("i", bytes(4 * times * MAX_DISCS))


def since(now_ms, then_ms):
    return (now_ms - then_ms) & TICKS_MASK


def near(dx, dy, reach):
    return -reach < dx < reach and -reach < dy < reach


def clip(value):
    return 13000 if value > 13000 else (-13000 if value < -13000 else value)


def copy(to, source):
    for k in range(len(to)):
        to[k] = source[k]


def drift(reference, field):
    """Lets the reference follow slow drift: an eighth of the way, to nearest."""
    for k in range(len(reference)):
        reference[k] += (field[k] - reference[k] + 4) >> 3
