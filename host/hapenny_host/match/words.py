"""Words for verdicts and hits: as a marker calls them, and in short."""

from collections.abc import Sequence
from typing import Any

from hapenny.rules import events as rules
from hapenny.rules.geometry import DOUBTED, LIFTED, LINE, OFF, OVER, SHORT, STACKED, WIDE, bed_of

BEDS = 9
SAID = {
    LINE: "On the line",
    WIDE: "Over the side",
    SHORT: "Short",
    OVER: "Over the far end",
    STACKED: "Stacked",
    LIFTED: "On a lift",
    DOUBTED: "Too close to call",
    OFF: "Off the board",
}
BRIEF = {LINE: "line", WIDE: "side", SHORT: "short", OVER: "over", STACKED: "stack", LIFTED: "lift"}
BRIEF |= {DOUBTED: "doubt", OFF: "off"}
TAGS = {"wide": "side", "stacked": "stack", "doubt": "?"}


def said(verdict: int) -> str:
    """A verdict as a marker would call it."""
    return f"Bed {verdict}" if 1 <= verdict <= BEDS else SAID.get(verdict, "")


def brief(verdict: int) -> str:
    """A verdict in one short word."""
    return str(verdict) if 1 <= verdict <= BEDS else BRIEF.get(verdict, "")


def tag(word: str) -> str:
    """A brief verdict, or the board's own word, as it is written on a disc."""
    return TAGS.get(word, word)


def thrown(event: tuple[Any, ...]) -> tuple[str, str]:
    """Where a dart hit: as it is called, and in short."""
    hit, times = event[2], event[3]
    called = {0: ("Miss", "miss"), rules.OUTER: ("Outer bull", "outer"), rules.BULL: ("Bull", "bull")}
    if hit in called:
        return called[hit]
    return ("", "Double ", "Treble ")[times - 1] + str(hit), ("", "D", "T")[times - 1] + str(hit)


def ruling(event: tuple[Any, ...], before: Sequence[tuple[int, ...]]) -> int:
    """The verdict of a disc that a person has decided. `before` are the game's discs before that."""
    return bed_of(before[event[1] - 1][1]) if event[2] else LINE
