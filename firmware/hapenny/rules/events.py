"""Everything that can happen in a match: constructors, and the few bytes that journal and wire carry."""

import binascii
import struct

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
BY_PLAYER = (SHOVE, ATTEMPT, TOUCH, DAMP, CLAIM, GIVE, NINE, DART)  # their first field is a player
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
    for number in range(1, 21):
        for times in (1, 2, 3):
            if hit == ("", "D", "T")[times - 1] + str(number):
                return (DART, by, number, times)
    return (DART, by, (0, OUTER, BULL)[("miss", "outer", "bull").index(hit)], 1)


def power_cut():
    return (POWER_CUT,)


def encode(event):
    """The bytes of `event`, a checksum last; ValueError if a number in it is out of range."""
    return sealed(body(event))


def sealed(coded):
    """What `body` gave, with its checksum."""
    return bytes(coded) + checksum(coded)


def body(event):
    """The bytes of `event` without a checksum."""
    shape = SHAPES[event[0]]
    if len(event) != len(shape) + 1:
        raise ValueError("wrong number of fields")
    out = bytearray((event[0],))
    place = 1
    for letter in shape:
        put(out, letter, event[place])
        place += 1
    return out


def decode(buffer):
    """The event that `buffer` holds; ValueError unless it is exactly one."""
    end = len(buffer) - 4
    if end < 1 or checksum(memoryview(buffer)[:end]) != bytes(buffer[end:]):
        raise ValueError("damaged event")
    return parse(buffer, end)


def parse(buffer, end):
    """The event whose body is the first `end` bytes of `buffer`; ValueError unless it is exactly one."""
    if buffer[0] not in SHAPES:
        raise ValueError("not an event")
    reader = Reader(buffer, 1, end)
    event = [buffer[0]]
    for letter in SHAPES[buffer[0]]:
        event.append(get(reader, letter))
    if reader.at != end:
        raise ValueError("event too long")
    return tuple(event)


def checksum(data):
    return struct.pack("<I", binascii.crc32(data))


class Reader:
    """Takes bytes off a buffer, never beyond `end`."""

    def __init__(self, buffer, at, end):
        self.buffer = buffer
        self.at = at
        self.end = end

    def bytes(self, count):
        if self.end - self.at < count:
            raise ValueError("event too short")
        self.at += count
        return bytes(self.buffer[self.at - count : self.at])

    def byte(self):
        return self.bytes(1)[0]


def put(out, letter, value):
    """Append one field of the kind that `letter` stands for in SHAPES."""
    if (letter == "p" and value == IN_TURN) or (letter in "Dh" and value is None):
        out.append(NONE)
    elif letter in "pn":
        out.append(below(value, 256))
    elif letter == "w":
        out.extend(struct.pack("<H", below(value, 65536)))
    elif letter in "bh":
        out.append(below(len(value), NONE))
        out.extend(bytes(value))
    else:
        put_discs(out, value)


def below(value, limit):
    if not 0 <= value < limit:
        raise ValueError("number out of range")
    return value


CLEARED = b"\x06"  # `body` of a CLEAR, which ends every turn
NO_SHOVE = bytearray(b"\x02\xff\x00\xff\x00")  # how a shove that struck nothing and left no disc would be coded


def one_more(coded, event, disc):
    """A coded shove that struck nothing (NO_SHOVE: none), made `event`: one more disc, which has no flags."""
    found = coded[:-2] + struct.pack("<HHH", disc[0], disc[1], NONE if event[3] is None else 0)
    found[1] = event[1] & NONE
    found[2] += 1
    return found


def put_discs(out, discs):
    flagged = any([flags or on for _, _, flags, on in discs])
    out.append(below(len(discs), MAX_DISCS + 1) | (FLAGGED if flagged else 0))
    for x, y, flags, on in discs:
        if (x | y | flags | on) >> 16:  # negative ones too
            raise ValueError("number out of range")
        out.extend(struct.pack("<HH", x, y))
        if flagged:
            out.extend(struct.pack("<BH", flags, on))


def get(reader, letter):
    """The next field, of the kind that `letter` stands for in SHAPES."""
    if letter == "w":
        return struct.unpack("<H", reader.bytes(2))[0]
    count = reader.byte()
    if letter == "n":
        return count
    if letter == "p":
        return IN_TURN if count == NONE else count
    if letter in "Dh" and count == NONE:
        return None
    if letter in "bh":
        return reader.bytes(count) if letter == "b" else tuple(reader.bytes(count))
    return get_discs(reader, count)


def get_discs(reader, count):
    flagged = count & FLAGGED
    discs = []
    for _ in range(below(count & ~FLAGGED, MAX_DISCS + 1)):
        if flagged:
            discs.append(struct.unpack("<HHBH", reader.bytes(7)))
        else:
            discs.append(struct.unpack("<HH", reader.bytes(4)) + (0, 0))
    return tuple(discs)
