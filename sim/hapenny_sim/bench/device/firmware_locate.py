"""Runs on a board, or in the Unix port: times the estimator over frames that were made before, kernel by kernel."""

import gc
from array import array
from time import ticks_diff, ticks_us

import firmware_frames as frames
from firmware_clock import Watch, mean_us, step, tell, timed
from hapenny import layout
from hapenny.sensing.calibration import Calibration
from hapenny.finding.judge import Judge
from hapenny.kernels.pick import kernels
from hapenny.finding.locate import Locator

PASSES = 64
PAIRS = 16
QUICK = 2
STEP_HMM = 900  # of the disc that moves ...
MOVING_Y_HMM = 18000  # ... from here


class Bench:
    """A calibrated board with five discs on it; `near` is the same with one of them 9 mm further."""

    def __init__(self):
        self.calibration = Calibration(layout)
        self.calibration.decode(frames.CALIBRATION)
        self.calibration.tare(array("i", frames.BARE), PASSES)
        self.lit, self.dark = array("i", frames.LIT), array("i", frames.DARK)
        self.calibration.tare_light(array("i", frames.BARE_LIT), array("i", frames.BARE_DARK), PAIRS)
        self.still = self.field(frames.HALLS, PASSES)
        self.quick = (self.field(frames.QUICK, QUICK), self.field(frames.NEAR, QUICK))
        self.locator = Locator(layout, self.calibration)
        self.judge = Judge(layout, self.calibration)

    def field(self, sums, passes):
        out = array("h", bytes(2 * layout.HALLS))
        self.calibration.field(array("i", sums), passes, out)
        return out

    def places(self):
        locator = self.locator
        return [[locator.x_hmm[i], locator.y_hmm[i]] for i in range(locator.count)]

    def follow(self):
        """Two looks: a disc is 9 mm further, and back; its track had said so."""
        for way in (1, 0):
            self.locator.y_hmm[self.moving] += STEP_HMM if way else -STEP_HMM
            self.locator.follow(self.quick[way], QUICK)

    def arrive(self):
        """A look in which a disc is there that was not known."""
        self.locator.count -= 1
        self.locator.follow(self.quick[0], QUICK)

    def known(self):
        """All five, as after a verdict."""
        self.locator.find(self.still, PASSES)
        self.locator.refine(self.still, PASSES)
        places = [self.locator.y_hmm[i] for i in range(self.locator.count)]
        self.moving = min(range(len(places)), key=lambda i: abs(places[i] - MOVING_Y_HMM))

    def times(self, found):
        locator = self.locator
        step("find")
        begun = ticks_us()
        locator.find(self.still, PASSES)
        found["find5_us"] = ticks_diff(ticks_us(), begun)
        step("refine")
        found["locate5_us"], found["locate_alloc"] = timed(locator.refine, self.still, PASSES)
        found["places"] = self.places()
        self.known()
        step("follow")
        took, found["follow_alloc"] = timed(self.follow)
        found["follow5_us"] = took // 2
        begun = ticks_us()
        self.arrive()
        found["arrive5_us"] = ticks_diff(ticks_us(), begun)
        locator.refine(self.still, PASSES)
        step("judge")
        found["judge5_us"], found["judge_alloc"] = timed(self.judge.judge, locator, self.lit, self.dark, PAIRS)
        found["hand_us"] = mean_us(self.judge.hand, 1, locator, self.lit, self.dark, PAIRS)
        found["field_us"] = mean_us(self.calibration.field, 2, array("i", frames.HALLS), PASSES, self.still)

    def kernels(self, found):
        """Which kernels refine and follow spend their time in."""
        watch = Watch(kernels)
        self.locator = Locator(layout, self.calibration, watch.kernels)
        step("kernels")
        self.known()
        watch.clear()
        self.locator.refine(self.still, PASSES)
        found["refine_kernels"] = watch.table()
        watch.clear()
        self.follow()
        found["follow_kernels"] = watch.table()
        watch.clear()
        self.arrive()
        found["arrive_kernels"] = watch.table()


def run(moving=False):
    found = {}
    bench = Bench()
    bench.times(found)
    gc.collect()
    bench.kernels(found)
    tell(found)
