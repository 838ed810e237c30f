"""What the pixels show: marks, shoves left, questions, a win, and never more current than there is."""

import pytest
from hapenny import layout, pegs, scorer
from hapenny.desktop import agree
from hapenny.rules import events
from hapenny.rules.game import Game


class Board:
    """A scorer's game with no board under it."""

    def __init__(self, marks=None):
        self.game = Game()
        self.game.do(agree.start("encyclopedia", (1, 1), marks=marks))
        self.question = scorer.NO_QUESTION
        self.beds = ()

    def doubtful_bed(self):
        return 4

    def empty_beds(self):
        return self.beds


def lit(board, now_ms=0, trouble=False):
    """Numbers of the pixels that are not dark."""
    shown = pegs.Pegs(layout)
    shown.render(board, now_ms, trouble)
    return [k for k in range(layout.PIXELS) if any(shown.pixels[3 * k : 3 * k + 3])], shown


def test_a_match_begins_with_five_status_pixels_of_the_side_in_turn():
    """Five shoves left on the first side's strip, nothing on the second's."""
    assert lit(Board())[0] == [27, 28, 29, 30, 31]


def test_marks_light_pegs_from_bed_1_on_each_sides_own_strip():
    """Two marks in bed 3 of the first side, a full bed 9 of the second."""
    marks = {0: [0, 0, 2, 0, 0, 0, 0, 0, 0], 1: [0, 0, 0, 0, 0, 0, 0, 0, 3]}
    on, shown = lit(Board(marks))
    assert on == [6, 7, 27, 28, 29, 30, 31, 32 + 24, 32 + 25, 32 + 26]
    assert tuple(shown.pixels[3 * 56 : 3 * 56 + 3]) == (pegs.FULL[1], pegs.FULL[0], pegs.FULL[2])  # green first


def test_a_doubt_blinks_both_status_rows_and_the_bed_in_question():
    board = Board()
    board.question = scorer.DECIDE
    assert lit(board, 0)[0] == [9, 10, 11, *range(27, 32), *range(59, 64)]
    assert lit(board, pegs.BLINK_MS)[0] == []


def test_beds_to_which_discs_go_back_blink_on_both_strips():
    board = Board()
    board.beds = [2]
    assert set(lit(board, pegs.BLINK_MS)[0]) >= {3, 4, 5, 35, 36, 37}


def test_a_win_runs_along_the_winners_strip_alone():
    board = Board()
    board.game.do(events.overrule_winner(1))
    on = lit(board, 0)[0]
    assert on and all(k >= layout.STRIP_PIXELS for k in on)
    assert on != lit(board, pegs.CHASE_MS)[0]


@pytest.mark.parametrize("now_ms", [0, 400, 1000])
def test_the_pegs_never_ask_for_more_current_than_the_supply_has(now_ms, monkeypatch):
    """Even with every pixel white."""
    monkeypatch.setattr(pegs, "FULL", (255, 255, 255))
    monkeypatch.setattr(pegs, "WHITE", (255, 255, 255))
    full = [3] * 9
    _, shown = lit(Board({0: full[:-1] + [2], 1: full[:-1] + [2]}), now_ms)
    assert sum(shown.pixels) * pegs.MA_A_STEP // 255 <= layout.PIXELS_MAX_MA
