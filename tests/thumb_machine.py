"""A small RP2040 core for tests: carries out viper kernels, with what MicroPython does for them."""

import struct

from hapenny_link.shrink.mpy import Walk
from hapenny_link.shrink.thumb import one, signed

FUNCTION, CONTEXT, NAMES, TABLE, CALLS, KERNELS, STACK, DATA = (n << 24 for n in range(0x20, 0x28))
TO_NATIVE, TO_OBJECT, SWAP, GLOBAL, CALL, PUSH, POP, CHECK, DIVIDE, MODULO = 3, 4, 5, 7, 27, 32, 33, 44, 46, 47
LARGE, NONE = 0x30 << 24, 0x31 << 24
INT = 2  # a type of viper's; those of arrays come later
WORD = 1 << 32
RESULTS = {  # of the first register, the second or the number, and the number of a shift
    "movs": lambda x, m, i: i, "mov": lambda x, m, i: m, "adds": lambda x, m, i: x + m, "subs": lambda x, m, i: x - m,
    "adds3": lambda x, m, i: x + i, "subs3": lambda x, m, i: x - i, "adds8": lambda x, m, i: x + i,
    "subs8": lambda x, m, i: x - i, "lsls": lambda x, m, i: m << i, "lsrs": lambda x, m, i: m >> (i or 32),
    "asrs": lambda x, m, i: signed(m, 32) >> (i or 32), "negs": lambda x, m, i: -m, "ands": lambda x, m, i: x & m,
    "eors": lambda x, m, i: x ^ m, "orrs": lambda x, m, i: x | m, "muls": lambda x, m, i: x * m,
    "mvns": lambda x, m, i: ~m, "lslr": lambda x, m, i: x << (m & 255), "lsrr": lambda x, m, i: x >> (m & 255),
    "asrr": lambda x, m, i: signed(x, 32) >> (m & 255), "sxth": lambda x, m, i: signed(m & 65535, 16),
}  # fmt: skip


class Machine:
    """The kernels of a compiled module over one memory."""

    def __init__(self, module, functions):
        self.functions = functions  # names in the order of the module
        codes = []
        walk = Walk(module, bytes, lambda code: codes.append(code) or code)
        walk.function()
        self.codes = dict(zip(functions, codes, strict=True))
        self.names = [name[1:-1].decode() for name in walk.names]  # between a length and a zero
        self.decoded = {name: {} for name in functions}
        self.data = {}
        for base, words in ((FUNCTION, (0, CONTEXT)), (CONTEXT, (0, 0, NAMES, TABLE))):
            self.data[base] = bytearray(struct.pack(f"<{len(words)}I", *words))
        self.data[NAMES] = bytearray(struct.pack(f"<{len(self.names)}H", *range(len(self.names))))
        self.data[TABLE] = bytearray(struct.pack("<I", CALLS))
        self.data[CALLS] = bytearray(struct.pack("<64I", NONE, *(CALLS + 1 + 2 * n for n in range(1, 64))))
        self.data[STACK] = bytearray(1 << 16)
        self.large = []
        self.steps = 0

    def call(self, name, arguments):
        """The kernel's result; arguments are numbers and bytearrays, which it may change."""
        values = []
        for k, each in enumerate(arguments):
            if isinstance(each, bytearray):
                self.data[DATA + (k << 20)] = each
                values.append(DATA + (k << 20))
            else:
                values.append(self.object(each % WORD))
        found = self.run(name, values, STACK + (1 << 16) - 64)
        return None if found == NONE else signed(self.native(found), 32)

    def object(self, value):
        """A number as MicroPython's object: odd if it is small."""
        if -(1 << 30) <= signed(value, 32) < 1 << 30:
            return (value << 1 | 1) % WORD
        self.large.append(value)
        return LARGE + 4 * len(self.large) - 4

    def native(self, found):
        """The number of an object; an array's address stays as it is."""
        if found & 1:
            return (signed(found, 32) >> 1) % WORD
        return self.large[found - LARGE >> 2] if LARGE <= found < LARGE + 4 * len(self.large) else found

    def place(self, address, size):
        for shift in (24, 20):
            base = address >> shift << shift
            if base in self.data and address - base + size <= len(self.data[base]):
                assert address % size == 0
                return self.data[base], address - base
        raise AssertionError(f"nothing lies at {address:x}")

    def load(self, address, size, sign=False):
        memory, at = self.place(address, size)
        return int.from_bytes(memory[at : at + size], "little", signed=sign) % WORD

    def store(self, address, size, value):
        memory, at = self.place(address, size)
        memory[at : at + size] = (value % (1 << 8 * size)).to_bytes(size, "little")

    def run(self, name, values, stack):
        return Run(self, name, values, stack).result()


