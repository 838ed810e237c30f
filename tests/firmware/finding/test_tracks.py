"""Tracks tell shoved discs from addressed and from known ones, also where the sensors hardly see them."""

from types import SimpleNamespace

from hapenny import layout
from hapenny.finding.locate import MAX_DISCS
from hapenny.finding.tracks import FORGET_MS, RUNNING_HMM_S, Tracks, numbers

FRAME_MS = 8


class Seen:
    """Tracks over a locator that finds what a test says, in millimetres."""

    def __init__(self, known=()):
        self.locator = SimpleNamespace(layout=layout, count=0, x_hmm=numbers(), y_hmm=numbers(), se_y_um=numbers(),
                                       fastest=0)  # fmt: skip
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


def test_a_disc_that_runs_back_before_the_row_has_passed_it():
    """The approach row cannot tell sides, and nothing runs back to the shover: it is a mirror image."""
    seen = Seen()
    for y_mm in (34, 30, 25):
        seen.frame((88, y_mm))
    assert seen.locator.y_hmm[0] == 5500
    assert seen.tracks.speed_y[MAX_DISCS] > RUNNING_HMM_S
    seen.end((88, 66))
    assert seen.tracks.was_shoved(seen.tracks.ident[0])


def test_an_addressed_disc_stays_before_the_row():
    """A hand that shifts it a little does not make it run, nor the noise of its place."""
    seen = Seen()
    for y_mm in (6, 7, 5, 6, 7, 5):
        seen.frame((120, y_mm))
        assert seen.locator.y_hmm[0] == y_mm * 100
    assert not seen.tracks.any_shoved()


def test_a_shove_whose_track_was_lost_is_still_one():
    """Seen once before the first row and then only far behind it, running: it came from the front edge."""
    seen = Seen()
    seen.frame((180, 20))
    seen.frame()
    for y_mm in (178, 190, 202, 214):
        seen.frame((180, y_mm))
    assert seen.tracks.any_shoved()


def test_what_a_hand_does_far_from_the_front_edge_is_no_shove():
    seen = Seen()
    for y_mm in (178, 190, 202, 214):
        seen.frame((180, y_mm))
    assert not seen.tracks.any_shoved()


def test_discs_that_meet_keep_their_names():
    """The one that was struck goes on, the one that struck it stays behind."""
    seen = Seen(known=[(100, 200)])
    for y_mm in (164, 166, 168, 170):
        seen.frame((100, 200), (108, y_mm))
    shoved = seen.tracks.ident[1]
    seen.frame((108, 190), (97, 214))
    assert list(seen.tracks.ident[:2]) == [shoved, 0]


def test_numbers_of_tracks_that_came_to_nothing_are_used_again():
    """However long somebody fidgets before a shove, its track has a number left."""
    seen = Seen()
    for n in range(3 * MAX_DISCS):
        seen.frame((100 + n, 20))
        seen.frame()
        seen.now_ms += FORGET_MS
    assert seen.tracks.arrivals < 3
    for y_mm in (10, 22, 34, 46, 58):
        seen.frame((100, y_mm))
    assert seen.tracks.any_shoved()


def test_a_disc_that_runs_is_not_still_however_unsure_its_place():
    seen = Seen()
    seen.frame((295, 11.5))
    seen.tracks.mark()
    seen.frame((295, 18.4))
    seen.locator.se_y_um[0] = 2000
    assert seen.tracks.speed_y[MAX_DISCS] > RUNNING_HMM_S
    assert not seen.tracks.near_marks(60)
