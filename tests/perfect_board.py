"""A simulated board without a fault, its locator, and the fields that discs leave on it."""

import numpy as np
from hapenny.finding.locate import Locator
from hapenny.sensing.calibration import Calibration
from hapenny_sim.sensors.build import BUILDS, Board, DiscSet
from hapenny_sim.sensors.compiled import COMPILED
from hapenny_sim.studies.accuracy import layout_of

LAYOUT = layout_of("standard")


class PerfectBoard:
    """`locator` knows of no disc yet; Halls `without` are left out."""

    def __init__(self, without: frozenset[int] | set[int] = frozenset()) -> None:
        self.calibration = Calibration(LAYOUT, COMPILED)
        self.calibration.gain_error_q10 = self.calibration.place_error_hmm = self.calibration.tilt_error_q10 = 0
        for k in without:
            self.calibration.places[3 * k + 2] = 0
        self.board = Board(LAYOUT, BUILDS["perfect"], 1)
        self.discs = DiscSet(BUILDS["perfect"], 5, 1)
        self.calibration.tare(self.sums([], 64), 64)
        self.locator = Locator(LAYOUT, self.calibration, COMPILED)
        self.locator.forget()

    def sums(self, places: list[tuple[float, float]], passes: int) -> np.ndarray:
        sums = np.zeros(LAYOUT.HALLS, np.int32)
        self.board.halls(self.discs.scene(range(len(places)), *np.array(places).reshape(-1, 2).T), passes, sums)
        return sums

    def field(self, places: list[tuple[float, float]], passes: int = 64) -> np.ndarray:
        """Microtesla at every Hall while discs lie at places (mm)."""
        field = np.zeros(LAYOUT.HALLS, np.int16)
        self.calibration.field(self.sums(places, passes), passes, field)
        return field

    def found(self) -> list[tuple[float, float]]:
        """Where the locator has found discs, mm, by y."""
        locator = self.locator
        return sorted(
            ((locator.x_hmm[i] / 100, locator.y_hmm[i] / 100) for i in range(locator.count)), key=lambda p: p[1]
        )
