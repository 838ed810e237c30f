"""One frame of Hall readings: all magnets' fields, through gain, offset, noise, mux and ADC, summed over passes."""

import numpy as np
from numba import njit

from hapenny_sim.sensors.adc import convert, draw
from hapenny_sim.sensors.magnet import vertical_ut

UT_PER_CODE = 3.3e6 / 4096 / 60.0  # DRV5055A1 at 3.3 V: 60 uV/uT (facts/sensing.md)
MAGNET_HEIGHT_MM = 1.0  # centre of the magnet above the playing surface (mid-thickness of a 2 mm disc)
REACH_MM = 150.0

# columns of `sensors`: one row a Hall
X, Y, DEPTH, GAIN, OFFSET, BEND, NOISE, STUCK = range(8)


@njit(cache=True, fastmath=True)
def fields(near, far, sensors, scene, out):
    """Adds the vertical field (uT) of every disc of the scene at every Hall into out."""
    for d in range(scene.shape[0]):
        moment = scene[d, 3]
        if moment == 0.0:
            continue
        mx, my = scene[d, 0] + scene[d, 6], scene[d, 1] + scene[d, 7]
        height = MAGNET_HEIGHT_MM + scene[d, 2]
        for k in range(sensors.shape[0]):
            dx, dy, down = sensors[k, X] - mx, sensors[k, Y] - my, -(height + sensors[k, DEPTH])
            if abs(dx) < REACH_MM and abs(dy) < REACH_MM and down > -14.0:
                out[k] += moment * vertical_ut(near, far, dx, dy, down, scene[d, 4], scene[d, 5])
            elif abs(dx) < REACH_MM and abs(dy) < REACH_MM:  # far above the board: a dipole will do
                r2 = dx * dx + dy * dy + down * down
                out[k] += moment * DIPOLE_UT_MM3 * (3 * down * down - r2) / (r2 * r2 * np.sqrt(r2))


DIPOLE_UT_MM3 = 5.2e6  # 1e-7 T m/A x 0.052 A m^2, in uT mm^3


@njit(cache=True)
def read(sensors, field_ut, edges, pool, state, passes, crosstalk, common, out):
    """Adds `passes` codes of every Hall into out. `common` (uT) is a step of all, as from a far steel frame."""
    before = 2048.0
    for k in range(sensors.shape[0]):
        b = (field_ut[k] + common) / UT_PER_CODE
        b *= 1.0 + sensors[k, BEND] * (b / 2048.0) ** 2
        value = 2048.0 + sensors[k, OFFSET] + sensors[k, GAIN] * b
        seen = value + crosstalk * (before - value)
        before = value
        if sensors[k, STUCK] >= 0.0:
            out[k] += passes * int(sensors[k, STUCK])
            continue
        total = 0
        noise = sensors[k, NOISE]
        for _ in range(passes):
            total += convert(edges, seen + noise * draw(pool, state))
        out[k] += total


KEPT = 16  # discs of a scene whose fields are kept from one scan to the next: most lie still


def nothing_kept(halls: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """(rows, fields) for `scan` to keep: of no disc yet."""
    return np.full((KEPT, columns), np.nan), np.zeros((KEPT, halls))


@njit(cache=True)
def scan(near, far, sensors, drift, scene, kept_rows, kept_ut, edges, pool, state, passes, crosstalk, common, out):
    """`fields` and `read` in one call; drift: what the offset of every Hall is off by now (codes).

    Rows of the scene whose x is NaN are no discs.
    """
    field_ut = np.zeros(sensors.shape[0])
    for d in range(scene.shape[0]):
        if np.isnan(scene[d, 0]):
            continue
        at = min(d, KEPT - 1)
        same = True
        for c in range(scene.shape[1]):
            same = same and scene[d, c] == kept_rows[at, c]
        if not same:
            kept_ut[at, :] = 0.0
            fields(near, far, sensors, scene[d : d + 1], kept_ut[at])
            for c in range(scene.shape[1]):
                kept_rows[at, c] = scene[d, c]
        field_ut += kept_ut[at]
    offsets = sensors[:, OFFSET].copy()
    sensors[:, OFFSET] += drift
    read(sensors, field_ut, edges, pool, state, passes, crosstalk, common, out)
    sensors[:, OFFSET] = offsets


@njit(cache=True)
def scan_each(near, far, sensors, drift, scenes, kept_rows, kept_ut, edges, pool, state, crosstalk, common, out):
    """One pass over each of the scenes, added up."""
    for p in range(scenes.shape[0]):
        scan(near, far, sensors, drift, scenes[p], kept_rows, kept_ut, edges, pool, state, 1, crosstalk, common, out)
