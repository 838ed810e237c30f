"""Who shoves how well: human spread around an aim, levels of skill, and an opponent that plans.

Everything scatters normally around what was meant; no speed falls below nothing. One number, `skill`, sets all
spreads, so a level is one number and can be fitted to how many of five discs end in a bed. The speed has two errors:
one grows with the speed, one does not (STEADY_M_S). So a gentle shove is not easy.
"""

import copy
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from hapenny.rules import events, geometry
from hapenny.rules import game as rules

from hapenny_sim.physics import Physics, Rest, Shove
from hapenny_sim.physics.batch import Played, Zones, play
from hapenny_sim.physics.chance import normals, uniforms
from hapenny_sim.physics.model import BED_MM, FIRST_LINE_MM

FRONT_MM = 6.0  # where a disc's centre lies before it is shoved
# A hand's own unsteadiness, which a gentle shove has as well: per unit of skill, as large as what a shove of this
# speed adds. Assumed: the relative error alone would put 99 of 100 county shoves into bed 1.
STEADY_M_S = 2.0
SPREADS = {"direction_deg": 100.0, "x_mm": 160.0, "spin_rad_s": 640.0}  # per unit of skill
# Skills, fitted (fit_skill, seed 1) so that five discs leave so many in a bed on an empty
# board. How many a beginner, a regular and a county player place is an assumption: no statistics of play were
# found.
PLACED = {"beginner": 1.0, "regular": 1.6, "county": 2.25}
LEVELS = {"beginner": 0.00989, "regular": 0.00494, "county": 0.00303}
DEAD_ZONES = Zones(far_mm=geometry.OVER_HMM / 100, side_mm=geometry.LEFT_HMM / 100)


@dataclass(frozen=True)
class Player:
    """Someone who shoves: `skill` is the relative spread of a fast shove's speed (0 is perfect), `looks` how many
    shoves they weigh.
    """

    name: str = "regular"
    skill: float = LEVELS["regular"]
    looks: int = 24

    def __post_init__(self) -> None:
        if not 0.0 <= self.skill <= 1.0:
            raise ValueError(f"skill: {self.skill!r} is not in 0 .. 1 (the relative spread of the speed).")
        if self.looks < 1:
            raise ValueError(f"looks: {self.looks!r} is not 1 or more.")

    @classmethod
    def level(cls, name: str) -> "Player":
        """A player by level; ValueError lists the levels."""
        if name not in LEVELS:
            raise ValueError(f"level: {name!r} is none of {', '.join(LEVELS)}.")
        return cls(name, LEVELS[name])

    def shove(self, aim: Shove, rng: np.random.Generator) -> Shove:
        """What becomes of an aim in this player's hand."""
        row = self.spread(aim, 1, rng)[0]
        return Shove(*(float(value) for value in row))

    def spread(self, aim: Shove, count: int, rng: np.random.Generator, physics: Physics | None = None) -> np.ndarray:
        """`count` shoves around an aim: rows of x_mm, y_mm, speed_m_s, direction_deg, spin_rad_s."""
        return self.spread_each(np.tile(as_row(aim), (count, 1)), rng.standard_normal((count, 4)), physics)

    def spread_each(self, aims: np.ndarray, noise: np.ndarray, physics: Physics | None = None) -> np.ndarray:
        """A shove around each aim (rows); `noise` is four standard normal numbers to each."""
        width = (physics or Physics()).width_mm
        out = aims.copy()
        out[:, 0] = np.clip(aims[:, 0] + SPREADS["x_mm"] * self.skill * noise[:, 0], 0.0, width)
        speed_spread = self.skill * np.hypot(aims[:, 2], STEADY_M_S)
        out[:, 2] = np.clip(aims[:, 2] + speed_spread * noise[:, 1], 0.0, 20.0)
        out[:, 3] = np.clip(aims[:, 3] + SPREADS["direction_deg"] * self.skill * noise[:, 2], -90.0, 90.0)
        out[:, 4] = aims[:, 4] + SPREADS["spin_rad_s"] * self.skill * noise[:, 3]
        return out


def as_row(shove: Shove) -> np.ndarray:
    """A shove as a row of the batch."""
    return np.array([shove.x_mm, shove.y_mm, shove.speed_m_s, shove.direction_deg, shove.spin_rad_s])


@lru_cache(maxsize=16)
def _ways(physics: Physics) -> tuple[np.ndarray, np.ndarray]:
    """Straight shoves up the middle of the board: (way_mm, speed_m_s), rising."""
    long = replace(physics, length_mm=max(physics.length_mm, 5000.0))
    speeds = np.linspace(0.05, 3.0, 120)
    shoves = np.zeros((len(speeds), 1, 5))
    shoves[:, 0, 0], shoves[:, 0, 1], shoves[:, 0, 2] = physics.width_mm / 2, FRONT_MM, speeds
    played = play(shoves, long, threads=1)
    return np.maximum.accumulate(played.y_mm[:, 0]) - FRONT_MM, speeds


