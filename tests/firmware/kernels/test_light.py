"""The kernels that weigh a line: 32-bit range, and the sums that they stand for."""

from math import exp, sqrt
from statistics import NormalDist

import pytest
from hapenny import layout
from hapenny.desktop.kernels import plain as kernels
from hapenny.finding.judge import curves
from hapenny.kernels import words as K
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.firmware.kernels.test_disc import Checked

CURVES = [Checked(v) for v in curves(layout, kernels)]
NODES = [NormalDist().inv_cdf((i + 0.5) / 60) for i in range(60)]


def area_mm2(edge: float, blur: float) -> float:
    """What a disc covers of a groove, by fine sums."""

    def cap(height: float) -> float:
        steps = 200
        width = max(height, 0.0) / steps
        return sum(2 * sqrt((25.4 - h) * h) * width for h in (width * (n + 0.5) for n in range(steps)))

    return sum(cap(edge + blur * z) - cap(edge + blur * z - 0.8) for z in NODES) / len(NODES)


def state(edge, se, seen=0, noise2=0, share=70, blur=10) -> list:
    return [*(Checked(v) for v in (edge, se, seen, noise2, share, blur)), *[Checked(0)] * 4]


@given(st.integers(-5, 5), st.integers(-40, 40), st.integers(8, 50000) | st.integers(8, 100),
       st.integers(-60000, 60000), st.integers(0, 800_000_000), st.integers(20, 200), st.integers(4, 60))  # fmt: skip
@settings(max_examples=300, deadline=None)
def test_weighing_stays_within_31_bits(errors, more, se, seen, noise2, share, blur):
    """Any place, any light: no intermediate leaves 31 bits, and a part is no larger than the whole."""
    made = state(errors * se + more, se, seen, noise2, share, blur)
    kernels.astride(made, CURVES)
    assert 0 <= made[K.ON] <= made[K.TOTAL]
    assert made[K.SQUARE] >= 0


@pytest.mark.parametrize("edge", [-10, 0, 5, 20, 60, 150, 500, 1200])
@pytest.mark.parametrize("blur", [10, 20])
def test_the_area_covered_is_that_of_a_disc(edge, blur):
    """Within 1 % of a finely summed area, and a quarter of the light's noise."""
    exact = area_mm2(edge / 100, blur / 100) * 10000
    assert abs(4 * kernels.cover(CURVES, Checked(edge), Checked(blur)) - exact) < 0.01 * exact + 5 * blur**1.5


@pytest.mark.parametrize("sigmas", [-3, -2, -1, -0.5, 0, 0.5, 1, 2, 3])
@pytest.mark.parametrize("se", [8, 15, 40, 300])
def test_without_light_the_chance_is_that_of_thick_tailed_errors(sigmas, se):
    """A normal density, and a 128th of one sqrt(5) times as wide."""
    edge = round(sigmas * se)
    made = state(edge, se, blur=4)
    kernels.astride(made, CURVES)
    normal, wide = NormalDist(), NormalDist(0, sqrt(5))
    part = sqrt(5) / 128
    exact = (normal.cdf(edge / se) + part * wide.cdf(edge / se)) / (1 + part)
    assert abs(made[K.ON] / made[K.TOTAL] - exact) < 0.0005 + 0.05 * exact * (1 - exact)


@pytest.mark.parametrize(("edge", "true"), [(-20, -20), (-10, 0), (0, 8), (0, 15), (10, -5), (-15, 25), (70, 90)])
@pytest.mark.parametrize("se", [13, 25])
def test_with_light_the_chance_is_bayes(edge, true, se):
    """Against the same product of densities, summed a hundredth of a millimetre at a time."""
    seen = kernels.cover(CURVES, Checked(true), Checked(10))
    made = state(edge, se, seen, 190 * 190)
    kernels.astride(made, CURVES)
    on = total = mean = 0.0
    for place in range(edge - 6 * se, edge + 6 * se):
        area = kernels.cover(CURVES, Checked(place), Checked(10))
        z = (place - edge) / se
        spread = 190**2 + (area * 70 / 1024) ** 2
        weight = (exp(-z * z / 2) + exp(-z * z / 10) / 128) * exp(-((area - seen) ** 2) / spread / 2)
        total += weight
        mean += weight * z
        on += weight * (place > 0) + weight * (place == 0) / 2
    assert abs(made[K.ON] / made[K.TOTAL] - on / total) < 0.003 + 0.05 * on / total
    assert abs(made[K.MEAN] / made[K.TOTAL] / 8 - mean / total) < 0.06


def test_light_that_contradicts_the_halls_leaves_next_to_nothing():
    """Clear by eight standard errors of the light, and inside by four of the Halls."""
    made = state(60, 13, 0, 190 * 190)
    kernels.astride(made, CURVES)
    assert made[K.TOTAL] < 4096
