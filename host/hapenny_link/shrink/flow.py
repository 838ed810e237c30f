"""What is still needed after each instruction of a function: registers, flags and words of the stack."""

from __future__ import annotations

from hapenny_link.shrink.thumb import Op


def blocks(ops: list[Op]) -> list[tuple[int, int]]:
    """The stretches (first, behind the last) that run from one end to the other."""
    starts = [k for k, op in enumerate(ops) if op.name == "label" or k == 0 or ops[k - 1].name in ("b", "bcc")]
    return list(zip(starts, [*starts[1:], len(ops)], strict=True))


def live_after(ops: list[Op]) -> list[int]:
    """For each instruction the bits of what is read later before it is written again."""
    stretches = blocks(ops)
    number = {ops[first].label: k for k, (first, _) in enumerate(stretches) if ops[first].name == "label"}
    reads, writes = zip(*[(op.reads, op.writes) for op in ops], strict=True)
    before = [0] * (len(stretches) + 1)
    found = [0] * len(ops)
    changed = True
    while changed:
        changed = False
        for k in range(len(stretches) - 1, -1, -1):
            first, end = stretches[k]
            last = ops[end - 1]
            live = 0 if last.name == "b" or last.ends else before[k + 1]
            if last.name in ("b", "bcc"):
                live |= before[number[last.label]]
            for j in range(end - 1, first - 1, -1):
                found[j] = live
                live = live & ~writes[j] | reads[j]
            changed |= live != before[k]
            before[k] = live
    return found
