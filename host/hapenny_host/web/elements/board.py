"""The board from above as an element of a page: it draws, in millimetres, what it is given."""

from collections.abc import Sequence
from math import hypot
from typing import Any

from hapenny_link.conversation import Disc
from nicegui.element import Element

from hapenny_host.match.doubts import mirrored_mm, why
from hapenny_host.match.view import MatchView
from hapenny_host.match.words import tag

Place = tuple[float, float]
Loose = tuple[float, float, int, str]  # where a disc lies that does not count there, its number, 0 for none; a word
MARK = "×"  # the word if it comes off
BACK = "back"  # if it goes back where it lay


class BoardView(Element, component="board.js", dependencies=["chalk.js"]):
    """`apron_mm` is the room shown in front of the board, for a hand."""

    def __init__(self, apron_mm: float = 0) -> None:
        super().__init__()
        self._props["apron"] = apron_mm
        self.pixels: list[tuple[int, int, int]] = []
        self.sliding = False

    def show(self, discs: list[Place], tags: list[dict[str, Any]]) -> None:
        """Discs that lie still, (x, y) in mm, and what is said of them: see `tags`."""
        self._props["discs"] = rounded(discs)
        self._props["tags"] = tags
        self.update()
        if self.sliding:  # of what is sent at once, updates come first: a `move` of before would outlast this one
            self.run_method("rest")
        self.sliding = False

    def light(self, pixels: list[tuple[int, int, int]]) -> None:
        """Every peg LED as (red, green, blue); nothing is sent if nothing changed.

        They blink and run: by a method they change alone, an update would have the browser go through the whole page.
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


SAME_MM = 6.0  # the game's place of a disc, also one that people brought over a line, and the picture's differ by less


def tags(discs: list[Disc], match: MatchView, loose: Sequence[Loose] = ()) -> list[dict[str, Any]]:
    """What to write on each disc: {x, y, text, kind, number, last, asked, why, mirror}.

    The game's call, where it has the disc, with a * if people said so, else the board's, or that it does not count
    (`loose`); its number in the turn; whether it was shoved last, or is the one in question; why it is not called,
    and how much farther away (mm) it lies if it is its mirror image.
    """
    out = []
    asked = match.undecided[0] if match.undecided and "decide" in match.asks else -1
    for disc in discs:
        number = place_in(match, disc.x_mm, disc.y_mm)
        known = match.discs[number] if number >= 0 else {"verdict": disc.verdict, "number": 0, "person": False}
        for x, y, was, word in loose if number < 0 else ():
            if hypot(x - disc.x_mm, y - disc.y_mm) < SAME_MM:
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


def hesitation(discs: Sequence[Disc], place: dict[str, Any]) -> str:
    """Why the board does not call the game's disc that lies there; "" if it is not known."""
    near = [disc for disc in discs if hypot(disc.x_mm - place["x"], disc.y_mm - place["y"]) < SAME_MM]
    return next((why(disc, discs) for disc in near if disc.verdict == "doubt"), "")


def place_in(match: MatchView, x_mm: float, y_mm: float) -> int:
    """Which of the game's discs lies there, -1 for none."""
    apart = [hypot(x_mm - disc["x"], y_mm - disc["y"]) for disc in match.discs]
    nearest = min(range(len(apart)), key=apart.__getitem__, default=-1)
    return nearest if nearest >= 0 and apart[nearest] < SAME_MM else -1


def places_to_fill(discs: list[Disc], match: MatchView) -> list[dict[str, Any]]:
    """Where the game has a disc and none lies: there it is to be put back (after an interference, or an undo)."""
    if "clear" in match.asks:
        return []
    blank = {"text": "", "kind": "goes", "last": False, "asked": False, "why": "", "mirror": 0.0}
    return [
        {"x": place["x"], "y": place["y"], "number": place.get("number", 0), **blank}
        for place in match.discs
        if all(hypot(disc.x_mm - place["x"], disc.y_mm - place["y"]) > SAME_MM for disc in discs)
    ]
