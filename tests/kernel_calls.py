"""Records calls of the plain kernels on CPython, inputs and outcomes, and packs them for a board to do again."""

import random
import re
import struct
from array import array
from binascii import crc32
from collections import Counter
from functools import lru_cache
from pathlib import Path

from hapenny import layout
from hapenny.desktop.kernels import disc, frame, light, pair
from hapenny.desktop.kernels import plain as every
from hapenny.finding.judge import Judge
from hapenny.finding.locate import Locator
from hapenny.kernels import words
from hapenny.sensing.calibration import Calibration
from hapenny_sim.boards.acts import Lying
from hapenny_sim.boards.table import SimulatedTable
from hapenny_sim.sensors import taught

MODULES = (disc, frame, light, pair, every)
VIPER = "hapenny.kernels.viper"
GAP = 8  # bytes: runs of changes nearer than this are sent as one

REPLAY = """
import struct
import time
time.sleep_ms(20)
from binascii import crc32
from hapenny.kernels.pick import kernels
CALLS = ({calls},)
NAMES = {names!r}
slots = {{}}
head = bytearray(8)

def take(file, count):
    file.readinto(head, count)
    return head

def argument(file):
    kind, slot, value = struct.unpack_from("<BBi", take(file, 6))
    if not kind:
        return value
    if slot not in slots:
        slots[slot] = bytearray(value)
    buffer = slots[slot]
    view = memoryview(buffer)
    while True:
        start, count = struct.unpack_from("<HH", take(file, 4))
        if not count:
            return buffer
        file.readinto(view[start:start + count])

def replay():
    done = 0
    with open("calls.bin", "rb") as file:
        while file.readinto(head, 2) == 2:
            which = head[0]
            arguments = [argument(file) for _ in range(head[1])]
            result = CALLS[which](*arguments)
            found = crc32(struct.pack("<i", result or 0))
            for each in arguments:
                if type(each) is bytearray:
                    found = crc32(each, found)
            wanted = struct.unpack_from("<I", take(file, 4))[0]
            if found & 0xFFFFFFFF != wanted:
                print("BAD", NAMES[which], "call", done, "returns", result)
                return
            done += 1
    print("SAME", done)

replay()
"""


class Recorder:
    """Stands in for every plain kernel while `scene` runs, also where one kernel calls another."""

    def __init__(self, monkeypatch, most):
        self.most = most
        self.seen = Counter()
        self.calls = []
        for name in kernel_names():
            self.wrap(monkeypatch, name)

    def wrap(self, monkeypatch, name):
        plain = getattr(every, name)

        def call(*arguments):
            if self.seen[name] >= self.most:
                return plain(*arguments)
            self.seen[name] += 1
            before = [each[:] if isinstance(each, array) else each for each in arguments]
            result = plain(*arguments)
            after = [each[:] if isinstance(each, array) else each for each in arguments]
            self.calls.append((name, before, after, result))
            return result

        for module in MODULES:
            if getattr(module, name, None) is plain:
                monkeypatch.setattr(module, name, call)


@lru_cache(maxsize=1)
def kernel_names():
    """Every kernel that a board has as viper code."""
    return re.findall(r"^def (\w+)", kernel_text(), re.M)


def kernel_text():
    """The module of these kernels."""
    return Path(words.__file__).with_name("viper.py").read_text()


def scene(seed):
    """Discs thrown anywhere, near each other too, on a board with tolerances: found, refined, followed and judged."""
    rng = random.Random(seed)
    table = SimulatedTable(layout, "typical", seed)
    calibration = Calibration(layout)
    taught.tare(table.sensors, calibration)
    for k in range(layout.HALLS):
        calibration.move(k, rng.randrange(-60, 60), rng.randrange(-60, 60), rng.uniform(-0.1, 0.1))
    if seed % 3 == 0:
        calibration.leave_out(rng.randrange(layout.HALLS))
    x, y = rng.uniform(60, 300), rng.uniform(80, 380)
    places = [(x, y), (x + rng.choice((-1, 1)) * rng.uniform(24, 40), y + rng.uniform(-12, 12))]
    places += [(rng.uniform(20, 350), rng.uniform(30, 420)) for _ in range(rng.randrange(3))]
    table.lying = [Lying(i, *place) for i, place in enumerate(places)]
    locator, judge = Locator(layout, calibration), Judge(layout, calibration)
    calibration.kernels = locator.kernels = judge.kernels = every
    field, still = array("h", bytes(2 * layout.HALLS)), array("h", bytes(2 * layout.HALLS))
    calibration.field(array("i", table.scan_halls(64).tolist()), 64, field)
    calibration.field(array("i", table.scan_halls(8).tolist()), 8, still)
    every.change(field, still, layout.HALLS)
    sums = array("i", bytes(4 * layout.HALLS))
    every.add(sums, array("i", table.scan_halls(8).tolist()), layout.HALLS)
    every.clear(sums, layout.HALLS)
    locator.find(field, 64)
    locator.refine(field, 64)
    locator.follow(still, 8)
    lit, dark = table.scan_light(16)
    judge.judge(locator, array("i", lit.tolist()), array("i", dark.tolist()), 16)


def packed(calls):
    """(bytes of `calls.bin`, names in the order of their numbers)."""
    names = sorted({call[0] for call in calls})
    content = {}  # what each slot of the board holds
    out = bytearray()
    for name, before, after, result in calls:
        out += struct.pack("<BB", names.index(name), len(before))
        slots = []
        for each in before:
            slots.append(slot_of(content, each, slots) if isinstance(each, array) else None)
            out += changes(content, slots[-1], each) if isinstance(each, array) else struct.pack("<BBi", 0, 0, each)
        crc = crc32(struct.pack("<i", result or 0))
        for slot, each in zip(slots, after, strict=True):
            if slot is not None:
                content[slot] = each.tobytes()
                crc = crc32(content[slot], crc)
        out += struct.pack("<I", crc & 0xFFFFFFFF)
    return bytes(out), names


def slot_of(content, each, taken):
    """The slot for an array: one of its kind and size that this call does not use yet."""
    same = [slot for slot in taken if slot is not None and slot[:2] == (each.typecode, len(each))]
    kind = (each.typecode, len(each), len(same))
    content.setdefault(kind, bytes(len(each) * each.itemsize))
    return kind


def changes(content, slot, each):
    """An array as what differs from the slot's content."""
    old, new = content[slot], each.tobytes()
    number = list(content).index(slot)
    out = bytearray(struct.pack("<BBi", 1, number, len(new)))
    runs = []
    for at in [i for i in range(len(new)) if old[i] != new[i]]:
        if runs and at - runs[-1][1] < GAP:
            runs[-1][1] = at + 1
        else:
            runs.append([at, at + 1])
    for start, end in runs:
        out += struct.pack("<HH", start, end - start) + new[start:end]
    return bytes(out) + struct.pack("<HH", 0, 0)


def replay_of(names):
    """The program that does the calls again on a board."""
    return REPLAY.format(calls=", ".join(f"kernels.{name}" for name in names), names=names)
