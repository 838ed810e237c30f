"""The board from above, in millimetres: an element that draws what it is given."""

from collections.abc import Sequence
from math import hypot
from typing import Any

from hapenny_link.conversation import Disc
from nicegui.element import Element

from hapenny_host.boards.misplaced import GAP_MM, Misplaced, Place, gaps
from hapenny_host.match.doubts import mirrored_mm, why
from hapenny_host.match.view import MatchView
from hapenny_host.match.words import tag


class BoardView(Element, component="board.js", dependencies=["chalk.js"]):
    """`apron_mm` is the room shown in front of the board, for a hand."""

    def __init__(self, apron_mm: float = 0) -> None:
        super().__init__()
        self._props["apron"] = apron_mm
        self.pixels: list[tuple[int, int, int]] = []
        self.sliding = False

    def show(self, discs: list[Place], tags: list[dict[str, Any]]) -> None:
        """Discs that lie still, (x, y) in mm, and what is written on them: see `tags`."""
        self._props["discs"] = rounded(discs)
        self._props["tags"] = tags
        self.update()
        if self.sliding:  # updates overtake methods sent at the same time: an earlier `move` would come last
            self.run_method("rest")
        self.sliding = False

    def light(self, pixels: list[tuple[int, int, int]]) -> None:
        """Every peg LED as (red, green, blue). Sends nothing if nothing changed.

        Pegs blink often, so a method changes them alone. An update would make the browser go through the whole page.
        """
        if pixels != self.pixels:
            self.pixels = pixels
            with self._props.suspend_updates():
                self._props["pixels"] = pixels
            self.run_method("light", pixels)

    def slide(self, discs: list[Place]) -> None:
        """Discs on the move."""
        self.sliding = True
        self.run_method("move", rounded(discs))

    def play(self, frames: list[tuple[float, list[Place]]]) -> None:
        """Play a shove again: (seconds, discs) each."""
        self.run_method("play", [(at_s, rounded(discs)) for at_s, discs in frames])


def rounded(discs: list[Place]) -> list[Place]:
    """To what a screen can show."""
    return [(round(x, 2), round(y, 2)) for x, y in discs]


def tags(discs: list[Disc], match: MatchView, misplaced: Sequence[Misplaced] = ()) -> list[dict[str, Any]]:
    """What to write on each disc: {x, y, text, kind, number, last, asked, why, mirror}.

    `text` is the game's call, with a * if a person decided it. Where the game has no disc it is the board's own call,
    or the word of a misplaced disc. `number` is the disc's in the turn. `last` marks the disc shoved last, `asked` the
    one in question. `why` says why it is not called. `mirror` is how much farther away (mm) it may lie instead.
    """
    out = []
    asked = match.undecided[0] if match.undecided and "decide" in match.asks else -1
    for disc in discs:
        number = place_in(match, disc.x_mm, disc.y_mm)
        known = match.discs[number] if number >= 0 else {"verdict": disc.verdict, "number": 0, "person": False}
        for x, y, was, word in misplaced if number < 0 else ():
            if hypot(x - disc.x_mm, y - disc.y_mm) < GAP_MM:
                known = {"verdict": word, "number": was, "person": False}
        call = known["verdict"]
        kind = "bed" if call.isdigit() else "doubt" if call == "doubt" else "none"
        mine = {"last": number >= 0 and number == match.last_disc, "asked": number >= 0 and number == asked}
        mine |= {"number": known["number"], "why": "", "mirror": 0.0}
        if call == disc.verdict == "doubt":
            mine |= {"why": why(disc, discs), "mirror": mirrored_mm(disc, discs)}
        text = tag(call) + "*" * known["person"]
        out.append({"x": disc.x_mm, "y": disc.y_mm, "text": text, "kind": kind, **mine})
    return out


def gap_tags(discs: list[Disc], match: MatchView) -> list[dict[str, Any]]:
    """A dashed ring for each gap: there the game has a disc, and none lies."""
    blank = {"text": "", "kind": "goes", "last": False, "asked": False, "why": "", "mirror": 0.0}
    return [{"x": x, "y": y, "number": number, **blank} for (x, y), number in gaps(discs, match)]


def doubt_reason(discs: Sequence[Disc], place: dict[str, Any]) -> str:
    """Why the board does not call the game's disc at that place, "" if it is not known."""
    near = [disc for disc in discs if hypot(disc.x_mm - place["x"], disc.y_mm - place["y"]) < GAP_MM]
    return next((why(disc, discs) for disc in near if disc.verdict == "doubt"), "")


def place_in(match: MatchView, x_mm: float, y_mm: float) -> int:
    """The index of the game's disc that lies there, -1 for none."""
    apart = [hypot(x_mm - disc["x"], y_mm - disc["y"]) for disc in match.discs]
    nearest = min(range(len(apart)), key=apart.__getitem__, default=-1)
    return nearest if nearest >= 0 and apart[nearest] < GAP_MM else -1
