"""The settling window: a frame in which anything moved is none, and is broken off."""

from array import array

from hapenny import layout
from hapenny.sensing.calibration import Calibration
from hapenny.sensing.health import Health
from hapenny.sensing.scan import QUARTER_PASSES, QUARTERS, Scan

MID = 2048
AWAY = 40  # codes: far more than the noise
LIMIT_UT = 100


class Quarters:
    """Hardware on which one Hall reads `codes[q]` away from its zero in quarter q."""

    def __init__(self, codes):
        self.codes = codes
        self.taken = 0

    def scan_halls(self, out, passes):
        for k in range(layout.HALLS):
            out[k] = MID * passes
            out[k] += (self.taken + k) % 2  # sensors that read quite the same are broken
        out[7] += self.codes[self.taken] * passes
        self.taken += 1

    def scan_light(self, lit, dark, pairs):
        pass


def scan_of(codes):
    calibration = Calibration(layout)
    calibration.tare(array("i", [MID * QUARTER_PASSES] * layout.HALLS), QUARTER_PASSES)
    return Scan(Quarters(codes), layout, calibration, Health(layout, calibration))


def test_a_disc_that_passes_in_the_middle_of_the_window_is_seen():
    """Before and after it is out of the sensors' sight, so that the first quarter and the last agree."""
    scan = scan_of([0, 0, AWAY, 0])
    assert scan.verdict(LIMIT_UT) > LIMIT_UT


def test_the_window_is_broken_off_when_something_moves():
    scan = scan_of([0, AWAY, AWAY, AWAY])
    assert scan.verdict(LIMIT_UT) > LIMIT_UT
    assert scan.hardware.taken == 2


def test_what_lies_still_gives_a_whole_frame():
    scan = scan_of([AWAY] * QUARTERS)
    assert 0 < scan.verdict(LIMIT_UT) < LIMIT_UT
    assert scan.hardware.taken == QUARTERS
    assert scan.field[7] > LIMIT_UT
