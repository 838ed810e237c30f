"""Runs inside MicroPython's Unix port for `hapenny bench firmware`: the application over frames that stand still."""

import gc
import time
from array import array

import firmware_app
import firmware_frames as frames
from firmware_clock import step, tell
from hapenny import layout
from hapenny.app import start
from hapenny.keeping.journal import make_folder
from hapenny.keeping.slots import Store

MOVING_SCANS = 20


class Hardware:
    """Sensors that read a bare board, then always the same five discs."""

    board_id = "bench"
    noise = 0  # sensors that stand quite still are broken ones
    moving = 0  # scans that still show a disc elsewhere each time

    def __init__(self):
        self.halls = array("i", frames.BARE)
        self.quick = (array("i", frames.QUICK), array("i", frames.NEAR))
        self.lights = (array("i", frames.BARE_LIT), array("i", frames.BARE_DARK))

    def lay_five(self):
        self.halls = array("i", frames.HALLS)
        self.lights = (array("i", frames.LIT), array("i", frames.DARK))

    def scan_halls(self, out, passes):
        sums, of = self.halls, 64
        if self.moving and passes <= 2:
            self.moving -= 1
            sums, of = self.quick[self.moving & 1], 2
        self.noise ^= passes >> 3 or 1
        for k in range(len(out)):
            out[k] = sums[k] * passes // of + self.noise

    def scan_light(self, lit, dark, pairs):
        for k in range(len(lit)):  # nothing made here: what the firmware allocates is measured
            lit[k] = self.lights[0][k] * pairs >> 4
            dark[k] = self.lights[1][k] * pairs >> 4

    def show(self, pixels):
        return True

    def buttons(self):
        return 0

    def lifts(self):
        return 0

    def ticks_ms(self):
        return time.ticks_ms() & 0x3FFFFFFF

    def idle(self, ms):
        pass

    def feed_watchdog(self):
        pass

    def read(self):
        return b""

    def write(self, data):
        return len(data)


def cycles(board):
    """Bytes the greediest cycle from scan to pegs allocates while discs move and come to rest."""
    board.hardware.lay_five()
    board.hardware.moving = MOVING_SCANS
    watched = firmware_app.watch(board)
    gc.collect()
    gc.disable()
    for _ in range(3 * MOVING_SCANS):
        board.tracker.tick(board.hardware.ticks_ms())
        board.pegs.render(board.scorer, board.hardware.ticks_ms(), False)
        board.hardware.show(board.pegs.pixels)
    gc.enable()
    return max([part.most for part in watched])


def run():
    step("start")
    make_folder("flash")
    Store("flash/calibration").save(frames.CALIBRATION)
    running = start(Hardware(), layout, "flash")
    firmware_app.settle(running, 4000)
    gc.collect()
    found = {"heap_live": gc.mem_alloc(), "heap_free": gc.mem_free()}
    step("cycles")
    found["alloc_per_cycle"] = cycles(running)
    tell(found)
