"""A board that is being taught, over its link: readings come, guidance and in the end a calibration go."""

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
STARTING_S = 15.0  # the same of a simulated board, which starts when it is opened
REASON_S = 2.0
FRAME_S = 1.5  # until a reading that lost a piece is asked for again
TRIES = 5
PIECE = 90  # bytes of a calibration in one line
STRANGE = "the board's readings are of another layout; say --layout standard or --layout lite"
FROZEN = "the board's sensors stand still, not one changes: pull its plug once, then see to its converter"


class Pupil(MemorySink):
    """Talks with the board; `readings` are those that came unasked, of discs at rest."""

    def __init__(self, board: Board, layout: Any) -> None:
        super().__init__()
        self.layout = layout
        self.readings: Queue[Reading] = Queue()
        self.said: list[str] = []
        self.parts: dict[int, bytes] = {}
        self.number = 0
        self.before = np.zeros(0)  # the Halls of the reading before
        self.strange = False  # the newest frame had not as many channels as the layout
        self.kept = False  # the board has taken a calibration
        self.board = board
        self.session = Session(board, self)

    def event(self, event: Received, done: Callable[[], None]) -> None:
        """Events are not ours: never acknowledged, they stay on the board for the host that scores."""

    def message(self, name: str, fields: dict[str, Any]) -> None:
        if name == "log":
            self.said.append(fields["text"])
        elif name == "frame":
            if fields["n"] != self.number:
                self.number, self.parts = fields["n"], {}
            self.parts[fields["at"]] = bytes(fields["d"])
            if sum(len(part) for part in self.parts.values()) == fields["of"]:
                reading = self._reading(fields["passes"])
                self.strange = reading is None
                if reading:
                    self.readings.put(reading)

    def _reading(self, passes: int) -> Reading | None:
        """The frame that has come; None if it is of another layout."""
        values = np.frombuffer(b"".join(self.parts[at] for at in sorted(self.parts)), "<u2").astype(np.int32)
        halls, lights = self.layout.HALLS, self.layout.LIGHTS
        if len(values) != halls + 2 * lights:
            return None
        return Reading(values[:halls], values[halls : halls + lights], values[halls + lights :], passes)

    def meet(self) -> None:
        """Connects. UserError if there is no board, or one of another layout."""
        self.find()
        crc = f"{self.layout.LAYOUT_CRC:08x}"
        if self.session.state.layout != crc:
            raise UserError(f"the board has layout {self.session.state.layout}, this is {crc}: run 'hapenny flash'")

    def find(self) -> None:
        """Connects. UserError if there is no board."""
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

    def leave(self) -> None:
        """The lesson is over, whatever it brought; the board plays on."""
        with contextlib.suppress(BoardGone):  # it leaves by itself when nobody talks with it
            self.session.command("guide")
        self.session.stop()

    def guide(self, first: int, lit: int, progress: int) -> None:
        """Pixels of both strips to blink, and how many of five parts are done."""
        self.session.command("guide", bytes((first, lit, progress)))

    def read(self, passes: int, pairs: int) -> Reading:
        """A reading, now. BoardGone if none comes, UserError if it is the one before to the last bit."""
        for _ in range(TRIES):
            while not self.readings.empty():
                self.readings.get()
            self.session.command("frame", bytes((passes, pairs)))
            try:
                reading = self.readings.get(timeout=FRAME_S)
            except Empty:
                if self.strange:
                    raise UserError(STRANGE) from None
                continue
            if np.array_equal(reading.halls, self.before):
                raise UserError(FROZEN)
            self.before = reading.halls
            return reading
        raise BoardGone("the board sends no readings")

    def keep(self, blob: bytes) -> None:
        """Gives the board its calibration, which it checks before it replaces the old one. UserError if it refuses.

        BoardGone: it may have taken it if it went only after the last piece.
        """
        for at in range(0, len(blob), PIECE):
            self._must("piece", bytes((at & 255, at >> 8)) + blob[at : at + PIECE])
        self._must("keep", b"")
        self.kept = True

    def _must(self, do: str, data: bytes) -> None:
        code = self.session.command(do, data)
        if code:
            end = time.monotonic() + REASON_S
            while not self.said and time.monotonic() < end:  # the reason is a line of its own, after the answer
                time.sleep(0.02)
            said = f": {self.said[-1]}" if self.said else ""
            raise UserError(f"the board did not take the calibration ({code}){said}; the old one stays")
