"""What a board is to the host: a transport, and for simulated ones the table it lies on."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from hapenny.rules.game import Game


class Transport(Protocol):
    """Carries bytes to and from one board. Used by one thread."""

    def open(self) -> None:
        """Connect, or connect again. Raises LinkDown, saying why, while that is impossible."""
        ...

    def read(self, timeout_s: float) -> bytes:
        """What has come, at once if anything has, else after `timeout_s` b"". LinkDown: the other end is gone."""
        ...

    def write(self, data: bytes) -> None:
        """Send. LinkDown: the other end is gone."""
        ...

    def close(self) -> None:
        """Disconnect; may be called twice."""
        ...


class Table(Protocol):
    """The simulated table under a board: hands and eyes, not scores. Thread-safe; every call returns at once."""

    def discs(self) -> list[tuple[float, float]]:
        """Centres (x_mm, y_mm) of all discs on the table as they physically lie or slide now."""
        ...

    def moving(self) -> bool:
        """Whether anything still slides."""
        ...

    def in_hand(self) -> int:
        """How many of the set's discs are not on the table."""
        ...

    def shove(self, x_mm: float, speed_m_s: float, angle_rad: float = 0.0, spin_rad_s: float = 0.0) -> None:
        """Shove a disc from the front edge; angle 0 is straight away, positive to the right.

        Raises UserError, saying why, while discs move or none is in hand.
        """
        ...

    def players(self) -> tuple[str, ...]:
        """Who can be had as an opponent at this table, the weakest first; empty if nobody."""
        ...

    def get_ready(self) -> None:
        """Make ready, here and now, what `shove_as` needs: half a minute the first time on a machine, else seconds."""
        ...

    def shove_as(self, player: str, game: Game) -> None:
        """Have a player work out a shove for the game as it stands, and shove. Unlike the others this takes its time.

        Raises UserError as `shove` does.
        """
        ...

    def clear(self) -> None:
        """Take every disc off."""
        ...

    def lay(self, discs: list[tuple[int, float, float, float]]) -> None:
        """At once these discs lie there and no others: (which of the set, x_mm, y_mm, turned by radians)."""
        ...

    def take_off(self, index: int) -> None:
        """Take off the disc at that place in `discs()`."""
        ...

    def put(self, place: tuple[float, float]) -> None:
        """Lay a disc from the hand down at (x_mm, y_mm). UserError if none is in hand."""
        ...

    def carry(self, places: dict[int, tuple[float, float]]) -> None:
        """Move discs by hand: their places in `discs()` to where they then lie (mm)."""
        ...

    def pixels(self) -> list[tuple[int, int, int]]:
        """The peg LEDs as the firmware last sent them: (red, green, blue), 0 to 255, in the order of the chain."""
        ...

    def press(self, button: int) -> None:
        """Press and release a button: 0 yes, 1 no, 2 next."""
        ...


def nothing() -> None:
    """Close what needs no closing."""


@dataclass
class Board:
    """An opened board: where it is, how to talk with it, and its table where that is simulated."""

    url: str
    transport: Transport
    table: Table | None = None
    close: Callable[[], None] = field(default=nothing)
