"""The firmware's modules as a board gets them: the same behaviour, fewer bytes."""

from hapenny_link.shrink.whole import Shrunk, shrink

__all__ = ("Shrunk", "shrink")
