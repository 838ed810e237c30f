"""What a button does at a board: has a hand move discs, or has the board take an event."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hapenny.rules import events as rules
from hapenny.scorer import SHOVED
from hapenny_link.board import Table

from hapenny_host.boards.misplaced import dead_discs, to_put_back, uncounted_discs
from hapenny_host.boards.served import ServedBoard
from hapenny_host.boards.table_hand import put_back, take_all_off, take_off


@dataclass(frozen=True)
class Action:
    """A button: its text, what it does, with what argument, and its style (`main` or `quiet`)."""

    text: str
    do: str
    argument: Any = None
    style: str = "main"


# What an action proposes to the rules
EVENTS: dict[str, Callable[[Any], tuple[Any, ...]]] = {
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
BY_HAND = ("clear", "retake", "dead", "uncounted", "put_back")


def perform(served: ServedBoard, table: Table | None, action: Action) -> str:
    """Carry out an action. Returns why it could not be done, "" when it was.

    Waits for the board, so run it off the event loop. With a `table`, discs are moved by hand only: the board has to
    notice by itself.
    """
    if table and action.do in BY_HAND:
        return by_hand(served, table, action.do)
    if action.do == "undo":
        return served.undo(action.argument)
    if action.do == "correct_call":
        return served.correct_call(*action.argument)
    if action.do == "answer":
        return served.command("answer", bytes([action.argument]))
    if action.do in ("by", "shoved_by"):
        refused = served.next_by(action.argument)
        return refused if refused or action.do == "by" else served.command("answer", bytes([SHOVED]))
    return served.propose(EVENTS[action.do](action.argument))


def by_hand(served: ServedBoard, table: Table, do: str) -> str:
    """Move discs of a simulated table. Returns why not, "" when done."""
    state = served.state
    if do == "clear":
        table.clear()
        return ""
    if do == "retake":
        last = state.match.discs[-1] if state.match.discs else None
        return take_off(table, (last["x"], last["y"])) if last else "There is no disc to take back."
    if do == "dead":
        return take_all_off(table, dead_discs(state))
    if do == "uncounted":
        return take_all_off(table, uncounted_discs(state, table))
    return put_back(table, to_put_back(state))
