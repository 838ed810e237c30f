"""What sweeps teach: the sensors nearly as they are, and honestly how nearly."""

import math

import numpy as np
import pytest
from hapenny_link.calibration.hall_fit import Field
from hapenny_sim.sensors.bound import sensor_errors
from hapenny_sim.sensors.build import BUILDS, Board
from hapenny_sim.sensors.compiled import COMPILED
from hapenny_sim.sensors.taught import teach
from hapenny_sim.studies.accuracy import layout_of

LAYOUT = layout_of("standard")
CASES = [("good", 0.018, 0.08, 0.75), ("typical", 0.022, 0.11, 1.5)]


@pytest.mark.slow
@pytest.mark.parametrize(("build", "gain", "place_mm", "lean_deg"), CASES)
def test_sweeps_find_every_hall_and_state_what_is_left(build: str, gain: float, place_mm: float, lean_deg: float):
    """Gain, place and lean against the truth; the errors stated are those left, within half or twice."""
    board = Board(LAYOUT, BUILDS[build], 11)
    calibration = teach(board, LAYOUT, "swept", 11)
    left_gain, left_mm = sensor_errors(board, calibration)
    assert left_gain < gain and left_mm < place_mm
    assert 0.5 * left_mm < calibration.place_error_hmm / 100 < 2 * left_mm
    assert 0.5 * lean_deg < math.degrees(calibration.tilt_error_q10 / 1024) < 1.6 * lean_deg
    light = BUILDS[build].reflect ** 2 + BUILDS[build].wave ** 2
    assert 0.6 * light**0.5 < calibration.light_error_q10 / 1024 < 1.7 * light**0.5
    true_blur = np.mean(board._segments[:, 4]) * 100
    assert np.mean(np.array(calibration.blur)) == pytest.approx(true_blur, rel=0.3)


def test_the_learners_field_is_the_devices():
    """Field and slope between the table's places are those that the device's kernel uses, within a thousandth."""
    from hapenny.finding.fit import lay_rows
    from hapenny.kernels import words as K

    field = Field(LAYOUT)
    state, places = COMPILED.words(K.WORDS), COMPILED.places(3 * LAYOUT.HALLS)
    for k in range(LAYOUT.HALLS):
        places[3 * k : 3 * k + 3] = LAYOUT.HALL_X_HMM[k], LAYOUT.HALL_Y_HMM[k], 4096
    for away in (0, 150, 400, 800, 1500, 2500, 4000, 8000):
        state[K.X], state[K.Y] = LAYOUT.HALL_X_HMM[50] + away, LAYOUT.HALL_Y_HMM[50]
        state[K.FROM_X], state[K.FROM_Y] = LAYOUT.HALL_X_HMM[50], LAYOUT.HALL_Y_HMM[50]
        state[K.REACH], state[K.HALLS] = 10, LAYOUT.HALLS
        lay_rows(state, LAYOUT)
        COMPILED.reach(state, places)
        COMPILED.predict(state, places, LAYOUT.FIELD_UT)
        assert state[K.UNIT] == pytest.approx(field.at(np.array([float(away) ** 2]))[0, 0], abs=2.5)
