"""Machine code of viper kernels made shorter and faster: the compiler looks at one step of the source at a time."""

from __future__ import annotations

from collections import Counter

from hapenny_link.shrink.flow import live_after
from hapenny_link.shrink.stack import housed
from hapenny_link.shrink.thumb import Op, Strange, read, write
from hapenny_link.shrink.values import Values

ROUNDS = 40
EQUAL, NOT_EQUAL = 0, 1
KEPT = {"b", "bcc", "blx", "push", "pop", "subsp", "addsp", "label"} | {
    "str", "strh", "strb", "str5", "strh5", "strb5"}  # fmt: skip
EITHER_WAY = {"muls", "ands", "eors", "orrs"}
LOW = 8


def shorter(code: bytes) -> bytes:
    """The same function in fewer bytes; the code as it is if there is anything in it that is not known."""
    try:
        ops = improved(trusting(read(code)))
        ops = improved(housed(ops))
        found = write(without_frame(ops))
    except Strange:
        return code
    return found if len(found) < len(code) else code


# no keywords came, and as many arguments as there should be: else a call that says so
CHECK = "cmp8 bcc b label movs cmp bcc b label word b label mov adds8 ldr5 blx"


def trusting(ops: list[Op]) -> list[Op]:
    """Without the check of how many arguments came: all callers are ours, and the Unix port checks them."""
    start = next((k for k, op in enumerate(ops) if op.name == "cmp8"), 0)
    end = start + len(CHECK.split())
    return ops[:start] + ops[end:] if " ".join([op.name for op in ops[start:end]]) == CHECK else ops


def improved(ops: list[Op]) -> list[Op]:
    """All steps until none finds anything more."""
    for _ in range(ROUNDS):
        before = ops
        ops = straight(ops)
        ops = compared(ops)
        ops = unstacked(ops)
        ops = Values().over(ops)
        ops = turned(ops)
        ops = renamed(ops)
        ops = needed(ops)
        if ops == before:
            break
    return ops


def targets(ops: list[Op]) -> Counter[int]:
    """How many jumps lead to each label."""
    return Counter(op.label for op in ops if op.name in ("b", "bcc"))


def straight(ops: list[Op]) -> list[Op]:
    """Jumps to jumps, over jumps and to the next instruction; code and labels that nothing leads to."""
    places = {op.label: k for k, op in enumerate(ops) if op.name == "label"}
    jumps = ("b", "bcc")
    ops = [Op(op.name, op.at, landing(ops, places, op.label)) if op.name in jumps else op for op in ops]
    found: list[Op] = []
    dead = False
    wanted = targets(ops)
    for op in ops:
        if op.name == "label":
            if not wanted[op.label]:
                continue
            dead = False
            jumps_here(found, op.label)
        if not dead:
            found.append(op)
        dead = dead or op.name == "b" or op.ends
    return found


def landing(ops: list[Op], places: dict[int, int], label: int) -> int:
    """Where a jump to a label ends, or the first of labels that lie together."""
    seen = set()
    while label not in seen:
        seen.add(label)
        k = places[label]
        while ops[k].name == "label":
            k += 1
        if ops[k].name == "b":
            label = ops[k].label
        else:
            while k and ops[k - 1].name == "label":
                k -= 1
            return ops[k].label
    return label


def jumps_here(found: list[Op], label: int) -> None:
    """Takes away what jumps to the place that comes next."""
    while found and found[-1].name in ("b", "bcc") and found[-1].label == label:
        found.pop()
    if len(found) > 1 and found[-1].name == "b" and found[-2].name == "bcc" and found[-2].label == label:
        over = found.pop()
        found[-1] = Op("bcc", {"c": found[-1].at["c"] ^ 1}, over.label)


def compared(ops: list[Op]) -> list[Op]:
    """A comparison that is made a 0 or 1 and then compared with 0 decides by itself."""
    live, wanted = live_after(ops), targets(ops)
    found: list[Op] = []
    k = 0
    while k < len(ops):
        new = decided(ops[k : k + 8], wanted, live[k + 7 : k + 8])
        found.append(new or ops[k])
        k += 8 if new else 1
    return found


