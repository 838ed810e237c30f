"""What a study of calls counts: asked, wrong, misplaced; shares of them, in figures, words and charts."""

import math
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from hapenny.rules import geometry

APART_MM = 25.4
MISPLACED_MM = 8.0  # a disc found further off than this counts by its verdict, not by its place
NEAR_DEAD_MM = 45.0  # a disc is fitted to the Halls within

# columns of a result row: one disc
COLUMNS = ("truth", "verdict", "reading", "x_error", "y_error", "final_error", "se_x", "se_y", "final_se", "risk",
           "neighbour",
           "chi2", "bound", "dead", "margin", "best", "mirror", "limit")  # fmt: skip
MIRRORED = 0.01  # a chance to be its mirror image that is said; below it the board is sure of the row's side
LOST = -9  # verdict of a disc that was not found
NONE_THERE = -8  # truth of a disc that was found and is not there


def upper_95(wrong: int, discs: int) -> float:
    """Upper end of the one-sided 95 % interval of a rate (exact binomial)."""
    from scipy.stats import beta

    return float(beta.ppf(0.95, wrong + 1, discs - wrong)) if wrong < discs else 1.0


def summary(rows: np.ndarray, riding: np.ndarray, settings: Any, boards: int) -> dict[str, Any]:
    """The study's figures (issue C's keys first)."""
    real = rows[rows[:, 0] != NONE_THERE]
    discs = len(real)
    wrong = mistaken(rows)
    found = placed(real)
    y = np.abs(found[:, 4])
    alone = found[(found[:, 12] > 0) & (found[:, 12] < 2.0)]
    bound = math.sqrt(float(np.mean(alone[:, 12] ** 2))) if len(alone) else 0.0
    rms_alone = math.sqrt(float(np.mean(alone[:, 4] ** 2))) if len(alone) else 0.0
    return {
        "discs": discs, "seed": settings.seed, "layout": settings.layout, "build": settings.build,
        "wrong_per_10k": round(1e4 * wrong.sum() / discs, 3),
        "doubt_rate": round(float(doubted(real).mean()), 5), "left_open_rate": round(float(left_open(real).mean()), 5),
        "left_open_wrong": int((left_open(real) & (real[:, 15] != real[:, 0])).sum()),
        "left_open_scored": int((left_open(real) & (real[:, 0] < geometry.LINE)).sum()),
        "forced_wrong_per_10k": round(1e4 * float((rows[:, 2] != rows[:, 0]).sum()) / discs, 2),
        "forced_score_per_10k": round(1e4 * float(misscored(rows).sum()) / discs, 2),
        "rms_y_mm": round(math.sqrt(float(np.mean(y * y))), 4),
        "p999_mm": round(float(np.percentile(y, 99.9)), 3),
        "bound_y_mm": round(bound, 4),
        "ratio_to_bound": round(rms_alone / bound, 3) if bound else None,
        "touching": part(real[real[:, 10] < APART_MM + 0.1]),
        "riding": rider_part(riding),
        "calibration": settings.calibration, "boards": boards,
        "wrong": int(wrong.sum()), "wrong_upper_95_per_10k": round(1e4 * upper_95(int(wrong.sum()), discs), 3),
        "lost": int((real[:, 1] == LOST).sum()), "misplaced": part(misplaced(real)), "ghosts": int(len(rows) - discs),
        "rms_x_mm": round(math.sqrt(float(np.mean(found[:, 3] ** 2))), 4),
        "rms_final_y_mm": round(math.sqrt(float(np.mean(found[:, 5] ** 2))), 4),
        "near_dead": part(real[real[:, 13] < NEAR_DEAD_MM]),
        "at_limits": part(real[real[:, 17] < 1.0]),
        "at_limits_side_sure": part(real[(real[:, 17] < 1.0) & (real[:, 16] < MIRRORED)]),
        "chi2_per_class": classes(found),
    }  # fmt: skip


def placed(rows: np.ndarray) -> np.ndarray:
    """The discs that were found where they lie."""
    return rows[(rows[:, 1] != LOST) & (np.hypot(rows[:, 3], rows[:, 4]) <= MISPLACED_MM)]


