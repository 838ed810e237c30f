"""How large a function's frame must be: MicroPython takes one of more than 11 words from the heap at every call."""

from __future__ import annotations

from hapenny_link.shrink.bytecode import (
    FOR_ITER,
    IF_FALSE_OR_POP,
    IF_TRUE_OR_POP,
    LABEL,
    LOCALS,
    OFFSET,
    TRIES,
    Function,
    Op,
)

ITERATOR = 4  # words of the stack that an iterator takes
UNARY, BINARY = 0xD0, 0xD7  # from here on operators; below, down to 0x70, small numbers and the first locals
LOCAL, STORE = 0xB0, 0xC0
# what instructions without a number in them, or with one of no consequence here, do to the stack
PLAIN = {
    1: (0x10, 0x11, 0x12, 0x14, 0x1C, 0x22, 0x23, 0x24, 0x25, 0x2C, 0x32, 0x50, 0x51, 0x52, 0x53, 0x54, 0x57, FOR_ITER),
    0: (LABEL, 0x13, 0x19, 0x1A, 0x28, 0x29, 0x42, 0x5A, 0x5B, 0x5E, 0x64, 0x67),
    -1: (0x15, 0x16, 0x17, 0x1B, 0x26, 0x27, 0x33, 0x43, 0x44, 0x45, 0x46, 0x55, 0x59, 0x63, 0x65, 0x68, 0x69),
    -2: (0x18, 0x62, 0x66),
    2: (0x58,),
    3: (0x5F,),
    -3: (0x56,),
}  # fmt: skip
EFFECTS = {code: change for change, codes in PLAIN.items() for code in codes}
BUILDS = (0x2A, 0x2B, 0x2D, 0x2E)  # tuple, list, set, slice
CALLS = {0x34: 0, 0x35: 1, 0x36: 1, 0x37: 2}  # function or method, without and with stars: words beside arguments


def effect(op: Op) -> int:
    """By how many words an instruction makes the stack longer when it does not jump. KeyError for an unknown one."""
    if op.code >= 0x70:
        return -1 if op.code >= BINARY else 0 if op.code >= UNARY else -1 if op.code >= STORE else 1
    if op.code in BUILDS:
        return 1 - op.arg
    if op.code in CALLS:
        return -(op.arg & 255) - 2 * (op.arg >> 8) - CALLS[op.code]
    if op.code == 0x30:  # unpack
        return op.arg - 1
    if op.code in (0x20, 0x21):  # closures, without and with defaults
        return 1 - op.extra - 2 * (op.code & 1)
    if op.code == 0x2F:  # adds to what a comprehension collects
        return -2 if op.arg & 3 == 1 else -1
    return EFFECTS[op.code]


def deepest(ops: list[Op]) -> int:
    """The most words that are on the stack at once."""
    places = {op.arg: k for k, op in enumerate(ops) if op.code == LABEL}
    reached: dict[int, int] = {}
    waiting, found = [(0, 0)], 0
    while waiting:
        k, depth = waiting.pop()
        while k < len(ops) and depth > reached.get(k, -1):
            op = ops[k]
            reached[k] = depth
            after = depth + effect(op)
            found = max(found, after)
            if op.kind == OFFSET:
                jumping = depth if op.code in (IF_TRUE_OR_POP, IF_FALSE_OR_POP) else after
                waiting.append((places[op.arg], depth - ITERATOR if op.code == FOR_ITER else jumping))
            if op.ends:
                break
            k, depth = k + 1, after
    return found


def frame(function: Function) -> int:
    """The words that a function's frame needs: locals and stack."""
    if any(op.code in TRIES for op in function.ops):
        return function.frame  # a handler's stack is not followed
    locals_used = [op.arg for op in function.ops if op.code in LOCALS]
    return max(1, max([*locals_used, function.fixed - 1]) + 1 + deepest(function.ops))
