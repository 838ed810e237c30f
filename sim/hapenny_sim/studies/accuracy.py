"""How well the board judges: noisy ADC counts through the device's own code, calibration and all, to verdicts."""

import math
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from hapenny.health import Health
from hapenny.judge import Judge
from hapenny.locate import Locator
from hapenny.rules import geometry
from hapenny_link.errors import UserError

from hapenny_sim.sensors.bound import place_bound_mm
from hapenny_sim.sensors.build import BUILDS, Board, DiscSet
from hapenny_sim.sensors.compiled import COMPILED
from hapenny_sim.sensors.taught import LEVELS, tare, teach
from hapenny_sim.studies.cores import each

LAYOUTS = {"standard": "hapenny.layout", "lite": "hapenny.layout_lite"}
DISCS_A_TURN = 5
TOUCHING = 0.2
RIDING_EVERY = 50  # turns: one more disc rides on another, judged apart
BOARD_DISCS = 2500  # of one made board, unless that were more than ...
MANY_BOARDS = 20  # ... to teach one takes as long as 2,000 discs to judge
APART_MM = 25.4
LOST_MM = 8.0
NEAR_DEAD_MM = 45.0  # a disc is fitted to the Halls within
# columns of a result row: one disc
COLUMNS = ("truth", "verdict", "reading", "x_error", "y_error", "final_error", "se_x", "se_y", "final_se", "risk",
           "neighbour",
           "chi2", "bound", "dead", "margin", "best", "mirror")  # fmt: skip
MIRRORED = 0.01  # a chance to be its mirror image that is said; below it the board is sure of the row's side
LOST = -9  # verdict of a disc that was not found
NONE_THERE = -8  # truth of a disc that was found and is not there


@dataclass(frozen=True)
class Settings:
    """What is studied; `board` numbers the made board."""

    layout: str = "standard"
    build: str = "good"
    calibration: str = "refined"
    discs: int = BOARD_DISCS
    seed: int = 0
    board: int = 0
    dead: int = 0  # neighbouring Halls that die after calibration
    dirty: int = 0  # segments chalked over after calibration


def layout_of(name: str) -> Any:
    """The layout module as compiled kernels want it: its field table a numpy array."""
    module = import_module(LAYOUTS[name])
    plain = {key: value for key, value in vars(module).items() if not key.startswith("_")}
    plain["FIELD_UT"] = np.array(module.FIELD_UT, dtype=np.int16)
    return SimpleNamespace(**plain)


