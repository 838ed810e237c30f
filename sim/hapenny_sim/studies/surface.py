"""Fit friction, grain and tilt to recorded shoves of a real board: where discs set off, how fast, and where they
came to rest.

Least squares over the stopping places, each shove played by the integrator. A recording is a CSV file with the
columns below; the speed is what the tracker sees as the disc passes the first beds. Tilt along the board and
friction look alike unless some of the shoves go another way (across, or back from the far end): the standard errors
say so.
"""

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from hapenny_link.errors import UserError
from scipy.optimize import least_squares

from hapenny_sim.physics import Physics
from hapenny_sim.physics.batch import play
from hapenny_sim.players import FRONT_MM, SPREADS, Player
from hapenny_sim.studies.cores import chunks, each

COLUMNS = ("x_mm", "y_mm", "speed_m_s", "direction_deg", "spin_rad_s", "rest_x_mm", "rest_y_mm")
FITTED = ("friction", "friction_across", "tilt_side_deg", "tilt_far_deg")
PIECE = 20  # fits per job
BOUNDS = ([0.02, 0.02, -3.0, -3.0], [1.0, 1.0, 3.0, 3.0])
SCALE = np.array([0.01, 0.01, 0.1, 0.1])
# errors above these: not found
UNSURE = {"friction": 0.02, "friction_across": 0.02, "tilt_side_deg": 0.3, "tilt_far_deg": 0.3}


def read(file: Path) -> np.ndarray:
    """Rows of COLUMNS; UserError names the line that is wrong."""
    try:
        with file.open(newline="") as stream:
            table = csv.DictReader(stream)
            missing = [name for name in COLUMNS if name not in (table.fieldnames or [])]
            if missing:
                raise UserError(f"{file}: the columns {', '.join(missing)} are missing.")
            rows = [[_number(file, table.line_num, name, row[name]) for name in COLUMNS] for row in table]
    except OSError as error:
        raise UserError(f"cannot read {file}: {error.strerror}.") from error
    if len(rows) < 8:
        raise UserError(f"{file}: {len(rows)} shoves are too few to fit four numbers; record 8 or more.")
    return np.array(rows)


def _number(file: Path, line: int, name: str, text: str | None) -> float:
    try:
        value = float(text or "")
    except ValueError as error:
        raise UserError(f"{file}, line {line}: {name} is {text!r}, not a number.") from error
    if not np.isfinite(value):
        raise UserError(f"{file}, line {line}: {name} is {text!r}, not a number.")
    return value


def run(rows: np.ndarray, physics: Physics, resamples: int = 0, seed: int = 1,
        scheduler: str | None = None) -> dict[str, Any]:  # fmt: skip
    """The fit: each number, its standard error, whether it is determined, and the rms of what is left (mm); with
    `resamples` fits to as many shoves drawn again (bootstrap), also the range that holds 95 % of those.
    """
    values, errors, rms = fit(rows, physics)
    figures: dict[str, Any] = {"shoves": len(rows), "rms_mm": rms, "resamples": resamples, **{
        name: {"value": float(values[k]), "error": float(errors[k]), "found": bool(errors[k] < UNSURE[name])}
        for k, name in enumerate(FITTED)}}  # fmt: skip
    if resamples:
        jobs = [(rows, physics, seed, first, count) for first, count in chunks(resamples, PIECE)]
        again = np.concatenate(each(piece, jobs, scheduler, "fitting"))
        for name, (low, high) in zip(FITTED, np.percentile(again, [2.5, 97.5], axis=0).T, strict=True):
            figures[name]["range_95"] = [float(low), float(high)]
    return figures


def piece(rows: np.ndarray, physics: Physics, seed: int, first: int, count: int) -> np.ndarray:
    """One job: the values fitted to `count` drawings of as many of the shoves, each drawing with its own seed."""
    drawn = [np.random.default_rng([seed, number]).integers(len(rows), size=len(rows))
             for number in range(first, first + count)]  # fmt: skip
    return np.array([fit(rows[which], physics)[0] for which in drawn])


