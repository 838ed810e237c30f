"""An emulated board and its host in lockstep: as `Lockstep`, with the RP2040's own firmware files under it."""

from __future__ import annotations

import random
from pathlib import Path
from types import ModuleType
from typing import Any

from hapenny import layout as standard
from hapenny_link.conversation import Conversation
from hapenny_link.firmware_files import BoardFile, carried
from hapenny_link.image import needed
from hapenny_link.session import MemorySink

from hapenny_sim.boards.calibrated import slot
from hapenny_sim.boards.emulated_machine import EmulatedBoard
from hapenny_sim.boards.lockstep import Lockstep
from hapenny_sim.boards.table import SimulatedTable


class UsbTransport:
    """The host's end of the emulated serial line, without a pty between."""

    def __init__(self, board: EmulatedBoard) -> None:
        self.board = board

    def open(self) -> None:
        """The port is there as long as the board is."""

    def read(self, _timeout_s: float) -> bytes:
        return self.board.usb.take()

    def write(self, data: bytes) -> None:
        self.board.usb.send(data)


class EmulatedLockstep(Lockstep):
    """The same calls as for the `unix:` board; some ten times slower than a board."""

    def __init__(self, build: str = "good", seed: int = 1, layout: ModuleType = standard, discs: int = 5,
                 image: Path | None = None, files: list[BoardFile] | None = None) -> None:  # fmt: skip
        self.table = SimulatedTable(layout, build, seed, discs=discs)
        image = image or needed()
        files = carried(image) if files is None else files
        self.board = EmulatedBoard(self.table, image, [*files, slot(layout, build, seed)])
        self.transport = self.plug()
        self.sink = MemorySink()
        self.conversation = Conversation(self.sink, random.Random(seed))
        self.wait(lambda: self.conversation.state.connected, "the board says hello")
        self.rest()

    def plug(self) -> Any:
        """The cable: the transport between this host and the board."""
        return UsbTransport(self.board)

    def step(self) -> None:
        """A step of the board, and one look of the host."""
        self.board.step()
        self.look()

    def power_cut(self) -> None:
        """Power fails and comes back; the host finds the board again."""
        self.board.power_cut()
        self.conversation.restart("the power failed")
        self.wait(lambda: self.conversation.state.connected, "the board says hello again")
        self.rest()

    def close(self) -> None:
        """Nothing runs on by itself."""
