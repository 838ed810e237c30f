"""`hapenny bench firmware`: how long each part of the firmware takes on a board, how much memory, how big it is."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import hapenny
from hapenny_link.errors import UserError
from hapenny_link.firmware_files import (
    MAIN,
    BoardFile,
    compile_source,
    compile_text,
    compiled,
    mpy_bytes,
)
from hapenny_link.image import holds_firmware, needed

from hapenny_sim.bench.frames import frames

FOLDER = Path(__file__).parent / "device"
SHARED = FOLDER / "firmware_clock.py", FOLDER / "firmware_match.py"
TIMES = ("scan_us", "frame_us", "locate5_us", "rules_turn_us", "pegs_us", "irq_off_us", "verdict_ms", "loop_max_us")
KEYS = (*TIMES, "heap_live", "heap_free", "alloc_per_cycle", "mpy_bytes", "boot_ms", "image")
HEAP = "1M"  # objects of the 64-bit port are twice as large, and it compiles the sources first
TARGETS = ("unix", "emulated", "emulated:frozen", "serial")
SERIAL_FOLDER = "bench"
Say = Callable[[str], None]


@dataclass(frozen=True)
class Part:
    """One run of the bench on a board: its program in `device`, how that is called, and how many steps it takes."""

    program: str
    steps: int
    frames: bool = False  # it wants frames made before
    unix: bool = True

    @property
    def source(self) -> Path:
        return FOLDER / f"{self.program}.py"

    @property
    def main(self) -> str:
        return f"import time\ntime.sleep_ms(20)\nimport {self.program}\n{self.program}.run()\n"


PARTS = {
    "locate": Part("firmware_locate", 5, frames=True),
    "drivers": Part("firmware_drivers", 3, unix=False),
    "rules": Part("firmware_rules", 3),
    "app": Part("firmware_app", 2),
}
BOOT = "boot"  # the last part: power-up to hello, with the board's own main.py
LABELS = {
    "scan_us": "us  one pass over the Halls",
    "frame_us": "us  the verdict frame: 64 Hall passes, 16 light pairs",
    "find5_us": "us  five discs found from nothing",
    "locate5_us": "us  five known discs located to full accuracy",
    "follow5_us": "us  five known discs, one of them moving",
    "arrive5_us": "us  four known discs, and a fifth that is new",
    "judge5_us": "us  their verdicts",
    "rules_turn_us": "us  the rules of a turn of five shoves",
    "append_us": "us  an event into the journal",
    "pegs_us": "us  an update of the pegs",
    "irq_off_us": "us  the latest a timer's interrupt came meanwhile",
    "verdict_ms": "ms  from the last disc at rest to the pegs that say so",
    "loop_max_us": "us  the longest loop, the verdict's included",
    "track_loop_max_us": "us  the longest loop of tracking",
    "heap_live": "B   heap in use",
    "heap_free": "B   heap free",
    "alloc_per_cycle": "B   allocated by the greediest cycle from scan to pegs (1 on a board: it does allocate)",
    "mpy_bytes": "B   of compiled modules",
    "boot_ms": "ms  from power-up to the first hello",
}
UNITS = {"us": "us", "alloc": "B"}
KERNELS = {
    "refine_kernels": "kernels of locating five known discs",
    "follow_kernels": "kernels of two looks",
    "arrive_kernels": "kernels of a look with a new disc",
}


def report(figures: dict[str, Any]) -> str:
    """The figures, one a line."""
    lines = [f"image   {figures['image']}"]
    lines += [f"{figures[key]!s:>8} {text}" for key, text in LABELS.items() if figures.get(key) is not None]
    others = sorted(key for key, value in figures.items() if key not in (*LABELS, *KERNELS, "image"))
    lines += [worded(key, figures[key]) for key in others if figures[key] is not None]
    for key, text in KERNELS.items():
        lines += [text] if key in figures else []
        lines += [f"{took:>8} us {calls:>6} calls  {name}" for name, calls, took in figures.get(key, ())]
    return "\n".join(lines)


def worded(key: str, value: Any) -> str:
    """A figure of no label of its own, in a line; of places (pairs of hundredths of a millimetre) each one."""
    if isinstance(value, list):
        places = "; ".join(f"{x / 100:.2f} {y / 100:.2f}" for x, y in value)
        return f"{'':>8} mm  {key} (x y): {places}"
    return f"{value!s:>8} {UNITS.get(key.rpartition('_')[2], ''):3} {key}"


def check(target: str, parts: tuple[str, ...]) -> None:
    """UserError if the target or a part is none of the bench's."""
    if target not in TARGETS and not target.startswith("serial:"):
        raise UserError(f"there is no target '{target}' for this bench; say {', '.join(TARGETS)} or serial:NUMBER")
    unknown = set(parts) - set(PARTS)
    if unknown:
        raise UserError(f"the bench has no part '{unknown.pop()}'; it has {', '.join(PARTS)}")


