"""What the board saw against what truly lies on the table: one look at a time, one shove at a time."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from hapenny.rules import events, geometry

from hapenny_sim.boards.acts import Lying
from hapenny_sim.boards.table import SimulatedTable
from hapenny_sim.studies.accuracy import LOST_MM, true_verdict
from hapenny_sim.studies.calls import MISPLACED_MM

PLAYED_MM = 25.0  # a disc whose centre lies nearer to the front edge waits to be shoved: the board need not see it
RECORDS = (events.SHOVE, events.NINE)  # events that say: a disc was shoved
PER_SHOVE = ("missed", "doubled", "misattributed", "hung")
PER_DISC = ("lost", "ghosts", "misplaced", "wrong")
MOVED_MM = 1.0  # a disc that has moved less still lies where it lay

Seen = list[tuple[float, float, int, int]]  # x_mm, y_mm, verdict, the best it may be


@dataclass
class Look:
    """One look at a board at rest: numbers of discs."""

    discs: int = 0  # lying short of the far limit, those left out of account not counted
    lost: int = 0
    ghosts: int = 0
    misplaced: int = 0
    wrong: int = 0
    asked: int = 0
    left_open: int = 0
    off_y_mm: list[float] = field(default_factory=list)  # of those found where they lie
    where: list[tuple[str, float, float]] = field(default_factory=list)  # kind of fault and true place, mm


class Truth:
    """Compares looks at one table. A disc found wrong counts once: it is left out of account until it moves."""

    def __init__(self, table: SimulatedTable) -> None:
        self.table = table
        self.known: dict[int, tuple[float, float]] = {}  # discs left out of account, and where they lie

    def look(self, seen: Seen) -> Look:
        """Compares a picture with the discs as they lie."""
        found = Look()
        lying = self.table.lying
        partner = pairs([(d.x_mm, d.y_mm) for d in lying], [(s[0], s[1]) for s in seen])
        ghosts = [seen[k] for k in range(len(seen)) if k not in partner]
        found.ghosts = len(ghosts)
        found.where += [("ghosts", ghost[0], ghost[1]) for ghost in ghosts]
        for disc, k in zip(lying, partner, strict=True):
            if self.counts(disc):
                found.discs += 1
                if k < 0:
                    found.lost += 1
                    self.leave_out(found, "lost", disc)
                else:
                    self._one(found, disc, seen[k])
        return found

    def _one(self, found: Look, disc: Lying, seen: tuple[float, float, int, int]) -> None:
        x, y, verdict, best = seen
        truth = self.verdict(disc)
        doubt = verdict == geometry.DOUBTED
        if np.hypot(x - disc.x_mm, y - disc.y_mm) > MISPLACED_MM:
            found.misplaced += 1
            self.leave_out(found, "misplaced", disc)
        else:
            found.off_y_mm.append(y - disc.y_mm)
        found.asked += doubt and best < geometry.LINE
        found.left_open += doubt and best >= geometry.LINE
        if not doubt and verdict != truth:
            found.wrong += 1
            self.leave_out(found, "wrong", disc)

    def verdict(self, disc: Lying) -> int:
        """What a perfect referee calls a disc."""
        lying = self.table.lying
        place = lying.index(disc)
        plain = true_verdict(disc.x_mm, disc.y_mm, float(self.table.set.rows[disc.which, 9]), self.table.layout)
        heap = bool(disc.on) or any(place in other.on for other in lying)
        return geometry.STACKED if heap and plain <= geometry.LINE else plain

    def counts(self, disc: Lying) -> bool:
        """Whether the board should see a disc, and it is not left out of account."""
        place = self.known.get(disc.which)
        if place is not None:
            if np.hypot(place[0] - disc.x_mm, place[1] - disc.y_mm) < MOVED_MM:
                return False
            del self.known[disc.which]
        return PLAYED_MM <= disc.y_mm < geometry.OVER_HMM / 100

    def leave_out(self, found: Look, kind: str, disc: Lying) -> None:
        """A fault of a disc counts once."""
        found.where.append((kind, disc.x_mm, disc.y_mm))
        self.known[disc.which] = (disc.x_mm, disc.y_mm)

    def forget(self) -> None:
        """All discs are in hand."""
        self.known.clear()


def pairs(true_mm: list[tuple[float, float]], seen_mm: list[tuple[float, float]]) -> list[int]:
    """Which of the places seen belongs to each true one, -1 if none: all together as near as can be."""
    from scipy.optimize import linear_sum_assignment

    partner = [-1] * len(true_mm)
    if not true_mm or not seen_mm:
        return partner
    apart = np.hypot(*(np.array(true_mm)[:, None] - np.array(seen_mm)[None]).transpose(2, 0, 1))
    for i, k in zip(*linear_sum_assignment(np.minimum(apart, LOST_MM)), strict=True):
        if apart[i, k] < LOST_MM:
            partner[i] = int(k)
    return partner


class Names:
    """Which disc of the set each disc of the game is, as the truth has it."""

    def __init__(self) -> None:
        self.which: list[int] = []  # by place in game.state.discs

    def shove(self, event: tuple, state: Any, shoved: int, lying: list[Lying]) -> bool:
        """Takes a recorded shove in; False if it gives a place to another disc than the one that lies there.

        Where the board lists other discs than lie there (it has lost one, or sees a ghost), only the one that it
        takes for the shoved one is compared.
        """
        discs, gone = event[2], event[4]
        there = [d.which for d in lying]
        partner = pairs([(d[0] / 100, d[1] / 100) for d in discs], [(d.x_mm, d.y_mm) for d in lying])
        listed = [there[k] if k >= 0 else -1 for k in partner]
        right = [w for w in self.which if w in there] + [shoved]
        fair = -1 not in listed and len(set(listed)) == len(listed) and set(listed) == set(right)
        places = {(d[0], d[1]): w for d, w in zip(discs, listed, strict=True)}
        self.which = [places.get((d[0], d[1]), -1) for d in state.discs]
        if fair:
            return listed == right
        return bool(gone) or not listed or listed[-1] in (-1, shoved)

    def keep(self, state: Any, lying: list[Lying]) -> None:
        """The game has changed otherwise: names by place."""
        partner = pairs([(d[0] / 100, d[1] / 100) for d in state.discs], [(d.x_mm, d.y_mm) for d in lying])
        self.which = [lying[k].which if k >= 0 else -1 for k in partner]
