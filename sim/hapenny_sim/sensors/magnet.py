"""The vertical field of a tilted disc magnet: magpylib's exact cylinder, tabulated once, looked up by compiled code."""

from functools import lru_cache

import magpylib
import numpy as np
from numba import njit

NEAR_STEP_MM = 0.1
NEAR_END_MM = 45.0
FAR_STEP_MM = 1.0
FAR_END_MM = 170.0
LOW_MM = 4.0  # distances along the magnet's axis that the tables hold
HIGH_MM = 14.0
AXIAL_STEP_MM = 0.1


@lru_cache(maxsize=4)
def tables(diameter_mm: float, height_mm: float, remanence_mt: float) -> tuple[np.ndarray, np.ndarray]:
    """(near, far) of shape (distance, axial distance, 2): axial and radial field, uT (magpylib, exact cylinder).

    Interpolated linearly they are within 5 uT under the magnet, where 1 mm is 5000 uT, and 0.1 uT elsewhere.
    """
    magnet = magpylib.magnet.Cylinder(
        dimension=(diameter_mm * 1e-3, height_mm * 1e-3), polarization=(0, 0, remanence_mt * 1e-3)
    )
    axial = np.arange(LOW_MM, HIGH_MM + AXIAL_STEP_MM, AXIAL_STEP_MM)

    def at(radial: np.ndarray) -> np.ndarray:
        r, z = np.meshgrid(radial, axial, indexing="ij")
        field = np.asarray(magnet.getB(np.stack([r, 0 * r, z], axis=-1) * 1e-3))
        return np.ascontiguousarray(field[..., (2, 0)] * 1e6, dtype=np.float64)

    near = at(np.arange(0, NEAR_END_MM + 2 * NEAR_STEP_MM, NEAR_STEP_MM))
    return near, at(np.arange(0, FAR_END_MM + 2 * FAR_STEP_MM, FAR_STEP_MM))


@njit(cache=True, fastmath=True)
def vertical_ut(near, far, x_mm, y_mm, z_mm, tilt_x, tilt_y):
    """Vertical field (uT) of a standard magnet at a point relative to it; its axis leans by tilt_x, tilt_y (rad)."""
    lean = 1.0 / np.sqrt(1.0 + tilt_x * tilt_x + tilt_y * tilt_y)
    nx, ny, nz = tilt_x * lean, tilt_y * lean, lean
    along = x_mm * nx + y_mm * ny + z_mm * nz
    qx, qy, qz = x_mm - along * nx, y_mm - along * ny, z_mm - along * nz
    radial = np.sqrt(qx * qx + qy * qy + qz * qz)
    if radial >= FAR_END_MM:
        return 0.0
    table = near if radial < NEAR_END_MM else far
    u = radial * (1.0 / NEAR_STEP_MM) if radial < NEAR_END_MM else radial * (1.0 / FAR_STEP_MM)
    v = (min(max(abs(along), LOW_MM), HIGH_MM - 0.01) - LOW_MM) * (1.0 / AXIAL_STEP_MM)
    i, j = int(u), int(v)
    u -= i
    v -= j
    a, b, c, d = (1 - u) * (1 - v), (1 - u) * v, u * (1 - v), u * v
    axial_ut = a * table[i, j, 0] + b * table[i, j + 1, 0] + c * table[i + 1, j, 0] + d * table[i + 1, j + 1, 0]
    radial_ut = a * table[i, j, 1] + b * table[i, j + 1, 1] + c * table[i + 1, j, 1] + d * table[i + 1, j + 1, 1]
    side = radial_ut * qz / radial if radial > 1e-9 else 0.0
    return axial_ut * nz + (side if along > 0 else -side)
