"""The scenario files of the project: every one holds on the engine, and every point of the rules has one."""

from pathlib import Path

import pytest
from hapenny_sim.scenario.engine_target import EngineTarget
from hapenny_sim.scenario.file import load
from hapenny_sim.scenario.run import run

FILES = sorted((Path(__file__).parents[2] / "scenarios").glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_holds_on_the_engine(path):
    (result,) = run([load(path)], EngineTarget(), "engine")
    assert result.ok, "\n".join(result.failures)


def test_every_point_of_the_rules_has_a_scenario():
    proved = {point.rstrip("abc") for path in FILES for point in load(path).points}
    missing = [str(point) for point in range(1, 33) if str(point) not in proved]
    assert missing == [], f"no scenario proves point {', '.join(missing)}"


def test_every_file_is_named_after_the_first_point_it_proves():
    for path in FILES:
        number = load(path).points[0].rstrip("abc").zfill(2)
        assert path.stem[:2] == number and path.stem[2:3] in "-abc", path.name


def test_every_step_and_every_expectation_of_the_format_is_used():
    from hapenny_sim.scenario.steps import EXPECT, REFUSALS, STEPS

    steps = [step for path in FILES for step in load(path).steps]
    assert {step.do for step in steps} == set(STEPS)
    assert {key for step in steps for key in step.expect} == set(EXPECT)
    assert {step.refused for step in steps} - {""} == set(REFUSALS)
