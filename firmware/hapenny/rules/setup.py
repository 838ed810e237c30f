"""Setting up (RULES A): presets, options as data, and what may be agreed."""

from hapenny.rules import events, handicap

# places in `state.opts`
PRESET, SHORT, WIDE, STACK, LIFTS, EXCESS, CLAIM, TOUCH, ORDER = 0, 1, 2, 3, 4, 5, 6, 7, 8
TARGET, BEDS, BEDS_HIGH, SHOVES, DOUBT, RECORD, TURNS = 9, 10, 11, 12, 13, 14, 15

PRESETS = ("encyclopedia", "pub", "darts", "progressive", "quick", "timed", "pushpenny")
ENCYCLOPEDIA, PUB, DARTS, PROGRESSIVE, QUICK, TIMED, PUSHPENNY = 0, 1, 2, 3, 4, 5, 6

# option: (place, values by name or the lowest and highest number)
CHOICES = {
    "short": (SHORT, ("retake", "one_attempt")),
    "wide": (WIDE, ("dead", "unscored")),
    "stack": (STACK, ("void", "referee")),
    "lifts": (LIFTS, (False, True)),
    "excess": (EXCESS, ("opponent", "each", "next", "neediest", "chooser")),
    "claim": (CLAIM, ("auto", "claim")),
    "touch_window": (TOUCH, ("until_fifth", "until_recorded")),
    "order": (ORDER, ("given", "nine_bed", "bull")),
    "target": (TARGET, (1, 9)),
    "beds": (BEDS, ()),
    "shoves": (SHOVES, (1, 9)),
    "doubt": (DOUBT, ("ask", "no_score")),
    "turns": (TURNS, (1, 99)),
}
RETAKE, ONE_ATTEMPT = 0, 1
DEAD, UNSCORED = 0, 1
HEAP_VOID, REFEREE = 0, 1
OPPONENT, EACH, NEXT, NEEDIEST, CHOOSER = 0, 1, 2, 3, 4
UNTIL_FIFTH, UNTIL_RECORDED = 0, 1
GIVEN, NINE_BED, BULL = 0, 1, 2
ASK, NO_SCORE = 0, 1
DISC_ONLY = ("short", "wide", "stack", "lifts", "touch_window", "doubt")

# PRESET SHORT WIDE STACK LIFTS EXCESS CLAIM TOUCH ORDER TARGET BEDS HIGH SHOVES DOUBT RECORD TURNS
DEFAULTS = (
    b"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x03\xff\x01\x05\x00\x00\x0a",
    b"\x01\x01\x01\x01\x01\x01\x00\x01\x01\x03\xff\x01\x05\x00\x00\x0a",
    b"\x02\x00\x00\x00\x00\x02\x00\x00\x02\x03\xff\x01\x03\x00\x00\x0a",
    b"\x03\x00\x00\x00\x00\x00\x00\x00\x00\x03\xff\x01\x05\x00\x00\x0a",
    b"\x04\x00\x00\x00\x00\x00\x00\x00\x00\x01\xff\x01\x05\x00\x00\x0a",
    b"\x05\x00\x00\x00\x00\x00\x00\x00\x00\x03\xff\x01\x05\x00\x00\x0a",
    b"\x06\x00\x00\x00\x00\x00\x00\x00\x00\x03\xff\x01\x03\x00\x00\x0a",
)


def start(preset, players, options=None, handicaps=None, marks=None, explicit=False):
    """The event that begins a match; ValueError with one sentence if such a match cannot be.

    `players`: how many (1 or 2) on each side; `handicaps`: per side 0, +N for handicap N or -N for plus N;
    `marks`: {side: nine marks} already up; `explicit`: the score is recorded by hand.
    """
    if preset not in PRESETS:
        raise ValueError("there is no preset " + str(preset))
    opts = bytearray(DEFAULTS[PRESETS.index(preset)])
    change(opts, options_bytes(options or {}))
    opts[RECORD] = 1 if explicit else 0
    codes = bytes([128 + h for h in handicaps or [0] * len(players)])
    event = (events.START, bytes(players), bytes(opts), codes, handicap.pack_marks(marks or {}))
    wrong = problem(*event[1:]) or misfit(opts[PRESET], options or {})
    if wrong:
        raise ValueError(wrong)
    return event


