"""The command `hapenny bench`: one subcommand per bench, each in a file of its own."""

import json
from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import Progress, TimeElapsedColumn

app = typer.Typer(no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]


@app.callback()
def bench() -> None:
    """Benches: how fast, how small; measured here and now."""


@app.command()
def rules(
    games: Annotated[int, typer.Option(min=1, help="Whole games to play.")] = 1000,
    as_json: AsJson = False,
) -> None:
    """The rules engine on MicroPython: memory that grows, microseconds a turn, bytes of a match."""
    from hapenny_sim.bench import rules as found

    show(lambda: found.measure(games), found.report, as_json)


@app.command()
def firmware(
    target: Annotated[str, typer.Option(help="unix, emulated, emulated:frozen, serial or serial:NUMBER.")] = "unix",
    part: Annotated[list[str] | None, typer.Option(help="Only this part: locate, drivers, rules, app.")] = None,
    as_json: AsJson = False,
) -> None:
    """The firmware on a board: microseconds of each part, memory, size, and how soon the pegs show a verdict."""
    from hapenny_sim.bench import firmware as found

    parts = tuple(part or ())
    total = found.steps(target, parts)
    with Progress(*Progress.get_default_columns()[:2], TimeElapsedColumn(), console=Console(stderr=True)) as bar:
        task = bar.add_task("start", total=total)
        figures = found.measure(target, parts, lambda text: bar.update(task, description=text, advance=1))
    typer.echo(json.dumps(figures) if as_json else found.report(figures))


@app.command()
def physics(
    peers: Annotated[bool, typer.Option(help="Also time pymunk, Box2D and pooltool, if installed.")] = False,
    shoves: Annotated[int, typer.Option(min=1, help="Shoves to search for turns given up.")] = 1_000_000,
    fuzz: Annotated[int, typer.Option(min=0, help="Starts of any kind to play besides; all must end.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Of the fuzzed starts.")] = 1,
    as_json: AsJson = False,
) -> None:
    """The physics: shoves a second, how exact, any starts, and other engines on the same turns."""
    from hapenny_sim.bench import physics as found

    show(lambda: found.measure(shoves, peers, fuzz, seed), found.report, as_json)


def show(measure: Callable[[], dict[str, Any]], report: Callable[[dict[str, Any]], str], as_json: bool) -> None:
    """Measure, with a sign of life on stderr, and print the figures for people or as JSON."""
    with Console(stderr=True).status("measuring ..."):
        figures = measure()
    typer.echo(json.dumps(figures) if as_json else report(figures))
