"""Runs inside MicroPython's Unix port for `hapenny bench firmware`: the same bench over one frame that stands still."""

import sys
import time

import firmware_main
import frames
from hapenny import app, layout


class Hardware:
    """Sensors that always read the same."""

    board_id = "bench"

    def scan_halls(self, out, passes):
        for k in range(len(out)):
            out[k] = frames.HALLS[k] * passes >> 6

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


firmware_main.measure(app.start(Hardware(), layout, sys.argv[1] + "/flash"), False)
