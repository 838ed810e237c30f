"""A disc that the board will not call: between what it hesitates, and why."""

import pytest
from hapenny.finding.locate import DEGRADED, FOREIGN, POOR, SATURATED
from hapenny_host.match.doubts import mirrored_mm, why
from hapenny_link.conversation import Disc

LINE_4 = 101.6 + 3 * 31.75  # between beds 3 and 4
LEFT = 31.75 + 13.1


@pytest.mark.parametrize(
    ("disc", "said"),
    [
        (Disc(180.0, LINE_4 + 13.12, "doubt", 0.02, 0.05, 0), "bed 4 or line: within 0.1 mm"),
        (Disc(180.0, LINE_4 - 12.92, "doubt", -0.18, 0.09, 0), "bed 3 or line: within 0.2 mm"),
        (Disc(LEFT + 0.3, LINE_4 + 16, "doubt", 0.3, 0.4, 0), "bed 4 or side: within 0.4 mm"),
        (Disc(LEFT - 0.3, LINE_4 + 4, "doubt", -0.3, 0.4, 0), "line or side: within 0.4 mm"),
        (Disc(180.0, 88.6, "doubt", 0.1, 0.4, 0), "line or short: within 0.4 mm"),
        (Disc(180.0, 400.3, "doubt", 0.1, 0.4, 0), "line or over: within 0.4 mm"),
        (Disc(180.0, LINE_4 + 15.0, "doubt", 1.9, 0.1, 0), "bed 4 or line: its sensors do not agree"),
        (Disc(180.0, LINE_4 + 15.0, "doubt", 1.9, 2.0, DEGRADED), "bed 4 or line: sensors near it are out"),
        (
            Disc(180.0, LINE_4 + 15.0, "doubt", 1.9, 0.1, FOREIGN),
            "bed 4 or line: its magnet is not one of this board's",
        ),
        (Disc(180.0, LINE_4 + 15.0, "doubt", 1.9, 0.1, SATURATED), "bed 4 or line: a sensor under it is at its limit"),
    ],
)
def test_both_readings_and_the_reason_are_said(disc, said):
    """Both readings next to the nearest limit; its distance, as far as that is known, or the fault."""
    assert why(disc) == said


@pytest.mark.parametrize(
    ("disc", "beside", "mirror"),
    [  # as a simulated board called them (seed 77 of the accuracy study), two of them where they did not lie
        (Disc(320.85, 120.06, "doubt", 0.28, 2.31, 0), (320.85, 160.0), -5.17),  # it lay 5.19 mm nearer
        (Disc(101.55, 114.59, "doubt", 0.10, 2.52, 0), (101.55, 144.7), 5.76),  # it lay 5.69 mm farther away
        (Disc(240.43, 368.77, "doubt", 0.14, 0.97, 0), (240.43, 343.2), 5.41),
        (Disc(240.43, 368.77, "doubt", 0.14, 0.97, 0), (240.43, 300.0), 0),  # nothing beside it
        (Disc(240.43, 368.77, "doubt", 0.14, 0.17, 0), (240.43, 343.2), 0),  # and sure of its side
        (Disc(124.26, 120.56, "doubt", 0.06, 0.43, POOR), (124.26, 145.0), 0),  # something else is wrong there
        (Disc(322.26, 326.34, "doubt", 1.19, 0.63, 0), (322.26, 351.0), 0),  # no row near it
    ],
)
def test_a_mirror_image_is_said(disc, beside, mirror):
    """Where the disc may lie beyond the row of Halls beside another disc: how far from where it is drawn."""
    discs = [disc, Disc(*beside, "1", 2.0, 0.05, 0)]
    assert mirrored_mm(disc, discs) == pytest.approx(mirror, abs=0.02)
    words = f"or it lies {abs(mirror):.0f} mm {'farther away' if mirror > 0 else 'nearer'}"
    assert (words in why(disc, discs)) == bool(mirror)
