"""Everything that can happen in a match: constructors, and the few bytes that journal and wire carry."""

from hapenny.rules import handicap

START, SHOVE, ATTEMPT, RETAKE, TOUCH, CLEAR, RECORD, DAMP = 1, 2, 3, 4, 5, 6, 7, 8
INTERFERE, CHOOSE, CLAIM, GIVE, DECIDE, OVERRULE, CORRECT = 9, 10, 11, 12, 13, 14, 15
UNDO, OPTIONS, NINE, DART, POWER_CUT = 16, 17, 18, 19, 20

IN_TURN = -1  # `by`: whoever is in turn
LIFT, DOUBT = 1, 2  # flags of a disc
REPLAY, REPLACE, PLACE = 0, 1, 2  # choices
MARKS, WINNER, VOID = 0, 1, 2  # ways to overrule
OUTER, BULL = 25, 50  # darts beside 0 (a miss) and 1..20

# The shape of each kind after its number: one letter a field.
#   p player (or IN_TURN)   n small number   w number to 65535   b bytes   d discs   D discs or None   h hits or None
SHAPES = {
    START: "bbbb",
    SHOVE: "pdhn",
    ATTEMPT: "p",
    RETAKE: "",
    TOUCH: "pD",
    CLEAR: "",
    RECORD: "",
    DAMP: "p",
    INTERFERE: "d",
    CHOOSE: "nn",
    CLAIM: "pn",
    GIVE: "pn",
    DECIDE: "nn",
    OVERRULE: "nb",
    CORRECT: "wd",
    UNDO: "",
    OPTIONS: "b",
    NINE: "pdhn",
    DART: "pnn",
    POWER_CUT: "",
}
MAX_DISCS = 15
FLAGGED = 0x40  # in the count of discs: each carries its flags
NONE = 255  # stands for None in a count, and for IN_TURN


def disc(x, y, on=0, lift=False, doubt=False):
    """A disc at rest; `on` is a bitmask of the discs it lies on (bit 0: the first listed)."""
    return (x, y, (LIFT if lift else 0) | (DOUBT if doubt else 0), on)


def listed(discs):
    return tuple([d if len(d) == 4 else (d[0], d[1], 0, 0) for d in discs])


def shove(discs, by=IN_TURN, hit=None, gone=False):
    """One disc shoved, all at rest; `hit` are numbers in the list before, None to go by what moved."""
    return (SHOVE, by, listed(discs), None if hit is None else tuple(hit), 1 if gone else 0)


def nine(discs, by=IN_TURN, hit=None, gone=False):
    return (NINE, by, listed(discs), None if hit is None else tuple(hit), 1 if gone else 0)


def attempt(by=IN_TURN):
    return (ATTEMPT, by)


def retake():
    return (RETAKE,)


def touch(by=IN_TURN, discs=None):
    return (TOUCH, by, None if discs is None else listed(discs))


def clear():
    return (CLEAR,)


def record():
    return (RECORD,)


def damp(by):
    return (DAMP, by)


def interfere(discs):
    return (INTERFERE, listed(discs))


def choose(choice, place=0):
    return (CHOOSE, ("replay", "replace", "place").index(choice), place)


def claim(by, bed):
    return (CLAIM, by, bed)


def give(to, bed):
    return (GIVE, to, bed)


def decide(number, scores):
    return (DECIDE, number, 1 if scores else 0)


def overrule_marks(marks):
    """`marks`: {side: nine totals}."""
    return (OVERRULE, MARKS, handicap.pack_marks(marks))


def overrule_winner(side):
    return (OVERRULE, WINNER, bytes([side]))


def overrule_void():
    return (OVERRULE, VOID, b"")


def correct(turn_no, discs):
    return (CORRECT, turn_no, listed(discs))


def undo():
    return (UNDO,)


def dart(hit, by=IN_TURN):
    """`hit`: "7", "D7", "T7", "bull", "outer", "20" or "miss"; ValueError for anything else."""
    if hit in ("bull", "outer", "miss"):
        return (DART, by, {"bull": BULL, "outer": OUTER, "miss": 0}[hit], 1)
    times = 1 if hit[:1] not in ("D", "T") else "-DT".index(hit[0]) + 1
    digits = hit[1:] if times > 1 else hit
    if not (digits and len(digits) < 3 and all("0" <= c <= "9" for c in digits) and 1 <= int(digits) <= 20):
        raise ValueError("no such dart: " + hit)
    if digits[0] == "0":
        raise ValueError("no such dart: " + hit)
    return (DART, by, int(digits), times)


def power_cut():
    return (POWER_CUT,)


def encode(event):
    """The bytes of `event`, a checksum last; ValueError if a number in it is out of range."""
    out = body(event)
    put_word(out, crc16(out))
    return bytes(out)


