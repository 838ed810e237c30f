"""The simulated table under a board: discs, hands, sensors and pegs, all at one simulated time."""

import threading
from collections import deque
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
from hapenny.rules.game import Game
from hapenny_link.errors import UserError

from hapenny_sim.boards.acts import DISC_MM, Act, Carry, LiftOff, Lying, Put, Slide
from hapenny_sim.physics import Physics, Rest, Shove, simulate
from hapenny_sim.sensors.build import BUILDS, Board, DiscSet

SET_OF_DISCS = 5
HALL_PASS_S = 1.07e-3  # one pass over the Halls of the standard board on an RP2040 (docs/performance.md)
LIGHT_PAIR_S = 2.56e-3
THINKING_S = 6e-3  # what the firmware computes between two frames: about this long on an RP2040
FRONT_EDGE_MM = 6.0  # where the centre of a disc lies before it is shoved: partly over the edge
PRESS_S = 0.2
Play = Callable[[list[Rest], Shove, Physics], Any]
STILL_PASSES = 8  # shorter scans show discs that move where they are at each pass


class SimulatedTable:
    """Everything physical of one board. Thread-safe: people act from one thread, the firmware scans from another.

    `build` names the tolerances of sensors and discs (hapenny_sim.sensors.build); `seed` draws them. `simulate` plays
    a shove: as hapenny_sim.physics does, or quickly (physics.quick).
    """

    def __init__(self, layout: ModuleType, build: str = "good", seed: int = 1, physics: Physics | None = None,
                 discs: int = SET_OF_DISCS, simulate: Play = simulate) -> None:  # fmt: skip
        self.layout = layout
        self.physics = physics or Physics()
        self.simulate = simulate
        self.sensors = Board(layout, BUILDS[build], seed=seed)
        self.set = DiscSet(BUILDS[build], count=discs, seed=seed + 1)
        self.size = discs
        self.chance = np.random.default_rng([seed, 5])  # of the hands of simulated players
        self.lock = threading.RLock()
        self.now_s = 0.0
        self.lying: list[Lying] = []
        self.acts: deque[Act] = deque()
        self.act_started_s = 0.0
        self.plans: list[tuple[float, Callable[[], None]]] = []  # (when, what is done then), in order
        self.presses: deque[tuple[int, float]] = deque()  # (button, when it is released), one after the other
        self.raised = 0  # bitmask of raised lifts
        self.lamps = bytes(3 * layout.PIXELS)
        self.watchers: list[Callable[[], None]] = []  # called when what lies on the table has changed

    # What people see and do (hapenny_link.board.Table)

    def discs(self) -> list[tuple[float, float]]:
        with self.lock:
            return [(disc.x_mm, disc.y_mm) for disc in self.present()]

    def moving(self) -> bool:
        with self.lock:
            return bool(self.acts)

    def in_hand(self) -> int:
        with self.lock:
            return self.size - len(self.present())

    def shove(self, x_mm: float, speed_m_s: float, angle_rad: float = 0.0, spin_rad_s: float = 0.0) -> None:
        """Shove the next disc of the set from the front edge; it slides and strikes as hapenny_sim.physics says."""
        with self.lock:
            if self.acts:
                raise UserError("wait until the discs lie still")
            which = self.free_disc()
            lying = self.rests()
            shove = Shove(x_mm, FRONT_EDGE_MM, speed_m_s, float(np.degrees(angle_rad)), spin_rad_s)
            try:
                path = self.simulate(lying, shove, self.physics)
            except ValueError as error:
                raise UserError(str(error)) from error
            discs = [*self.lying, Lying(which, x_mm, FRONT_EDGE_MM)]
            rest = [
                Lying(
                    discs[kept].which, r.x_mm, r.y_mm, r.angle_rad, (r.on,) if r.on >= 0 else (), DISC_MM * (r.on >= 0)
                )
                for kept, r in zip(path.kept, path.rests(), strict=True)
            ]
            self.do(Slide(discs, path, rest))

    def players(self) -> tuple[str, ...]:
        """The levels of skill of hapenny_sim.players."""
        from hapenny_sim.players import LEVELS  # numba's compiler: not before somebody asks

        return tuple(LEVELS)

    def get_ready(self) -> None:
        """Compile the physics with which players plan."""
        from hapenny_sim.physics.batch import get_ready

        get_ready()

    def shove_as(self, player: str, game: Game) -> None:
        """Plan by the rules engine over the discs as they lie, then shove as well as the player can."""
        from hapenny_sim.players import Player, opening_aim, plan

        who = Player.level(player)
        with self.lock:
            if self.acts:
                raise UserError("wait until the discs lie still")
            self.free_disc()
            lying = self.rests()
        seed = int(self.chance.integers(2**31))
        aim = opening_aim(lying, self.physics) if game.state.placing else plan(lying, game, who, self.physics, seed)
        shove = who.shove(aim, self.chance)
        self.shove(shove.x_mm, shove.speed_m_s, float(np.radians(shove.direction_deg)), shove.spin_rad_s)

    def clear(self) -> None:
        with self.lock:
            lying = self.acts[-1].after() if self.acts else self.lying
            for _ in range(len(lying)):
                act = LiftOff(lying, len(lying) - 1)
                lying = act.after()
                self.do(act)

    def lay(self, discs: list[tuple[int, float, float, float]]) -> None:
        with self.lock:
            self.acts.clear()
            self.lying = [Lying(*disc) for disc in discs]
            self.tell()

    def take_off(self, index: int) -> None:
        with self.lock:
            if self.acts or not 0 <= index < len(self.lying):
                raise UserError("wait until the discs lie still" if self.acts else "there is no such disc on the table")
            self.do(LiftOff(self.lying, index))

    def put(self, place: tuple[float, float]) -> None:
        """A hand lays a disc of the set down at (x_mm, y_mm)."""
        with self.lock:
            self.do(Put(self.lying, Lying(self.free_disc(), *place)))

    def carry(self, places: dict[int, tuple[float, float]]) -> None:
        """A hand moves discs: index in `discs()` to the new place (mm)."""
        with self.lock:
            self.do(Carry(self.lying, places))

    def pixels(self) -> list[tuple[int, int, int]]:
        lamps = self.lamps
        return [(lamps[i + 1], lamps[i], lamps[i + 2]) for i in range(0, len(lamps), 3)]  # the strip wants green first

    def press(self, button: int) -> None:
        with self.lock:
            start = self.presses[-1][1] + PRESS_S if self.presses else self.now_s
            self.presses.append((button, start + PRESS_S))

    def raise_lifts(self, mask: int) -> None:
        """Which lifts are raised: bit 0 is the lift of the first line."""
        with self.lock:
            self.raised = mask

    # The course of things

    def rests(self) -> list[Rest]:
        """The discs at rest, as the physics wants them."""
        return [Rest(d.x_mm, d.y_mm, d.angle_rad, on=d.on[0] if d.on else -1) for d in self.lying]

    def free_disc(self) -> int:
        """A disc of the set that is in nobody's way; UserError when all lie on the table."""
        used = {disc.which for disc in self.lying}
        free = [which for which in range(self.size) if which not in used]
        if not free:
            raise UserError("all discs are on the table; take them off first")
        return free[0]

    def do(self, act: Act) -> None:
        """Start an act, after those already begun."""
        if not self.acts:
            self.act_started_s = self.now_s
        self.acts.append(act)

    def later(self, at_s: float, call: Callable[[], None]) -> None:
        """Have something done at a simulated time, whatever the board is doing then."""
        with self.lock:
            self.plans.append((at_s, call))
            self.plans.sort(key=lambda plan: plan[0])

    def tell(self) -> None:
        """Something lies elsewhere now."""
        for watcher in self.watchers:
            watcher()

    def advance(self, seconds: float) -> None:
        """Let time pass."""
        with self.lock:
            self.now_s += seconds
            self.sensors.advance(seconds)
            while self.acts and self.now_s - self.act_started_s >= self.acts[0].duration_s:
                act = self.acts.popleft()
                self.act_started_s += act.duration_s
                self.lying = act.after()
                self.tell()
            while self.presses and self.presses[0][1] <= self.now_s:
                self.presses.popleft()
            while self.plans and self.plans[0][0] <= self.now_s:
                self.plans.pop(0)[1]()

    def present(self) -> list[Lying]:
        """Every disc over the table now, those in motion and in a lifting hand included."""
        return self.acts[0].now(self.now_s - self.act_started_s) if self.acts else self.lying

    def scene(self) -> np.ndarray:
        """The discs as the sensors' truth model wants them."""
        discs = [(d.which, d.x_mm, d.y_mm, d.angle_rad, d.height_mm) for d in self.present()]
        return self.set.lying(np.array(discs, dtype=np.float64).reshape(-1, 5))

    # What the board's hardware does

    def scan_halls(self, passes: int) -> np.ndarray:
        """Sums of ADC codes over `passes` passes, int32 of layout.HALLS; takes the time it takes on a board."""
        sums = np.zeros(self.layout.HALLS, np.int32)
        with self.lock:
            if self.acts and passes <= STILL_PASSES and isinstance(self.acts[0], Slide):
                times_s = self.now_s - self.act_started_s + HALL_PASS_S * np.arange(passes)
                rows = self.acts[0].places(times_s)
                scenes = self.set.lying(rows.reshape(-1, 5)).reshape(passes, rows.shape[1], -1)
                self.sensors.halls_each(scenes, sums)
                self.advance(passes * HALL_PASS_S + THINKING_S)
            elif self.acts and passes <= STILL_PASSES:
                for _ in range(passes):
                    self.sensors.halls(self.scene(), 1, sums)
                    self.advance(HALL_PASS_S)
                self.advance(THINKING_S)
            else:
                self.sensors.halls(self.scene(), passes, sums)
                self.advance(passes * HALL_PASS_S + THINKING_S)
        return sums

    def scan_light(self, pairs: int) -> tuple[np.ndarray, np.ndarray]:
        """Sums of readings (emitters on, emitters off), int32 of layout.LIGHTS each."""
        lit = np.zeros(self.layout.LIGHTS, np.int32)
        dark = np.zeros(self.layout.LIGHTS, np.int32)
        with self.lock:
            hands = self.acts[0].hands(self.now_s - self.act_started_s) if self.acts else ()
            self.sensors.light(self.scene(), pairs, lit, dark, hands)
            self.advance(pairs * LIGHT_PAIR_S)
        return lit, dark

    def buttons(self) -> int:
        """Bitmask of the buttons held now."""
        held = bool(self.presses) and self.presses[0][1] - PRESS_S <= self.now_s
        return 1 << self.presses[0][0] if held else 0
