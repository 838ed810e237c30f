"""The USB serial line as a stream that never waits.

MicroPython's own write waits up to half a second for a host that does not read, so that a byte is only written when
the poll says that there is room for one.
"""

import select
import sys

READ_BYTES = 64  # at most, a call
WRITE_BYTES = 64


class Stream:
    """`read` and `write` of the link."""

    def __init__(self):
        self._reader = sys.stdin.buffer
        self._writer = sys.stdout.buffer
        self._in = select.poll()
        self._in.register(sys.stdin, select.POLLIN)
        self._out = select.poll()
        self._out.register(sys.stdout, select.POLLOUT)
        self._byte = bytearray(1)
        self._got = bytearray(READ_BYTES)
        self._view = memoryview(self._got)

    def _ready(self, poll):
        for _ in poll.ipoll(0):
            return True
        return False

    def read(self):
        """What has come, b"" if nothing."""
        count = 0
        while count < READ_BYTES and self._ready(self._in):
            self._reader.readinto(self._byte)
            self._got[count] = self._byte[0]
            count += 1
        return bytes(self._view[:count]) if count else b""

    def write(self, data):
        """Gives the host what there is room for; returns how many bytes that were."""
        count = 0
        end = min(len(data), WRITE_BYTES)
        one = self._byte
        while count < end and self._ready(self._out):
            one[0] = data[count]
            self._writer.write(one)
            count += 1
        return count
