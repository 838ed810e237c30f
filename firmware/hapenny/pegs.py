"""Marks to light: what every pixel along the board's sides shows. The strip's colour order is green, red, blue."""

from hapenny.scorer import CLEAR_FIRST, DECIDE, NO_QUESTION
from hapenny.tracks import WHOLE

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


class Pegs:
    """Renders the game into `pixels`: the right strip is the first side's, the left the second's.

    With more than two sides the right strip shows the side in turn, the left the one after it.
    """

    def __init__(self, layout):
        self.layout = layout
        self.pixels = bytearray(3 * layout.PIXELS)
        self.dark = bytes(len(self.pixels))

    def render(self, scorer, now_ms, trouble):
        """Fills `pixels`; `trouble` is True while a fault stands."""
        state = scorer.game.state
        self.pixels[WHOLE] = self.dark
        if state.sides:
            for strip in range(2):
                self.strip(scorer, state, strip, self.side_on(state, strip), now_ms)
        if trouble and now_ms // BLINK_MS & 1:
            self.fill(self.layout.STRIP_PIXELS - 1, 1, TROUBLE)
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
        pegs, at = layout.PEGS_PER_BED, first
        for bed in range(side * layout.BEDS, (side + 1) * layout.BEDS):
            marks = state.marks[bed]
            if marks and state.targets[bed]:
                target = state.targets[bed]
                full = marks >= target
                self.fill(at, pegs if full else (marks * pegs + target - 1) // target, FULL if full else COLOURS[strip])
            at += pegs
        if now_ms // BLINK_MS & 1:
            for bed in scorer.empty_beds():
                if bed:
                    self.fill(first + (bed - 1) * pegs, pegs, WHITE)
        status = at
        if scorer.question != NO_QUESTION:
            self.ask(scorer, status, first, side == state.turn, now_ms)
        elif side == state.turn:
            self.fill(status, min(state.shoves_left, layout.STATUS_PIXELS), WHITE)

    def ask(self, scorer, status, first, in_turn, now_ms):
        """Both status rows blink; in a doubt the bed in question blinks too."""
        if now_ms // BLINK_MS & 1:
            return
        self.fill(status, self.layout.STATUS_PIXELS, TROUBLE if scorer.question == CLEAR_FIRST else ASKING)
        if scorer.question == DECIDE and in_turn:
            bed = scorer.doubtful_bed()
            if bed:
                pegs = self.layout.PEGS_PER_BED
                self.fill(first + (bed - 1) * pegs, pegs, ASKING)

    def chase(self, first, now_ms):
        for k in range(self.layout.STRIP_PIXELS):
            if (k + now_ms // CHASE_MS) % 4:
                self.fill(first + k, 1, WIN)

    def fill(self, first, count, colour):
        """Gives pixels one colour."""
        red, green, blue = colour
        pixels = self.pixels
        for at in range(3 * first, 3 * (first + count), 3):
            pixels[at] = green
            pixels[at + 1] = red
            pixels[at + 2] = blue

    def cap(self):
        """Never more current than the supply has for the pegs."""
        ma = sum(self.pixels) * MA_A_STEP // 255
        if ma > self.layout.PIXELS_MAX_MA:
            for k in range(len(self.pixels)):
                self.pixels[k] = self.pixels[k] * self.layout.PIXELS_MAX_MA // ma
