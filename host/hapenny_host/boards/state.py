"""What is true now, for the screens: link, board, match and the last shove. Written by few threads, read by all."""

from collections import deque
from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from math import hypot
from threading import Lock
from typing import Any

from hapenny.rules import events as rules
from hapenny.rules.game import Game
from hapenny_link.conversation import LinkState, Picture, Received

from hapenny_host.match.view import Fold, MatchView

NEW_SHOVE_S = 1.0  # live positions that come after such a pause belong to another shove
REPLAY_FRAMES = 400
NOTES = 50
FASTEST_MM = 150.0  # no disc goes further between two frames
STILL_MM = 2.5  # less than this between two frames is mostly the noise of a quick look
CALM = 0.3
NO_MOVE = (rules.OPTIONS, rules.POWER_CUT)
BARE = (rules.START, rules.CLEAR)  # after these no disc lies that is of this match
IN_TURN_AGAIN = (rules.START, rules.SHOVE, rules.NINE, rules.UNDO, rules.CHOOSE, rules.CORRECT, rules.OVERRULE)

Frame = tuple[float, list[tuple[float, float]]]  # seconds, discs in mm


@dataclass(frozen=True)
class Now:
    """One consistent picture of everything; `version` grows with every change, `moved` with every live position."""

    link: LinkState = field(default_factory=LinkState)
    alarm: str = ""
    picture: Picture = field(default_factory=lambda: Picture("waiting"))
    match: MatchView = field(default_factory=MatchView)
    left: tuple[tuple[float, float], ...] = ()  # where discs of another match lie, until something happens in this one
    uncounted: bool = False  # since an undo, a choice or a shove out of turn other discs may lie than those that count
    were: tuple[tuple[float, float, int], ...] = ()  # where these lay when they counted, and their numbers in the turn
    by: int = -1  # the player who shoves next, out of turn, as people have said; -1: whoever is in turn
    replay: list[Frame] = field(default_factory=list)
    replay_number: int = 0
    positions: list[tuple[float, float]] = field(default_factory=list)
    version: int = 0
    moved: int = 0


class Live:
    """Holds `now`; whoever shows it compares versions."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.folding = Lock()
        self.now = Now()
        self.journal: tuple[str, int] | None = None
        self.fold = Fold()
        self.frames: list[Frame] = []
        self.begun = False  # a match of the store: nothing has happened in it, and the board has not been seen since
        self.on_link: Callable[[LinkState], None] = lambda state: None
        self.notes: deque[str] = deque(maxlen=NOTES)

    def change(self, **fields: Any) -> None:
        """Make the new present."""
        with self.lock:
            self.now = replace(self.now, version=self.now.version + 1, **fields)

    def load(self, board: str, log: int, events: list[tuple[int, bytes]], names: dict[int, list[list[str]]]) -> None:
        """Take up a journal from the store."""
        fold = Fold()
        for seq, data in events:
            fold.event(seq, data, names.get(seq))
        self.fold = fold
        self.journal = (board, log)
        kinds = [kind(data) for _, data in events]
        while kinds and kinds[-1] in NO_MOVE:
            kinds.pop()
        self.begun = kinds[-1:] == [rules.START]
        self.change(match=fold.view, left=())

    def event(self, event: Received, names: list[list[str]] | None) -> None:
        """Fold a committed event in; a shove makes the positions before it the replay."""
        with self.folding:
            match = self.fold.event(event.seq, event.data, names)
        what, left, replay, were = kind(event.data), self.now.left, {}, self.now.were
        if what == rules.START:
            left = places(self.now.picture)
        elif what not in NO_MOVE:
            left = ()
        if what == rules.SHOVE and self.frames:
            replay = {"replay": self.frames, "replay_number": self.now.replay_number + 1}
            self.frames = []
        if what == rules.UNDO:
            were += tuple((disc["x"], disc["y"], disc["number"]) for disc in self.now.match.discs if disc["number"])
        uncounted = what not in BARE and (self.now.uncounted or what in (rules.UNDO, rules.CHOOSE) or match.out_of_turn)
        by = -1 if what in IN_TURN_AGAIN else self.now.by
        self.change(match=match, left=left, uncounted=uncounted, were=were if uncounted else (), by=by, **replay)

    def game(self) -> Game:
        """A copy of the match in play, for whoever wants to think ahead."""
        with self.folding:
            return deepcopy(self.fold.game)

    def told_before(self) -> tuple[Any, ...] | None:
        """The last shove as it was told before people put a call of it right; None if they have not."""
        with self.folding:
            done = self.fold.done[-1:]
            return done[0].told[-1].event if done and done[0].told else None

    def starts_match(self, data: bytes) -> bool:
        return kind(data) == rules.START

    def picture(self, picture: Picture) -> None:
        """What the board sees; what it sees first, of a match just begun, is of another."""
        lying = places(picture)
        left, self.begun = lying if self.begun else self.now.left, False
        discs = self.now.match.discs
        known = picture.state == "rest" and len(lying) == len(discs) and all(self.now.match.counts(*at) for at in lying)
        uncounted = self.now.uncounted and not known
        were = self.now.were if uncounted else ()
        self.change(picture=picture, positions=list(lying), left=left, uncounted=uncounted, were=were)

    def wait(self) -> None:
        """The board is away, or has not looked yet: its last picture stands, but nobody plays by it."""
        self.change(picture=replace(self.now.picture, state="waiting"))

    def positions(self, at_s: float, flat: list[int]) -> None:
        """Live positions [x, y, ...] in hundredths of a millimetre, at a time of the board's clock."""
        discs = [(flat[i] / 100, flat[i + 1] / 100) for i in range(0, len(flat) - 1, 2)]
        if self.frames and not 0 <= at_s - self.frames[-1][0] < NEW_SHOVE_S:
            self.frames = []
        if self.frames:
            discs = followed(self.frames[-1][1], discs)
        if len(self.frames) < REPLAY_FRAMES:
            self.frames.append((at_s, discs))
        with self.lock:
            self.now = replace(self.now, positions=discs, moved=self.now.moved + 1)

    def link(self, state: LinkState) -> None:
        self.on_link(state)
        self.change(link=state, by=self.now.by if state.connected else -1)

    def out_of_turn(self, player: int) -> None:
        """People have said who shoves next, -1: whoever is in turn."""
        self.change(by=player)

    def alarm(self, text: str) -> None:
        if text != self.now.alarm:
            self.change(alarm=text)

    def note(self, text: str) -> None:
        """A line of the board's own log."""
        self.notes.append(text)


def followed(before: list[tuple[float, float]], now: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The discs in the order of the frame before (a board lists them as it finds them), without jitter at rest."""
    left = list(now)
    out = []
    for x, y in before:
        near = min(left, key=lambda disc: hypot(disc[0] - x, disc[1] - y), default=None)
        if near is None or hypot(near[0] - x, near[1] - y) > FASTEST_MM:
            continue
        left.remove(near)
        calm = CALM if hypot(near[0] - x, near[1] - y) < STILL_MM else 1.0
        out.append((x + calm * (near[0] - x), y + calm * (near[1] - y)))
    return out + left


def places(picture: Picture) -> tuple[tuple[float, float], ...]:
    """Where discs lie."""
    return tuple((disc.x_mm, disc.y_mm) for disc in picture.discs)


def kind(data: bytes) -> int:
    """The kind of an encoded rules event, 0 if there is none."""
    return data[0] if data else 0
