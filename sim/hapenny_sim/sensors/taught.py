"""Teaches a simulated board as a person would: tare, straightedge sweeps along the real lines, then ordinary play."""

from typing import Any

import numpy as np
from hapenny.calibration import Calibration
from hapenny.health import Health
from hapenny.learn import Lights, Play, Row
from hapenny.locate import Locator

from hapenny_sim.sensors.build import NO_DISCS, Board, DiscSet
from hapenny_sim.sensors.compiled import COMPILED

LEVELS = ("none", "swept", "refined")
SWEEP_SAMPLES = 57
SWEEP_PASSES = 16
RESTS = 1200  # rests of ordinary play that refine a board


def tare(board: Board, calibration: Calibration, health: Health | None = None) -> None:
    """Zeroes a bare board as it does by itself before a turn: three quiet tares of 64 passes and 16 pairs."""
    for _ in range(3):
        _tare_once(board, calibration, health)


def _tare_once(board: Board, calibration: Calibration, health: Health | None) -> None:
    layout = board.layout
    halls, lit, dark = (np.zeros(n, np.int32) for n in (layout.HALLS, layout.LIGHTS, layout.LIGHTS))
    board.halls(NO_DISCS, 64, halls)
    board.light(NO_DISCS, 16, lit, dark)
    if health:
        health.look(halls, 64, lit, dark, 16)
    calibration.tare(halls, 64)
    calibration.tare_light(lit, dark, 16)


def teach(board: Board, layout: Any, level: str, seed: int) -> Calibration:
    """A calibration of the board at a level of LEVELS, learned from frames alone."""
    calibration = Calibration(layout, COMPILED)
    tare(board, calibration)
    if level == "none":
        return calibration
    rng = np.random.default_rng([seed, 0x5EE9])
    disc = best_disc(DiscSet(board.build, 10, int(rng.integers(2**31))))
    for bed in range(layout.BEDS):
        _sweep(board, calibration, bed, disc, rng)
    for line in range(layout.LINES):
        _over_line(board, calibration, line, rng)
    calibration.swept()
    if level == "refined":
        _play(board, calibration, rng)
        calibration.refined()
    tare(board, calibration)
    return calibration


def best_disc(discs: DiscSet) -> DiscSet:
    """The one that a spin test would pick: turned in its place, its apparent place moves least (0.045 mm a degree)."""
    lean = np.degrees(discs.rows[:, 4:6]) * 0.045 + discs.rows[:, 6:8]
    discs.rows = discs.rows[np.argmin(np.hypot(lean[:, 0], lean[:, 1]))][None, :]
    return discs


def _sweep(board: Board, calibration: Calibration, bed: int, discs: DiscSet, rng: np.random.Generator) -> None:
    """Rolls a disc along a straightedge at both limits of a bed."""
    layout, build = calibration.layout, board.build
    row = Row(calibration, layout, bed * layout.HALLS_PER_BED, layout.HALLS_PER_BED, COMPILED)
    lights = Lights(calibration, layout)
    halls, field = np.zeros(layout.HALLS, np.int32), np.zeros(layout.HALLS, np.int16)
    lit, dark = np.zeros(layout.LIGHTS, np.int32), np.zeros(layout.LIGHTS, np.int32)
    for side in (1, -1):
        line = bed if side > 0 else bed + 1
        y_hmm = layout.FIRST_LINE_HMM + line * layout.LINE_PITCH_HMM + side * 1310
        off, turn = build.ruler * rng.standard_normal(2)
        which, phase = 0, float(rng.uniform(0, 2 * np.pi))
        for x in np.linspace(36, 332, SWEEP_SAMPLES) + rng.normal(0, 1, SWEEP_SAMPLES):
            y = y_hmm / 100 + off + turn * (x - 184) / 150 + side * (discs.rows[which, 9] - 12.7)
            scene = discs.scene([which], [x], [y], [phase + x / 12.7])
            halls[:] = lit[:] = dark[:] = 0
            board.halls(scene, SWEEP_PASSES, halls)
            board.light(scene, 8, lit, dark)
            calibration.field(halls, SWEEP_PASSES, field)
            if row.add(field, y_hmm):
                lights.edge(line, int(row.x_hmm[row.samples - 1]), lit, dark, 8)
    row.learn()
    lights.learn_blur()


def _over_line(board: Board, calibration: Calibration, line: int, rng: np.random.Generator) -> None:
    """Pushes a disc along a line, over it, which shows each segment's full reading."""
    layout = calibration.layout
    discs = DiscSet(board.build, 4, int(rng.integers(2**31)))
    locator, lights = Locator(layout, calibration, COMPILED), Lights(calibration, layout)
    halls, field = np.zeros(layout.HALLS, np.int32), np.zeros(layout.HALLS, np.int16)
    lit, dark = np.zeros(layout.LIGHTS, np.int32), np.zeros(layout.LIGHTS, np.int32)
    for n, x in enumerate(np.linspace(36, 332, 36)):
        y = (layout.FIRST_LINE_HMM + line * layout.LINE_PITCH_HMM) / 100 + rng.uniform(-4, 4)
        scene = discs.scene([n % 4], [x], [y], [rng.uniform(0, 6.3)])
        halls[:] = lit[:] = dark[:] = 0
        board.halls(scene, SWEEP_PASSES, halls)
        board.light(scene, 8, lit, dark)
        calibration.field(halls, SWEEP_PASSES, field)
        if locator.find(field, SWEEP_PASSES) == 1:
            lights.full(locator, 0, lit, dark, 8)
    lights.learn_full()


def _play(board: Board, calibration: Calibration, rng: np.random.Generator) -> None:
    """Rests of ordinary play, three discs a frame, nobody knowing where they lie."""
    layout = calibration.layout
    discs = DiscSet(board.build, 40, int(rng.integers(2**31)))
    locator, play = Locator(layout, calibration, COMPILED), Play(calibration, layout, True)
    halls, field = np.zeros(layout.HALLS, np.int32), np.zeros(layout.HALLS, np.int16)
    frame = 0
    while play.rests < RESTS and frame < 2 * RESTS:
        if frame % 10 == 0:
            board.advance(60.0)
            tare(board, calibration)
        x, y = rng.uniform(42, 326, 3), rng.uniform(103, 386, 3)
        apart = np.hypot(x - np.roll(x, 1), y - np.roll(y, 1)).min()
        frame += 1
        if apart < 80:
            continue
        halls[:] = 0
        board.halls(discs.scene(rng.choice(40, 3, replace=False), x, y, rng.uniform(0, 6.3, 3)), 64, halls)
        calibration.field(halls, 64, field)
        if locator.find(field, 64) == 3:
            play.learn(locator)
