"""What the tests on the emulated RP2040 share: an image or a skip that says so, and programs run on a bare board."""

import os

import pytest

REQUIRED = "emulated" in os.environ.get("HAPENNY_REQUIRE", "")


def image_or_skip():
    """The path of the MicroPython image; without one the test is skipped, or fails with HAPENNY_REQUIRE=emulated."""
    pytest.importorskip("rp2040py", reason="the emulator is not installed: pip install 'hapenny[emulated]'")
    from hapenny_link.image import find, missing

    image = find()
    if image is None:
        (pytest.fail if REQUIRED else pytest.skip)(missing())
    return image


def board_with(program: str = "", layout_name: str = "layout", files: dict[str, bytes] | None = None):
    """An emulated board with the firmware (the image holds it, or files do), and `program` as its main.py if any."""
    image = image_or_skip()
    from importlib import import_module

    from hapenny_link import firmware_files
    from hapenny_link.firmware_files import BoardFile
    from hapenny_sim.boards.emulated_machine import EmulatedBoard
    from hapenny_sim.boards.table import SimulatedTable

    carried = firmware_files.carried(image, "lite" if layout_name == "layout_lite" else "standard")
    if program:
        carried = [file for file in carried if file.path != "main.py"] + [BoardFile("main.py", program.encode())]
    carried = [file for file in carried if file.path not in (files or {})]
    carried += [BoardFile(name, content) for name, content in (files or {}).items()]
    return EmulatedBoard(SimulatedTable(import_module(f"hapenny.{layout_name}"), build="perfect"), image, carried)


def run_program(program: str, limit_s: float = 3.0):
    """(board, what it printed) once the program has printed `DONE`; an exception of it fails the test."""
    board = board_with(f"import time\ntime.sleep_ms(50)\n{program}\nprint('DONE')\n")
    ended = board.until(lambda: b"DONE" in board.usb.received or b"Traceback" in board.usb.received, limit_s)
    board.advance(0.01)
    text = bytes(board.usb.received).decode(errors="replace")
    assert ended and "Traceback" not in text, text
    return board, text.partition("DONE")[0]
