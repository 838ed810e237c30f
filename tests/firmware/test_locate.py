"""The locator on the fields of a board without a fault, simulated."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from perfect_board import LAYOUT, PerfectBoard

ROW_5 = LAYOUT.FIRST_LINE_HMM + 4 * LAYOUT.LINE_PITCH_HMM + LAYOUT.LINE_PITCH_HMM // 2
BESIDE_ROW_5 = {k for k in range(LAYOUT.HALLS) if 2000 < abs(LAYOUT.HALL_Y_HMM[k] - ROW_5) < 4500}


@pytest.mark.parametrize("blind", [False, True])
def test_a_disc_may_be_its_mirror_image_where_only_its_own_row_sees_it(blind):
    """2.6 mm off its row, touching another along it: the rows beside it tell the sides apart, if they are there."""
    board = PerfectBoard(BESIDE_ROW_5 if blind else frozenset())
    places = [(150.0, ROW_5 / 100 + 2.6), (175.45, ROW_5 / 100 + 3.0)]
    for count in (1, 2):  # one after another
        board.locator.refine(board.field(places[:count]), 64)
    locator = board.locator
    assert locator.count == 2
    for i in range(2):
        likely = locator.twin_q12[i]
        assert likely > 500 if blind else likely == 0
        if blind:
            assert abs(locator.twin_y[i] - (2 * ROW_5 - locator.y_hmm[i])) < 60


def test_a_disc_alone_is_sought_on_one_side_only():
    board = PerfectBoard()
    board.locator.refine(board.field([(150.0, ROW_5 / 100 + 2.6)]), 64)
    assert (board.locator.count, board.locator.twin_q12[0]) == (1, 0)


@settings(max_examples=40)
@given(x=st.floats(50, 318), y=st.floats(53, 70))
def test_a_short_disc_is_found_on_its_side_of_the_approach_row(x, y):
    """The approach row alone sees no difference; the first bed's row does, but about y 75, where 1 in 40 is misread."""
    board = PerfectBoard()
    board.locator.refine(board.field([(x, y)]), 64)
    assert board.found() == [(pytest.approx(x, abs=3), pytest.approx(y, abs=3))]
