"""The way into a board: the service flag and buttons, and a watchdog that can be stopped."""

import os

from machine import Pin, mem32, reset

SERVICE_FLAG = "service"  # a file; while it is there, neither application nor watchdog starts
WATCHDOG_CTRL_CLEAR = 0x4005B000  # WATCHDOG CTRL, atomic clear
WATCHDOG_ENABLE = 1 << 30


def service_wanted(layout):
    """True if the flag is set, or the service button or any other is held at power-up."""
    if SERVICE_FLAG in os.listdir():
        return True
    pins = (layout.PIN_SERVICE,) + layout.PIN_BUTTONS
    return not all([Pin(pin, Pin.IN, Pin.PULL_UP).value() for pin in pins])


def enter_service():
    """Restarts the board into service mode: a prompt, and nothing else running."""
    with open(SERVICE_FLAG, "w"):
        pass
    reset()


def disarm_watchdog():
    """Stops a watchdog armed earlier (MicroPython itself cannot): else it resets the board under mpremote."""
    mem32[WATCHDOG_CTRL_CLEAR] = WATCHDOG_ENABLE
