"""Two slots for one small thing that must survive a power cut: the settings, or the calibration.

A save writes a new file whole, closes it and renames it over the older slot: a good one is there at
every moment.
"""

import os
import struct

from hapenny.keeping.records import crc_holds, with_crc

SLOTS = (".a", ".b")
MAGIC = 0x4148  # "HA"
HEAD = "<HIH"  # magic, generation, length
HEAD_BYTES = 8


def unpack_slot(data):
    """(generation, content) of a slot's bytes, or None if they are not as they were written."""
    if len(data) < HEAD_BYTES or not crc_holds(data):
        return None
    magic, generation, length = struct.unpack_from(HEAD, data, 0)
    if magic != MAGIC or length != len(data) - HEAD_BYTES - 4:
        return None
    return generation, data[HEAD_BYTES : HEAD_BYTES + length]


class Store:
    """Bytes under a name; `trouble` says what was wrong with a slot ("" if nothing)."""

    def __init__(self, path):
        self._path = path
        self.trouble = ""
        self._generation = 0
        self._older = 0

    def load(self):
        """The newest good content, or None if there is none."""
        self.trouble = ""
        best = None
        for index, suffix in enumerate(SLOTS):
            slot = self._read(self._path + suffix)
            if slot is not None and (best is None or slot[0] > best[0]):
                best = slot
                self._older = 1 - index
        if best is None:
            return None
        self._generation = best[0]
        return best[1]

    def _read(self, name):
        try:
            with open(name, "rb") as file:
                data = file.read()
        except OSError:
            return None  # not written yet
        slot = unpack_slot(data)
        if slot is None:
            self.trouble = "%s was damaged, the other slot is used" % name
        return slot

    def save(self, content):
        """Replaces the content; OSError if the file system is full or broken, and then the old content stays."""
        if not self._generation:
            self.load()
        data = with_crc(struct.pack(HEAD, MAGIC, self._generation + 1, len(content)) + bytes(content))
        fresh = self._path + ".new"
        with open(fresh, "wb") as file:
            file.write(data)
        os.rename(fresh, self._path + SLOTS[self._older])
        self._generation += 1
        self._older = 1 - self._older
