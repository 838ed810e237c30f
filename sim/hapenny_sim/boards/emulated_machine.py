"""An emulated RP2040 that runs a MicroPython image over the simulated table, in lockstep with its own clock."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace

import numpy as np
from hapenny_link.firmware_files import BoardFile
from littlefs import LittleFS
from rp2040py.boards import BoardSpec
from rp2040py.device.base_device import BaseDevice, ResetCause
from rp2040py.execute_batch import execute_batch
from rp2040py.memory_map import FLASH_START_ADDRESS

from hapenny_sim.boards.acts import Hand
from hapenny_sim.boards.emulated_parts import LATCH_NS, Buttons, Emitters, Muxes, Strip
from hapenny_sim.boards.emulated_usb import UsbHost
from hapenny_sim.boards.flash import BLOCK_BYTES, mount
from hapenny_sim.boards.table import SimulatedTable

FS_START = 0xA0000  # MicroPython's file system on a Pico with 2 MB
FS_BLOCKS = 352
HEARTBEAT_NS = 100_000
PIO_NS = 120  # one cycle of the pixels' program
STEP_NS = 100_000

# The emulator ends a batch after some milliseconds of this computer's clock, between two of its own ticks: what the
# chip does would depend on how busy the computer is. For batches that clock stands still; `_beat` ends them.
sys.modules[execute_batch.__module__].time = SimpleNamespace(monotonic=lambda: 0.0)  # pyright: ignore


def hands_over(table: SimulatedTable) -> Sequence[Hand]:
    """The shadows of hands now."""
    return table.acts[0].hands(table.now_s - table.act_started_s) if table.acts else ()


class TableSurroundings:
    """The simulated table as the sensors see it; the table's time is the board's."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.behind_s = 0.0  # the table's clock at power-up

    def follow(self, time_s: float) -> None:
        """Lets the table catch up with the board."""
        ahead_s = self.behind_s + time_s - self.table.now_s
        if ahead_s > 0:
            self.table.advance(ahead_s)

    def halls(self, time_s: float) -> np.ndarray:
        codes = np.zeros(self.table.layout.HALLS, np.int32)
        with self.table.lock:
            self.follow(time_s)
            self.table.sensors.halls(self.table.scene(), 1, codes)
        return codes

    def light(self, time_s: float) -> tuple[np.ndarray, np.ndarray]:
        lit = np.zeros(self.table.layout.LIGHTS, np.int32)
        dark = np.zeros(self.table.layout.LIGHTS, np.int32)
        with self.table.lock:
            self.follow(time_s)
            self.table.sensors.light(self.table.scene(), 1, lit, dark, hands_over(self.table))
        return lit, dark

    def lifts(self) -> int:
        return self.table.raised


def flash_with(files: list[BoardFile]) -> bytearray:
    """The bytes of a file system that holds these files."""
    image = bytearray(b"\xff" * (FS_BLOCKS * BLOCK_BYTES))
    system, _ = mount(image)
    for file in files:
        folder = file.path.rpartition("/")[0]
        if folder:
            system.makedirs(folder, exist_ok=True)
        with system.open(file.path, "wb") as target:
            target.write(file.content)
    return image


class EmulatedBoard:
    """One emulated board over one table. `flash` is its file system and stays over `power_cut`."""

    def __init__(self, table: SimulatedTable, image: Path, files: list[BoardFile]) -> None:
        self.table = table
        self.image = image
        self.flash = flash_with(files)
        self.power_up()

    @property
    def layout(self) -> ModuleType:
        return self.table.layout

    def power_up(self) -> None:
        """Starts the chip, as if power had come."""
        self.device = BaseDevice(board=BoardSpec(image=self.image))
        self.mcu = self.device.mcu
        self.mcu.flash[FS_START : FS_START + len(self.flash)] = self.flash
        self.around = TableSurroundings(self.table)
        self.around.behind_s = self.table.now_s
        self.emitters = Emitters(self.mcu, self.layout)
        self.muxes = Muxes(self.mcu, self.layout, self.around, self.emitters)
        self.strip = Strip(self.mcu, self.layout)
        self.buttons = Buttons(self.mcu, self.layout)
        self.usb = UsbHost(self.device)
        self._held = 0
        self._step_ns = 0.0
        self.resets = 0
        self.mcu.watchdog.on_watchdog_trigger = self._chip_reset
        self._heartbeat = self.mcu.clock.create_alarm(self._beat)
        self.strip.on_wake = lambda: self._heartbeat.schedule(PIO_NS)
        self._beat()
        self.mcu.core.pc = FLASH_START_ADDRESS

    def _beat(self) -> None:
        """Bounds the leaps of a sleeping chip's clock, in each of which the PIO does one instruction; ends steps."""
        now_ns = self.mcu.clock.nanos
        busy = now_ns - self.strip.edge_ns < LATCH_NS
        self._heartbeat.schedule(PIO_NS if busy else HEARTBEAT_NS)
        if now_ns - self._step_ns >= STEP_NS:
            self._step_ns = now_ns
            self.device.simulator.stopped = True

    def _chip_reset(self) -> None:
        self.resets += 1
        self.usb.dropped()
        self.device.hard_reset(cause=ResetCause.WATCHDOG)

    def power_cut(self) -> None:
        """Power fails now and comes back; what is in flash stays."""
        self.flash = self.file_system()
        self.power_up()

    def file_system(self) -> bytearray:
        """A copy of the file system's flash."""
        return bytearray(self.mcu.flash[FS_START : FS_START + FS_BLOCKS * BLOCK_BYTES])

    def files(self) -> LittleFS:
        """The file system as it is now, to look at."""
        return mount(self.file_system())[0]

    @property
    def now_s(self) -> float:
        """Time since power-up."""
        return self.mcu.clock.nanos / 1e9

    def step(self) -> None:
        """Runs the chip for a tenth of a millisecond of its time, however long this computer takes for it."""
        self.device.simulator.stopped = False
        self.device.simulator._execute_batch()
        self.around.follow(self.now_s)
        self._press()
        if self.strip.frame_count:
            self.table.lamps = bytes(value for r, g, b in self.strip.pixels for value in (g, r, b))

    def _press(self) -> None:
        wanted = self.table.buttons()
        for button in range(len(self.layout.PIN_BUTTONS)):
            if (wanted ^ self._held) >> button & 1:
                (self.buttons.hold if wanted >> button & 1 else self.buttons.release)(button)
        self._held = wanted

    def until(self, condition: Callable[[], bool], limit_s: float) -> bool:
        """Runs until the condition holds; False when it does not within `limit_s` of the board's time."""
        end_s = self.now_s + limit_s
        while not condition():
            if self.now_s > end_s:
                return False
            self.step()
        return True

    def advance(self, seconds: float) -> None:
        """Lets the board's time pass."""
        end_s = self.now_s + seconds
        self.until(lambda: self.now_s >= end_s, seconds + 1)
