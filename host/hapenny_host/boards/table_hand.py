"""The hand at a simulated table: takes discs off and puts them back, as a person would."""

import time
from math import hypot

from hapenny_link.board import Table

from hapenny_host.boards.misplaced import Place, PutBack
from hapenny_host.match.view import SAME_MM

HAND_S = 3.0  # the longest a hand takes over one disc
LOOK_S = 0.02


def is_cleared(table: Table | None) -> bool:
    """Whether hands are taking all discs off or have done so. The board has yet to notice."""
    return table is not None and (table.moving() or not table.discs())


def take_off(table: Table, place: Place) -> str:
    """Take off the disc at that place, and no other. Returns why not, "" when done."""
    found = disc_at(table, place)
    if found < 0:
        return "There is no disc there any more."
    table.take_off(found)
    return ""


def take_all_off(table: Table, places: list[Place]) -> str:
    """Take off discs one after the other. Returns why not, "" when done."""
    for place in places:
        wait_until_still(table)
        problem = take_off(table, place)
        if problem:
            return problem
    return "" if places else "There is no such disc."


def put_back(table: Table, discs: list[PutBack]) -> str:
    """Put discs back one after the other. Returns why not, "" when done."""
    for disc in discs:
        wait_until_still(table)
        if disc.lies_at is None:
            table.put(disc.gap)
        elif disc_at(table, disc.lies_at) >= 0:
            table.carry({disc_at(table, disc.lies_at): disc.gap})
    return "" if discs else "Every disc lies in its place."


def wait_until_still(table: Table) -> None:
    """Wait until the hand has finished what it did before."""
    until_s = time.monotonic() + HAND_S
    while table.moving() and time.monotonic() < until_s:
        time.sleep(LOOK_S)


def disc_at(table: Table, place: Place) -> int:
    """The index in `table.discs()` of the disc at that place, -1 for none."""
    found = [i for i, (x, y) in enumerate(table.discs()) if hypot(x - place[0], y - place[1]) < SAME_MM]
    return found[0] if found else -1