def options(changes):
    """The event that changes options before play; ValueError for an unknown option or value."""
    return (events.OPTIONS, options_bytes(changes))


def options_bytes(changes):
    """Options by name as pairs of place and value."""
    out = bytearray()
    for name in sorted(changes):
        if name not in CHOICES:
            raise ValueError("there is no option " + name)
        place, values = CHOICES[name]
        if name == "beds":
            mask = beds_mask(changes[name])
            out.extend(bytes([BEDS, mask & 255, BEDS_HIGH, mask >> 8]))
        else:
            out.extend(bytes([place, option_value(name, changes[name], values)]))
    return bytes(out)


def option_value(name, value, values):
    if name in ("target", "shoves", "turns"):
        if isinstance(value, bool) or not isinstance(value, int) or not values[0] <= value <= values[1]:
            raise ValueError("option %s must be a whole number from %d to %d" % (name, values[0], values[1]))
        return value
    if isinstance(value, bool) != (name == "lifts") or value not in values:
        raise ValueError("option %s must be one of %s" % (name, ", ".join([str(v) for v in values])))
    return values.index(value)


def beds_mask(beds):
    """Beds in play as a bitmask, from their numbers."""
    mask = 0
    for bed in beds:
        if isinstance(bed, bool) or not isinstance(bed, int) or not 1 <= bed <= 9 or mask >> (bed - 1) & 1:
            raise ValueError("option beds must name beds 1 to 9, each once")
        mask |= 1 << (bed - 1)
    if not mask:
        raise ValueError("option beds must name at least one bed")
    return mask


def change(opts, pairs):
    """Write pairs of place and value into `opts`."""
    for i in range(0, len(pairs), 2):
        opts[pairs[i]] = pairs[i + 1]


def in_play(opts, bed):
    """Whether bed index `bed` (0 to 8) is in play."""
    return (opts[BEDS] | opts[BEDS_HIGH] << 8) >> bed & 1


def misfit(preset, names):
    """Why an option named does not belong to a preset, or ''."""
    for name in sorted(names):
        if preset == DARTS and name in DISC_ONLY:
            return "option %s has no meaning in darts" % name
        if preset != TIMED and name == "turns":
            return "option turns belongs to preset timed"
    return ""


def problem(players, opts, handicaps, given):
    """Why no such match can be played, in one sentence, or ''."""
    sides = len(players)
    if not 2 <= sides <= 8 or any(p not in (1, 2) for p in players) or len(handicaps) != sides:
        return "a match needs 2 to 8 sides of one or two players"
    return bad_options(opts, sides) or handicap.problem(sides, opts, handicaps, given)


def bad_options(opts, sides):
    if len(opts) != 16 or opts[PRESET] >= len(PRESETS) or opts[RECORD] > 1 or opts[BEDS_HIGH] > 1:
        return "the options are damaged"
    for name in CHOICES:
        place, values = CHOICES[name]
        low, high = values if name in ("target", "shoves", "turns") else (0, len(values) - 1)
        if name != "beds" and not low <= opts[place] <= high:
            return "option %s is out of range" % name
    if not opts[BEDS] and not opts[BEDS_HIGH]:
        return "option beds must name at least one bed"
    if opts[PRESET] in (ENCYCLOPEDIA, PROGRESSIVE, QUICK, PUSHPENNY) and sides != 2:
        return "preset %s is for exactly two sides" % PRESETS[opts[PRESET]]
    if opts[CLAIM] and opts[EXCESS] not in (OPPONENT, EACH):
        return "claim = claim goes with excess = opponent or each only"
    if opts[ORDER] == (NINE_BED if opts[PRESET] == DARTS else BULL):
        return "order = bull is for darts, order = nine_bed for discs"
    return ""
