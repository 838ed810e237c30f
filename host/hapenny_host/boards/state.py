"""The state of one board as the screens show it: link, picture, match, and the last shove's replay."""

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

from hapenny_host.match.view import MatchFold, MatchView

NEW_SHOVE_S = 1.0  # after a pause this long, live positions belong to another shove
REPLAY_FRAMES = 400
LOG_LINES = 50
FASTEST_MM = 150.0  # no disc goes further between two frames
STILL_MM = 2.5  # a smaller change between two frames is mostly noise
STILL_SHARE = 0.3  # of such a change that is shown
NO_MOVE = (rules.OPTIONS, rules.POWER_CUT)
BARE = (rules.START, rules.CLEAR)  # after these, no disc on the board belongs to the match
IN_TURN_AGAIN = (rules.START, rules.SHOVE, rules.NINE, rules.UNDO, rules.CHOOSE, rules.CORRECT, rules.OVERRULE)

Frame = tuple[float, list[tuple[float, float]]]  # seconds, discs in mm


@dataclass(frozen=True)
class BoardState:
    """Everything that is true of a board at one moment."""

    link: LinkState = field(default_factory=LinkState)
    alarm: str = ""  # what is wrong with the store, "" if nothing
    picture: Picture = field(default_factory=lambda: Picture("waiting"))
    match: MatchView = field(default_factory=MatchView)
    leftovers: tuple[tuple[float, float], ...] = ()  # discs of the match before, until something happens in this one
    may_differ: bool = False  # after an undo, a choice or a shove out of turn: discs may lie that do not count
    earlier_places: tuple[tuple[float, float, int], ...] = ()  # where those lay, with their numbers in the turn
    out_of_turn_player: int = -1  # who people say shoves next, out of turn; -1: whoever is in turn
    replay: list[Frame] = field(default_factory=list)
    replay_number: int = 0
    positions: list[tuple[float, float]] = field(default_factory=list)
    version: int = 0  # grows with every change
    positions_version: int = 0  # grows with every live position


