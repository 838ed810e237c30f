"""Starts of any kind, drawn by a seed: all of them must end, with finite numbers and no disc inside another."""

from typing import Any

import numpy as np

from hapenny_sim.physics import Patch, Physics
from hapenny_sim.physics.batch import ABSENT, ON_BOARD, Played, play

PIECE = 4000  # starts on one board at a time
REFUSED_EVERY = 100  # one start in so many has discs that overlap and must be refused
OVERLAP_MM = 1e-6  # what is called an overlap
BOARDS = (
    Physics(),
    Physics(ride_up_m_s=np.inf, tilt_side_deg=0.3, friction_across=0.19, friction_fast=0.9),
    Physics(fence=("left", "right", "far"), restitution=0.3, tilt_far_deg=-0.5),
    Physics(restitution=0.0),
    Physics(restitution=1.0, disc_friction=0.0),
    Physics(lifts_raised=(3, 8), groove_grip=2.0, patches=(Patch(184.0, 250.0, 90.0, 0.7),)),
    Physics(magnet_a_m2=0.048, contact_inner=0.8, tilt_side_deg=-0.2),
    Physics(friction=0.1, friction_across=0.12, ride_up_m_s=0.8, disc_friction=0.5),
)


def racks(turns: int, seed: int = 1) -> np.ndarray:
    """Six discs touching each other (a disc and five around it), somewhere on the board, for shoves to break."""
    rng = np.random.default_rng(seed)
    middle = np.stack([rng.uniform(60, 308, turns), rng.uniform(60, 450, turns)], axis=1)
    turned = rng.uniform(0, 2 * np.pi, turns)[:, None] + np.pi / 3 * np.arange(5)
    around = middle[:, None] + 25.4 * np.stack([np.cos(turned), np.sin(turned)], axis=2)
    return np.concatenate([middle[:, None], around], axis=1)


def starts(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """(lying, shoves): touching and almost touching racks with gaps, discs at the edges; two shoves over them, at
    rest, crawling, fast, spinning, also from over other discs and from before the front edge.
    """
    lying = racks(count, int(rng.integers(2**31)))
    middle = lying[:, :1]
    apart = rng.choice([0.0, 1e-9, 1e-6, 1e-3, 1.0, 30.0], (count, 1, 1))
    lying = middle + (lying - middle) * (1 + apart / 25.4)
    moved = rng.random(count) < 0.4  # some racks lie over an edge, the discs off the board left out
    lying[moved, :, 0] += rng.choice([-1.0, 1.0], (moved.sum(), 1)) * rng.uniform(0, 300, (moved.sum(), 1))
    lying[moved, :, 0] = np.where(rng.random((moved.sum(), 6)) < 0.1, 0.0, lying[moved, :, 0])
    outside = (lying < 0).any(axis=2) | (lying[..., 0] > 368.3) | (lying[..., 1] > 610.0)
    lying[outside | (rng.random((count, 6)) < 0.3)] = np.nan
    lying[_overlapping(lying)] = np.nan
    shoves = np.zeros((count, 2, 5))
    shoves[..., 0] = rng.uniform(0, 368.3, (count, 2))
    shoves[..., 1] = rng.choice([-12.7, -5.0, 0.0, 6.0, 30.0, 200.0, 600.0, 610.0], (count, 2))
    shoves[..., 2] = rng.choice([0.0, 1e-6, 0.05, 1.0, 2.0, 12.0, 20.0], (count, 2))
    shoves[..., 3] = np.where(
        rng.random((count, 2)) < 0.8, rng.normal(0, 30, (count, 2)), rng.uniform(-180, 180, (count, 2))
    )
    shoves[..., 3] = shoves[..., 3].clip(-180, 180)
    shoves[..., 4] = rng.choice([0.0, 1e-3, 30.0, -200.0, 600.0], (count, 2))
    return lying, shoves


def _overlapping(lying: np.ndarray) -> np.ndarray:
    """Which discs lie in an earlier one of their turn."""
    out = np.zeros(lying.shape[:2], dtype=bool)
    for a in range(lying.shape[1]):
        for b in range(a):
            gap = np.hypot(*np.moveaxis(lying[:, a] - lying[:, b], 1, 0))
            out[:, a] |= ~out[:, b] & (gap < 25.4 - 1e-7)
    return out


def fuzz(count: int, seed: int, piece: int = PIECE) -> dict[str, Any]:
    """Play `count` starts over all BOARDS: how many there were, were refused, given up, not finite, and the worst
    overlap.
    """
    found = {"starts": 0, "seed": seed, "refused": 0, "not_refused": 0, "given_up": 0, "not_finite": 0,
             "worst_overlap_mm": 0.0}  # fmt: skip
    for number in range(-(-count // piece)):
        rng = np.random.default_rng([seed, number])
        physics = BOARDS[number % len(BOARDS)]
        lying, shoves = starts(min(piece, count - number * piece), rng)
        played = play(shoves, physics, lying)
        found["starts"] += len(shoves)
        found["given_up"] += int(played.capped.sum())
        found["not_finite"] += int((~finite(played)).sum())
        found["worst_overlap_mm"] = max(found["worst_overlap_mm"], overlap(played, 2 * physics.radius_mm))
        for k in range(0, len(shoves), REFUSED_EVERY):
            found["refused" if refused(lying[k], shoves[k], physics, rng) else "not_refused"] += 1
    return found


def finite(played: Played) -> np.ndarray:
    """Whether all numbers of each turn are finite."""
    there = played.fate != ABSENT
    return ((np.isfinite(played.x_mm) & np.isfinite(played.y_mm)) | ~there).all(axis=1)


def overlap(played: Played, reach_mm: float) -> float:
    """The deepest that two discs on the board sink into each other, mm."""
    there = (played.fate == ON_BOARD) & (played.on < 0)
    worst = 0.0
    for a in range(there.shape[1]):
        for b in range(a):
            gap = np.hypot(played.x_mm[:, a] - played.x_mm[:, b], played.y_mm[:, a] - played.y_mm[:, b])
            worst = max(worst, float((reach_mm - gap)[there[:, a] & there[:, b]].max(initial=0.0)))
    return worst


def refused(lying: np.ndarray, shoves: np.ndarray, physics: Physics, rng: np.random.Generator) -> bool:
    """Whether a start is refused as it must be once another disc lies 1e-5 to 25 mm deep in one of its discs."""
    spots = lying[~np.isnan(lying).any(axis=1)]
    spot = spots[0] if len(spots) else np.array([184.0, 250.0])
    away = 25.4 - 10.0 ** rng.uniform(-5, np.log10(25.0))
    other = spot + away * np.array([1.0 if spot[0] < 184 else -1.0, 0.0])
    try:
        play(shoves[None], physics, np.array([spot, other]))
    except ValueError as refusal:
        return "overlap" in str(refusal)
    return False


def told(found: dict[str, Any]) -> str:
    """For people."""
    return (
        f"fuzzed: {found['starts']:,} starts (seed {found['seed']}), {found['given_up']} given up, "
        f"{found['not_finite']} not finite, worst overlap {found['worst_overlap_mm']:.1e} mm; "
        f"{found['refused']:,} of {found['refused'] + found['not_refused']:,} overlapping starts refused"
    )
