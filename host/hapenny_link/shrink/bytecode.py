"""A function's bytecode as instructions, and back: MicroPython's py/bc.h and bc0.h, version 6 of compiled modules."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

NAME, NUMBER, OFFSET = 1, 2, 3  # what follows an instruction's first byte
FORMATS = 0x000003A4  # two bits for each sixteen instructions
SMALL_INT, LOAD_FAST_N, STORE_FAST_N, LOAD_DEREF, STORE_DEREF = 0x22, 0x24, 0x26, 0x25, 0x27
LOAD_FAST, STORE_FAST, MULTI = 0xB0, 0xC0, 16  # the first 16 locals have instructions of one byte
DELETES = (0x28, 0x29)
LOAD_NONE, POP_TOP, RETURN = 0x51, 0x59, 0x63
RAISES = (0x64, 0x65, 0x66)
UNWIND_JUMP, JUMP, IF_TRUE, IF_FALSE = 0x40, 0x42, 0x43, 0x44  # these jump either way, all others only ahead
IF_TRUE_OR_POP, IF_FALSE_OR_POP = 0x45, 0x46
SETUPS = (0x47, 0x48, 0x49)  # with, except, finally
TRIES = (*SETUPS, 0x40)  # and a jump out of one
POP_EXCEPT_JUMP, FOR_ITER = 0x4A, 0x4B
LOCALS = (LOAD_FAST_N, STORE_FAST_N, LOAD_DEREF, STORE_DEREF)
STARS = (2, 4)  # flags of a function with `**more`, with `*rest`
LABEL = -1  # no instruction: a place to jump to


class Strange(Exception):
    """Bytecode that is left as it is."""


@dataclass(frozen=True)
class Op:
    """One instruction: its code, its number (of a name, a local, a label), the byte behind it. Locals all as _N."""

    code: int
    arg: int = 0
    extra: int = -1

    @property
    def kind(self) -> int:
        """NAME, NUMBER, OFFSET, or 0 for nothing."""
        return FORMATS >> 2 * (self.code >> 4) & 3 if self.code >= 0 else 0

    @property
    def ends(self) -> bool:
        """Whether what follows is only reached by a jump."""
        return self.code in (JUMP, UNWIND_JUMP, POP_EXCEPT_JUMP, RETURN, *RAISES)


@dataclass
class Function:
    """A function's bytes taken apart: what its frame needs, its own name and its arguments', cells, instructions."""

    frame: int  # words for locals and the stack
    handlers: int  # exceptions that are waited for at once
    flags: int
    counts: tuple[int, int, int]  # arguments by place, by name only, defaults
    names: list[int]  # of the function and its arguments, as the module numbers names
    lines: bytes
    cells: bytes
    ops: list[Op]

    @property
    def fixed(self) -> int:
        """How many locals the caller fills, `*rest` and `**more` among them."""
        return self.counts[0] + self.counts[1] + sum(bool(self.flags & star) for star in STARS)


def read(code: bytes) -> Function:
    """Takes a function apart. Strange for what is not known."""
    byte, at, shift = code[0], 1, 0
    frame, handlers, places, flags, keywords, defaults = byte >> 3 & 15, byte >> 2 & 1, byte & 3, 0, 0, 0
    while byte & 0x80:
        byte = code[at]
        flags |= (byte >> 6 & 1) << shift
        frame |= (byte >> 4 & 3) << 4 + 2 * shift
        keywords |= (byte >> 3 & 1) << shift
        places |= (byte >> 2 & 1) << 2 + shift
        handlers |= (byte >> 1 & 1) << 1 + shift
        defaults |= (byte & 1) << shift
        at, shift = at + 1, shift + 1
    info = cells = shift = 0
    more = True
    while more:
        info |= (code[at] >> 1 & 63) << 6 * shift
        cells |= (code[at] & 1) << shift
        more, at, shift = bool(code[at] & 0x80), at + 1, shift + 1
    end, names = at + info, []
    for _ in range(1 + places + keywords):
        name, at = number(code, at)
        names.append(name)
    ops = instructions(code, end + cells)
    counts = (places, keywords, defaults)
    return Function(frame + 1, handlers, flags, counts, names, code[at:end], code[end : end + cells], ops)


def number(code: bytes, at: int, signed: bool = False) -> tuple[int, int]:
    """A number in seven bits a byte, the highest first, and where it ends."""
    value = code[at] & 127
    if signed and value & 64:
        value -= 128
    while code[at] & 128:
        at += 1
        value = value << 7 | code[at] & 127
    return value, at + 1


def packed(value: int, signed: bool = False) -> bytes:
    """What `number` reads."""
    found = [value & 127]
    while not (-64 <= value < 64 if signed else value < 128):
        value >>= 7
        found.append(value & 127 | 128)
    return bytes(reversed(found))


def instructions(code: bytes, at: int) -> list[Op]:
    """The instructions from a place on, with labels where jumps lead to; a label's number is its place."""
    found: dict[int, Op] = {}
    marks = set()
    while at < len(code):
        start, op = at, Op(code[at])
        at += 1
        if op.kind in (NAME, NUMBER):
            arg, at = number(code, at, op.code == SMALL_INT)
            op = replace(op, arg=arg)
        elif op.kind == OFFSET:
            distance = code[at] & 127
            if code[at] & 128:
                distance |= code[at + 1] << 7
            at += 1 + (code[at] >> 7)
            signed = op.code in (UNWIND_JUMP, JUMP, IF_TRUE, IF_FALSE)
            long = at - start == 3
            op = replace(op, arg=at + distance - ((0x4000 if long else 0x40) if signed else 0))
            marks.add(op.arg)
        if op.code & 0x9E == 0:
            op = replace(op, extra=code[at])
            at += 1
        found[start] = plain(op)
    if not marks <= found.keys():
        raise Strange("a jump to no instruction")
    ops = [[Op(LABEL, place)] * (place in marks) + [op] for place, op in found.items()]
    return [op for group in ops for op in group]


