"""A journal as people look it up: every match, turn by turn, shove by shove, as it stands after all corrections."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from hapenny.rules import events as rules
from hapenny.rules.game import Game

from hapenny_host.match.turns import BEFORE_PLAY, OFFENCE, Log, Row
from hapenny_host.match.view import MatchFold, Side

Timed = tuple[int, bytes, float]  # seq, an encoded event, seconds since 1970
Where = tuple[int, int, int, int]  # a turn's side and number, which of such turns, which of its shoves

KINDS = {BEFORE_PLAY: "order", OFFENCE: "out of turn"}
SHOVED = (rules.SHOVE, rules.NINE, rules.DART, rules.ATTEMPT)


@dataclass(frozen=True)
class Shove:
    """A disc of a turn: what it is called now and was before, where it came to lie in mm, and the event it came by."""

    calls: tuple[str, ...]
    person: bool  # people said the last call, not the sensors
    x_mm: float | None
    y_mm: float | None
    seq: int
    at: float  # seconds since 1970


@dataclass(frozen=True)
class PastTurn:
    """A turn. `kind`: turn, order (of play), or out of turn."""

    kind: str
    side: int
    void: bool
    shoves: list[Shove]


@dataclass(frozen=True)
class PastMatch:
    """A match. `number` is the sequence of the event that started it; `winner` a side, -1 for none."""

    number: int
    preset: str
    began_at: float
    ended_at: float
    sides: list[Side]
    winner: int
    turns: list[PastTurn]


@dataclass(frozen=True)
class Came:
    """By which event a shove came, and where its disc was last seen."""

    seq: int
    at: float
    x_mm: float | None = None
    y_mm: float | None = None
    hand: bool = False  # it was taken back: what is shoved next comes in its place


@dataclass
class Watch:
    """Follows one match: after each of its events that stand, where all its shoves came from and lie."""

    fold: MatchFold
    began_at: float
    ended_at: float
    marks: list[dict[Where, Came]] = field(default_factory=list)

    def see(self, seq: int, event: tuple, at: float) -> None:
        """Take note of an event that the fold has just taken."""
        self.ended_at = at
        depth = len(self.fold.done)  # of the events that stand; undo makes it less
        if event[0] == rules.UNDO:
            del self.marks[depth:]
        elif depth > len(self.marks):
            self.marks.append(self.noted(seq, event, at))

    def noted(self, seq: int, event: tuple, at: float) -> dict[Where, Came]:
        """What is known of every shove after this event."""
        known = self.marks[-1] if self.marks else {}
        now = {}
        for turn in told(self.fold.log):
            for where, row in turn:
                came = known.get(where)
                if came is None or (came.hand and not row.hand and event[0] in SHOVED):
                    came = Came(seq, at)
                now[where] = placed(replace(came, hand=row.hand), row, self.fold.game)
        return now if event[0] != rules.CORRECT else self.corrected(now, event)

    def corrected(self, now: dict[Where, Came], event: tuple) -> dict[Where, Came]:
        """People have said where the discs of an earlier turn lay."""
        turns = zip(self.fold.log, told(self.fold.log), strict=True)
        rows = [rows for line, rows in turns if line.number == event[1] - 1][-1:]
        for (where, _), disc in zip(rows[0] if rows else [], event[2], strict=False):
            now[where] = replace(now[where], x_mm=disc[0] / 100, y_mm=disc[1] / 100)
        return now

    def match(self) -> PastMatch:
        """The match as it stands."""
        view, known = self.fold.view, self.marks[-1] if self.marks else {}
        turns = []
        for line, rows in zip(self.fold.log, told(self.fold.log), strict=True):
            shoves = [shove(row, known.get(where)) for where, row in rows]
            turns.append(PastTurn(KINDS.get(line.number, "turn"), line.side, line.void, shoves))
        number, preset = self.fold.number, self.fold.preset
        return PastMatch(number, preset, self.began_at, self.ended_at, view.sides, view.winner, turns)


def told(log: Log) -> list[list[tuple[Where, Row]]]:
    """The rows of every turn, each with a name that stays its own when a turn comes before it."""
    many: Counter[tuple[int, int]] = Counter()
    turns = []
    for line in log:
        turns.append(
            [((line.side, line.number, many[line.side, line.number], n), row) for n, row in enumerate(line.rows)]
        )
        many[line.side, line.number] += 1
    return turns


def placed(came: Came, row: Row, game: Game) -> Came:
    """The same with where the disc lies now, if it still lies."""
    discs = game.state.discs
    if not 0 <= row.at < len(discs):
        return came
    return replace(came, x_mm=discs[row.at][0] / 100, y_mm=discs[row.at][1] / 100)


def shove(row: Row, came: Came | None) -> Shove:
    """A row of the list of turns with where it came from."""
    came = came or Came(0, 0.0)
    return Shove(row.calls, row.person, came.x_mm, came.y_mm, came.seq, came.at)


def matches(events: Iterable[Timed], names: dict[int, list[list[str]]]) -> list[PastMatch]:
    """Every match of a journal, the oldest first. Events that nobody can read or that are refused change nothing."""
    fold, found, watch = MatchFold(), [], None
    for seq, data, at in events:
        before = fold.view
        starts = data[:1] == bytes([rules.START])
        ended = watch.match() if watch and starts else None  # before the next one takes its place
        if fold.event(seq, data, names.get(seq)) is before:
            continue
        if starts:
            found += [ended] if ended else []
            watch = Watch(fold, at, at)
        elif watch:
            watch.see(seq, rules.decode(data), at)
    return [*found, watch.match()] if watch else found
