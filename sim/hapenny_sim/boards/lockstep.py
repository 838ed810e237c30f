"""A simulated board and its host in lockstep: no threads, no waiting, simulated time only; for scenarios and tests."""

import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

from hapenny import layout as standard
from hapenny_link.conversation import Conversation, Picture
from hapenny_link.errors import LinkDown
from hapenny_link.session import MemorySink

from hapenny_sim.boards.calibrated import calibrate
from hapenny_sim.boards.table import SimulatedTable
from hapenny_sim.boards.unix import UnixBoard, UnixTransport

ANSWER_S = 5.0
SETTLE_S = 20.0
FOLLOWS_S = 0.1  # after an answer: the event that came of it is on its way, a few of the board's loops later
QUIET_S = 0.3  # a question that lasts is one; while a disc is lifted the board may ask for a moment


class Lockstep:
    """A `unix:` board with a host that talks to it after every request of the firmware.

    `wait` raises TimeoutError when the board does not come to rest, or answer, in simulated time.
    """

    def __init__(self, build: str = "good", seed: int = 1, layout: ModuleType = standard, discs: int = 5) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="hapenny-board-")
        calibrate(Path(self.folder.name), layout, build, seed)
        self.table = SimulatedTable(layout, build, seed, discs=discs)
        self.board = UnixBoard(self.table, Path(self.folder.name), layout.__name__.rpartition(".")[2])
        self.transport = UnixTransport(self.board)
        self.sink = MemorySink()
        self.conversation = Conversation(self.sink, random.Random(seed))
        self.transport.open()
        self.board.meanwhile = self.look
        self.wait(lambda: self.conversation.state.connected, "the board says hello")
        self.rest()

    def close(self) -> None:
        self.board.close()
        self.folder.cleanup()

    def step(self) -> None:
        """One request of the firmware."""
        self.board.serve()

    def look(self) -> None:
        """One look of the host, while the firmware waits for its sensors: however slow, it changes nothing."""
        out = self.conversation.tick(self.table.now_s)
        if out:
            self.transport.write(out)
        data = self.transport.read(0)
        if data:
            self.conversation.feed(data, self.table.now_s)

    def wait(self, condition: Callable[[], bool], what: str, limit_s: float = SETTLE_S) -> None:
        """Let time pass until the condition holds."""
        end_s = self.table.now_s + limit_s
        while not condition():
            if self.table.now_s > end_s:
                raise TimeoutError(
                    f"waited {limit_s:g} s of simulated time in vain until {what}; the board sees {self.picture}"
                )
            self.step()

    @property
    def picture(self) -> Picture:
        """What the board sees now, as it told the host."""
        return self.sink.status

    def advance(self, seconds: float) -> None:
        end_s = self.table.now_s + seconds
        self.wait(lambda: self.table.now_s >= end_s, "time passes", seconds + 1)

    def rest(self) -> None:
        """Until hands and discs are still, the firmware has judged, and the host knows."""
        self.wait(lambda: not self.table.acts, "the discs lie still")
        quiet_s = self.table.now_s
        while self.table.now_s - quiet_s < QUIET_S:
            self.wait(lambda: self.picture.state in ("rest", "asking"), "the board is at rest")
            before = len(self.sink.events)
            self.step()
            if self.picture.state not in ("rest", "asking") or len(self.sink.events) != before:
                quiet_s = self.table.now_s

    def command(self, do: str, data: bytes = b"") -> str:
        """Have the board do something; returns its refusal code, "" when done."""
        codes: list[str] = []
        self.conversation.command(do, data, codes.append)
        self.wait(lambda: bool(codes), f"the board answers {do!r}", ANSWER_S)
        self.advance(FOLLOWS_S)
        return codes[0]

    def power_cut(self) -> None:
        """Power fails and comes back; the host finds the board again."""
        self.board.power_cut()
        try:
            self.transport.read(0)
        except LinkDown as down:
            self.conversation.restart(str(down))
        self.transport.open()
        self.wait(lambda: self.conversation.state.connected, "the board says hello again")
        self.rest()
