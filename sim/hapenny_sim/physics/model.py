"""What can be set: the disc, the board and the shove, checked, and as the flat numbers the kernels read."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from hapenny_sim.physics.curves import Curves, curves
from hapenny_sim.physics.friction import INNER_MAX, contact

EDGES = ("left", "right", "far", "front")
FIRST_LINE_MM, BED_MM, LINES, GROOVE_MM, SIDE_LINE_MM = 101.6, 31.75, 10, 0.8, 31.75
MU0_BY_4PI = 1e-7  # T m/A
PATCHES_MAX, WALLS_MAX = 64, 23


@dataclass(frozen=True)
class Patch:
    """A round place of the board with other friction: `factor` at its middle, 1 at its rim, smooth between."""

    x_mm: float
    y_mm: float
    radius_mm: float
    factor: float


@dataclass(frozen=True)
class Rest:
    """A disc lying on the board, or on another one (`on` is that one's index in the same list)."""

    x_mm: float
    y_mm: float
    angle_rad: float = 0.0
    on: int = -1


@dataclass(frozen=True)
class Shove:
    """A disc let go: where its centre is, how fast, towards where (degrees right of straight ahead), with what spin."""

    x_mm: float
    y_mm: float = 6.0
    speed_m_s: float = 1.1
    direction_deg: float = 0.0
    spin_rad_s: float = 0.0


@dataclass(frozen=True)
class Physics:
    """All parameters; docs/physics.md says which are measured and which assumed.

    Tilt is positive where the right side or the far end is lower. Friction at a rim speed V is friction * (fast +
    (1 - fast) / (1 + V/friction_speed_m_s)). `lifts_raised` are line numbers 1..10. `ride_up_m_s` is the approach
    speed from which a disc climbs onto the one it hits, keeping `ride_keep` of that speed. `magnet_a_m2` is each
    disc's dipole moment.
    """

    friction: float = 0.20
    friction_across: float | None = None
    friction_fast: float = 1.0
    friction_speed_m_s: float = 1.0
    restitution: float = 0.6
    disc_friction: float = 0.2
    radius_mm: float = 12.7
    mass_g: float = 7.6
    contact_inner: float = 0.0
    width_mm: float = 368.3
    length_mm: float = 610.0
    tilt_side_deg: float = 0.0
    tilt_far_deg: float = 0.0
    patches: tuple[Patch, ...] = ()
    groove_grip: float = 0.0
    lifts_raised: tuple[int, ...] = ()
    fence: tuple[str, ...] = ()
    fence_restitution: float = 0.5
    ride_up_m_s: float = 1.4
    ride_keep: float = 0.53
    magnet_a_m2: float = 0.0
    gravity_m_s2: float = 9.81

    def __post_init__(self) -> None:
        for name, (low, high) in LIMITS.items():
            value = getattr(self, name)
            if value is not None:
                within(name, value, low, high)
        if len(self.patches) > PATCHES_MAX:
            raise ValueError(f"patches: {len(self.patches)} are more than the {PATCHES_MAX} allowed.")
        for patch in self.patches:
            for field in fields(patch):
                within(f"patches {field.name}", getattr(patch, field.name), *PATCH_LIMITS[field.name])
        for name, value, allowed in (
            ("lifts_raised", self.lifts_raised, range(1, LINES + 1)),
            ("fence", self.fence, EDGES[:3]),
        ):
            for item in value:
                if item not in allowed:
                    raise ValueError(f"{name}: {item!r} is not one of {', '.join(map(str, allowed))}.")
        self._check_stays()

    def _check_stays(self) -> None:
        """Refuse a board on which a disc would never come, or stay, at rest."""
        least = min(self.friction, self.friction_across or self.friction) * min(1.0, self.friction_fast)
        for patch in self.patches:
            least *= min(1.0, patch.factor)
        slope = math.hypot(math.tan(math.radians(self.tilt_side_deg)), math.tan(math.radians(self.tilt_far_deg)))
        if slope > 0.0 and slope >= least:
            raise ValueError(
                f"tilt_side_deg, tilt_far_deg: a slope of {slope:.3f} lets discs slide for ever; "
                f"it must be less than the least friction, {least:.3f}."
            )
        push = magnet_push(self) / (2 * self.radius_mm) ** 4
        if push > 0.5 * least * self.gravity_m_s2 * 1000:
            raise ValueError(
                "magnet_a_m2: the magnets would move discs at rest; their push on touching discs must be less than "
                f"half the friction, which it is below {self._magnet_limit(least):.3f} A m2."
            )

    def _magnet_limit(self, least: float) -> float:
        unit = 3 * MU0_BY_4PI / (self.mass_g / 1000) * 1e15
        return math.sqrt(0.5 * least * self.gravity_m_s2 * 1000 * (2 * self.radius_mm) ** 4 / unit)

    @property
    def plain(self) -> bool:
        """True where the closed form holds: friction the same everywhere, level, no walls and no magnets."""
        return (
            self.friction_across in (None, self.friction)
            and self.friction_fast == 1.0
            and not self.patches
            and self.groove_grip == 0.0
            and not self.lifts_raised
            and not self.fence
            and self.magnet_a_m2 == 0.0
            and self.tilt_side_deg == 0.0
            and self.tilt_far_deg == 0.0
        )


LIMITS = {
    "friction": (0.001, 2.0),
    "friction_across": (0.001, 2.0),
    "friction_fast": (0.1, 10.0),
    "friction_speed_m_s": (0.01, 100.0),
    "restitution": (0.0, 1.0),
    "disc_friction": (0.0, 2.0),
    "radius_mm": (1.0, 100.0),
    "mass_g": (0.1, 1000.0),
    "contact_inner": (0.0, INNER_MAX),
    "width_mm": (50.0, 1e6),
    "length_mm": (50.0, 1e6),
    "tilt_side_deg": (-20.0, 20.0),
    "tilt_far_deg": (-20.0, 20.0),
    "groove_grip": (0.0, 20.0),
    "fence_restitution": (0.0, 1.0),
    "ride_up_m_s": (0.05, math.inf),
    "ride_keep": (0.5, 1.0),
    "magnet_a_m2": (0.0, 1.0),
    "gravity_m_s2": (0.1, 100.0),
}
PATCH_LIMITS = {"x_mm": (-1e6, 1e6), "y_mm": (-1e6, 1e6), "radius_mm": (1.0, 1e6), "factor": (0.1, 10.0)}
SHOVE_LIMITS = {
    "x_mm": (-1e6, 1e6),
    "y_mm": (-1e6, 1e6),
    "speed_m_s": (0.0, 20.0),
    "direction_deg": (-360.0, 360.0),
    "spin_rad_s": (-2000.0, 2000.0),
}


def within(name: str, value: float, low: float, high: float) -> float:
    """The value, or a ValueError naming the argument and the allowed range (NaN is in no range)."""
    try:
        fits = low <= value <= high
    except TypeError:
        fits = False
    if not fits:
        raise ValueError(f"{name}: {value!r} is not in {low:g} .. {high:g}.")
    return value


def magnet_push(physics: Physics) -> float:
    """k of the acceleration k/r^4 (mm^5/s^2) between two upright dipoles side by side: 3 mu0 m^2 / (4 pi r^4)
    over the mass.
    """
    return 3 * MU0_BY_4PI * physics.magnet_a_m2**2 / (physics.mass_g / 1000) * 1e15


class Model(NamedTuple):
    """Physics as the kernels read it: millimetres and seconds, complex numbers for vectors (x + iy)."""

    weight: float  # normal force per mass
    slope: complex  # acceleration by tilt
    mu_x: float
    mu_y: float
    fast: float
    fast_speed: float
    restitution: float
    disc_friction: float
    radius: float
    patched: int
    patches: np.ndarray  # rows of x, y, radius, factor; the first `patched` count
    groove_grip: float
    uneven: bool  # whether friction depends on the place
    walls: int
    wall_out: np.ndarray  # unit normals towards the walls, complex; the first `walls` count
    wall_at: np.ndarray  # where along the normal a disc's centre is stopped
    wall_restitution: float
    width: float
    length: float
    ride_speed: float
    ride_keep: float
    magnet: float
    contact: np.ndarray
    curves: Curves


@lru_cache(maxsize=16)
def model(physics: Physics) -> Model:
    """The kernels' numbers for a Physics."""
    side, far = math.radians(physics.tilt_side_deg), math.radians(physics.tilt_far_deg)
    steep = 1.0 / math.sqrt(1.0 + math.tan(side) ** 2 + math.tan(far) ** 2)
    weight = physics.gravity_m_s2 * 1000 * steep
    across = physics.friction if physics.friction_across is None else physics.friction_across
    out, at = _walls(physics)
    return Model(
        weight=weight,
        slope=weight * complex(math.tan(side), math.tan(far)),
        mu_x=across,
        mu_y=physics.friction,
        fast=physics.friction_fast,
        fast_speed=physics.friction_speed_m_s * 1000,
        restitution=physics.restitution,
        disc_friction=physics.disc_friction,
        radius=physics.radius_mm,
        patched=len(physics.patches),
        patches=_filled(PATCHES_MAX, [astuple(p) for p in physics.patches] or [(0.0,) * 4]),
        groove_grip=physics.groove_grip,
        uneven=bool(physics.patches) or physics.groove_grip > 0.0,
        walls=len(out),
        wall_out=_filled(WALLS_MAX, out or [0j]),
        wall_at=_filled(WALLS_MAX, at or [0.0]),
        wall_restitution=physics.fence_restitution,
        width=physics.width_mm,
        length=physics.length_mm,
        ride_speed=physics.ride_up_m_s * 1000,
        ride_keep=physics.ride_keep,
        magnet=magnet_push(physics),
        contact=contact(physics.contact_inner).table,
        curves=curves(physics.contact_inner),
    )


def _filled(rows: int, values: Sequence) -> np.ndarray:
    """An array of a fixed number of rows (the compiled kernels want fixed shapes), the first ones given."""
    out = np.zeros((rows, *np.shape(values)[1:]), dtype=np.asarray(values).dtype)
    out[: len(values)] = values
    return out


def _walls(physics: Physics) -> tuple[list[complex], list[float]]:
    r = physics.radius_mm
    walls = {"left": (-1 + 0j, -r), "right": (1 + 0j, physics.width_mm - r), "far": (1j, physics.length_mm - r)}
    chosen = [walls[name] for name in physics.fence]
    for number in physics.lifts_raised:
        line, half = FIRST_LINE_MM + BED_MM * (number - 1), GROOVE_MM / 2
        chosen += [(1j, line - half - r), (-1j, -(line + half + r))]
    return [w[0] for w in chosen], [w[1] for w in chosen]
