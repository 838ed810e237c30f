"""Marks to light: what every pixel along the board's sides shows. The strip's colour order is green, red, blue."""

from hapenny.finding.tracks import WHOLE, Whole
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


class Pegs:
    """Renders the game into `pixels`: the right strip is the first side's, the left the second's.

    With more than two sides the right strip shows the side in turn, the left the one after it.
    """

    def __init__(self, layout):
        self.layout = layout
        self.pixels = bytearray(3 * layout.PIXELS)
        self.dark = bytes(len(self.pixels))
        count, pegs = layout.STRIP_PIXELS, layout.PEGS_PER_BED
        self.strips = [part(0, count), part(count, count)]
        self.places = [part(bed * pegs, pegs) for bed in range(layout.BEDS)]
        self.beds = [bytearray(3 * count), bytearray(3 * count)]  # what the marks alone look like on each strip
        self.drawn = bytearray()  # the marks there: only those that have changed are drawn
        self.targets = b""
        self.turn = -1
        full = row(FULL, pegs, pegs)
        self.rows = [[row(colour, lit, pegs) for lit in range(pegs + 1)] + [full] for colour in COLOURS]
        brightest = max(map(sum, (FULL, WHITE, ASKING, TROUBLE, WIN) + COLOURS))
        self.capped = brightest * layout.PIXELS * MA_A_STEP // 255 > layout.PIXELS_MAX_MA

    def render(self, scorer, now_ms, trouble):
        """Fills `pixels`; `trouble` is True while a fault stands."""
        state = scorer.game.state
        self.pixels[WHOLE] = self.dark
        sides, turn = len(state.players), -1 if state.winner >= 0 else state.seat
        whose = turn if sides > 2 else -1
        if state.targets != self.targets or whose != self.turn:
            self.turn = whose
            self.targets = bytes(state.targets)
            self.drawn = bytearray(len(self.targets) * b"\xff")  # more than a bed ever has
        for strip in range(2 if sides else 0):
            side = strip if whose < 0 else (turn + strip) % sides
            if state.marks != self.drawn:
                self.draw(state.marks, side * self.layout.BEDS, self.beds[strip], self.rows[strip])
            self.strip(scorer, state, strip, side, turn, now_ms)
        self.drawn[WHOLE] = state.marks
        if trouble and now_ms // BLINK_MS & 1:
            self.fill(self.layout.STRIP_PIXELS - 1, 1, TROUBLE)
        self.cap()

    def strip(self, scorer, state, strip, side, turn, now_ms):
        layout = self.layout
        if state.winner == side:
            self.chase(strip * layout.STRIP_PIXELS, now_ms)
            return
        beds, pegs = layout.BEDS, layout.PEGS_PER_BED
        self.pixels[self.strips[strip]] = self.beds[strip]
        first = strip * layout.STRIP_PIXELS
        if now_ms // BLINK_MS & 1:
            for bed in scorer.empty_beds():
                if bed:
                    self.fill(first + (bed - 1) * pegs, pegs, WHITE)
        status = first + beds * pegs
        if scorer.question != NO_QUESTION:
            self.ask(scorer, status, first, side == turn, now_ms)
        elif side == turn:
            self.fill(status, min(state.shoves, layout.STATUS_PIXELS), WHITE)

    def draw(self, marks, at, strip, rows):
        """Draws those beds of a side, the first is number `at`, whose marks have changed."""
        pegs = self.layout.PEGS_PER_BED
        for bed in self.places:
            up, target = marks[at], self.targets[at]
            if up != self.drawn[at]:
                lit = pegs + 1 if up >= target else (up * pegs + target - 1) // target
                strip[bed] = rows[lit if target else 0]
            at += 1

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


def part(first, count):
    """The slice of `count` pixels from `first` on, made once: a new one is an allocation."""
    return Whole()[3 * first : 3 * (first + count)]


def row(colour, lit, count):
    """The bytes of `count` pixels, the first `lit` of one colour."""
    red, green, blue = colour
    return bytes((green, red, blue)) * lit + bytes(3 * (count - lit))
