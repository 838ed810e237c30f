"""Another engine, stepped ever finer, converges on ours where it can: no spin, smooth rims, nothing coupled."""

from dataclasses import replace

import numpy as np
import pytest
from hapenny_sim.bench import peers
from hapenny_sim.bench.physics import PLAIN, five_shove_turns
from hapenny_sim.physics.batch import play

pytest.importorskip("pymunk", reason="pymunk is not installed (extra `peers`)")


def test_fine_step_pymunk_converges_on_the_decoupled_limit(monkeypatch):
    """With steps of 2, 0.5 and 0.1 ms the worst stop of the median turn comes nearer by half each time, to 0.25 mm."""
    monkeypatch.setattr(peers, "DISC_FRICTION", 0.0)
    turns = five_shove_turns(12, seed=4)[:, :3]
    turns[..., 4] = 0.0
    ours = play(turns, replace(PLAIN, disc_friction=0.0))
    assert ours.blows.sum() >= 5
    places = np.stack([ours.x_mm, ours.y_mm], axis=-1)
    hit = ours.blows > 0
    medians = [np.median(np.hypot(*np.moveaxis(peers.play_pymunk(turns[hit], step) - places[hit], -1, 0)).max(axis=1))
               for step in (2e-3, 5e-4, 1e-4)]  # fmt: skip
    assert medians[0] > 2 * medians[1] > 4 * medians[2], medians
    assert medians[2] < 0.25
