"""Boards on USB: getting in, putting the firmware there, and asking a board how it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from hapenny_link.errors import LinkDown, UserError
from hapenny_link.firmware_files import BoardFile
from hapenny_link.serial import USB_IDS, SerialTransport
from serial.tools import list_ports

SERVICE_FLAG = "service"
OPEN_S = 20.0
HELLO_S = 15.0
SELFTEST_S = 60
DRIVES = ("/media/*/RPI-RP2", "/run/media/*/RPI-RP2", "/Volumes/RPI-RP2", "/mnt/RPI-RP2")
HOW_TO_BOOTSEL = (
    "hold BOOTSEL while plugging the Pico in, and run this again: the drive RPI-RP2 appears and the image is put there"
)

Say = Callable[[str], None]


@dataclass(frozen=True)
class Check:
    """One result of the board's self test."""

    name: str
    value: float
    low: float
    high: float
    unit: str
    verdict: str
    note: str


def boards() -> list[tuple[str, str, str]]:
    """(URL, port, what it is) of every board that is plugged in."""
    found = [
        (f"serial:{port.serial_number}", port.device, port.product or "MicroPython board")
        for port in list_ports.comports()
        if (port.vid, port.pid) in USB_IDS
    ]
    return found + [("", str(drive), "a Pico waiting for its image (BOOTSEL)") for drive in boot_drives()]


def boot_drives() -> list[Path]:
    """Mounted drives of Picos in BOOTSEL mode."""
    found = [path for pattern in DRIVES for path in Path("/").glob(pattern.lstrip("/"))]
    return [path for path in found if (path / "INFO_UF2.TXT").exists()]


def port_of(name: str) -> str:
    """The port of a board: a port's own name, a serial number, or "" for the only one. UserError if there is none."""
    if name.startswith(("/", "COM")):
        return name
    try:
        return SerialTransport(serial_number=name.upper()).find()
    except LinkDown as missing:
        raise UserError(f"{missing}; with no MicroPython on it yet, {HOW_TO_BOOTSEL}") from missing


def install_image(image: Path, say: Say) -> bool:
    """Puts MicroPython on a Pico that is mounted in BOOTSEL mode; False if none is."""
    drives = boot_drives()
    if not drives:
        return False
    say(f"copying {image.name} to {drives[0]}")
    try:
        (drives[0] / image.name).write_bytes(image.read_bytes())
    except OSError as error:
        raise UserError(f"cannot write to {drives[0]}: {error.strerror}; is it mounted for you to write?") from error
    return True


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


def differences(wanted: Iterable[BoardFile], there: dict[str, str]) -> tuple[list[BoardFile], list[str]]:
    """(files to copy, paths to delete) that make a board carry what is wanted."""
    wanted = list(wanted)
    names = {file.path for file in wanted}
    changed = [file for file in wanted if there.get(file.path) != file.sha256]
    return changed, sorted(path for path in there if path not in names)


def flash(board: Rescued, files: list[BoardFile], say: Say, progress: Callable[[int, int], None]) -> None:
    """Makes the board carry these files, and verifies every one. UserError if one is not as it should be."""
    copy, delete = differences(files, board.hashes())
    for number, file in enumerate(copy):
        progress(number, len(copy))
        board.put(file.path, file.content)
    for path in delete:
        board.remove(path)
    progress(len(copy), len(copy))
    wrong, more = differences(files, board.hashes())
    if wrong or more:
        names = ", ".join([file.path for file in wrong] + more)
        raise UserError(f"after copying, these files are not as they should be: {names}; run `hapenny flash` again")
    say(f"{len(copy)} files copied, {len(delete)} deleted, {len(files)} verified")


def selftest(board: Rescued) -> list[Check]:
    """Runs the board's self test."""
    program = (
        "from hapenny import layout, selftest\nfrom hapenny.rp2040.board import Hardware\n"
        "selftest.main(Hardware(layout), layout)"
    )
    text = board.run(program, timeout_s=SELFTEST_S)
    if "CHECKED" not in text:
        raise UserError(f"the self test did not end; the board said last: {text.strip()[-200:]}")
    return [check_of(line) for line in text.splitlines() if line.startswith("CHECK ")]


def check_of(line: str) -> Check:
    """A line of the self test as a result."""
    _, name, value, low, high, unit, verdict, note = line.split(" ", 7)
    return Check(name, float(value), float(low), float(high), unit, verdict, note.strip().replace("_", " "))


def wait_for_hello(name: str) -> dict[str, Any]:
    """The hello of a board that has just been started. UserError if it does not come."""
    from hapenny_link.session import MemorySink, Session
    from hapenny_link.urls import open_board

    session = Session(open_board(f"serial:{name}"), MemorySink())
    session.start()
    try:
        end_s = time.monotonic() + HELLO_S
        while time.monotonic() < end_s:
            if session.state.connected:
                return {"board": session.state.board, "firmware": session.state.firmware}
            time.sleep(0.05)
    finally:
        session.stop()
    raise UserError("the board does not say hello: see its crash.log with `mpremote cat :crash.log`")
