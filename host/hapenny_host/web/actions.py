"""The buttons on /play: what the rules need from a person now, and what each does."""

from collections.abc import Callable
from dataclasses import dataclass
from math import hypot
from typing import Any

from hapenny.rules import events as rules
from hapenny.rules.geometry import bed_of
from hapenny.scorer import SHOVED, UNTOUCHED
from hapenny_link.board import Table

from hapenny_host.hall import Hall
from hapenny_host.live import Now
from hapenny_host.views import SAME_MM, MatchView

DEAD = ("over", "wide")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


@dataclass(frozen=True)
class Action:
    """A button: its text, what it does, with what argument, and its looks (`main` or `quiet`)."""

    text: str
    do: str
    argument: Any = None
    style: str = "main"


def offered(now: Now, table: Table | None) -> list[Action]:
    """All buttons that make sense now; `table` is there if a hand can move the discs."""
    match = now.match
    if match.number == 0:
        return [Action("New match", "new")]
    undo, referee = Action("Undo", "undo", style="quiet"), Action("Referee", "referee", style="quiet")
    if match.winner >= 0:
        always = [Action("New match", "new"), undo, referee]
    else:
        always = [undo, referee, Action("New match", "new", style="quiet")]
    return hands(now, table) + questions(now) + gifts(now) + places(now) + always


def hands(now: Now, table: Table | None) -> list[Action]:
    """What a hand would do at the table; what it has done already is not offered while the board makes up its mind."""
    asks, discs = now.match.asks, now.match.discs
    back = [Action("Take it back", "retake")] if "retake" in asks else []
    if table is None:
        return back
    if table.moving():
        return []
    if "clear" in asks:
        return [Action("Take the discs off", "clear")] if table.discs() else []
    if any(lying(table, x, y) >= 0 for x, y in dead(now)):
        return [Action("Take the dead disc off", "dead"), *back]
    if strays(now):
        return [Action("Take the discs off", "clear")] if table.discs() else []
    if loose(now, table):
        return [Action("Take the disc off that does not count", "loose"), *back]
    return back if discs and lying(table, discs[-1]["x"], discs[-1]["y"]) >= 0 else []


def dead(now: Now) -> list[tuple[float, float]]:
    """Where discs lie that are out of play; one that counts is not, whatever the sensors make of its place."""
    places = [(disc.x_mm, disc.y_mm) for disc in now.picture.discs if disc.verdict in DEAD]
    return [place for place in places if not now.match.counts(*place)]


def strays(now: Now) -> bool:
    """Whether discs still lie where they lay when this match began, and nothing has happened in it yet.

    What lies there after an undo is of this match: people know why they took it back.
    """
    match, picture = now.match, now.picture
    if match.preset == "darts" or picture.state != "rest":
        return False
    here = [(disc.x_mm, disc.y_mm) for disc in picture.discs]
    return any(hypot(x - left_x, y - left_y) < SAME_MM for x, y in here for left_x, left_y in now.left)


def loose(now: Now, table: Table | None) -> list[tuple[float, float]]:
    """Where discs lie that do not count: their shove was taken back or out of turn, or people said so."""
    if not now.uncounted or now.picture.state != "rest":
        return []
    places = [(disc.x_mm, disc.y_mm) for disc in now.picture.discs] if table is None else table.discs()
    return [place for place in places if not now.match.counts(*place)]


def hands_done(table: Table | None) -> bool:
    """Whether hands are taking, or have taken, all discs off: it is for the board to notice."""
    return table is not None and (table.moving() or not table.discs())


def questions(now: Now) -> list[Action]:
    """What only a person can say."""
    match, asks = now.match, now.match.asks
    out = []
    if "decide" in asks and match.undecided:
        disc = match.undecided[0]
        bed = bed_of(round(100 * match.discs[disc]["y"]))
        out += [
            Action(f"Yes, bed {bed} scores", "decide", (disc, True)),
            Action("No, no score", "decide", (disc, False)),
        ]
    elif now.picture.state == "asking" and "clear" not in asks:
        out += who_moved(match)
    if "record" in asks or ("retake" in asks and match.shoves_left == 0):
        out.append(Action("Write the score up", "record"))
    if "choose" in asks:
        out += [Action("Shove again", "choose", "replay"), Action("Put them back", "choose", "replace")]
    return out


