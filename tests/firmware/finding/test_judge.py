"""The judge on discs at known places, with light computed from the same areas that a disc covers."""

import math
from types import SimpleNamespace

import pytest
from hapenny import layout
from hapenny.desktop.kernels.light import cover
from hapenny.finding.judge import FULL_4HMM2, RISK, Judge
from hapenny.finding.locate import DEGRADED, POOR, STACKED
from hapenny.rules import geometry
from hapenny.sensing.calibration import Calibration
from hypothesis import given, settings
from hypothesis import strategies as st

LINE_5 = layout.FIRST_LINE_HMM + 4 * layout.LINE_PITCH_HMM
CLEAR = geometry.CLEAR_HMM
MIDDLE = layout.LIGHT_X0_HMM + 2 * layout.SEGMENT_HMM + layout.SEGMENT_HMM // 2  # of a segment
PAIRS = 16


class Scene:
    """Discs (x, y, standard errors in um) as a locator would report them, and the light that they leave."""

    def __init__(self, *discs, se_x=200, se_y=150, close=False, alone=True):
        self.calibration = Calibration(layout)
        self.calibration.light_noise_hmm2 = 720
        self.calibration.light_error_q10 = 70
        self.judge = Judge(layout, self.calibration)
        n = len(discs)
        self.locator = SimpleNamespace(
            count=n, x_hmm=[d[0] for d in discs], y_hmm=[d[1] for d in discs], se_x_um=[se_x] * n, se_y_um=[se_y] * n,
            chi2=[64] * n, flags=[0] * n, close=lambda _: close,
            alone=lambda _: alone, twin_q12=[0] * n, twin_y=[d[1] for d in discs],
            widened=lambda one, more: math.isqrt(one * one + more * more))  # fmt: skip
        self.lit = [PAIRS * 380] * layout.LIGHTS
        self.dark = [PAIRS * 230] * layout.LIGHTS

    def light(self, segment, areas_4hmm2):
        """Segment shows that so much of it is covered."""
        self.lit[segment] += int(areas_4hmm2 * 2400 * PAIRS / FULL_4HMM2)
        return self

    def look(self, light=True):
        """Verdicts of all discs."""
        self.judge.judge(self.locator, self.lit if light else None, self.dark, PAIRS)
        return list(self.judge.verdict[: self.locator.count])


def area(inside_hmm: int) -> int:
    """What a disc covers of a groove into which it reaches."""
    curves = Scene().judge.curves
    return cover(curves, inside_hmm, 12)


def segment(line: int, n: int = 2) -> int:
    return line * layout.LIGHTS_PER_LINE + n