def decided(ops: list[Op], wanted: Counter[int], live: list[int]) -> Op | None:
    """The one jump that eight instructions come to, if they are such a comparison."""
    if [op.name for op in ops] != ["bcc", "movs", "b", "label", "movs", "label", "cmp8", "bcc"]:
        return None
    first, no, over, one, yes, end, test, last = ops
    register = no.at["d"]
    fits = (first.label, over.label) == (one.label, end.label) and wanted[one.label] == wanted[end.label] == 1
    fits = fits and (no.at["i"], yes.at["i"], test.at["i"]) == (0, 1, 0) and register == yes.at["d"] == test.at["n"]
    if not fits or live[0] >> register & 1 or last.at["c"] not in (EQUAL, NOT_EQUAL):
        return None
    return Op("bcc", {"c": first.at["c"] ^ (last.at["c"] == EQUAL)}, last.label)


def unstacked(ops: list[Op]) -> list[Op]:
    """`push` of a register that is not needed as it was. Strange for any other use of the stack in between."""
    live = live_after(ops)
    found = list(ops)
    pushed: list[int] = []
    for k, op in enumerate(ops):
        if op.name == "push":
            pushed.append(k)
        elif op.name == "pop" and not op.ends:
            start = pushed.pop()
            if any(each.name in ("ldrsp", "strsp", "spaddr", "b", "bcc", "label", "blx") for each in ops[start:k]):
                raise Strange("push over more than a store")
            if not live[k] & op.writes:
                found[start] = found[k] = Op("nop")
    return [op for op in found if op.name != "nop"]


def needed(ops: list[Op]) -> list[Op]:
    """Without what writes only what nobody reads, and copies of a register to itself."""
    live = live_after(ops)
    found = []
    for k, op in enumerate(ops):
        idle = op.name == "mov" and op.at["d"] == op.at["m"]
        if op.name in KEPT or (op.writes & live[k] and not idle):
            found.append(op)
    return found


def turned(ops: list[Op]) -> list[Op]:
    """`mov a, b; muls a, c` with c needed no more: `muls c, b; mov a, c`, whose copy mostly goes."""
    live = live_after(ops)
    found = list(ops)
    for k in range(len(ops) - 1):
        copy, op = found[k], found[k + 1]
        if copy.name != "mov" or op.name not in EITHER_WAY or op.at["x"] != copy.at["d"] or copy.at["m"] >= LOW:
            continue
        other = op.at["m"]
        if other != copy.at["d"] and other != copy.at["m"] and not live[k + 1] >> other & 1:
            found[k] = Op(op.name, {"m": copy.at["m"], "x": other})
            found[k + 1] = Op("mov", {"d": copy.at["d"], "m": other})
    return found


def renamed(ops: list[Op]) -> list[Op]:
    """What is reckoned in one register and then copied to another is reckoned there."""
    live = live_after(ops)
    found = list(ops)
    for k, op in enumerate(ops):
        if op.name == "mov" and max(op.at["d"], op.at["m"]) < LOW and not live[k] >> op.at["m"] & 1:
            start = birth(found, k)
            if start >= 0:
                found[start:k] = moved(found[start:k], op.at["m"], op.at["d"])
                found[k] = Op("nop")
    return [op for op in found if op.name != "nop"]


def birth(ops: list[Op], k: int) -> int:
    """Where the value that instruction k copies comes into being, -1 if its new place is in use meanwhile."""
    new, old = 1 << ops[k].at["d"], 1 << ops[k].at["m"]
    for j in range(k - 1, -1, -1):
        op = ops[j]
        reads, writes = op.reads, op.writes
        if op.name in ("label", "b", "bcc", "blx", "push", "pop") or writes & new:
            return -1
        if writes & old and not reads & old:
            return j
        if reads & new:
            return -1
    return -1


def moved(ops: list[Op], old: int, new: int) -> list[Op]:
    """Instructions with another register; the first only writes it."""
    found = []
    for k, op in enumerate(ops):
        letters = "d" if k == 0 else "dxmnt"
        at = {letter: new if letter in letters and value == old else value for letter, value in op.at.items()}
        found.append(Op(op.name, at, op.label, op.span))
    return found


PUSHED = 3  # words of the stack that the first instruction makes room for


def without_frame(ops: list[Op]) -> list[Op]:
    """No further room on the stack where no word in it is used."""
    if any(op.name in ("ldrsp", "strsp", "spaddr") and op.at["i"] >= PUSHED - op.span for op in ops):
        return ops
    return [op for op in ops if op.name not in ("subsp", "addsp")]
