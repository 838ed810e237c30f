"""Discs that lie where the game has none, gaps where the game has one, and what hands should do about them."""

from collections.abc import Sequence
from math import hypot
from typing import Any, NamedTuple

from hapenny_link.board import Table
from hapenny_link.conversation import Disc

from hapenny_host.boards.state import BoardState
from hapenny_host.match.view import SAME_MM, MatchView

DEAD = ("over", "wide")
COMES_OFF = "×"  # the word on a disc that does not count
GOES_BACK = "back"  # the word on a disc that goes back where it lay
GAP_MM = 6.0  # game and board place the same disc nearer than this, even after a corrected call

Place = tuple[float, float]


class Misplaced(NamedTuple):
    """A disc that does not count where it lies: its place, its number in the turn (0: none), the word drawn on it."""

    x_mm: float
    y_mm: float
    number: int
    word: str


class PutBack(NamedTuple):
    """A gap to fill, and the disc that goes there: where it lies (None: in the hand), its number in the turn."""

    gap: Place
    lies_at: Place | None
    number: int


def dead_discs(state: BoardState) -> list[Place]:
    """Where dead discs lie. A disc that counts is not dead, whatever the sensors say."""
    places = [(disc.x_mm, disc.y_mm) for disc in state.picture.discs if disc.verdict in DEAD]
    return [place for place in places if not state.match.counts(*place)]


def leftovers_lie(state: BoardState) -> bool:
    """Whether discs of the match before still lie there.

    Discs that lie there after an undo belong to this match: people know why they undid it.
    """
    match, picture = state.match, state.picture
    if match.preset == "darts" or picture.state != "rest":
        return False
    return any(near((disc.x_mm, disc.y_mm), place) for disc in picture.discs for place in state.leftovers)


def uncounted_discs(state: BoardState, table: Table | None) -> list[Place]:
    """Where discs lie that come off: their shove was undone or out of turn, or people said so."""
    if not state.may_differ or state.picture.state != "rest":
        return []
    places = [(disc.x_mm, disc.y_mm) for disc in state.picture.discs] if table is None else table.discs()
    going_back = [disc.lies_at for disc in to_put_back(state) if disc.lies_at]
    return [at for at in places if not state.match.counts(*at) and not any(near(at, other) for other in going_back)]


def to_put_back(state: BoardState) -> list[PutBack]:
    """Gaps that hands fill after an undo, or after somebody else moved discs.

    The disc with the gap's number goes there. Else a disc comes from the hand.
    """
    if not state.may_differ or state.picture.state != "rest":
        return []
    here = [(disc.x_mm, disc.y_mm) for disc in state.picture.discs]
    strangers = [place for place in here if not state.match.counts(*place)]
    found: list[PutBack] = []
    for gap, number in gaps(list(state.picture.discs), state.match):
        fits = [at for at in strangers if number and earlier_number(state, *at) == number]
        lies_at = min(fits, key=lambda at, to=gap: hypot(at[0] - to[0], at[1] - to[1]), default=None)
        if lies_at:
            strangers.remove(lies_at)
        found.append(PutBack(gap, lies_at, number))
    return found


def gaps(discs: Sequence[Disc], match: MatchView) -> list[tuple[Place, int]]:
    """(place, number in the turn) of each disc that the game has and nobody sees."""
    if "clear" in match.asks:
        return []
    return [
        ((lost["x"], lost["y"]), lost.get("number", 0))
        for lost in match.discs
        if all(hypot(disc.x_mm - lost["x"], disc.y_mm - lost["y"]) > GAP_MM for disc in discs)
    ]


def put_back_sentence(state: BoardState) -> str:
    """What hands do about gaps, "" if there are none."""
    found = to_put_back(state)
    if not found:
        return ""
    numbers = [disc.number for disc in found]
    which = listed(numbers) if all(numbers) else f"the disc{plural(found)}"
    where = "they lay, in the dashed rings" if len(found) > 1 else "it lay, in the dashed ring"
    return f"Put {which} back where {where}"


def take_off_sentence(state: BoardState, table: Table | None) -> str:
    """What hands do about discs that do not count, "" if there are none."""
    places = uncounted_discs(state, table)
    if not places:
        return ""
    why = "they do not count" if len(places) > 1 else "it does not count"
    return f"Take off {named(state, places)}: {why}"


def named(state: BoardState, places: list[Place]) -> str:
    """Names discs by the numbers they had in the turn, or by the word drawn on them where numbers are not enough."""
    numbers = [earlier_number(state, *place) for place in places]
    taken = {0, *(disc.get("number", 0) for disc in state.match.discs)}
    if len(set(numbers) - taken) < len(numbers):
        return f"the disc{plural(places)} marked {COMES_OFF}"
    return listed(numbers)


def listed(numbers: Sequence[int]) -> str:
    """`disc 3`, `discs 3, 4 and 5`."""
    *others, last = map(str, sorted(numbers))
    return f"discs {', '.join(others)} and {last}" if others else f"disc {last}"


def misplaced_discs(state: BoardState, table: Table | None) -> list[Misplaced]:
    """Every disc that does not count where it lies, for the drawing."""
    back = [Misplaced(*disc.lies_at, disc.number, GOES_BACK) for disc in to_put_back(state) if disc.lies_at]
    off = [Misplaced(*at, earlier_number(state, *at), COMES_OFF) for at in uncounted_discs(state, table)]
    return back + off


def earlier_number(state: BoardState, x_mm: float, y_mm: float) -> int:
    """The number in the turn that a disc there had when it last counted, 0 for none."""
    earlier = reversed(state.earlier_places)
    return next((number for x, y, number in earlier if near((x, y), (x_mm, y_mm))), 0)


def may_play_on(state: BoardState, table: Table | None) -> bool:
    """Whether the board is bare already although the rules ask to clear it, because clearing it was undone."""
    bare = not state.picture.discs and (table is None or not (table.moving() or table.discs()))
    return "clear" in state.match.asks and state.match.cleared and state.picture.state == "rest" and bare


def near(a: Place, b: Place) -> bool:
    """Whether both are places of one disc."""
    return hypot(a[0] - b[0], a[1] - b[1]) < SAME_MM


def plural(things: Sequence[Any]) -> str:
    """The `s` of several things."""
    return "s" if len(things) > 1 else ""