def plain(op: Op) -> Op:
    """Instructions for locals with the local as their number."""
    if LOAD_FAST <= op.code < LOAD_FAST + MULTI:
        return Op(LOAD_FAST_N, op.code - LOAD_FAST)
    if STORE_FAST <= op.code < STORE_FAST + MULTI:
        return Op(STORE_FAST_N, op.code - STORE_FAST)
    return op


def write(function: Function, name: Callable[[int], int] = int) -> bytes:
    """The bytes; `name` gives the new number of a name."""
    info = b"".join(packed(name(each)) for each in function.names) + function.lines
    length, cells, sizes = len(info), len(function.cells), bytearray()
    while True:
        sizes.append((length & 63) << 1 | cells & 1)
        length, cells = length >> 6, cells >> 1
        if not (length or cells):
            break
        sizes[-1] |= 0x80
    return head(function) + bytes(sizes) + info + function.cells + body(function.ops, name)


def head(function: Function) -> bytes:
    """The first bytes of a function: the size of its frame, and what a caller has to know."""
    frame, handlers, flags = function.frame - 1, function.handlers, function.flags
    places, keywords, defaults = function.counts
    found = [(frame & 15) << 3 | (handlers & 1) << 2 | places & 3]
    frame, handlers, places = frame >> 4, handlers >> 1, places >> 2
    while frame | handlers | flags | places | keywords | defaults:
        found[-1] |= 0x80
        byte = (flags & 1) << 6 | (frame & 3) << 4 | (keywords & 1) << 3 | (places & 1) << 2 | (handlers & 1) << 1
        found.append(byte | defaults & 1)
        frame, handlers, flags = frame >> 2, handlers >> 1, flags >> 1
        places, keywords, defaults = places >> 1, keywords >> 1, defaults >> 1
    return bytes(found)


def body(ops: list[Op], name: Callable[[int], int]) -> bytes:
    """The instructions' bytes, each jump as short as it can be."""
    wide: set[int] = set()
    while True:
        places, sizes, at = {}, [], 0
        for k, op in enumerate(ops):
            if op.code == LABEL:
                places[op.arg] = at
            sizes.append(0 if op.code == LABEL else 2 + (k in wide) if op.kind == OFFSET else len(encoded(op, name)))
            at += sizes[-1] + (op.extra >= 0 and op.kind == OFFSET)
        late, out, at = set(), bytearray(), 0
        for k, op in enumerate(ops):
            if op.kind == OFFSET:
                jump = distance(op, places[op.arg] - len(out) - sizes[k], k in wide)
                late |= {k} if jump is None else set()
                out += bytes([op.code]) + (jump or bytes(sizes[k] - 1)) + (bytes([op.extra]) if op.extra >= 0 else b"")
            elif op.code != LABEL:
                out += encoded(op, name)
        if not late:
            return bytes(out)
        wide |= late


def distance(op: Op, value: int, wide: bool) -> bytes | None:
    """The bytes of a jump, None if one is too few."""
    if op.code in (UNWIND_JUMP, JUMP, IF_TRUE, IF_FALSE):
        value += 0x4000 if wide else 0x40
    elif value < 0:
        raise Strange("a jump back that can only go ahead")
    if not wide:
        return bytes([value]) if 0 <= value < 128 else None
    if not 0 <= value < 0x8000:
        raise Strange("a jump too far")
    return bytes([value & 127 | 128, value >> 7])


def encoded(op: Op, name: Callable[[int], int]) -> bytes:
    """The bytes of what does not jump."""
    if op.code == LOAD_FAST_N and op.arg < MULTI:
        return bytes([LOAD_FAST + op.arg])
    if op.code == STORE_FAST_N and op.arg < MULTI:
        return bytes([STORE_FAST + op.arg])
    out = bytes([op.code])
    if op.kind == NAME:
        out += packed(name(op.arg))
    elif op.kind == NUMBER:
        out += packed(op.arg, op.code == SMALL_INT)
    return out + (bytes([op.extra]) if op.extra >= 0 else b"")
