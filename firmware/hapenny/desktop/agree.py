"""Agreeing on a match in words: presets, options by name, the events they become."""

from hapenny.rules import events, handicap, setup
from hapenny.rules.setup import PRESETS

# option: (place, values by name or the lowest and highest number)
CHOICES = {
    "short": (setup.SHORT, ("retake", "one_attempt")),
    "wide": (setup.WIDE, ("dead", "unscored")),
    "stack": (setup.STACK, ("void", "referee")),
    "lifts": (setup.LIFTS, (False, True)),
    "excess": (setup.EXCESS, ("opponent", "each", "next", "neediest", "chooser")),
    "claim": (setup.CLAIM, ("auto", "claim")),
    "touch_window": (setup.TOUCH, ("until_fifth", "until_recorded")),
    "order": (setup.ORDER, ("given", "nine_bed", "bull")),
    "target": (setup.TARGET, (1, 9)),
    "beds": (setup.BEDS, ()),
    "shoves": (setup.SHOVES, (1, 9)),
    "doubt": (setup.DOUBT, ("ask", "no_score")),
    "turns": (setup.TURNS, (0, 99)),
}
DISC_ONLY = ("short", "wide", "stack", "lifts", "touch_window", "doubt")

# what `setup.problem` has against a match
SENTENCES = {
    "sides": "a match needs 2 to 8 sides of one or two players, and a handicap (or none) for each",
    "range": "an option is out of range",
    "turns": "a match has at most 99 turns a side, a timed one at least 1",
    "beds": "option beds must name at least one bed",
    "two": "this preset is for exactly two sides",
    "claim": "claim = claim goes with excess = opponent or each only",
    "order": "order = bull is for darts, order = nine_bed for discs",
    "handicap": "a handicap is 1 to 12, a plus 1 to 9",
    "timed": "a timed game knows neither plus nor marks to start with",
    "marks": "the marks to start with name a side that does not play",
    "target": "the marks to start with are more than the target",
    "won": "a side would have won before the start",
}

DEFAULTS = (
    setup.USUAL,
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
    usual = DEFAULTS[PRESETS.index(preset)]
    opts = bytearray(usual)
    setup.change(opts, options_bytes(options or {}))
    if setup.turns(opts) == setup.turns(usual):  # two ways to write one number
        opts[setup.TURNS] = usual[setup.TURNS]
    opts[setup.RECORD] = 1 if explicit else 0
    codes = bytes([128 + h for h in handicaps or [0] * len(players)])
    event = (events.START, bytes(players), bytes(opts), codes, handicap.pack_marks(marks or {}))
    word = setup.problem(*event[1:])
    wrong = SENTENCES[word] if word else misfit(opts[setup.PRESET], options or {})
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
            out.extend(bytes([setup.BEDS, mask & 255, setup.BEDS_HIGH, mask >> 8]))
        else:
            out.extend(bytes([place, option_value(name, changes[name], values)]))
    return bytes(out)


def option_value(name, value, values):
    if name in ("target", "shoves", "turns"):
        if isinstance(value, bool) or not isinstance(value, int) or not values[0] <= value <= values[1]:
            raise ValueError("option %s must be a whole number from %d to %d" % (name, values[0], values[1]))
        return value + setup.AGREED if name == "turns" else value
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


def misfit(preset, names):
    """Why an option named does not belong to a preset, or ''."""
    for name in sorted(names):
        if preset == setup.DARTS and name in DISC_ONLY:
            return "option %s has no meaning in darts" % name
    return ""
