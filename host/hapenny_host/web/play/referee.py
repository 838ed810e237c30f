"""The Referee menu on /play: what no sensor knows, and only a person can say."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from nicegui import ui

from hapenny_host.boards.actions import Action
from hapenny_host.boards.state import BoardState
from hapenny_host.match.view import MatchView
from hapenny_host.match.words import brief, said
from hapenny_host.match.wrong_calls import CorrectableCall
from hapenny_host.web.play.buttons import asks_who_moved

SAME_PLACE_MM = 0.02  # two roundings of one place


@dataclass(frozen=True)
class Ruling:
    """A line of the menu: what happened, what follows, and a button for each answer."""

    what: str
    then: str
    buttons: list[Action]


def rulings(state: BoardState, calls: Sequence[CorrectableCall] = ()) -> list[Ruling]:
    """All that a referee can rule now. `calls` are those that people may correct."""
    match = state.match
    if match.number == 0:
        return []
    playing = match.winner < 0
    discs = match.preset != "darts"
    wrong = wrong_calls(match, calls) if discs else []
    fouls = foul_rulings(state) if playing and discs else []
    return wrong + fouls + (claim_rulings(match) if playing else []) + last_words(match)


def wrong_calls(match: MatchView, calls: Sequence[CorrectableCall]) -> list[Ruling]:
    """Calls that people see to be wrong."""
    if not calls:
        late = "can be corrected just after its shove: Undo back to there, then open this menu again"
        return [Ruling("A wrong call", late, [])] if match.log and match.log[-1]["rows"] else []
    return [
        Ruling(
            f"Disc {number_of(match, one)}",
            f"was called {said(one.verdict).lower()}; people see that it is",
            [Action(said(verdict), "correct_call", (one.disc, verdict), "quiet") for verdict in one.instead],
        )
        for one in calls
    ]


def number_of(match: MatchView, one: CorrectableCall) -> int:
    """The number in the turn of a disc of the last shove, even if it died in it."""
    for disc in match.discs:
        if abs(disc["x"] - one.x_mm) + abs(disc["y"] - one.y_mm) < SAME_PLACE_MM and disc["number"]:
            return disc["number"]
    rows = match.log[-1]["rows"] if match.log else []
    gone = [n for n, row in enumerate(rows, 1) if row["at"] < 0 and row["calls"][-1] == brief(one.verdict)]
    return gone[-1] if gone else one.disc + 1


def foul_rulings(state: BoardState) -> list[Ruling]:
    """Fouls at the board and its discs."""
    match, asked = state.match, asks_who_moved(state)
    inside = [(player, name) for player, name in everybody(match) if not match.sides[player // 2].out]
    others = [
        Action(f"{name} shoved it", "shoved_by", player, "quiet")
        if asked
        else Action(f"{name} shoves", "by", player, "quiet")
        for player, name in inside
        if player // 2 != match.turn
    ]
    dampers = [Action(f"{name} held it", "damp", player, "quiet") for player, name in inside]
    if state.out_of_turn_player >= 0:
        others = [Action(f"No, {match.player} is next", "by", -1, "quiet")]
    press = "who shoved the disc that the board asks about" if asked else "press who, then let them shove"
    loses = "loses the game" if len(match.sides) == 2 else "is out, the others play on"
    return [
        Ruling("Out of turn", f"{press}; the disc comes off and they miss their next turn", others),
        Ruling(
            "Touched",
            f"{match.player} touched a played disc: the turn is lost",
            [Action("Turn lost", "touch", style="quiet")],
        ),
        Ruling(
            "Not moved",
            f"{match.player} struck a disc and it did not move",
            [Action("It did not move", "attempt", style="quiet")],
        ),
        Ruling("Damped", f"part of the board was held down; who did it {loses}", dampers),
    ]


def claim_rulings(match: MatchView) -> list[Ruling]:
    """Extras that wait to be claimed."""
    waiting = [
        Action(f"{' & '.join(match.sides[side].names)}: bed {bed}", "claim", (2 * side, bed), "quiet")
        for side, bed in match.claims
    ]
    return [Ruling("Claimed", "an extra, by", waiting)] if waiting else []


def last_words(match: MatchView) -> list[Ruling]:
    """What ends a turn or the game."""
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
        Ruling("Void", f"{which} gives nobody anything", [Action("Void the turn", "void", style="quiet")]),
        Ruling("Given", "the game ends, and that side has won it", sides),
    ]


def after(action: Action, match: MatchView) -> str:
    """What a ruling did or what to do next, where the page does not show it by itself."""
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
        "correct_call": "The call is corrected.",
    }
    return sayings.get(action.do, "Done. Undo takes it back.")


def everybody(match: MatchView) -> list[tuple[int, str]]:
    """Every player's number and name."""
    return [(2 * i + seat, name) for i, side in enumerate(match.sides) for seat, name in enumerate(side.names)]


class Referee:
    """The menu. `act` does what a button says. Whoever sets `opened` then calls `show`."""

    def __init__(self, act: Callable[[Action | None], Awaitable[None]]) -> None:
        self.act = act
        self.opened = False
        self.shown: list[Ruling] = []
        with ui.element("section").classes("referee").props('aria-label="Referee"') as self.menu:
            with ui.element("div").classes("referee-head"):
                ui.label("Referee").classes("referee-title")
                hint = ui.label("What no sensor knows. Each button acts at once; Undo takes it back.")
                hint.classes("referee-hint")
                close = ui.button("Cancel", color=None, on_click=partial(self.say, None))
                close.classes("quiet referee-close").props("no-caps unelevated")
            self.lines = ui.element("div").classes("referee-lines")

    def show(self, state: BoardState, calls: list[CorrectableCall]) -> None:
        """Show what can be ruled now, if the menu is open."""
        self.menu.set_visibility(self.opened)
        wanted = rulings(state, calls) if self.opened else []
        if wanted == self.shown:
            return
        self.shown = wanted
        self.lines.clear()
        with self.lines:
            for ruling in wanted:
                self.line(ruling)

    def line(self, ruling: Ruling) -> None:
        """What happened, and its buttons."""
        with ui.element("div").classes("referee-what"):
            ui.label(ruling.what)
            ui.label(ruling.then).classes("newmatch-hint")
        with ui.element("div").classes("referee-buttons"):
            for action in ruling.buttons:
                button = ui.button(action.text, color=None, on_click=partial(self.say, action))
                button.classes(action.style).props("no-caps unelevated")

    async def say(self, action: Action | None) -> None:
        """Close the menu and act. The board has not answered yet: a refusal is shown on the page."""
        self.opened = False
        await self.act(action)
