"""Runs a bench program on an emulated board, shoves a disc when it asks, and times what only an onlooker sees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from hapenny import layout
from hapenny_link.errors import UserError
from hapenny_link.firmware_files import BoardFile

from hapenny_sim.boards.calibrated import slot
from hapenny_sim.boards.emulated_machine import EmulatedBoard
from hapenny_sim.boards.table import SimulatedTable

LIMIT_S = 40.0
SHOVE = (150.0, 0.9)  # x_mm, m/s
BUILD, SEED = "good", 1


class Bench:
    """One run; `verdict_ms` is from the last disc at rest to the first frame of pegs that shows one shove less."""

    def __init__(self, image: Path, files: list[BoardFile], say: Callable[[str], None] = lambda step: None) -> None:
        self.table = SimulatedTable(layout, BUILD, SEED)
        self.board = EmulatedBoard(self.table, image, [*files, slot(layout, BUILD, SEED)])
        self.say = say
        self.text = ""
        self.lines = 0
        self.told = False
        self.verdict_ms: float | None = None
        self.rest_s: float | None = None
        self.shoved = False
        self.before: list[tuple[int, ...]] = []

    def until_figures(self) -> str:
        """Everything the program printed, once it has printed its figures. UserError if it fails or takes too long."""
        if not self.board.until(self._ended, LIMIT_S):
            raise UserError(
                f"the bench did not end within {LIMIT_S:g} s of the board's time; it said: {self.text[-300:]}"
            )
        return self.text

    def _ended(self) -> bool:
        self.text += self.board.usb.take().decode(errors="replace")
        lines = self.text.split("\n")[:-1]
        for line in lines[self.lines :]:
            self._hear(line.strip())
        self.lines = len(lines)
        self._watch()
        return self.told

    def _hear(self, line: str) -> None:
        self.told |= line.startswith("FIGURES")
        if line.startswith("STEP "):
            self.say(line[5:])
        elif line == "PHASE shove":
            self.table.shove(*SHOVE)
            self.shoved = True
        elif line.startswith(("Traceback", "MemoryError")):
            self.board.advance(0.05)
            raise UserError(f"the bench failed: {(self.text + self.board.usb.take().decode(errors='replace'))[-600:]}")

    def _watch(self) -> None:
        if self.verdict_ms is not None or not self.shoved:
            return
        if self.table.acts:
            self.rest_s = self.table.act_started_s + self.table.acts[0].duration_s
            self.before = list(self.board.strip.pixels)
        elif self.rest_s is not None and lit(self.board.strip.pixels) != lit(self.before):
            shown_s = self.board.strip.shown_ns / 1e9 + self.board.around.behind_s
            self.verdict_ms = round((shown_s - self.rest_s) * 1000, 1)

    def version(self) -> str:
        """What the image says it is."""
        return version_in(self.board)

    @staticmethod
    def boot_ms(image: Path, files: list[BoardFile]) -> int:
        """From power-up to the first hello, with the board's own main.py."""
        board = EmulatedBoard(SimulatedTable(layout, BUILD, SEED), image, [*files, slot(layout, BUILD, SEED)])
        if not board.until(lambda: b'"hello"' in board.usb.received, LIMIT_S):
            raise UserError(f"the board did not say hello; it said: {bytes(board.usb.received[-300:])!r}")
        return round(board.now_s * 1000)


def lit(pixels: list[tuple[int, ...]]) -> list[bool]:
    """Which pixels are on."""
    return [any(pixel) for pixel in pixels]


def version_in(board: EmulatedBoard) -> str:
    """The version text in an image's flash."""
    flash = bytes(board.mcu.flash[:0xA0000])
    start = flash.find(b"MicroPython v")
    return flash[start : flash.find(b"\0", start)].decode(errors="replace") if start >= 0 else "unknown"
