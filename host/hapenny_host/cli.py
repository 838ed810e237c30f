"""The command `hapenny`: `run` plays and shows; other areas are included from where they live when they are called."""

import sys
from dataclasses import replace
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Annotated

import typer
from hapenny_link.errors import UserError

from hapenny_host import settings
from hapenny_host.commands import keeping, usb

# Areas with commands of their own: name -> (module:app, what it is for, the extra that brings it)
AREAS = {
    "scenario": ("hapenny_sim.scenario.command:app", "Run scenario files on the engine or a board.", "sim"),
    "study": ("hapenny_sim.studies.command:app", "Study shoves, spread, matches and accuracy.", "sim"),
    "bench": ("hapenny_sim.bench.command:app", "Measure how fast each part is.", "sim"),
}

app = typer.Typer(
    help="The smart Shove Ha'penny board.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)


def tell_version(wanted: bool) -> None:
    """Print it, and end."""
    if wanted:
        print(f"hapenny {version('hapenny')}")
        raise typer.Exit


@app.callback()
def hapenny(
    _: Annotated[
        bool, typer.Option("--version", help="Say which hapenny this is.", callback=tell_version, is_eager=True)
    ] = False,
) -> None:
    """Play, watch, test and look after a smart Shove Ha'penny board."""


@app.command()
def run(
    board: Annotated[
        str | None, typer.Option(help="The board's URL: unix: emulated: serial: socket://HOST:PORT replay:FILE")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port of the pages: 8080.", min=1, max=65535)] = None,
    host: Annotated[
        str | None, typer.Option(help="Address of the pages: 127.0.0.1; 0.0.0.0 shows them to the whole LAN.")
    ] = None,
    store: keeping.Where = None,
    config: keeping.Config = None,
    record: Annotated[Path | None, typer.Option(help="Also record what the board sends, for replay:FILE.")] = None,
) -> None:
    """Serve /play, to play on a simulated board or mind a real one, and /tv, the scoreboard."""
    said = settings.load(config)
    if board is None and len(said.run.boards) > 1:
        raise UserError("one board a host so far: name one in run.boards, or with --board")
    board = board or said.run.boards[0]
    simulated = board.startswith(("unix:", "emulated:"))
    print(f"Opening {board} ...{' (half a minute the very first time)' if simulated else ''}", flush=True)
    from hapenny_host import serve

    keep = replace(said.store, at=str(said.store.place(store)))
    serve.run(board, port or said.run.port, host or said.run.address, keep, record)


keeping.register(app)
usb.register(app)


def include(name: str, wanted: bool) -> None:
    """Add an area's commands; import them only if they are wanted now."""
    where, text, extra = AREAS[name]
    if wanted:
        app.add_typer(load(where, extra, name), name=name, help=text)
    else:
        app.add_typer(typer.Typer(callback=lambda: None), name=name, help=text)


def load(where: str, extra: str, name: str) -> typer.Typer:
    """The typer app of an area. UserError if its package is not installed."""
    module, _, attribute = where.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ImportError as missing:
        text = f"'hapenny {name}' needs '{missing.name}', which is not installed: pip install 'hapenny[{extra}]'"
        raise UserError(text) from missing


def main() -> None:
    """Run the command; whatever a person can put right is said in one line, with exit code 2."""
    try:
        for name in AREAS:
            include(name, wanted=sys.argv[1:2] == [name])
        sys.exit(app(standalone_mode=False) or 0)
    except UserError as error:
        complain(str(error))
    except typer.TyperException as error:
        complain(misuse(error))
    except (KeyboardInterrupt, typer.Abort):
        sys.exit(130)


def misuse(error: typer.TyperException) -> str:
    """A usage error in one line, with where to read more."""
    text = getattr(error, "format_message", lambda: str(error))()
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "hapenny"
    return f"{' '.join(text.split())} (see '{command} --help')"


def complain(text: str) -> None:
    print(f"hapenny: {text}", file=sys.stderr)
    sys.exit(2)
