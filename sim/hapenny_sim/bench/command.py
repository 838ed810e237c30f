"""The command `hapenny bench`: one subcommand per bench, each in a file of its own."""

import json
from collections.abc import Callable
from typing import Annotated, Any

import typer
from rich.console import Console

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
    target: Annotated[str, typer.Option(help="unix, emulated, serial or serial:NUMBER.")] = "unix",
    as_json: AsJson = False,
) -> None:
    """The firmware on a board: microseconds of each part, memory, size, and how soon the pegs show a verdict."""
    from hapenny_sim.bench import firmware as found

    show(lambda: found.measure(target), found.report, as_json)


@app.command()
def physics(
    peers: Annotated[bool, typer.Option(help="Also time pymunk, Box2D and pooltool, if installed.")] = False,
    shoves: Annotated[int, typer.Option(min=1, help="Shoves to search for turns given up.")] = 1_000_000,
    as_json: AsJson = False,
) -> None:
    """The physics: shoves a second, how exact, and other engines on the same turns."""
    from hapenny_sim.bench import physics as found

    show(lambda: found.measure(shoves, peers), found.report, as_json)


def show(measure: Callable[[], dict[str, Any]], report: Callable[[dict[str, Any]], str], as_json: bool) -> None:
    """Measure, with a sign of life on stderr, and print the figures for people or as JSON."""
    with Console(stderr=True).status("measuring ..."):
        figures = measure()
    typer.echo(json.dumps(figures) if as_json else report(figures))
