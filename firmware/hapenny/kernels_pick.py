"""Chooses the kernels that run here: viper on MicroPython, their plain twins elsewhere."""

import sys

if sys.implementation.name != "micropython":
    from hapenny import kernels_pair as kernels
elif sys.maxsize > 1 << 31:
    from hapenny import kernels_viper64 as kernels
else:
    from hapenny import kernels_viper as kernels

__all__ = ("kernels",)
