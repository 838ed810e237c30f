"""The emulated board's USB serial line as a pseudo-terminal, for the host and for mpremote."""

from __future__ import annotations

import contextlib
import os
import pty
import select
import tty

from hapenny_sim.boards.emulated_usb import UsbHost

CHUNK = 1024


class PtyBridge:
    """Carries bytes between a pty and the USB host end; whoever opens `path` has plugged in and opened the port."""

    def __init__(self) -> None:
        self._master, slave = pty.openpty()
        tty.setraw(slave)
        self.path = os.ttyname(slave)
        os.close(slave)  # so that the kernel says when nobody has it open
        os.set_blocking(self._master, False)
        self._poll = select.poll()
        self._poll.register(self._master, select.POLLIN)
        self._open = True  # what the board was told; a board that comes up asserts it by itself
        self._pending = b""

    def pump(self, usb: UsbHost) -> None:
        """Moves what there is, either way; never waits."""
        if not usb.connected:
            self._open = True
            return
        events = dict(self._poll.poll(0)).get(self._master, 0)
        present = not events & select.POLLHUP
        if present != self._open:
            self._open = present
            (usb.come_back if present else usb.vanish)()
        if events & select.POLLIN:
            with contextlib.suppress(OSError):
                usb.send(os.read(self._master, CHUNK))
        if present:
            self._give(usb)
        else:
            usb.take()
            self._pending = b""

    def _give(self, usb: UsbHost) -> None:
        if not self._pending:
            self._pending = usb.take(CHUNK)
        if self._pending:
            with contextlib.suppress(OSError):
                self._pending = self._pending[os.write(self._master, self._pending) :]

    def close(self) -> None:
        os.close(self._master)
