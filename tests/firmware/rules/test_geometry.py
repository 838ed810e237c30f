"""Verdicts from a position alone, at every limit RULES.md names."""

import pytest
from hapenny.rules import geometry
from hypothesis import given
from hypothesis import strategies as st
from plain_rules import place_verdict


@pytest.mark.parametrize(
    ("x", "y", "verdict"),
    [
        (18000, 40045, geometry.OVER),
        (18000, 40044, geometry.LINE),
        (18000, 8850, geometry.SHORT),
        (18000, 8851, geometry.LINE),
        (4484, 20000, geometry.WIDE),
        (4485, 18098, 3),
        (32345, 18098, 3),
        (32346, 18098, geometry.WIDE),
        (18000, 11470, 1),
        (18000, 11469, geometry.LINE),
        (18000, 12025, 1),
        (18000, 12026, geometry.LINE),
        (18000, 37425, 9),
        (18000, 37426, geometry.LINE),
        (1000, 40045, geometry.OVER),
        (1000, 8850, geometry.SHORT),
    ],
)
def test_limits(x, y, verdict):
    assert geometry.verdict(x, y) == verdict


@given(st.integers(0, 36830), st.integers(0, 61000))
def test_every_place_on_the_board_has_the_plain_models_verdict(x, y):
    assert geometry.VERDICTS[geometry.verdict(x, y)] == place_verdict(x, y)


def test_the_first_line_is_touched_within_its_groove_and_the_disc():
    assert not geometry.on_first_line(8850) and geometry.on_first_line(8851)
    assert geometry.on_first_line(11469) and not geometry.on_first_line(11470)


def test_discs_may_be_read_two_hundredths_too_close():
    assert not geometry.overlap((0, 0), (2538, 0)) and geometry.overlap((0, 0), (2537, 0))
    assert geometry.overlap((0, 0), (0, 0)) and not geometry.overlap((0, 0), (36830, 61000))


@given(st.integers(5000, 32000), st.integers(9000, 40000), st.integers(1, 10))
def test_settling_gives_the_wanted_verdict_or_leaves_the_position(x, y, wanted):
    nx, ny = geometry.settle(x, y, wanted)
    assert (nx, ny) == (x, y) or (geometry.verdict(nx, ny) == wanted and abs(nx - x) + abs(ny - y) <= 60)


def test_settling_nudges_across_a_limit_by_the_least():
    assert geometry.settle(18000, 11468, 1) == (18000, 11470)
    assert geometry.settle(18000, 11470, geometry.LINE) == (18000, 11469)
