"""Compiled modules: walks to the native functions in a .mpy file and puts others in their place."""

from __future__ import annotations

from collections.abc import Callable

VIPER = 2  # kinds of code as a .mpy counts them: bytecode, native, viper, assembler
RELOCATED, RODATA, BSS = 0x10, 0x20, 0x40  # flags of a viper function
STRINGS, TUPLE, LENGTHLESS = (5, 6), 10, 5  # kinds of constants


class Walk:
    """Copies a module's bytes, each viper function's code changed."""

    def __init__(self, data: bytes, change: Callable[[bytes], bytes]) -> None:
        self.data, self.change = data, change
        self.at = 4  # behind the head
        names, constants = self.number(), self.number()
        self.names = [self.name() for _ in range(names)]
        for _ in range(constants):
            self.constant()
        self.out = bytearray(data[: self.at])

    def number(self) -> int:
        value = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value = value << 7 | byte & 127
            if not byte & 128:
                return value

    def name(self) -> str:
        """The next name, "" for one that MicroPython knows by a number."""
        length = self.number()
        start = self.at
        self.at += 0 if length & 1 else (length >> 1) + 1
        return self.data[start : self.at - 1].decode() if self.at > start else ""

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
        if kind:
            flags = self.number()
            if kind != VIPER or flags & (RELOCATED | RODATA | BSS):
                raise ValueError("native code with data of its own")
            code = self.change(code)
        self.out += packed(len(code) << 3 | inner | kind) + code + self.data[rest : self.at]
        if inner:
            rest = self.at
            count = self.number()
            self.out += self.data[rest : self.at]
            for _ in range(count):
                self.function()


def packed(value: int) -> bytes:
    """A number as a .mpy holds it: seven bits a byte, the highest first."""
    found = [value & 127]
    while value := value >> 7:
        found.append(value & 127 | 128)
    return bytes(reversed(found))


def changed(module: bytes, change: Callable[[bytes], bytes]) -> bytes:
    """The module with the code of every viper function changed."""
    walk = Walk(module, change)
    walk.function()
    return bytes(walk.out)
