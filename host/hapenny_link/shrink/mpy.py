"""Compiled modules: walks to the functions in a .mpy file and puts shorter ones in their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

from hapenny_link.shrink import bytecode
from hapenny_link.shrink.bytecode import NAME, packed
from hapenny_link.shrink.terse import terse

BYTECODE, VIPER = 0, 2  # kinds of code as a .mpy counts them: bytecode, native, viper, assembler
RELOCATED, RODATA, BSS = 0x10, 0x20, 0x40  # flags of a viper function
STRINGS, TUPLE, LENGTHLESS = (5, 6), 10, 5  # kinds of constants
HEAD = 4  # bytes
NO_NAMES = (1 << 1, 5 << 1 | 1)  # heads of arguments' names that go: of one letter; and `*`, of a comprehension

CLASS = [0x11, 0x16, 0x10, 0x16]  # a class begins by noting its module and its name, which no board asks for

Change = Callable[[bytes], bytes]


class Walk:
    """Copies a module's bytes, the code of each function changed."""

    def __init__(self, data: bytes, bytecode: Change, viper: Change, order: list[int] | None = None) -> None:
        self.data, self.bytecode, self.viper = data, bytecode, viper
        self.at = HEAD
        count, constants = self.number(), self.number()
        self.names = [self.name() for _ in range(count)]
        names = self.at
        for _ in range(constants):
            self.constant()
        listed = self.names if order is None else [self.names[k] for k in order]
        head = data[:HEAD] + packed(len(listed)) + packed(constants)
        self.out = bytearray(head + b"".join(listed) + data[names : self.at])
        self.native = False
        self.depth = 0  # functions around the one that is changed

    def number(self) -> int:
        value, self.at = bytecode.number(self.data, self.at)
        return value

    def name(self) -> bytes:
        """The bytes of the next name."""
        start = self.at
        length = self.number()
        self.at += 0 if length & 1 else (length >> 1) + 1
        return self.data[start : self.at]

    def constant(self) -> None:
        kind = self.data[self.at]
        self.at += 1
        if kind < LENGTHLESS:
            return
        length = self.number()
        if kind == TUPLE:
            for _ in range(length):
                self.constant()
        else:
            self.at += length + (kind in STRINGS)

    def function(self) -> None:
        """One function and those within it."""
        head = self.number()
        kind, inner, length = head & 3, head & 4, head >> 3
        code = self.data[self.at : self.at + length]
        self.at += length
        rest = self.at
        if kind == BYTECODE:
            code = self.bytecode(code)
        else:
            self.native = True
            flags = self.number()
            if kind != VIPER or flags & (RELOCATED | RODATA | BSS):
                raise ValueError("native code with data of its own")
            code = self.viper(code)
        self.out += packed(len(code) << 3 | inner | kind) + code + self.data[rest : self.at]
        if inner:
            rest = self.at
            count = self.number()
            self.out += self.data[rest : self.at]
            self.depth += 1
            for _ in range(count):
                self.function()
            self.depth -= 1


def changed(module: bytes, viper: Change) -> bytes:
    """The module with the code of every viper function changed."""
    walk = Walk(module, bytes, viper)
    walk.function()
    return bytes(walk.out)


def tersely(module: bytes, unnamed: bool = False) -> bytes:
    """The module with shorter bytecode, the names used most numbered first, and those that nothing uses left out.

    Names beyond the first 128 take two bytes wherever they stand. Machine code has numbers of names in it, so a module
    with such code keeps them. `unnamed`: no call gives an argument whose name is one letter by that name (names.py sees
    to it), so functions do without such names; nothing else reads them.
    """
    uses: Counter[int] = Counter()

    def shorter(code: bytes) -> bytes:
        function = terse(bytecode.read(code))
        if walk.depth and [op.code for op in function.ops[: len(CLASS)]] == CLASS:
            function = replace(function, ops=function.ops[len(CLASS) :])
        uses.update([*said(function), *[op.arg for op in function.ops if op.kind == NAME]])
        return bytecode.write(function)

    def said(function: bytecode.Function) -> list[int]:
        """The names in a function's head."""
        name, *given = function.names
        bare = unnamed and all(walk.names[each][0] in NO_NAMES for each in given) and not function.counts[1]
        return [name] if bare else [name, *given]

    walk = Walk(module, shorter, bytes)
    walk.function()
    order = list(range(len(walk.names)))
    if not walk.native:
        order = [0, *sorted(uses.keys() - {0}, key=lambda name: (-uses[name], name))]  # the first is the file's own
    new = {name: place for place, name in enumerate(order)}

    def numbered(code: bytes) -> bytes:
        function = bytecode.read(code)
        return bytecode.write(replace(function, names=said(function)), new.__getitem__)

    again = Walk(bytes(walk.out), numbered, bytes, order)
    again.function()
    return bytes(again.out)
