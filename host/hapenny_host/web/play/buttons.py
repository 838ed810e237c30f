"""The buttons on /play: what the rules need from a person now, and what each does."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hapenny.rules import events as rules
from hapenny.rules.geometry import bed_of
from hapenny.scorer import SHOVED, UNTOUCHED
from hapenny_link.board import Table

from hapenny_host.boards.misplaced import (
    bring_home,
    dead,
    homes,
    loose,
    lying,
    off_again,
    plural,
    strays,
    take_off,
    take_off_all,
    unwanted,
)
from hapenny_host.boards.served import Hall
from hapenny_host.boards.state import Now
from hapenny_host.match.view import MatchView

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
    undo = [Action(f"Undo: {match.undoes}", "undo", match.undoes, "quiet")] if match.undoes else []
    referee = Action("Referee", "referee", style="quiet")
    if match.winner >= 0:
        always = [Action("New match", "new"), *undo, referee]
    else:
        always = [*undo, referee, Action("New match", "new", style="quiet")]
    return hands(now, table) + questions(now) + gifts(now) + places(now) + always


def hands(now: Now, table: Table | None) -> list[Action]:
    """What a hand would do at the table; what it has done already is not offered while the board makes up its mind."""
    asks, discs = now.match.asks, now.match.discs
    back = [Action("Take it back", "retake")] if "retake" in asks else []
    if off_again(now, table):
        return [Action("They are off: play on", "off")]
    if table is None:
        return back
    if table.moving():
        return []
    if "clear" in asks:
        return [Action("Take the discs off", "clear")] if table.discs() else []
    gone = [place for place in dead(now) if lying(table, *place) >= 0]
    if gone:
        return [Action(f"Take the dead disc{plural(gone)} off", "dead"), *back]
    if strays(now):
        return [Action("Take the discs off", "clear")] if table.discs() else []
    if loose(now, table):
        return [Action(unwanted(now, table), "loose"), *back]
    if homes(now):
        return [Action(f"Put the disc{plural(homes(now))} back", "home"), *back]
    return back if discs and lying(table, discs[-1]["x"], discs[-1]["y"]) >= 0 else []


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
    elif asks_who_moved(now):
        out += who_moved(match)
    if "record" in asks or ("retake" in asks and match.shoves_left == 0):
        out.append(Action("Write the score up", "record"))
    if "choose" in asks:
        out += [Action("Shove again", "choose", "replay"), Action("Put them back", "choose", "replace")]
    return out


def asks_who_moved(now: Now) -> bool:
    """Whether the board asks what happened to discs that lie otherwise, and nothing else first."""
    match = now.match
    decides = "decide" in match.asks and bool(match.undecided)
    return now.picture.state == "asking" and "clear" not in match.asks and not decides


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
    "off": lambda argument: rules.clear(),
    "record": lambda argument: rules.record(),
    "choose": lambda argument: rules.choose(argument),
    "place": lambda argument: rules.choose("place", argument),
    "give": lambda argument: rules.give(*argument),
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
        return take_off_all(table, dead(now))
    if table and action.do == "loose":
        return take_off_all(table, loose(now, table))
    if table and action.do == "home":
        return bring_home(table, homes(now))
    if action.do == "undo":
        return hall.undo(action.argument)
    if action.do == "recall":
        return hall.recall(*action.argument)
    if action.do == "answer":
        return hall.command("answer", bytes([action.argument]))
    if action.do in ("by", "shoved_by"):
        refused = hall.next_by(action.argument)
        return refused if refused or action.do == "by" else hall.command("answer", bytes([SHOVED]))
    return hall.propose(PROPOSALS[action.do](action.argument))
