"""The bench of the physics: what it measures and how it tells it."""

import time
from itertools import cycle

import numpy as np
import pytest
from hapenny_sim.bench import physics
from hapenny_sim.bench.physics import report, times


def test_threads_are_compared_pair_by_pair(monkeypatch):
    """The median of pairs: one thread over what only one can do and half the rest of two; by the clock as it is."""
    alone, both = [2.0, 1.9, 2.5], [2.2, 0.2, 1.25]
    runs = cycle([alone, both, alone, both, [9.0, 9.0, 9.0], [9.0, 0.1, 9.0]])
    monkeypatch.setattr(physics, "times", lambda go: np.array(next(runs)))
    ratios = physics.threads_ratios(np.zeros((1, 5, 5)))
    assert ratios == {"threads2_ratio": pytest.approx(2.0 / (0.2 + 1.0)), "threads2_clock": pytest.approx(2.0)}


def test_times_tell_working_from_waiting():
    """Waiting takes time by the clock only."""
    worked, alone, clock = times(lambda: time.sleep(0.05))
    assert clock >= 0.05
    assert worked < 0.04
    assert alone <= worked + 1e-3


def test_report_tells_every_figure():
    """A line for each figure, the peers that are missing included."""
    found = {
        "shoves_per_s_core": 1.5e6, "general_per_s": 123456.0, "threads2_ratio": 1.93, "threads2_clock": 1.5,
        "load": 4.0,
        "stop_error_mm": 1.4e-7, "general_stop_error_mm": 6e-4, "general_error_mm": 2e-3, "event_cap_hits": 0,
        "cap_shoves": 1000,
        "fuzz": {"starts": 1000, "seed": 7, "refused": 9, "not_refused": 1, "given_up": 2, "not_finite": 3,
                 "worst_overlap_mm": 5e-7},
        "peers": {"pymunk": {"missing": "no pymunk"}, "pooltool": {"version": "0.6.0", "shoves_per_s_core": 800.0,
                                                                    "median_apart_mm": 3.0, "times_slower": 1875.0}},
    }  # fmt: skip
    text = report(found)
    for part in ("1,500,000", "123,456", "1.93", "1.50", "load 4.0", "1.4e-07", "6.0e-04", "2.0e-03", "1,000 starts",
                 "seed 7", "2 given up", "3 not finite", "9 of 10", "no pymunk", "1,875 times"):  # fmt: skip
        assert part in text, part
