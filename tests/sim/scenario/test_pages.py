"""The pages on rules and scenarios say what is there, and nothing that is not."""

import re
from pathlib import Path

from hapenny_sim.scenario.engine_target import EngineTarget
from hapenny_sim.scenario.file import load
from hapenny_sim.scenario.run import run
from hapenny_sim.scenario.steps import EXPECT, REFUSALS, STEPS

ROOT = Path(__file__).parents[3]


def test_the_page_and_the_files_name_the_same_scenarios():
    page = (ROOT / "docs" / "rules.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`(\d\d[a-c]?-[a-z0-9-]+)`", page))
    files = {path.stem for path in (ROOT / "tests" / "scenarios").glob("*.toml")}
    assert named == files


def test_the_example_on_the_page_of_scenarios_holds(tmp_path):
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    example = re.search(r"```toml\n(.*?)```", page, re.DOTALL)
    assert example
    (tmp_path / "example.toml").write_text(example[1], encoding="utf-8")
    (result,) = run([load(tmp_path / "example.toml")], EngineTarget(), "engine")
    assert result.ok, result.failures


def test_the_page_of_scenarios_names_every_step_refusal_and_expectation():
    page = (ROOT / "docs" / "scenarios.md").read_text(encoding="utf-8")
    for word in (*STEPS, *REFUSALS, *EXPECT):
        assert f"`{word}`" in page, word
