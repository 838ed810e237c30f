"""Three push buttons to ground, debounced: a change counts once it has stood for a while."""

from time import ticks_diff, ticks_ms

from machine import Pin

STABLE_MS = 20


class Buttons:
    """Bit i of `pressed()` is button i."""

    def __init__(self, pins):
        self._pins = tuple([Pin(pin, Pin.IN, Pin.PULL_UP) for pin in pins])
        self._seen = self._stable = 0
        self._since_ms = ticks_ms()

    def raw(self):
        """What the contacts say now."""
        mask = bit = 0
        for pin in self._pins:
            mask |= (1 - pin.value()) << bit
            bit += 1
        return mask

    def pressed(self):
        """Bit mask of the buttons held down."""
        now_ms = ticks_ms()
        mask = self.raw()
        if mask != self._seen:
            self._seen = mask
            self._since_ms = now_ms
        elif ticks_diff(now_ms, self._since_ms) >= STABLE_MS:
            self._stable = mask
        return self._stable
