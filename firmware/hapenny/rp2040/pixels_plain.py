"""Peg LEDs where `rp2.DMA` is missing: the built-in driver. It stops interrupts for 2 ms a frame."""

from machine import Pin
from neopixel import NeoPixel


class Pixels:
    """The same chain as in `pixels`, by MicroPython's own driver."""

    def __init__(self, pin, count):
        self._strip = NeoPixel(Pin(pin, Pin.OUT), count)

    def show(self, pixels):
        """Sends a frame (3 bytes a pixel, in the order of the chain)."""
        if len(pixels) != len(self._strip.buf):
            raise ValueError("three bytes for each pixel")
        buffer = self._strip.buf
        for i in range(len(buffer)):
            buffer[i] = pixels[i]
        self._strip.write()
        return True

    def dark(self):
        """Switches every pixel off."""
        self.show(bytes(len(self._strip.buf)))
