"""The dartboard on /play: you tap what was hit."""

from collections.abc import Callable
from typing import Any

from nicegui.element import Element

from hapenny_host.boards.state import BoardState

HELP = "Tap where the dart hit, or Miss. Numbers 1 to 9 count. The outer ring counts twice, the inner ring three times."


class Dartboard(Element, component="dartboard.js"):
    """Takes a tap for a dart: `on_dart` gets "7", "D7", "T7", "outer", "bull" or "miss"."""

    def __init__(self, on_dart: Callable[[str], Any]) -> None:
        super().__init__()
        self.on("dart", lambda e: on_dart(e.args))

    def show(self, why: str, word: str) -> None:
        """Why no dart may be thrown now, "" if one may; and whose dart it is."""
        self._props.update({"ready": not why, "why": why, "word": word})
        self.update()


def why_no_dart(state: BoardState) -> str:
    """Why no dart may be thrown now, "" if one may."""
    match = state.match
    if not state.link.connected:
        return "Waiting for the board"
    if match.number == 0 or match.winner >= 0:
        return "Start a match"
    if "give" in match.asks:
        return "First give the extra away"
    return ""


def whose_dart(state: BoardState) -> str:
    """Who throws, and how many darts are left."""
    match = state.match
    if "nine" in match.asks:
        return f"{match.player}, at the bull"
    return f"{match.player}, {match.shoves_left} to throw"
