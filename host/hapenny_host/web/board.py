"""The board from above as an element of a page: it draws, in millimetres, what it is given."""

from math import hypot
from typing import Any

from nicegui.element import Element

from hapenny_host.views import MatchView

Place = tuple[float, float]


class BoardView(Element, component="board.js", dependencies=["chalk.js"]):
    """`apron_mm` is the room shown in front of the board, for a hand."""

    def __init__(self, apron_mm: float = 0) -> None:
        super().__init__()
        self._props["apron"] = apron_mm
        self.pixels: list[tuple[int, int, int]] = []

    def show(self, discs: list[Place], tags: list[dict[str, Any]]) -> None:
        """Discs that lie still, (x, y) in mm, and what is said of them: {x, y, text, kind, last}."""
        self._props["discs"] = rounded(discs)
        self._props["tags"] = tags
        self.update()

    def light(self, pixels: list[tuple[int, int, int]]) -> None:
        """Every peg LED as (red, green, blue); nothing is sent if nothing changed."""
        if pixels != self.pixels:
            self.pixels = pixels
            self._props["pixels"] = pixels
            self.update()

    def slide(self, discs: list[Place]) -> None:
        """Discs on the move."""
        self.run_method("move", rounded(discs))

    def play(self, frames: list[tuple[float, list[Place]]]) -> None:
        """Play a shove again: (seconds, discs) each."""
        self.run_method("play", [(at_s, rounded(discs)) for at_s, discs in frames])


def rounded(discs: list[Place]) -> list[Place]:
    """To what a screen can show."""
    return [(round(x, 2), round(y, 2)) for x, y in discs]


SAME_MM = 3.0  # the game's place of a disc and the board's picture of it differ by less
PUT_BACK_MM = 6.0  # a disc put back by hand lies this near its place
TAGS = {"line": "line", "side": "side", "wide": "side", "short": "short", "over": "over", "doubt": "?"}
OPEN = ("doubt", "stacked")  # what the sensors leave open and the game may know


def tags(discs: list[tuple[float, float, str]], match: MatchView) -> list[dict[str, Any]]:
    """What to write on each disc (x_mm, y_mm, verdict); the one shoved last and the one in question are marked."""
    out = []
    asked = match.undecided[0] if match.undecided and "decide" in match.asks else -1
    for x, y, verdict in discs:
        number = place_in(match, x, y)
        known = match.discs[number]["verdict"] if verdict in OPEN and number >= 0 else verdict
        kind = "bed" if known.isdigit() else "doubt" if known == "doubt" else "none"
        mine = {"last": number >= 0 and number == match.last_disc, "asked": number >= 0 and number == asked}
        out.append({"x": x, "y": y, "text": TAGS.get(known, known), "kind": kind, **mine})
    return out


def place_in(match: MatchView, x_mm: float, y_mm: float) -> int:
    """Which of the game's discs lies there, -1 for none."""
    apart = [hypot(x_mm - disc["x"], y_mm - disc["y"]) for disc in match.discs]
    nearest = min(range(len(apart)), key=apart.__getitem__, default=-1)
    return nearest if nearest >= 0 and apart[nearest] < SAME_MM else -1


def places_to_fill(discs: list[tuple[float, float, str]], match: MatchView) -> list[dict[str, Any]]:
    """Where the game has a disc and none lies: there it is to be put back (after an interference, or an undo)."""
    if "clear" in match.asks:
        return []
    return [
        {"x": disc["x"], "y": disc["y"], "text": "", "kind": "goes", "last": False, "asked": False}
        for disc in match.discs
        if all(hypot(x - disc["x"], y - disc["y"]) > PUT_BACK_MM for x, y, _ in discs)
    ]
