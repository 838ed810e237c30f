"""The command `hapenny`: its subcommands lie in commands/; those of the simulator are imported only when called."""

import sys
from importlib import import_module
from importlib.metadata import version
from typing import Annotated

import typer
from hapenny_link.errors import UserError

from hapenny_host.commands.calibrate import calibrate
from hapenny_host.commands.health import health
from hapenny_host.commands.run import run
from hapenny_host.commands.store import backup, config, export, prune, restore
from hapenny_host.commands.usb import boards, flash, image, selftest

COMMANDS = (run, backup, restore, export, prune, config, flash, boards, image, selftest, calibrate, health)
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
    """Print the version, and end."""
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


for command in COMMANDS:
    app.command()(command)


def include(name: str, wanted: bool) -> None:
    """Add an area's commands. They are imported only if they are wanted now."""
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
    """Run the command. What you can put right is said in one line, with exit code 2."""
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
    """A usage error in one line that says where to read more."""
    text = getattr(error, "format_message", lambda: str(error))()
    context = getattr(error, "ctx", None)
    command = context.command_path if context else "hapenny"
    return f"{' '.join(text.split())} (see '{command} --help')"


def complain(text: str) -> None:
    """Print what is wrong, and end."""
    print(f"hapenny: {text}", file=sys.stderr)
    sys.exit(2)