def speed_for(way_mm: float, physics: Physics | None = None) -> float:
    """The speed (m/s) with which a disc shoved straight up the empty board goes `way_mm`."""
    ways, speeds = _ways(physics or Physics())
    return float(np.interp(math.sqrt(max(way_mm, 0.0)), np.sqrt(np.maximum(ways, 0.0)), speeds))


def bed_middle_mm(bed: int) -> float:
    """The y of the middle of a bed (1..9)."""
    return FIRST_LINE_MM + BED_MM * (bed - 0.5)


def aim_at(x_mm: float, y_mm: float, physics: Physics, from_x_mm: float | None = None) -> Shove:
    """The shove that rests at a place on an empty board, from straight below or from `from_x_mm`."""
    start = x_mm if from_x_mm is None else from_x_mm
    way = math.hypot(x_mm - start, y_mm - FRONT_MM)
    return Shove(start, FRONT_MM, speed_for(way, physics), math.degrees(math.atan2(x_mm - start, y_mm - FRONT_MM)))


def beds(x_mm: np.ndarray, y_mm: np.ndarray) -> np.ndarray:
    """The bed (1..9) each place is wholly inside, else 0: geometry.verdict for arrays of millimetres."""
    x, y = np.floor(x_mm * 100 + 0.5), np.floor(y_mm * 100 + 0.5)
    above = np.mod(y - geometry.FIRST_LINE_HMM, geometry.LINE_PITCH_HMM)
    bed = np.floor_divide(y - geometry.FIRST_LINE_HMM, geometry.LINE_PITCH_HMM) + 1
    inside = (x >= geometry.LEFT_HMM) & (x <= geometry.RIGHT_HMM) & (bed >= 1) & (bed <= geometry.BEDS)
    clear = (above >= geometry.CLEAR_HMM) & (geometry.LINE_PITCH_HMM - above >= geometry.CLEAR_HMM)
    return np.where(inside & clear, bed, 0).astype(int)


def practice(player: Player, turns: int, seed: int, physics: Physics | None = None, first: int = 0) -> Played:
    """Turns of five on an empty board, each disc aimed at the middle of a bed drawn at random, somewhere across it.

    Turn number `first` + k has its own random stream, whatever other turns are played with it.
    """
    physics = physics or Physics()
    numbers = np.arange(first, first + turns)
    where = uniforms(2 * seed, numbers, 10).reshape(-1, 2)
    noise = normals(2 * seed + 1, numbers, 20).reshape(-1, 4)
    ways, speeds = _ways(physics)
    aims = np.zeros((turns * 5, 5))
    aims[:, 0] = 60.0 + (physics.width_mm - 120.0) * where[:, 0]
    aims[:, 1] = FRONT_MM
    middle = FIRST_LINE_MM + BED_MM * (np.floor(9 * where[:, 1]) + 0.5) - FRONT_MM
    aims[:, 2] = np.interp(np.sqrt(middle), np.sqrt(np.maximum(ways, 0.0)), speeds)
    shoves = player.spread_each(aims, noise, physics).reshape(turns, 5, 5)
    return play(shoves, physics, zones=DEAD_ZONES)


def placed(player: Player, turns: int = 4000, seed: int = 1, physics: Physics | None = None) -> float:
    """Discs in a bed per turn of five in practice."""
    played = practice(player, turns, seed, physics)
    return float(((beds(played.x_mm, played.y_mm) > 0) & (played.fate == 0) & (played.on < 0)).sum() / turns)


def fit_skill(wanted: float, turns: int = 4000, seed: int = 1, physics: Physics | None = None) -> float:
    """The skill with which a player places `wanted` of five discs in practice (bisection; 0.9 to 4.5)."""
    if not 0.9 <= wanted <= 4.5:
        raise ValueError(f"wanted: {wanted!r} discs a turn are not in 0.9 .. 4.5.")
    low, high = 1e-4, 0.3
    for _ in range(18):
        middle = math.sqrt(low * high)
        low, high = (middle, high) if placed(Player("", middle), turns, seed, physics) > wanted else (low, middle)
    return math.sqrt(low * high)


# The opponent that plans


def plan(
    lying: Sequence[Rest], game: rules.Game, player: Player, physics: Physics | None = None, seed: int = 0
) -> Shove:
    """The aim with the best expected gain: candidates tried with this player's own spread and judged by the
    rules engine.
    """
    physics = physics or Physics()
    rng = np.random.default_rng(seed)
    aims = candidates(lying, game, physics, rng)
    rows = np.concatenate([player.spread(aim, player.looks, rng, physics) for aim in aims])
    places = np.array([[disc.x_mm, disc.y_mm, disc.on >= 0] for disc in lying], dtype=float).reshape(-1, 3)
    played = play(rows[:, None, :], physics, places, zones=DEAD_ZONES)
    gains = Gains(game)
    values = np.array([gains.of(played, k) for k in range(len(rows))]).reshape(len(aims), player.looks)
    return aims[int(values.mean(axis=1).argmax())]


