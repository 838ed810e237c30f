"""Chooses the kernels that run here: viper on MicroPython, their plain twins elsewhere."""

import sys

from hapenny import kernels_pair as kernels

if sys.implementation.name == "micropython":
    try:
        from hapenny import kernels_viper as kernels  # noqa: F811
    except ImportError:
        pass

__all__ = ("kernels",)
