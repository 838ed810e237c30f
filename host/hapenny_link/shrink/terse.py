"""Bytecode made shorter: values that go through a local for nothing, ends that a function has twice, far locals."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from hapenny_link.shrink.bytecode import (
    DELETES,
    IF_FALSE,
    IF_TRUE,
    JUMP,
    LABEL,
    LOAD_DEREF,
    LOAD_FAST_N,
    LOCALS,
    OFFSET,
    SETUPS,
    STORE_DEREF,
    STORE_FAST_N,
    TRIES,
    Function,
    Op,
    body,
)
from hapenny_link.shrink.depth import frame

READS = (LOAD_FAST_N, LOAD_DEREF, STORE_DEREF)
OTHER = {IF_TRUE: IF_FALSE, IF_FALSE: IF_TRUE}


def terse(function: Function) -> Function:
    """The same function, its instructions fewer."""
    before, ops = None, function.ops
    if any(op.code in DELETES for op in ops):
        return function
    moves = not any(op.code in TRIES for op in ops)  # MicroPython tells by its place whether code is in a `try`
    while ops != before:
        before = ops
        ops = straight(ops)
        ops = direct(ops, function)
        ops = merged(ops) if moves else ops
    function = replace(function, ops=near(ops, function))
    return replace(function, frame=frame(function))


def labelled(ops: list[Op]) -> dict[int, int]:
    """Where each label is."""
    return {op.arg: k for k, op in enumerate(ops) if op.code == LABEL}


def straight(ops: list[Op]) -> list[Op]:
    """Jumps to jumps, over jumps and to what follows anyway; code and labels that nothing leads to."""
    places = labelled(ops)
    ops = [landed(ops, places, k) if op.kind == OFFSET else op for k, op in enumerate(ops)]
    wanted = Counter(op.arg for op in ops if op.kind == OFFSET)
    found: list[Op] = []
    dead = False
    for op in ops:
        if op.code == LABEL:
            if not wanted[op.arg]:
                continue
            dead = False
            over(found, op.arg)
        if not dead:
            found.append(op)
        dead = dead or op.ends
    return found


def landed(ops: list[Op], places: dict[int, int], at: int) -> Op:
    """A jump with the place where it leads in the end; the first of labels that lie together."""
    op, seen = ops[at], set()
    k = places[op.arg]
    while op.arg not in seen:
        seen.add(op.arg)
        while ops[k].code == LABEL:
            k += 1
        if ops[k].code != JUMP or op.code not in (JUMP, IF_TRUE, IF_FALSE):
            break
        op = replace(op, arg=ops[k].arg)
        k = places[op.arg]
    k = places[op.arg]
    while k and ops[k - 1].code == LABEL:
        k -= 1
    return replace(op, arg=ops[k].arg)


def over(found: list[Op], label: int) -> None:
    """Takes away what jumps to the place that comes next."""
    while found and found[-1].code == JUMP and found[-1].arg == label:
        found.pop()
    if len(found) > 1 and found[-1].code == JUMP and found[-2].code in OTHER and found[-2].arg == label:
        far = found.pop()
        found[-1] = Op(OTHER[found[-1].code], far.arg)


def live_after(ops: list[Op], function: Function) -> list[frozenset[int]]:
    """For each instruction the locals that are read later before they are written again."""
    places = labelled(ops)
    always = frozenset(function.cells)
    before: list[frozenset[int]] = [always] * (len(ops) + 1)
    after = [always] * len(ops)
    changed = True
    while changed:
        changed = False
        handlers = [before[places[op.arg]] for op in ops if op.code in SETUPS]
        caught = always.union(*handlers)  # whatever a handler reads is needed until then
        for k in range(len(ops) - 1, -1, -1):
            op = ops[k]
            live = caught if op.ends else before[k + 1] | caught
            if op.kind == OFFSET:
                live |= before[places[op.arg]]
            after[k] = live
            if op.code == STORE_FAST_N:
                live -= {op.arg}
            elif op.code in READS:
                live |= {op.arg}
            changed |= live != before[k]
            before[k] = live
    return after


def direct(ops: list[Op], function: Function) -> list[Op]:
    """What is put into a local, fetched at once and never again stays on the stack."""
    after = live_after(ops, function)
    found: list[Op] = []
    for k, op in enumerate(ops):
        last = found[-1] if found else None
        if op.code == LOAD_FAST_N and last == Op(STORE_FAST_N, op.arg) and op.arg not in after[k]:
            found.pop()
        else:
            found.append(op)
    return found


def merged(ops: list[Op]) -> list[Op]:
    """Where two stretches of code end alike and go on at the same place, one jumps into the other."""
    places = labelled(ops)
    for k, op in enumerate(ops):
        if not op.ends:
            continue
        others = [j for j in range(k + 1, len(ops)) if ops[j] == op]
        if op.code == JUMP and places[op.arg] and not ops[places[op.arg] - 1].ends:
            others.append(places[op.arg])  # where the other falls into what this jumps to
        for other in others:
            found = joined(ops, k, other)
            if found and len(body(found, int)) < len(body(ops, int)):
                return found
    return ops


def joined(ops: list[Op], end: int, other: int) -> list[Op]:
    """With the stretch up to `end` replaced by a jump into the one up to `other` that is like it, [] if none is."""
    partner: dict[int, int] = {} if ops[other].code == LABEL else {end: other}
    k, j = end, other
    while True:
        k, j = earlier(ops, k), earlier(ops, j)
        if min(k, j) < 0 or ops[k] != ops[j] or ops[k].ends or k in partner.values() or j in (*partner, end):
            break
        partner[k] = j
    first = min(partner, default=end)
    inside = {op.arg: following(ops, k) for k, op in enumerate(ops) if op.code == LABEL and first < k < end}
    if (len(partner) < 2 and ops[end].code != JUMP) or not partner or (inside and other < end):
        return []
    new = max([op.arg for op in ops if op.code == LABEL], default=0) + 1
    labels = {place: new + count for count, place in enumerate(sorted(set(partner.values()) | {other}))}
    led = {label: labels[partner.get(place, other)] for label, place in inside.items()}
    found: list[Op] = []
    for k, op in enumerate(ops):
        found += [Op(LABEL, labels[k])] if k in labels else []
        if k == first:
            found.append(Op(JUMP, labels[partner[first]]))
        if not first <= k <= end:
            found.append(replace(op, arg=led[op.arg]) if op.kind == OFFSET and op.arg in led else op)
    return straight(found)


def earlier(ops: list[Op], at: int) -> int:
    """The instruction before a place, -1 if there is none."""
    at -= 1
    while at >= 0 and ops[at].code == LABEL:
        at -= 1
    return at


def following(ops: list[Op], at: int) -> int:
    """The instruction that a label stands before."""
    while ops[at].code == LABEL:
        at += 1
    return at


def near(ops: list[Op], function: Function) -> list[Op]:
    """Locals share places when they are never needed together; those used most come first."""
    uses = Counter(op.arg for op in ops if op.code in LOCALS)
    fixed = [*range(function.fixed), *function.cells]
    apart = together(ops, function)
    place = {local: local for local in fixed}
    for local, _ in uses.most_common():
        if local not in place:
            taken = {place[each] for each in apart[local] if each in place}
            place[local] = next(k for k in range(len(apart) + 1) if k not in taken)
    return [replace(op, arg=place[op.arg]) if op.code in LOCALS else op for op in ops]


def together(ops: list[Op], function: Function) -> dict[int, set[int]]:
    """For each local those that hold something needed while it does."""
    after = live_after(ops, function)
    found: dict[int, set[int]] = {op.arg: set() for op in ops if op.code in LOCALS}
    start = set(range(function.fixed)) | set(function.cells)
    pairs = [(local, other) for local in start for other in start]
    for k, op in enumerate(ops):
        if op.code == STORE_FAST_N:
            pairs += [(op.arg, other) for other in after[k]]
    for one, other in pairs:
        if one != other:
            found.setdefault(one, set()).add(other)
            found.setdefault(other, set()).add(one)
    return found
