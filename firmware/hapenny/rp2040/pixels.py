"""Peg LEDs: a chain of WS2812 fed by a PIO state machine and DMA, so that nothing waits and no interrupt stops."""
# ruff: noqa: F405

from array import array
from time import ticks_diff, ticks_us

import micropython
import rp2
from machine import Pin

# pyright: reportArgumentType=false, reportAttributeAccessIssue=false
# (its stubs know neither viper's pointers nor the attributes of rp2.DMA)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from rp2.asm_pio import *  # noqa: F403 - the words of a PIO program

BIT_HZ = 800_000
CYCLES = 10  # of the state machine, one bit
FRAME_US = 30  # one pixel: 24 bits
LATCH_US = 300  # low time that ends a frame
DREQ_PIO0_TX0 = 0


# One bit: three cycles high, four as the bit says, three low.
@rp2.asm_pio(
    sideset_init=rp2.PIO.OUT_LOW,
    out_shiftdir=rp2.PIO.SHIFT_LEFT,
    autopull=True,
    pull_thresh=24,
    fifo_join=rp2.PIO.JOIN_TX,
)
def ws2812():
    wrap_target()
    label("bit")
    out(x, 1).side(0)[2]
    jmp(not_x, "zero").side(1)[2]
    jmp("bit").side(1)[3]
    label("zero")
    nop().side(0)[3]
    wrap()


@micropython.viper
def pack_words(pixels: ptr8, count: int, words: ptr32):
    """Three bytes (green, red, blue) of each pixel into the high 24 bits of a word."""
    i = 0
    while i < count:
        at = i * 3
        words[i] = (pixels[at] << 24) | (pixels[at + 1] << 16) | (pixels[at + 2] << 8)
        i += 1


class Pixels:
    """The chain; the pin is driven by state machine 0 of PIO 0."""

    def __init__(self, pin, count):
        self._count = count
        self._words = array("I", bytes(4 * count))
        self._frame_us = count * FRAME_US + LATCH_US
        self._machine = rp2.StateMachine(0, ws2812, freq=BIT_HZ * CYCLES, sideset_base=Pin(pin))
        self._machine.active(1)
        self._dma = rp2.DMA()
        control = self._dma.pack_ctrl(size=2, inc_read=True, inc_write=False, treq_sel=DREQ_PIO0_TX0)
        self._dma.config(read=self._words, write=self._machine, count=count, ctrl=control)
        self._started_us = ticks_us() - self._frame_us

    def show(self, pixels):
        """Starts to send a frame (3 bytes a pixel) and returns True; False while the frame before still takes."""
        if len(pixels) != 3 * self._count:
            raise ValueError("three bytes for each pixel")
        if self._dma.active() or ticks_diff(ticks_us(), self._started_us) < self._frame_us:
            return False
        pack_words(pixels, self._count, self._words)
        self._dma.read = self._words
        self._dma.count = self._count
        self._dma.active(1)
        self._started_us = ticks_us()
        return True

    def dark(self):
        """Switches every pixel off, however long that takes (3 ms); for a crash."""
        black = bytes(3 * self._count)
        while not self.show(black):
            pass
