"""Runs inside MicroPython's Unix port for `hapenny bench firmware`: the same bench over one frame that stands still."""

import gc
import sys
import time

import firmware_main
import frames
from hapenny import app, layout


MOVING_SCANS = 20


class Hardware:
    """Sensors that always read the same."""

    board_id = "bench"
    moving = 0  # scans that still show discs elsewhere each time

    def scan_halls(self, out, passes):
        halls = frames.HALLS
        if self.moving:
            self.moving -= 1
            halls = frames.MOVED if self.moving & 1 else frames.HALLS
        for k in range(len(out)):
            out[k] = halls[k] * passes >> 6

    def scan_light(self, lit, dark, pairs):
        for k in range(len(lit)):
            lit[k] = frames.LIT[k] * pairs >> 6
            dark[k] = frames.DARK[k] * pairs >> 6

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


def cycles(app):
    """Bytes the greediest cycle from scan to pegs allocates while discs move and come to rest."""
    app.hardware.moving = MOVING_SCANS
    watched = firmware_main.watch(app)
    gc.collect()
    gc.disable()
    for _ in range(3 * MOVING_SCANS):
        app.tracker.tick(app.hardware.ticks_ms())
        app.pegs.render(app.scorer, app.hardware.ticks_ms(), False)
        app.hardware.show(app.pegs.pixels)
    gc.enable()
    return max([part.most for part in watched])


running = app.start(Hardware(), layout, sys.argv[1] + "/flash")
firmware_main.settle(running, 4000)
allocated = cycles(running)
firmware_main.measure(running, False, {"alloc_per_cycle": allocated})
