"""Finds registers for what the compiler keeps on the stack."""

from __future__ import annotations

from collections import Counter

from hapenny_link.shrink.flow import blocks, live_after
from hapenny_link.shrink.thumb import SLOT, Op

HOMES = (3, 7, 6, 5, 4, 2, 1, 0)  # registers for words of the stack, the best first
APART = 1000  # what is added to the number of a word for each use of its own


def housed(ops: list[Op]) -> list[Op]:
    """Words of the stack in registers that are free as long as the word is needed, the words used most first."""
    ops = split(ops)
    live = live_after(ops)
    for word, _ in weights(ops).most_common():
        home = free(ops, live, word)
        if home >= 0:
            ops = [in_register(op, word, home) for op in ops]
            live = live_after(ops)
    return joined(ops)


def weights(ops: list[Op]) -> Counter[int]:
    """How often each word of the stack is used, four times as much for each loop around it."""
    places = {op.label: k for k, op in enumerate(ops) if op.name == "label"}
    loops = [(places[op.label], k) for k, op in enumerate(ops) if op.name in ("b", "bcc") and places[op.label] < k]
    found: Counter[int] = Counter()
    for k, op in enumerate(ops):
        if op.name in ("ldrsp", "strsp"):
            found[op.at["i"]] += 4 ** sum(first <= k <= last for first, last in loops)
    for op in ops:
        for word in range(op.span):
            found.pop(op.at["i"] + word, None)
    return found


def free(ops: list[Op], after: list[int], word: int) -> int:
    """A register that is never in use where a word of the stack is; -1 if there is none."""
    bit = 1 << SLOT + word
    taken = 0
    for op, live in zip(ops, after, strict=True):
        if live & bit:
            taken |= live | op.writes
        elif op.writes & bit:
            taken |= live
    return next((register for register in HOMES if not taken >> register & 1), -1)


def in_register(op: Op, word: int, home: int) -> Op:
    """An instruction on a word of the stack, on a register."""
    if op.name == "ldrsp" and op.at["i"] == word:
        return Op("mov", {"d": op.at["d"], "m": home})
    if op.name == "strsp" and op.at["i"] == word:
        return Op("mov", {"d": home, "m": op.at["t"]})
    return op


def split(ops: list[Op]) -> list[Op]:
    """A word of the stack that is used again for something else within a block counts as another."""
    live = live_after(ops)
    found = list(ops)
    ends = {k: end for start, end in blocks(ops) for k in range(start, end)}
    number = 0
    for k, op in enumerate(ops):
        uses = own_uses(ops, live, k, ends[k]) if op.name == "strsp" else []
        number += 1 if uses else 0
        for use in [k, *uses] if uses else []:
            found[use] = Op(ops[use].name, {**ops[use].at, "i": op.at["i"] + APART * number})
    return found


def own_uses(ops: list[Op], live: list[int], k: int, end: int) -> list[int]:
    """The uses of what instruction k puts on the stack, if all are in its block."""
    bit = 1 << SLOT + ops[k].at["i"]
    found = []
    for j in range(k + 1, end):
        if ops[j].writes & bit:
            return found
        if ops[j].reads & bit:
            if ops[j].name != "ldrsp":
                return []
            found.append(j)
        if not live[j] & bit:
            return found
    return []


def joined(ops: list[Op]) -> list[Op]:
    """Every word by its own number again."""
    return [Op(op.name, {**op.at, "i": op.at["i"] % APART}) if op.name in ("ldrsp", "strsp") else op for op in ops]
