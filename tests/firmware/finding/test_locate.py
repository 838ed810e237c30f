"""The locator on the fields of a board without a fault, simulated."""

import pytest
from hapenny.finding.follow import NEW
from hypothesis import given, settings
from hypothesis import strategies as st
from perfect_board import LAYOUT, PerfectBoard

ROW_1 = LAYOUT.FIRST_LINE_HMM + LAYOUT.LINE_PITCH_HMM // 2
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


@pytest.mark.parametrize("y", [132.0, 133.3, 134.6])
def test_a_disc_believed_on_the_wrong_side_of_its_row_is_found_on_the_right_one(y):
    """Half-way between two rows: what lies there fits one of them from either side, and the other from one only."""
    board = PerfectBoard()
    locator = board.locator
    locator.count = 1
    locator.x_hmm[0], locator.y_hmm[0], locator.moment[0] = 8490, 2 * ROW_1 - round(y * 100), 4096
    locator.refine(board.field([(84.9, y)]), 64)
    assert board.found() == [(pytest.approx(84.9, abs=1), pytest.approx(y, abs=1))]


def test_a_new_disc_in_the_wrong_place_is_sought_anew_and_the_known_ones_are_not(monkeypatch):
    """What follows moving discs only glimpses; the known disc stays where the verdict found it."""
    board = PerfectBoard()
    locator = board.locator
    known, new = (150.0, 250.0), (84.9, 133.3)
    locator.refine(board.field([known]), 64)
    locator.count = 2
    locator.x_hmm[1], locator.y_hmm[1], locator.moment[1], locator.away[1] = 8490, 2 * ROW_1 - 13330, 4096, NEW
    monkeypatch.setattr(locator, "find", lambda field, passes: pytest.fail("all discs were sought anew"))
    locator.refine(board.field([known, new]), 64)
    assert board.found() == [pytest.approx(new, abs=1), pytest.approx(known, abs=0.5)]
    assert locator.away[0] == locator.away[1] == 0


def test_a_new_disc_whose_place_is_vague_is_sought_anew(monkeypatch):
    """It is believed if nothing better is found; and once a verdict has found it, it is no longer new."""
    monkeypatch.setattr("hapenny.finding.locate.MISPLACED_UM", 100)
    board = PerfectBoard()
    locator = board.locator
    sought = []
    add = locator._add
    monkeypatch.setattr(locator, "_add", lambda tries: (sought.append(locator.count), add(tries)))
    field = board.field([(60.0, 384.5)])
    locator.refine(field, 64)
    assert locator.se_y_um[0] > 100 and sought == [0, 0]
    locator.refine(field, 64)
    assert board.found() == [pytest.approx((60.0, 384.5), abs=1)] and sought == [0, 0, 1]


def test_discs_that_are_not_found_from_nothing_are_found_from_what_lies_where_it_lay():
    """The tracks of a cannon were lost, and with them all discs; four lie where the verdict before had found them."""
    discs = [(112.1, 256.4), (163.0, 268.5), (92.6, 282.3), (87.3, 308.5), (157.3, 320.2)]
    board = PerfectBoard()
    locator = board.locator
    field = board.field(discs)
    locator.find(field, 64)
    assert board.found() != [pytest.approx(place, abs=1) for place in discs], "no such case any more"
    for place in discs[1:]:
        locator.refine(board.field(discs[1 : discs.index(place) + 1]), 64)
    locator.count = 0
    locator.refine(field, 64)
    assert board.found() == [pytest.approx(place, abs=1) for place in discs]
