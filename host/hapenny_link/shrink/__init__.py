"""The firmware's modules as a board gets them: the same behaviour, fewer bytes."""

from hapenny_link.shrink.mpy import changed, tersely
from hapenny_link.shrink.native import shorter
from hapenny_link.shrink.whole import Shrunk, shrink

__all__ = ("Shrunk", "shorter_kernels", "shrink", "tersely")


def shorter_kernels(module: bytes) -> bytes:
    """A compiled module with its viper kernels in less machine code."""
    return changed(module, shorter)
