"""The firmware of the smart shove ha'penny board: MicroPython on the board, the same files on CPython."""
