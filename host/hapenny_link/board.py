"""A board as the host sees it: a transport, and the table under it if that is simulated."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from hapenny.rules.game import Game


class Transport(Protocol):
    """Carries bytes to and from one board. Only one thread uses it."""

    def open(self) -> None:
        """Connect, or connect again. LinkDown says why that is not possible now."""
        ...

    def read(self, timeout_s: float) -> bytes:
        """Return what has come, as soon as anything has; b"" after `timeout_s`. LinkDown: the other end is gone."""
        ...

    def write(self, data: bytes) -> None:
        """Send bytes. LinkDown: the other end is gone."""
        ...

    def close(self) -> None:
        """Disconnect. May be called twice."""
        ...


class Table(Protocol):
    """The simulated table under a board: hands and eyes, no scores. Thread-safe; calls return at once."""

    def discs(self) -> list[tuple[float, float]]:
        """Centres (x_mm, y_mm) of all discs on the table, where they really lie or slide now."""
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
        """The opponents that this table has, the weakest first; empty if none."""
        ...

    def get_ready(self) -> None:
        """Prepare what `shove_as` needs. Takes half a minute the first time on a machine, else seconds."""
        ...

    def shove_as(self, player: str, game: Game) -> None:
        """Have a player think about the game, and shove. Unlike the other calls it takes its time.

        Raises UserError as `shove` does.
        """
        ...

    def clear(self) -> None:
        """Take every disc off."""
        ...

    def lay(self, discs: list[tuple[int, float, float, float]]) -> None:
        """Lay these discs, and take all others off: (which of the set, x_mm, y_mm, turned by radians)."""
        ...

    def take_off(self, index: int) -> None:
        """Take off the disc with that index in `discs()`."""
        ...

    def put(self, place: tuple[float, float]) -> None:
        """Lay down a disc from the hand at (x_mm, y_mm). UserError if none is in hand."""
        ...

    def carry(self, places: dict[int, tuple[float, float]]) -> None:
        """Move discs by hand: index in `discs()` -> new place (mm)."""
        ...

    def pixels(self) -> list[tuple[int, int, int]]:
        """The peg LEDs as the firmware last sent them: (red, green, blue), 0 to 255, in the order of the chain."""
        ...

    def press(self, button: int) -> None:
        """Press and release a button: 0 yes, 1 no, 2 next."""
        ...


def nothing() -> None:
    """Closes a board that needs no closing."""


@dataclass
class Board:
    """An opened board: its URL, how to talk with it, and its table if that is simulated."""

    url: str
    transport: Transport
    table: Table | None = None
    close: Callable[[], None] = field(default=nothing)
