"""How well the board judges: noisy ADC counts through the device's own code, calibration and all, to verdicts."""

import math
from dataclasses import dataclass
from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
from hapenny.finding.judge import Judge
from hapenny.finding.locate import Locator
from hapenny.rules import geometry
from hapenny.sensing.health import Health
from hapenny_link.errors import UserError

from hapenny_sim.sensors.bound import place_bound_mm
from hapenny_sim.sensors.build import BUILDS, Board, DiscSet
from hapenny_sim.sensors.compiled import COMPILED
from hapenny_sim.sensors.taught import LEVELS, tare, teach
from hapenny_sim.studies.calls import APART_MM, COLUMNS, LOST, NONE_THERE, summary
from hapenny_sim.studies.cores import each

LAYOUTS = {"standard": "hapenny.layout", "lite": "hapenny.layout_lite"}
DISCS_A_TURN = 5
TOUCHING = 0.2
RIDING_EVERY = 50  # turns: one more disc rides on another, judged apart
BOARD_DISCS = 2500  # of one made board, unless that were more than ...
MANY_BOARDS = 20  # ... to teach one takes as long as 2,000 discs to judge
LOST_MM = 25.0  # a disc that the board sees further off than this is not found


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


def off_limit_mm(y_mm: float, radius_mm: float, layout: Any) -> float:
    """How far a disc lies from where it just touches a line of its bed; 99 outside the beds."""
    off_first, pitch = y_mm - layout.FIRST_LINE_HMM / 100, layout.LINE_PITCH_HMM / 100
    if not 0 < off_first < layout.BEDS * pitch:
        return 99.0
    off_line = min(off_first % pitch, -off_first % pitch)
    return abs(off_line - radius_mm - layout.LINE_WIDTH_HMM / 200)


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
        matched = self._matched(scene)
        rows = np.zeros((len(scene), len(COLUMNS)))
        for i, (disc, j) in enumerate(zip(scene, matched, strict=True)):
            others = np.delete(scene, i, axis=0)
            rows[i, 0] = true_verdict(disc[0], disc[1], disc[9], self.layout)
            rows[i, 10] = np.hypot(others[:, 0] - disc[0], others[:, 1] - disc[1]).min()
            rows[i, 17] = off_limit_mm(disc[1], disc[9], self.layout)
            rows[i, 13] = min((self._hall_away(k, disc) for k in self.board.faults.dead), default=999.0)
            if j < 0:
                rows[i, 1] = rows[i, 2] = LOST
                continue
            x, y = locator.x_hmm[j] / 100 - disc[0], locator.y_hmm[j] / 100 - disc[1]
            rows[i, 1:10] = (judge.verdict[j], judge.reading[j], x, y, judge.y_hmm[j] / 100 - disc[1],
                             locator.se_x_um[j] / 1e3,
                             locator.se_y_um[j] / 1e3, judge.se_um[j] / 1e3, judge.risk_q12[j] / 4096)  # fmt: skip
            rows[i, 11] = locator.chi2[j] / 64
            rows[i, 14:17] = judge.margin_hmm[j] / 100, judge.best[j], locator.twin_q12[j] / 4096
            if rows[i, 10] > 70:
                rows[i, 12] = place_bound_mm(self.board, self.calibration, disc)
        free = set(range(locator.count)) - set(matched)
        ghosts = [k for k in free if judge.verdict[k] <= self.layout.BEDS]
        extra = np.zeros((len(ghosts), len(COLUMNS)))
        extra[:, 0], extra[:, 10] = NONE_THERE, 99
        extra[:, 1] = [judge.verdict[k] for k in ghosts]
        extra[:, 2] = extra[:, 1]
        return np.vstack([rows, extra])

    def _hall_away(self, k: int, disc: np.ndarray) -> float:
        layout = self.layout
        return math.hypot(layout.HALL_X_HMM[k] / 100 - disc[0], layout.HALL_Y_HMM[k] / 100 - disc[1])

    def _matched(self, scene: np.ndarray) -> list[int]:
        """Which disc of the locator each disc of the scene is, -1 if none: all together as near as can be."""
        from scipy.optimize import linear_sum_assignment

        count = self.locator.count
        found = np.column_stack([self.locator.x_hmm[:count], self.locator.y_hmm[:count]]) / 100
        apart = np.hypot(*(scene[:, None, :2] - found[None]).transpose(2, 0, 1))
        pairs = zip(*linear_sum_assignment(np.minimum(apart, LOST_MM)), strict=True)
        matched = [-1] * len(scene)
        for i, k in pairs:
            if apart[i, k] < LOST_MM:
                matched[i] = int(k)
        return matched


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


def run(settings: Settings, scheduler: str | None = None) -> tuple[dict[str, Any], np.ndarray]:
    """The whole study on all cores, or on a Dask cluster: (figures, rows of COLUMNS)."""
    parts = each(one_board, [(one,) for one in boards(settings)], scheduler, "judging discs")
    rows = np.vstack([plain for plain, _ in parts])
    return summary(rows, np.vstack([riding for _, riding in parts]), settings, len(parts)), rows


def checked(settings: Settings) -> Settings:
    """The settings, or a UserError that says which of them cannot be."""
    for name, known in (("layout", LAYOUTS), ("build", BUILDS), ("calibration", LEVELS)):
        if getattr(settings, name) not in known:
            raise UserError(f"--{name} {getattr(settings, name)} is not known; choose one of {', '.join(known)}.")
    return settings
