"""The zeros of the sensors, kept on flash: a board that wakes with discs on it knows what bare sensors read."""

import struct
from array import array

from hapenny.sensing.calibration import TARED_NOISE

CHANGED_Q4 = 16  # a mean change of one code (13 microteslas) is worth a write


class Zero:
    """Keeps the zeros of a calibration in `store` (store.py); those of another layout are not taken."""

    def __init__(self, store, layout, calibration):
        self.store = store
        self.layout = layout
        self.calibration = calibration

    def kept(self):
        """What is on flash, if that is of this layout, else None."""
        data = self.store.load()
        layout = self.layout
        size = 4 + 2 * layout.HALLS + 4 * layout.LIGHTS
        if data is None or len(data) != size or struct.unpack_from("<I", data, 0)[0] != layout.LAYOUT_CRC:
            return None
        return data

    def load(self):
        """Gives the calibration its zeros back. False if there are none of this layout."""
        data = self.kept()
        if data is None:
            return False
        layout, calibration = self.layout, self.calibration
        zeros = array("H", data)
        for k in range(layout.HALLS):
            calibration.scales[1 + 2 * k] = zeros[2 + k]
        at = 4 + 2 * layout.HALLS
        for s in range(layout.LIGHTS):
            calibration.bare[s], calibration.dim[s] = struct.unpack_from("<hH", data, at + 4 * s)
        calibration.noise = TARED_NOISE
        calibration.tared = True
        calibration.lit = True
        return True

    def save(self):
        """Writes the zeros if they are the first, or have moved since they were written. Between turns: it may erase"""
        data = self.packed()
        kept = self.kept()
        if kept is None or self.moved(kept, data):
            self.store.save(data)

    def packed(self):
        layout, calibration = self.layout, self.calibration
        data = bytearray(4 + 2 * layout.HALLS + 4 * layout.LIGHTS)
        struct.pack_into("<I", data, 0, layout.LAYOUT_CRC)
        for k in range(layout.HALLS):
            struct.pack_into("<H", data, 4 + 2 * k, calibration.scales[1 + 2 * k])
        at = 4 + 2 * layout.HALLS
        for s in range(layout.LIGHTS):
            bare = min(32767, max(-32768, calibration.bare[s]))
            struct.pack_into("<hH", data, at + 4 * s, bare, calibration.dim[s])
        return bytes(data)

    def moved(self, kept, data):
        """Whether the Halls' zeros have moved by a code on average since they were written."""
        old, new = array("H", kept), array("H", data)
        total = 0
        for k in range(2, 2 + self.layout.HALLS):
            total += abs(new[k] - old[k])
        return total > CHANGED_Q4 * self.layout.HALLS
