"""The hand on /play: takes aim and shoves."""

from collections.abc import Callable
from typing import Any

from nicegui.element import Element

APRON_MM = 104  # room shown in front of the board, for the hand


class Hand(Element, component="hand.js"):
    """Lies over a board with the same apron. `on_shove` gets x in mm, speed in m/s and angle in radians."""

    def __init__(self, on_shove: Callable[[float, float, float], Any]) -> None:
        super().__init__()
        self._props["apron"] = APRON_MM
        self.on("shove", lambda e: on_shove(e.args["x"], e.args["speed"], e.args["angle"]))

    def show(self, ready: bool, why: str, hand: int) -> None:
        """Whether a disc may be shoved, why not, and how many discs are in hand."""
        props = {"ready": ready, "why": why, "hand": hand}
        if any(self._props.get(key) != value for key, value in props.items()):
            self._props.update(props)
            self.update()