class StateKeeper:
    """Keeps a board's newest `state`. A few threads write it; screens read it and compare versions."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.folding = Lock()
        self.state = BoardState()
        self.journal: tuple[str, int] | None = None
        self.fold = MatchFold()
        self.frames: list[Frame] = []
        self.just_loaded = False  # a match without a shove came from the store, and the board has not been seen since
        self.on_link: Callable[[LinkState], None] = lambda state: None
        self.log_lines: deque[str] = deque(maxlen=LOG_LINES)

    def change(self, **fields: Any) -> None:
        """Replace fields of the state."""
        with self.lock:
            self.state = replace(self.state, version=self.state.version + 1, **fields)

    def load(self, board: str, log: int, events: list[tuple[int, bytes]], names: dict[int, list[list[str]]]) -> None:
        """Start over from a journal in the store."""
        fold = MatchFold()
        for seq, data in events:
            fold.event(seq, data, names.get(seq))
        self.fold = fold
        self.journal = (board, log)
        kinds = [kind(data) for _, data in events]
        while kinds and kinds[-1] in NO_MOVE:
            kinds.pop()
        self.just_loaded = kinds[-1:] == [rules.START]
        self.change(match=fold.view, leftovers=())

    def event(self, event: Received, names: list[list[str]] | None) -> None:
        """Apply a committed event. The positions before a shove become its replay."""
        with self.folding:
            match = self.fold.event(event.seq, event.data, names)
        before, what, replay = self.state, kind(event.data), {}
        leftovers, earlier = before.leftovers, before.earlier_places
        if what == rules.START:
            leftovers = places(before.picture)
        elif what not in NO_MOVE:
            leftovers = ()
        if what == rules.SHOVE and self.frames:
            replay = {"replay": self.frames, "replay_number": before.replay_number + 1}
            self.frames = []
        if what == rules.UNDO:
            earlier += tuple((disc["x"], disc["y"], disc["number"]) for disc in before.match.discs if disc["number"])
        differs = what in (rules.UNDO, rules.CHOOSE) or match.out_of_turn
        may_differ = what not in BARE and (before.may_differ or differs)
        self.change(
            match=match,
            leftovers=leftovers,
            may_differ=may_differ,
            earlier_places=earlier if may_differ else (),
            out_of_turn_player=-1 if what in IN_TURN_AGAIN else before.out_of_turn_player,
            **replay,
        )

    def game(self) -> Game:
        """A copy of the match, to think ahead with."""
        with self.folding:
            return deepcopy(self.fold.game)

    def shove_before_correction(self) -> tuple[Any, ...] | None:
        """The last shove as it was before people corrected its call; None if they have not."""
        with self.folding:
            done = self.fold.done[-1:]
            return done[0].corrected[-1].event if done and done[0].corrected else None

    def picture(self, picture: Picture) -> None:
        """The board sees this now. In a match just loaded, the first discs seen belong to another match."""
        lying = places(picture)
        before = self.state
        leftovers, self.just_loaded = lying if self.just_loaded else before.leftovers, False
        as_counted = len(lying) == len(before.match.discs) and all(before.match.counts(*at) for at in lying)
        may_differ = before.may_differ and not (picture.state == "rest" and as_counted)
        self.change(
            picture=picture,
            positions=list(lying),
            leftovers=leftovers,
            may_differ=may_differ,
            earlier_places=before.earlier_places if may_differ else (),
        )

    def wait(self) -> None:
        """The board is away or has not looked yet. Its last picture stays, but nobody plays by it."""
        self.change(picture=replace(self.state.picture, state="waiting"))

    def positions(self, at_s: float, flat: list[int]) -> None:
        """Live positions [x, y, ...] in hundredths of a millimetre, at a time of the board's clock."""
        discs = [(flat[i] / 100, flat[i + 1] / 100) for i in range(0, len(flat) - 1, 2)]
        if self.frames and not 0 <= at_s - self.frames[-1][0] < NEW_SHOVE_S:
            self.frames = []
        if self.frames:
            discs = in_same_order(self.frames[-1][1], discs)
        if len(self.frames) < REPLAY_FRAMES:
            self.frames.append((at_s, discs))
        with self.lock:
            version = self.state.positions_version + 1
            self.state = replace(self.state, positions=discs, positions_version=version)

    def link(self, state: LinkState) -> None:
        """The board came, went, or cannot be talked with."""
        self.on_link(state)
        self.change(link=state, out_of_turn_player=self.state.out_of_turn_player if state.connected else -1)

    def out_of_turn(self, player: int) -> None:
        """People have said who shoves next; -1: whoever is in turn."""
        self.change(out_of_turn_player=player)

    def alarm(self, text: str) -> None:
        """The store cannot be written, and why; "": it can again."""
        if text != self.state.alarm:
            self.change(alarm=text)

    def note(self, text: str) -> None:
        """A line of the board's own log."""
        self.log_lines.append(text)


def in_same_order(before: list[tuple[float, float]], after: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The discs in the order of the frame before, without jitter at rest. A board lists them in any order."""
    left = list(after)
    out = []
    for x, y in before:
        near = min(left, key=lambda disc: hypot(disc[0] - x, disc[1] - y), default=None)
        if near is None or hypot(near[0] - x, near[1] - y) > FASTEST_MM:
            continue
        left.remove(near)
        share = STILL_SHARE if hypot(near[0] - x, near[1] - y) < STILL_MM else 1.0
        out.append((x + share * (near[0] - x), y + share * (near[1] - y)))
    return out + left


def places(picture: Picture) -> tuple[tuple[float, float], ...]:
    """Where discs lie."""
    return tuple((disc.x_mm, disc.y_mm) for disc in picture.discs)


def kind(data: bytes) -> int:
    """The kind of an encoded rules event, 0 if there is none."""
    return data[0] if data else 0
