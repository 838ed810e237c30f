"""Impacts: conservation laws, published and analytic cases."""

import cmath
import math

import pytest
from hapenny_sim.physics import Physics, Rest, Shove, simulate
from hapenny_sim.physics.impact import SLOW_MM_S, blow, bounce, meet, rebound
from hypothesis import given
from hypothesis import strategies as st

R = 12.7
speeds = st.floats(-2000, 2000)
spins = st.floats(-300, 300)
angles = st.floats(0, 6.283)


def energy(v, spin):
    return abs(v) ** 2 + 0.5 * (R * spin) ** 2


@given(speeds, speeds, spins, speeds, speeds, spins, angles, st.floats(0, 1), st.floats(0, 1))
def test_blow_keeps_momentum_and_never_adds_energy(ax, ay, sa, bx, by, sb, angle, e, mu):
    """Linear and angular momentum are kept; energy does not rise; what approached leaves."""
    place = 2 * R * cmath.exp(1j * angle)
    va, vb = complex(ax, ay), complex(bx, by)
    normal = place / abs(place)
    if ((va - vb) * normal.conjugate()).real < SLOW_MM_S:
        return
    va1, sa1, vb1, sb1, speed = blow(R, e, mu, 0j, va, sa, place, vb, sb)
    assert va1 + vb1 == pytest.approx(va + vb, abs=1e-9)
    about = (place.conjugate() * vb).imag + 0.5 * R * R * (sa + sb)
    assert (place.conjugate() * vb1).imag + 0.5 * R * R * (sa1 + sb1) == pytest.approx(about, abs=1e-6)
    before = energy(va, sa) + energy(vb, sb)
    assert energy(va1, sa1) + energy(vb1, sb1) <= before * (1 + 1e-12) + 1e-9
    leaving = ((vb1 - va1) * normal.conjugate()).real
    assert leaving == pytest.approx(bounce(e, speed, ((va - vb) * normal.conjugate()).imag) * speed, rel=1e-9)


def test_gearing_impact_throws_nothing():
    """Rims that do not rub (spin matches the slip) pass no sideways kick."""
    va1, sa1, vb1, sb1, _ = blow(R, 0.6, 0.5, 0j, 1000 + 300j, -300 / R, 2 * R + 0j, 0j, 0.0)
    assert (vb1.imag, sb1) == (0.0, 0.0)
    assert sa1 == -300 / R
    assert va1.imag == 300


def test_slow_blows_are_elastic_and_bounded():
    """Below a millimetre a second restitution rises to one; only the very slowest leave faster than they came."""
    assert bounce(0.6, 500.0, 0.0) == 0.6
    assert bounce(0.0, 0.5, 0.0) == 1.0
    assert bounce(0.0, 0.01, 0.0) * 0.01 == pytest.approx(0.2)


def test_wall():
    """A frictionless elastic wall mirrors the speed."""
    v, spin, speed = rebound(R, 1.0, 0.0, 1 + 0j, 500 + 200j, 3.0)
    assert (v, spin, speed) == (-500 + 200j, 3.0, 500.0)


@given(st.floats(0.0, 0.999), st.floats(300, 2000))
def test_touch_time_of_uniform_motion(off, speed):
    """Straight and unaccelerated, discs touch when geometry says; grazing ones too."""
    start = complex(100.0, off * 2 * R)
    analytic = (100.0 - math.sqrt((2 * R) ** 2 - (off * 2 * R) ** 2)) / speed
    h = 200.0 / speed
    found = meet(2 * R, start, complex(-speed, 0), start - speed * h, complex(-speed, 0), h)
    assert found == pytest.approx(analytic, abs=1e-9)


def test_almost_touching_pass():
    """Discs that pass a micrometre apart do not touch; a micrometre closer, they do."""
    for off, touches in ((2 * R + 1e-3, False), (2 * R - 1e-3, True)):
        start = complex(100.0, off)
        found = meet(2 * R, start, -1000 + 0j, start - 200.0, -1000 + 0j, 0.2)
        assert (found < math.inf) == touches


@pytest.mark.parametrize("e", [0.0, 0.3, 0.6, 1.0])
def test_head_on_stop(e):
    """Head on, without spin, the struck disc leaves with (1 + e)/2 of the speed and goes v^2/(2 mu g)."""
    physics = Physics(restitution=e)
    path = simulate([Rest(184.0, 150.0)], Shove(184.0, 6.0, 1.1), physics)
    brake = 0.2 * 9810
    speed = math.sqrt(1100**2 - 2 * brake * (150 - 6 - 25.4))
    on, back = ((1 + e) / 2 * speed) ** 2 / (2 * brake), ((1 - e) / 2 * speed) ** 2 / (2 * brake)
    assert path.final[0].y_mm == pytest.approx(150 + on, abs=0.15 if e == 0.0 else 2e-3)
    assert path.final[1].y_mm == pytest.approx(150 - 25.4 + back, abs=0.15 if e == 0.0 else 2e-3)


def test_newtons_cradle():
    """Elastic, in a touching row: the last one goes, the rest stay where they are."""
    row = [Rest(184.0, 150.0 + 25.4 * k) for k in range(4)]
    path = simulate(row, Shove(184.0, 6.0, 1.1), Physics(restitution=1.0, disc_friction=0.0))
    speed2 = 1100**2 - 2 * 1962 * (150 - 6 - 25.4)
    assert [f.y_mm for f in path.final[:3]] == pytest.approx([d.y_mm for d in row[:3]], abs=1e-3)
    assert path.final[3].y_mm == pytest.approx(row[3].y_mm + speed2 / (2 * 1962), abs=1e-2)
    assert path.final[4].y_mm == pytest.approx(150 - 25.4, abs=1e-3)
