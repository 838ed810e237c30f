"""Boards on USB: getting in, putting the firmware there, and asking a board how it is."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hapenny import layout as standard
from hapenny.sensing.calibration import Calibration
from hapenny.sensing.health import Health
from hapenny_link.errors import UserError
from hapenny_link.firmware_files import BoardFile, selftest_program
from hapenny_link.rescue import Rescued, port_of
from hapenny_link.transports.serial import USB_IDS
from serial.tools import list_ports

HELLO_S = 90.0  # a board takes one second; an emulated one half a minute and more
SELFTEST_S = 60
DRIVE_S = 30.0
LOOK_S = 0.2
DRIVES = ("/media/*/RPI-RP2", "/run/media/*/RPI-RP2", "/Volumes/RPI-RP2", "/mnt/RPI-RP2")
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


def waited_for(look: Callable[[], Any], limit_s: float) -> Any:
    """What `look` finds once it finds something; None if it finds nothing in time."""
    end_s = time.monotonic() + limit_s
    while not (found := look()) and time.monotonic() < end_s:
        time.sleep(LOOK_S)
    return found or None


def wait_for_drive() -> None:
    """Until a board that was sent to its boot loader shows its drive. UserError if it does not."""
    if not waited_for(boot_drives, DRIVE_S):
        raise UserError(
            "the board went to its boot loader, and no drive RPI-RP2 has appeared: mount it and run this again; "
            "unplugging the board brings its old firmware back"
        )


def wait_for_port(name: str) -> None:
    """Until a board that got a new image is there as a serial port. UserError if it does not come."""

    def look() -> str:
        try:
            return port_of(name)
        except UserError:
            return ""

    if not waited_for(look, DRIVE_S):
        port_of(name)  # says what is missing


def install_image(image: Path, say: Say) -> bool:
    """Puts an image on a Pico that is mounted in BOOTSEL mode; False if none is."""
    drives = boot_drives()
    if not drives:
        return False
    say(f"copying {image.name} to {drives[0]}")
    try:
        (drives[0] / image.name).write_bytes(image.read_bytes())
    except OSError as error:
        raise UserError(f"cannot write to {drives[0]}: {error.strerror}; is it mounted for you to write?") from error
    return True


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


def selftest(board: Rescued, layout: Any = standard) -> list[Check]:
    """Runs the board's self test; sensors are named as a person finds them on a board of that layout."""
    text = board.run(selftest_program(), timeout_s=SELFTEST_S)
    if "CHECKED" not in text:
        raise UserError(f"the self test did not end; the board said last: {text.strip()[-200:]}")
    return [check_of(line, layout) for line in text.splitlines() if line.startswith("CHECK ")]


def check_of(line: str, layout: Any = standard) -> Check:
    """A line of the self test as a result."""
    _, name, value, low, high, unit, verdict, note = line.split(" ", 7)
    note = note.strip()
    if name == "hall_stuck" and note != "-":
        note = ", ".join(f"hall_{number}" for number in note.split(","))
    named = Health(layout, Calibration(layout)).name
    note = re.sub(r"hall_(\d+)", lambda found: named(int(found[1])), note)
    note = re.sub(r"segment_(\d+)", lambda found: named(layout.HALLS + int(found[1])), note)
    return Check(name, float(value), float(low), float(high), unit, verdict, note.replace("_", " "))


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
