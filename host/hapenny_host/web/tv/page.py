"""/tv: the scoreboard that a pub hangs up. It shows, and asks for nothing."""

from nicegui import ui

from hapenny_host.boards.misplaced import misplaced_discs
from hapenny_host.boards.served import ServedBoard
from hapenny_host.boards.status import trouble, urgent, visible_discs
from hapenny_host.web.elements.board import BoardView, tags
from hapenny_host.web.elements.slate import Slate

REFRESH_S = 0.04
REPLAY_AFTER_S = 1.2  # people see the disc stop before they see its shove again


class TvPage:
    """One screen's copy of the page."""

    def __init__(self, served: ServedBoard) -> None:
        self.served = served
        self.version = self.positions_version = -1
        self.replayed = served.state.replay_number
        with Slate("tv").classes("tv") as self.slate, ui.element("div").classes("tv-board"):
            self.board = BoardView()
        ui.timer(REFRESH_S, self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show what has changed."""
        state = self.served.state
        if state.version != self.version:
            self.version = state.version
            self.slate.show(state.match, trouble(state), urgent(state))
            discs = visible_discs(state)
            self.board.show(
                [(d.x_mm, d.y_mm) for d in discs],
                [tag | {"last": False} for tag in tags(discs, state.match, misplaced_discs(state, None))],
            )
        if self.served.table:
            self.board.light(self.served.table.pixels())
        if state.positions_version != self.positions_version:
            self.positions_version = state.positions_version
            if state.picture.state == "moving":
                self.board.slide(state.positions)
        if state.replay_number != self.replayed:
            self.replayed = state.replay_number
            ui.timer(REPLAY_AFTER_S, lambda: self.board.play(state.replay), once=True)


def build(served: ServedBoard) -> None:
    """Fill the page."""
    ui.query("body").classes("tv-body")
    TvPage(served)
