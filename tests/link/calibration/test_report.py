"""A board's report says in words how it is calibrated."""

from hapenny_link.calibration.report import calibration_sentence


def test_what_the_board_knows_is_said_in_words():
    """Level, day and the error of places; how good that is, and what would make it better."""
    assert calibration_sentence(0, 0, 15).startswith("not calibrated") and "hapenny calibrate" in calibration_sentence(
        0, 0, 15
    )
    assert calibration_sentence(1, 9830, 7) == (
        "swept on 30 November 2026: every sensor's place is known to 0.07 mm, which is as good as it gets"
    )
    assert calibration_sentence(2, 0, 11).startswith("refined by its maker") and "good" in calibration_sentence(
        2, 0, 11
    )
    assert "poor" in calibration_sentence(1, 9830, 20)