def fit(rows: np.ndarray, physics: Physics) -> tuple[np.ndarray, np.ndarray, float]:
    """(values of FITTED, their standard errors, rms of what is left in mm)."""

    def misses(unit: np.ndarray) -> np.ndarray:
        return rest_of(rows, with_values(physics, unit * SCALE)) - rows[:, 5:7].ravel()

    try:
        found = least_squares(
            misses,
            np.array([physics.friction, physics.friction, 0.0, 0.0]) / SCALE,
            diff_step=1e-4,
            bounds=tuple(np.array(side) / SCALE for side in BOUNDS),
            loss="soft_l1",
            f_scale=3.0,
        )
    except ValueError as error:
        raise UserError(f"these shoves do not fit this board: {error}") from error
    rms = float(np.sqrt(np.mean(misses(found.x) ** 2)))
    inverse = np.linalg.pinv(found.jac.T @ found.jac, rcond=1e-12)
    errors = np.sqrt(np.diag(inverse)) * rms * SCALE
    return found.x * SCALE, errors, rms


def with_values(physics: Physics, values: np.ndarray) -> Physics:
    return replace(physics, **{name: float(value) for name, value in zip(FITTED, values, strict=True)})


def rest_of(rows: np.ndarray, physics: Physics) -> np.ndarray:
    """Where each recorded shove would end (x, y, x, y, ...); the board is taken as wide enough to keep them."""
    played = play(np.ascontiguousarray(rows[:, None, :5]), physics, threads=1, general=True)
    return np.stack([played.x_mm[:, 0], played.y_mm[:, 0]], axis=1).ravel()


def recorded(count: int, seed: int, physics: Physics, noise_mm: float = 0.3) -> np.ndarray:
    """A recording made by the simulator: shoves up, across and back, rests with noise; to try the fit on."""
    rng = np.random.default_rng(seed)
    rows = np.zeros((count, 7))
    headings = rng.choice([0.0, 0.0, 90.0, -90.0, 180.0], count)
    rows[:, 0] = np.select([headings == 90, headings == -90], [30.0, physics.width_mm - 30.0], physics.width_mm / 2)
    rows[:, 1] = np.select(
        [headings == 180, headings == 0], [physics.length_mm - 20.0, FRONT_MM], physics.length_mm / 2
    )
    rows[:, 2] = np.where(abs(headings) == 90, rng.uniform(0.6, 0.95, count), rng.uniform(0.8, 1.3, count))
    rows[:, 3] = headings + rng.normal(0, 3, count)
    rows[:, :5] = _with_spin(rows[:, :5], rng)
    rows[:, 5:7] = rest_of(rows, physics).reshape(-1, 2) + rng.normal(0, noise_mm, (count, 2))
    return rows


def _with_spin(shoves: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    shoves[:, 4] = rng.normal(0, SPREADS["spin_rad_s"] * Player.level("regular").skill, len(shoves))
    return shoves


def report(found: dict[str, Any]) -> str:
    """For people."""
    lines = [f"{found['shoves']} shoves, {found['rms_mm']:.2f} mm rms left"]
    for name in FITTED:
        part = found[name]
        doubt = "" if part["found"] else "  (not determined by these shoves)"
        within = "  (95 %: {:.4f} to {:.4f})".format(*part["range_95"]) if "range_95" in part else ""
        lines.append(f"  {name:>16} {part['value']:8.4f} +- {part['error']:.4f}{within}{doubt}")
    return "\n".join(lines)


def plot(rows: np.ndarray, found: dict[str, Any], physics: Physics, file: Path) -> None:
    """Recorded rests and those of the fitted board."""
    from hapenny_sim.studies.draw import board, save

    figure, axes = board(physics)
    fitted = rest_of(rows, with_values(physics, np.array([found[name]["value"] for name in FITTED]))).reshape(-1, 2)
    axes.plot(rows[:, 5], rows[:, 6], "o", mfc="none", color="C0", label="recorded")
    axes.plot(fitted[:, 0], fitted[:, 1], ".", color="C3", label="fitted board")
    axes.legend(loc="upper right")
    save(figure, file)
