"""Which pages there are, and who may do what on them."""

from ipaddress import ip_address
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from nicegui import app, ui

from hapenny_host.boards.opponent import Opponent
from hapenny_host.boards.served import ServedBoard
from hapenny_host.web.play import page as play
from hapenny_host.web.tv import page as tv

STYLE = Path(__file__).parent / "style.css"


def register(served: ServedBoard, opponent: Opponent) -> None:
    """Serve the pages of this board."""
    style = STYLE.read_text(encoding="utf-8")

    @ui.page("/play", title="Shove Ha'penny", dark=True)
    def play_page(request: Request) -> None:
        ui.add_css(style)
        play.build(served, opponent, may_act(request))

    @ui.page("/tv", title="Shove Ha'penny: the score", dark=True)
    def tv_page() -> None:
        ui.add_css(style)
        tv.build(served)

    @app.get("/alive", include_in_schema=False)
    def alive() -> Response:
        """Open pages ask this every other second, to notice when nobody serves them any more."""
        return Response(status_code=204)

    @app.get("/", include_in_schema=False)
    def root() -> RedirectResponse:
        return RedirectResponse("/play")


def may_act(request: Request) -> bool:
    """Everybody may watch. Only this machine may play and correct, until pairing is built."""
    host = request.client.host if request.client else ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in ("localhost", "testclient")
