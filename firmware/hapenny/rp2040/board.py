"""The whole board as the object that the application is given."""

import gc
from time import sleep_ms, ticks_ms, ticks_us

import machine

from hapenny.rp2040 import rescue
from hapenny.rp2040.buttons import Buttons
from hapenny.rp2040.sensors import Sensors
from hapenny.rp2040.usb import Stream

try:
    from hapenny.rp2040.pixels import Pixels
except (ImportError, AttributeError):  # a MicroPython without rp2.DMA
    from hapenny.rp2040.pixels_plain import Pixels

COLLECT_EVERY = 128  # idles: a second or two, in which less than half of what is free becomes garbage


class Hardware:
    """Sensors, pegs, buttons, link and time; nothing here waits for a host."""

    def __init__(self, layout):
        self.sensors = Sensors(layout)
        self.pixels = Pixels(layout.PIN_PIXELS, layout.PIXELS)
        self._buttons = Buttons(layout.PIN_BUTTONS)
        self._stream = Stream()
        self._watchdog = None
        self.board_id = "".join(["%02x" % byte for byte in machine.unique_id()])
        self.scan_halls = self.sensors.scan_halls
        self.scan_light = self.sensors.scan_light
        self.spares = self.sensors.spares
        self.lifts = self.sensors.lifts
        self.show = self.pixels.show
        self.buttons = self._buttons.pressed
        self.read = self._stream.read
        self.write = self._stream.write
        self.ticks_ms = ticks_ms
        self.ticks_us = ticks_us
        self._idles = 0

    def idle(self, ms):
        """Nothing is to be done. Now and then garbage is collected, so that this need not be when discs move."""
        self._idles += 1
        if self._idles < COLLECT_EVERY:
            sleep_ms(ms)
        else:
            self._idles = 0
            gc.collect()

    def arm_watchdog(self, timeout_ms):
        """From now on the board restarts unless it is fed this often (at most 8388 ms)."""
        self._watchdog = machine.WDT(timeout=timeout_ms)

    def feed_watchdog(self):
        """Every stage has ticked."""
        if self._watchdog is not None:
            self._watchdog.feed()

    def reset(self):
        """Restarts the board at once."""
        machine.reset()

    def service(self):
        """Restarts the board into service mode: a prompt, and nothing else running."""
        rescue.enter_service()

    def free(self):
        """(live, free) bytes of the heap after a collection."""
        gc.collect()
        return gc.mem_alloc(), gc.mem_free()
