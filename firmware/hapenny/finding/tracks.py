"""Who is who while discs move: joins the discs of each frame to tracks, and knows where the lost ones went."""

from array import array

from hapenny.finding.locate import MAX_DISCS

NOBODY = -1

# where a disc went
HERE = 0
FAR = 1  # past the far line
SIDE = 2  # off a side
FRONT = 3  # back over the front edge
TAKEN = 4  # lifted off

ADDRESSED_HMM = 2500  # nearer the front edge than this a disc waits to be shoved; it is not played yet
FRONT_HMM = 14000  # a disc first seen nearer than this came from the front edge
SHOVED_HMM_S = 25000  # a disc that runs this fast was shoved, wherever it was seen first
LONG_WAY_HMM = 6000
ADOPT_HMM = 2600  # a disc found this near where a track leads is that track's
FORGET_MS = 250
BACK_HMM_S = -20000  # before the approach row nothing runs back so fast: it is the mirror image of what has passed it
FIRST_MS = 8  # a track's first speed is smoothed over this,
SMOOTH_MS = 16  # ... later ones over so much more,
VAGUE_UM_MS = 64  # ... and over a millisecond for every so many micrometres that the place is unsure
LATE_HMM = 3500
LED_HMM_S = 6000  # slower than this it may as well be noise
RUNNING_HMM_S = 10000
CAME_ON_HMM_S = 2000  # what was never faster than this may be a ghost beside the approach row
OUT_OF_SIGHT_HMM = 42000
TICKS_MASK = 0x3FFFFFFF


class Whole:
    """`Whole()[:]` is the slice that names all of a buffer."""

    def __getitem__(self, key):
        return key


WHOLE = Whole()[:]  # one slice for ever: a new one is an allocation, a loop over a field a millisecond


def numbers(times=1):
    return array("i", bytes(4 * times * MAX_DISCS))


def since(now_ms, then_ms):
    return (now_ms - then_ms) & TICKS_MASK


def near(dx, dy, reach):
    return -reach < dx < reach and -reach < dy < reach


def clip(value):
    return 13000 if value > 13000 else (-13000 if value < -13000 else value)