class Run:
    """One call of a kernel."""

    def __init__(self, machine, name, values, stack):
        self.machine, self.name, self.code = machine, name, machine.codes[name]
        stack -= 4 * len(values) + 8 & ~7
        for k, value in enumerate(values):
            machine.store(stack + 4 * k, 4, value)
        self.r = [FUNCTION, len(values), 0, stack, 4, 5, 6, 7, 0, 0, 0, 0, 0, stack, 0, 0]
        self.z = self.n = self.v = self.c = False
        self.pc = 0
        self.bottom = stack

    def result(self):
        decoded = self.machine.decoded[self.name]
        while self.pc >= 0:
            at = self.pc
            if at not in decoded:
                decoded[at] = one(struct.unpack_from("<H", self.code, at)[0])
            self.pc = at + 2
            self.machine.steps += 1
            assert self.machine.steps < 20_000_000, "no end"
            self.step(decoded[at].name, decoded[at].at, at)
        assert self.r[4:8] == [4, 5, 6, 7] and self.r[13] == self.bottom, "registers that are the caller's"
        return self.r[0]

    def step(self, op, f, at):
        if op[:3] in ("ldr", "str"):
            self.memory(op, f, at)
        elif op in ("b", "bcc", "blx", "addpc", "push", "pop", "addsp", "subsp", "spaddr", "nop"):
            self.control(op, f, at)
        else:
            self.reckon(op, f)

    def memory(self, op, f, at):
        r, size = self.r, {"h": 2, "b": 1}.get(op[3:4], 4)
        sign = op in ("ldrsh", "ldrsb")
        if op == "ldrpc":
            r[f["d"]] = struct.unpack_from("<I", self.code, (at + 4 & ~3) + 4 * f["i"])[0]
            return
        if op.endswith("sp"):
            address, size = r[13] + 4 * f["i"], 4
        elif op[-1] == "5":
            address = r[f["n"]] + size * f["i"]
        else:
            size = {"ldrsh": 2, "ldrsb": 1}.get(op, size)
            address = (r[f["n"]] + r[f["m"]]) % WORD
        if op[:3] == "ldr":
            r[f["d"]] = self.machine.load(address, size, sign)
        else:
            self.machine.store(address, size, r[f["t"]])

    def control(self, op, f, at):
        r = self.r
        if op == "b" or (op == "bcc" and self.holds(f["c"])):
            self.pc = at + 4 + 2 * signed(f["i"], 11 if op == "b" else 8)
        elif op == "addpc":
            self.pc = at + 4 + signed(r[f["m"]], 32)
        elif op == "blx":
            self.outside((r[f["m"]] - CALLS) >> 1)
        elif op == "spaddr":
            r[f["d"]] = r[13] + 4 * f["i"]
        elif op in ("addsp", "subsp"):
            r[13] += 4 * f["i"] * (1 if op == "addsp" else -1)
        elif op in ("push", "pop"):
            registers = [k for k in range(8) if f["i"] >> k & 1] + ([14] if f["i"] & 256 else [])
            r[13] -= 4 * len(registers) * (op == "push")
            for k, register in enumerate(registers):
                if op == "push":
                    self.machine.store(r[13] + 4 * k, 4, r[register])
                else:
                    r[register] = self.machine.load(r[13] + 4 * k, 4)
            r[13] += 4 * len(registers) * (op == "pop")
            self.pc = -1 if op == "pop" and f["i"] & 256 else self.pc

    def outside(self, which):
        """What MicroPython does; registers that are not the caller's hold anything afterwards."""
        r, machine = self.r, self.machine
        found = r[0]
        if which == GLOBAL:
            found = KERNELS + r[0]
        elif which == CALL:
            name = machine.names[r[0] - KERNELS]
            found = machine.run(name, [machine.load(r[2] + 4 * k, 4) for k in range(r[1])], r[13])
        elif which == TO_NATIVE:
            found = machine.native(r[0])
        elif which == TO_OBJECT:
            found = machine.object(r[0]) if r[1] == INT else r[0]
        elif which == PUSH:
            found = 0
        elif which in (DIVIDE, MODULO):
            a, b = signed(r[0], 32), signed(r[1], 32)
            found = (a // b if which == DIVIDE else a % b) % WORD
        else:
            assert which in (SWAP, POP, CHECK), which
            assert which != CHECK, "a wrong number of arguments"
        r[:4] = found, 0xDEAD0001, 0xDEAD0002, 0xDEAD0003
        r[12] = 0xDEAD000C
        self.z, self.n, self.v, self.c = True, True, True, False

    def holds(self, condition):
        z, n, v, c = self.z, self.n, self.v, self.c
        found = (z, c, n, v, c and not z, n == v, not z and n == v)[condition >> 1]
        return found != bool(condition & 1)

    def reckon(self, op, f):
        r = self.r
        if op in ("cmp", "cmp8"):
            self.difference(r[f["n"]], r[f["m"]] if op == "cmp" else f["i"])
            return
        first = r[f["x"]] if "x" in f else r[f["n"]] if "n" in f else 0
        value = RESULTS[op](first, r[f["m"]] if "m" in f else f["i"], f.get("i", 0)) % WORD
        r[f["d"] if "d" in f else f["x"]] = value
        if op not in ("mov", "sxth"):
            self.z, self.n = value == 0, value >= 1 << 31

    def difference(self, a, b):
        value = (a - b) % WORD
        self.z, self.n, self.c = value == 0, bool(value >> 31), a >= b
        self.v = signed(a, 32) - signed(b, 32) != signed(value, 32)
