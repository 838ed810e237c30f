"""Where a disc lies, from its position alone: a bed, a line, or none of them (hundredths of a millimetre)."""

from hapenny.layout import (
    BEDS,
    DISC_DIAMETER_HMM,
    DISC_RADIUS_HMM,
    FIRST_LINE_HMM,
    LENGTH_HMM,
    LINE_PITCH_HMM,
    LINE_WIDTH_HMM,
    SIDE_LINE_HMM,
    WIDTH_HMM,
)

# verdicts; 1 to 9 are the beds themselves
LINE = 10
WIDE = 11
SHORT = 12
OVER = 13
STACKED = 14
LIFTED = 15
DOUBTED = 16
OFF = 17
VERDICTS = (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, "line", "wide", "short", "over", "stacked", "lift", "doubt", "off")

CLEAR_HMM = DISC_RADIUS_HMM + LINE_WIDTH_HMM // 2  # a centre this far from a line clears its groove
LAST_LINE_HMM = FIRST_LINE_HMM + BEDS * LINE_PITCH_HMM
OVER_HMM = LAST_LINE_HMM + CLEAR_HMM
SHORT_HMM = FIRST_LINE_HMM - CLEAR_HMM
LEFT_HMM = SIDE_LINE_HMM + CLEAR_HMM
RIGHT_HMM = WIDTH_HMM - SIDE_LINE_HMM - CLEAR_HMM
APART_HMM = DISC_DIAMETER_HMM - 2  # two discs side by side may be read this much too close
NINE_HMM = 2 * LAST_LINE_HMM - LINE_PITCH_HMM  # twice the middle of bed 9


def bed_of(y):
    """The bed (1 to 9) in which a centre at `y` lies, 0 if in none."""
    bed = (y - FIRST_LINE_HMM) // LINE_PITCH_HMM + 1
    return bed if 1 <= bed <= BEDS else 0


def verdict(x, y):
    """What the position alone says of a disc: OVER, SHORT, WIDE, LINE or its bed."""
    if y >= OVER_HMM:
        return OVER
    if y <= SHORT_HMM:
        return SHORT
    if x < LEFT_HMM or x > RIGHT_HMM:
        return WIDE
    y -= FIRST_LINE_HMM
    above = y % LINE_PITCH_HMM
    return y // LINE_PITCH_HMM + 1 if CLEAR_HMM <= above <= LINE_PITCH_HMM - CLEAR_HMM else LINE


def on_first_line(y):
    """Whether a disc centred at `y` touches the groove of the first line."""
    return -CLEAR_HMM < y - FIRST_LINE_HMM < CLEAR_HMM


def on_board(x, y):
    return 0 <= x <= WIDTH_HMM and 0 <= y <= LENGTH_HMM


def overlap(a, b):
    """Whether discs `a` and `b` are too close to lie side by side."""
    dx, dy = a[0] - b[0], a[1] - b[1]
    if not (-APART_HMM < dx < APART_HMM and -APART_HMM < dy < APART_HMM):
        return False
    return dx * dx + dy * dy < APART_HMM * APART_HMM


def from_nine(y):
    """Twice the distance of `y` from the middle of bed 9."""
    return abs(2 * y - NINE_HMM)


def settle(x, y, wanted, reach=60):
    """The position nearest to (x, y), within `reach`, whose verdict is `wanted`; (x, y) itself if there is none.

    For a board whose line light is surer than its position: what it sends then means the same everywhere.
    """
    for step in range(reach + 1):
        for nx, ny in ((x, y + step), (x, y - step), (x + step, y), (x - step, y)):
            if verdict(nx, ny) == wanted:
                return nx, ny
    return x, y