def body(event):
    """The bytes of `event` without a checksum."""
    shape = SHAPES[event[0]]
    if len(event) != len(shape) + 1:
        raise ValueError("wrong number of fields")
    out = bytearray([event[0]])
    for place, letter in enumerate(shape):
        PUT[letter](out, event[place + 1])
    return out


def decode(buffer):
    """The event that `buffer` holds; ValueError unless it is exactly one."""
    end = len(buffer) - 2
    if end < 1 or crc16(memoryview(buffer)[:end]) != buffer[end] | buffer[end + 1] << 8:
        raise ValueError("damaged event")
    return parse(buffer, end)


def parse(buffer, end):
    """The event whose body is the first `end` bytes of `buffer`; ValueError unless it is exactly one."""
    if buffer[0] not in SHAPES:
        raise ValueError("not an event")
    reader = Reader(buffer, 1, end)
    event = [buffer[0]]
    for letter in SHAPES[buffer[0]]:
        event.append(GET[letter](reader))
    if reader.at != end:
        raise ValueError("event too long")
    return tuple(event)


class Reader:
    """Takes bytes off a buffer, never beyond `end`."""

    def __init__(self, buffer, at, end):
        self.buffer = buffer
        self.at = at
        self.end = end

    def byte(self):
        if self.at >= self.end:
            raise ValueError("event too short")
        self.at += 1
        return self.buffer[self.at - 1]

    def word(self):
        return self.byte() | self.byte() << 8

    def bytes(self, count):
        if self.end - self.at < count:
            raise ValueError("event too short")
        self.at += count
        return bytes(self.buffer[self.at - count : self.at])


def put_byte(out, value):
    if not 0 <= value <= 255:
        raise ValueError("number out of range")
    out.append(value)


def put_word(out, value):
    if not 0 <= value <= 0xFFFF:
        raise ValueError("number out of range")
    out.append(value & 255)
    out.append(value >> 8)


def put_player(out, value):
    put_byte(out, NONE if value == IN_TURN else value)


def put_bytes(out, value):
    put_byte(out, len(value))
    out.extend(value)


def put_hits(out, value):
    if value is None:
        out.append(NONE)
    else:
        put_bytes(out, bytes(value))


def put_discs(out, discs):
    if len(discs) > MAX_DISCS:
        raise ValueError("too many discs")
    flagged = any([d[2] or d[3] for d in discs])
    out.append(len(discs) | FLAGGED if flagged else len(discs))
    for x, y, flags, on in discs:
        if (x | y) >> 16:  # negative ones too
            raise ValueError("number out of range")
        out.extend(bytes([x & 255, x >> 8, y & 255, y >> 8]))
        if flagged:
            put_byte(out, flags)
            put_word(out, on)


def put_maybe_discs(out, discs):
    if discs is None:
        out.append(NONE)
    else:
        put_discs(out, discs)


def get_player(reader):
    value = reader.byte()
    return IN_TURN if value == NONE else value


def get_bytes(reader):
    return reader.bytes(reader.byte())


def get_hits(reader):
    count = reader.byte()
    return None if count == NONE else tuple(reader.bytes(count))


def get_maybe_discs(reader):
    count = reader.byte()
    return None if count == NONE else read_discs(reader, count)


def get_discs(reader):
    return read_discs(reader, reader.byte())


def read_discs(reader, count):
    flagged = count & FLAGGED
    count &= ~FLAGGED
    if count > MAX_DISCS:
        raise ValueError("too many discs")
    discs = []
    for _ in range(count):
        x, y = reader.word(), reader.word()
        discs.append((x, y, reader.byte(), reader.word()) if flagged else (x, y, 0, 0))
    return tuple(discs)


def crc16(data):
    """CRC-16/CCITT of `data`, four bits at a time."""
    crc = 0xFFFF
    for byte in data:
        crc = ((crc << 4) & 0xFFFF) ^ CRC_TABLE[(crc >> 12) ^ (byte >> 4)]
        crc = ((crc << 4) & 0xFFFF) ^ CRC_TABLE[(crc >> 12) ^ (byte & 15)]
    return crc


CRC_TABLE = (
    0x0000, 0x1021, 0x2042, 0x3063, 0x4084, 0x50A5, 0x60C6, 0x70E7,
    0x8108, 0x9129, 0xA14A, 0xB16B, 0xC18C, 0xD1AD, 0xE1CE, 0xF1EF,
)  # fmt: skip

PUT = {
    "p": put_player, "n": put_byte, "w": put_word, "b": put_bytes,
    "d": put_discs, "D": put_maybe_discs, "h": put_hits,
}  # fmt: skip
GET = {
    "p": get_player, "n": Reader.byte, "w": Reader.word, "b": get_bytes,
    "d": get_discs, "D": get_maybe_discs, "h": get_hits,
}  # fmt: skip
