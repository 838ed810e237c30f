"""What the study of calls counts: each disc by the verdict that the board gives, its place only where it was found."""

import numpy as np
from hapenny.rules import geometry
from hapenny_sim.studies import calls
from hapenny_sim.studies.accuracy import Settings, layout_of, off_limit_mm


def row(truth, verdict, y_error=0.0, best=None):
    one = np.zeros(len(calls.COLUMNS))
    one[:3] = truth, verdict, verdict
    one[4], one[10], one[14], one[15] = y_error, 99, 5.0, truth if best is None else best
    return one


def test_a_misplaced_disc_counts_by_its_verdict_and_not_by_its_place():
    """12 mm off: called right it is no question, called wrong it is a wrong call; errors of place leave it out."""
    rows = np.array([row(3, 3, 0.1), row(geometry.LINE, geometry.LINE, 12.0), row(4, geometry.LINE, 12.0)])
    figures = calls.summary(rows, rows[1:2], Settings(discs=3), 1)
    assert (figures["wrong"], figures["doubt_rate"], figures["lost"]) == (1, 0.0, 0)
    assert (figures["misplaced"]["discs"], figures["misplaced"]["wrong"]) == (2, 1)
    assert figures["rms_y_mm"] == 0.1


def test_a_disc_not_found_is_asked_and_one_that_is_not_there_is_wrong():
    """The board counts shoves: a disc too few is a question; a bed for nothing is a wrong call."""
    rows = np.array([row(3, calls.LOST), row(5, 5), row(calls.NONE_THERE, 2)])
    figures = calls.summary(rows, rows[1:2], Settings(discs=2), 1)
    assert (figures["lost"], figures["doubt_rate"], figures["ghosts"], figures["wrong"]) == (1, 0.5, 1, 1)
    assert "not found: 1" in calls.report(figures)


def test_how_far_a_disc_is_from_touching_a_line():
    """From the middle of bed 1 as far as the slack; on a line as far as the disc overlaps it; none past the beds."""
    layout = layout_of("standard")
    first, pitch = layout.FIRST_LINE_HMM / 100, layout.LINE_PITCH_HMM / 100
    clear = 12.7 + layout.LINE_WIDTH_HMM / 200
    assert np.isclose(off_limit_mm(first + pitch / 2, 12.7, layout), pitch / 2 - clear)
    assert np.isclose(off_limit_mm(first + pitch + clear + 0.3, 12.7, layout), 0.3)
    assert np.isclose(off_limit_mm(first + pitch - clear + 0.3, 12.7, layout), 0.3)
    assert np.isclose(off_limit_mm(first + pitch, 12.7, layout), clear)
    assert off_limit_mm(first + layout.BEDS * pitch + clear, 12.7, layout) == 99
