"""A disc that the board will not call: between what it hesitates, and why."""

import pytest
from hapenny.locate import DEGRADED, FOREIGN, SATURATED
from hapenny_host.doubts import why
from hapenny_link.conversation import Disc

LINE_4 = 101.6 + 3 * 31.75  # between beds 3 and 4
LEFT = 31.75 + 13.1


@pytest.mark.parametrize(
    ("disc", "said"),
    [
        (Disc(180.0, LINE_4 + 13.12, "doubt", 0.02, 0.05, 0), "bed 4 or line: within 0.1 mm"),
        (Disc(180.0, LINE_4 - 12.92, "doubt", -0.18, 0.09, 0), "bed 3 or line: within 0.2 mm"),
        (Disc(LEFT + 0.3, LINE_4 + 16, "doubt", 0.3, 0.4, 0), "bed 4 or side: within 0.3 mm"),
        (Disc(LEFT - 0.3, LINE_4 + 4, "doubt", -0.3, 0.4, 0), "line or side: within 0.3 mm"),
        (Disc(180.0, 88.6, "doubt", 0.1, 0.4, 0), "line or short: within 0.1 mm"),
        (Disc(180.0, 400.3, "doubt", 0.1, 0.4, 0), "line or over: within 0.1 mm"),
        (Disc(180.0, LINE_4 + 15.0, "doubt", 1.9, 0.1, 0), "bed 4 or line: its sensors do not agree"),
        (Disc(180.0, LINE_4 + 15.0, "doubt", 1.9, 2.0, DEGRADED), "bed 4 or line: sensors near it are out"),
        (Disc(180.0, LINE_4 + 15.0, "doubt", 1.9, 0.1, FOREIGN), "bed 4 or line: its magnet is none of this board's"),
        (Disc(180.0, LINE_4 + 15.0, "doubt", 1.9, 0.1, SATURATED), "bed 4 or line: a sensor under it is at its limit"),
    ],
)
def test_both_readings_and_the_reason_are_said(disc, said):
    """The reading where it seems to lie and the one beyond the nearest limit; its distance, or what is wrong there."""
    assert why(disc) == said
