"""The desktop's end of a calibration over the link: takes readings, lights pegs, and stores the result on the board."""

import contextlib
import time
from collections.abc import Callable
from queue import Empty, Queue
from typing import Any

import numpy as np

from hapenny_link.board import Board
from hapenny_link.calibration.measurements import Reading
from hapenny_link.conversation import Received
from hapenny_link.errors import BoardGone, UserError
from hapenny_link.session import MemorySink, Session

HELLO_S = 3.0
STARTING_S = 15.0  # the same for a simulated board, which starts when it is opened
REASON_S = 2.0
FRAME_S = 1.5  # after this time a reading that lost a piece is asked for again
TRIES = 5
PIECE = 90  # bytes of a calibration in one line
OTHER_LAYOUT = "the board's readings are of another layout; say --layout standard or --layout lite"
FROZEN = "the board's sensors have stopped, not one changes: pull its plug once; if it lasts, check its converter"


class CalibrationClient(MemorySink):
    """Talks with the board. `readings` are those that came unasked, of discs at rest."""

    def __init__(self, board: Board, layout: Any) -> None:
        super().__init__()
        self.layout = layout
        self.readings: Queue[Reading] = Queue()
        self.log_lines: list[str] = []
        self.parts: dict[int, bytes] = {}
        self.number = 0
        self.last_halls = np.zeros(0)  # of the reading before
        self.other_layout = False  # the newest frame did not have as many channels as the layout
        self.stored = False  # the board has taken a calibration
        self.board = board
        self.session = Session(board, self)

    def event(self, event: Received, done: Callable[[], None]) -> None:
        """Ignore events. They are never acknowledged here, so the board keeps them for the host that scores."""

    def message(self, name: str, fields: dict[str, Any]) -> None:
        """Gather log lines, and the pieces of a reading."""
        if name == "log":
            self.log_lines.append(fields["text"])
        elif name == "frame":
            if fields["n"] != self.number:
                self.number, self.parts = fields["n"], {}
            self.parts[fields["at"]] = bytes(fields["d"])
            if sum(len(part) for part in self.parts.values()) == fields["of"]:
                reading = self._reading(fields["passes"])
                self.other_layout = reading is None
                if reading:
                    self.readings.put(reading)

    def _reading(self, passes: int) -> Reading | None:
        """The frame that has come; None if it is of another layout."""
        values = np.frombuffer(b"".join(self.parts[at] for at in sorted(self.parts)), "<u2").astype(np.int32)
        halls, lights = self.layout.HALLS, self.layout.LIGHTS
        if len(values) != halls + 2 * lights:
            return None
        return Reading(values[:halls], values[halls : halls + lights], values[halls + lights :], passes)

    def connect(self) -> None:
        """Wait for the board's hello. UserError if no board answers."""
        self.session.start()
        end = time.monotonic() + (STARTING_S if self.board.table else HELLO_S)
        while not self.session.state.connected:
            if time.monotonic() > end:
                trouble = self.session.state.trouble
                self.session.stop()
                raise UserError(
                    f"no board answers at {self.board.url} ({trouble}): plug its cable in, end what else talks to it "
                    "('hapenny run'), or name another with --board; 'hapenny boards' lists those that are plugged in"
                )
            time.sleep(0.05)

    def check_layout(self) -> None:
        """UserError if the connected board has another layout."""
        crc = f"{self.layout.LAYOUT_CRC:08x}"
        if self.session.state.layout != crc:
            raise UserError(f"the board has layout {self.session.state.layout}, this is {crc}: run 'hapenny flash'")

    def leave(self) -> None:
        """End the calibration, whatever it brought. The board plays on."""
        with contextlib.suppress(BoardGone):  # a board that hears nothing ends it by itself
            self.session.command("guide")
        self.session.stop()

    def guide(self, first: int, lit: int, progress: int) -> None:
        """Blink `lit` pixels of both strips from the `first` on, and show how many of five parts are done."""
        self.session.command("guide", bytes((first, lit, progress)))

    def read(self, passes: int, pairs: int) -> Reading:
        """Take a reading. BoardGone if none comes; UserError if it equals the one before to the last bit."""
        for _ in range(TRIES):
            while not self.readings.empty():
                self.readings.get()
            self.session.command("frame", bytes((passes, pairs)))
            try:
                reading = self.readings.get(timeout=FRAME_S)
            except Empty:
                if self.other_layout:
                    raise UserError(OTHER_LAYOUT) from None
                continue
            if np.array_equal(reading.halls, self.last_halls):
                raise UserError(FROZEN)
            self.last_halls = reading.halls
            return reading
        raise BoardGone("the board sends no readings")

    def store(self, calibration: bytes) -> None:
        """Give the board its calibration. The board checks it before it replaces the old one. UserError if it refuses.

        After BoardGone the board may have taken it, if only the last answer was lost.
        """
        for at in range(0, len(calibration), PIECE):
            self._must("piece", bytes((at & 255, at >> 8)) + calibration[at : at + PIECE])
        self._must("keep", b"")
        self.stored = True

    def _must(self, do: str, data: bytes) -> None:
        code = self.session.command(do, data)
        if code:
            end = time.monotonic() + REASON_S
            while not self.log_lines and time.monotonic() < end:  # the reason is a line of its own, after the answer
                time.sleep(0.02)
            said = f": {self.log_lines[-1]}" if self.log_lines else ""
            raise UserError(f"the board did not take the calibration ({code}){said}; the old one stays")
