"""What is gathered of a calibration can be kept, and faulty Halls stay out of it."""

from pathlib import Path

import numpy as np
import pytest
from hapenny import layout
from hapenny_link.calibration.measurements import Measurements, Reading
from hapenny_link.calibration.sweeps import sweeps


def test_a_bare_reading_of_another_layout_teaches_nothing():
    """One sentence with both numbers, and nothing is kept of it."""
    gathered = Measurements(layout)
    with pytest.raises(ValueError, match="has 124 Halls and 60 segments"):
        gathered.add_bare(Reading(np.zeros(124, np.int32), np.zeros(60, np.int32), np.zeros(60, np.int32), 64))
    assert not gathered.recorded


def test_a_hall_that_is_not_whole_teaches_nothing():
    """Dead at the tare: it is in no frame, and its calibration stays as it was."""
    gathered = Measurements(layout)
    bare = np.full(layout.HALLS, 2048 * 16), np.full(layout.LIGHTS, 380 * 16), np.full(layout.LIGHTS, 230 * 16)
    bare[0][5] = 0
    gathered.add_bare(Reading(*bare, 64))
    halls = bare[0].copy()
    halls[4:7] += np.array([3000, 9000, 3200])
    assert (
        gathered.add_sweep(gathered.hall_fit.lay_straightedge(), next(sweeps(layout)), Reading(halls, *bare[1:], 16))
        is not None
    )
    assert 5 not in gathered.hall_fit.frames[0].near and 4 in gathered.hall_fit.frames[0].near


def test_what_was_taught_can_be_kept_and_taught_again(tmp_path: Path):
    """Readings saved and loaded give the same frames to learn from."""
    gathered = Measurements(layout)
    bare = np.full(layout.HALLS, 2048 * 16), np.full(layout.LIGHTS, 380 * 16), np.full(layout.LIGHTS, 230 * 16)
    gathered.add_bare(Reading(*bare, 64))
    halls = bare[0].copy()
    halls[4:7] += np.array([3000, 9000, 3200])
    sweep = next(sweeps(layout))
    assert gathered.add_sweep(gathered.hall_fit.lay_straightedge(), sweep, Reading(halls, *bare[1:], 16)) is not None
    gathered.save(tmp_path / "kept.npz")
    again = Measurements(layout)
    again.load(tmp_path / "kept.npz")
    assert again.hall_fit.straightedges == 1 and len(again.hall_fit.frames) == 1
    assert np.allclose(again.hall_fit.frames[0].discs, gathered.hall_fit.frames[0].discs)
    assert list(again.nominal.scales) == list(gathered.nominal.scales)
