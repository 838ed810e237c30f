"""Follows values through a stretch of machine code: what is there already is not fetched or reckoned again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hapenny_link.shrink.thumb import SLOT, Op

LOW = 8  # registers that every instruction can name
HALF = 1 << 15
WORD = 1 << 32
SHIFTS = {"lslr": "lsls", "lsrr": "lsrs", "asrr": "asrs"}
NEAR = {"ldr": ("ldr5", 4), "str": ("str5", 4), "ldrh": ("ldrh5", 2), "strh": ("strh5", 2), "ldrb": ("ldrb5", 1),
        "strb": ("strb5", 1)}  # fmt: skip
SUMS: dict[str, Callable[[Any, Any], int]] = {
    "adds": lambda a, b: a + b, "subs": lambda a, b: a - b, "adds3": lambda a, b: a + b, "subs3": lambda a, b: a - b,
    "adds8": lambda a, b: a + b, "subs8": lambda a, b: a - b, "lsls": lambda a, b: a << b, "negs": lambda a, b: -a,
}  # fmt: skip
PURE = {*SUMS, "lsrs", "asrs", "ands", "eors", "orrs", "muls", "mvns", "sxth"}
LOADS = {"ldr", "ldrh", "ldrb", "ldrsh", "ldrsb", "ldr5", "ldrh5", "ldrb5"}


class Values:
    """What registers and words of the stack hold, each value a number of its own."""

    def __init__(self) -> None:
        self.count = 0
        self.shown: set[int] = set()  # words of the stack whose address is given to calls
        self.forget()

    def forget(self) -> None:
        """A place that more than one way leads to: nothing is known."""
        self.held: dict[int, int] = {}  # register, or SLOT + word -> value; the oldest holder first
        self.constants: dict[int, int] = {}
        self.halves: set[int] = set()  # values of 16 bits without sign
        self.known: dict[tuple[Any, ...], int] = {}  # how a value was reckoned -> value
        self.version = 0  # of what is in memory

    def over(self, ops: list[Op]) -> list[Op]:
        """The instructions, those whose result is there already as copies or left out."""
        ops, found = list(ops), []
        self.shown = {SLOT + op.at["i"] + word for op in ops for word in range(op.span)}
        for k, op in enumerate(ops):
            if op.name == "label":
                self.forget()
            new = self.simpler(self.older(op))
            done = self.extends(new, ops[k + 1 : k + 4]) if new.name == "eors" else 0
            if done:
                ops[k + done] = Op("nop")
                new = Op("sxth", {"m": new.at["x"], "d": new.at["x"]})
            new = self.follow(new)
            if new.name != "nop":
                found.append(new)
        return found

    def value(self, place: int) -> int:
        """The number of what a place holds."""
        if place not in self.held:
            self.put(place, self.new())
        return self.held[place]

    def new(self) -> int:
        self.count += 1
        return self.count

    def put(self, place: int, value: int) -> None:
        self.held.pop(place, None)
        self.held[place] = value

    def constant(self, register: int) -> int | None:
        return self.constants.get(self.held.get(register, 0))

    def holder(self, value: int) -> int:
        """The oldest register that holds a value, -1 if none does."""
        return next((place for place, held in self.held.items() if held == value and place < LOW), -1)

    def older(self, op: Op) -> Op:
        """Reads the oldest register of each value, so that copies become needless."""
        if op.name in ("blx", "push", "pop"):
            return op
        at = dict(op.at)
        for letter in "mnt":
            if at.get(letter, LOW) < LOW:
                at[letter] = self.holder(self.value(at[letter]))
        return Op(op.name, at, op.label, op.span)

    def simpler(self, op: Op) -> Op:
        """With numbers within the instruction where they are known."""
        at = op.at
        if op.name in ("adds", "subs"):
            return self.sum(op)
        right = self.constant(at["m"]) if "m" in at else None
        if right is None:
            return self.product(op) if op.name == "muls" else op
        if op.name in SHIFTS and 0 < right < 32:
            return Op(SHIFTS[op.name], {"d": at["x"], "m": at["x"], "i": right})
        if op.name == "cmp" and right < 256:
            return Op("cmp8", {"n": at["n"], "i": right})
        if op.name in NEAR:
            name, size = NEAR[op.name]
            if right % size == 0 and right // size < 32:
                return Op(name, {"n": at["n"], "i": right // size, **{k: at[k] for k in "td" if k in at}})
        return self.product(op) if op.name == "muls" else op

    def sum(self, op: Op) -> Op:
        """Sums and differences with a small number."""
        n, m, d = op.at["n"], op.at["m"], op.at["d"]
        left, right = self.constant(n), self.constant(m)
        if left is not None and right is None:
            if op.name == "subs":
                return Op("negs", {"d": d, "m": m}) if left == 0 else op
            n, right = m, left
        if right is None:
            return op
        right = right - WORD if right >= WORD >> 1 else right
        name = op.name if right >= 0 else {"adds": "subs", "subs": "adds"}[op.name]
        if right == 0:
            return Op("mov", {"d": d, "m": n})
        if abs(right) < 8:
            return Op(f"{name}3", {"d": d, "n": n, "i": abs(right)})
        if abs(right) < 256 and n == d:
            return Op(f"{name}8", {"x": d, "i": abs(right)})
        return op

    def product(self, op: Op) -> Op:
        """Times a power of two."""
        x, m = op.at["x"], op.at["m"]
        for factor, other in ((self.constant(m), x), (self.constant(x), m)):
            if factor and factor & factor - 1 == 0:
                shift = factor.bit_length() - 1
                return Op("lsls", {"d": x, "m": other, "i": shift}) if shift else Op("mov", {"d": x, "m": other})
        return op

    def extends(self, op: Op, following: list[Op]) -> int:
        """Where (half ^ 0x8000) - 0x8000 ends that begins here, 0 if none does: there is an instruction for it."""
        place = op.at["x"]
        if self.held.get(place) not in self.halves or self.constant(op.at["m"]) != HALF:
            return 0
        known = {op.at["m"]: HALF}
        for k, each in enumerate(following):
            if each.name == "subs" and each.at["n"] == each.at["d"] == place and known.get(each.at["m"]) == HALF:
                return k + 1
            if (each.reads | each.writes) >> place & 1 or each.name not in ("movs", "lsls"):
                return 0
            known[each.at["d"]] = each.at["i"] if each.name == "movs" else known.get(each.at["m"], 0) << each.at["i"]
        return 0

    def follow(self, op: Op) -> Op:
        """Notes what an instruction does; a copy or "nop" for one that does nothing new."""
        at = op.at
        if op.name == "mov" and max(at["d"], at["m"]) < LOW:
            return self.copy(op, at["d"], self.value(at["m"]))
        if op.name == "ldrsp":
            return self.copy(op, at["d"], self.value(SLOT + at["i"]))
        if op.name == "strsp":
            return self.copy(op, SLOT + at["i"], self.value(at["t"]))
        if op.name[:3] == "str":
            self.version += 1
            return op
        place = at.get("d", at.get("x", -1))
        if op.name in PURE or op.name in LOADS or op.name in ("movs", "word"):
            return self.reckon(op, place)
        self.kill(op)
        return op

    def kill(self, op: Op) -> None:
        """Whatever an instruction or a call writes is not known any more."""
        written = op.writes
        gone = [place for place in self.held if written >> place & 1]
        if op.name == "blx":
            self.version += 1
            gone += [place for place in self.shown if place in self.held]
        for place in gone:
            del self.held[place]

    def copy(self, op: Op, place: int, value: int) -> Op:
        """A value goes to a place."""
        if self.held.get(place) == value:
            return Op("nop")
        holder = self.holder(value)
        self.put(place, value)
        return Op("mov", {"d": place, "m": holder}) if op.name == "ldrsp" and holder >= 0 else op

    def reckon(self, op: Op, place: int) -> Op:
        """A result that depends on nothing but what the instruction reads."""
        at = op.at
        sources = [self.value(at[letter]) for letter in "xnm" if letter in at]
        number = self.number(op, sources)
        if number is not None:
            key: tuple[Any, ...] = ("number", number)
        else:
            key = (op.name, *sources, at.get("i"), self.version if op.name in LOADS else 0)
        value = self.known.get(key)
        if value is None:
            value = self.known[key] = self.new()
            if number is not None:
                self.constants[value] = number
            if op.name in ("ldrh", "ldrh5"):
                self.halves.add(value)
        holder = self.holder(value)
        if holder == place:
            return Op("nop")
        self.put(place, value)
        if holder >= 0:
            return Op("mov", {"d": place, "m": holder})
        if number is not None and number < 256:
            return Op("movs", {"d": place, "i": number})
        return op

    def number(self, op: Op, sources: list[int]) -> int | None:
        """The constant that an instruction results in."""
        if op.name in ("movs", "word"):
            return op.at["i"]
        values = [self.constants.get(source) for source in sources]
        if op.name not in SUMS or None in values:
            return None
        values.append(op.at.get("i", 0))
        return SUMS[op.name](values[0], values[1]) % WORD
