"""The command `run`: serves a board's pages."""

from dataclasses import replace
from pathlib import Path
from typing import Annotated

import typer
from hapenny_link.errors import UserError

from hapenny_host import settings
from hapenny_host.commands.store import Config, Where


def run(
    board: Annotated[
        str | None, typer.Option(help="The board's URL: unix: emulated: serial: socket://HOST:PORT replay:FILE")
    ] = None,
    port: Annotated[int | None, typer.Option(help="Port of the pages: 8080.", min=1, max=65535)] = None,
    host: Annotated[
        str | None, typer.Option(help="Address of the pages: 127.0.0.1; 0.0.0.0 shows them to the whole LAN.")
    ] = None,
    store: Where = None,
    config: Config = None,
    record: Annotated[Path | None, typer.Option(help="Also record what the board sends, for replay:FILE.")] = None,
) -> None:
    """Serve /play, to play on a simulated board or look after a real one, and /tv, the scoreboard."""
    said = settings.load(config)
    if board is None and len(said.run.boards) > 1:
        raise UserError("one board a host so far: name one in run.boards, or with --board")
    board = board or said.run.boards[0]
    simulated = board.startswith(("unix:", "emulated:"))
    print(f"Opening {board} ...{' (half a minute the very first time)' if simulated else ''}", flush=True)
    from hapenny_host import serve

    store_settings = replace(said.store, at=str(said.store.place(store)))
    serve.run(board, port or said.run.port, host or said.run.address, store_settings, record)