def misplaced(rows: np.ndarray) -> np.ndarray:
    """The discs that were found, but so far off that something else was mistaken for them."""
    return rows[(rows[:, 1] != LOST) & (np.hypot(rows[:, 3], rows[:, 4]) > MISPLACED_MM)]


def doubted(rows: np.ndarray) -> np.ndarray:
    """Which discs a person is asked about: where a bed is at stake (hapenny.scorer).

    The board counts shoves, so a disc that it does not find is a doubt.
    """
    return (rows[:, 1] == geometry.DOUBTED) & (rows[:, 15] < geometry.LINE) | (rows[:, 1] == LOST)


def left_open(rows: np.ndarray) -> np.ndarray:
    """Which discs are in doubt between readings that score nothing: listed as what they likely are, or as short."""
    return (rows[:, 1] == geometry.DOUBTED) & (rows[:, 15] >= geometry.LINE)


def scored(rows: np.ndarray) -> np.ndarray:
    """Which discs were given a bed."""
    return (rows[:, 1] > 0) & (rows[:, 1] < geometry.LINE)


def mistaken(rows: np.ndarray) -> np.ndarray:
    """Which verdicts are wrong and not flagged."""
    return (rows[:, 1] != rows[:, 0]) & ~doubted(rows) & ~left_open(rows)


def misscored(rows: np.ndarray) -> np.ndarray:
    """Where the likeliest reading would give a disc a bed that it is not in, or none though it is in one."""
    beds = [np.where((column > 0) & (column < geometry.LINE), column, 0) for column in (rows[:, 2], rows[:, 0])]
    return beds[0] != beds[1]


def part(rows: np.ndarray) -> dict[str, Any]:
    """The figures of some of the discs; errors of place of those found where they lie, if any was."""
    if not len(rows):
        return {"discs": 0}
    wrong = mistaken(rows)
    found = placed(rows)
    found = found if len(found) else rows
    return {
        "discs": len(rows), "wrong": int(wrong.sum()), "wrong_per_10k": round(1e4 * float(wrong.mean()), 3),
        "doubt_rate": round(float(doubted(rows).mean()), 5),
        "rms_y_mm": round(math.sqrt(float(np.mean(found[:, 4] ** 2))), 4),
        "p999_mm": round(float(np.percentile(np.abs(found[:, 4]), 99.9)), 3),
    }  # fmt: skip


def rider_part(rows: np.ndarray) -> dict[str, Any]:
    """Discs on or under another: how many were called so or doubted, and how many were given a bed or a line."""
    flagged = (rows[:, 1] == geometry.STACKED) | (rows[:, 1] == geometry.DOUBTED) | (rows[:, 1] == LOST)
    return {"discs": len(rows), "flagged": round(float(flagged.mean()), 4), "scored": int(scored(rows).sum())}


def classes(rows: np.ndarray) -> dict[str, float]:
    """Mean of (error / stated standard error)^2 among verdicts given, by class of disc; errors beyond 6 count as 6."""
    given = rows[(rows[:, 1] != geometry.DOUBTED) & (rows[:, 8] != rows[:, 6])]  # not where x decides
    ratio = np.clip(given[:, 5] / np.maximum(given[:, 8], 1e-3), -6, 6) ** 2
    groups = {
        "bed": scored(given), "line": given[:, 1] == geometry.LINE, "alone": given[:, 10] > 70,
        "near": (given[:, 10] <= 70) & (given[:, 10] > APART_MM + 0.1), "touching": given[:, 10] <= APART_MM + 0.1,
    }  # fmt: skip
    return {name: round(float(ratio[mask].mean()), 3) for name, mask in groups.items() if mask.any()}


