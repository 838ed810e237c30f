"""Marks to light: what every pixel along the board's sides shows. The strip's colour order is green, red, blue."""

from hapenny.scorer import CLEAR_FIRST, DECIDE, NO_QUESTION

# (red, green, blue), before the power cap
COLOURS = ((60, 26, 0), (0, 30, 60))  # first and second side: amber, blue
FULL = (0, 60, 8)  # a bed that is filled
WHITE = (34, 34, 28)  # shoves left
ASKING = (90, 34, 0)
TROUBLE = (60, 0, 0)
WIN = (0, 110, 20)
OFF = (0, 0, 0)
BLINK_MS = 400
CHASE_MS = 80
MA_A_STEP = 20  # of one colour at 255: 20 mA


class Whole:
    """`Whole()[:]` is the slice that names all of a buffer."""

    def __getitem__(self, key):
        return key


class Pegs:
    """Renders the game into `pixels`: the right strip is the first side's, the left the second's.

    With more than two sides the right strip shows the side in turn, the left the one after it.
    """

    def __init__(self, layout):
        self.layout = layout
        self.pixels = bytearray(3 * layout.PIXELS)
        self.dark = bytes(len(self.pixels))
        self.whole = Whole()[:]  # one slice for ever: a new one is an allocation, a loop over the strip a millisecond

    def render(self, scorer, now_ms, trouble):
        """Fills `pixels`; `trouble` is True while a fault stands."""
        state = scorer.game.state
        self.pixels[self.whole] = self.dark
        if state.sides:
            for strip in range(2):
                self.strip(scorer, state, strip, self.side_on(state, strip), now_ms)
        if trouble and now_ms // BLINK_MS & 1:
            self.put(self.layout.STRIP_PIXELS - 1, TROUBLE)
        self.cap()

    def side_on(self, state, strip):
        """Which side a strip shows."""
        if state.sides <= 2 or state.turn < 0:
            return strip
        return (state.turn + strip) % state.sides

    def strip(self, scorer, state, strip, side, now_ms):
        layout = self.layout
        first = strip * layout.STRIP_PIXELS
        if state.winner == side:
            self.chase(first, now_ms)
            return
        for bed in range(layout.BEDS):
            marks = state.marks[side * layout.BEDS + bed]
            target = state.targets[side * layout.BEDS + bed]
            if not target:
                continue
            lit = (marks * layout.PEGS_PER_BED + target - 1) // target
            for peg in range(min(lit, layout.PEGS_PER_BED)):
                self.put(first + bed * layout.PEGS_PER_BED + peg, FULL if marks >= target else COLOURS[strip])
        for bed in scorer.empty_beds():
            if bed and now_ms // BLINK_MS & 1:
                for peg in range(layout.PEGS_PER_BED):
                    self.put(first + (bed - 1) * layout.PEGS_PER_BED + peg, WHITE)
        status = first + layout.BEDS * layout.PEGS_PER_BED
        if scorer.question != NO_QUESTION:
            self.ask(scorer, status, first, side == state.turn, now_ms)
        elif side == state.turn:
            for k in range(min(state.shoves_left, layout.STATUS_PIXELS)):
                self.put(status + k, WHITE)

    def ask(self, scorer, status, first, in_turn, now_ms):
        """Both status rows blink; in a doubt the bed in question blinks too."""
        if now_ms // BLINK_MS & 1:
            return
        for k in range(self.layout.STATUS_PIXELS):
            self.put(status + k, TROUBLE if scorer.question == CLEAR_FIRST else ASKING)
        if scorer.question == DECIDE and in_turn:
            bed = scorer.doubtful_bed()
            for peg in range(self.layout.PEGS_PER_BED):
                if bed:
                    self.put(first + (bed - 1) * self.layout.PEGS_PER_BED + peg, ASKING)

    def chase(self, first, now_ms):
        for k in range(self.layout.STRIP_PIXELS):
            if (k + now_ms // CHASE_MS) % 4:
                self.put(first + k, WIN)

    def put(self, pixel, colour):
        at = 3 * pixel
        self.pixels[at] = colour[1]
        self.pixels[at + 1] = colour[0]
        self.pixels[at + 2] = colour[2]

    def cap(self):
        """Never more current than the supply has for the pegs."""
        ma = sum(self.pixels) * MA_A_STEP // 255
        if ma > self.layout.PIXELS_MAX_MA:
            for k in range(len(self.pixels)):
                self.pixels[k] = self.pixels[k] * self.layout.PIXELS_MAX_MA // ma
