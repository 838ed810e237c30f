"""One shove until all is at rest, in plain Python, with the whole path kept: for display, replay and the sensors."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hapenny_sim.physics.impact import STOP_MM_S
from hapenny_sim.physics.model import (
    BED_MM,
    EDGES,
    FIRST_LINE_MM,
    GROOVE_MM,
    LINES,
    SHOVE_LIMITS,
    Physics,
    Rest,
    Shove,
    model,
    within,
)
from hapenny_sim.physics.scene import GONE, MOVES, Scene, advance, new_scene, support, wake

KINDS = ("step", "impact", "ride", "land", "edge", "wall", "rest")
TOLERANCE_MM = 1e-6  # of one step
LONGEST_S = 0.01  # between two knots of a path, so that cubics between them are exact enough
EVENTS_MAX = 100_000


@dataclass(frozen=True)
class Event:
    """Something that happened: `kind` one of KINDS but step, `other` a disc (impact, ride), an edge or a wall,
    else -1.
    """

    t_s: float
    kind: str
    disc: int
    other: int
    speed_mm_s: float


@dataclass(frozen=True)
class Final:
    """Where a disc ended: on the board, upon disc `on`, or gone where its centre passed `edge`."""

    x_mm: float
    y_mm: float
    angle_rad: float
    edge: str
    on: int


@dataclass
class _Track:
    """One disc's knots; between two the path is the cubic through places and speeds."""

    t_s: list[float] = field(default_factory=list)
    pos: list[complex] = field(default_factory=list)
    vel: list[complex] = field(default_factory=list)
    turn: list[complex] = field(default_factory=list)  # angle + i spin
    gone_s: float = math.inf

    def add(self, t_s: float, scene: Scene, i: int, moved: bool) -> None:
        """Keep where disc i is; a blow changes speeds at once, so it takes two knots, before and after."""
        if moved:
            self._knot(t_s, scene.pos[i], scene.vel1[i], scene.angle[i], scene.spin1[i])
        elif self.t_s and self.t_s[-1] < t_s:
            self._knot(t_s, scene.pos[i], 0j, scene.angle[i], 0.0)
        if not self.t_s or self.vel[-1] != scene.vel[i] or self.turn[-1].imag != scene.spin[i]:
            self._knot(t_s, scene.pos[i], scene.vel[i], scene.angle[i], scene.spin[i])

    def _knot(self, t_s: float, pos: complex, vel: complex, angle: float, spin: float) -> None:
        self.t_s.append(t_s)
        self.pos.append(complex(pos))
        self.vel.append(complex(vel))
        self.turn.append(complex(angle, spin))

    def at(self, times_s: np.ndarray, rate: bool) -> np.ndarray:
        t, pos, vel = np.array(self.t_s), np.array(self.pos), np.array(self.vel)
        angles, spins = np.real(self.turn), np.imag(self.turn)
        k = np.clip(np.searchsorted(t, times_s, side="right") - 1, 0, len(t) - 1)
        n = np.minimum(k + 1, len(t) - 1)
        h = np.where(t[n] > t[k], t[n] - t[k], 1.0)
        s = np.clip(times_s - t[k], 0.0, t[n] - t[k])
        where = _cubic(pos[k], vel[k], pos[n], vel[n], h, s, rate)
        angle = _cubic(angles[k], spins[k], angles[n], spins[n], h, s, rate)
        out = np.stack([where.real, where.imag, angle], axis=1)
        last = times_s >= t[-1]
        if rate:
            out[last] = 0.0
        out[times_s >= self.gone_s] = np.nan
        return out


def _cubic(y0, d0, y1, d1, h, s, rate: bool):
    mean = (y1 - y0) / h
    c2, c3 = (3 * mean - 2 * d0 - d1) / h, (d0 + d1 - 2 * mean) / h**2
    if rate:
        return d0 + s * (2 * c2 + 3 * s * c3)
    return y0 + s * (d0 + s * (c2 + s * c3))


class Trajectory:
    """What a shove did: places at any time, where all ended, and the events. Disc n - 1 is the one shoved."""

    def __init__(self, tracks: list[_Track], events: list[Event], final: list[Final], duration_s: float) -> None:
        self.n = len(tracks)
        self.duration_s = duration_s
        self.events = events
        self.final = final
        self._tracks = tracks
        self.moved = {i for i, track in enumerate(tracks) if len(track.t_s) > 1}
        self.kept = [i for i, end in enumerate(final) if not end.edge]

    def at(self, t_s: float) -> np.ndarray:
        """(n, 3): x_mm, y_mm, angle_rad of every disc at a time; NaN once it has left the board."""
        return self.sample([t_s])[0]

    def sample(self, times_s: Sequence[float] | np.ndarray) -> np.ndarray:
        """(len(times), n, 3), as `at`."""
        return self._all(times_s, rate=False)

    def velocity(self, t_s: float) -> np.ndarray:
        """(n, 3): mm/s, mm/s, rad/s."""
        return self._all([t_s], rate=True)[0]

    def _all(self, times_s: Sequence[float] | np.ndarray, rate: bool) -> np.ndarray:
        times = np.asarray(times_s, dtype=float)
        return (
            np.stack([track.at(times, rate) for track in self._tracks], axis=1)
            if self.n
            else np.zeros((len(times), 0, 3))
        )

    def rests(self) -> list[Rest]:
        """The discs still on the board, as the next shove finds them."""
        number = {i: k for k, i in enumerate(self.kept)}
        return [
            Rest(f.x_mm, f.y_mm, f.angle_rad, number.get(f.on, -1)) for i, f in enumerate(self.final) if i in number
        ]

    def struck(self, disc: int) -> bool:
        """Whether another disc hit this one (or climbed onto it)."""
        return any(e.kind in ("impact", "ride") and disc in (e.disc, e.other) for e in self.events)


