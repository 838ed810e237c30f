"""The friction integrals and the universal curves, against quadrature, published ratios and scipy at 1e-12."""

import mpmath
import numpy as np
import pytest
from hapenny_sim.bench import exact
from hapenny_sim.physics import Physics
from hapenny_sim.physics import curves as c
from hapenny_sim.physics.friction import contact, integrals, rub
from hapenny_sim.physics.slide import place, stop
from scipy.integrate import quad

# R|omega|/v -> D 2 mu g/v^2, T mu g/v (facts of the project, six digits)
REFERENCE = {0.1: (1.002507, 1.008725), 0.2: (1.010084, 1.028093), 0.5: (1.064713, 1.121685), 1.0: (1.274794, 1.340298),
             2.0: (1.966996, 1.90322), 5.0: (4.397971, 3.951102)}  # fmt: skip


def by_quadrature(eps):
    """(f, tau) as integrals around the instant centre of rotation, which lies eps radii off; there the
    direction is the angle.
    """

    def edge(angle):
        return -eps * np.sin(angle) + np.sqrt(max(1 - (eps * np.cos(angle)) ** 2, 0.0))

    def near(angle):
        return -eps * np.sin(angle) - np.sqrt(max(1 - (eps * np.cos(angle)) ** 2, 0.0)) if eps > 1 else 0.0

    def force(angle):
        return -np.sin(angle) * (edge(angle) ** 2 - near(angle) ** 2) / 2

    def couple(angle):
        return (edge(angle) ** 3 - near(angle) ** 3) / 3 + eps * np.sin(angle) * (
            edge(angle) ** 2 - near(angle) ** 2
        ) / 2

    half = np.arcsin(1 / eps) if eps > 1 else np.pi
    begin, end = (-np.pi / 2 - half, -np.pi / 2 + half) if eps > 1 else (0, 2 * np.pi)
    return [quad(part, begin, end, limit=2000, epsabs=1e-11)[0] / np.pi for part in (force, couple)]


@pytest.mark.parametrize("eps", [0.05, 0.3, 0.653, 0.95, 1.05, 2.0, 10.0, 60.0])
def test_integrals_agree_with_quadrature(eps):
    """f and tau are the integrals over the disc, to 1e-7."""
    f, across, along = integrals(eps)
    assert [f, across + along] == pytest.approx(by_quadrature(eps), abs=1e-7)


@pytest.mark.parametrize("eps", [1e-6, 0.01, 0.5, 0.9999, 1.0001, 3.0, 100.0, 1e6])
def test_integrals_agree_with_the_elliptic_formulas(eps):
    """They are the elliptic integrals of Farkas et al., here with 30 digits, at both ends too."""
    mpmath.mp.dps = 30
    e = mpmath.mpf(eps)
    k = min(e, 1 / e) ** 2
    big_k, big_e = mpmath.ellipk(k), mpmath.ellipe(k)
    if e <= 1:
        f = 4 / (3 * mpmath.pi) * ((e**2 + 1) * big_e + (e**2 - 1) * big_k) / e
        tau = 4 / (9 * mpmath.pi) * ((4 - 2 * e**2) * big_e + (e**2 - 1) * big_k)
    else:
        f = 4 / (3 * mpmath.pi) * ((e**2 + 1) * big_e - (e**2 - 1) * big_k)
        tau = 4 * e / (9 * mpmath.pi) * ((4 - 2 * e**2) * big_e + (2 * e**2 - 5 + 3 / e**2) * big_k)
    found, across, along = integrals(eps)
    assert float(found) == pytest.approx(float(f), rel=1e-12)
    assert float(across + along) == pytest.approx(float(tau), rel=1e-12)


def test_contact_table():
    """The table the integrator reads is within 1e-5 of the integrals, and far better away from eps = 1."""
    table = contact().table
    for eps in np.concatenate([np.geomspace(1e-4, 1e4, 400), [0.99, 1.01]]):
        size = np.hypot(eps, 1.0)
        force, couple, unlike = rub(table, 1.0 / size**2)
        found = [force * eps / size, couple / size, unlike * eps**2 / size**3]
        f, across, along = (float(part) for part in integrals(eps))
        exact = [f, across + along, along - across]
        assert found == pytest.approx(exact, abs=1e-5 if 0.9 < eps < 1.1 else 1e-8)


def test_end_ratio():
    """Every slide ends at 0.6530018; with the rim of the disc alone loaded, at the published ratios."""
    assert c.end_ratio() == pytest.approx(0.6530018, abs=5e-8)
    assert [c.end_ratio(inner) for inner in (0.5, 0.8, 0.9)] == pytest.approx([0.913, 1.358, 1.924], abs=5e-4)


@pytest.mark.parametrize("ratio", REFERENCE)
def test_reference_ratios(ratio):
    """Ways and times against the reference ratios, to 1e-5 (they are printed to 1e-6)."""
    way, time = stop(c.curves(), 1.0, 1.0, ratio)
    assert (2 * way, time) == pytest.approx(REFERENCE[ratio], abs=1.5e-6)


@pytest.mark.parametrize(
    ("v", "rim"), [(1150.0, 250.0), (1150.0, 1500.0), (300.0, 1000.0), (5.0, 900.0), (1000.0, 1531.4), (1200.0, 0.1)]
)
def test_ways_against_scipy(v, rim):
    """Ways agree with an integration of the exact equations at 1e-12, to 1e-7 mm."""
    shove = np.array([0.0, 0.0, v / 1000, 0.0, rim / 12.7])
    assert stop(c.curves(), 1962.0, v, rim)[0] == pytest.approx(exact.stop(Physics(), shove)[1], abs=1e-7)


@pytest.mark.parametrize("kind", [0, 1])
def test_way_back_from_curve_coordinates(kind):
    """z -> way, clock -> z leads back, to 1e-8, over 15 orders of magnitude."""
    table = c.curves()
    for z in np.geomspace(1e-7, 1e7, 300):
        for at, back, first in ((c.WAY, table.by_way, table.first_way), (c.CLOCK, table.by_clock, table.first_clock)):
            assert c.z_at(back[kind], first[kind], c.at_z(table, kind, z, at)) == pytest.approx(z, rel=1e-8)


def test_place_knows_both_curves():
    """Slides above eps*, spins below, and the limits: no spin at all, no slide at all."""
    table = c.curves()
    assert place(table, 1.0, 0.0) == (0, np.inf, 1.0)
    assert place(table, 0.0, 2.0) == (1, np.inf, 2.0)
    assert place(table, 1.0, 1.0)[0] == 0
    assert place(table, 0.5, 1.0)[0] == 1
    assert stop(table, 1.0, 0.0, 2.0)[0] == 0.0
