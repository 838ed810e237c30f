"""A board at its MicroPython prompt, entered by service mode: what flashing, self tests and benches stand on."""

from __future__ import annotations

import time
from pathlib import Path
from types import TracebackType
from typing import Any

from hapenny_link.errors import LinkDown, UserError
from hapenny_link.transports.serial import SerialTransport, no_port

SERVICE_FLAG = "service"


def port_of(name: str) -> str:
    """The port of a board: a port's own name, a serial number, or "" for the only one. UserError if there is none."""
    if name.startswith("/") and not Path(name).exists():
        raise UserError(no_port(name))
    if name.startswith(("/", "COM")):
        return name
    try:
        return SerialTransport(serial_number=name).find()
    except LinkDown as missing:
        raise UserError(
            f"{missing}; 'hapenny boards' lists the boards, 'hapenny flash' makes one of a Pico"
        ) from missing


class Rescued:
    """A board at its prompt, with nothing else running; a context. UserError if it cannot be reached.

    Ctrl-C ends the application and stops its watchdog; until `leave`, the service flag keeps both from starting again.
    """

    def __init__(self, name: str = "") -> None:
        self._name = name
        self._link: Any = None

    def __enter__(self) -> Rescued:
        try:
            from mpremote.transport import TransportError
            from mpremote.transport_serial import SerialTransport as Repl
        except ImportError as missing:
            raise UserError("this needs mpremote: pip install 'hapenny[board]'") from missing
        port = port_of(self._name)
        try:
            self._link = Repl(port)
            self._link.enter_raw_repl()
            self._link.exec(f"open({SERVICE_FLAG!r}, 'w').close()")
        except (TransportError, OSError) as error:
            raise UserError(
                f"the board at {port} does not give a prompt ({error}): hold its service button while plugging it in"
            ) from error
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._link.close()

    def run(self, program: str, timeout_s: float = 10) -> str:
        """What a program prints on the board. UserError with its traceback if it fails."""
        out, errors = self._link.exec_raw(program, timeout=timeout_s)
        if errors:
            raise UserError(f"the board says: {errors.decode(errors='replace').strip()}")
        return out.decode(errors="replace")

    def version(self) -> str:
        """Which MicroPython runs there."""
        return self.run("import sys; print(sys.version)").strip()

    def hashes(self) -> dict[str, str]:
        """Path -> SHA-256 of every file of the firmware that is there."""
        lines = self.run(HASHES, timeout_s=60).split("\n")
        return dict(line.strip().split(" ", 1)[::-1] for line in lines if " " in line)

    def put(self, path: str, content: bytes) -> None:
        """Writes a file, its folders included."""
        folder = ""
        for part in path.split("/")[:-1]:
            folder += ("/" if folder else "") + part
            self.run(f"import os\ntry: os.mkdir({folder!r})\nexcept OSError: pass")
        self._link.fs_writefile(path, content)

    def remove(self, path: str) -> None:
        """Deletes a file."""
        self.run(f"import os; os.remove({path!r})")

    def to_bootloader(self) -> None:
        """Takes the flag away and restarts the board as the drive that takes an image."""
        self.run(f"import os; os.remove({SERVICE_FLAG!r})")
        self._link.exec_raw_no_follow("import time, machine; time.sleep_ms(100); machine.bootloader()")

    def leave(self) -> None:
        """Takes the flag away and restarts the board: the application runs again."""
        self.run(f"import os; os.remove({SERVICE_FLAG!r})")
        self._link.exec_raw_no_follow("import time, machine; time.sleep_ms(100); machine.reset()")
        time.sleep(0.3)


HASHES = """
import os, hashlib, binascii
def walk(folder):
    for name, kind, *_ in os.ilistdir(folder or "/"):
        path = (folder + "/" if folder else "") + name
        if kind == 0x4000:
            if path.split("/")[0] == "hapenny": walk(path)
        elif path == "main.py" or folder:
            digest = hashlib.sha256()
            with open(path, "rb") as file:
                while True:
                    part = file.read(512)
                    if not part: break
                    digest.update(part)
            print(binascii.hexlify(digest.digest()).decode(), path)
walk("")
"""
