"""How discs get to where a scenario says: paths over the table from the front edge, without physics but plausible.

A scenario gives places, not speeds. The shoved disc runs straight to its place, or first to the discs that it moves;
those slide on from there; what is no longer listed runs off over the nearest edge.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hapenny_sim.boards.acts import DISC_MM, Lying

FRONT_MM = 6.0
SPEED_MM_S = 900.0  # mean, of a disc on its way
LEAST_S = 0.35
CLEARANCE_MM = 27.0  # between the centres of a running disc and one that it passes
TOUCH_MM = 25.5
WIDTH_MM, LENGTH_MM = 368.3, 610.0

Point = tuple[float, float]


@dataclass(frozen=True)
class Leg:
    """A straight slide: from, to, when it begins and ends; the speed falls evenly to `left` of what it was."""

    start: Point
    end: Point
    begin_s: float
    end_s: float

    def at(self, t_s: float) -> Point:
        share = min(1.0, max(0.0, (t_s - self.begin_s) / (self.end_s - self.begin_s)))
        way = share * (2 - share)
        return (
            self.start[0] + way * (self.end[0] - self.start[0]),
            self.start[1] + way * (self.end[1] - self.start[1]),
        )


class Script:
    """Legs of every disc in order, as a path for `acts.Slide`."""

    def __init__(self, legs: list[list[Leg]]) -> None:
        self.legs = legs
        self.duration_s = max((leg.end_s for disc in legs for leg in disc), default=0.0) + 0.05

    def sample(self, times_s: np.ndarray) -> np.ndarray:
        """(len(times), discs, 3): x_mm, y_mm, angle_rad at each time; NaN once a disc has left the board."""
        return np.stack([self.at(float(t_s)) for t_s in times_s])

    def at(self, t_s: float) -> np.ndarray:
        rows = np.zeros((len(self.legs), 3))
        for k, legs in enumerate(self.legs):
            leg = next((leg for leg in legs if t_s < leg.end_s), legs[-1])
            rows[k, :2] = leg.at(t_s)
            off = not (-12 < rows[k, 0] < WIDTH_MM + 12 and rows[k, 1] < LENGTH_MM + 12)
            if off:
                rows[k] = np.nan
        return rows


def standing(place: Point) -> list[Leg]:
    return [Leg(place, place, 0.0, 0.01)]


def duration(start: Point, end: Point) -> float:
    return max(LEAST_S, float(np.hypot(end[0] - start[0], end[1] - start[1])) / SPEED_MM_S)


def way_off(place: Point) -> Point:
    """Beyond the far end or a side, whichever is nearest."""
    x, y = place
    edges = [(LENGTH_MM - y, (x, LENGTH_MM + 30)), (x, (-30.0, y)), (WIDTH_MM - x, (WIDTH_MM + 30, y))]
    return min(edges)[1]


def distance_to_segment(point: Point, start: Point, end: Point) -> float:
    p, a, b = (np.asarray(each, float) for each in (point, start, end))
    along = b - a
    share = np.clip(np.dot(p - a, along) / max(1e-9, float(np.dot(along, along))), 0, 1)
    return float(np.hypot(*(p - a - share * along)))


def launch(target: Point, obstacles: Sequence[Point]) -> Point:
    """Where at the front edge to start so that the straight way to `target` keeps clear of the obstacles."""
    places = sorted(np.arange(20.0, WIDTH_MM - 19.0, 4.0), key=lambda x: abs(x - target[0]))
    clear = {x: min((distance_to_segment(o, (x, FRONT_MM), target) for o in obstacles), default=1e9) for x in places}
    free = [x for x in places if clear[x] >= CLEARANCE_MM]
    best = free[0] if free else max(places, key=lambda x: clear[x])
    return (float(best), FRONT_MM)


def touching(struck: Point, start: Point) -> Point:
    """The place before `struck`, coming from `start`, at which the discs touch."""
    away = np.asarray(start, float) - np.asarray(struck, float)
    place = np.asarray(struck, float) + away / max(1e-9, float(np.hypot(*away))) * TOUCH_MM
    return (float(place[0]), float(place[1]))


def script(before: Sequence[Point], after: Sequence[Point | None], shoved: Point | None) -> Script:
    """The motion of one shove: `after[k]` is where disc k comes to rest, `shoved` the new one; None: it leaves."""
    moved = [k for k, place in enumerate(after) if place != before[k]]
    still = [place for k, place in enumerate(before) if k not in moved]
    if not moved:
        target = shoved if shoved is not None else (float(np.clip(WIDTH_MM / 2, 0, WIDTH_MM)), LENGTH_MM + 30)
        start = launch(target, still)
        return Script([standing(place) for place in before] + [[Leg(start, target, 0.0, duration(start, target))]])
    first = min(moved, key=lambda k: before[k][1])
    start = launch(before[first], [*still, *(before[k] for k in moved if k != first)])
    contact = touching(before[first], start)
    hit_s = duration(start, contact)
    end = shoved if shoved is not None else way_off(contact)
    legs = []
    for k, place in enumerate(before):
        goal = after[k] if k in moved else place
        goal = goal if goal is not None else way_off(place)
        legs.append([Leg(place, place, 0.0, hit_s), Leg(place, goal, hit_s, hit_s + duration(place, goal))])
    legs.append([Leg(start, contact, 0.0, hit_s), Leg(contact, end, hit_s, hit_s + duration(contact, end))])
    return Script(legs)


def rests(discs: Sequence[Lying], after: Sequence[Point | None], on: Sequence[tuple[int, ...]]) -> list[Lying]:
    """What lies when the script has run; `on[k]` are the discs (places among those that stay) under disc k."""
    kept = []
    for disc, place, under in zip(discs, after, on, strict=True):
        if place is not None:
            kept.append(Lying(disc.which, place[0], place[1], disc.angle_rad, under, DISC_MM if under else 0.0))
    return kept
