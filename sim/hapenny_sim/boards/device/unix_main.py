"""Runs the firmware on MicroPython's Unix port: its hardware is a channel to the simulator. This file is simulation.

    micropython -X heapsize=192K unix_main.py FOLDER LAYOUT

File descriptor 3 is the sensor channel, 4 the host link, FOLDER the flash. Every request that takes time on a board is
answered with the simulated clock, so time, frames and order are the simulator's.
"""

import select
import sys

from hapenny import app

SENSORS = 3
LINK = 4
HEADER = 8  # u32 milliseconds, u8 buttons, u8 unused, u16 raised lifts; then the frame


class Hardware:
    """What `hapenny.rp2040` is on a board: frames, pixels, buttons and time, over the sensor channel."""

    def __init__(self, layout):
        self.board_id = "%08x" % (layout.LAYOUT_CRC & 0x3FFFFFFF)
        self.channel = open(SENSORS, "r+b")
        self.link = open(LINK, "r+b")
        self.poll = select.poll()
        self.poll.register(self.link, select.POLLIN | select.POLLOUT)
        self.header = bytearray(HEADER)
        self.request = bytearray(3)

    def ask(self, kind, value):
        """One request of three bytes; returns when its header is here."""
        self.request[0] = kind
        self.request[1] = value & 255
        self.request[2] = value >> 8
        self.channel.write(self.request)
        self.fill(self.header)

    def fill(self, buffer):
        if not self.channel.readinto(buffer):  # MicroPython reads until the buffer is full
            sys.exit(0)  # the simulator is gone

    def scan_halls(self, out, passes):
        """`passes` interleaved passes over the Halls; `out` (array of int) then holds the sums of their ADC codes."""
        self.ask(72, passes)  # H
        self.fill(out)

    def scan_light(self, lit, dark, pairs):
        """`pairs` readings of every segment with its emitter on and off; sums as above."""
        self.ask(76, pairs)  # L
        self.fill(lit)
        self.fill(dark)

    def idle(self, ms):
        self.ask(73, ms)  # I

    def show(self, pixels):
        self.channel.write(b"P")
        self.channel.write(pixels)

    def ticks_ms(self):
        h = self.header
        return h[0] | h[1] << 8 | h[2] << 16 | (h[3] & 63) << 24

    def buttons(self):
        return self.header[4]

    def lifts(self):
        return self.header[6] | self.header[7] << 8

    def arm_watchdog(self, timeout_ms):
        pass

    def feed_watchdog(self):
        pass

    def reset(self):
        sys.exit(0)

    def service(self):
        sys.exit(0)

    def read(self):
        """What the host has sent, b"" if nothing; never blocks."""
        for _, events in self.poll.ipoll(0):
            if events & select.POLLIN:
                return self.link.read(512) or b""
        return b""

    def write(self, data):
        """Gives the host what it takes now; returns how many bytes that were."""
        for _, events in self.poll.ipoll(0):
            if events & select.POLLOUT:
                return self.link.write(data) or 0
        return 0


def main(folder, layout_name):
    layout = __import__("hapenny." + layout_name, None, None, ("NAME",))
    hardware = Hardware(layout)
    hardware.idle(0)
    board = app.start(hardware, layout, folder)
    while True:
        board.loop()


main(sys.argv[1], sys.argv[2])
