"""Tracks tell shoved discs from addressed and from known ones, also where the sensors hardly see them."""

from types import SimpleNamespace

from hapenny import layout
from hapenny.locate import MAX_DISCS
from hapenny.tracks import FORGET_MS, RUNNING_HMM_S, Tracks, numbers

FRAME_MS = 8


class Seen:
    """Tracks over a locator that finds what a test says, in millimetres."""

    def __init__(self, known=()):
        self.locator = SimpleNamespace(layout=layout, count=0, x_hmm=numbers(), y_hmm=numbers(), se_y_um=numbers())
        self.tracks = Tracks(self.locator)
        self.now_ms = 1000
        x, y = numbers(), numbers()
        for k, (x_mm, y_mm) in enumerate(known):
            x[k], y[k] = round(x_mm * 100), round(y_mm * 100)
        self.tracks.begin(len(known), x, y, self.now_ms)

    def lay(self, places):
        self.now_ms += FRAME_MS
        self.locator.count = len(places)
        for i, (x_mm, y_mm) in enumerate(places):
            self.locator.x_hmm[i], self.locator.y_hmm[i] = round(x_mm * 100), round(y_mm * 100)

    def frame(self, *places):
        self.lay(places)
        self.tracks.follow(self.now_ms)

    def end(self, *places):
        self.lay(places)
        self.tracks.end(self.now_ms)


def test_a_disc_from_the_front_that_is_lost_before_the_first_row_is_waited_for():
    """Between the approach row and the first bed's Halls a slow disc is out of sight: that is no rest."""
    seen = Seen()
    seen.frame((160, 28.7))
    seen.frame((160, 30.3))
    seen.frame()
    assert seen.tracks.expected(seen.now_ms)
    seen.now_ms += FORGET_MS + 1
    assert not seen.tracks.expected(seen.now_ms)


def test_a_disc_first_seen_at_rest_in_the_gap_was_shoved():
    """It came unseen, and not from anywhere but the front edge."""
    seen = Seen(known=[(287, 118)])
    seen.end((287, 118), (106, 78))
    assert seen.tracks.ident[0] == 0
    assert seen.tracks.was_shoved(seen.tracks.ident[1])


def test_a_disc_far_from_the_approach_row_has_no_mirror_image():
    """First seen past the row it seems to run to the front edge, but there is no place beyond that."""
    seen = Seen()
    for y_mm in (26, 19, 12, 5, -2):
        seen.frame((88, y_mm))
    for y_mm in (90, 97, 104):
        seen.frame((88, y_mm))
        assert seen.locator.y_hmm[0] == y_mm * 100
    seen.end((88, 105))
    assert seen.tracks.y_of(0) == 10500
    assert seen.tracks.was_shoved(seen.tracks.ident[0])


def test_an_addressed_disc_stays_before_the_row():
    seen = Seen()
    for _ in range(3):
        seen.frame((120, 6))
    seen.end((120, 7))
    assert seen.tracks.y_of(0) == 700


def test_a_disc_that_runs_is_not_still_however_unsure_its_place():
    seen = Seen()
    seen.frame((295, 11.5))
    seen.tracks.mark()
    seen.frame((295, 18.4))
    seen.locator.se_y_um[0] = 2000
    assert seen.tracks.speed_y[MAX_DISCS] > RUNNING_HMM_S
    assert not seen.tracks.near_marks(60)
