"""The commands that look after boards: `flash`, `boards`, `image`, `selftest`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer
from hapenny_link import image as images
from hapenny_link.errors import UserError
from hapenny_link.firmware_files import LAYOUTS, compiled
from hapenny_link.rescue import port_of
from rich.console import Console
from rich.progress import Progress

from hapenny_host import deploy
from hapenny_host.commands.arguments import Layout, layout_module
from hapenny_host.commands.health import report

NEW_PICO = (
    "no board is plugged in; with nothing on a Pico yet, hold BOOTSEL while plugging it in, and run this again: "
    "the drive RPI-RP2 appears and the image is put there"
)
Port = Annotated[str, typer.Option("--port", help="Serial number or port, where several boards are plugged in.")]
Uf2 = Annotated[Path | None, typer.Option(help="An image for the Pico.")]


def say(text: str) -> None:
    """A line of progress for a person."""
    typer.echo(text, err=True)


def flash(
    port: Port = "",
    files: Annotated[
        bool,
        typer.Option(
            "--files", help="Compile the firmware and copy it as files; these go before what the image holds."
        ),
    ] = False,
    layout: Annotated[str, typer.Option(help="With --files: standard or lite.")] = "standard",
    uf2: Uf2 = None,
) -> None:
    """Put the image on a board, or the firmware as files; start it and run its self test."""
    if layout not in LAYOUTS:
        raise UserError(f"there is no layout '{layout}'; say standard or lite")
    new = bool(not port and deploy.boot_drives())
    if not new and not port and not deploy.boards():
        raise UserError(NEW_PICO)
    if not new:
        port_of(port)  # none is plugged in: that is said at once, compiling takes some seconds
    if new or not files:
        put_image(port, new, images.stock(named(uf2)) if files else images.needed(named(uf2)))
    carried = compiled(layout) if files else []
    with deploy.Rescued(port) as board:
        say(f"in: {board.version()}")
        with Progress(console=Console(stderr=True)) as bar:
            task = bar.add_task("copying")
            deploy.flash(board, carried, say, lambda done, total: bar.update(task, completed=done, total=total or 1))
        checks = deploy.selftest(board)
        board.leave()
    hello = deploy.wait_for_hello(port)
    say(f"board {hello['board']} runs firmware {hello['firmware']}")
    show(checks)


def named(uf2: Path | None) -> str | None:
    """The image that a person named, as the module `image` wants it."""
    return str(uf2) if uf2 else None


def put_image(port: str, new: bool, image: Path) -> None:
    """The image on a Pico in BOOTSEL mode, or on a board, which is sent there first."""
    if not new:
        with deploy.Rescued(port) as board:
            say(f"in: {board.version()}; the board goes to its boot loader")
            board.to_bootloader()
        deploy.wait_for_drive()
    deploy.install_image(image, say)
    say("the image is there; waiting for the board to start")
    deploy.wait_for_port(port)


def boards() -> None:
    """List the boards that are plugged in."""
    found = deploy.boards()
    for url, port, what in found:
        typer.echo(f"{url or '-':32} {port:20} {what}")
    if not found:
        typer.echo("no board is plugged in; unix: and emulated: need none")


def image(
    uf2: Uf2 = None,
    path: Annotated[bool, typer.Option("--path", help="Only print where it is.")] = False,
) -> None:
    """Say which image the emulator and `flash` take, and whether our modules are in it."""
    found = images.needed(named(uf2))
    what = "with the board's firmware" if images.holds_firmware(found) else "MicroPython alone"
    typer.echo(str(found) if path else f"{found} ({found.stat().st_size} bytes, {what})")


def selftest(
    port: Port = "",
    layout: Layout = "standard",
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Run a board's self test: sensors, references, pegs, buttons, flash, timing, memory; then what it says itself."""
    with deploy.Rescued(port) as board:
        checks = deploy.selftest(board, layout_module(layout))
        board.leave()
    try:
        show(checks, as_json)
    finally:
        if not as_json:
            deploy.wait_for_hello(port)
            report(f"serial:{port}", Console(stderr=True))


def show(checks: list[deploy.Check], as_json: bool = False) -> None:
    """The results, one a line; exit code 1 if one failed."""
    if as_json:
        typer.echo(json.dumps({check.name: vars(check) for check in checks}))
    else:
        for check in checks:
            note = "" if check.note == "-" else f"  {check.note}"
            limits = f"{check.low:g} to {check.high:g} {check.unit}"
            typer.echo(f"{check.verdict:9} {check.name:20} {check.value:>8g}  ({limits}){note}")
    if any(check.verdict == "fail" for check in checks):
        raise typer.Exit(1)
