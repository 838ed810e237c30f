"""Starts a board whose image holds our modules; a file main.py on the board goes first, as on any MicroPython board."""

import os

if "main.py" in os.listdir():
    execfile("main.py")  # noqa: F821
else:
    from hapenny.rp2040.start import start

    start()
