"""Batches: the same as single shoves, as the closed form, for any number of threads; racks and fuzz end."""

from dataclasses import replace

import numpy as np
import pytest
from hapenny_sim.bench.fuzz import OVERLAP_MM, finite, fuzz, overlap, racks
from hapenny_sim.bench.physics import GENERAL, PLAIN, five_shove_turns, general_stop_error, stop_error
from hapenny_sim.physics import Physics, Rest, Shove, simulate
from hapenny_sim.physics.batch import Zones, play
from hapenny_sim.physics.chance import normals, uniforms

TURNS = five_shove_turns(3000)


@pytest.fixture(scope="module")
def played():
    return play(TURNS, PLAIN)


def apart(a, b):
    return np.hypot(a.x_mm - b.x_mm, a.y_mm - b.y_mm)


def test_batch_agrees_with_single_shoves(played):
    """The compiled closed form and the plain Python integrator end in the same places."""
    for turn in range(12):
        lying: list[Rest] = []
        for shove in TURNS[turn]:
            lying = simulate(lying, Shove(*shove), PLAIN).rests()
        found = np.stack([played.x_mm[turn], played.y_mm[turn]], axis=1)
        assert found == pytest.approx(np.array([[d.x_mm, d.y_mm] for d in lying]), abs=1e-3)


def test_general_way_agrees_with_the_closed_form(played):
    """On a plain board the integrator's limit is the closed form, within 0.01 mm."""
    general = play(TURNS, PLAIN, general=True)
    assert np.percentile(apart(played, general), 99.8) < 0.01


def test_general_way_agrees_with_single_shoves():
    """With tilt, grain and friction by speed: within 0.01 mm of a run 1,000 times as careful."""
    found = play(TURNS[:6], GENERAL)
    for turn in range(6):
        lying: list[Rest] = []
        for shove in TURNS[turn]:
            lying = simulate(lying, Shove(*shove), GENERAL).rests()
        places = np.stack([found.x_mm[turn], found.y_mm[turn]], axis=1)
        assert places == pytest.approx(np.array([[d.x_mm, d.y_mm] for d in lying]), abs=1e-2)


def test_stops_against_scipy():
    """Single stops are within 1e-3 mm (1e-6, indeed) of an integration at 1e-12."""
    assert stop_error(30) < 1e-6


def test_general_stops_against_scipy():
    """With tilt, grain and friction by speed too, stops are within 2e-3 mm of an integration at 1e-12."""
    assert general_stop_error(8) < 2e-3


def test_threads_change_nothing(played):
    """Bit for bit the same on one, two and five threads."""
    for threads in (1, 2, 5):
        again = play(TURNS, PLAIN, threads=threads)
        assert (again.x_mm == played.x_mm).all()
        assert (again.y_mm == played.y_mm).all()


@pytest.mark.parametrize("restitution", [0.0, 0.6, 1.0])
def test_touching_racks_end(restitution):
    """Shoves into touching racks: none is given up, no disc overlaps another, all numbers are finite."""
    lying = racks(4000, seed=2)
    shoves = five_shove_turns(800, seed=3).reshape(4000, 1, 5)
    found = play(shoves, Physics(restitution=restitution, ride_up_m_s=np.inf), lying)
    assert not found.capped.any()
    check_apart(found)


def test_fuzzed_starts_end():
    """Any start ends: from anywhere over others, on edges, at rest, crawling, very fast, spinning, on every kind of
    board; discs that overlap are refused.
    """
    found = fuzz(8 * 1000, seed=5, piece=1000)
    assert (found["given_up"], found["not_finite"], found["not_refused"]) == (0, 0, 0)
    assert found["starts"] == 8000
    assert found["refused"] == 80
    assert found["worst_overlap_mm"] < OVERLAP_MM


def test_fuzz_sees_what_is_wrong(played):
    """The search can fail: a disc inside another, a number that is not one."""
    broken = replace(played, x_mm=played.x_mm.copy())
    broken.x_mm[3, 1], broken.x_mm[7, 2] = np.nan, np.inf
    assert (~finite(broken)).nonzero()[0].tolist() == [3, 7]
    first = np.array([[100.0, 100.0]])
    near = replace(played, x_mm=first, y_mm=first.copy() + [[0.0, 25.0]], fate=np.zeros((1, 2)), on=np.full((1, 2), -1))
    assert overlap(near, 25.4) == pytest.approx(0.4)


def check_apart(found):
    assert finite(found).all()
    assert overlap(found, 25.4) < OVERLAP_MM


def test_zones_take_dead_discs_off():
    """A disc past the far line is taken off before the next shove, which then passes freely."""
    shoves = np.array([[[184.0, 6.0, 1.3, 0.0, 0.0], [184.0, 6.0, 1.3, 0.0, 0.0]]])
    found = play(shoves, PLAIN, zones=Zones(far_mm=400.45))
    assert (found.fate == 6).all()
    assert found.y_mm[0, 0] == found.y_mm[0, 1]
    assert play(shoves, PLAIN).blows[0] == 1


def test_a_start_over_another_disc_is_moved_aside():
    """A disc put down where one lies goes beside it."""
    found = play(np.array([[[184.0, 6.0, 0.0, 0.0, 0.0]]]), PLAIN, np.array([[190.0, 10.0]]))
    assert np.hypot(found.x_mm[0, 1] - 190.0, found.y_mm[0, 1] - 10.0) == pytest.approx(25.4, abs=1e-6)


@pytest.mark.parametrize(("shoves", "lying", "names"), [
    (np.full((1, 1, 5), np.nan), None, "x_mm"), (np.zeros((1, 5)), None, "shape"),
    (np.zeros((1, 17, 5)), None, "discs"),
    (np.zeros((1, 1, 5)), [[100, 100], [110, 100]], "overlap"), (np.zeros((1, 1, 5)), [[-4, 100]], "lying"),
])  # fmt: skip
def test_bad_input_is_named(shoves, lying, names):
    """Wrong shapes, NaN, overlaps: a ValueError that names the argument."""
    with pytest.raises(ValueError, match=names):
        play(shoves, PLAIN, None if lying is None else np.array(lying, dtype=float))


def test_chance_is_one_stream_per_turn():
    """Numbers depend on seed, turn and place alone, and are as uniform and normal as they say."""
    u, n = uniforms(1, np.arange(200), 50), normals(1, np.arange(200), 50)
    assert (uniforms(1, np.array([7]), 50)[0] == u[7]).all()
    assert (uniforms(2, np.array([7]), 50)[0] != u[7]).all()
    assert abs(u.mean() - 0.5) < 0.02
    assert abs(n.std() - 1.0) < 0.03
    assert len(np.unique(u)) == u.size