@pytest.mark.parametrize(("x", "y", "verdict"), [
    (MIDDLE, LINE_5 + layout.LINE_PITCH_HMM // 2, 5), (MIDDLE, LINE_5, geometry.LINE),
    (MIDDLE, LINE_5 - layout.LINE_PITCH_HMM // 2, 4), (MIDDLE, geometry.SHORT_HMM - 300, geometry.SHORT),
    (MIDDLE, geometry.OVER_HMM + 300, geometry.OVER), (geometry.LEFT_HMM - 300, LINE_5 + 1500, geometry.WIDE),
    (geometry.RIGHT_HMM + 300, LINE_5 + 1500, geometry.WIDE), (geometry.LEFT_HMM + 300, LINE_5 + 1500, 5),
    (geometry.LEFT_HMM - 300, LINE_5, geometry.WIDE), (geometry.LEFT_HMM - 300, geometry.OVER_HMM + 300, geometry.OVER),
])  # fmt: skip
def test_far_from_every_limit_the_verdict_is_that_of_the_rules(x, y, verdict):
    """Halls alone, three millimetres from any limit."""
    scene = Scene((x, y))
    assert scene.look(light=False) == [verdict] == [geometry.verdict(x, y)]
    assert scene.judge.risk_q12[0] == 0


@pytest.mark.parametrize("side", [1, -1])
def test_at_a_limit_the_halls_alone_are_in_doubt_and_the_light_decides(side):
    """The Halls say 0.05 mm clear: dark groove, a bed; 0.2 mm of it covered, a line; in between, a doubt."""
    y = LINE_5 + side * (CLEAR + 5)
    bed = 5 if side > 0 else 4
    assert Scene((MIDDLE, y)).look(light=False) == [geometry.DOUBTED]
    assert Scene((MIDDLE, y + side * 25)).look() == [bed]
    assert Scene((MIDDLE, y)).light(segment(4), area(20)).look() == [geometry.LINE]
    assert Scene((MIDDLE, y)).light(segment(4), area(2)).look() == [geometry.DOUBTED]


def test_light_moves_the_place_and_its_standard_error():
    """A disc that covers what 0.3 mm cover lies 0.3 mm inside, to a tenth of a millimetre, whatever the Halls say."""
    scene = Scene((MIDDLE, LINE_5 + CLEAR - 10)).light(segment(4), area(30))
    assert scene.look() == [geometry.LINE]
    assert abs(scene.judge.y_hmm[0] - (LINE_5 + CLEAR - 30)) <= 4
    assert abs(scene.judge.margin_hmm[0] + 30) <= 4
    assert scene.judge.se_um[0] < 60


def test_light_that_contradicts_the_halls_is_a_doubt():
    """A disc 1 mm inside the groove that covers nothing of it."""
    assert Scene((MIDDLE, LINE_5 + CLEAR - 100)).look() == [geometry.DOUBTED]


@pytest.mark.parametrize("out", ["usable", "full"])
def test_a_segment_that_cannot_be_believed_decides_nothing(out):
    """Left out by health, or never bright: the Halls decide alone."""
    scene = Scene((MIDDLE, LINE_5 + CLEAR + 20)).light(segment(4), area(30))
    getattr(scene.calibration, out)[segment(4)] = 0
    assert scene.look() == [geometry.DOUBTED]
    scene.locator.y_hmm[0] += 40
    assert scene.look() == [5]


def test_a_disc_over_two_segments_is_seen_by_both():
    """Half of what it covers in each."""
    x = layout.LIGHT_X0_HMM + 3 * layout.SEGMENT_HMM
    scene = Scene((x, LINE_5 + CLEAR - 10)).light(segment(4, 2), area(30) / 2).light(segment(4, 3), area(30) / 2)
    assert scene.look() == [geometry.LINE]
    assert abs(scene.judge.margin_hmm[0] + 30) <= 5


def test_another_disc_in_the_same_light_is_taken_out_with_its_doubt():
    """Its light is not taken for ours; and a light that is mostly its own says little of a hair's breadth."""
    ours, other = (MIDDLE - 900, LINE_5 + CLEAR + 50), (MIDDLE + 1200, LINE_5 - 600)
    alone, both = Scene(ours), Scene(ours, other).light(segment(4), area(CLEAR - 600))
    assert alone.look() == [5]
    assert both.look() == [5, geometry.LINE]
    for scene in (alone, both):
        scene.locator.y_hmm[0] = scene.locator.twin_y[0] = LINE_5 + CLEAR + 30
    alone.look(), both.look()
    assert both.judge.risk_q12[0] > 2 * alone.judge.risk_q12[0]


@pytest.mark.parametrize(("inside", "x", "se_x", "theirs", "more"), [
    (1000, MIDDLE + 1200, 200, area(1000), area(1000) // 20),  # it reflects more than most
    (-10, MIDDLE + 1200, 200, 0, area(25)),  # it may lie a little over the same line
    (410, MIDDLE + 2540 + 700, 1000, area(410) // 8, area(25)),  # it may reach further into this segment
    (1000, MIDDLE + 2540 + 1300, 500, 0, area(25)),  # it seems to end just before it
])  # fmt: skip
def test_light_that_may_be_another_discs_makes_no_line(inside, x, se_x, theirs, more):
    """What would make ours alone a line is a doubt."""
    ours = (MIDDLE - 900, LINE_5 + CLEAR + 10)
    assert Scene(ours, se_x=se_x).light(segment(4), more).look() == [geometry.LINE]
    both = Scene(ours, (x, LINE_5 + CLEAR - inside), se_x=se_x).light(segment(4), theirs + more)
    assert both.look()[0] == geometry.DOUBTED


def test_two_segments_are_twice_as_noisy():
    """A dark groove tells less of a disc that lies over both."""
    one, two = (Scene((x, LINE_5 + CLEAR + 15)) for x in (MIDDLE, layout.LIGHT_X0_HMM + 3 * layout.SEGMENT_HMM))
    one.look(), two.look()
    assert two.judge.risk_q12[0] > one.judge.risk_q12[0]


def test_both_lines_of_a_bed_are_asked_where_the_place_is_that_uncertain():
    """In the middle of its bed to the Halls within 1.5 mm, but the far line's segment is covered a little."""
    y = LINE_5 + layout.LINE_PITCH_HMM // 2 - 2
    assert Scene((MIDDLE, y), se_y=1500).look() == [5]
    assert Scene((MIDDLE, y), se_y=1500).light(segment(5), area(25)).look() != [5]


@pytest.mark.parametrize(("over", "asked"), [(-60, False), (10, True)])
def test_a_disc_that_may_be_its_mirror_image_is_judged_at_both_places(over, asked):
    """Surely in bed 5 where it was found; 1 in 8 that it lies as far beyond its row, over the other line or not."""
    row = LINE_5 + layout.LINE_PITCH_HMM // 2
    scene = Scene((MIDDLE, row - 250))
    assert scene.look() == [5]
    scene.locator.twin_q12[0], scene.locator.twin_y[0] = 512, LINE_5 + layout.LINE_PITCH_HMM - CLEAR + over
    scene.light(segment(5), area(over))
    assert scene.look() == [geometry.DOUBTED if asked else 5]
    apart = scene.locator.twin_y[0] - row + 250
    assert scene.judge.se_um[0] == pytest.approx(10 * apart * (1 / 8 * 7 / 8) ** 0.5, rel=0.02)


def test_light_on_the_other_line_that_no_disc_explains_is_a_doubt():
    """However sure the Halls are that the disc lies on this side of its row."""
    row = LINE_5 + layout.LINE_PITCH_HMM // 2
    scene = Scene((MIDDLE, row - 250))
    scene.locator.twin_y[0] = row + 250
    assert scene.look() == [5]
    assert scene.light(segment(5), area(30)).look() == [geometry.DOUBTED]


def test_a_neighbour_that_may_be_its_mirror_image_hides_what_the_light_says():
    """Where it was found it covers nothing of our line; beyond its row it would, and ours would not."""
    ours, other = (MIDDLE - 900, LINE_5 + CLEAR + 10), (MIDDLE + 1200, LINE_5 - CLEAR - 400)
    scene = Scene(ours, other).light(segment(4), area(25))
    assert scene.look()[0] == geometry.LINE
    scene.locator.twin_q12[1], scene.locator.twin_y[1] = 512, LINE_5 - CLEAR + 400
    assert scene.look()[0] == geometry.DOUBTED


def test_side_lines_are_doubted_by_how_sure_x_is():
    """0.3 mm from the limit: a doubt at a standard error of 0.2 mm, none at 0.1 unless another disc is close."""
    place = (geometry.LEFT_HMM + 30, LINE_5 + layout.LINE_PITCH_HMM // 2)
    assert Scene(place, se_x=200).look() == [geometry.DOUBTED]
    sure = Scene(place, se_x=100)
    assert sure.look() == [5]
    assert (sure.judge.margin_hmm[0], sure.judge.se_um[0]) == (30, 100)
    assert Scene(place, se_x=100, close=True).look() == [geometry.DOUBTED]


def test_past_the_outer_halls_a_disc_on_a_line_near_another_may_be_wide_or_not():
    """8 mm over the side line it may be its mirror image: neither reading scores. Alone, and in a bed, it is wide."""
    x = geometry.LEFT_HMM - 800
    other = Scene((x, LINE_5), alone=False)
    assert other.look(light=False) == [geometry.DOUBTED] and other.judge.best[0] >= geometry.LINE
    assert Scene((x, LINE_5)).look(light=False) == [geometry.WIDE]
    assert Scene((x, LINE_5 + 1500), alone=False).look(light=False) == [geometry.WIDE]
    assert Scene((geometry.LEFT_HMM - 400, LINE_5), alone=False).look(light=False) == [geometry.WIDE]


def test_what_is_odd_is_a_doubt_and_what_rides_is_stacked():
    """A bad fit beside another disc, a worse one anywhere, Halls left out, a disc on another."""
    place = (MIDDLE, LINE_5 + layout.LINE_PITCH_HMM // 2)
    for chi2, flags, close, verdict in ((64 * 5, 0, False, 5), (64 * 5, 0, True, geometry.DOUBTED),
                                        (64 * 9, POOR, False, geometry.DOUBTED),
                                        (64, DEGRADED, False, geometry.DOUBTED),
                                        (64, STACKED, False, geometry.STACKED)):  # fmt: skip
        scene = Scene(place, close=close)
        scene.locator.chi2[0], scene.locator.flags[0] = chi2, flags
        assert scene.look() == [verdict]
        assert scene.judge.reading[0] in (5, geometry.STACKED)


def test_a_hand_and_a_plain_coin_are_seen_away_from_discs_only():
    """Ambient light lost on two segments; a segment covered where no disc lies."""
    scene = Scene((MIDDLE, LINE_5))
    scene.dark[segment(4)] = scene.dark[segment(8)] = PAIRS * 60
    assert not scene.judge.hand(scene.locator, scene.lit, scene.dark, PAIRS)
    scene.dark[segment(9)] = PAIRS * 60
    assert scene.judge.hand(scene.locator, scene.lit, scene.dark, PAIRS)
    scene = Scene((MIDDLE, LINE_5)).light(segment(4), area(800)).light(segment(7), area(800))
    assert scene.judge.plain(scene.locator, scene.lit, scene.dark, PAIRS) == 1


@given(st.lists(st.tuples(st.integers(-3000, 40000), st.integers(-1000, 64000)), min_size=1, max_size=5),
       st.integers(0, 500000), st.integers(0, 500000), st.integers(0, 4095 * PAIRS), st.integers(0, 65535))  # fmt: skip
@settings(max_examples=200, deadline=None)
def test_anything_gets_a_verdict(discs, se_x, se_y, bright, full):
    """Discs anywhere, however uncertain, segments however bright: a verdict of the rules, a chance within 0 and 1."""
    scene = Scene(*discs, se_x=se_x, se_y=se_y)
    scene.lit = [bright] * layout.LIGHTS
    for s in range(layout.LIGHTS):
        scene.calibration.full[s] = full
    for i, verdict in enumerate(scene.look()):
        assert 1 <= verdict <= geometry.DOUBTED
        assert 0 <= scene.judge.risk_q12[i] <= 4096
        assert (verdict == geometry.DOUBTED) == (scene.judge.risk_q12[i] > RISK)
        assert scene.judge.se_um[i] >= 0


@pytest.mark.parametrize(("x", "y", "best"), [
    (geometry.LEFT_HMM - 5, LINE_5 + 1500, 5), (geometry.LEFT_HMM - 5, LINE_5, geometry.WIDE),
    (geometry.LEFT_HMM + 5, LINE_5, geometry.LINE), (MIDDLE, geometry.OVER_HMM - 5, geometry.LINE),
    (MIDDLE, geometry.OVER_HMM + 5, geometry.OVER), (geometry.RIGHT_HMM + 300, LINE_5 + 1500, geometry.WIDE),
    (MIDDLE, geometry.SHORT_HMM + 5, geometry.SHORT), (MIDDLE, LINE_5 + CLEAR - 5, 5), (MIDDLE, LINE_5 - CLEAR - 5, 4),
    (geometry.LEFT_HMM - 5, LINE_5 + CLEAR - 10, 5),
])  # fmt: skip
def test_in_doubt_a_bed_comes_first_and_short_before_the_line(x, y, best):
    """Else it is what it likely is."""
    scene = Scene((x, y))
    scene.look(light=False)
    assert (scene.judge.verdict[0] == geometry.DOUBTED) == (x <= geometry.RIGHT_HMM)
    assert scene.judge.best[0] == best
