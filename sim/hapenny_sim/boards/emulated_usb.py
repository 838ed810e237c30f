"""The host's end of the emulated USB serial line: bytes in and out, with the not-acknowledges of a real bus.

The emulator's own host end answers a device that listens with empty packets for ever and swallows all it sends; here
a host without data lets the device wait, and a host that does not read makes it wait.
"""

from __future__ import annotations

from typing import Any

FIFO_BYTES = 512
HOST_BYTES = 4096  # what a computer's serial driver takes before it stops reading from the bus


class UsbHost:
    """Feeds `BaseDevice.cdc` and takes what the board sends. All calls from the thread that runs the emulator."""

    def __init__(self, device: Any) -> None:
        self._cdc = device.cdc
        self._usb = device.mcu.usb_ctrl
        self._answer = self._usb.on_endpoint_read
        self._taken = self._usb._indicate_buffer_ready
        self._waiting: tuple[int, int] | None = None  # a read of the device that no data has answered yet
        self._unread: list[tuple[int, bool]] = []  # packets that the host has not fetched
        self._outgoing = bytearray()
        self.received = bytearray()
        self.reading = True
        self.connected = False
        self._usb.on_endpoint_read = self._device_reads
        self._usb._indicate_buffer_ready = self._packet_sent
        self._cdc.on_serial_data = self.received.extend
        self._cdc.on_device_connected = self._enumerated

    def _enumerated(self) -> None:
        self.connected = True

    def _device_reads(self, endpoint: int, size: int) -> None:
        if endpoint == self._cdc._out_endpoint and not self._outgoing and not self._cdc.tx_fifo.item_count:
            self._waiting = (endpoint, size)
            return
        self._fill()
        self._answer(endpoint, size)

    def _fill(self) -> None:
        while self._outgoing and self._cdc.tx_fifo.item_count < FIFO_BYTES:
            self._cdc.tx_fifo.push(self._outgoing.pop(0))

    def _packet_sent(self, endpoint: int, out: bool) -> None:
        full = not self.reading or len(self.received) >= HOST_BYTES
        if not out and endpoint == self._cdc._in_endpoint and full:
            self._unread.append((endpoint, out))
        else:
            self._taken(endpoint, out)

    def send(self, data: bytes) -> None:
        """Gives the board bytes."""
        self._outgoing += data
        if self._waiting is not None and self._outgoing:
            endpoint, size = self._waiting
            self._waiting = None
            self._fill()
            self._answer(endpoint, size)

    def take(self, limit: int = HOST_BYTES) -> bytes:
        """Fetches what the board has sent."""
        data = bytes(self.received[:limit])
        del self.received[:limit]
        if self.reading:
            self.resume()
        return data

    def stall(self) -> None:
        """From now on the host does not read."""
        self.reading = False

    def resume(self) -> None:
        """The host reads again."""
        self.reading = True
        while self._unread and len(self.received) < HOST_BYTES:
            self._taken(*self._unread.pop(0))

    def vanish(self) -> None:
        """The host closes the port."""
        self._cdc.set_control_lines(dtr=False, rts=False)

    def come_back(self) -> None:
        """The host opens the port."""
        self._cdc.set_control_lines(dtr=True, rts=True)

    def dropped(self) -> None:
        """The board has left the bus (a reset): nothing is under way any more."""
        self._waiting = None
        self._unread.clear()
        self._outgoing.clear()
        self.connected = False