def steps(target: str, parts: tuple[str, ...] = ()) -> int:
    """How many signs of life `measure` gives. UserError as `check`."""
    check(target, parts)
    names = parts or tuple(PARTS)
    boot = target.startswith("emulated") and not parts
    return sum(PARTS[name].steps + 1 for name in names) + boot


def measure(target: str, parts: tuple[str, ...] = (), say: Say = lambda text: None) -> dict[str, Any]:
    """Figures of `unix`, `emulated[:frozen]` or `serial[:NUMBER]`; what a target cannot tell is None. See LABELS.

    `parts` of PARTS, all if empty; `say` is called at each step.
    """
    check(target, parts)
    kind, _, name = target.partition(":")
    run = {"unix": on_unix, "emulated": on_emulator, "serial": on_serial}[kind]
    found = run(name, parts or tuple(PARTS), say)
    if kind == "emulated" and not parts:
        found |= {"boot_ms": boot_ms(name, say)}
    return (found if parts else dict.fromkeys(KEYS) | found) | {"mpy_bytes": mpy_bytes()}


def figures_in(text: str) -> dict[str, Any]:
    """The JSON that the device has printed. UserError with its last words if there is none."""
    match = re.search(r"FIGURES (\{.*\})", text)
    if match is None:
        last = " | ".join(text.strip().splitlines()[-6:]) or "nothing"
        raise UserError(f"the bench failed on the board, which said last: {last}")
    return json.loads(match.group(1))


def carried(part: Part) -> list[BoardFile]:
    """What a part needs on a board: the firmware's modules without main.py, and its own."""
    files = [file for file in compiled() if file.path != MAIN]
    files += [BoardFile(f"{path.stem}.mpy", compile_source(path)) for path in (part.source, *SHARED)]
    if part.frames:
        files.append(BoardFile("firmware_frames.mpy", compile_text(frames(), "firmware_frames.py")))
    return files


def on_unix(_name: str, parts: tuple[str, ...], say: Say) -> dict[str, Any]:
    """The Unix port over frames that stand still: no sensor, strip or boot is timed."""
    from hapenny_sim.boards.unix import interpreter

    found: dict[str, Any] = {"image": "MicroPython Unix port"}
    for name in parts:
        part = PARTS[name]
        say(name)
        if not part.unix:
            continue
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "firmware_frames.py").write_text(frames())
            call = "firmware_unix" if name == "app" else part.program
            places = [str(Path(hapenny.__file__).parents[1]), str(FOLDER), folder]
            environment = {**os.environ, "MICROPYPATH": ":".join(places)}
            program = f"import {call}\n{call}.run()"
            command = [interpreter(), "-X", f"heapsize={HEAP}", "-c", program]
            done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
        found |= figures_in(done.stdout + done.stderr)
    return found


def on_emulator(name: str, parts: tuple[str, ...], say: Say) -> dict[str, Any]:
    """The RP2040 emulator at 125 MHz, one short life for each part, with the modules that it needs in its flash.

    `frozen`: the image holds the modules itself, and only the bench's are put there.
    """
    from hapenny_sim.boards.emulated_bench import Bench

    image = needed()
    if name == "frozen" and not holds_firmware(image):
        raise UserError(f"{image} is MicroPython alone; emulated:frozen needs an image with our modules in it")
    found: dict[str, Any] = {}
    for each in parts:
        part = PARTS[each]
        say(f"{each}: boot")
        load = carried(part)
        files = [file for file in load if name != "frozen" or not file.path.startswith("hapenny/")]
        program = BoardFile(MAIN, part.main.encode())
        run = Bench(image, [*files, program], lambda step, of=each: say(f"{of}: {step}"))
        found |= figures_in(run.until_figures()) | {"image": run.version()}
        if run.verdict_ms is not None:
            found["verdict_ms"] = run.verdict_ms
    return found


def boot_ms(name: str, say: Say) -> int:
    """From power-up to the first hello, in the emulator, with the board's own files."""
    from hapenny_sim.boards.emulated_bench import Bench

    say(BOOT)
    return Bench.boot_ms(needed(), [] if name == "frozen" else compiled())


def on_serial(name: str, parts: tuple[str, ...], say: Say) -> dict[str, Any]:
    """A real board in service mode; without hands, so nothing that moves is timed."""
    from hapenny_link.rescue import Rescued

    found: dict[str, Any] = {}
    for each in parts:
        part = PARTS[each]
        say(each)
        load = carried(part)
        with Rescued(name) as board:  # entering restarts MicroPython: each part finds a clean heap
            for file in load:
                board.put(f"{SERIAL_FOLDER}/{file.path}", file.content)
            start = (
                f"import sys\nsys.path.insert(0, {SERIAL_FOLDER!r})\n{part.main.replace('run()', 'run(moving=False)')}"
            )
            found |= figures_in(board.run(start, timeout_s=120)) | {"image": board.version()}
            board.leave()
    return found
