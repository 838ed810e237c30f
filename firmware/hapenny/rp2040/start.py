"""Runs the application; whatever happens, the pegs are left dark, the reason is kept and the board starts again.

Ctrl-C always ends at the prompt. With the service flag, or a button held at power-up, nothing starts at all.
"""

import gc
import io
import os
import sys
import time

import machine

from hapenny import layout
from hapenny.rp2040 import rescue

LOG = "crash.log"
LOG_BYTES = 4096
WATCHDOG_MS = 8000  # a loop takes half a second at the very most, an erase 0.4 s
GARBAGE = 16384  # bytes: while modules are loaded, so that what they leave does not lie between what stays
PAUSE_MS = 2000  # a board that fails at once can still be entered


def keep(text):
    """Adds a traceback to the log, unless the last one was the same; keeps the log below its limit."""
    try:
        with open(LOG) as file:
            log = file.read()
    except OSError:
        log = ""
    if log.endswith(text):
        return
    with open(LOG + ".new", "w") as file:
        file.write((log + text)[-LOG_BYTES:])
    os.rename(LOG + ".new", LOG)


def traceback_of(error):
    """The traceback as text."""
    text = io.StringIO()
    sys.print_exception(error, text)  # pyright: ignore
    return text.getvalue()  # pyright: ignore


def run():
    """The application, until it fails: then the reason is kept. Ctrl-C passes."""
    hardware = None
    gc.threshold(GARBAGE)
    try:
        from hapenny.rp2040.board import Hardware

        hardware = Hardware(layout)
        from hapenny import app

        running = app.start(hardware, layout)
        gc.threshold(-1)
        hardware.arm_watchdog(WATCHDOG_MS)
        while True:
            running.loop()
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # noqa: BLE001 - nothing may leave the pegs lit and the board dead
        text = traceback_of(error)
        print(text)
        keep(text)
    finally:
        rescue.disarm_watchdog()
        if hardware is not None:
            hardware.pixels.dark()


def start():
    """What main.py calls."""
    if rescue.service_wanted(layout):
        rescue.disarm_watchdog()
        print("hapenny: service mode, the application does not run")
        return
    run()
    time.sleep_ms(PAUSE_MS)
    machine.reset()
