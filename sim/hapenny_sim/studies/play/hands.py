"""What hands do at a board besides shoving: hover, nudge, move discs and put them back, take them off, cut the power.

`MISHAPS` and `ENDINGS` say how often, of all turns: assumptions, far more often than in a quiet pub.
"""

import math
from typing import Any

from hapenny.rules import events
from hapenny.rules.game import ASK_CHOOSE
from hapenny.scorer import NO_QUESTION, WHO_MOVED

from hapenny_sim.boards.acts import Hover

Session = Any  # a Session of `turn`, which imports this module

TOUCHED, DISTURBED = 1, 0  # answers to WHO_MOVED: the shover touched them, somebody else did
NUDGE_MM = (1.5, 5.0)
SWEEP_MM = (15.0, 60.0)  # an interference
BACK_MM = 1.0  # a disc is put back so exactly, each way
HOVER_S = (0.3, 2.0)
LATE_S = (2.0, 4.0)
CUT_S = (0.2, 0.7)  # from a shove to a power cut during the slide
MISHAPS = {"hover": 0.06, "nudge": 0.02, "lift": 0.02, "disturb": 0.02, "power cut": 0.02, "power cut in a slide": 0.01}
ENDINGS = {"together": 0.4, "one by one": 0.3, "late": 0.2, "early": 0.1}  # how the discs are taken off


def hover(at: "Session") -> None:
    """A hand over the board, touching nothing."""
    x, y = at.rng.uniform(40, 330), at.rng.uniform(60, 400)
    at.table.do(Hover(at.table.lying, float(x), float(y), float(at.rng.uniform(*HOVER_S))))
    at.settled()


def nudge(at: "Session") -> None:
    """The shover moves a disc a little by accident: that costs the turn, if the board notices."""
    i, (x, y) = somewhere(at, NUDGE_MM)
    at.tally.nudges += 1
    at.table.carry({i: (x, y)})
    noticed(at)


def lift(at: "Session") -> None:
    """The shover lifts a disc and lays it down again, nearly where it lay."""
    i, place = somewhere(at, NUDGE_MM)
    at.tally.nudges += 1
    at.table.take_off(i)
    at.board.until(lambda: not at.table.acts, 5.0)
    at.board.advance(float(at.rng.uniform(0.0, 1.0)))
    at.table.put(place)
    noticed(at)


def noticed(at: "Session") -> None:
    """A disc was touched: whether the board asks, and the truth as an answer."""
    if not at.settled():
        return
    if at.board.app.scorer.question == WHO_MOVED:
        at.answer(TOUCHED)
    elif not at.board.game.state.old:
        at.fault("unnoticed")
    at.look()


def disturb(at: "Session") -> None:
    """Somebody else moves a disc; the players have it put back, and play on."""
    before = [(d.x_mm, d.y_mm) for d in at.table.lying]
    at.tally.nudges += 1
    i, place = somewhere(at, SWEEP_MM)
    at.table.carry({i: place})
    if not at.settled():
        return
    at.answer(DISTURBED)
    if not at.board.game.asks() & ASK_CHOOSE:
        at.fault("unnoticed")
        return
    at.board.say(events.choose("replace"))
    x, y = before[i]
    at.table.carry({i: (x + float(at.rng.normal(0, BACK_MM / 2)), y + float(at.rng.normal(0, BACK_MM / 2)))})
    if at.settled():
        at.answer(DISTURBED)
        at.names.keep(at.board.game.state, at.table.lying)
        at.look()


def cut(at: "Session") -> None:
    """The power fails while all lies still, and comes back."""
    at.board.hardware.cut_s = at.table.now_s + 0.05
    at.board.advance(0.1)
    if at.settled():
        at.answer()
        at.look()


def cut_in_slide(at: "Session") -> None:
    """The power will fail during the next slide."""
    at.board.hardware.cut_s = at.table.now_s + float(at.rng.uniform(*CUT_S))


DOING = {
    "hover": hover, "nudge": nudge, "lift": lift, "disturb": disturb, "power cut": cut,
    "power cut in a slide": cut_in_slide,
}  # fmt: skip


def somewhere(at: "Session", way_mm: tuple[float, float]) -> tuple[int, tuple[float, float]]:
    """A disc that lies there, and a free place that far from where it lies."""
    i = int(at.rng.integers(len(at.table.lying)))
    disc = at.table.lying[i]
    low, high = way_mm
    for _ in range(50):
        way, towards = float(at.rng.uniform(low, high)), float(at.rng.uniform(0, 2 * math.pi))
        x, y = disc.x_mm + way * math.cos(towards), disc.y_mm + way * math.sin(towards)
        others = [d for d in at.table.lying if d is not disc]
        if 20 < x < 348 and 30 < y < 420 and all(math.hypot(d.x_mm - x, d.y_mm - y) > 25.5 for d in others):
            return i, (x, y)
    return i, (disc.x_mm, disc.y_mm)


def take_all(at: "Session", ending: str) -> None:
    """Takes all discs off: at once, later, or one by one."""
    if ending == "late":
        at.board.advance(float(at.rng.uniform(*LATE_S)))
    if ending != "one by one":
        at.table.clear()
        return
    while at.table.lying:
        at.table.take_off(int(at.rng.integers(len(at.table.lying))))
        at.board.until(lambda: not at.table.acts, 5.0)
        at.board.advance(float(at.rng.uniform(0.0, 0.8)))
        if at.board.app.scorer.question != NO_QUESTION and at.board.at_rest:
            at.answer(TOUCHED)
