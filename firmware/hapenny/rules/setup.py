"""Setting up (RULES A): options as data, and what may be agreed."""

from hapenny.rules import events, handicap

# places in `state.opts`
PRESET, SHORT, WIDE, STACK, LIFTS, EXCESS, CLAIM, TOUCH, ORDER = 0, 1, 2, 3, 4, 5, 6, 7, 8
TARGET, BEDS, BEDS_HIGH, SHOVES, DOUBT, RECORD, TURNS = 9, 10, 11, 12, 13, 14, 15

PRESETS = ("encyclopedia", "pub", "darts", "progressive", "quick", "timed", "pushpenny")
ENCYCLOPEDIA, PUB, DARTS, PROGRESSIVE, QUICK, TIMED, PUSHPENNY = 0, 1, 2, 3, 4, 5, 6

# the least and the most of each option
LEAST = b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x01\x00\x00\x01"
MOST = b"\x06\x01\x01\x01\x01\x04\x01\x01\x02\x09\xff\x01\x09\x01\x01\xe3"

RETAKE, ONE_ATTEMPT = 0, 1
DEAD, UNSCORED = 0, 1
HEAP_VOID, REFEREE = 0, 1
OPPONENT, EACH, NEXT, NEEDIEST, CHOOSER = 0, 1, 2, 3, 4
UNTIL_FIFTH, UNTIL_RECORDED = 0, 1
GIVEN, NINE_BED, BULL = 0, 1, 2
ASK, NO_SCORE = 0, 1
AGREED = 128  # added to TURNS; without it the number is of an older journal, and holds in `timed` alone

# PRESET SHORT WIDE STACK LIFTS EXCESS CLAIM TOUCH ORDER TARGET BEDS HIGH SHOVES DOUBT RECORD TURNS
USUAL = b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\xff\x01\x05\x00\x00\x0a"
FRIENDLY = (events.START, b"\x01\x01", USUAL, b"\x80\x80", b"")  # two players, encyclopedia, nothing special


def change(opts, pairs):
    """Write pairs of place and value into `opts`."""
    for i in range(0, len(pairs), 2):
        opts[pairs[i]] = pairs[i + 1]


def in_play(opts, bed):
    """Whether bed index `bed` (0 to 8) is in play."""
    return (opts[BEDS] | opts[BEDS_HIGH] << 8) >> bed & 1


def turns(opts):
    """Turns a side, 0 until won."""
    if opts[PRESET] == TIMED or opts[TURNS] >= AGREED:
        return opts[TURNS] % AGREED
    return 0


def problem(players, opts, handicaps, given):
    """Why no such match can be played, a word of `desktop/agree.SENTENCES`, or ''."""
    sides = len(players)
    if not 2 <= sides <= 8 or any([p not in (1, 2) for p in players]) or len(handicaps) != sides:
        return "sides"
    return bad_options(opts, sides) or handicap.problem(sides, opts, handicaps, given)


def bad_options(opts, sides):
    if len(opts) != len(MOST) or any([not LEAST[i] <= opts[i] <= MOST[i] for i in range(len(MOST))]):
        return "range"
    if opts[TURNS] % AGREED > 99 or (opts[PRESET] == TIMED and not turns(opts)):
        return "turns"
    if not opts[BEDS] and not opts[BEDS_HIGH]:
        return "beds"
    if opts[PRESET] in (ENCYCLOPEDIA, PROGRESSIVE, QUICK, PUSHPENNY) and sides != 2:
        return "two"
    if opts[CLAIM] and opts[EXCESS] not in (OPPONENT, EACH):
        return "claim"
    if opts[ORDER] == (NINE_BED if opts[PRESET] == DARTS else BULL):
        return "order"
    return ""
