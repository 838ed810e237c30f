"""What a step may be: its keys, its refusals, what may be expected of it, and the event it is for the engine."""

from typing import Any

from hapenny.desktop import agree
from hapenny.rules import events

from hapenny_sim.scenario.match import Match

# do: (keys it needs, keys it may have)
STEPS: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "shove": (("discs",), ("by", "hit", "gone")),
    "attempt": ((), ("by",)),
    "retake": ((), ()),
    "touch": ((), ("by", "discs")),
    "clear": ((), ()),
    "record": ((), ()),
    "damp": (("by",), ()),
    "interfere": (("discs",), ()),
    "choose": (("choice",), ("place",)),
    "claim": (("by", "bed"), ()),
    "give": (("to", "bed"), ()),
    "decide": (("disc", "scores"), ()),
    "overrule": ((), ("marks", "winner", "void")),
    "correct": (("turn_no", "discs"), ()),
    "undo": ((), ()),
    "options": (("set",), ()),
    "nine": (("by", "discs"), ("hit", "gone")),
    "dart": (("hit",), ("by",)),
    "power_cut": ((), ()),
}

REFUSALS = (
    "unknown_side",
    "game_over",
    "nothing_to_undo",
    "locked",
    "not_your_turn",
    "no_shoves_left",
    "not_allowed",
    "bad_position",
)

# expectation: what kind of value it is
EXPECT = {
    "marks": "row",
    "points": "points",
    "turn": "player",
    "shoves_left": "count",
    "winner": "side",
    "order": "sides",
    "verdicts": "verdicts",
    "last": "last",
    "extras": "row",
    "badges": "badges",
    "void": "flag",
}


def event_of(do: str, keys: dict[str, Any], match: Match) -> tuple:
    """The event of a step, for the engine or to be sent to a board as a person would enter it."""
    by = match.player(keys["by"]) if "by" in keys else events.IN_TURN
    listed = [disc_of(each) for each in keys["discs"]] if "discs" in keys else None
    if do in ("shove", "nine"):
        make = events.shove if do == "shove" else events.nine
        return make(listed, by, keys.get("hit"), keys.get("gone", False))
    if do == "overrule":
        return overruling(keys, match)
    plain = {
        "attempt": lambda: events.attempt(by),
        "touch": lambda: events.touch(by, listed),
        "damp": lambda: events.damp(by),
        "interfere": lambda: events.interfere(listed),
        "choose": lambda: events.choose(keys["choice"], keys.get("place", 0)),
        "claim": lambda: events.claim(by, keys["bed"]),
        "give": lambda: events.give(match.player(keys["to"]), keys["bed"]),
        "decide": lambda: events.decide(keys["disc"], keys["scores"]),
        "correct": lambda: events.correct(keys["turn_no"], listed),
        "options": lambda: agree.options(keys["set"]),
        "dart": lambda: events.dart(keys["hit"], by),
        "retake": events.retake,
        "clear": events.clear,
        "record": events.record,
        "undo": events.undo,
        "power_cut": events.power_cut,
    }
    return plain[do]()


def overruling(keys: dict[str, Any], match: Match) -> tuple:
    if "marks" in keys:
        return events.overrule_marks({match.side(name): row for name, row in keys["marks"].items()})
    if "winner" in keys:
        return events.overrule_winner(match.side(keys["winner"]))
    return events.overrule_void()


def disc_of(keys: dict[str, Any]) -> tuple[int, int, int, int]:
    on = sum(1 << (number - 1) for number in keys["on"])
    return events.disc(keys["x"], keys["y"], on, keys["lift"], keys["doubt"])
