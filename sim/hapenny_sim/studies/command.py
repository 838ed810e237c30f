"""The command `hapenny study`: one subcommand per study, each in a file of its own."""

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from hapenny_link.errors import UserError

app = typer.Typer(no_args_is_help=True)

KINDS = (".png", ".svg", ".pdf")


def drawable(path: Path | None) -> Path | None:
    """The file for a plot, looked at before anything is computed. UserError says why none can be drawn there."""
    if path is None:
        return None
    if path.suffix.lower() not in KINDS:
        raise UserError(f"--plot {path}: say a file that ends in {', '.join(KINDS)}")
    if not path.absolute().parent.is_dir():
        raise UserError(f"--plot {path}: there is no folder {path.parent}")
    fresh = not path.exists()
    try:
        path.open("ab").close()
    except OSError as error:
        raise UserError(f"--plot {path}: it cannot be written: {error.strerror}") from error
    if fresh:
        path.unlink()
    return path


AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Plot = Annotated[Path | None, typer.Option(help="Also draw it to this file (.png, .svg, .pdf).", callback=drawable)]
Seed = Annotated[int, typer.Option(min=0, help="The same seed gives the same figures.")]
Scheduler = Annotated[
    str | None, typer.Option(help="A Dask scheduler's address, tcp://host:8786, instead of this machine's cores.")
]
Settings = Annotated[
    list[str] | None, typer.Option("--set", help="A parameter of the physics, such as friction=0.18; may be repeated.")
]
Who = Annotated[str, typer.Option(help="beginner, regular, county, or a skill such as 0.02.")]


@app.callback()
def study() -> None:
    """Studies: shoves, spread, matches, surfaces; on all cores or a cluster."""


@app.command()
def shove(
    speed: Annotated[float, typer.Option(help="m/s.")] = 1.1,
    x: Annotated[float, typer.Option(help="Where the disc starts, mm from the left edge.")] = 184.15,
    y: Annotated[float, typer.Option(help="And from the front edge.")] = 6.0,
    direction: Annotated[float, typer.Option(help="Degrees to the right of straight ahead.")] = 0.0,
    spin: Annotated[float, typer.Option(help="rad/s, to the left from above.")] = 0.0,
    lying: Annotated[list[str] | None, typer.Option(help="A disc lying at X,Y (mm); may be repeated.")] = None,
    settings: Settings = None,
    seed: Annotated[int | None, typer.Option(help="Shove it as --player would, by chance of this seed.")] = None,
    player: Who = "regular",
    times: Annotated[int, typer.Option(min=1, help="Shove it so often as --player would; where does it end?")] = 1,
    scheduler: Scheduler = None,
    as_json: AsJson = False,
    plot: Plot = None,
) -> None:
    """One shove: its path and stopping place; or many, as somebody makes them."""
    import numpy as np

    from hapenny_sim.physics import Rest, Shove
    from hapenny_sim.studies import shove as found

    def go() -> tuple[dict[str, Any], str]:
        physics, who = physics_of(settings), player_of(player)
        aim, discs = Shove(x, y, speed, direction, spin), [Rest(*place_of(text)) for text in lying or []]
        if times > 1:
            ends, figures = found.many(discs, aim, who, times, 1 if seed is None else seed, physics, scheduler)
            if plot:
                found.plot_many(ends, physics, plot)
            return figures, found.report_many(figures)
        if seed is not None:
            aim = who.shove(aim, np.random.default_rng(seed))
        path, figures = found.run(discs, aim, physics, scheduler)
        if plot:
            found.plot(path, physics, plot)
        return figures, found.report(figures)

    show(go, as_json)


@app.command()
def spread(
    player: Who = "regular",
    turns: Annotated[int, typer.Option(min=1, help="Turns of five.")] = 100_000, seed: Seed = 1,
    settings: Settings = None, scheduler: Scheduler = None, as_json: AsJson = False, plot: Plot = None,
) -> None:  # fmt: skip
    """Where a player's discs end."""
    from hapenny_sim.studies import spread as found

    def go() -> tuple[dict[str, Any], str]:
        physics = physics_of(settings)
        cells, figures = found.run(player_of(player), turns, seed, physics, scheduler)
        if plot:
            found.plot(cells, physics, plot)
        return figures, found.report(figures)

    show(go, as_json)


@app.command()
def match(
    first: Who = "regular", second: Who = "regular",
    preset: Annotated[str, typer.Option(help="Under which rules.")] = "encyclopedia",
    handicap_first: Annotated[int, typer.Option(help="Marks the first player is given; below 0: plus.")] = 0,
    handicap_second: Annotated[int, typer.Option(help="And the second.")] = 0,
    games: Annotated[int, typer.Option(min=1)] = 200, seed: Seed = 1,
    fair: Annotated[bool, typer.Option(help="Find the handicap that makes a fair game.")] = False,
    think: Annotated[bool, typer.Option(help="Both plan every shove (slower).")] = False,
    settings: Settings = None, scheduler: Scheduler = None, as_json: AsJson = False, plot: Plot = None,
) -> None:  # fmt: skip
    """Win rates between two players, and the handicap that makes a fair game."""
    from hapenny_sim.studies import match as found

    def go() -> tuple[dict[str, Any], str]:
        players, physics = (player_of(first), player_of(second)), physics_of(settings)
        if fair:
            figures = found.fair(players, preset, games, seed, physics, scheduler)
        else:
            marks = (handicap_first, handicap_second)
            figures = found.run(players, preset, marks, games, seed, physics, think, scheduler)
        if plot:
            found.plot(figures, plot)
        return figures, found.report(figures)

    show(go, as_json)


