"""Connects a board, the store, the writer and the pages, and serves until Ctrl-C."""

import contextlib
import errno
import socket
from collections.abc import Callable
from pathlib import Path

from hapenny_link.board import Board
from hapenny_link.conversation import LinkState
from hapenny_link.errors import UserError
from hapenny_link.session import Session
from hapenny_link.transports.replay import Recorder
from hapenny_link.urls import open_board, scheme_of
from nicegui import app, ui

from hapenny_host.boards.opponent import Opponent
from hapenny_host.boards.served import ServedBoard
from hapenny_host.boards.state import StateKeeper
from hapenny_host.settings import StoreSettings
from hapenny_host.store import Store
from hapenny_host.store.writer import Writer
from hapenny_host.web import pages

Record = Callable[[bytes], None]
STARTING = ("no board yet", "connected; waiting for the board's hello")  # troubles that every start goes through
ELSEWHERE = ("192.0.2.1", 9)  # an address that belongs to nobody (RFC 5737)


def ignore(data: bytes) -> None:
    """Record nothing."""


def run(url: str, port: int, host: str, store_settings: StoreSettings, recording: Path | None) -> None:
    """Open everything, then serve.

    UserError: the URL, the port, the store or the recording cannot be used; they are checked in this order.
    """
    scheme_of(url)
    check_port(host, port)  # before the board: a simulated one takes its time to open, and leaves a folder
    board = open_board(url)
    try:
        store = Store(store_settings.place(), store_settings.backups_folder())
        record = Recorder(recording) if recording else ignore
    except UserError:
        board.close()
        raise
    served, opponent, close = start(board, store, record, store_settings.evidence_days)
    app.on_shutdown(close)
    pages.register(served, opponent)
    print(f"Play at     http://localhost:{port}/play")
    print(f"The score   http://localhost:{port}/tv")
    print(f"Saved in    {store.place}   (Ctrl-C ends)", flush=True)
    served.keeper.on_link = LinkPrinter()
    served.keeper.on_link(served.state.link)
    with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C is how you end it
        ui.run(
            host=host,
            port=port,
            title="Shove Ha'penny",
            favicon=Path(__file__).parent / "web" / "icon.svg",
            reload=False,
            show=False,
            show_welcome_message=False,
            tailwind=False,
            reconnect_timeout=30,
        )
    print("Ended. The score is saved.", flush=True)


def start(
    board: Board, store: Store, record: Record = ignore, evidence_days: int = 0
) -> tuple[ServedBoard, Opponent, Callable[[], None]]:
    """Start everything that serves a board. Returns also the function that ends it all."""
    keeper = StateKeeper()
    writer = Writer(store, keeper, evidence_days)
    session = Session(board, writer, record)
    session.want_positions(True)
    writer.start()
    session.start()

    served = ServedBoard(keeper, session, writer, board.table)
    opponent = Opponent(served)
    opponent.start()

    def close() -> None:
        opponent.stop()
        session.stop()
        board.close()
        writer.stop()
        store.close()

    return served, opponent, close


class LinkPrinter:
    """Prints when the board comes and goes, and why. It says each thing once, until it changes."""

    def __init__(self) -> None:
        self.said = ""

    def __call__(self, state: LinkState) -> None:
        text = f"Board {state.board} is connected" if state.connected else f"No board yet: {state.trouble}"
        if text != self.said and (state.connected or state.trouble not in STARTING):
            self.said = text
            print(text, flush=True)


def check_port(host: str, port: int) -> None:
    """UserError if the pages cannot be served there."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            raise UserError(f"{host} is not an address of this machine; --host can be {addresses()}") from error
        reason = error.strerror or error
        raise UserError(f"cannot serve on {host} port {port}: {reason}; choose another with --port N") from error


def addresses() -> str:
    """What --host can be on this machine, in words. Finding out sends nothing."""
    with contextlib.suppress(OSError), socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(ELSEWHERE)
        mine = probe.getsockname()[0]
        return f"0.0.0.0 (everybody in the house may watch), {mine}, or 127.0.0.1 (this machine alone)"
    return "0.0.0.0 (everybody in the house may watch) or 127.0.0.1 (this machine alone)"
