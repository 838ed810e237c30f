"""The command `hapenny scenario`."""

import json
from pathlib import Path
from typing import Annotated

import typer
from hapenny_link.errors import UserError

from hapenny_sim.scenario.file import load
from hapenny_sim.scenario.run import Result, run, write_junit
from hapenny_sim.scenario.target import open_target

app = typer.Typer(no_args_is_help=True)


@app.callback()
def scenario() -> None:
    """Scenarios: what happens at a board and what must follow."""


@app.command("run")
def run_files(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Scenario files (TOML).")],
    target: Annotated[str, typer.Option(help="engine, unix, emulated or serial:PORT.")] = "engine",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object per file.")] = False,
    junit: Annotated[Path | None, typer.Option(metavar="FILE", help="Also write a JUnit report.")] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the noise, on simulated boards.")] = None,
) -> None:
    """Run scenario files; exit 0 if all held, 1 if an expectation failed, 2 if a file is not a valid scenario."""
    scenarios = [load(path) for path in files]
    place = open_target(target, seed)
    results = []
    try:
        for result in run(scenarios, place, target):
            results.append(result)
            tell(result, as_json)
    finally:
        place.close()
    if junit:
        try:
            write_junit(results, junit)
        except OSError as error:
            raise UserError(f"{junit}: cannot be written: {error.strerror}") from error
    raise typer.Exit(0 if all(result.ok for result in results) else 1)


def tell(result: Result, as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(result.as_json(), ensure_ascii=False))
    else:
        word = "skip" if result.skipped else "ok  " if result.ok else "FAIL"
        typer.echo(f"{word} {result.scenario.file}  {result.skipped or result.scenario.title}")
    for failure in result.failures:
        typer.echo(failure, err=True)
