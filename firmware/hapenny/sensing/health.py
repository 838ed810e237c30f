"""Which sensors are not to be trusted, and what that means for the board: looked at with every tare."""

from hapenny.sensing.scan import RAIL_UT

LOW_Q4 = 60 * 16  # a Hall's code below or above this is a broken wire or a dead sensor
HIGH_Q4 = 4035 * 16
OFF_Q4 = 160 * 16  # a zero further from mid-rail than any sensor's tolerance: stuck, or steel beside it
HUNG = 12  # Halls of a row that have not changed at all within a verdict: its multiplexer or cable (by chance 1 of 20)
FROZEN = 3  # this many readings in a row, to the last bit the same
DIM = 3  # a segment that has lost a quarter of its bare reading (DIM / 4) is dirty
LEAST_BARE_Q4 = 12 * 16  # one that shows less is blocked or its emitter is dead
STEP_UT = 60  # all Halls together: steel or a magnet came near, or the table was moved
NEAR_HMM = 3500

GOOD = 0
DEAD = 1
STUCK = 2
FROZE = 3
DIRTY = 4
BLOCKED = 5
WORDS = ("good", "dead", "stuck", "frozen", "dirty", "blocked")


class Health:
    """State of every channel: Halls first, then segments; faulty ones are left out of what is fitted and judged."""

    def __init__(self, layout, calibration):
        self.layout = layout
        self.calibration = calibration
        self.state = bytearray(layout.HALLS + layout.LIGHTS)
        self.same = bytearray(layout.HALLS)
        self.last = calibration.kernels.places(layout.HALLS)  # low 16 bits of each sum of codes
        self.bare = calibration.kernels.places(layout.LIGHTS)  # the reading of a clean bare segment
        self.known = False
        self.hung = 0  # rows of Halls (a bit each) that hang at what they read
        self.blind = 0  # a Hall left out beside another: near both every disc is a doubt (the locator's DEGRADED)

    def look(self, halls, passes, lit, dark, pairs):
        """A bare board: judges every channel, before the tare takes its readings; returns how many are faulty."""
        self.blind = 0
        for k in range(self.layout.HALLS):
            self.state[k] = GOOD
            self.calibration.take_in(k)
            self._leave_out(k, self._hall(k, int(halls[k]) * 16 // passes, int(halls[k])))
        for s in range(self.layout.LIGHTS):
            at = self.layout.HALLS + s
            self.state[at] = self._segment(s, self.calibration.signal(lit, dark, pairs, s))
            self.calibration.usable[s] = self.state[at] == GOOD
        self.known = True
        return len(self.report())

    def hang(self, field, early):
        """Leaves rows of Halls out that have not changed from the first quarter of a verdict to its last."""
        layout = self.layout
        first = self.hung = 0
        while first < layout.HALLS:  # a range with a step would be an allocation
            last = min(first + layout.HALLS_PER_BED, layout.HALLS)
            alike = 0
            for k in range(first, last):
                alike += field[k] == early[k]
            if alike >= HUNG:
                self.hung |= 1 << first // layout.HALLS_PER_BED
                for k in range(first, last):
                    self._leave_out(k, FROZE)
            first = last

    def rail(self, field):
        """Leaves Halls out that are at a rail, where no magnet of ours brings them; if most are, that is no frame."""
        railed = [k for k in range(self.layout.HALLS) if abs(field[k]) >= RAIL_UT]
        if len(railed) < self.layout.HALLS // 2:
            for k in railed:
                self._leave_out(k, DEAD)

    def _leave_out(self, k, why):
        """Hall k, so far good, is left out, if there is a reason; is another one near it that is?"""
        if self.state[k] or not why:
            return
        self.state[k] = why
        self.calibration.leave_out(k)
        x, y = self.layout.HALL_X_HMM, self.layout.HALL_Y_HMM
        for j in range(k):
            if self.state[j] and abs(x[j] - x[k]) < NEAR_HMM and abs(y[j] - y[k]) < NEAR_HMM:
                self.blind = k

    def check(self, halls, lit, dark):
        """ValueError if a frame that came from elsewhere is not one of this layout; a board's own always is."""
        layout = self.layout
        if len(halls) != layout.HALLS or len(lit) != layout.LIGHTS or len(dark) != layout.LIGHTS:
            raise ValueError("the frame has %d Halls and %d segments: not of this board" % (len(halls), len(lit)))

    def _hall(self, k, code_q4, total):
        total &= 0xFFFF
        self.same[k] = min(250, self.same[k] + 1) if self.known and total == int(self.last[k]) else 0
        self.last[k] = total
        if not LOW_Q4 <= code_q4 <= HIGH_Q4:
            return DEAD
        if self.same[k] >= FROZEN or self.hung >> k // self.layout.HALLS_PER_BED & 1:
            return FROZE
        if abs(code_q4 - 32768) >= OFF_Q4:
            return STUCK
        return GOOD

    def _segment(self, s, signal_q4):
        if signal_q4 < LEAST_BARE_Q4:
            return BLOCKED
        if signal_q4 * 4 < int(self.bare[s]) * DIM or (self.bare[s] and signal_q4 > int(self.bare[s]) * 2):
            return DIRTY
        if signal_q4 > self.bare[s]:
            self.bare[s] = signal_q4
        return GOOD

    def moved(self, level_ut):
        """Did all Halls step together since the tare? Then tare again, and score nothing."""
        return abs(level_ut) > STEP_UT

    def text(self):
        """One line for a status: ok, where nothing is called, or the first faulty channel; and how many more."""
        faulty = self.report()
        if not faulty:
            return "ok"
        near = self.name(self.blind)
        if self.hung:
            near = near[near.index(" of ") + 4 :]
        text = "no call near " + near if self.blind else "%s %s" % faulty[0]
        return text if len(faulty) == 1 else "%s, %d sensors out" % (text, len(faulty))

    def report(self):
        """(channel's name, what is wrong) of every faulty channel."""
        return [(self.name(at), WORDS[self.state[at]]) for at in range(len(self.state)) if self.state[at] != GOOD]

    def name(self, at):
        """A channel as a person finds it; all are counted from the left, beds and lines from the front."""
        layout = self.layout
        if at < layout.BED_HALLS:
            return "Hall %d of bed %d" % (at % layout.HALLS_PER_BED + 1, at // layout.HALLS_PER_BED + 1)
        if at < layout.HALLS:
            return "Hall %d of the approach row" % (at - layout.BED_HALLS + 1)
        s = at - layout.HALLS
        return "segment %d of line %d" % (s % layout.LIGHTS_PER_LINE + 1, s // layout.LIGHTS_PER_LINE + 1)
