"""Starts the board; see hapenny/rp2040/start.py."""

from hapenny.rp2040.start import start

start()
