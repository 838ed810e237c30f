"""Correct a wrong call: undo the last shove, and shove it again with the disc where people see it."""

from dataclasses import dataclass
from typing import Any

from hapenny.rules import events, geometry
from hapenny.rules.game import Game

REACH_HMM = 400  # sensors are never off by more than this
STEP_HMM = 10


@dataclass(frozen=True)
class CorrectableCall:
    """A disc of the last shove: its index, its place, its verdict, and the verdicts that it may have instead."""

    disc: int
    x_mm: float
    y_mm: float
    verdict: int
    instead: tuple[int, ...]


def correctable_calls(game: Game) -> list[CorrectableCall]:
    """The calls of the last shove that people may correct. None, once anything else has happened."""
    shove = last_shove(game)
    found = []
    if shove is None:
        return found
    for i, (x, y, flags, on) in enumerate(shove[2]):
        verdict = geometry.verdict(x, y)
        instead = tuple(sorted(verdicts_nearby(x, y) - {verdict}))
        if instead and not flags and not on:
            found.append(CorrectableCall(i, x / 100, y / 100, verdict, instead))
    return found


def last_shove(game: Game) -> tuple[Any, ...] | None:
    """The last event of the match, if it is a shove."""
    data = game.tape.last()
    event: tuple[Any, ...] = events.parse(data, len(data)) if data else (0,)
    return event if event[0] == events.SHOVE else None


def verdicts_nearby(x: int, y: int) -> set[int]:
    """The verdicts of all places where the disc may lie instead (hmm)."""
    steps = range(-REACH_HMM, REACH_HMM + 1, STEP_HMM)
    return {geometry.verdict(x + step, y) for step in steps} | {geometry.verdict(x, y + step) for step in steps}


def correction(game: Game, disc: int, verdict: int) -> tuple[str, tuple[tuple[Any, ...], ...]]:
    """("", events that give the last shove's disc this verdict), or (why the rules refuse it, ())."""
    shove = last_shove(game)
    if shove is None or disc >= len(shove[2]):
        return "not_allowed", ()
    x, y, _, on = shove[2][disc]
    x, y = geometry.settle(x, y, verdict, REACH_HMM)
    if geometry.verdict(x, y) != verdict:
        return "not_allowed", ()
    discs = (*shove[2][:disc], (x, y, 0, on), *shove[2][disc + 1 :])
    wanted = (events.undo(), (*shove[:2], discs, *shove[3:]))
    for event in wanted:
        code = game.do(event).refused
        if code:
            return code, ()
    return "", wanted


def is_correction(old: tuple[Any, ...], new: tuple[Any, ...]) -> bool:
    """Whether the new shove is the old one with one disc moved by people.

    They move it along or across the board only. A disc shoved again never keeps either place to 0.01 mm.
    """
    if old[0] != events.SHOVE or new[0] != events.SHOVE or (*old[:2], *old[3:]) != (*new[:2], *new[3:]):
        return False
    changed = [(a, b) for a, b in zip(old[2], new[2], strict=False) if a != b]
    if len(old[2]) != len(new[2]) or len(changed) != 1:
        return False
    (x, y, *_), (new_x, new_y, *_) = changed[0]
    return (x == new_x and abs(y - new_y) <= REACH_HMM) or (y == new_y and abs(x - new_x) <= REACH_HMM)
