"""Boards on USB, found by USB id and serial number, never by port name: `serial:` or `serial:SERIALNUMBER`."""

import errno
from typing import Any

import serial
from serial.tools import list_ports

from hapenny_link.board import Board
from hapenny_link.errors import LinkDown, UserError

USB_IDS = ((0x2E8A, 0x0005),)  # MicroPython's stock identity on the RP2040
WRITE_S = 2.0


class SerialTransport:
    """A USB serial port. It is looked up at every opening, because the board may come back under another name."""

    def __init__(self, serial_number: str = "", device: str = "") -> None:
        self.serial_number = serial_number
        self.device = device
        self.port: serial.Serial | None = None

    def open(self) -> None:
        self.close()
        device = self.device or self.find()
        try:
            self.port = serial.Serial(device, exclusive=True, timeout=0, write_timeout=WRITE_S)
            self.port.reset_input_buffer()
        except (OSError, serial.SerialException) as error:
            missing = error.errno == errno.ENOENT
            raise LinkDown(no_port(device) if missing else f"cannot open {device}: {error}") from error

    def find(self) -> str:
        """The port of the one board that fits. LinkDown when there is none, or more than one."""
        boards = [port for port in list_ports.comports() if known(port)]
        wanted = self.serial_number.upper()
        fitting = [p for p in boards if wanted in ("", str(p.serial_number).upper())]
        if len(fitting) == 1:
            return fitting[0].device
        if fitting:
            names = ", ".join(f"serial:{p.serial_number}" for p in fitting)
            raise LinkDown(f"more than one board is plugged in; choose one of {names}")
        named = f"board {self.serial_number}" if self.serial_number else "board"
        raise LinkDown(f"no {named} is plugged in")

    def read(self, timeout_s: float) -> bytes:
        port = self.opened()
        try:
            port.timeout = timeout_s
            data = port.read(1)
            return data + port.read(port.in_waiting) if data else b""
        except (OSError, serial.SerialException) as error:
            raise LinkDown(f"lost the board: {error}") from error

    def write(self, data: bytes) -> None:
        try:
            self.opened().write(data)
        except (OSError, serial.SerialException) as error:
            raise LinkDown(f"lost the board: {error}") from error

    def close(self) -> None:
        if self.port is not None:
            self.port.close()
            self.port = None

    def opened(self) -> serial.Serial:
        if self.port is None:
            raise LinkDown("the board is not connected")
        return self.port


def no_port(device: str) -> str:
    """Say that there is no such port, and which there are."""
    ports = [port for port in list_ports.comports() if port.vid is not None]
    named = [f"{port.device} (serial:{port.serial_number})" if known(port) else port.device for port in ports]
    there = f"there are {', '.join(named)}" if named else "no USB port is there at all"
    return f"there is no port {device}; {there}; 'hapenny boards' lists the boards"


def known(port: Any) -> bool:
    """Whether a port may be a board of ours."""
    return (port.vid, port.pid) in USB_IDS


def open_board(url: str) -> Board:
    """`serial:` (the only board), `serial:E6605838834F2A2B`, or, where nothing else helps, `serial:/dev/PORT`."""
    name = url.removeprefix("serial:").removeprefix("//")
    if name.startswith(("/", "COM")):
        return Board(url, SerialTransport(device=name))
    if name and not name.isalnum():
        raise UserError(f"'{url}' names no board: write serial: or serial:SERIALNUMBER")
    return Board(url, SerialTransport(serial_number=name))
