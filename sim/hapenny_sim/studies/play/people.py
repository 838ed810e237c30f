"""How people shove: where from, how hard, at what, in each style of play."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from hapenny_link.errors import UserError

from hapenny_sim.physics import Physics, Rest, Shove
from hapenny_sim.players import FRONT_MM, Player, aim_at, bed_middle_mm, cannon, speed_for

MIDDLE_MM = 184.15
PRESETS = ("encyclopedia", "pub", "quick", "pushpenny", "timed")
EDGE_MM = 14.0  # nobody lays a disc down nearer to a side edge,
BESIDE_MM = 0.5  # ... or nearer to another disc
SPEED_MIN = 0.25  # m/s: people who only nudge a disc over the edge take it back and shove


@dataclass(frozen=True)
class Style:
    """One way to play: the preset it is mostly seen with, and how it shoves."""

    preset: str
    shove: Callable[["Shover", Sequence[Rest]], Shove]


class Shover:
    """Somebody who shoves in one style, for one turn. `skill` names a level of hapenny_sim.players."""

    def __init__(self, style: str, skill: str, rng: np.random.Generator, physics: Physics) -> None:
        self.style = STYLES[style]
        self.player = Player.level(skill)
        self.rng = rng
        self.physics = physics
        self.exact = rng.random() < 0.3  # straight: from the very middle, straight up
        self.from_mm = float(rng.uniform(70, 300))  # weak: mostly from the same place

    def shove(self, lying: Sequence[Rest]) -> Shove:
        """The next shove over discs at rest."""
        aim = self.style.shove(self, lying)
        x = self.free(aim.x_mm, lying)
        return Shove(x, FRONT_MM, max(aim.speed_m_s, SPEED_MIN), aim.direction_deg, aim.spin_rad_s)

    def free(self, x_mm: float, lying: Sequence[Rest]) -> float:
        """Where the disc can be laid to be shoved, on the board and beside others, nearest to x."""
        low, high = EDGE_MM, self.physics.width_mm - EDGE_MM
        reach = 2 * self.physics.radius_mm + BESIDE_MM
        near = [disc for disc in lying if abs(disc.y_mm - FRONT_MM) < reach]
        halves = [(disc.x_mm, math.sqrt(reach**2 - (disc.y_mm - FRONT_MM) ** 2)) for disc in near]
        places = [x_mm, low, high, *(x + side * half for x, half in halves for side in (-1, 1))]
        free = [p for p in places if low <= p <= high and all(abs(p - x) >= half - 1e-9 for x, half in halves)]
        return min(free, key=lambda p: abs(p - x_mm))

    def hand(self, aim: Shove) -> Shove:
        """An aim with this player's own spread."""
        return self.player.shove(aim, self.rng)

    def beyond(self, x_mm: float, y_mm: float, lying: Sequence[Rest]) -> float:
        """The speed that ends at about y on a bare way: discs in it stop a shove, and people shove harder."""
        reach = 2 * self.physics.radius_mm
        in_way = sum(abs(d.x_mm - x_mm) < reach and d.y_mm < y_mm for d in lying)
        return speed_for(y_mm - FRONT_MM, self.physics) * (1 + 0.05 * in_way)


def ordinary(who: Shover, lying: Sequence[Rest]) -> Shove:
    """Any bed, anywhere across."""
    bed = int(who.rng.integers(1, 10))
    return who.hand(aim_at(float(who.rng.uniform(60.0, 308.0)), bed_middle_mm(bed), who.physics))


def weak(who: Shover, lying: Sequence[Rest]) -> Shove:
    """Many stop short of the first line, or on it; mostly from the same place, so that the next push them on."""
    rng = who.rng
    x = who.from_mm + float(rng.normal(0, 8)) if rng.random() < 0.6 else float(rng.uniform(60.0, 308.0))
    y = float(rng.uniform(32.0, 116.0)) if rng.random() < 0.65 else bed_middle_mm(int(rng.integers(1, 6)))
    return who.hand(Shove(x, FRONT_MM, who.beyond(x, y, lying)))


def straight(who: Shover, lying: Sequence[Rest]) -> Shove:
    """Again and again from the board's middle, straight up: exactly, or as a hand does, a millimetre or two off."""
    rng = who.rng
    speed = who.beyond(MIDDLE_MM, float(rng.uniform(50.0, 390.0)), lying)
    if who.exact:
        return Shove(MIDDLE_MM, FRONT_MM, speed)
    return Shove(MIDDLE_MM + float(rng.normal(0, 1.2)), FRONT_MM, speed, float(rng.normal(0, 0.25)),
                 float(rng.normal(0, 1.0)))  # fmt: skip


def cannons(who: Shover, lying: Sequence[Rest]) -> Shove:
    """Aimed at a disc that lies there, to push it a bed or some further; the first discs of a turn to be struck."""
    rng = who.rng
    there = [disc for disc in lying if disc.y_mm > 60.0]
    if not there or rng.random() < 0.15:
        return who.hand(aim_at(float(rng.uniform(80.0, 290.0)), float(rng.uniform(90.0, 260.0)), who.physics))
    disc = there[int(rng.integers(len(there)))]
    aim = cannon(disc, float(rng.uniform(5.0, 120.0)), who.physics)
    return who.hand(Shove(aim.x_mm + float(rng.normal(0, 5.0)), FRONT_MM, aim.speed_m_s))


STYLES = {
    "ordinary": Style("encyclopedia", ordinary),
    "weak": Style("pub", weak),
    "straight": Style("pub", straight),
    "cannons": Style("encyclopedia", cannons),
}
MIXED = {"ordinary": 0.6, "weak": 0.15, "straight": 0.1, "cannons": 0.15}  # of turns; of what a pub sees, an assumption
SKILLS = {"beginner": 0.4, "regular": 0.5, "county": 0.1}
RULES = {"encyclopedia": 0.45, "pub": 0.35, "quick": 0.05, "pushpenny": 0.1, "timed": 0.05}


def drawn(shares: dict[str, float], rng: np.random.Generator) -> str:
    """One of the names, with these chances."""
    return str(rng.choice(list(shares), p=np.array(list(shares.values())) / sum(shares.values())))


def next_shover(style: str, rng: np.random.Generator, physics: Physics) -> Shover:
    """Who has the next turn."""
    mixed = style == "mixed"
    return Shover(drawn(MIXED, rng) if mixed else style, drawn(SKILLS, rng) if mixed else "regular", rng, physics)


def next_preset(style: str, preset: str, rng: np.random.Generator) -> str:
    """The rules of the next match: as wanted, else mixed, else those the style is mostly seen with."""
    if preset:
        return preset
    return drawn(RULES, rng) if style == "mixed" else STYLES[style].preset


def checked(style: str, preset: str) -> None:
    """UserError unless there are such a style and preset."""
    if style not in (*STYLES, "mixed"):
        raise UserError(f"--style {style} is not known; choose one of {', '.join(STYLES)}, mixed.")
    if preset and preset not in PRESETS:
        raise UserError(f"--preset {preset} cannot be played here; choose one of {', '.join(PRESETS)}.")
