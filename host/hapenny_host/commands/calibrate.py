"""The command `calibrate`: measures a board's own sensors."""

from typing import Annotated

import typer
from hapenny_link.calibration import procedure
from hapenny_link.calibration.sweeps import SWEEP_SAMPLES
from hapenny_link.urls import open_board
from rich.console import Console

from hapenny_host.commands.arguments import BoardUrl, Layout, layout_module


def calibrate(
    board: BoardUrl = "serial:",
    layout: Layout = "standard",
    refined: Annotated[
        bool, typer.Option("--refine", help="Listen while you play, and improve on the sweeps.")
    ] = False,
    discs: Annotated[int, typer.Option(help="How many discs to try in the spin test.", min=1, max=20)] = 5,
    samples: Annotated[int, typer.Option(help="Places along a line.", min=8, max=120)] = SWEEP_SAMPLES,
    rests: Annotated[int, typer.Option(help="Discs at rest that --refine waits for.", min=10)] = 300,
) -> None:
    """Measure a board's own sensors, once, in half an hour. Simulated boards do it by themselves."""
    opened = open_board(board)
    console = Console(stderr=True)
    try:
        if refined:
            procedure.refine(opened, layout_module(layout), rests, console)
        else:
            procedure.calibrate(opened, layout_module(layout), discs, samples, console)
    finally:
        opened.close()
