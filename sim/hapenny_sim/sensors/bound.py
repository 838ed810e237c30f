"""The Cramer-Rao bound of a disc's y: what no unbiased estimator could beat with these sensors, errors and magnets."""

from typing import Any

import numpy as np

from hapenny_sim.sensors import hall
from hapenny_sim.sensors.build import Board

PASSES = 64
STEP_MM = 0.05


def fields_ut(board: Board, disc: np.ndarray, keep: np.ndarray) -> np.ndarray:
    """Exact fields (uT) of one disc, a scene row, at some of the Halls."""
    out = np.zeros(int(keep.sum()))
    hall.fields(board._near, board._far, board._sensors[keep], disc[None, :], out)
    return out


def sensor_errors(board: Board, calibration: Any) -> tuple[float, float]:
    """(gain, place in mm) errors that the calibration has left, rms over the bed Halls, by this board's truth."""
    n = calibration.layout.BED_HALLS
    truth = board._sensors[:n]
    scales = np.array([int(v) for v in calibration.scales[2 : 2 + 2 * n : 2]]) / calibration.layout.UT_PER_CODE_Q10
    x = np.array([int(v) for v in calibration.places[0 : 3 * n : 3]]) / 100 - truth[:, hall.X]
    y = np.array([int(v) for v in calibration.places[1 : 3 * n : 3]]) / 100 - truth[:, hall.Y]
    height = calibration.layout.HALL_DEPTH_HMM / 100 + hall.MAGNET_HEIGHT_MM
    deeper = (truth[:, hall.DEPTH] - calibration.layout.HALL_DEPTH_HMM / 100) / height
    stretch = np.array([int(v) for v in calibration.places[2 : 3 * n : 3]]) / 4096 - 1
    # a sensor's gain and depth are known together only: its error is that of the field 3 mm off its axis
    gain = scales * truth[:, hall.GAIN] * (1 - 3 * deeper) - 1 + 0.45 * (stretch + 2 * deeper)
    return float(np.std(gain)), float(np.sqrt((x.var() + y.var()) / 2))


def place_bound_mm(board: Board, calibration: Any, disc: np.ndarray) -> float:
    """Standard deviation (mm) of y at best: x, y, moment, height and lean unknown but for the build's tolerances."""
    if not hasattr(board, "_left"):
        board._left = sensor_errors(board, calibration)  # type: ignore[attr-defined]
    gain, place = board._left  # type: ignore[attr-defined]
    build = board.build
    sensors = board._sensors
    keep = (np.abs(sensors[:, hall.X] - disc[0]) < 60) & (np.abs(sensors[:, hall.Y] - disc[1]) < 60)
    columns = (0, 1, 3, 2, 4, 5)
    steps = (STEP_MM, STEP_MM, 0.01, STEP_MM, 0.005, 0.005)
    slopes = []
    for column, step in zip(columns, steps, strict=True):
        up, down = disc.copy(), disc.copy()
        up[column] += step
        down[column] -= step
        slopes.append((fields_ut(board, up, keep) - fields_ut(board, down, keep)) / (2 * step))
    field = fields_ut(board, disc, keep)
    noise = (build.noise_codes * hall.UT_PER_CODE) ** 2 / PASSES * 2 + build.drift_ut**2 + (0.4 * hall.UT_PER_CODE) ** 2
    variance = noise + (gain * field) ** 2 + place**2 * (slopes[0] ** 2 + slopes[1] ** 2)
    jacobian = np.array(slopes)
    tilt = np.radians(build.tilt_deg) + 1e-6
    priors = np.diag([0, 0, (build.moment + 1e-6) ** -2, (build.height + 1e-6) ** -2, tilt**-2, tilt**-2])
    covariance = np.linalg.inv((jacobian / variance) @ jacobian.T + priors)
    return float(np.sqrt(covariance[1, 1] + build.eccentric**2))
