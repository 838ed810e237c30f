"""The locator on the fields of a board without a fault, simulated."""

import numpy as np
import pytest
from hapenny.calibration import Calibration
from hapenny.locate import Locator
from hapenny_sim.sensors.build import BUILDS, Board, DiscSet
from hapenny_sim.sensors.compiled import COMPILED
from hapenny_sim.studies.accuracy import layout_of

LAYOUT = layout_of("standard")
PASSES = 64
ROW_5 = LAYOUT.FIRST_LINE_HMM + 4 * LAYOUT.LINE_PITCH_HMM + LAYOUT.LINE_PITCH_HMM // 2


def located(places: list[tuple[float, float]], without: set[int] = frozenset()) -> Locator:
    """A locator that was shown discs at places (mm), one after another; Halls `without` are left out."""
    calibration = Calibration(LAYOUT, COMPILED)
    calibration.gain_error_q10 = calibration.place_error_hmm = calibration.tilt_error_q10 = 0
    for k in without:
        calibration.places[3 * k + 2] = 0
    board, locator = Board(LAYOUT, BUILDS["perfect"], 1), Locator(LAYOUT, calibration, COMPILED)
    scene = DiscSet(BUILDS["perfect"], 5, 1).scene(range(len(places)), *np.array(places).T)
    sums, field = np.zeros(LAYOUT.HALLS, np.int32), np.zeros(LAYOUT.HALLS, np.int16)
    board.halls(scene[:0], PASSES, sums)
    calibration.tare(sums, PASSES)
    locator.forget()
    for count in range(1, len(places) + 1):
        sums[:] = 0
        board.halls(scene[:count], PASSES, sums)
        calibration.field(sums, PASSES, field)
        locator.refine(field, PASSES)
    return locator


def beside_row_5(hall: int) -> bool:
    return 2000 < abs(LAYOUT.HALL_Y_HMM[hall] - ROW_5) < 4500


@pytest.mark.parametrize("blind", [False, True])
def test_a_disc_may_be_its_mirror_image_where_only_its_own_row_sees_it(blind):
    """2.6 mm off its row, touching another along it: the rows beside it tell the sides apart, if they are there."""
    y = ROW_5 / 100 + 2.6
    without = {k for k in range(LAYOUT.HALLS) if beside_row_5(k)} if blind else set()
    locator = located([(150.0, y), (175.45, y + 0.4)], without)
    assert locator.count == 2
    for i in range(2):
        likely = locator.twin_q12[i]
        assert likely > 500 if blind else likely == 0
        if blind:
            mirror = 2 * ROW_5 - locator.y_hmm[i]
            assert abs(locator.twin_y[i] - mirror) < 60


def test_a_disc_alone_is_sought_on_one_side_only():
    locator = located([(150.0, ROW_5 / 100 + 2.6)])
    assert (locator.count, locator.twin_q12[0]) == (1, 0)