def who_moved(match: MatchView) -> list[Action]:
    """All that may have happened where discs lie otherwise, and the board saw no shove."""
    shove = [Action(f"It was {match.player}'s shove", "answer", SHOVED)] if match.shoves_left else []
    return [
        *shove,
        Action(f"{match.player} touched them: turn lost", "answer", True),
        Action("Somebody else moved them", "answer", False),
        Action("Nobody did anything: play on", "answer", UNTOUCHED),
    ]


def gifts(now: Now) -> list[Action]:
    """Who may be given the extra that waits."""
    match = now.match
    if "give" not in match.asks:
        return []
    what = given(match).capitalize()
    able = [(side, " & ".join(match.sides[side].names)) for side in match.takers]
    return [Action(f"{what} to {name}", "give", (2 * side, match.give_bed)) for side, name in able]


def given(match: MatchView) -> str:
    """The bed, or in darts the number, of the extra that waits."""
    return f"{'' if match.preset == 'darts' else 'bed '}{match.give_bed}"


def places(now: Now) -> list[Action]:
    """When the best placed may play."""
    match = now.match
    if "place" not in match.asks:
        return []
    name = " & ".join(match.sides[match.best].names)
    return [Action(f"{name} plays {ORDINALS[place]}", "place", place + 1) for place in range(match.places)]


PROPOSALS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
    "decide": lambda argument: rules.decide(argument[0] + 1, argument[1]),
    "retake": lambda argument: rules.retake(),
    "record": lambda argument: rules.record(),
    "choose": lambda argument: rules.choose(argument),
    "place": lambda argument: rules.choose("place", argument),
    "give": lambda argument: rules.give(*argument),
    "undo": lambda argument: rules.undo(),
    "touch": lambda argument: rules.touch(),
    "attempt": lambda argument: rules.attempt(),
    "damp": lambda argument: rules.damp(argument),
    "claim": lambda argument: rules.claim(*argument),
    "void": lambda argument: rules.overrule_void(),
    "winner": lambda argument: rules.overrule_winner(argument),
}


def perform(hall: Hall, table: Table | None, action: Action) -> str:
    """Do it; returns why it could not be done, "" when it was. Waits for the board, so not on the event loop.

    Discs are moved by hand, never by the host: the board has to notice by itself.
    """
    now = hall.now
    if table and action.do == "clear":
        table.clear()
        return ""
    if table and action.do == "retake":
        last = now.match.discs[-1] if now.match.discs else None
        return take_off(table, last["x"], last["y"]) if last else "There is no disc to take back."
    if table and action.do == "dead":
        found = dead(now)
        return take_off(table, *found[0]) if found else "There is no dead disc."
    if table and action.do == "loose":
        places = loose(now, table)
        return take_off(table, *places[0]) if places else "There is no such disc."
    if action.do == "recall":
        return hall.recall(*action.argument)
    if action.do == "answer":
        return hall.command("answer", bytes([action.argument]))
    if action.do in ("by", "shoved_by"):
        refused = hall.next_by(action.argument)
        return refused if refused or action.do == "by" else hall.command("answer", bytes([SHOVED]))
    return hall.propose(PROPOSALS[action.do](action.argument))


def take_off(table: Table, x_mm: float, y_mm: float) -> str:
    """A hand takes the disc at that place off the simulated table; never another one."""
    found = lying(table, x_mm, y_mm)
    if found < 0:
        return "There is no disc there any more."
    table.take_off(found)
    return ""


def lying(table: Table, x_mm: float, y_mm: float) -> int:
    """Which disc of the table lies at that place, -1 if none."""
    places = [i for i, (x, y) in enumerate(table.discs()) if hypot(x - x_mm, y - y_mm) < SAME_MM]
    return places[0] if places else -1
