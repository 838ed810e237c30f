"""The truth model: seeded, and what the physics says it must be."""

import magpylib
import numpy as np
import pytest
from hapenny import layout
from hapenny_sim.sensors import adc, hall, light, magnet
from hapenny_sim.sensors.build import BUILDS, NO_DISCS, Board, DiscSet


def frame(board: Board, scene: np.ndarray, passes: int = 64) -> np.ndarray:
    out = np.zeros(layout.HALLS, np.int32)
    board.halls(scene, passes, out)
    return out


def test_the_same_seed_gives_the_same_frame_and_another_does_not():
    """Board, discs and noise all come from the seed."""
    scene = DiscSet(BUILDS["good"], 3, 1).scene([0, 1, 2], [100, 150, 200], [120, 200, 300])
    one, two, three = (frame(Board(layout, BUILDS["good"], seed), scene) for seed in (5, 5, 6))
    assert (one == two).all() and (one != three).any()


def test_a_leaning_magnet_is_magpylibs_own():
    """The table, rotated, against the exact field of a rotated cylinder."""
    near, far = magnet.tables(8.0, 1.0, 1300.0)
    lean = np.radians(2.0)
    exact = magpylib.magnet.Cylinder(dimension=(8e-3, 1e-3), polarization=(0, 0, 1.3))
    exact.rotate_from_angax(2.0, "y")
    for x, y in [(0, 0), (3, 2), (8, -4), (15, 10), (40, 20), (80, -30)]:
        point = (x * 1e-3, y * 1e-3, -8e-3)
        found = magnet.vertical_ut(near, far, float(x), float(y), -8.0, np.tan(lean), 0.0)
        assert found == pytest.approx(exact.getB(point)[2] * 1e6, abs=6.0, rel=2e-3)


@pytest.mark.parametrize(("overlap", "percent"), [(0.0, 0.22), (0.1, 0.73), (0.2, 1.63), (0.5, 5.9)])
def test_a_disc_covers_of_a_segment_what_the_design_study_says(overlap: float, percent: float):
    """Edge blur 0.1 mm, segment 50.8 mm."""
    assert 100 * light.coverage(-25.0, 13.1 - overlap, 12.7, 50.8, 0.8, 0.1) == pytest.approx(percent, abs=0.02)


def test_the_wide_codes_are_where_the_erratum_has_them():
    """Four codes are about ten wide, the others less than one."""
    edges = adc.code_edges(np.random.default_rng(1), 9.0, 0.5, 0.0, 0.0)
    assert sorted(np.argsort(np.diff(edges))[-4:]) == list(adc.WIDE_CODES)
    assert np.diff(edges)[:500].max() < 1.0


def test_a_bare_board_reads_mid_rail_within_the_sensors_offset():
    """60 mV are 74 codes."""
    codes = frame(Board(layout, BUILDS["typical"], 3), NO_DISCS) / 64
    assert abs(codes - 2048).max() < 90


def test_faults_do_what_they_say():
    """Dead reads 0, stuck its code, noisy more noise, a step moves all."""
    board = Board(layout, BUILDS["good"], 4)
    before = frame(board, NO_DISCS)
    board.faults.dead.add(3)
    board.faults.stuck[4] = 1234
    board.faults.common_ut = 200.0
    after = frame(board, NO_DISCS)
    assert after[3] == 0 and after[4] == 1234 * 64
    assert np.median(after - before) / 64 * hall.UT_PER_CODE == pytest.approx(200, rel=0.1)


def test_a_hand_takes_the_light_away():
    """Segments under it lose most of their ambient light."""
    board = Board(layout, BUILDS["good"], 4)
    lit, dark, shaded = (np.zeros(layout.LIGHTS, np.int32) for _ in range(3))
    board.light(NO_DISCS, 16, lit, dark)
    board.light(NO_DISCS, 16, lit, shaded, hands=[(184.0, 200.0, 60.0)])
    assert 3 <= (shaded < 0.6 * dark).sum() <= 30
