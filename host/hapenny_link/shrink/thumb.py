"""Machine code of the RP2040 as instructions that can be read, changed and written again."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field, replace
from functools import cached_property

FORMS = {  # bits of each instruction; d is written, m n t are read, x both, i a number, c a condition
    "lsls": "00000iiiiimmmddd", "lsrs": "00001iiiiimmmddd", "asrs": "00010iiiiimmmddd",
    "adds": "0001100mmmnnnddd", "subs": "0001101mmmnnnddd", "adds3": "0001110iiinnnddd", "subs3": "0001111iiinnnddd",
    "movs": "00100dddiiiiiiii", "cmp8": "00101nnniiiiiiii", "adds8": "00110xxxiiiiiiii", "subs8": "00111xxxiiiiiiii",
    "ands": "0100000000mmmxxx", "eors": "0100000001mmmxxx", "lslr": "0100000010mmmxxx", "lsrr": "0100000011mmmxxx",
    "asrr": "0100000100mmmxxx", "negs": "0100001001mmmddd", "cmp": "0100001010mmmnnn", "orrs": "0100001100mmmxxx",
    "muls": "0100001101mmmxxx", "mvns": "0100001111mmmddd", "mov": "01000110dmmmmddd", "addpc": "010001001mmmm111",
    "blx": "010001111mmmm000", "ldrpc": "01001dddiiiiiiii",
    "str": "0101000mmmnnnttt", "strh": "0101001mmmnnnttt", "strb": "0101010mmmnnnttt", "ldrsb": "0101011mmmnnnddd",
    "ldr": "0101100mmmnnnddd", "ldrh": "0101101mmmnnnddd", "ldrb": "0101110mmmnnnddd", "ldrsh": "0101111mmmnnnddd",
    "str5": "01100iiiiinnnttt", "ldr5": "01101iiiiinnnddd", "strb5": "01110iiiiinnnttt", "ldrb5": "01111iiiiinnnddd",
    "strh5": "10000iiiiinnnttt", "ldrh5": "10001iiiiinnnddd", "strsp": "10010tttiiiiiiii", "ldrsp": "10011dddiiiiiiii",
    "spaddr": "10101dddiiiiiiii", "addsp": "101100000iiiiiii", "subsp": "101100001iiiiiii", "sxth": "1011001000mmmddd",
    "push": "1011010iiiiiiiii", "pop": "1011110iiiiiiiii", "nop": "1011111100000000",
    "bcc": "1101cccciiiiiiii", "b": "11100iiiiiiiiiii",
}  # fmt: skip
FIXED = {
    name: (
        int("".join("01"[bit in "01"] for bit in form), 2),
        int("".join(bit if bit == "1" else "0" for bit in form), 2),
    )
    for name, form in FORMS.items()
}
FLAGS = 1 << 16
SLOT = 20  # the first bit of the words on the stack, above those of the registers
CALL_WRITES = 0b1_0000_0000_1111 | FLAGS
NO_FLAGS = {"mov", "sxth", "spaddr", "nop", "push", "pop", "addsp", "subsp", "blx", "b", "bcc", "word", "label"}
ALWAYS = 14
JUMP_OUT = 20  # words


NEAR_END = 900  # bytes: so far behind the instruction that wants them constants may lie


class Strange(Exception):
    """Code that this module does not know: it stays as it is."""


@dataclass(frozen=True)
class Op:
    """An instruction, a label, or `word`: a register that takes a 32-bit constant."""

    name: str
    at: dict[str, int] = field(default_factory=dict)  # the fields of its form
    label: int = -1  # where it jumps to, or what it is
    span: int = 0  # of an address on the stack: how many words are meant

    def _registers(self, letters: str) -> int:
        """The registers that the fields of these letters name, as bits."""
        return sum({1 << self.at[letter] for letter in letters if letter in self.at})

    @cached_property
    def reads(self) -> int:
        """The registers, flags and words of the stack that it needs, as bits."""
        found = self._registers("mntx")
        if self.name == "bcc":
            found |= FLAGS
        if self.name == "blx":
            found |= 15
        if self.name == "push":
            found |= self.at["i"] & 255
        if self.name == "ldrsp":
            found |= 1 << SLOT + self.at["i"]
        if self.name == "spaddr":
            found |= (1 << self.span) - 1 << SLOT + self.at["i"]
        return found | int(self.ends)

    @cached_property
    def writes(self) -> int:
        """What it changes, as bits."""
        found = self._registers("dx")
        if self.name == "strsp":
            found |= 1 << SLOT + self.at["i"]
        if self.name == "blx":
            found |= CALL_WRITES
        if self.name == "pop":
            found |= self.at["i"] & 255
        return found | (0 if self.name in NO_FLAGS or self.name[:3] in ("ldr", "str") else FLAGS)

    @cached_property
    def ends(self) -> bool:
        """Whether the function returns here."""
        return self.name == "pop" and bool(self.at["i"] & 256)


def fields(form: str, code: int) -> dict[str, int]:
    """The letters of a form, each with its number."""
    found: dict[str, int] = {}
    for place, letter in enumerate(form):
        if letter not in "01":
            found[letter] = found.get(letter, 0) << 1 | (code >> 15 - place & 1)
    return found


def one(code: int) -> Op:
    """The instruction of a half-word. Strange if it is none of FORMS."""
    for name, (mask, value) in FIXED.items():
        if code & mask == value and not (name == "bcc" and code >> 8 & 15 >= ALWAYS):
            return Op(name, fields(FORMS[name], code))
    raise Strange(f"{code:04x}")


def bits(op: Op) -> int:
    """The half-word of an instruction. Strange if a number has no room."""
    code = FIXED[op.name][1]
    left = dict(op.at)
    for place, letter in reversed(list(enumerate(FORMS[op.name]))):
        if letter not in "01":
            code |= (left[letter] & 1) << 15 - place
            left[letter] >>= 1
    if any(left.values()):
        raise Strange(f"{op} has no room")
    return code


def signed(value: int, width: int) -> int:
    return value - (1 << width) if value >> width - 1 else value


def read(code: bytes) -> list[Op]:
    """The instructions of a function, constants and long jumps made whole. Strange for what is not known."""
    placed: list[tuple[int, Op]] = []
    words: dict[int, int] = {}  # offset -> constant
    place = 0
    while place < len(code) - 1:
        if place in words:
            place += 4
            continue
        op = one(struct.unpack_from("<H", code, place)[0])
        if op.name == "ldrpc":
            at = (place + 4 & ~3) + 4 * op.at["i"]
            words[at] = struct.unpack_from("<I", code, at)[0]
            op = Op("word", {"d": op.at["d"], "i": words[at]})
        elif op.name in ("b", "bcc"):
            label = place + 4 + 2 * signed(op.at["i"], 11 if op.name == "b" else 8)
            op = Op(op.name, {"c": op.at["c"]} if op.name == "bcc" else {}, label)
        elif op.name == "addpc":
            start, last = placed.pop()
            placed.append((start, Op("b", label=place + 4 + signed(last.at["i"], 32))))
            place += 2
            continue
        placed.append((place, op))
        place += 2
    return labelled(placed)


def labelled(placed: list[tuple[int, Op]]) -> list[Op]:
    """With a label before each place that is jumped to; what only fills room is left out."""
    wanted = {op.label for _, op in placed if op.label >= 0}
    found = []
    for place, op in placed:
        if place in wanted:
            found.append(Op("label", label=place))
            wanted.discard(place)
        if op.name != "nop":
            found.append(op)
        if op.name == "blx":
            count_arguments(found)
    if wanted:
        raise Strange(f"jumps into {sorted(wanted)}")
    return found


def count_arguments(ops: list[Op]) -> None:
    """How many words on the stack a call is given the address of. Strange if that cannot be seen.

    An address in r2 is that of arguments, whose number is in r1; in r0 it is that of the room for a jump out of an
    exception.
    """
    for k in range(len(ops) - 1, max(len(ops) - 8, -1), -1):
        if ops[k].name == "spaddr" and not ops[k].span:
            counts = [op.at["i"] for op in ops[k:] if op.name == "movs" and op.at["d"] == 1]
            if ops[k].at["d"] == 0 and not counts:
                counts = [JUMP_OUT]
            if len(counts) != 1 or ops[k].at["d"] not in (0, 2):
                raise Strange("an address on the stack")
            ops[k] = replace(ops[k], span=counts[0])


def write(ops: list[Op]) -> bytes:
    """The code of instructions; jumps as short as they can be, constants behind the next place nothing runs into."""
    far: set[int] = set()  # jumps under a condition that do not reach
    while True:
        places, pools = lay(ops, far)
        late = {k for k, op in enumerate(ops) if op.name == "bcc" and k not in far and not near(places, k, op)}
        if not late:
            return encoded(ops, far, places, pools)
        far |= late


def near(places: dict[int, int], k: int, op: Op) -> bool:
    return -256 <= places[-1 - op.label] - places[k] - 4 <= 254


def lay(ops: list[Op], far: set[int]) -> tuple[dict[int, int], dict[int, list[int]]]:
    """Where each instruction (its index) and each label (-1 - label) comes, and which constants lie behind which."""
    places: dict[int, int] = {}
    pools: dict[int, list[int]] = {}
    waiting: list[int] = []
    started = place = 0
    for k, op in enumerate(ops):
        places[-1 - op.label if op.name == "label" else k] = place
        place += 0 if op.name == "label" else 4 if k in far else 2
        if op.name == "word":
            started = started if waiting else place
            waiting += [] if op.at["i"] in waiting else [op.at["i"]]
        last = not any(each.name == "word" for each in ops[k + 1 :]) and place - started + 2 * (len(ops) - k) < NEAR_END
        if waiting and (op.name == "b" or op.ends) and (k == len(ops) - 1 or (place - started > 400 and not last)):
            pools[k] = waiting
            place = (place + 3 & ~3) + 4 * len(waiting)
            waiting = []
    if waiting:
        raise Strange("constants at the end")
    return places, pools


def encoded(ops: list[Op], far: set[int], places: dict[int, int], pools: dict[int, list[int]]) -> bytes:
    """The bytes, all places known. Strange if something does not reach."""
    code = bytearray()
    for k, op in enumerate(ops):
        if op.name == "word":
            behind = next(each for each in sorted(pools) if each > k)
            start = places[behind] + 2 + 3 & ~3
            at = start + 4 * pools[behind].index(op.at["i"])
            code += struct.pack("<H", bits(Op("ldrpc", {"d": op.at["d"], "i": (at - (places[k] + 4 & ~3)) >> 2})))
        elif op.name == "bcc" and k in far:
            code += struct.pack("<H", bits(Op("bcc", {"c": op.at["c"] ^ 1, "i": 0})))
            code += jump(Op("b"), places[-1 - op.label] - places[k] - 6)
        elif op.name in ("b", "bcc"):
            code += jump(op, places[-1 - op.label] - places[k] - 4)
        elif op.name != "label":
            code += struct.pack("<H", bits(op))
        if k in pools:
            code += bytes(-len(code) & 3) + b"".join(struct.pack("<I", word) for word in pools[k])
    return bytes(code)


def jump(op: Op, distance: int) -> bytes:
    width = 11 if op.name == "b" else 8
    if not -(1 << width) <= distance < 1 << width:
        raise Strange("a jump too far")
    return struct.pack("<H", bits(Op(op.name, {**op.at, "i": distance >> 1 & (1 << width) - 1})))
