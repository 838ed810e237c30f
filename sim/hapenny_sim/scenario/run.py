"""Running valid scenarios on a target, and telling what held."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from hapenny_sim.scenario.expect import differences
from hapenny_sim.scenario.file import Scenario
from hapenny_sim.scenario.target import Target


@dataclass(frozen=True)
class StepResult:
    """One step: what it led to, and every expectation that did not hold."""

    n: int
    do: str
    got: dict[str, Any]
    wrong: list[str]


@dataclass(frozen=True)
class Result:
    """One file on one target; `skipped` says why it cannot happen there."""

    scenario: Scenario
    target: str
    steps: list[StepResult]
    skipped: str = ""

    @property
    def ok(self) -> bool:
        return not any(step.wrong for step in self.steps)

    @property
    def failures(self) -> list[str]:
        file = self.scenario.file
        return [f"{file}: step {step.n} ({step.do}): {text}" for step in self.steps for text in step.wrong]

    def as_json(self) -> dict[str, Any]:
        """The object of `--json`; a skipped file has no steps and says why."""
        steps = [{"n": s.n, "do": s.do, "ok": not s.wrong, "got": s.got} for s in self.steps]
        found = {
            "file": self.scenario.file,
            "title": self.scenario.title,
            "target": self.target,
            "ok": self.ok,
            "steps": steps,
        }
        return found | ({"skipped": self.skipped} if self.skipped else {})


def run(scenarios: Iterable[Scenario], target: Target, name: str) -> Iterator[Result]:
    """The result of each scenario, one after another."""
    for scenario in scenarios:
        reason = target.unfit(scenario.steps)
        yield Result(scenario, name, [] if reason else run_steps(scenario, target), reason)


def run_steps(scenario: Scenario, target: Target) -> list[StepResult]:
    """Every step of one scenario; a failed expectation does not stop it."""
    target.start(scenario.match)
    steps = []
    for step in scenario.steps:
        reply = target.do(step.do, step.keys)
        wrong = differences(step.expect, step.refused, reply.refused, reply.got)
        steps.append(StepResult(step.n, step.do, reply.got | {"refused": reply.refused}, wrong))
    return steps


def write_junit(results: list[Result], path: Path) -> None:
    """The results as a JUnit report, a test case per file."""
    failed = sum(not result.ok for result in results)
    suite = ElementTree.Element("testsuite", name="scenarios", tests=str(len(results)), failures=str(failed))
    for result in results:
        case = ElementTree.SubElement(
            suite, "testcase", classname=f"scenario.{result.target}", name=result.scenario.file
        )
        if result.skipped:
            ElementTree.SubElement(case, "skipped", message=result.skipped)
        if not result.ok:
            fault = ElementTree.SubElement(case, "failure", message=result.failures[0])
            fault.text = "\n".join(result.failures)
    ElementTree.ElementTree(suite).write(path, encoding="utf-8", xml_declaration=True)
