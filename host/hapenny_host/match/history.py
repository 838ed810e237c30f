"""The history of a journal: every match, turn by turn and shove by shove, after all corrections."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from hapenny.rules import events as rules
from hapenny.rules.game import Game

from hapenny_host.match.turns import BEFORE_PLAY, OFFENCE, Log, Row
from hapenny_host.match.view import MatchFold, Side

Timed = tuple[int, bytes, float]  # seq, an encoded event, seconds since 1970
ShoveKey = tuple[int, int, int, int]  # its turn's side and number, which of such turns, which shove of the turn

KINDS = {BEFORE_PLAY: "order", OFFENCE: "out of turn"}
SHOVED = (rules.SHOVE, rules.NINE, rules.DART, rules.ATTEMPT)


@dataclass(frozen=True)
class Shove:
    """A disc of a turn: its calls (the last holds), where it came to lie, and the event that brought it."""

    calls: tuple[str, ...]
    person: bool  # a person made the last call, not the sensors
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
    """A match. `number` is the sequence of the event that started it. `winner` is a side, -1 for none."""

    number: int
    preset: str
    began_at: float
    ended_at: float
    sides: list[Side]
    winner: int
    turns: list[PastTurn]


@dataclass(frozen=True)
class Origin:
    """The event that brought a shove, and where its disc was last seen."""

    seq: int
    at: float
    x_mm: float | None = None
    y_mm: float | None = None
    hand: bool = False  # it was taken back: the next shove takes its place


@dataclass
class MatchHistory:
    """Follows one match. `origins` has, for each event that stands, the origins of all shoves after it."""

    fold: MatchFold
    began_at: float
    ended_at: float
    origins: list[dict[ShoveKey, Origin]] = field(default_factory=list)

    def add(self, seq: int, event: tuple, at: float) -> None:
        """Note an event that the fold has just applied."""
        self.ended_at = at
        depth = len(self.fold.done)  # how many events stand; undo makes it smaller
        if event[0] == rules.UNDO:
            del self.origins[depth:]
        elif depth > len(self.origins):
            self.origins.append(self.origins_after(seq, event, at))

    def origins_after(self, seq: int, event: tuple, at: float) -> dict[ShoveKey, Origin]:
        """The origin of every shove after this event."""
        before = self.origins[-1] if self.origins else {}
        after = {}
        for turn in keyed_rows(self.fold.log):
            for key, row in turn:
                origin = before.get(key)
                if origin is None or (origin.hand and not row.hand and event[0] in SHOVED):
                    origin = Origin(seq, at)
                after[key] = placed(replace(origin, hand=row.hand), row, self.fold.game)
        return after if event[0] != rules.CORRECT else self.corrected(after, event)

    def corrected(self, after: dict[ShoveKey, Origin], event: tuple) -> dict[ShoveKey, Origin]:
        """The same after people have corrected where the discs of an earlier turn lay."""
        turns = zip(self.fold.log, keyed_rows(self.fold.log), strict=True)
        rows = [rows for line, rows in turns if line.number == event[1] - 1][-1:]
        for (key, _), disc in zip(rows[0] if rows else [], event[2], strict=False):
            after[key] = replace(after[key], x_mm=disc[0] / 100, y_mm=disc[1] / 100)
        return after

    def match(self) -> PastMatch:
        """The match as it stands."""
        view, origins = self.fold.view, self.origins[-1] if self.origins else {}
        turns = []
        for line, rows in zip(self.fold.log, keyed_rows(self.fold.log), strict=True):
            shoves = [shove(row, origins.get(key)) for key, row in rows]
            turns.append(PastTurn(KINDS.get(line.number, "turn"), line.side, line.void, shoves))
        number, preset = self.fold.number, self.fold.preset
        return PastMatch(number, preset, self.began_at, self.ended_at, view.sides, view.winner, turns)


def keyed_rows(log: Log) -> list[list[tuple[ShoveKey, Row]]]:
    """The rows of every turn, each with a key that stays the same when a turn is inserted before it."""
    many: Counter[tuple[int, int]] = Counter()
    turns = []
    for line in log:
        turns.append(
            [((line.side, line.number, many[line.side, line.number], n), row) for n, row in enumerate(line.rows)]
        )
        many[line.side, line.number] += 1
    return turns


def placed(origin: Origin, row: Row, game: Game) -> Origin:
    """The origin with the place where the disc lies now, if it is still on the board."""
    discs = game.state.discs
    if not 0 <= row.at < len(discs):
        return origin
    return replace(origin, x_mm=discs[row.at][0] / 100, y_mm=discs[row.at][1] / 100)


def shove(row: Row, origin: Origin | None) -> Shove:
    """A row of the list of turns as a shove of the history."""
    origin = origin or Origin(0, 0.0)
    return Shove(row.calls, row.person, origin.x_mm, origin.y_mm, origin.seq, origin.at)


def matches(events: Iterable[Timed], names: dict[int, list[list[str]]]) -> list[PastMatch]:
    """Every match of a journal, the oldest first. Events that cannot be read or are refused change nothing."""
    fold, found, current = MatchFold(), [], None
    for seq, data, at in events:
        view = fold.view
        starts = data[:1] == bytes([rules.START])
        ended = current.match() if current and starts else None  # before the next one takes its place
        if fold.event(seq, data, names.get(seq)) is view:
            continue
        if starts:
            found += [ended] if ended else []
            current = MatchHistory(fold, at, at)
        elif current:
            current.add(seq, rules.decode(data), at)
    return [*found, current.match()] if current else found
