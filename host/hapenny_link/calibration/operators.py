"""Who lays the discs while a board is taught: a person, told what to do, or a simulated one at a simulated table."""

import random
from typing import Any, Protocol

from rich.progress import Progress

from hapenny_link.board import Board, Table
from hapenny_link.calibration.measurements import Edge, spin_place_mm

APART_MM = 32.0
HALF_TURN = 3.14159265


class Hands(Protocol):
    """Who lays the discs."""

    def bare(self) -> None: ...
    def turned(self, disc: int, quarter: int) -> None: ...
    def sweep(self, disc: int, edge: Edge) -> None: ...
    def over(self, line: int) -> None: ...
    def next(self, x_mm: float) -> None: ...


class Person:
    """Somebody at the board, told what to do."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def ask(self, text: str) -> None:
        self.progress.stop()
        self.progress.console.input(f"{text} Then press Enter. ")
        self.progress.start()

    def bare(self) -> None:
        self.ask("Take every disc off the board.")

    def turned(self, disc: int, quarter: int) -> None:
        if quarter == 0:
            self.ask(f"Mark disc {disc + 1} at its edge and lay it in the middle of bed 5, its mark away from you.")
        else:
            self.ask("Turn it a quarter where it lies.")

    def sweep(self, disc: int, edge: Edge) -> None:
        where = "nearer" if edge.side > 0 else "farther"
        mark = "away from" if edge.mark > 0 else "towards"
        self.ask(
            f"Bed {edge.bed + 1}: lay the straightedge on the {where} line, against its edge inside the bed, and disc "
            f"{disc + 1} against it inside the bed at the left, its mark {mark} you. After Enter slide it slowly right."
        )

    def over(self, line: int) -> None:
        self.ask(f"Line {line + 1}: after Enter push any disc slowly along it, over it, from left to right.")

    def next(self, x_mm: float) -> None:
        """The hand moves by itself."""


class ByItself:
    """A simulated person at a simulated table, exact to what a hand can do."""

    def __init__(self, table: Table, layout: Any, seed: int = 1) -> None:
        self.table, self.layout = table, layout
        self.random = random.Random(seed)
        self.disc, self.y_mm, self.turn, self.spread = 0, 0.0, 0.0, 0.0

    def bare(self) -> None:
        self.table.lay([])

    def turned(self, disc: int, quarter: int) -> None:
        self.table.lay([(disc, *spin_place_mm(self.layout), quarter * HALF_TURN / 2)])

    def sweep(self, disc: int, edge: Edge) -> None:
        self.disc, self.spread = disc, 0.0
        self.y_mm = edge.y_hmm / 100 + self.random.gauss(0, 0.03)
        self.turn = 0.0 if edge.mark > 0 else HALF_TURN

    def over(self, line: int) -> None:
        self.spread = 4.0
        self.y_mm = (self.layout.FIRST_LINE_HMM + line * self.layout.LINE_PITCH_HMM) / 100

    def next(self, x_mm: float) -> None:
        turn = self.turn + self.random.gauss(0, 0.15) if not self.spread else self.random.uniform(0, 6.28)
        disc = self.random.randrange(5) if self.spread else self.disc
        y_mm = self.y_mm + self.random.uniform(-self.spread, self.spread)
        self.table.lay([(disc, x_mm, y_mm, turn)])

    def rest(self) -> None:
        """Three discs somewhere, as after shoves."""
        places: list[tuple[float, float]] = []
        while len(places) < 3:
            x, y = self.random.uniform(42, 326), self.random.uniform(103, 386)
            if all((x - a) ** 2 + (y - b) ** 2 > APART_MM**2 for a, b in places):
                places.append((x, y))
        discs = self.random.sample(range(5), 3)
        self.table.lay([(d, x, y, self.random.uniform(0, 6.28)) for d, (x, y) in zip(discs, places, strict=True)])


def hands_for(board: Board, layout: Any, progress: Progress) -> Person | ByItself:
    return ByItself(board.table, layout) if board.table else Person(progress)
