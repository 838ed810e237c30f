"""The board in this process: the firmware's own loop with compiled kernels, over the simulated table and its clock."""

import math
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from hapenny import app
from hapenny.keeping.slots import Store
from hapenny.rules import events

from hapenny_sim.boards.calibrated import calibration
from hapenny_sim.boards.table import SimulatedTable
from hapenny_sim.physics import Physics
from hapenny_sim.physics.quick import simulate
from hapenny_sim.sensors.compiled import COMPILED
from hapenny_sim.studies.accuracy import layout_of

TICKS = 0x3FFFFFFF
BOOT_S = 0.6  # docs/performance.md
START_S = 5.0  # from power up to the first picture


class PowerCut(Exception):
    """Power fails now, whatever the firmware is doing."""


class Hardware:
    """What `hapenny.rp2040` is on a board; every request costs the time that `unix:` charges for it."""

    def __init__(self, table: SimulatedTable, layout: Any) -> None:
        self.table = table
        self.board_id = "%08x" % (layout.LAYOUT_CRC & TICKS)
        self.cut_s = math.inf  # when power fails
        self.answered()

    def answered(self) -> None:
        """A request is done: clock, buttons and lifts are read with it, as on `unix:`."""
        if self.table.now_s >= self.cut_s:
            self.cut_s = math.inf
            raise PowerCut
        self.now_ms = int(self.table.now_s * 1000) & TICKS
        self.held = self.table.buttons()
        self.raised = self.table.raised

    def scan_halls(self, out: Any, passes: int) -> None:
        np.frombuffer(out, np.int32)[:] = self.table.scan_halls(passes)
        self.answered()

    def scan_light(self, lit: Any, dark: Any, pairs: int) -> None:
        sums = self.table.scan_light(pairs)
        np.frombuffer(lit, np.int32)[:], np.frombuffer(dark, np.int32)[:] = sums
        self.answered()

    def idle(self, ms: int) -> None:
        self.table.advance(ms / 1000)
        self.answered()

    def show(self, pixels: bytes) -> None:
        """The pegs light up; nobody here looks at them."""

    def ticks_ms(self) -> int:
        return self.now_ms

    def buttons(self) -> int:
        return self.held

    def lifts(self) -> int:
        return self.raised

    def feed_watchdog(self) -> None:
        """There is none."""

    def read(self) -> bytes:
        return b""  # no host: people use the buttons

    def write(self, data: bytes) -> int:
        return len(data)


class PlayBoard:
    """One made board with its table and its flash. `close` removes the flash.

    `loop` is the firmware's own; `app` is made anew when power comes back.
    """

    def __init__(self, layout: str = "standard", build: str = "good", seed: int = 1,
                 physics: Physics | None = None) -> None:  # fmt: skip
        self.layout = layout_of(layout)
        self.folder = tempfile.TemporaryDirectory(prefix="hapenny-play-")
        Store(str(Path(self.folder.name) / "calibration")).save(calibration(self.layout, build, seed))
        self.table = SimulatedTable(self.layout, build, seed, physics, simulate=simulate)
        self.hardware = Hardware(self.table, self.layout)
        self.power_ups = 0
        self.looked: Callable[[], None] = lambda: None  # called after every loop
        self.power_up()
        self.until(lambda: self.at_rest, START_S)

    def close(self) -> None:
        self.folder.cleanup()

    def power_up(self) -> None:
        """Start the firmware, as if power had come."""
        self.hardware.idle(0)
        self.app = app.start(self.hardware, self.layout, self.folder.name, COMPILED)
        self.power_ups += 1

    def loop(self) -> None:
        """The firmware goes once round its loop; power may fail meanwhile, and comes back."""
        try:
            self.app.loop()
        except PowerCut:
            self.restart()
        self.looked()

    def restart(self) -> None:
        """Power fails and comes back: what slides meanwhile slides on."""
        self.table.advance(BOOT_S)
        self.power_up()

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        self.until(lambda: False, seconds)

    def until(self, condition: Callable[[], bool], limit_s: float) -> bool:
        """Go on until the condition holds; False if it does not within `limit_s` of simulated time."""
        end_s = self.table.now_s + limit_s
        while not condition():
            if self.table.now_s >= end_s:
                return False
            self.loop()
        return True

    # What people see of it

    @property
    def at_rest(self) -> bool:
        """Whether a picture stands: nothing moves, for all the board knows."""
        return not self.app.tracker.active

    @property
    def game(self) -> Any:
        return self.app.scorer.game

    def say(self, event: tuple) -> str:
        """A person's event, as a host brings it; the refusal code, "" when done."""
        return self.app.event(events.encode(event))

    def seen(self) -> list[tuple[float, float, int, int]]:
        """The picture: (x_mm, y_mm, verdict, the best it may be) of every disc."""
        tracker, judge = self.app.tracker, self.app.judge
        out = []
        for i in range(tracker.count):
            k = tracker.found[i]
            out.append((tracker.x[i] / 100, tracker.y[i] / 100, judge.verdict[k], judge.best[k]))
        return out

    def recorded(self, after: int) -> list[tuple]:
        """The journal's events after number `after`."""
        return [events.decode(data) for _, data in self.app.journal.events_from(after + 1)]
