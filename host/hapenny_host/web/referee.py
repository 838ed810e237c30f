"""The Referee menu on /play: what no sensor knows and only a person can say."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from nicegui import ui

from hapenny_host.live import Now
from hapenny_host.recall import Called
from hapenny_host.views import MatchView, said
from hapenny_host.web.actions import Action


@dataclass(frozen=True)
class Call:
    """A line of the menu: what happened, what follows from it, and a button for each way to say so."""

    what: str
    then: str
    buttons: list[Action]


def calls(now: Now, called: Sequence[Called] = ()) -> list[Call]:
    """All that a referee can say at this time; `called` are the discs whose calls people may see to be wrong."""
    match = now.match
    if match.number == 0:
        return []
    playing = match.winner < 0
    shoving = playing and match.preset != "darts"
    return (shoves(match) if shoving else []) + (claims(match) if playing else []) + recalls(called) + rulings(match)


def recalls(called: Sequence[Called]) -> list[Call]:
    """What people see otherwise than the board."""
    return [
        Call(
            f"Disc {one.disc + 1}, {one.x_mm:.0f} mm from the left",
            f"called {said(one.verdict).lower()}; it is",
            [Action(said(verdict), "recall", (one.disc, verdict), "quiet") for verdict in one.instead],
        )
        for one in called
    ]


def shoves(match: MatchView) -> list[Call]:
    """About the board and the discs on it."""
    inside = [(player, name) for player, name in everybody(match) if not match.sides[player // 2].out]
    others = [Action(name, "by", player, "quiet") for player, name in inside if player // 2 != match.turn]
    dampers = [Action(name, "damp", player, "quiet") for player, name in inside]
    return [
        Call("Out of turn", "the next disc is shoved by", others),
        Call("Touched", "a played disc, by the shover: the turn is lost", [Action("Touched", "touch", style="quiet")]),
        Call("Not moved", "the disc was struck, and lies still", [Action("An attempt", "attempt", style="quiet")]),
        Call("Damped", "a part of the board held down: the game is lost by", dampers),
    ]


def claims(match: MatchView) -> list[Call]:
    """Extras that wait to be claimed."""
    waiting = [
        Action(f"{' & '.join(match.sides[side].names)}: bed {bed}", "claim", (2 * side, bed), "quiet")
        for side, bed in match.claims
    ]
    return [Call("Claimed", "an extra, by", waiting)] if waiting else []


def rulings(match: MatchView) -> list[Call]:
    """The referee's last word."""
    sides = [Action(" & ".join(s.names), "winner", i, "quiet") for i, s in enumerate(match.sides) if i != match.winner]
    return [
        Call("Void", "the turn in play, or else the last one", [Action("Void the turn", "void", style="quiet")]),
        Call("Decided", "the game is given to", sides),
    ]


def everybody(match: MatchView) -> list[tuple[int, str]]:
    """Every player's number and name."""
    return [(2 * i + seat, name) for i, side in enumerate(match.sides) for seat, name in enumerate(side.names)]


class Referee:
    """The dialog; `act` does what a button says."""

    def __init__(self, act: Callable[[Action], Awaitable[None]]) -> None:
        self.act = act
        with ui.dialog().props("no-refocus") as self.dialog, ui.card().classes("newmatch referee"):
            ui.label("Referee").classes("newmatch-title")
            self.lines = ui.element("div").classes("referee-lines")
            with ui.element("div").classes("newmatch-buttons"):
                close = ui.button("Cancel", color=None, on_click=self.dialog.close)
                close.classes("quiet").props("no-caps unelevated")

    def open(self, now: Now, called: list[Called]) -> None:
        """Show what can be said now."""
        self.lines.clear()
        with self.lines:
            for call in calls(now, called):
                self.line(call)
        self.dialog.open()

    def line(self, call: Call) -> None:
        """What happened, and its buttons."""
        with ui.element("div").classes("referee-what"):
            ui.label(call.what)
            ui.label(call.then).classes("newmatch-hint")
        with ui.element("div").classes("referee-buttons"):
            for action in call.buttons:
                button = ui.button(action.text, color=None, on_click=partial(self.say, action))
                button.classes(action.style).props("no-caps unelevated")

    async def say(self, action: Action) -> None:
        """The dialog has done its work before the board answers: a refusal is told on the page."""
        self.dialog.close()
        await self.act(action)
