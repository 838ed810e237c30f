"""One made board and one set of discs: the named builds' tolerances drawn from a seed, and the frames they give."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

from hapenny_sim.sensors import adc, hall, light, magnet
from hapenny_sim.sensors.faults import Faults

SCENE_COLUMNS = ("x", "y", "height", "moment", "tilt_x", "tilt_y", "ecc_x", "ecc_y", "reflect", "radius")
NO_DISCS = np.zeros((0, len(SCENE_COLUMNS)))
NO_HANDS = np.zeros((0, 3))


@dataclass(frozen=True)
class Tolerances:
    """Standard deviations unless said otherwise (docs/accuracy.md); lengths in mm, angles in degrees, ADC codes."""

    gain: float = 0.05  # of a Hall: within +- this (DRV5055)
    offset_codes: float = 74.0  # of a Hall: within +- this (60 mV)
    place: float = 0.15  # of a Hall element, x and y each; depth as much
    warp: float = 0.1  # the board's bow: depth changes smoothly by +- this
    bend: float = 0.005  # of a Hall at full scale
    noise_codes: float = 2.95  # of one Hall sample: 215 nT/sqrt(Hz) over 20 kHz, and 0.8 of the ADC
    wide_codes: float = 9.0  # E11
    wide_spread: float = 0.5
    dnl: float = 0.15
    inl: float = 0.25
    crosstalk: float = 2e-4  # of the channel before, left after settling
    common_drift_ut: float = 8.0  # of all Halls since the tare, a minute's random walk
    drift_ut: float = 2.5  # of each Hall since the tare, the same
    moment: float = 0.03
    tilt_deg: float = 0.75  # of a disc's magnet, about x and y each
    eccentric: float = 0.05  # x and y each
    height: float = 0.05
    radius: float = 0.01
    light_gain: float = 0.10  # of a segment
    light_noise: float = 0.0015  # of full scale, this frame's noise and drift
    blur: float = 0.1  # edge of a disc over the aperture
    blur_spread: float = 0.3  # of the blur, a share, within +- this
    reflect: float = 0.05  # of a disc
    wave: float = 0.05  # along a segment
    ruler: float = 0.03  # straightedge against the real line, each laying


BUILDS = {
    "good": Tolerances(),
    "typical": Tolerances(place=0.25, warp=0.2, tilt_deg=1.5, light_noise=0.003, blur=0.2, reflect=0.10,
                          light_gain=0.15,
                          wave=0.10, ruler=0.05, drift_ut=4.0, common_drift_ut=15.0),
    "perfect": Tolerances(gain=0, offset_codes=0, place=0, warp=0, bend=0, noise_codes=0.5, wide_codes=0, wide_spread=0,
                          dnl=0, inl=0, crosstalk=0, common_drift_ut=0, drift_ut=0, moment=0, tilt_deg=0, eccentric=0,
                          height=0,
                          radius=0, light_gain=0, light_noise=0, blur=0.1, blur_spread=0, reflect=0, wave=0, ruler=0),
}  # fmt: skip

FULL_CODES = 2400.0  # a segment wholly covered
BASE_CODES = 150.0  # a bare one
AMBIENT_CODES = 200.0
FLOOR_CODES = 30.0
RIPPLE = 0.3  # mains share of the ambient
TURN_S = 60.0
DRIFT_S = 0.005  # steps of the drift: in each a Hall goes 0.02 microtesla, far below its noise


class DiscSet:
    """The magnets and brass of `count` discs; `scene` puts some of them on a board."""

    def __init__(self, build: Tolerances, count: int, seed: int) -> None:
        rng = np.random.default_rng([seed, 0xD15C])
        self.rows = np.zeros((count, len(SCENE_COLUMNS)))
        self.rows[:, 2] = build.height * rng.standard_normal(count)
        self.rows[:, 3] = 1 + build.moment * rng.standard_normal(count)
        self.rows[:, 4:6] = np.radians(build.tilt_deg) * rng.standard_normal((count, 2))
        self.rows[:, 6:8] = build.eccentric * rng.standard_normal((count, 2))
        self.rows[:, 8] = 1 + build.reflect * rng.standard_normal(count)
        self.rows[:, 9] = 12.7 + build.radius * rng.standard_normal(count)

    def scene(self, which: Sequence[int] | np.ndarray, x_mm: Any, y_mm: Any, turn_rad: Any = None, flipped: Any = None,
              height_mm: Any = None) -> np.ndarray:  # fmt: skip
        """Rows (SCENE_COLUMNS) of discs `which`, centres at x, y (mm), turned about the vertical, flipped, raised."""
        rows = self.rows[np.asarray(which, dtype=np.int64)]
        rows[:, 0], rows[:, 1] = x_mm, y_mm
        if height_mm is not None:
            rows[:, 2] += height_mm
        if turn_rad is not None:
            c, s = np.cos(turn_rad), np.sin(turn_rad)
            for column in (4, 6):
                a, b = rows[:, column].copy(), rows[:, column + 1].copy()
                rows[:, column], rows[:, column + 1] = c * a - s * b, s * a + c * b
        if flipped is not None:
            over = np.asarray(flipped, dtype=bool)
            rows[over, 3] *= -1
            rows[over, 4] *= -1
            rows[over, 6] *= -1
        return rows

    def lying(self, discs: np.ndarray) -> np.ndarray:
        """The same for rows of which, x_mm, y_mm, turn_rad, height_mm, quickly."""
        out = np.empty((len(discs), len(SCENE_COLUMNS)))
        _lie(self.rows, discs, out)
        return out


@njit(cache=True)
def _lie(rows, discs, out):
    for i in range(discs.shape[0]):
        for column in range(rows.shape[1]):
            out[i, column] = rows[int(discs[i, 0]), column]
        out[i, 0], out[i, 1] = discs[i, 1], discs[i, 2]
        out[i, 2] += discs[i, 4]
        c, s = np.cos(discs[i, 3]), np.sin(discs[i, 3])
        for column in (4, 6):
            a, b = out[i, column], out[i, column + 1]
            out[i, column], out[i, column + 1] = c * a - s * b, s * a + c * b


class Board:
    """One made board: `halls` and `light` give its raw sums for a scene; same seed and calls, same numbers."""

    def __init__(self, layout: Any, build: Tolerances, seed: int) -> None:
        self.layout, self.build = layout, build
        self.faults = Faults()
        rng = np.random.default_rng([seed, 0xB0A2D])
        self._rng = rng
        self._pool = adc.normal_pool(rng)
        self._state = rng.integers(1, 2**63, 1, dtype=np.uint64)
        self._edges = adc.code_edges(rng, build.wide_codes, build.wide_spread, build.dnl, build.inl)
        self._near, self._far = magnet.tables(
            layout.MAGNET_DIAMETER_HMM / 100, layout.MAGNET_HEIGHT_HMM / 100, layout.MAGNET_REMANENCE_MT
        )
        self._sensors = self._make_sensors(rng)
        self._segments = self._make_segments(rng)
        self._offset_drift = np.zeros(layout.HALLS)
        self._kept = hall.nothing_kept(layout.HALLS, len(SCENE_COLUMNS))
        self._held: np.ndarray | None = None  # the codes of a converter that stands still
        self._common_ut = 0.0
        self._owed_s = 0.0  # since drift last went on
        self._mains = float(rng.uniform(0, 2 * np.pi))

    def _make_sensors(self, rng: np.random.Generator) -> np.ndarray:
        layout, build, n = self.layout, self.build, self.layout.HALLS
        sensors = np.zeros((n, 8))
        sensors[:, hall.X] = np.array(layout.HALL_X_HMM) / 100 + build.place * rng.standard_normal(n)
        sensors[:, hall.Y] = np.array(layout.HALL_Y_HMM) / 100 + build.place * rng.standard_normal(n)
        u = np.array(layout.HALL_X_HMM) / layout.WIDTH_HMM - 0.5
        v = np.array(layout.HALL_Y_HMM) / layout.LENGTH_HMM - 0.5
        a, b, c = rng.uniform(-1, 1, 3)
        bow = build.warp * (a * (4 * u * u - 0.5) + b * (4 * v * v - 0.5) + c * 4 * u * v)
        sensors[:, hall.DEPTH] = layout.HALL_DEPTH_HMM / 100 + build.place * rng.standard_normal(n) + bow
        sensors[:, hall.GAIN] = 1 + build.gain * rng.uniform(-1, 1, n)
        sensors[:, hall.OFFSET] = build.offset_codes * rng.uniform(-1, 1, n)
        sensors[:, hall.BEND] = build.bend * rng.standard_normal(n)
        sensors[:, hall.NOISE] = build.noise_codes
        sensors[:, hall.STUCK] = -1
        return sensors

    def _make_segments(self, rng: np.random.Generator) -> np.ndarray:
        layout, build, n = self.layout, self.build, self.layout.LIGHTS
        segments = np.zeros((n, 9))
        line, place = np.divmod(np.arange(n), layout.LIGHTS_PER_LINE)
        segments[:, light.LEFT] = (layout.LIGHT_X0_HMM + place * layout.SEGMENT_HMM) / 100
        segments[:, light.CENTRE_Y] = (layout.FIRST_LINE_HMM + line * layout.LINE_PITCH_HMM) / 100
        gain = 1 + build.light_gain * rng.standard_normal(n)
        segments[:, light.FULL] = FULL_CODES * gain
        segments[:, light.BASE] = BASE_CODES * gain * (1 + 0.2 * rng.standard_normal(n))
        segments[:, light.BLUR] = build.blur * (1 + build.blur_spread * rng.uniform(-1, 1, n))
        segments[:, light.WAVE] = build.wave * rng.standard_normal(n)
        segments[:, light.AMBIENT] = AMBIENT_CODES * rng.uniform(0.5, 1.5)
        segments[:, light.FLOOR] = FLOOR_CODES
        segments[:, light.CLEAN] = 1.0
        return segments

    def advance(self, seconds: float) -> None:
        """Thermal drift goes on as a random walk (the build's figures are for one turn), and so does the mains."""
        self._mains = (self._mains + 2 * np.pi * 100.0 * seconds) % (2 * np.pi)
        self._owed_s += seconds
        if self._owed_s < DRIFT_S:
            return
        step, self._owed_s = math.sqrt(self._owed_s / TURN_S), 0.0
        walk = self._rng.standard_normal(self.layout.HALLS + 1)
        self._common_ut += step * self.build.common_drift_ut * float(walk[-1])
        walk *= step * self.build.drift_ut / hall.UT_PER_CODE
        self._offset_drift += walk[:-1]

    def halls(self, scene: np.ndarray, passes: int, out: np.ndarray) -> None:
        """Adds the sums of `passes` interleaved passes over every Hall into out (int32, layout.HALLS)."""
        if not self.faults.frozen:
            self._held = None
        elif self._held is None:
            self._held = np.zeros_like(out)
            self._scan(scene, 1, self._held)
        if self._held is None:
            self._scan(scene, passes, out)
        else:
            out += passes * self._held

    def halls_each(self, scenes: np.ndarray, out: np.ndarray) -> None:
        """The same for one pass over each of the scenes; rows whose x is NaN are no discs."""
        if self.faults.frozen or self.faults.of_halls:
            for scene in scenes:
                self.halls(scene[~np.isnan(scene[:, 0])], 1, out)
            return
        self._held = None
        hall.scan_each(self._near, self._far, self._sensors, self._offset_drift, scenes, *self._kept, self._edges,
                       self._pool, self._state, self.build.crosstalk, self._common_ut + self.faults.common_ut,
                       out)  # fmt: skip

    def _scan(self, scene: np.ndarray, passes: int, out: np.ndarray) -> None:
        common = self._common_ut + self.faults.common_ut
        if not self.faults.of_halls:
            hall.scan(self._near, self._far, self._sensors, self._offset_drift, scene, *self._kept, self._edges,
                      self._pool, self._state, passes, self.build.crosstalk, common, out)  # fmt: skip
            return
        field_ut = np.zeros(self.layout.HALLS)
        hall.fields(self._near, self._far, self._sensors, scene, field_ut)
        sensors = self._sensors.copy()
        sensors[:, hall.OFFSET] += self._offset_drift
        self._hall_faults(sensors, field_ut)
        hall.read(sensors, field_ut, self._edges, self._pool, self._state, passes, self.build.crosstalk, common, out)

    def _hall_faults(self, sensors: np.ndarray, field_ut: np.ndarray) -> None:
        faults = self.faults
        for thing in faults.things:
            hall.fields(self._near, self._far, self._sensors, np.atleast_2d(thing), field_ut)
        if faults.slope_ut_mm:
            field_ut += faults.slope_ut_mm * sensors[:, hall.Y]
        for k in faults.dead:
            sensors[k, hall.STUCK] = 0
        for k, code in faults.stuck.items():
            sensors[k, hall.STUCK] = code
        for k, noise in faults.noisy.items():
            sensors[k, hall.NOISE] = noise

    def light(self, scene: np.ndarray, pairs: int, lit: np.ndarray, dark: np.ndarray, hands: Any = ()) -> None:
        """Adds the sums of `pairs` readings with the emitters on and off into lit and dark (int32, layout.LIGHTS)."""
        if self.faults.things:
            scene = np.vstack([scene, *(np.atleast_2d(thing) for thing in self.faults.things)])
        segments = self._segments
        if self.faults.blocked or self.faults.dirty or self.faults.chalk or self.faults.rail_sag:
            segments = self._light_faults()
        shadows = np.array(hands, dtype=np.float64).reshape(-1, 3) if len(hands) else NO_HANDS
        light.read(segments, scene, shadows, self.layout.SEGMENT_HMM / 100, self.layout.LINE_WIDTH_HMM / 100, RIPPLE,
                   self._mains, self.build.light_noise, self._edges, self._pool, self._state, pairs, lit,
                   dark)  # fmt: skip

    def _light_faults(self) -> np.ndarray:
        segments = self._segments.copy()
        segments[:, light.FULL] *= 1 - self.faults.rail_sag
        segments[:, light.BASE] *= 1 - self.faults.rail_sag
        for s in self.faults.blocked:
            segments[s, light.CLEAN] = segments[s, light.BASE] = 0.0
        for s, share in self.faults.dirty.items():
            segments[s, light.CLEAN] = share
            segments[s, light.BASE] *= share
        for s, share in self.faults.chalk.items():
            segments[s, light.BASE] += share * segments[s, light.FULL]
        return segments