def report(figures: dict[str, Any]) -> str:
    """The figures for people."""
    touching, riding, dead = figures["touching"], figures["riding"], figures["near_dead"]
    near_dead = f"within {NEAR_DEAD_MM:g} mm of a dead Hall: {dead['discs']} discs"
    if dead["discs"]:
        near_dead += f", {dead['wrong']} wrong, {100 * dead['doubt_rate']:.1f} % doubts"
    return "\n".join(
        [
            f"{figures['discs']} discs on {figures['boards']} made boards: {figures['layout']}, {figures['build']}, "
            f"calibration {figures['calibration']}, seed {figures['seed']}",
            f"wrong and not flagged {figures['wrong_per_10k']} in 10,000 "
            f"(95 % bound {figures['wrong_upper_95_per_10k']}), "
            f"doubts {100 * figures['doubt_rate']:.2f} %, wrong if forced {figures['forced_wrong_per_10k']} in 10,000",
            f"Halls alone: y rms {figures['rms_y_mm']} mm, 99.9 % within {figures['p999_mm']} mm; "
            f"at the limits of a bed rms {figures['at_limits'].get('rms_y_mm')} mm, "
            f"{figures['at_limits_side_sure'].get('rms_y_mm')} mm where the side of the row is sure",
            f"in doubt, but no bed at stake: {100 * figures['left_open_rate']:.2f} % of discs, "
            f"{figures['left_open_wrong']} of them taken for the other, {figures['left_open_scored']} were in a bed",
            f"discs alone: bound {figures['bound_y_mm']} mm, ratio to it {figures['ratio_to_bound']}",
            f"touching: {touching.get('wrong_per_10k')} in 10,000 wrong, "
            f"{100 * touching.get('doubt_rate', 0):.2f} % doubts; "
            f"riding: {100 * riding['flagged']:.1f} % flagged, {riding['scored']} of {riding['discs']} scored",
            f"found more than {MISPLACED_MM:g} mm off: {figures['misplaced']['discs']}, "
            f"of these {figures['misplaced'].get('wrong', 0)} called wrongly; not found: {figures['lost']}",
            f"reduced chi squared of verdicts given: {figures['chi2_per_class']}",
        ]
        + [near_dead] * (dead["discs"] > 0)
    )


def plot(rows: np.ndarray, figures: dict[str, Any], file: Path) -> None:
    """Three charts: errors in y, stated against measured risk, verdicts against the distance to a limit."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.6), layout="constrained")
    errors, honest, limits = figure.subplots(1, 3)
    real = placed(rows[rows[:, 0] != NONE_THERE])
    bins = np.linspace(-1, 1, 81)
    for column, name in ((4, "Halls alone"), (5, "Halls and light")):
        errors.hist(real[:, column], bins=bins, histtype="step", label=name)
    errors.set(xlabel="error of y, mm", ylabel="discs", yscale="log", title="Where discs are found")
    errors.legend()
    edges = np.array([0, 0.002, 0.005, 0.01, 0.02, 0.04, 0.08, 0.16, 0.3, 0.5])
    stated, seen, count = [], [], []
    for low, high in pairwise(edges):
        mask = (real[:, 9] >= low) & (real[:, 9] < high) & (real[:, 9] > 0)
        if mask.sum() >= 20:
            stated.append(real[mask, 9].mean())
            seen.append((real[mask, 2] != real[mask, 0]).mean())
            count.append(mask.sum())
    honest.errorbar(stated, seen, yerr=np.sqrt(np.maximum(np.array(seen), 1e-4) / np.maximum(count, 1)), fmt="o")
    honest.plot([1e-3, 0.5], [1e-3, 0.5], lw=0.8, color="grey")
    honest.set(
        xscale="log", yscale="log", xlabel="stated chance to be wrong", ylabel="share wrong", title="Is doubt honest?"
    )
    margin = real[:, 14]
    bins = np.linspace(-1.5, 1.5, 61)
    limits.hist(margin, bins=bins, color="#cfd8dc", label="verdict given")
    limits.hist(margin[real[:, 1] == geometry.DOUBTED], bins=bins, color="#f0a030", label="doubt")
    limits.hist(margin[mistaken(real)], bins=bins, color="#c62828", label="wrong")
    limits.set(xlabel="margin to the nearest limit, mm", ylabel="discs", title="Where it is close")
    limits.legend()
    figure.suptitle(f"{figures['layout']}, {figures['build']}, {figures['calibration']}: {figures['discs']} discs")
    figure.savefig(file, dpi=130)
