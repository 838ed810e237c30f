"""The `emulated:` board: an RP2040 emulator runs the real MicroPython image over the simulated table.

    emulated:[standard|lite][?build=good&seed=1&uf2=PATH&flash=PATH]

About ten times slower than a board. `flash` is a file that keeps the board's file system between runs.
"""

from __future__ import annotations

import importlib
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from hapenny_link.board import Board
from hapenny_link.errors import UserError
from hapenny_link.firmware_files import LAYOUTS, carried
from hapenny_link.image import needed
from hapenny_link.transports.serial import SerialTransport

from hapenny_sim.boards.calibrated import slot
from hapenny_sim.boards.emulated_machine import EmulatedBoard
from hapenny_sim.boards.emulated_pty import PtyBridge
from hapenny_sim.boards.table import SimulatedTable
from hapenny_sim.sensors.build import BUILDS

KEYS = {"build", "seed", "uf2", "flash"}


@dataclass(frozen=True)
class Wish:
    """What a URL asks for."""

    layout: str
    build: str
    seed: int
    uf2: str | None
    flash: Path | None


def parse(url: str) -> Wish:
    """The parts of an `emulated:` URL. UserError if it is not one."""
    parts = urlsplit(url)
    query = {key: values[0] for key, values in parse_qs(parts.query).items()}
    layout, build, seed = parts.path or "standard", query.get("build", "good"), query.get("seed", "1")
    if layout not in LAYOUTS:
        raise UserError(f"{url}: there is no layout {layout!r}; say emulated:, emulated:standard or emulated:lite")
    if build not in BUILDS:
        raise UserError(f"{url}: there is no build {build!r}; known are {', '.join(BUILDS)}")
    if not seed.isdigit() or set(query) - KEYS:
        raise UserError(f"{url}: after the ? may stand build=NAME, seed=NUMBER, uf2=PATH and flash=PATH")
    return Wish(layout, build, int(seed), query.get("uf2"), Path(query["flash"]) if "flash" in query else None)


def make_board(wish: Wish) -> EmulatedBoard:
    """The emulated board, powered up, in lockstep: call its `advance` and `until`."""
    layout = importlib.import_module(f"hapenny.{Path(LAYOUTS[wish.layout]).stem}")
    table = SimulatedTable(layout, wish.build, wish.seed)
    image = needed(wish.uf2)
    files = [*carried(image, wish.layout), slot(layout, wish.build, wish.seed)]
    board = EmulatedBoard(table, image, files)
    if wish.flash is not None and wish.flash.exists():
        board.flash = bytearray(wish.flash.read_bytes())
        board.power_up()
    return board


class Runner:
    """Runs an emulated board in a thread, with its serial line on a pty; never faster than a real one."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.board = board
        self.pty = PtyBridge()
        self.stopping = threading.Event()
        self.thread = threading.Thread(target=self._run, name="emulated board", daemon=True)
        self.thread.start()

    def _run(self) -> None:
        board = self.board
        while not self.stopping.is_set():
            started = time.monotonic() - board.now_s
            board.step()
            self.pty.pump(board.usb)
            ahead_s = board.now_s - (time.monotonic() - started)
            if ahead_s > 0:
                time.sleep(ahead_s)

    def close(self) -> None:
        self.stopping.set()
        self.thread.join(timeout=10)
        self.pty.close()


def open_board(url: str) -> Board:
    """Opens an emulated board; UserError if the URL is wrong or there is no image."""
    wish = parse(url)
    board = make_board(wish)
    runner = Runner(board)

    def close() -> None:
        runner.close()
        if wish.flash is not None:
            wish.flash.write_bytes(board.file_system())

    return Board(url=url, transport=SerialTransport(device=runner.pty.path), table=board.table, close=close)
