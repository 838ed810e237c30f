"""Which pages there are, and who may do what on them."""

from ipaddress import ip_address
from pathlib import Path

from fastapi import Request, Response
from fastapi.responses import RedirectResponse
from nicegui import app, ui

from hapenny_host.boards.served import Hall
from hapenny_host.web.play import page as play
from hapenny_host.web.tv import page as tv

STYLE = Path(__file__).parent / "style.css"


def register(hall: Hall) -> None:
    """Serve the pages of this board."""
    style = STYLE.read_text(encoding="utf-8")

    @ui.page("/play", title="Shove Ha'penny", dark=True)
    def play_page(request: Request) -> None:
        ui.add_css(style)
        play.build(hall, may_act(request))

    @ui.page("/tv", title="Shove Ha'penny: the score", dark=True)
    def tv_page() -> None:
        ui.add_css(style)
        tv.build(hall)

    @app.get("/alive", include_in_schema=False)
    def alive() -> Response:
        """Asked by open pages every other second, so that they notice when nobody serves them any more."""
        return Response(status_code=204)

    @app.get("/", include_in_schema=False)
    def root() -> RedirectResponse:
        return RedirectResponse("/play")


def may_act(request: Request) -> bool:
    """Everybody may watch; until pairing is built, only this machine may play and correct."""
    host = request.client.host if request.client else ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host in ("localhost", "testclient")
