"""What the tracker makes of a shove whose discs lost their names on the way."""

from types import SimpleNamespace

from hapenny import layout
from hapenny.finding.tracker import Tracker
from hapenny.finding.tracks import FORGET_MS, NOBODY, numbers
from hapenny.sensing.calibration import Calibration

LOOK_MS = 20


class Seen:
    """A tracker over a locator that finds what a test says, in millimetres; `lying` is its picture."""

    def __init__(self, *lying):
        columns = {name: numbers() for name in ("x_hmm", "y_hmm", "se_y_um", "flags")}
        self.locator = SimpleNamespace(layout=layout, count=0, fastest=0, **columns)
        scan = SimpleNamespace(calibration=Calibration(layout), field=numbers())
        self.tracker = Tracker(scan, self.locator, SimpleNamespace(y_hmm=self.locator.y_hmm))
        self.now_ms = 1000
        self.lay(lying)
        self.tracker.count = len(lying)
        self.tracker.x[: len(lying)] = self.locator.x_hmm[: len(lying)]
        self.tracker.y[: len(lying)] = self.locator.y_hmm[: len(lying)]
        self.tracker.wake(self.now_ms)

    def lay(self, places):
        self.locator.count = len(places)
        for i, (x_mm, y_mm) in enumerate(places):
            self.locator.x_hmm[i], self.locator.y_hmm[i] = round(x_mm * 100), round(y_mm * 100)

    def look(self, *places):
        self.now_ms += LOOK_MS
        self.lay(places)
        self.tracker.tracks.follow(self.now_ms)

    def rest(self, *places):
        """At rest after a while in which nothing was seen that helps."""
        self.now_ms += FORGET_MS + LOOK_MS
        self.lay(places)
        self.tracker.tracks.end(self.now_ms)
        self.tracker.compare()
        return self.tracker


def come(seen, *still):
    """A disc is pushed over the front edge, lost, seen again further on, and runs at half a metre a second."""
    for y_mm in (10, 11, 12):
        seen.look(*still, (100, y_mm))
    seen.look(*still)
    seen.now_ms += FORGET_MS
    for y_mm in range(160, 240, 10):
        seen.look(*still, (100, y_mm))


def test_what_came_from_the_front_and_ran_was_shoved_though_its_first_track_has_a_new_use():
    seen = Seen((250, 300))
    come(seen, (250, 300))
    tracker = seen.rest((250, 300), (130, 310))
    assert (tracker.shoved, list(tracker.prior[:2])) == (1, [0, NOBODY])


def test_a_disc_that_lies_where_it_struck_one_off_is_the_one_that_was_shoved():
    """It has taken the name of the other, which has left unseen: as many lie as before, and one elsewhere."""
    seen = Seen((250, 300), (100, 270))
    come(seen, (250, 300), (100, 270))
    seen.look((250, 300), (104, 282))
    tracker = seen.rest((250, 300), (112, 274))
    assert tracker.shoved == 1
    assert list(tracker.prior[:2]) == [0, NOBODY]
