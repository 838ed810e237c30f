"""Discs that lie where the game has none, what to say of them, and the hand that takes them off a simulated table."""

import time
from collections.abc import Sequence
from math import hypot
from typing import Any

from hapenny_link.board import Table

from hapenny_host.boards.state import Now
from hapenny_host.match.view import SAME_MM
from hapenny_host.web.elements.board import BACK, MARK, Loose, Place, places_to_fill

DEAD = ("over", "wide")
Home = tuple[Place, Place | None, int]  # a place to fill, where its disc lies now (None: in no place), its number
HAND_S = 3.0  # a hand has taken a disc off by then
LOOK_S = 0.02


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
    going = [place for _, place, _ in homes(now) if place]
    return [place for place in places if not now.match.counts(*place) and not any(near(place, g) for g in going)]


def homes(now: Now) -> list[Home]:
    """Places where the game has discs, none lies, and people put one back: an undo, or moved by somebody else.

    The disc that had the number goes there, else the nearest that is of no place, else one from the hand.
    """
    if not now.uncounted or now.picture.state != "rest":
        return []
    here = [(disc.x_mm, disc.y_mm) for disc in now.picture.discs]
    strangers = [place for place in here if not now.match.counts(*place)]
    found: list[Home] = []
    for hole in places_to_fill(list(now.picture.discs), now.match):
        place, number = (hole["x"], hole["y"]), hole["number"]
        fits = [at for at in strangers if number and number_then(now, *at) == number]
        at = min(fits, key=lambda at, to=place: hypot(at[0] - to[0], at[1] - to[1]), default=None)
        if at:
            strangers.remove(at)
        found.append((place, at, number))
    return found


def put_back(now: Now) -> str:
    """What hands have to do about places to fill, "" if there are none."""
    found = homes(now)
    if not found:
        return ""
    numbers = [number for _, _, number in found]
    which = listed(numbers) if all(numbers) else f"the disc{plural(found)}"
    where = "they lay, in the dashed rings" if len(found) > 1 else "it lay, in the dashed ring"
    return f"Put {which} back where {where}"


def near(a: Place, b: Place) -> bool:
    return hypot(a[0] - b[0], a[1] - b[1]) < SAME_MM


def unwanted(now: Now, table: Table | None) -> str:
    """What hands have to do about discs that do not count, "" if none lies there."""
    places = loose(now, table)
    if not places:
        return ""
    why = "they do not count" if len(places) > 1 else "it does not count"
    return f"Take off {named(now, places)}: {why}"


def named(now: Now, places: list[tuple[float, float]]) -> str:
    """Discs that do not count, by the numbers they had in the turn; by their mark where those are not enough."""
    numbers = [number_then(now, *place) for place in places]
    taken = {0, *(disc.get("number", 0) for disc in now.match.discs)}
    if len(set(numbers) - taken) < len(numbers):
        return f"the disc{plural(places)} marked {MARK}"
    return listed(numbers)


def listed(numbers: Sequence[int]) -> str:
    """`disc 3`, `discs 3, 4 and 5`."""
    *others, last = map(str, sorted(numbers))
    return f"discs {', '.join(others)} and {last}" if others else f"disc {last}"


def marked(now: Now, table: Table | None) -> list[Loose]:
    """Discs that do not count, or go back to their places, for the drawing."""
    going = [(*at, number, BACK) for _, at, number in homes(now) if at]
    return going + [(*place, number_then(now, *place), MARK) for place in loose(now, table)]


def number_then(now: Now, x_mm: float, y_mm: float) -> int:
    """The number in the turn that a disc had there, when it last counted; 0 for none."""
    return next((number for x, y, number in reversed(now.were) if hypot(x - x_mm, y - y_mm) < SAME_MM), 0)


def plural(things: Sequence[Any]) -> str:
    return "s" if len(things) > 1 else ""


def hands_done(table: Table | None) -> bool:
    """Whether hands are taking, or have taken, all discs off: it is for the board to notice."""
    return table is not None and (table.moving() or not table.discs())


def off_again(now: Now, table: Table | None) -> bool:
    """Whether the old discs are to come off by the rules, since that was undone, and none lies there."""
    bare = not now.picture.discs and (table is None or not (table.moving() or table.discs()))
    return "clear" in now.match.asks and now.match.cleared and now.picture.state == "rest" and bare


def take_off(table: Table, x_mm: float, y_mm: float) -> str:
    """A hand takes the disc at that place off the simulated table; never another one."""
    found = lying(table, x_mm, y_mm)
    if found < 0:
        return "There is no disc there any more."
    table.take_off(found)
    return ""


def take_off_all(table: Table, places: list[tuple[float, float]]) -> str:
    """The same, one after the other; the hand needs a moment for each."""
    for place in places:
        until_still(table)
        problem = take_off(table, *place)
        if problem:
            return problem
    return "" if places else "There is no such disc."


def bring_home(table: Table, found: list[Home]) -> str:
    """A hand puts discs of the simulated table back, one after the other."""
    for place, at, _ in found:
        until_still(table)
        if at is None:
            table.put(place)
        elif lying(table, *at) >= 0:
            table.carry({lying(table, *at): place})
    return "" if found else "Every disc lies in its place."


def until_still(table: Table) -> None:
    """The hand is done with what it did before."""
    until_s = time.monotonic() + HAND_S
    while table.moving() and time.monotonic() < until_s:
        time.sleep(LOOK_S)


def lying(table: Table, x_mm: float, y_mm: float) -> int:
    """Which disc of the table lies at that place, -1 if none."""
    places = [i for i, (x, y) in enumerate(table.discs()) if hypot(x - x_mm, y - y_mm) < SAME_MM]
    return places[0] if places else -1
