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
POP_EXCEPT_JUMP = 0x4A
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

    head: bytes  # size of the frame and counts of arguments
    arguments: int
    names: list[int]  # of the function and its arguments, as the module numbers names
    lines: bytes
    cells: bytes
    ops: list[Op]


def read(code: bytes) -> Function:
    """Takes a function apart. Strange for what is not known."""
    at = 0
    first = code[at]
    arguments, shift = first & 3, 0
    keywords = 0
    while code[at] & 0x80:
        at += 1
        arguments |= (code[at] & 4) << shift
        keywords |= (code[at] >> 3 & 1) << shift
        shift += 1
    head, at = code[: at + 1], at + 1
    info = cells = shift = 0
    more = True
    while more:
        info |= (code[at] >> 1 & 63) << 6 * shift
        cells |= (code[at] & 1) << shift
        more, at, shift = bool(code[at] & 0x80), at + 1, shift + 1
    end, names = at + info, []
    for _ in range(1 + arguments + keywords):
        name, at = number(code, at)
        names.append(name)
    ops = instructions(code, end + cells)
    return Function(head, arguments + keywords, names, code[at:end], code[end : end + cells], ops)


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
    return function.head + bytes(sizes) + info + function.cells + body(function.ops, name)


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
