"""Who moves the discs during a calibration: a person who is told what to do, or a simulated hand."""

import random
from typing import Any, Protocol

from rich.progress import Progress

from hapenny_link.board import Board, Table
from hapenny_link.calibration.sweeps import Sweep, spin_place_mm

APART_MM = 32.0
HALF_TURN = 3.14159265


class Operator(Protocol):
    """Who moves the discs. Discs and lines count from 0."""

    def clear(self) -> None:
        """Take every disc off."""
        ...

    def turn(self, disc: int, quarter: int) -> None:
        """Lay the disc in the middle of bed 5 (quarter 0), or turn it there by a quarter."""
        ...

    def begin_sweep(self, disc: int, sweep: Sweep) -> None:
        """Lay the disc against the straightedge, ready to slide."""
        ...

    def begin_line(self, line: int) -> None:
        """Lay a disc over the line, ready to push."""
        ...

    def slide_to(self, x_mm: float) -> None:
        """Slide the disc on; x_mm is still missing."""
        ...


class Person:
    """Somebody at the board, told what to do."""

    def __init__(self, progress: Progress) -> None:
        self.progress = progress

    def ask(self, text: str) -> None:
        """Print what to do, and wait for Enter."""
        self.progress.stop()
        self.progress.console.input(f"{text} Then press Enter. ")
        self.progress.start()

    def clear(self) -> None:
        self.ask("Take every disc off the board.")

    def turn(self, disc: int, quarter: int) -> None:
        if quarter == 0:
            self.ask(f"Mark disc {disc + 1} at its edge. Lay it in the middle of bed 5, its mark away from you.")
        else:
            self.ask("Turn it a quarter where it lies.")

    def begin_sweep(self, disc: int, sweep: Sweep) -> None:
        where = "nearer" if sweep.side > 0 else "farther"
        mark = "away from" if sweep.mark > 0 else "towards"
        self.ask(
            f"Bed {sweep.bed + 1}: lay the straightedge on the {where} line, along the line's edge inside the bed. "
            f"Lay disc {disc + 1} against it, inside the bed at the left, its mark {mark} you. "
            "After Enter, slide the disc slowly right."
        )

    def begin_line(self, line: int) -> None:
        self.ask(f"Line {line + 1}: after Enter, push any disc slowly along the line, over it, from left to right.")

    def slide_to(self, x_mm: float) -> None:
        """The person's hand moves by itself."""


class SimulatedHand:
    """A hand at a simulated table, as exact as a person's."""

    def __init__(self, table: Table, layout: Any, seed: int = 1) -> None:
        self.table, self.layout = table, layout
        self.random = random.Random(seed)
        self.disc, self.y_mm, self.angle_rad, self.spread_mm = 0, 0.0, 0.0, 0.0

    def clear(self) -> None:
        self.table.lay([])

    def turn(self, disc: int, quarter: int) -> None:
        self.table.lay([(disc, *spin_place_mm(self.layout), quarter * HALF_TURN / 2)])

    def begin_sweep(self, disc: int, sweep: Sweep) -> None:
        self.disc, self.spread_mm = disc, 0.0
        self.y_mm = sweep.y_hmm / 100 + self.random.gauss(0, 0.03)
        self.angle_rad = 0.0 if sweep.mark > 0 else HALF_TURN

    def begin_line(self, line: int) -> None:
        self.spread_mm = 4.0
        self.y_mm = (self.layout.FIRST_LINE_HMM + line * self.layout.LINE_PITCH_HMM) / 100

    def slide_to(self, x_mm: float) -> None:
        angle = self.angle_rad + self.random.gauss(0, 0.15) if not self.spread_mm else self.random.uniform(0, 6.28)
        disc = self.random.randrange(5) if self.spread_mm else self.disc
        y_mm = self.y_mm + self.random.uniform(-self.spread_mm, self.spread_mm)
        self.table.lay([(disc, x_mm, y_mm, angle)])

    def lay_at_random(self) -> None:
        """Lay three discs somewhere, as after shoves."""
        places: list[tuple[float, float]] = []
        while len(places) < 3:
            x, y = self.random.uniform(42, 326), self.random.uniform(103, 386)
            if all((x - a) ** 2 + (y - b) ** 2 > APART_MM**2 for a, b in places):
                places.append((x, y))
        discs = self.random.sample(range(5), 3)
        self.table.lay([(d, x, y, self.random.uniform(0, 6.28)) for d, (x, y) in zip(discs, places, strict=True)])


def operator_for(board: Board, layout: Any, progress: Progress) -> Person | SimulatedHand:
    """A simulated hand where the board's table is simulated, else a person."""
    return SimulatedHand(board.table, layout) if board.table else Person(progress)
