"""`hapenny bench firmware`: how long each part of the firmware takes on a board, how much memory, how big it is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import hapenny
import numpy as np
from hapenny import layout
from hapenny_link.errors import UserError
from hapenny_link.firmware_files import MAIN, BoardFile, compile_source, compiled, frozen, mpy_bytes
from hapenny_link.image import find_or_download

DEVICE = Path(__file__).parent / "device" / "firmware_main.py"
TIMES = ("scan_us", "frame_us", "locate5_us", "rules_turn_us", "pegs_us", "irq_off_us", "verdict_ms", "loop_max_us")
KEYS = (*TIMES, "heap_live", "heap_free", "alloc_per_cycle", "mpy_bytes", "boot_ms", "image")
FIVE_MM = ((100.0, 150.0), (160.0, 180.0), (220.0, 215.0), (300.0, 260.0), (184.0, 330.0))
HEAP = "1M"  # objects of the 64-bit port are twice as large, and it compiles the sources first
BOARD_MAIN = """
import time
time.sleep_ms(20)
from hapenny import layout, app
from hapenny.rp2040.board import Hardware
import firmware_bench
firmware_bench.measure(app.start(Hardware(layout), layout), {moving})
"""
LABELS = {
    "scan_us": "us  one pass over the Halls",
    "frame_us": "us  the verdict frame: 64 Hall passes, 16 light pairs",
    "find5_us": "us  five discs found from nothing",
    "locate5_us": "us  five known discs located to full accuracy",
    "judge_us": "us  their verdicts",
    "rules_turn_us": "us  the rules of a turn of five shoves",
    "pegs_us": "us  an update of the pegs",
    "irq_off_us": "us  the latest a timer's interrupt came meanwhile",
    "verdict_ms": "ms  from the last disc at rest to the pegs that say so",
    "loop_max_us": "us  the longest loop, the verdict's included",
    "track_loop_max_us": "us  the longest loop of tracking",
    "heap_live": "B   heap in use",
    "heap_free": "B   heap free",
    "alloc_per_cycle": "B   allocated by the greediest cycle from scan to pegs",
    "mpy_bytes": "B   of compiled modules",
    "boot_ms": "ms  from power-up to the first hello",
}


def report(figures: dict[str, Any]) -> str:
    """The figures, one a line."""
    lines = [f"image   {figures['image']}"]
    return "\n".join(lines + [f"{figures[key]!s:>8} {text}" for key, text in LABELS.items() if key in figures])


def measure(target: str) -> dict[str, Any]:
    """Figures of `unix`, `emulated[:frozen]` or `serial[:NUMBER]`; what a target cannot tell is None. See LABELS."""
    kind, _, name = target.partition(":")
    if kind not in ("unix", "emulated", "serial"):
        raise UserError(f"there is no target '{target}' for this bench; say unix, emulated or serial")
    found = {"unix": on_unix, "emulated": on_emulator, "serial": on_serial}[kind](name)
    return dict.fromkeys(KEYS) | {"mpy_bytes": mpy_bytes()} | found


def figures_in(text: str) -> dict[str, Any]:
    """The JSON that the device has printed. UserError with its last words if there is none."""
    match = re.search(r"FIGURES (\{.*\})", text)
    if match is None:
        last = " | ".join(text.strip().splitlines()[-6:]) or "nothing"
        raise UserError(f"the bench failed on the board, which said last: {last}")
    return json.loads(match.group(1))


def frames() -> bytes:
    """A Python file with 64 readings of every sensor over five discs, summed, for a target without sensors."""
    table = five_discs()
    halls = table.scan_halls(64)
    lit, dark = table.scan_light(64)
    table.lying = [replace(disc, y_mm=disc.y_mm + 9 * (i < 2)) for i, disc in enumerate(table.lying)]
    parts = {"HALLS": halls, "LIT": lit, "DARK": dark, "MOVED": table.scan_halls(64)}
    return "".join(f"{name} = {np.asarray(sums).tolist()}\n" for name, sums in parts.items()).encode()


def five_discs() -> Any:
    """A simulated table with five discs on it."""
    from hapenny_sim.boards.table import SimulatedTable

    table = SimulatedTable(layout, build="perfect")
    lay_five(table)
    return table


def lay_five(table: Any) -> None:
    """Puts five discs into five beds."""
    from hapenny_sim.boards.acts import Lying

    table.lying = [Lying(i, x_mm, y_mm) for i, (x_mm, y_mm) in enumerate(FIVE_MM)]


def on_unix(_name: str) -> dict[str, Any]:
    """The Unix port over a frame that stands still: no sensor, strip or boot is timed."""
    from hapenny_sim.boards.unix import interpreter

    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "frames.py").write_bytes(frames())
        script = DEVICE.with_name("firmware_unix.py")
        places = [str(Path(hapenny.__file__).parents[1]), str(DEVICE.parent), folder]
        command = [interpreter(), "-X", f"heapsize={HEAP}", str(script), folder]
        environment = {**os.environ, "MICROPYPATH": ":".join(places)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    found = figures_in(done.stdout + done.stderr)
    return found | {"scan_us": None, "frame_us": None, "image": "MicroPython Unix port"}


def on_emulator(name: str) -> dict[str, Any]:
    """The RP2040 emulator at 125 MHz, with the compiled modules in its flash, a match in play and a shove.

    `frozen`: the image holds the modules itself, and only main.py is put there.
    """
    from hapenny_sim.boards.emulated_bench import Bench

    image = find_or_download()
    main = BOARD_MAIN.format(moving=True)
    carried = compiled(programs=(main, DEVICE.read_text()))
    carried = frozen(carried) if name == "frozen" else carried
    program = BoardFile("main.py", main.encode())
    bench = BoardFile("firmware_bench.mpy", compile_source(DEVICE))
    run = Bench(image, [file for file in carried if file.path != MAIN] + [program, bench], lay_five)
    found = figures_in(run.until_figures())
    return found | {"verdict_ms": run.verdict_ms, "boot_ms": Bench.boot_ms(image, carried), "image": run.version()}


def on_serial(name: str) -> dict[str, Any]:
    """A real board in service mode; without hands, so nothing that moves is timed."""
    from hapenny_link.rescue import Rescued

    with Rescued(name) as board:
        board.put("firmware_bench.mpy", compile_source(DEVICE))
        text = board.run(BOARD_MAIN.format(moving=False), timeout_s=120)
        return figures_in(text) | {"image": board.version()}