def true_verdict(x_mm: float, y_mm: float, radius_mm: float, layout: Any) -> int:
    """What a perfect referee would say (RULES.md, Geometry), with the disc's real radius."""
    clear = radius_mm + layout.LINE_WIDTH_HMM / 200
    first, pitch = layout.FIRST_LINE_HMM / 100, layout.LINE_PITCH_HMM / 100
    last = first + (layout.LINES - 1) * pitch
    side = layout.SIDE_LINE_HMM / 100 + clear
    if y_mm >= last + clear:
        return geometry.OVER
    if y_mm <= first - clear:
        return geometry.SHORT
    if x_mm < side or x_mm > layout.WIDTH_HMM / 100 - side:
        return geometry.WIDE
    line = round((y_mm - first) / pitch)
    if abs(y_mm - first - line * pitch) < clear:
        return geometry.LINE
    return int((y_mm - first) // pitch) + 1


def places(rng: np.random.Generator, layout: Any) -> np.ndarray:
    """Five discs at rest, shape (5, 2) mm, a fifth of them touching another.

    Uniform over the field of play: centres from the first to the far line, and to 3 mm beyond where a disc is wide.
    """
    side, first = layout.SIDE_LINE_HMM / 100, layout.FIRST_LINE_HMM / 100
    low = np.array([side + 10.1, first])
    high = np.array([layout.WIDTH_HMM / 100 - side - 10.1, first + (layout.LINES - 1) * layout.LINE_PITCH_HMM / 100])
    found: list[np.ndarray] = []
    while len(found) < DISCS_A_TURN:
        place = rng.uniform(low, high)
        if found and rng.random() < TOUCHING:
            angle = rng.uniform(0, 2 * math.pi)
            place = found[rng.integers(len(found))] + APART_MM * np.array([math.cos(angle), math.sin(angle)])
        if (
            (place > low).all()
            and (place < high).all()
            and all(np.hypot(*(place - p)) > APART_MM - 1e-6 for p in found)
        ):
            found.append(place)
    return np.array(found)


class Bench:
    """One made board with the device's own code behind it."""

    def __init__(self, settings: Settings) -> None:
        self.layout = layout_of(settings.layout)
        self.build = BUILDS[settings.build]
        seed = settings.seed * 100_003 + settings.board
        self.rng = np.random.default_rng([seed, 0xACC])
        self.board = Board(self.layout, self.build, seed)
        self.calibration = teach(self.board, self.layout, settings.calibration, seed)
        self.locator = Locator(self.layout, self.calibration, COMPILED)
        self.judge = Judge(self.layout, self.calibration, COMPILED)
        self.discs = DiscSet(self.build, 10, seed)
        self.halls = np.zeros(self.layout.HALLS, np.int32)
        self.lit, self.dark = np.zeros(self.layout.LIGHTS, np.int32), np.zeros(self.layout.LIGHTS, np.int32)
        self.field = np.zeros(self.layout.HALLS, np.int16)
        self.health = Health(self.layout, self.calibration)
        tare(self.board, self.calibration, self.health)
        self._faults(settings)

    def _faults(self, settings: Settings) -> None:
        faults = self.board.faults
        first = int(self.rng.integers(self.layout.BED_HALLS - settings.dead)) if settings.dead else 0
        faults.dead = set(range(first, first + settings.dead))
        for segment in self.rng.choice(self.layout.LIGHTS, settings.dirty, replace=False):
            faults.dirty[int(segment)] = float(self.rng.uniform(0.1, 0.6))

    def turn(self, riding: bool = False) -> np.ndarray:
        """Tares, lays five discs one after the other, judges; rows of COLUMNS."""
        tare(self.board, self.calibration, self.health)
        self.board.advance(30.0)
        spots = places(self.rng, self.layout)
        which = self.rng.permutation(10)[: DISCS_A_TURN + 1]
        phase = self.rng.uniform(0, 2 * math.pi, DISCS_A_TURN + 1)
        scene = self.discs.scene(which[:DISCS_A_TURN], spots[:, 0], spots[:, 1], phase[:DISCS_A_TURN])
        if riding:
            below = scene[-1]
            shift = self.rng.uniform(-8, 8, 2)
            rider = self.discs.scene(which[-1:], below[0] + shift[0], below[1] + shift[1], phase[-1:], None, 2.0)
            scene = np.vstack([scene, rider])
        self.locator.forget()
        for count in [*range(1, DISCS_A_TURN), len(scene)]:  # every disc is followed, then located, as the tracker does
            self._frame(scene[:count], 16)
            self.locator.follow(self.field, 16)
            self._frame(scene[:count], 64)
            self.locator.refine(self.field, 64)
        self.lit[:] = self.dark[:] = 0
        self.board.light(scene, 16, self.lit, self.dark)
        self.judge.judge(self.locator, self.lit, self.dark, 16)
        return self._rows(scene)

    def _frame(self, scene: np.ndarray, passes: int) -> None:
        self.halls[:] = 0
        self.board.halls(scene, passes, self.halls)
        self.calibration.field(self.halls, passes, self.field)

    def _rows(self, scene: np.ndarray) -> np.ndarray:
        locator, judge = self.locator, self.judge
        free = set(range(locator.count))
        rows = np.zeros((len(scene), len(COLUMNS)))
        for i, disc in enumerate(scene):
            others = np.delete(scene, i, axis=0)
            rows[i, 0] = true_verdict(disc[0], disc[1], disc[9], self.layout)
            rows[i, 10] = np.hypot(others[:, 0] - disc[0], others[:, 1] - disc[1]).min()
            rows[i, 13] = min((self._hall_away(k, disc) for k in self.board.faults.dead), default=999.0)
            j = min(free, key=lambda k: self._apart(k, disc), default=-1)
            if j < 0 or self._apart(j, disc) > LOST_MM:
                rows[i, 1] = rows[i, 2] = LOST
                continue
            free.discard(j)
            x, y = locator.x_hmm[j] / 100 - disc[0], locator.y_hmm[j] / 100 - disc[1]
            rows[i, 1:10] = (judge.verdict[j], judge.reading[j], x, y, judge.y_hmm[j] / 100 - disc[1],
                             locator.se_x_um[j] / 1e3,
                             locator.se_y_um[j] / 1e3, judge.se_um[j] / 1e3, judge.risk_q12[j] / 4096)  # fmt: skip
            rows[i, 11] = locator.chi2[j] / 64
            rows[i, 14:17] = judge.margin_hmm[j] / 100, judge.best[j], locator.twin_q12[j] / 4096
            if rows[i, 10] > 70:
                rows[i, 12] = place_bound_mm(self.board, self.calibration, disc)
        ghosts = [k for k in free if judge.verdict[k] <= self.layout.BEDS]
        extra = np.zeros((len(ghosts), len(COLUMNS)))
        extra[:, 0], extra[:, 10] = NONE_THERE, 99
        extra[:, 1] = [judge.verdict[k] for k in ghosts]
        extra[:, 2] = extra[:, 1]
        return np.vstack([rows, extra])

    def _hall_away(self, k: int, disc: np.ndarray) -> float:
        layout = self.layout
        return math.hypot(layout.HALL_X_HMM[k] / 100 - disc[0], layout.HALL_Y_HMM[k] / 100 - disc[1])

    def _apart(self, k: int, disc: np.ndarray) -> float:
        return math.hypot(self.locator.x_hmm[k] / 100 - disc[0], self.locator.y_hmm[k] / 100 - disc[1])


def one_board(settings: Settings) -> tuple[np.ndarray, np.ndarray]:
    """(rows of ordinary turns, rows of turns with a rider) of one made board."""
    bench = Bench(settings)
    turns = -(-settings.discs // DISCS_A_TURN)
    plain = [bench.turn() for _ in range(turns)]
    riding = [bench.turn(riding=True)[-2:] for _ in range(turns // RIDING_EVERY + 1)]
    return np.vstack(plain), np.vstack(riding)


def boards(settings: Settings) -> list[Settings]:
    """The study cut into made boards, each a seed of its own."""
    count = max(1, min(MANY_BOARDS, -(-settings.discs // BOARD_DISCS)))
    share = -(-settings.discs // count)
    return [Settings(**{**vars(settings), "discs": share, "board": n}) for n in range(count)]


def upper_95(wrong: int, discs: int) -> float:
    """Upper end of the one-sided 95 % interval of a rate (exact binomial)."""
    from scipy.stats import beta

    return float(beta.ppf(0.95, wrong + 1, discs - wrong)) if wrong < discs else 1.0


def summary(rows: np.ndarray, riding: np.ndarray, settings: Settings) -> dict[str, Any]:
    """The study's figures (issue C's keys first)."""
    real = rows[rows[:, 0] != NONE_THERE]
    discs = len(real)
    wrong = mistaken(rows)
    found = real[real[:, 1] != LOST]
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
        "calibration": settings.calibration, "boards": len(boards(settings)),
        "wrong": int(wrong.sum()), "wrong_upper_95_per_10k": round(1e4 * upper_95(int(wrong.sum()), discs), 3),
        "lost": int((real[:, 1] == LOST).sum()), "ghosts": int(len(rows) - discs),
        "rms_x_mm": round(math.sqrt(float(np.mean(found[:, 3] ** 2))), 4),
        "rms_final_y_mm": round(math.sqrt(float(np.mean(found[:, 5] ** 2))), 4),
        "near_dead": part(real[real[:, 13] < NEAR_DEAD_MM]),
        "at_limits": part(real[np.abs(real[:, 14]) < 1.0]),
        "at_limits_side_sure": part(real[(np.abs(real[:, 14]) < 1.0) & (real[:, 16] < MIRRORED)]),
        "chi2_per_class": classes(found),
    }  # fmt: skip


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
    """The figures of some of the discs."""
    if not len(rows):
        return {"discs": 0}
    found = rows[rows[:, 1] != LOST]
    wrong = mistaken(rows)
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


def run(settings: Settings, scheduler: str | None = None) -> tuple[dict[str, Any], np.ndarray]:
    """The whole study on all cores, or on a Dask cluster: (figures, rows of COLUMNS)."""
    parts = each(one_board, [(one,) for one in boards(settings)], scheduler, "judging discs")
    rows = np.vstack([plain for plain, _ in parts])
    return summary(rows, np.vstack([riding for _, riding in parts]), settings), rows


def checked(settings: Settings) -> Settings:
    """The settings, or a UserError that says which of them cannot be."""
    for name, known in (("layout", LAYOUTS), ("build", BUILDS), ("calibration", LEVELS)):
        if getattr(settings, name) not in known:
            raise UserError(f"--{name} {getattr(settings, name)} is not known; choose one of {', '.join(known)}.")
    return settings


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
            f"reduced chi squared of verdicts given: {figures['chi2_per_class']}",
        ]
        + [near_dead] * (dead["discs"] > 0)
    )


def plot(rows: np.ndarray, figures: dict[str, Any], file: Path) -> None:
    """Three charts: errors in y, stated against measured risk, verdicts against the distance to a limit."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 3.6), layout="constrained")
    errors, honest, limits = figure.subplots(1, 3)
    real = rows[(rows[:, 0] != NONE_THERE) & (rows[:, 1] != LOST)]
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