@app.command()
def surface(
    recording: Annotated[Path | None, typer.Argument(help="Recorded shoves (CSV); else some are made up.")] = None,
    shoves: Annotated[int, typer.Option(min=8, help="Shoves to make up without a file.")] = 60, seed: Seed = 1,
    resamples: Annotated[int, typer.Option(min=0, help="Fits to shoves drawn again, for the 95 % ranges.")] = 100,
    settings: Settings = None, scheduler: Scheduler = None, as_json: AsJson = False, plot: Plot = None,
) -> None:  # fmt: skip
    """Fit friction, grain and tilt to recorded rests of a real board."""
    from hapenny_sim.physics import Physics
    from hapenny_sim.studies import surface as found

    def go() -> tuple[dict[str, Any], str]:
        physics = physics_of(settings)
        rows = found.read(recording) if recording else found.recorded(shoves, seed, physics)
        figures = found.run(rows, physics if recording else Physics(), resamples, seed, scheduler)
        if plot:
            found.plot(rows, figures, physics, plot)
        return figures, found.report(figures)

    show(go, as_json)


@app.command()
def accuracy(
    layout: Annotated[str, typer.Option(help="standard or lite.")] = "standard",
    build: Annotated[str, typer.Option(help="good or typical.")] = "good",
    calibration: Annotated[str, typer.Option(help="none, swept or refined.")] = "refined",
    discs: Annotated[int, typer.Option(min=5, help="Discs to judge, five a turn.")] = 10_000,
    seed: Seed = 1,
    dead: Annotated[
        int, typer.Option(min=0, max=9, help="Neighbouring Halls that are dead, other ones on each board.")
    ] = 0,
    dirty: Annotated[
        int, typer.Option(min=0, max=9, help="Line segments that are dirty, other ones on each board.")
    ] = 0,
    scheduler: Scheduler = None,
    as_json: AsJson = False,
    plot: Plot = None,
) -> None:
    """How well the board judges: wrong calls, doubts and errors, from ADC counts to verdicts."""
    from hapenny_sim.studies import accuracy, calls

    def go() -> tuple[dict[str, Any], str]:
        settings = accuracy.checked(accuracy.Settings(layout, build, calibration, discs, seed, 0, dead, dirty))
        figures, rows = accuracy.run(settings, scheduler)
        if plot:
            calls.plot(rows, figures, plot)
        return figures, calls.report(figures)

    show(go, as_json)


@app.command()
def play(
    style: Annotated[str, typer.Option(help="ordinary, weak, straight, cannons or mixed.")] = "mixed",
    preset: Annotated[
        str, typer.Option(help="Under which rules; without, those that the style is mostly seen with.")
    ] = "",
    build: Annotated[str, typer.Option(help="good or typical.")] = "good",
    layout: Annotated[str, typer.Option(help="standard or lite.")] = "standard",
    shoves: Annotated[int, typer.Option(min=1)] = 1000,
    seed: Annotated[int | None, typer.Option(min=0, help="Without, one is drawn, and printed.")] = None,
    replay: Annotated[
        int | None, typer.Option(min=0, help="Show this shove of the study in detail, every look of the board.")
    ] = None,
    scheduler: Scheduler = None,
    as_json: AsJson = False,
    plot: Plot = None,
) -> None:
    """How well the board plays: whole turns as people play them, from shoves to what is on record."""
    import secrets

    from hapenny_sim.studies.play import replay as again
    from hapenny_sim.studies.play import study

    def go() -> tuple[Any, str]:
        drawn = secrets.randbelow(1_000_000) if seed is None else seed
        settings = study.checked(study.Settings(style, preset, build, layout, shoves, drawn))
        if replay is not None:
            text = again.replay(settings, replay)
            return text.splitlines(), text
        figures, tallies = study.run(settings, scheduler)
        if plot:
            study.plot(tallies, figures, plot)
        return figures, study.report(figures)

    show(go, as_json)


def show(go: Any, as_json: bool) -> None:
    """Run a study; what is out of range becomes one sentence."""
    try:
        figures, text = go()
    except ValueError as error:
        raise UserError(str(error)) from error
    typer.echo(json.dumps(figures) if as_json else text)


def player_of(text: str) -> Any:
    """A player by level, or by skill."""
    from hapenny_sim.players import Player

    try:
        return Player(text, float(text))
    except ValueError:
        return Player.level(text)


def place_of(text: str) -> tuple[float, float]:
    """X,Y in millimetres."""
    try:
        x, y = (float(part) for part in text.split(","))
    except ValueError as error:
        raise UserError(f"--lying {text}: write X,Y in millimetres, such as 184,150.") from error
    return x, y


def physics_of(settings: list[str] | None) -> Any:
    """Physics with NAME=VALUE settings; UserError lists what can be set."""
    from dataclasses import fields

    from hapenny_sim.physics import Physics

    plain = {f.name for f in fields(Physics) if "tuple" not in str(f.type)}
    values: dict[str, Any] = {}
    for text in settings or []:
        name, _, value = text.partition("=")
        if name not in plain:
            raise UserError(f"--set {text}: can be set are {', '.join(sorted(plain))}.")
        try:
            values[name] = float(value)
        except ValueError as error:
            raise UserError(f"--set {text}: {value!r} is not a number.") from error
    return Physics(**values)
