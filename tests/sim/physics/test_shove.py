"""One shove: symmetry, edges, riding, fences, lifts, tilt, magnets, trajectories, and what is refused."""

import math

import numpy as np
import pytest
from hapenny_sim.physics import Patch, Physics, Rest, Shove, raise_lift, simulate
from hapenny_sim.physics.batch import play
from hapenny_sim.physics.model import model
from hapenny_sim.physics.scene import MOVES, advance
from hapenny_sim.physics.shove import start

LYING = [Rest(184.15, 150.0), Rest(200.0, 230.0), Rest(150.0, 200.0)]


def test_left_right_symmetry():
    """Mirrored discs and shove end mirrored."""
    physics = Physics()
    mirrored = [Rest(physics.width_mm - d.x_mm, d.y_mm) for d in LYING]
    one = simulate(LYING, Shove(180.0, 6.0, 1.15, 1.5, 20.0), physics)
    two = simulate(mirrored, Shove(physics.width_mm - 180.0, 6.0, 1.15, -1.5, -20.0), physics)
    for a, b in zip(one.final, two.final, strict=True):
        assert (a.x_mm, a.y_mm) == pytest.approx((physics.width_mm - b.x_mm, b.y_mm), abs=1e-6)


def test_time_reversal_without_friction():
    """Without friction and loss, turning all speeds round leads back to the start."""
    physics = Physics(restitution=1.0, disc_friction=0.0, ride_up_m_s=math.inf)
    numbers = model(physics)._replace(mu_x=1e-12, mu_y=1e-12)
    scene = start(LYING, Shove(180.0, 6.0, 1.15, 1.5), physics)
    began = scene.pos.copy()

    def run(until):
        now = 0.0
        while now < until - 1e-12:
            now += advance(numbers, scene, 1e-9, until - now, 0.0)[0]

    run(0.2)
    assert abs(scene.pos - began).max() > 20
    scene.vel[:] = -scene.vel
    run(0.2)
    assert abs(scene.pos - began).max() < 1e-5


def test_energy_never_rises():
    """From knot to knot of a shove with impacts, tilt left out, kinetic energy falls."""
    numbers = model(Physics())
    scene = start(LYING, Shove(182.0, 6.0, 1.2, 0.5, 60.0), Physics())

    def energy():
        return float((abs(scene.vel) ** 2 + 0.5 * (12.7 * scene.spin) ** 2).sum())

    last = energy()
    while (scene.state == MOVES).any():
        advance(numbers, scene, 1e-6, 0.01, 0.02)
        assert energy() <= last * (1 + 1e-9)
        last = energy()


def test_edges():
    """A disc tips over when its centre passes an edge; overhanging with the centre inside it stays."""
    far = simulate([], Shove(184.0, 6.0, 2.5))
    assert far.final[0].edge == "far"
    assert np.isnan(far.at(far.duration_s + 1)).all()
    side = simulate([], Shove(20.0, 6.0, 1.2, -10.0))
    assert (side.final[0].edge, side.final[0].x_mm) == ("left", pytest.approx(0.0, abs=1e-3))
    assert simulate([], Shove(184.0, 0.5, 0.02)).final[0].edge == ""
    assert simulate([], Shove(184.0, -8.0, 0.1)).final[0].edge == "front"
    assert simulate([], Shove(184.0, -8.0, 1.0)).final[0].edge == ""


def test_riding_up_and_resting():
    """From a threshold on, a disc climbs onto the one it strikes and may come to rest there; softer, it never does."""
    path = simulate([Rest(184.0, 60.0)], Shove(184.0, 6.0, 1.5))
    assert path.events[0].kind == "ride"
    assert path.final[1].on == 0
    assert path.rests()[1].on == 0
    assert all(f.on < 0 for f in simulate([Rest(184.0, 60.0)], Shove(184.0, 6.0, 1.3)).final)
    again = simulate(path.rests(), Shove(100.0, 6.0, 1.0))
    assert again.final[1].on == 0


def test_fence_and_lifts():
    """A fence turns discs back; a raised lift stops them, and touches those over its line."""
    path = simulate([], Shove(30.0, 6.0, 1.2, -8.0), Physics(fence=("left",)))
    assert (path.final[0].edge, path.events[0].kind) == ("", "wall")
    stopped = simulate([], Shove(184.0, 6.0, 1.0), Physics(lifts_raised=(3,)))
    assert stopped.final[0].y_mm < 101.6 + 2 * 31.75 - 12.7
    assert raise_lift([Rest(184, 150), Rest(184, 165.1)], 3) == [False, True]


