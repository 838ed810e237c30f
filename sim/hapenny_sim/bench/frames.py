"""Frames for benches without sensors: a calibrated board, bare and with five discs, as the source of a module."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hapenny import layout

BUILD, SEED = "good", 1
FIVE_MM = ((100.0, 150.0), (160.0, 180.0), (220.0, 215.0), (300.0, 260.0), (184.0, 330.0))
STEP_MM = 9.0  # between two looks, at about 1 m/s
PASSES, PAIRS, QUICK = 64, 16, 2


def lay_five(table: Any) -> None:
    """Puts five discs into five beds."""
    from hapenny_sim.boards.acts import Lying

    table.lying = [Lying(i, x_mm, y_mm) for i, (x_mm, y_mm) in enumerate(FIVE_MM)]


def frames() -> str:
    """A module: CALIBRATION, sums of a bare board, of five discs, and of two quick looks at one of them moving."""
    from hapenny_sim.boards.calibrated import calibration
    from hapenny_sim.boards.table import SimulatedTable

    table = SimulatedTable(layout, BUILD, SEED)
    parts = {"BARE": table.scan_halls(PASSES)}
    parts["BARE_LIT"], parts["BARE_DARK"] = table.scan_light(PAIRS)
    lay_five(table)
    parts["HALLS"] = table.scan_halls(PASSES)
    parts["LIT"], parts["DARK"] = table.scan_light(PAIRS)
    parts["QUICK"] = table.scan_halls(QUICK)
    table.lying = [replace(disc, y_mm=disc.y_mm + STEP_MM * (i == 1)) for i, disc in enumerate(table.lying)]
    parts["NEAR"] = table.scan_halls(QUICK)
    lines = [f"CALIBRATION = {calibration(layout, BUILD, SEED)!r}"]
    lines += [f"{name} = {np.asarray(sums, np.int32).tobytes()!r}" for name, sums in parts.items()]
    return "\n".join(lines) + "\n"