class Tracks:
    """Tracks by number: 0.. are the discs of the last picture, MAX_DISCS.. those that arrived since.

    `ident[i]` is the track of the locator's disc i. Places in hundredths of a millimetre, speeds in those a second.
    """

    def __init__(self, locator):
        self.locator = locator
        self.known = 0  # discs of the picture
        self.arrivals = 0
        self.ident = numbers()
        self.last_x = numbers(2)
        self.last_y = numbers(2)
        self.speed_x = numbers(2)
        self.speed_y = numbers(2)
        self.seen_ms = numbers(2)
        self.steps = numbers(2)  # 1: it was seen twice, so that its speed is known
        self.lost_ms = numbers(2)  # -1 = not lost
        self.met = numbers(2)  # found in this frame
        self.mark_x = numbers(2)
        self.mark_y = numbers(2)
        # by arrival: where first seen, and the fastest it went away from the shover
        self.birth_y = numbers()
        self.forward = numbers()

    def begin(self, count, x, y, now_ms):
        """Something moves: the tracks start at the discs of the picture."""
        self.known = count
        self.arrivals = 0
        self.came = False  # whether any arrival came from the front
        for k in range(2 * MAX_DISCS):
            self.lost_ms[k] = -1
            self.speed_x[k] = self.speed_y[k] = 0
            self.seen_ms[k] = now_ms
            self.steps[k] = 1
        for i in range(MAX_DISCS):
            self.ident[i] = NOBODY
        for k in range(count):
            self.last_x[k] = x[k]
            self.last_y[k] = y[k]

    # Frame by frame

    def predict(self, now_ms):
        """Moves the locator's discs to where their tracks lead by now: it looks there first."""
        locator = self.locator
        locator.fastest = 0
        for i in range(locator.count):
            k = self.ident[i]
            if k >= 0 and not near(self.speed_x[k], self.speed_y[k], LED_HMM_S):
                gap_ms = since(now_ms, self.seen_ms[k])
                locator.x_hmm[i] += self.speed_x[k] * gap_ms // 1000
                locator.y_hmm[i] += self.speed_y[k] * gap_ms // 1000
                locator.fastest = max(locator.fastest, abs(self.speed_x[k]), abs(self.speed_y[k]))

    def follow(self, now_ms):
        """Joins every disc just located to the track that leads there, the nearest pair first; the rest arrive."""
        locator = self.locator
        self.join(now_ms)
        self.welcome(now_ms)
        for i in range(locator.count):
            if self.ident[i] >= 0:
                self.go_on(i, now_ms)
        self.note_lost(now_ms)

    def welcome(self, now_ms):
        """Discs that no track leads to are new."""
        for i in range(self.locator.count):
            if self.ident[i] < 0:
                self.arrive(i, now_ms)

    def join(self, now_ms):
        locator = self.locator
        for k in range(MAX_DISCS + self.arrivals):
            self.met[k] = 0
        for i in range(locator.count):
            k = self.ident[i]
            if k >= 0 and locator.x_hmm[i] == self.last_x[k] and locator.y_hmm[i] == self.last_y[k] and not self.met[k]:
                self.met[k] = 1
            else:
                self.ident[i] = NOBODY
        while self.join_nearest(now_ms):
            pass

    def join_nearest(self, now_ms):
        """Joins the free disc and the free track that are nearest; False when none are near enough."""
        locator = self.locator
        best = ADOPT_HMM * ADOPT_HMM
        disc = track = NOBODY
        for k in range(MAX_DISCS + self.arrivals):
            if not self.alive(k, now_ms):
                continue
            gap_ms = since(now_ms, self.seen_ms[k])
            x = self.last_x[k] + self.speed_x[k] * gap_ms // 1000
            y = self.last_y[k] + self.speed_y[k] * gap_ms // 1000
            far = 0 if self.steps[k] else 3  # while its speed is not known it may be three times as far away
            for i in range(locator.count):
                if self.ident[i] >= 0:
                    continue
                away = self.away(k, x, y, locator.x_hmm[i], locator.y_hmm[i]) >> far
                if away < best:
                    best = away
                    disc = i
                    track = k
        if disc < 0:
            return False
        self.ident[disc] = track
        self.met[track] = 1
        return True

    def away(self, k, x, y, found_x, found_y):
        """Squared distance of a place from where track k leads, or from where it was: an impact may have stopped it.

        Twice as far if it were to go back: a disc that is struck goes on, and the one that struck it stays behind.
        """
        dx, dy = clip(x - found_x), clip(y - found_y)
        led = dx * dx + dy * dy
        dx, dy = clip(self.last_x[k] - found_x), clip(self.last_y[k] - found_y)
        led = min(led, dx * dx + dy * dy)
        return led + 3 * dy * dy if dy > 0 else led

    def alive(self, k, now_ms):
        """Whether a track may still be joined: seen lately, and not joined in this frame."""
        if self.met[k] or self.known <= k < MAX_DISCS:
            return False
        return self.lost_ms[k] < 0 or since(now_ms, self.lost_ms[k]) < FORGET_MS

    def arrive(self, i, now_ms):
        """The locator's disc i is new. Its track takes the number of one that came to nothing, if there is one."""
        a = 0
        while a < self.arrivals and (self.alive(MAX_DISCS + a, now_ms) or self.met[MAX_DISCS + a] or self.ran(a)):
            a += 1
        if a == MAX_DISCS:
            return
        self.arrivals = max(self.arrivals, a + 1)
        k = MAX_DISCS + a
        self.ident[i] = k
        self.met[k] = 1
        self.lost_ms[k] = -1
        self.birth_y[a] = self.locator.y_hmm[i]
        if self.birth_y[a] < FRONT_HMM:
            self.came = True
        self.forward[a] = 0
        self.steps[k] = 0
        self.speed_x[k] = self.speed_y[k] = 0
        self.last_x[k] = self.locator.x_hmm[i]
        self.last_y[k] = self.locator.y_hmm[i]
        self.seen_ms[k] = now_ms

    def ran(self, a):
        """Whether arrival a has run away from the shover as only a shoved disc does."""
        return self.forward[a] > SHOVED_HMM_S

    def turn(self, i, k):
        """Disc i, on track k, runs away from the approach row, which cannot tell sides: it has passed it."""
        self.speed_y[k] = -self.speed_y[k]
        self.locator.y_hmm[i] = 2 * self.locator.layout.APPROACH_Y_HMM - self.locator.y_hmm[i]
        return self.locator.y_hmm[i]

    def go_on(self, i, now_ms):
        """The track of the locator's disc i goes on to it; its speed is smoothed over SMOOTH_MS."""
        k, x, y = self.ident[i], self.locator.x_hmm[i], self.locator.y_hmm[i]
        gap_ms = since(now_ms, self.seen_ms[k])
        if gap_ms:
            known, slow_ms = self.steps[k], gap_ms + FIRST_MS
            if known:
                slow_ms += SMOOTH_MS + self.locator.se_y_um[i] // VAGUE_UM_MS
            self.steps[k] = 1
            self.speed_x[k] += ((x - self.last_x[k]) * 1000 - self.speed_x[k] * gap_ms) // slow_ms
            self.speed_y[k] += ((y - self.last_y[k]) * 1000 - self.speed_y[k] * gap_ms) // slow_ms
            if k >= MAX_DISCS:
                if known and self.speed_y[k] < BACK_HMM_S and y < self.locator.layout.APPROACH_Y_HMM:
                    y = self.turn(i, k)
                self.forward[k - MAX_DISCS] = max(self.speed_y[k], self.forward[k - MAX_DISCS])
        self.last_x[k] = x
        self.last_y[k] = y
        self.seen_ms[k] = now_ms

    def note_lost(self, now_ms):
        for k in range(MAX_DISCS + self.arrivals):
            if self.met[k]:
                self.lost_ms[k] = -1
            elif self.lost_ms[k] < 0:
                self.lost_ms[k] = now_ms

    # Standing still

    def mark(self):
        """Remembers where every track is."""
        for k in range(2 * MAX_DISCS):
            self.mark_x[k] = self.last_x[k]
            self.mark_y[k] = self.last_y[k]

    def near_marks(self, reach):
        """Whether no disc runs or has left its mark; `reach` in hmm, and more for discs whose place is not sure."""
        for i in range(self.locator.count):
            k = self.ident[i]
            slack = reach + self.locator.se_y_um[i] // 2
            if k >= 0 and not (
                near(self.last_x[k] - self.mark_x[k], self.last_y[k] - self.mark_y[k], slack)
                and near(self.speed_x[k], self.speed_y[k], RUNNING_HMM_S)
            ):
                return False
        return True

    def expected(self, now_ms):
        """Whether a disc that ran, or came from the front, went out of sight (between rows it can) and will be back."""
        layout = self.locator.layout
        for k in range(MAX_DISCS + self.arrivals):
            if self.lost_ms[k] < 0 or since(now_ms, self.lost_ms[k]) > FORGET_MS:
                continue
            gap_ms = since(now_ms, self.seen_ms[k])
            x = self.last_x[k] + self.speed_x[k] * gap_ms // 1000
            y = self.last_y[k] + self.speed_y[k] * gap_ms // 1000
            if k >= MAX_DISCS and max(self.birth_y[k - MAX_DISCS], self.last_y[k]) < FRONT_HMM:
                if self.forward[k - MAX_DISCS] > CAME_ON_HMM_S:
                    return True
            running = not near(self.speed_x[k], self.speed_y[k], RUNNING_HMM_S)
            if running and 0 < x < layout.WIDTH_HMM and ADDRESSED_HMM < y < OUT_OF_SIGHT_HMM:
                return True
        return False

    def end(self, now_ms):
        """At rest: gives every disc of the verdict frame the track that ended there; other tracks are lost."""
        self.join(now_ms)
        self.welcome(now_ms)
        self.note_lost(now_ms)

    # What became of them

    def was_shoved(self, k):
        """Whether track k came from the front edge: seen there first, or running away from the shover."""
        if k < MAX_DISCS:
            return False
        return self.birth_y[k - MAX_DISCS] < FRONT_HMM or self.ran(k - MAX_DISCS)

    def any_shoved(self):
        """Whether a disc came from the front edge and one ran, whatever became of it; its track may have been lost."""
        for a in range(self.arrivals):
            if self.ran(a):
                return self.came
        return False

    def went(self, k):
        """Where lost track k went, from where it was last seen and how fast."""
        layout = self.locator.layout
        x, y = self.last_x[k], self.last_y[k]
        vx, vy = self.speed_x[k], self.speed_y[k]
        far = layout.FIRST_LINE_HMM + layout.BEDS * layout.LINE_PITCH_HMM
        if vy > 2000 and y + vy // 20 > far:
            return FAR
        if vx < -2000 and x + vx // 20 < layout.SIDE_LINE_HMM:
            return SIDE
        if vx > 2000 and x + vx // 20 > layout.WIDTH_HMM - layout.SIDE_LINE_HMM:
            return SIDE
        if vy < -2000 and y + vy // 20 < ADDRESSED_HMM:
            return FRONT
        # about the last row of Halls a speed is mostly noise: what was shoved there and is lost has left over the end
        return FAR if y > far - LATE_HMM and self.was_shoved(k) else TAKEN

    def gone(self):
        """The track of a disc that was shoved and has left over the far end or a side; NOBODY if none.

        It must have come a long way: a disc that a hand lifts off seems to run for a moment, too.
        """
        for k in range(MAX_DISCS, MAX_DISCS + self.arrivals):
            way = self.last_y[k] - self.birth_y[k - MAX_DISCS]
            if self.lost_ms[k] >= 0 and way > LONG_WAY_HMM and self.was_shoved(k) and self.went(k) in (FAR, SIDE):
                return k
        return NOBODY
