"""`hapenny bench rules`: the rules engine on MicroPython's Unix port, in the heap a board would have."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import hapenny
from hapenny_link.errors import UserError

from hapenny_sim.boards.unix import interpreter

HEAP = "192K"
LABELS = {
    "games": "whole games played",
    "events_per_game": "events in each",
    "growth_bytes": "bytes allocated more after them",
    "turn_us": "microseconds for a turn of five shoves and taking the discs off",
    "undo_us": "microseconds to undo the last event",
    "live_bytes_8_sides": "bytes of the live state for 8 sides",
    "live_heap_bytes_8_sides": "the same as objects on this 64-bit heap",
    "history_bytes_8_sides": "bytes of its events, for undo",
    "ledger_bytes_8_sides": "bytes of its ledger, for corrections",
    "turns_8_sides": "turns played in that match",
}


def measure(games: int) -> dict[str, Any]:
    """Figures of the engine, see LABELS. UserError if there is no MicroPython or it failed."""
    firmware = Path(hapenny.__file__).parents[1]
    script = Path(__file__).parent / "device" / "rules_main.py"
    command = [interpreter(), "-X", f"heapsize={HEAP}", str(script), str(games)]
    environment = {**os.environ, "MICROPYPATH": str(firmware)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        raise UserError(f"the engine failed on MicroPython: {(done.stderr or done.stdout).strip().splitlines()[-1]}")
    return {"heap": HEAP} | json.loads(done.stdout)


def report(figures: dict[str, Any]) -> str:
    """The figures, one a line."""
    return "\n".join(f"{figures[key]:>8}  {text}" for key, text in LABELS.items())