def simulate(lying: Sequence[Rest], shove: Shove | None, physics: Physics | None = None) -> Trajectory:
    """Play one shove over the lying discs; ValueError names what is out of range."""
    physics = physics or Physics()
    numbers = model(physics)
    scene = start(lying, shove, physics)
    tracks = [_Track() for _ in scene.pos]
    for i, track in enumerate(tracks):
        track.add(0.0, scene, i, moved=False)
    events: list[Event] = []
    now = 0.0
    while (scene.state == MOVES).any():
        before = scene.state.copy()
        took, what, i, other, speed = advance(numbers, scene, TOLERANCE_MM, LONGEST_S, STOP_MM_S)
        now += float(took)
        for k, track in enumerate(tracks):
            if before[k] == MOVES or scene.state[k] == MOVES:
                track.add(now, scene, k, moved=bool(before[k] == MOVES))
        if what:
            events.append(Event(now, KINDS[what], int(i), int(other), float(speed)))
        if len(events) > EVENTS_MAX:
            raise RuntimeError(f"more than {EVENTS_MAX} events in one shove; please report its discs and its speed.")
    for event in events:
        if event.kind == "edge":
            tracks[event.disc].gone_s = event.t_s
    return Trajectory(tracks, events, [_final(numbers, scene, i) for i in range(len(tracks))], now)


def _final(numbers, scene: Scene, i: int) -> Final:
    state = int(scene.state[i])
    on = int(support(numbers, scene, i)) if scene.level[i] and state < GONE else -1
    return Final(
        float(scene.pos[i].real),
        float(scene.pos[i].imag),
        float(scene.angle[i]),
        EDGES[state - GONE] if state >= GONE else "",
        on,
    )


def start(lying: Sequence[Rest], shove: Shove | None, physics: Physics) -> Scene:
    """The scene in which a shove begins, checked."""
    for k, disc in enumerate(lying):
        within(f"lying[{k}].x_mm", disc.x_mm, 0.0, physics.width_mm)
        within(f"lying[{k}].y_mm", disc.y_mm, 0.0, physics.length_mm)
        within(f"lying[{k}].angle_rad", disc.angle_rad, -1e9, 1e9)
        if disc.on != -1 and (disc.on == k or not 0 <= disc.on < len(lying)):
            raise ValueError(f"lying[{k}].on: {disc.on} is not -1 or the index of another disc (0..{len(lying) - 1}).")
    scene = new_scene(len(lying) + (shove is not None))
    for k, disc in enumerate(lying):
        scene.pos[k], scene.angle[k], scene.level[k] = complex(disc.x_mm, disc.y_mm), disc.angle_rad, int(disc.on >= 0)
    if shove is not None:
        _place_shove(scene, shove, physics)
    _check_overlaps(scene, physics, len(lying))
    if shove is not None and (shove.speed_m_s or shove.spin_rad_s):
        wake(model(physics), scene, len(lying))
    return scene


def _place_shove(scene: Scene, shove: Shove, physics: Physics) -> None:
    for name, (low, high) in SHOVE_LIMITS.items():
        within(f"shove {name}", getattr(shove, name), low, high)
    within("shove x_mm", shove.x_mm, 0.0, physics.width_mm)
    within("shove y_mm", shove.y_mm, -physics.radius_mm, physics.length_mm)
    heading = math.radians(shove.direction_deg)
    scene.pos[-1] = complex(shove.x_mm, shove.y_mm)
    scene.vel[-1] = shove.speed_m_s * 1000 * complex(math.sin(heading), math.cos(heading))
    scene.spin[-1] = shove.spin_rad_s


def _check_overlaps(scene: Scene, physics: Physics, lying: int) -> None:
    for a in range(len(scene.pos)):
        for b in range(a):
            apart = abs(scene.pos[a] - scene.pos[b])
            if scene.level[a] == scene.level[b] and apart < 2 * physics.radius_mm - 1e-6:
                who = "the shove" if a == lying else f"lying[{a}]"
                raise ValueError(
                    f"{who} and lying[{b}] overlap: their centres are {apart:.3f} mm apart, "
                    f"allowed is {2 * physics.radius_mm:g} mm or more."
                )


def raise_lift(lying: Sequence[Rest], line: int, physics: Physics | None = None) -> list[bool]:
    """Which discs a lift raised under `line` (1..10) touches: those over its groove (RULES point 11)."""
    physics = physics or Physics()
    within("line", line, 1, LINES)
    at = FIRST_LINE_MM + BED_MM * (line - 1)
    return [abs(disc.y_mm - at) < physics.radius_mm + GROOVE_MM / 2 for disc in lying]
