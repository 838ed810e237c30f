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
        brightest = max(map(sum, (FULL, WHITE, ASKING, TROUBLE, WIN) + COLOURS))
        self.capped = brightest * layout.PIXELS * MA_A_STEP // 255 > layout.PIXELS_MAX_MA

    def render(self, scorer, now_ms, trouble):
        """Fills `pixels`; `trouble` is True while a fault stands."""
        state = scorer.game.state
        self.pixels[WHOLE] = self.dark
        sides, turn = len(state.players), -1 if state.winner >= 0 else state.seat
        if sides:
            for strip in range(2):
                side = strip if sides <= 2 or turn < 0 else (turn + strip) % sides
                self.strip(scorer, state, strip, side, turn, now_ms)
        if trouble and now_ms // BLINK_MS & 1:
            self.fill(self.layout.STRIP_PIXELS - 1, 1, TROUBLE)
        self.cap()

    def strip(self, scorer, state, strip, side, turn, now_ms):
        layout = self.layout
        first = strip * layout.STRIP_PIXELS
        if state.winner == side:
            self.chase(first, now_ms)
            return
        beds, pegs = layout.BEDS, layout.PEGS_PER_BED
        status = first
        for bed in range(side * beds, (side + 1) * beds):
            marks = state.marks[bed]
            if marks and state.targets[bed]:
                target = state.targets[bed]
                full = marks >= target
                lit = pegs if full else (marks * pegs + target - 1) // target
                self.fill(status, lit, FULL if full else COLOURS[strip])
            status += pegs
        if now_ms // BLINK_MS & 1:
            for bed in scorer.empty_beds():
                if bed:
                    self.fill(first + (bed - 1) * pegs, pegs, WHITE)
        if scorer.question != NO_QUESTION:
            self.ask(scorer, status, first, side == turn, now_ms)
        elif side == turn:
            self.fill(status, min(state.shoves, layout.STATUS_PIXELS), WHITE)

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
        if not self.capped:
            return
        ma = sum(self.pixels) * MA_A_STEP // 255
        if ma > self.layout.PIXELS_MAX_MA:
            for k in range(len(self.pixels)):
                self.pixels[k] = self.pixels[k] * self.layout.PIXELS_MAX_MA // ma
