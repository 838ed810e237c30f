"""Following discs look by look, on the fields of a board without a fault, simulated."""

import pytest
from hapenny.finding.tracks import Tracks
from perfect_board import PerfectBoard

LOOK = 2  # passes
NEAR_MM = 4.0  # as well as a look must know where a disc is


def look(board, *places):
    board.locator.follow(board.field(list(places), LOOK), LOOK)
    return board.found()


def test_a_shoved_disc_is_followed_from_look_to_look():
    """A metre a second, led by its track; the one it passes by is left where the verdict found it."""
    board = PerfectBoard()
    locator = board.locator
    locator.refine(board.field([(148.0, 126.0)]), 64)
    lying = board.found()[0]
    tracks = Tracks(locator)
    tracks.begin(locator.count, locator.x_hmm, locator.y_hmm, 0)
    for now_ms in range(0, 144, 12):
        y = 20.0 + now_ms
        tracks.predict(now_ms)
        found = look(board, (148.0, 126.0), (120.0, y))
        tracks.follow(now_ms)
        if y > 110:  # beyond the approach row and the gap behind it
            assert (pytest.approx(120, abs=NEAR_MM), pytest.approx(y, abs=NEAR_MM)) in found
        assert lying in found


@pytest.mark.parametrize(("x", "y"), [(64.0, 28.0), (64.0, 52.0), (180.0, 32.0), (180.0, 48.0)])
def test_what_comes_is_believed_to_lie_before_the_approach_row(x, y):
    [(_, found)] = look(PerfectBoard(), (x, y))
    assert found == pytest.approx(40 - abs(y - 40), abs=NEAR_MM)


def test_a_disc_that_is_struck_leaves_its_place():
    board = PerfectBoard()
    board.locator.refine(board.field([(180.0, 200.0)]), 64)
    for y in (203.0, 209.0, 215.0, 221.0):
        assert look(board, (180.0, y)) == [(pytest.approx(180, abs=NEAR_MM), pytest.approx(y, abs=NEAR_MM))]


def test_a_disc_that_is_lifted_off_is_dropped():
    board = PerfectBoard()
    board.locator.refine(board.field([(180.0, 200.0), (90.0, 330.0)]), 64)
    assert look(board, (90.0, 330.0)) == [(pytest.approx(90, abs=1), pytest.approx(330, abs=1))]


STRANGE_UT = 300  # at one Hall near the disc, as a magnet that leans may leave it
HALL = 86  # at (131, 244)
PLACE = (128.0, 220.0)


def strange_board():
    board = PerfectBoard()
    field = board.field([PLACE])
    field[HALL] += STRANGE_UT
    board.locator.refine(field, 64)
    return board


@pytest.mark.parametrize("news", [False, True])
def test_what_the_verdict_could_not_explain_is_not_chased(news):
    board = strange_board()
    field = board.field([PLACE], LOOK)
    field[HALL] += -STRANGE_UT if news else STRANGE_UT
    board.locator.follow(field, LOOK)
    assert (board.locator.chased[0] > 0) == news


def test_what_a_disc_left_unexplained_goes_with_it():
    board = strange_board()
    places = [(PLACE[0], PLACE[1] + step) for step in range(3, 30, 3)]
    for place in places:
        found = look(board, place)
    assert found == [(pytest.approx(place[0], abs=NEAR_MM), pytest.approx(place[1], abs=NEAR_MM))]
    assert board.locator.bias[HALL] == 0
