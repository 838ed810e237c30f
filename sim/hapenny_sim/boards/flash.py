"""A NOR flash under littlefs whose power can be cut at any byte: it records what is written, and replays any part.

Geometry and littlefs parameters are those of MicroPython's `RPI_PICO` (4096 byte blocks, 256 byte pages).
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

from littlefs import LittleFS, UserContext
from littlefs.errors import LittleFSError

BLOCK_BYTES = 4096
PAGE_BYTES = 256
ERASED = b"\xff"


@dataclass(frozen=True)
class Write:
    """One program (`data`) or erase (`data` None) of a flash, at a byte address."""

    address: int
    data: bytes | None
    sync: bool = False  # what was written before is on flash before anything after this one


@dataclass
class Recorder(UserContext):
    """The flash itself: `log` holds every write since the start."""

    buffer: bytearray
    log: list[Write] = field(default_factory=list)
    erases: int = 0
    pages: int = 0

    def __post_init__(self) -> None:
        super().__init__(buffer=self.buffer)

    def prog(self, cfg: Any, block: int, off: int, data: bytes) -> int:
        self.log.append(Write(block * BLOCK_BYTES + off, bytes(data)))
        self.pages += (len(data) + PAGE_BYTES - 1) // PAGE_BYTES
        apply(self.buffer, self.log[-1])
        return 0

    def erase(self, cfg: Any, block: int) -> int:
        self.log.append(Write(block * BLOCK_BYTES, None))
        self.erases += 1
        apply(self.buffer, self.log[-1])
        return 0

    def sync(self, cfg: Any) -> int:
        self.log.append(Write(0, b"", sync=True))
        return 0


def apply(image: bytearray, write: Write, upto: int | None = None) -> None:
    """Does a write, or (`upto`) only its first bytes, on an image in place."""
    if write.data is None:
        size = BLOCK_BYTES if upto is None else upto
        image[write.address : write.address + size] = ERASED * size
    else:
        data = write.data[:upto]
        image[write.address : write.address + len(data)] = data


def mount(image: bytearray) -> tuple[LittleFS, Recorder]:
    """The file system on an image (formatted if it is all erased), and the flash that records under it."""
    flash = Recorder(image)
    system = LittleFS(
        context=flash, block_size=BLOCK_BYTES, block_count=len(image) // BLOCK_BYTES, read_size=32,
        prog_size=PAGE_BYTES, cache_size=1024, lookahead_size=32, mount=False,
    )  # fmt: skip
    if image.count(0xFF) == len(image):
        system.format()
    system.mount()
    return system, flash


def cuts(image: bytearray, log: list[Write], rng: random.Random, shuffles: int) -> Iterator[tuple[int, bytearray]]:
    """(writes done, image) for a power cut at every byte offset of a log, then with unsynced writes lost at random.

    Images equal to the one before are left out. `image` is the flash before the first write.
    """
    done = bytearray(image)
    window: list[Write] = []
    before = bytearray(image)  # at the last sync
    for index, write in enumerate(log):
        if write.sync:
            window, before = [], bytearray(done)
            continue
        yield from _torn(done, write, index)
        window.append(write)
        for _ in range(shuffles if len(window) > 1 else 0):
            yield index, _unordered(before, window, rng)
        apply(done, write)
    yield len(log), done


def _torn(done: bytearray, write: Write, index: int) -> Iterator[tuple[int, bytearray]]:
    if write.data is None:
        offsets = [0, 1, BLOCK_BYTES // 2, BLOCK_BYTES - 1]
    else:
        offsets = [i for i, value in enumerate(write.data) if i == 0 or write.data[i - 1] != 0xFF]
    for upto in offsets:
        image = bytearray(done)
        apply(image, write, upto)
        yield index, image


def _unordered(before: bytearray, window: list[Write], rng: random.Random) -> bytearray:
    """Any of the writes since the last sync may have been lost; the last one to arrive may be torn."""
    image = bytearray(before)
    kept = [write for write in window if rng.random() < 0.5]
    for write in kept:
        torn = write is kept[-1] and write.data is not None
        apply(image, write, rng.randrange(len(write.data or b"") + 1) if torn else None)
    return image


def files_of(system: LittleFS) -> tuple[Any, Callable[..., Any]]:
    """(`os`, `open`) for firmware that shall run on this file system instead of the machine's."""

    def guard(call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*args: Any) -> Any:
            try:
                return call(*args)
            except LittleFSError as error:
                raise OSError(error.code, str(error)) from error

        return wrapped

    def stat(name: str) -> tuple[int, ...]:
        return (0, 0, 0, 0, 0, 0, system.stat(name).size)

    def statvfs(_: str) -> tuple[int, ...]:
        free = system.block_count - system.used_block_count
        return (BLOCK_BYTES, BLOCK_BYTES, system.block_count, free, free)

    def urandom(count: int) -> bytes:
        return bytes(range(1, count + 1))

    calls = {"listdir": system.listdir, "remove": system.remove, "rename": system.rename, "mkdir": system.mkdir}
    calls |= {"stat": stat, "statvfs": statvfs}
    return SimpleNamespace(urandom=urandom, **{name: guard(call) for name, call in calls.items()}), guard(system.open)
