"""Chooses the kernels that run here: viper on MicroPython, their plain twins elsewhere."""

import sys

if sys.implementation.name != "micropython":
    from hapenny.desktop.kernels import plain as kernels
elif sys.maxsize > 1 << 31:
    from hapenny.desktop.kernels import viper64 as kernels
else:
    from hapenny.kernels import viper as kernels

__all__ = ("kernels",)
