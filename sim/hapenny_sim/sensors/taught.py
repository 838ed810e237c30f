"""Teaches a simulated board as a person would: tare, spin test, sweeps along the real lines, then ordinary play."""

from typing import Any

import numpy as np
from hapenny.sensing.calibration import Calibration
from hapenny.sensing.health import Health
from hapenny_link.calibration.measurements import Measurements, Reading
from hapenny_link.calibration.sweeps import (
    FIRST_X_MM,
    LAST_X_MM,
    LINE_SAMPLES,
    SWEEP_SAMPLES,
    spin_place_mm,
    sweeps,
)

from hapenny_sim.sensors.build import NO_DISCS, Board, DiscSet
from hapenny_sim.sensors.compiled import COMPILED

LEVELS = ("none", "swept", "refined")
SET = 10  # discs of the maker's set
RESTS = 900  # rests of ordinary play that refine a board
REST_DISCS = 3
APART_MM = 30.0
WOBBLE_RAD = 0.15  # of a mark that should point straight from the line or to it
TARES = 3


def tare(board: Board, calibration: Calibration, health: Health | None = None) -> None:
    """Zeroes a bare board as it does by itself before a turn: quiet tares of 64 passes and 16 pairs."""
    for _ in range(TARES):
        reading = read(board, NO_DISCS, 64, 16)
        if health:
            health.look(reading.halls, 16, reading.lit, reading.dark, 16)
        calibration.tare(reading.halls, 16)
        calibration.tare_light(reading.lit, reading.dark, 16)


def read(board: Board, scene: np.ndarray, passes: int = 16, pairs: int = 8) -> Reading:
    """A frame as the link brings it: sixteenths of a code."""
    layout = board.layout
    halls, lit, dark = (np.zeros(n, np.int32) for n in (layout.HALLS, layout.LIGHTS, layout.LIGHTS))
    board.halls(scene, passes, halls)
    board.light(scene, pairs, lit, dark)
    return Reading(halls * 16 // passes, lit * 16 // pairs, dark * 16 // pairs, passes)


def bare(board: Board, measurements: Measurements) -> None:
    for _ in range(TARES):
        measurements.add_bare(read(board, NO_DISCS, 64, 16))


def teach(board: Board, layout: Any, level: str, seed: int) -> Calibration:
    """A calibration of the board at a level of LEVELS, learned from frames by the code that teaches real ones."""
    if level == "none":
        calibration = Calibration(layout, COMPILED)
        tare(board, calibration)
        return calibration
    measurements = Measurements(layout, COMPILED)
    bare(board, measurements)
    rng = np.random.default_rng([seed, 0x5EE9])
    discs = DiscSet(board.build, SET, int(rng.integers(2**31)))
    _sweeps(board, measurements, discs, spin_test(board, measurements, discs), rng)
    for line in range(layout.LINES):
        _over_line(board, measurements, line, discs, rng)
    calibration = measurements.calibrate(1)
    if level == "refined":
        _play(board, measurements, DiscSet(board.build, 4 * SET, int(rng.integers(2**31))), rng)
        calibration = measurements.calibrate(2)
    tare(board, calibration)
    return calibration


def spin_test(board: Board, measurements: Measurements, discs: DiscSet) -> int:
    """Turns every disc in its place by quarters; the number of the one that seems to move least."""
    x, y = spin_place_mm(measurements.layout)
    radii = []
    for which in range(len(discs.rows)):
        found = []
        for turn in range(4):
            reading = read(board, discs.scene([which], [x], [y], [turn * np.pi / 2]), 64)
            found += measurements.places(reading)[:1]
            measurements.add_rest(reading, found[-1:])
        radii.append(measurements.add_spin(found) if found else 9.0)
    return int(np.argmin(radii))


def _sweeps(board: Board, measurements: Measurements, discs: DiscSet, which: int, rng: np.random.Generator) -> None:
    """Slides a disc along a straightedge at both limits of every bed, its mark as the sweep asks."""
    build = board.build
    for sweep in sweeps(measurements.layout):
        straightedge = measurements.hall_fit.lay_straightedge()
        off, turn = build.ruler * rng.standard_normal(2)
        mark = 0.0 if sweep.mark > 0 else np.pi
        for x in np.linspace(FIRST_X_MM, LAST_X_MM, SWEEP_SAMPLES) + rng.normal(0, 1, SWEEP_SAMPLES):
            y = sweep.y_hmm / 100 + off + turn * (x - 184) / 150 + sweep.side * (discs.rows[which, 9] - 12.7)
            scene = discs.scene([which], [x], [y], [mark + WOBBLE_RAD * rng.standard_normal()])
            measurements.add_sweep(straightedge, sweep, read(board, scene))


def _over_line(board: Board, measurements: Measurements, line: int, discs: DiscSet, rng: np.random.Generator) -> None:
    """Pushes discs along a line, over it, which shows each segment's full reading."""
    layout = measurements.layout
    for n, x in enumerate(np.linspace(FIRST_X_MM, LAST_X_MM, LINE_SAMPLES)):
        y = (layout.FIRST_LINE_HMM + line * layout.LINE_PITCH_HMM) / 100 + rng.uniform(-4, 4)
        measurements.add_over_line(read(board, discs.scene([n % len(discs.rows)], [x], [y], [rng.uniform(0, 6.3)])))


def _play(board: Board, measurements: Measurements, discs: DiscSet, rng: np.random.Generator) -> None:
    """Rests of ordinary play, nobody knowing where they lie."""
    for turn in range(RESTS // REST_DISCS):
        if turn % 10 == 0:
            board.advance(60.0)
            bare(board, measurements)
        x, y = _apart(rng)
        which = rng.choice(len(discs.rows), REST_DISCS, replace=False)
        reading = read(board, discs.scene(which, x, y, rng.uniform(0, 6.3, REST_DISCS)), 64, 16)
        found = measurements.places(reading)
        if len(found) == REST_DISCS:
            measurements.add_rest(reading, found)


def _apart(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    while True:
        x, y = rng.uniform(42, 326, REST_DISCS), rng.uniform(103, 386, REST_DISCS)
        if np.hypot(x - np.roll(x, 1), y - np.roll(y, 1)).min() > APART_MM:
            return x, y
