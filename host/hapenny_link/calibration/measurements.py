"""A calibration course: the steps that a person takes at a board, and what their frames make of its calibration."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hapenny.finding.locate import Locator
from hapenny.kernels.pick import kernels as chosen
from hapenny.sensing.calibration import Calibration
from hapenny.sensing.health import Health

from hapenny_link.calibration.hall_fit import Halls
from hapenny_link.calibration.segment_fit import Lights

SWEEP_SAMPLES = 57  # along one edge of a bed
OVER_SAMPLES = 36  # along one line
SPIN_TURNS = 4
SPIN_REJECT_MM = 0.1
SPIN_OFF_MM = 4.0  # from a row of Halls: there y is seen best
FIRST_X_MM, LAST_X_MM = 36.0, 332.0
BARE, SWEEP, OVER, REST = range(4)  # kinds of readings kept
WIDE = 32  # numbers kept beside a reading
Q4 = 16  # frames come in sixteenths of a code


@dataclass(frozen=True)
class Reading:
    """One frame: what every channel reads on average, sixteenths of an ADC code, over so many passes."""

    halls: Any
    lit: Any
    dark: Any
    passes: int


@dataclass(frozen=True)
class Edge:
    """One sweep: the disc along the far (side -1) or near (side 1) limit of a bed."""

    bed: int  # from 0
    side: int
    line: int
    y_hmm: int

    @property
    def mark(self) -> int:
        """Where the mark points: 1 to the board's far end, -1 to the player; by turns from the line and to it."""
        return self.side if self.bed % 2 == 0 else -self.side


def edges(layout: Any) -> Iterator[Edge]:
    """Every sweep, bed by bed: above the nearer line, below the farther."""
    clear = layout.DISC_RADIUS_HMM + layout.LINE_WIDTH_HMM // 2
    for bed in range(layout.BEDS):
        for side, line in ((1, bed), (-1, bed + 1)):
            yield Edge(bed, side, line, layout.FIRST_LINE_HMM + line * layout.LINE_PITCH_HMM + side * clear)


Wanted = Callable[[float], bool]


def always(_x_mm: float) -> bool:
    """Any place will do."""
    return True


