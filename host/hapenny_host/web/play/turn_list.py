"""The list of turns on /play: each disc with its number, what it is called, and what it was called before."""

from typing import Any

from nicegui import ui

from hapenny_host.boards.state import BoardState
from hapenny_host.match.turns import OUT_OF_TURN
from hapenny_host.match.words import tag
from hapenny_host.web.elements.board import doubt_reason

BEDS = tuple("123456789")


class TurnList:
    """The last turns, the newest first."""

    def __init__(self) -> None:
        self.list = ui.element("ol").classes("log").props("reversed")
        self.shown: Any = None

    def show(self, state: BoardState) -> None:
        """Show the turns, if they have changed."""
        match, discs = state.match, state.picture.discs
        reasons = {n: doubt_reason(discs, disc) for n, disc in enumerate(match.discs) if disc["verdict"] == "doubt"}
        if (match.log, reasons) == self.shown:
            return
        self.shown = (match.log, reasons)
        self.list.clear()
        with self.list:
            for turn in reversed(match.log):
                turn_line(" & ".join(match.sides[turn["side"]].names), turn, reasons)


def turn_line(name: str, turn: dict[str, Any], reasons: dict[int, str]) -> None:
    """One turn: whose, and its discs. `reasons` says why the board does not call a disc, by its index in the game."""
    with ui.element("li").classes("void" if turn["void"] else ""):
        ui.label(name).classes("who")
        for number, row in enumerate(turn["rows"], 1):
            with ui.element("span").classes("row"):
                disc_row(number, row, reasons.get(row["at"], ""))
        if any(row["person"] for row in turn["rows"]):
            ui.label("* a person decided").classes("hint")


def disc_row(number: int, row: dict[str, Any], reason: str) -> None:
    """A disc: its number in the turn, its earlier calls struck out, its call."""
    if row["calls"] != [OUT_OF_TURN]:
        ui.label(str(number)).classes("number")
    for call in struck_out(row):
        ui.label(tag(call)).classes("was")
    call: str = "again" if row["hand"] else row["calls"][-1]
    look = "bed" if call.lstrip("DT") in BEDS else "open" if call == "doubt" else "miss"
    ui.label(tag(call) + "*" * row["person"]).classes(look)
    if call == "doubt" and reason:
        ui.label(reason).classes("hint")


def struck_out(row: dict[str, Any]) -> list[str]:
    """Earlier calls of a disc that no longer hold, because it was moved or people decided.

    A doubt that the board resolved by itself is left out. A doubt that a person decided stays.
    """
    calls: list[str] = []
    for n, call in enumerate(row["calls"], 1):
        decided = row["person"] and n == len(row["calls"]) - 1
        if (call != "doubt" or decided or n == len(row["calls"])) and calls[-1:] != [call]:
            calls.append(call)
    return calls if row["hand"] else calls[:-1]
