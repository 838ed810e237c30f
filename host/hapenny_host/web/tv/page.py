"""/tv: the scoreboard a pub would hang up. Shows, and asks for nothing."""

from hapenny_link.conversation import Disc
from nicegui import ui

from hapenny_host.boards.misplaced import marked
from hapenny_host.boards.served import Hall
from hapenny_host.boards.state import Now
from hapenny_host.web.elements.board import BoardView, tags
from hapenny_host.web.elements.slate import Slate

REFRESH_S = 0.04
NOT_BARE = "not_bare"  # the board's fault while its sensors have no zero
FROZEN = "frozen"  # the board's state while its sensors stand still


def trouble(now: Now) -> str:
    """Why there is no board, "" if there is one."""
    return "" if now.link.connected else now.link.trouble or "nobody answers"


def ailment(now: Now) -> str:
    """What is wrong with a board that is there, "" if it is whole."""
    health = now.picture.health
    if not now.link.connected:
        return ""
    if now.picture.state == FROZEN:
        return "The board's sensors stand still: nothing counts until they are back; if that lasts, pull its plug once"
    if health == "ok":
        return ""
    if health == NOT_BARE:
        return "Take every disc off: the board has to see itself bare once"
    near = health.removeprefix("no call near ")
    if near == health:
        return f"not whole: {health}"
    place, _, more = near.partition(", ")
    return f"every disc near {place} is a question for people" + (f" ({more})" if more else "")


def urgent(now: Now) -> str:
    """What has to be done before anybody can play on, "" if nothing."""
    return now.alarm or (ailment(now) if now.picture.health == NOT_BARE or now.picture.state == FROZEN else "")


def seen(now: Now) -> list[Disc]:
    """The discs as the board sees them, or as the game remembers them while it is away."""
    if now.link.connected:
        return list(now.picture.discs)
    return [Disc(d["x"], d["y"], d["verdict"], 0, 0, 0) for d in now.match.discs]


class TvPage:
    """One screen's copy of the page."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.version = self.moved = -1
        self.replayed = hall.now.replay_number
        with Slate("tv").classes("tv") as self.slate, ui.element("div").classes("tv-board"):
            self.board = BoardView()
        ui.timer(REFRESH_S, self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Bring the screen up to now."""
        now = self.hall.now
        if now.version != self.version:
            self.version = now.version
            self.slate.show(now.match, trouble(now), urgent(now))
            discs = seen(now)
            self.board.show(
                [(d.x_mm, d.y_mm) for d in discs],
                [tag | {"last": False} for tag in tags(discs, now.match, marked(now, None))],
            )
        if self.hall.table:
            self.board.light(self.hall.table.pixels())
        if now.moved != self.moved:
            self.moved = now.moved
            if now.picture.state == "moving":
                self.board.slide(now.positions)
        if now.replay_number != self.replayed:
            self.replayed = now.replay_number
            ui.timer(1.2, lambda: self.board.play(now.replay), once=True)


def build(hall: Hall) -> None:
    """Fill the page."""
    ui.query("body").classes("tv-body")
    TvPage(hall)
