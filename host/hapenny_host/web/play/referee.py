"""The Referee menu on /play: what no sensor knows and only a person can say."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from nicegui import ui

from hapenny_host.boards.state import Now
from hapenny_host.match.view import MatchView
from hapenny_host.match.words import brief, said
from hapenny_host.match.wrong_calls import Called
from hapenny_host.web.play.buttons import Action, asks_who_moved

EXACT_MM = 0.02


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
    discs = match.preset != "darts"
    again = recalls(match, called) if discs else []
    return again + (shoves(now) if playing and discs else []) + (claims(match) if playing else []) + rulings(match)


def recalls(match: MatchView, called: Sequence[Called]) -> list[Call]:
    """What people see otherwise than the board."""
    if not called:
        late = "may be put right just after its shove: Undo back to there, then open this menu again"
        return [Call("A wrong call", late, [])] if match.log and match.log[-1]["rows"] else []
    return [
        Call(
            f"Disc {number_of(match, one)}",
            f"was called {said(one.verdict).lower()}; people see that it is",
            [Action(said(verdict), "recall", (one.disc, verdict), "quiet") for verdict in one.instead],
        )
        for one in called
    ]


def number_of(match: MatchView, one: Called) -> int:
    """The number in the turn of a disc of the last shove, also of one that died in it."""
    for disc in match.discs:
        if abs(disc["x"] - one.x_mm) + abs(disc["y"] - one.y_mm) < EXACT_MM and disc["number"]:
            return disc["number"]
    rows = match.log[-1]["rows"] if match.log else []
    gone = [n for n, row in enumerate(rows, 1) if row["at"] < 0 and row["calls"][-1] == brief(one.verdict)]
    return gone[-1] if gone else one.disc + 1


def shoves(now: Now) -> list[Call]:
    """About the board and the discs on it."""
    match, asked = now.match, asks_who_moved(now)
    inside = [(player, name) for player, name in everybody(match) if not match.sides[player // 2].out]
    others = [
        Action(f"{name} shoved it", "shoved_by", player, "quiet")
        if asked
        else Action(f"{name} shoves", "by", player, "quiet")
        for player, name in inside
        if player // 2 != match.turn
    ]
    dampers = [Action(f"{name} held it", "damp", player, "quiet") for player, name in inside]
    if now.by >= 0:
        others = [Action(f"No, {match.player} is next", "by", -1, "quiet")]
    press = "who shoved the disc that the board asks about" if asked else "first press who, then let them shove"
    loses = "loses the game" if len(match.sides) == 2 else "is out, the others play on"
    return [
        Call("Out of turn", f"{press}; the disc comes off, and they miss their next turn", others),
        Call(
            "Touched",
            f"{match.player} touched a played disc: the turn is lost",
            [Action("Turn lost", "touch", style="quiet")],
        ),
        Call(
            "Not moved",
            f"{match.player} struck a disc, and it lies still",
            [Action("It did not move", "attempt", style="quiet")],
        ),
        Call("Damped", f"a part of the board was held down: who did it {loses}", dampers),
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
    sides = [
        Action(f"Give the game to {' & '.join(s.names)}", "winner", i, "quiet")
        for i, s in enumerate(match.sides)
        if i != match.winner
    ]
    which = (
        "the turn in play"
        if 0 < match.shoves_left < match.shoves or match.winner < 0 == match.shoves_left
        else "the last turn"
    )
    return [
        Call("Void", f"{which} gives nobody anything", [Action("Void the turn", "void", style="quiet")]),
        Call("Given", "the game ends, and that side has won it", sides),
    ]


def after(action: Action, match: MatchView) -> str:
    """What a ruling did, where the page does not say it by itself, or what is to be done now."""
    names = dict(everybody(match))
    if action.do == "by" and action.argument < 0:
        return f"{match.player} is next, as before."
    if action.do == "by":
        return f"Now let {names[action.argument]} shove: the next disc counts as shoved out of turn."
    if action.do == "damp":
        return f"{names[action.argument]} held the board down. Undo takes it back."
    sayings = {
        "attempt": "Noted: the disc did not move.",
        "claim": "The extra is marked.",
        "recall": "Told again as people see it.",
    }
    return sayings.get(action.do, "Done. Undo takes it back.")


def everybody(match: MatchView) -> list[tuple[int, str]]:
    """Every player's number and name."""
    return [(2 * i + seat, name) for i, side in enumerate(match.sides) for seat, name in enumerate(side.names)]


class Referee:
    """The menu; `act` does what a button says. It is `opened` or not; whoever opens or closes it shows it again."""

    def __init__(self, act: Callable[[Action | None], Awaitable[None]]) -> None:
        self.act = act
        self.opened = False
        self.shown: list[Call] = []
        with ui.element("section").classes("referee").props('aria-label="Referee"') as self.menu:
            with ui.element("div").classes("referee-head"):
                ui.label("Referee").classes("referee-title")
                hint = ui.label("What no sensor knows. Each button is carried out at once; Undo takes it back.")
                hint.classes("referee-hint")
                close = ui.button("Cancel", color=None, on_click=partial(self.say, None))
                close.classes("quiet referee-close").props("no-caps unelevated")
            self.lines = ui.element("div").classes("referee-lines")

    def show(self, now: Now, called: list[Called]) -> None:
        """What can be said now, if it is opened."""
        self.menu.set_visibility(self.opened)
        wanted = calls(now, called) if self.opened else []
        if wanted == self.shown:
            return
        self.shown = wanted
        self.lines.clear()
        with self.lines:
            for call in wanted:
                self.line(call)

    def line(self, call: Call) -> None:
        """What happened, and its buttons."""
        with ui.element("div").classes("referee-what"):
            ui.label(call.what)
            ui.label(call.then).classes("newmatch-hint")
        with ui.element("div").classes("referee-buttons"):
            for action in call.buttons:
                button = ui.button(action.text, color=None, on_click=partial(self.say, action))
                button.classes(action.style).props("no-caps unelevated")

    async def say(self, action: Action | None) -> None:
        """The menu has done its work before the board answers: a refusal is told on the page."""
        self.opened = False
        await self.act(action)
