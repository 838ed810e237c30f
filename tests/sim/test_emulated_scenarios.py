"""Scenarios on the emulated RP2040: for each kind of step the shortest file that has it."""

from pathlib import Path

import pytest
from emulator import image_or_skip
from hapenny_sim.scenario.file import load

pytestmark = [pytest.mark.xdist_group("emulated"), pytest.mark.slow, pytest.mark.timeout(3600)]
FOLDER = Path(__file__).parents[1] / "scenarios"
FILES = {
    "21-handicap-seven": {"clear"},
    "06-an-attempt-is-free-in-the-encyclopedia": {"attempt"},
    "27-extras-to-the-neediest": {"dart"},
    "27-the-thrower-chooses": {"give"},
    "03-order-as-given": {"nine"},
    "06c-short-off-a-disc-elsewhere-is-retaken": {"shove", "retake"},
    "20-the-referee-names-a-winner": {"overrule", "undo"},
    "17-out-of-turn-and-a-disc-moved": {"choose"},
    "04-longer-or-shorter-by-agreement": {"options"},
    "09-a-heap-without-a-referee": {"decide", "record"},
    "32-claims-no-longer-possible-drop": {"claim", "correct"},
    "19-an-opponents-touch-is-interference": {"touch", "interfere"},
    "18-damping-loses-the-game": {"damp"},
    "32-power-fails-in-mid-turn": {"power_cut"},
}


def steps_of(name):
    return {step.do for step in load(FOLDER / f"{name}.toml").steps}


def test_the_files_have_every_kind_of_step():
    every = {do for path in FOLDER.glob("*.toml") for do in steps_of(path.stem)}
    assert set().union(*FILES.values()) == every
    for name, kinds in FILES.items():
        assert kinds <= steps_of(name), name


@pytest.mark.parametrize("name", FILES)
def test_scenario_on_the_emulated_board(name):
    image_or_skip()
    from hapenny_sim.scenario.run import run
    from hapenny_sim.scenario.target import open_target

    place = open_target("emulated", 1)
    try:
        (result,) = run([load(FOLDER / f"{name}.toml")], place, "emulated")
    finally:
        place.close()
    assert not result.skipped
    assert result.ok, "\n".join(result.failures)