def test_tilt_grain_and_patches_bend_the_path():
    """0.3 degrees to the side carry a disc about 4.5 mm; grain across slows it hardly; a slippery patch lets it
    go farther.
    """
    plain = simulate([], Shove(184.0, 6.0, 1.15)).final[0]
    tilted = simulate([], Shove(184.0, 6.0, 1.15), Physics(tilt_side_deg=0.3)).final[0]
    assert tilted.x_mm - plain.x_mm == pytest.approx(4.5, abs=0.2)
    grain = simulate([], Shove(184.0, 6.0, 1.15), Physics(friction=0.21, friction_across=0.19)).final[0]
    assert grain.y_mm - plain.y_mm == pytest.approx(-15.8, abs=0.4)
    patch = simulate([], Shove(184.0, 6.0, 1.15), Physics(patches=(Patch(184.0, 200.0, 60.0, 0.8),))).final[0]
    assert patch.y_mm > plain.y_mm + 5


def test_magnets_push_apart():
    """Upright magnets push a passing disc away, and leave discs at rest where they are."""
    lying = [Rest(214.0, 150.0)]
    plain = simulate(lying, Shove(184.0, 6.0, 1.0))
    pushed = simulate(lying, Shove(184.0, 6.0, 1.0), Physics(magnet_a_m2=0.048))
    assert pushed.final[1].x_mm < plain.final[1].x_mm - 0.05
    assert 0 not in pushed.moved


def test_spin_changes_the_way_as_published():
    """20, 40 and 80 rad/s lengthen a way of 337.03 mm by 4.2, 16.9 and 71.3 mm."""
    ways = [simulate([], Shove(184.0, 6.0, 1.15, 0.0, spin)).final[0].y_mm - 6 for spin in (0, 20, 40, 80)]
    assert ways[0] == pytest.approx(337.03, abs=5e-3)
    assert [way - ways[0] for way in ways[1:]] == pytest.approx([4.2, 16.9, 71.3], abs=0.06)


def test_trajectory_is_smooth_and_ends_where_it_says():
    """Sampled places move at the sampled speeds, from the start to the finals."""
    path = simulate(LYING, Shove(182.0, 6.0, 1.15, 0.0, 15.0))
    times = np.linspace(0, path.duration_s, 4001)
    places = path.sample(times)
    speeds = np.diff(places, axis=0) / np.diff(times)[:, None, None]
    middles = np.stack([path.velocity(t) for t in (times[:-1] + times[1:]) / 2])
    assert np.median(abs(speeds - middles).max(axis=(1, 2))) < 1e-2
    assert (abs(speeds - middles).max(axis=(1, 2)) > 5).sum() <= 3 * sum(e.kind == "impact" for e in path.events)
    assert places[-1, :, :2] == pytest.approx(np.array([[f.x_mm, f.y_mm] for f in path.final]), abs=1e-6)
    assert path.struck(0)


@pytest.mark.parametrize(("make", "says"), [
    (lambda: Physics(friction=-0.1), "friction: -0.1 is not in 0.001 .. 2."),
    (lambda: Physics(friction_across=math.nan), "friction_across: nan is not in 0.001 .. 2."),
    (lambda: simulate([], Shove(184.0, 6.0, math.nan)), "shove speed_m_s: nan is not in 0 .. 20."),
    (lambda: simulate([Rest(100, 100), Rest(110, 100)], None),
     "lying[1] and lying[0] overlap: their centres are 10.000 mm apart, allowed is 25.4 mm or more."),
    (lambda: play(np.full((1, 1, 5), math.nan)), "shoves x_mm: not all in 0 .. 368.3."),
    (lambda: play(np.zeros((1, 1, 5)), None, np.array([[100.0, 100], [110, 100]])),
     "lying: discs 0 and 1 overlap; centres must be 25.4 mm apart."),
])  # fmt: skip
def test_bad_input_names_the_argument_and_what_is_allowed(make, says):
    """NaN, overlapping discs, negative friction: the whole sentence."""
    with pytest.raises(ValueError) as told:
        make()
    assert str(told.value) == says


@pytest.mark.parametrize(("make", "names"), [
    (lambda: Physics(friction=-0.1), "friction"), (lambda: Physics(friction=math.nan), "friction"),
    (lambda: Physics(restitution=1.2), "restitution"), (lambda: Physics(tilt_side_deg=15.0), "tilt_side_deg"),
    (lambda: Physics(fence=("front",)), "fence"), (lambda: Physics(magnet_a_m2=0.5), "magnet_a_m2"),
    (lambda: simulate([], Shove(184.0, 6.0, math.nan)), "speed_m_s"), (lambda: simulate([], Shove(-1.0)), "x_mm"),
    (lambda: simulate([Rest(math.nan, 3.0)], None), r"lying\[0\].x_mm"),
    (lambda: simulate([Rest(100, 100), Rest(110, 100)], None), "overlap"),
    (lambda: simulate([Rest(184, 10)], Shove(184.0)), "overlap"), (lambda: raise_lift([], 11), "line"),
])  # fmt: skip
def test_bad_input_is_named(make, names):
    """What is out of range is refused, by the argument's name and what is allowed."""
    with pytest.raises(ValueError, match=names):
        make()