def spin_place_mm(layout: Any) -> tuple[float, float]:
    """Where discs are turned: amid the board, near a row."""
    row_hmm = layout.FIRST_LINE_HMM + (layout.BEDS // 2) * layout.LINE_PITCH_HMM + layout.LINE_PITCH_HMM / 2
    return layout.WIDTH_HMM / 200, row_hmm / 100 + SPIN_OFF_MM


class Course:
    """Takes readings step by step; `swept` and `refined` give the calibration that they make."""

    def __init__(self, layout: Any, kernels: Any = chosen) -> None:
        self.layout = layout
        self.kernels = kernels
        self.calibration = Calibration(layout, kernels)  # with nominal gains until it is learned
        self.nominal = Calibration(layout, kernels)
        self.locator = Locator(layout, self.calibration, kernels)
        self.health = Health(layout, self.calibration)
        self.halls = Halls(layout)
        self.lights = Lights(self.calibration, layout)
        self.field = np.zeros(layout.HALLS, np.int16)
        self.radii_mm: list[float] = []
        self.kept: list[tuple[tuple[int, ...], Reading]] = []  # what came in, to be learned again with what play adds

    def bare(self, reading: Reading) -> None:
        """Nothing lies on the board. A Hall that is not whole teaches nothing from here on."""
        self.health.check(reading.halls, reading.lit, reading.dark)
        self._keep(reading, BARE)
        self.health.look(reading.halls, Q4, reading.lit, reading.dark, Q4)
        for hall in range(self.layout.HALLS):
            if self.health.state[hall]:
                self.halls.usable[hall] = False
        for calibration in (self.calibration, self.nominal):
            calibration.tare(reading.halls, Q4)
            calibration.tare_light(reading.lit, reading.dark, Q4)

    def places(self, reading: Reading) -> list[tuple[int, int]]:
        """Where discs lie, hmm."""
        self.calibration.field(reading.halls, Q4, self.field)
        self.locator.forget()
        count = self.locator.find(self.field, reading.passes)
        return [(int(self.locator.x_hmm[i]), int(self.locator.y_hmm[i])) for i in range(count)]

    def spin(self, found: list[tuple[int, int]]) -> float:
        """A disc turned in its place was found there: how far its magnet's apparent place is off its middle, mm."""
        places = np.array(found, float) / 100
        radius = float(np.sqrt(np.mean(np.sum((places - places.mean(axis=0)) ** 2, axis=1))))
        self.radii_mm.append(radius)
        return radius

    def sweep(self, number: int, edge: Edge, reading: Reading, wanted: Wanted = always) -> float | None:
        """A sample of the sweep: x in mm; None, and not taken, where no disc is over the row or x is not wanted."""
        frame = self.halls.along(number, edge.y_hmm, edge.mark, self._nominal(reading), reading.passes)
        if frame is None or not wanted(frame.discs[0, 0] / 100):
            return None
        self._keep(reading, SWEEP, number, edge.bed, edge.side, edge.line, edge.y_hmm)
        self.halls.frames.append(frame)
        x_hmm = float(frame.discs[0, 0])
        self.lights.edge(edge.line, x_hmm, reading.lit, reading.dark)
        return x_hmm / 100

    def over(self, reading: Reading, wanted: Wanted = always) -> float | None:
        """One disc lies over a line: its x in mm; None if that is not what the board sees, or x is not wanted."""
        found = self.places(reading)
        if len(found) != 1 or not wanted(found[0][0] / 100):
            return None
        self._keep(reading, OVER)
        self.lights.over(*found[0], reading.lit, reading.dark)
        self.halls.rest(self._nominal(reading), reading.passes, found)
        return found[0][0] / 100

    def rest(self, reading: Reading, places_hmm: Any) -> bool:
        """Discs at rest in ordinary play, or turned in the spin test."""
        self._keep(reading, REST, *(int(v) for place in places_hmm for v in place))
        return self.halls.rest(self._nominal(reading), reading.passes, places_hmm)

    def _keep(self, reading: Reading, *what: int) -> None:
        self.kept.append((what, reading))

    def save(self, path: Path) -> None:
        """Keeps every reading in a file, written whole or not at all."""
        table = np.zeros((len(self.kept), WIDE), np.int32)
        for row, (what, reading) in zip(table, self.kept, strict=True):
            row[: 2 + len(what)] = reading.passes, len(what), *what
        channels = [np.array([getattr(r, name) for _, r in self.kept], np.uint16) for name in ("halls", "lit", "dark")]
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new.npz")
        np.savez_compressed(fresh, table, *channels, radii=np.array(self.radii_mm))
        fresh.replace(path)

    def load(self, path: Path) -> None:
        """Takes what `save` kept, as if it came again."""
        with np.load(path) as kept:
            table, halls, lit, dark = (kept[f"arr_{n}"] for n in range(4))
            self.radii_mm = list(kept["radii"])
        for row, *channels in zip(table, halls, lit, dark, strict=True):
            halls_q4, lit_q4, dark_q4 = (values.astype(np.int32) for values in channels)
            reading = Reading(halls_q4, lit_q4, dark_q4, int(row[0]))
            kind, *rest = (int(v) for v in row[2 : 2 + row[1]])
            if kind == SWEEP:
                self.halls.edges = max(self.halls.edges, rest[0] + 1)
                bed, side, line, y_hmm = rest[1:]
                self.sweep(rest[0], Edge(bed, side, line, y_hmm), reading)
            elif kind == REST:
                self.rest(reading, list(zip(rest[::2], rest[1::2], strict=True)))
            else:
                self.bare(reading) if kind == BARE else self.over(reading)

    def _nominal(self, reading: Reading) -> np.ndarray:
        self.nominal.field(reading.halls, Q4, self.field)
        return self.field

    def learn(self, level: int, date: int = 0) -> Calibration:
        """Everything taught so far into the calibration: level 1 after the sweeps, 2 after play."""
        calibration = self.calibration
        quality = self.halls.learn(calibration)
        calibration.tilt_error_q10 = min(60, round(1024 * self.halls.lean))
        if self.radii_mm:  # each way, of the discs that are played with
            good = [radius for radius in self.radii_mm if radius <= SPIN_REJECT_MM] or self.radii_mm
            calibration.magnet_um = min(250, round(1000 * float(np.sqrt(np.mean(np.square(good)) / 2))))
        if level == 1:
            self.lights.learn()
        calibration.gain_error_q10 = min(60, max(3, round(1024 * self.halls.gain_error)))
        calibration.place_error_hmm = min(40, max(2, round(self.halls.place_error_hmm)))
        calibration.level, calibration.date, calibration.quality_ut = level, date, round(quality)
        return calibration
