"""What people do at the simulated table, as motion over time: a shove, a disc lifted off, a disc moved by hand."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

DISC_MM = 2.0  # thickness: how much higher a disc lies on another
LIFT_OFF_S = 0.25
LIFTED_MM = 60.0
CARRY_S = 0.5
ADDRESS_S = 0.15  # a disc lies at the front edge for so long before it is shoved
HAND_MM = 45.0  # radius of the shadow of a hand


@dataclass(frozen=True)
class Lying:
    """A disc on the table: which of the set, where, turned how, and on which others (places in the list) it lies."""

    which: int
    x_mm: float
    y_mm: float
    angle_rad: float = 0.0
    on: tuple[int, ...] = ()
    height_mm: float = 0.0


Hand = tuple[float, float, float]  # x_mm, y_mm, radius_mm of its shadow


class Act(Protocol):
    """Something that takes time: `now` gives the table while it lasts, `after` when it is over."""

    duration_s: float

    def now(self, t_s: float) -> list[Lying]: ...
    def hands(self, t_s: float) -> Sequence[Hand]: ...
    def after(self) -> list[Lying]: ...


class Path(Protocol):
    """A trajectory of all discs, as hapenny_sim.physics gives it."""

    duration_s: float

    def sample(self, times_s: np.ndarray) -> np.ndarray: ...


class Slide:
    """Discs follow a trajectory: row k of `path.sample` is `discs[k]`; `rest` is what lies in the end."""

    def __init__(self, discs: list[Lying], path: Path, rest: list[Lying], address_s: float = ADDRESS_S) -> None:
        self.discs = discs
        self.path = path
        self.rest = rest
        self.address_s = address_s
        self.duration_s = address_s + path.duration_s
        self.rows = np.array([(d.which, 0.0, 0.0, 0.0, d.height_mm) for d in discs])

    def places(self, times_s: np.ndarray) -> np.ndarray:
        """The same as `now` for sensors, (times, discs, 5): which, x_mm, y_mm, angle_rad, height_mm; NaN: gone."""
        rows = np.repeat(self.rows[None], len(times_s), axis=0)
        rows[:, :, 1:4] = self.path.sample(np.maximum(times_s - self.address_s, 0.0))
        return rows

    def now(self, t_s: float) -> list[Lying]:
        rows = self.path.sample(np.array([max(0.0, t_s - self.address_s)]))[0].tolist()
        return [
            Lying(disc.which, x, y, turn, disc.on, disc.height_mm)
            for disc, (x, y, turn) in zip(self.discs, rows, strict=True)
            if math.isfinite(x)
        ]

    def hands(self, t_s: float) -> Sequence[Hand]:
        return ()

    def after(self) -> list[Lying]:
        return self.rest


class LiftOff:
    """A hand takes one disc away."""

    duration_s = LIFT_OFF_S

    def __init__(self, discs: list[Lying], index: int) -> None:
        self.discs = discs
        self.index = index

    def now(self, t_s: float) -> list[Lying]:
        share = min(1.0, max(0.0, t_s / self.duration_s))
        taken = replace(self.discs[self.index], height_mm=self.discs[self.index].height_mm + LIFTED_MM * share * share)
        return [taken if i == self.index else disc for i, disc in enumerate(self.discs)]

    def hands(self, t_s: float) -> Sequence[Hand]:
        disc = self.discs[self.index]
        return [(disc.x_mm, disc.y_mm, HAND_MM)]

    def after(self) -> list[Lying]:
        return without(self.discs, self.index)


class Put:
    """A hand lays a disc down."""

    duration_s = LIFT_OFF_S

    def __init__(self, discs: list[Lying], new: Lying) -> None:
        self.discs = discs
        self.new = new

    def now(self, t_s: float) -> list[Lying]:
        share = 1.0 - min(1.0, max(0.0, t_s / self.duration_s))
        return [*self.discs, replace(self.new, height_mm=self.new.height_mm + LIFTED_MM * share * share)]

    def hands(self, t_s: float) -> Sequence[Hand]:
        return [(self.new.x_mm, self.new.y_mm, HAND_MM)]

    def after(self) -> list[Lying]:
        return [*self.discs, self.new]


class Carry:
    """A hand slides some discs to other places: `places` maps the index of a disc to its new (x_mm, y_mm)."""

    duration_s = CARRY_S

    def __init__(self, discs: list[Lying], places: dict[int, tuple[float, float]]) -> None:
        self.discs = discs
        self.places = places

    def now(self, t_s: float) -> list[Lying]:
        share = min(1.0, max(0.0, t_s / self.duration_s))
        return [self._moved(i, disc, share) for i, disc in enumerate(self.discs)]

    def _moved(self, i: int, disc: Lying, share: float) -> Lying:
        x_mm, y_mm = self.places.get(i, (disc.x_mm, disc.y_mm))
        return replace(disc, x_mm=disc.x_mm + share * (x_mm - disc.x_mm), y_mm=disc.y_mm + share * (y_mm - disc.y_mm))

    def hands(self, t_s: float) -> Sequence[Hand]:
        now = self.now(t_s)
        return [(now[i].x_mm, now[i].y_mm, HAND_MM) for i in self.places]

    def after(self) -> list[Lying]:
        return self.now(self.duration_s)


class Hover:
    """A hand over the board that touches nothing."""

    def __init__(self, discs: list[Lying], x_mm: float, y_mm: float, duration_s: float) -> None:
        self.discs = discs
        self.hand = (x_mm, y_mm, HAND_MM)
        self.duration_s = duration_s

    def now(self, t_s: float) -> list[Lying]:
        return self.discs

    def hands(self, t_s: float) -> Sequence[Hand]:
        return [self.hand]

    def after(self) -> list[Lying]:
        return self.discs


def without(discs: list[Lying], index: int) -> list[Lying]:
    """The list without one disc; what lay on it comes down, references are renumbered."""
    kept = []
    for i, disc in enumerate(discs):
        if i != index:
            on = tuple(k - (k > index) for k in disc.on if k != index)
            kept.append(replace(disc, on=on, height_mm=DISC_MM if on else 0.0))
    return kept
