"""The command `health`: how a board is calibrated, and which sensors are faulty."""

from hapenny_link.calibration.client import CalibrationClient
from hapenny_link.calibration.report import print_report
from hapenny_link.errors import BoardGone, UserError
from hapenny_link.urls import open_board
from rich.console import Console

from hapenny_host.commands.arguments import BoardUrl


def health(board: BoardUrl = "serial:") -> None:
    """Say how a board is calibrated, where it calls nothing, and which sensors are faulty."""
    report(board, Console())


def report(url: str, console: Console) -> None:
    """Print a board's report. UserError if there is no board."""
    opened = open_board(url)
    client = CalibrationClient(opened, None)
    Console(stderr=True).print(f"looking for a board at {url} ...")
    try:
        client.connect()
        print_report(client, console)
    except BoardGone as gone:
        raise UserError("the board is gone, its cable or its power; plug it in and try again") from gone
    finally:
        client.session.stop()
        opened.close()
