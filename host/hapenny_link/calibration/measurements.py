"""The measurements of a calibration: what the sensors read at each step, and the calibration that it makes."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from hapenny.finding.locate import Locator
from hapenny.kernels.pick import kernels as chosen
from hapenny.sensing.calibration import Calibration
from hapenny.sensing.health import Health

from hapenny_link.calibration.hall_fit import HallFit
from hapenny_link.calibration.segment_fit import SegmentFit
from hapenny_link.calibration.sweeps import Sweep

SPIN_GOOD_MM = 0.1
BARE, SWEEP, LINE, REST = range(4)  # kinds of recorded readings
WIDTH = 32  # numbers recorded beside a reading
Q4 = 16  # readings are in sixteenths of a code


@dataclass(frozen=True)
class Reading:
    """One frame: what every channel reads on average over so many passes, in sixteenths of an ADC code."""

    halls: Any
    lit: Any
    dark: Any
    passes: int


Wanted = Callable[[float], bool]  # whether a sample at this x_mm is still wanted


def anywhere(_x_mm: float) -> bool:
    """Any place will do."""
    return True


class Measurements:
    """Gathers readings step by step. `calibrate` makes a calibration of all that is gathered."""

    def __init__(self, layout: Any, kernels: Any = chosen) -> None:
        self.layout = layout
        self.kernels = kernels
        self.calibration = Calibration(layout, kernels)  # nominal until `calibrate`
        self.nominal = Calibration(layout, kernels)
        self.locator = Locator(layout, self.calibration, kernels)
        self.health = Health(layout, self.calibration)
        self.hall_fit = HallFit(layout)
        self.segment_fit = SegmentFit(self.calibration, layout)
        self.field = np.zeros(layout.HALLS, np.int16)
        self.radii_mm: list[float] = []
        self.recorded: list[tuple[tuple[int, ...], Reading]] = []  # for `save`: play later adds to it

    def add_bare(self, reading: Reading) -> None:
        """Nothing lies on the board. Halls that are faulty now are left out of everything that follows."""
        self.health.check(reading.halls, reading.lit, reading.dark)
        self._record(reading, BARE)
        self.health.look(reading.halls, Q4, reading.lit, reading.dark, Q4)
        for hall in range(self.layout.HALLS):
            if self.health.state[hall]:
                self.hall_fit.usable[hall] = False
        for calibration in (self.calibration, self.nominal):
            calibration.tare(reading.halls, Q4)
            calibration.tare_light(reading.lit, reading.dark, Q4)

    def places(self, reading: Reading) -> list[tuple[int, int]]:
        """Where discs lie, hmm."""
        self.calibration.field(reading.halls, Q4, self.field)
        self.locator.forget()
        count = self.locator.find(self.field, reading.passes)
        return [(int(self.locator.x_hmm[i]), int(self.locator.y_hmm[i])) for i in range(count)]

    def add_spin(self, places_hmm: list[tuple[int, int]]) -> float:
        """A disc turned where it lies was seen at these places. Returns how far its magnet is off its middle, mm."""
        places = np.array(places_hmm, float) / 100
        radius = float(np.sqrt(np.mean(np.sum((places - places.mean(axis=0)) ** 2, axis=1))))
        self.radii_mm.append(radius)
        return radius

    def add_sweep(self, straightedge: int, sweep: Sweep, reading: Reading, wanted: Wanted = anywhere) -> float | None:
        """A sample of a sweep. Returns its x in mm, or None if it was not taken.

        It is not taken where no disc is over the row, or x is not wanted.
        """
        field = self._nominal(reading)
        frame = self.hall_fit.sweep_frame(straightedge, sweep.y_hmm, sweep.mark, field, reading.passes)
        if frame is None or not wanted(frame.discs[0, 0] / 100):
            return None
        self._record(reading, SWEEP, straightedge, sweep.bed, sweep.side, sweep.line, sweep.y_hmm)
        self.hall_fit.frames.append(frame)
        x_hmm = float(frame.discs[0, 0])
        self.segment_fit.add_touching(sweep.line, x_hmm, reading.lit, reading.dark)
        return x_hmm / 100

    def add_over_line(self, reading: Reading, wanted: Wanted = anywhere) -> float | None:
        """One disc lies over a line. Returns its x in mm, or None if it was not taken.

        It is not taken if the board sees something else, or x is not wanted.
        """
        found = self.places(reading)
        if len(found) != 1 or not wanted(found[0][0] / 100):
            return None
        self._record(reading, LINE)
        self.segment_fit.add_covering(*found[0], reading.lit, reading.dark)
        self.hall_fit.add_rest(self._nominal(reading), reading.passes, found)
        return found[0][0] / 100

    def add_rest(self, reading: Reading, places_hmm: Any) -> bool:
        """Discs at rest, in ordinary play or in the spin test. False if too few Halls see them."""
        self._record(reading, REST, *(int(v) for place in places_hmm for v in place))
        return self.hall_fit.add_rest(self._nominal(reading), reading.passes, places_hmm)

    def _record(self, reading: Reading, *what: int) -> None:
        self.recorded.append((what, reading))

    def save(self, path: Path) -> None:
        """Write every reading to a file, all or nothing."""
        table = np.zeros((len(self.recorded), WIDTH), np.int32)
        for row, (what, reading) in zip(table, self.recorded, strict=True):
            row[: 2 + len(what)] = reading.passes, len(what), *what
        names = ("halls", "lit", "dark")
        channels = [np.array([getattr(r, name) for _, r in self.recorded], np.uint16) for name in names]
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_suffix(".new.npz")
        np.savez_compressed(fresh, table, *channels, radii=np.array(self.radii_mm))
        fresh.replace(path)

    def load(self, path: Path) -> None:
        """Add what `save` wrote, as if it were measured again."""
        with np.load(path) as saved:
            table, halls, lit, dark = (saved[f"arr_{n}"] for n in range(4))
            self.radii_mm = list(saved["radii"])
        for row, *channels in zip(table, halls, lit, dark, strict=True):
            halls_q4, lit_q4, dark_q4 = (values.astype(np.int32) for values in channels)
            reading = Reading(halls_q4, lit_q4, dark_q4, int(row[0]))
            kind, *rest = (int(v) for v in row[2 : 2 + row[1]])
            if kind == SWEEP:
                self.hall_fit.straightedges = max(self.hall_fit.straightedges, rest[0] + 1)
                bed, side, line, y_hmm = rest[1:]
                self.add_sweep(rest[0], Sweep(bed, side, line, y_hmm), reading)
            elif kind == REST:
                self.add_rest(reading, list(zip(rest[::2], rest[1::2], strict=True)))
            else:
                self.add_bare(reading) if kind == BARE else self.add_over_line(reading)

    def _nominal(self, reading: Reading) -> np.ndarray:
        self.nominal.field(reading.halls, Q4, self.field)
        return self.field

    def calibrate(self, level: int, date: int = 0) -> Calibration:
        """The calibration that everything gathered makes. `level` is 1 after sweeps, 2 after play."""
        calibration = self.calibration
        quality = self.hall_fit.fit(calibration)
        calibration.tilt_error_q10 = min(60, round(1024 * self.hall_fit.lean))
        if self.radii_mm:  # each way, of the discs that are played with
            good = [radius for radius in self.radii_mm if radius <= SPIN_GOOD_MM] or self.radii_mm
            calibration.magnet_um = min(250, round(1000 * float(np.sqrt(np.mean(np.square(good)) / 2))))
        if level == 1:
            self.segment_fit.fit()
        calibration.gain_error_q10 = min(60, max(3, round(1024 * self.hall_fit.gain_error)))
        calibration.place_error_hmm = min(40, max(2, round(self.hall_fit.place_error_hmm)))
        calibration.level, calibration.date, calibration.quality_ut = level, date, round(quality)
        return calibration