def opening_aim(lying: Sequence[Rest], physics: Physics | None = None) -> Shove:
    """A shove for the order of play: into the middle of bed 9, along the free lane nearest to the middle."""
    physics = physics or Physics()
    lanes = free_lanes(lying, bed_middle_mm(9), physics, np.random.default_rng(0))
    middle = physics.width_mm / 2
    return aim_at(min(lanes, key=lambda x: abs(x - middle), default=middle), bed_middle_mm(9), physics)


def quick_aim(lying: Sequence[Rest], game: rules.Game, physics: Physics, rng: np.random.Generator) -> Shove:
    """An aim without looking ahead: a bed still needed, along a free lane."""
    wanted = needed(game) or list(range(1, 10))
    bed = int(rng.choice(wanted))
    lanes = free_lanes(lying, bed_middle_mm(bed), physics, rng)
    x = lanes[0] if lanes else float(rng.uniform(65.0, physics.width_mm - 65.0))
    return aim_at(x, bed_middle_mm(bed), physics)


def candidates(lying: Sequence[Rest], game: rules.Game, physics: Physics, rng: np.random.Generator) -> list[Shove]:
    """Shoves worth a look: into every bed still needed, along free lanes; and cannons that push a lying disc
    into one.
    """
    wanted = needed(game) or list(range(1, 10))
    out = []
    for bed in wanted:
        for x in free_lanes(lying, bed_middle_mm(bed), physics, rng)[:4]:
            out.append(aim_at(x, bed_middle_mm(bed), physics))
    for disc in lying:
        for bed in wanted:
            push = bed_middle_mm(bed) - disc.y_mm
            if 0.0 < push < 150.0:
                out.append(cannon(disc, push, physics))
    return out or [aim_at(physics.width_mm / 2, bed_middle_mm(5), physics)]


def cannon(disc: Rest, push_mm: float, physics: Physics) -> Shove:
    """A shove straight at a lying disc that sends it `push_mm` on: it leaves with (1 + e)/2 of the speed of the
    blow.
    """
    way = max(disc.y_mm - 2 * physics.radius_mm - FRONT_MM, 0.0)
    blow = speed_for(push_mm, physics) * 2 / (1 + physics.restitution)
    return Shove(disc.x_mm, FRONT_MM, math.sqrt(blow**2 + speed_for(way, physics) ** 2))


def free_lanes(lying: Sequence[Rest], y_mm: float, physics: Physics, rng: np.random.Generator) -> list[float]:
    """Places across the board from which the straight way up to y_mm is free, in random order."""
    lanes = rng.permutation(np.linspace(65.0, physics.width_mm - 65.0, 12))
    reach = 2 * physics.radius_mm
    return [
        float(x)
        for x in lanes
        if all(abs(disc.x_mm - x) > reach + 4.0 or disc.y_mm > y_mm + reach + 4.0 for disc in lying)
    ]


def needed(game: rules.Game) -> list[int]:
    """Beds the side in turn still needs, those already filled by discs lying in them left out."""
    state = game.state
    if state.turn < 0 or not len(state.marks):
        return list(range(1, 10))
    there = [geometry.verdict(disc[0], disc[1]) for disc in state.discs] if not state.old else []
    at = state.turn * 9
    return [bed for bed in range(1, 10) if state.marks[at + bed - 1] + there.count(bed) < state.targets[at + bed - 1]]


class Gains:
    """What a turn would be worth if it ended with the discs as they lie, by the rules engine; equal verdicts
    are judged once.
    """

    GIFT, WIN = 0.7, 5.0  # what a mark given away costs, and a win is worth, in own marks

    def __init__(self, game: rules.Game) -> None:
        self.state = game.state
        self.known: dict[tuple[int, ...], float] = {}

    def of(self, played: Played, turn: int) -> float:
        """The value of one played turn of a batch."""
        lie = [k for k in range(played.x_mm.shape[1]) if played.fate[turn, k] == 0]
        spots = [
            (int(played.x_mm[turn, k] * 100 + 0.5), int(played.y_mm[turn, k] * 100 + 0.5))
            for k in lie
            if played.on[turn, k] < 0
        ]
        return self.value(spots)

    def value(self, spots: list[tuple[int, int]]) -> float:
        """The value of discs at these places (hundredths of a millimetre)."""
        key = tuple(sorted(geometry.verdict(x, y) for x, y in spots))
        if key not in self.known:
            self.known[key] = self._judge(spots)
        return self.known[key]

    def _judge(self, spots: list[tuple[int, int]]) -> float:
        state = copy.deepcopy(self.state)
        if state.turn < 0 or not len(state.marks):
            return float(sum(1 <= geometry.verdict(x, y) <= 9 for x, y in spots))
        side, before = state.turn, list(state.marks)
        state.shoves, state.discs, state.old, state.retake = 1, [], 0, 0
        out = rules.Outcome()
        if spots and rules.apply(state, events.shove([events.disc(x, y) for x, y in spots], hit=[]), out):
            return 0.0
        gained = [after - was for after, was in zip(state.marks, before, strict=True)]
        own = sum(gained[side * 9 : side * 9 + 9])
        won = self.WIN if state.winner == side else -self.WIN if state.winner >= 0 else 0.0
        return own - self.GIFT * (sum(gained) - own) + won
