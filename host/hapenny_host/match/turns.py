"""The list of turns: a row for each disc in the order shoved, with its call and its earlier calls."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import hypot
from typing import Any

from hapenny.rules import events as rules
from hapenny.rules import lying, setup
from hapenny.rules.state import State

from hapenny_host.match.words import brief, ruling, thrown

BEFORE_PLAY = -1  # `number` of a turn that decides the order of play
OFFENCE = -2  # `number` of a shove out of turn
GONE = "off"
UNMOVED = "no move"
OUT_OF_TURN = "out of turn"

Discs = Sequence[tuple[int, ...]]


@dataclass(frozen=True)
class Row:
    """A disc (or a dart) of a turn, and its calls. The last call holds."""

    calls: tuple[str, ...]
    person: bool = False  # a person made the last call, not the sensors
    at: int = -1  # its index among the game's discs, -1: it is not on the board
    hand: bool = False  # it was taken back; the next shove belongs to this row

    def called(self, word: str, at: int, person: bool = False) -> "Row":
        """The row with this call, added only if it is another than before."""
        calls = self.calls if self.calls[-1:] == (word,) else (*self.calls, word)
        return Row(calls, person, at)


@dataclass(frozen=True)
class Turn:
    """A turn: its side, how many turns were recorded before it, and its rows."""

    side: int
    number: int
    rows: tuple[Row, ...] = ()
    void: bool = False
    undisturbed: tuple[Row, ...] | None = None  # the rows before somebody else moved discs, until that is settled

    def plain(self) -> dict[str, Any]:
        """As JSON for a page."""
        rows = [{"calls": list(row.calls), "person": row.person, "at": row.at, "hand": row.hand} for row in self.rows]
        return {"side": self.side, "void": self.void, "rows": rows}

    def verdicts(self) -> tuple[str, ...]:
        """What each disc is called now."""
        return tuple(row.calls[-1] for row in self.rows)

    def number_of(self, disc: int) -> int:
        """The number in the turn, from 1, of the game's disc with that index; 0 for none."""
        return next((n for n, row in enumerate(self.rows, 1) if row.at == disc), 0)

    def corrected_from(self, old: "Turn") -> "Turn":
        """This turn after a correction of `old`: earlier calls are kept, and the changed call is a person's."""
        rows = list(self.rows)
        for n, (was, now) in enumerate(zip(old.rows, self.rows, strict=False)):
            same = was.calls[-1:] == now.calls[-1:]
            rows[n] = replace(was, at=now.at, hand=now.hand) if same else was.called(now.calls[-1], now.at, True)
        return replace(self, rows=tuple(rows))


Log = tuple[Turn, ...]


@dataclass(frozen=True)
class Step:
    """An event and what it did."""

    event: tuple[Any, ...]
    out: Any  # what the engine returned
    before: Discs  # the game's discs before the event
    saved: Discs | None  # as they lay before somebody else moved them
    state: State  # after the event

    @property
    def words(self) -> list[str]:
        """The calls of the discs that the event lists."""
        return [brief(verdict) for verdict in self.out.verdicts]


def logged(log: Log, step: Step, side: int, number: int) -> Log:
    """The log after a step in the turn of that side and number."""
    kind = step.event[0]
    if kind == rules.CORRECT:
        return corrected(log, step)
    if kind == rules.CLEAR:
        log = tuple(off_the_board(turn) for turn in log)
    current = bool(log) and (log[-1].side, log[-1].number) == (side, number)
    if kind == rules.SHOVE and step.event[1] >= 0 and step.event[1] // 2 != side:
        offence = Turn(step.event[1] // 2, OFFENCE, (Row((OUT_OF_TURN,)),))
        log = (*log[:-1], offence, log[-1]) if current else (*log, offence, Turn(side, number))
        current = True
    starts = kind in STARTS and not (kind == rules.ATTEMPT and costs_nothing(step))
    if not current and (starts or (step.out.void and kind != rules.OVERRULE)):
        log, current = (*log, Turn(side, number)), True
    if not log:
        return log
    turn = log[-1]
    handler = HANDLERS.get(kind, stayed) if current or kind not in STARTS else stayed
    turn = handler(turn, step)
    undisturbed = None if step.state.saved is None else turn.undisturbed or log[-1].rows
    return (*log[:-1], replace(turn, void=turn.void or bool(step.out.void), undisturbed=undisturbed))


def costs_nothing(step: Step) -> bool:
    """Whether a disc that did not move cost no shove."""
    return step.state.opts[setup.SHORT] != setup.ONE_ATTEMPT


def shoved(turn: Turn, step: Step) -> Turn:
    """A disc was shoved, by the side in turn or by another."""
    _, by, discs, _, gone = step.event
    if by >= 0 and by // 2 != turn.side:
        return moved(turn, step)
    rows = carried(turn.rows, step, discs, len(discs) if gone else len(discs) - 1)
    if gone:
        return replace(turn, rows=added(rows, GONE, -1))
    at = kept_places(step, discs)[-1]
    return replace(turn, rows=added(rows, calls_after(step)[at] if at >= 0 else step.words[-1], at))


def tried(turn: Turn, step: Step) -> Turn:
    """A disc was shoved for the order of play."""
    return replace(turn, rows=added(turn.rows, brief(step.out.last[1]), -1)) if step.out.last else turn


def darted(turn: Turn, step: Step) -> Turn:
    """A dart was thrown."""
    return replace(turn, rows=added(turn.rows, thrown(step.event)[1], -1))


def unmoved(turn: Turn, step: Step) -> Turn:
    """A disc was struck and did not move."""
    return turn if costs_nothing(step) else replace(stayed(turn, step), rows=added(turn.rows, UNMOVED, -1))


def moved(turn: Turn, step: Step) -> Turn:
    """Discs lie elsewhere, and the side in turn has not shoved them."""
    discs = next((field for field in step.event[1:] if isinstance(field, tuple)), None)
    if discs is None or spots(step.before) == spots(step.state.discs):
        return stayed(turn, step)
    one_more = step.event[0] == rules.SHOVE and not step.event[4]  # the disc shoved out of turn
    return replace(turn, rows=carried(turn.rows, step, discs, len(discs) - one_more))


def decided(turn: Turn, step: Step) -> Turn:
    """A person has decided what a disc is."""
    word = brief(ruling(step.event, step.before))
    disc = step.event[1] - 1
    after = stayed(turn, step)
    pairs = zip(turn.rows, after.rows, strict=True)
    rows = [row.called(word, row.at, True) if was.at == disc else row for was, row in pairs]
    return replace(after, rows=tuple(rows))


def taken_back(turn: Turn, step: Step) -> Turn:
    """The last disc is in the hand again."""
    last = len(step.before) - 1
    turn = replace(turn, rows=tuple(in_hand(row) if row.at == last else row for row in turn.rows))
    return stayed(turn, step)


def chosen(turn: Turn, step: Step) -> Turn:
    """Discs that somebody else moved are put back, or shoved again."""
    if turn.undisturbed is None or step.saved is None:
        return stayed(turn, step)
    at, words, rows = kept_places(step, step.saved), calls_after(step), list(turn.undisturbed)
    for n, row in enumerate(rows):
        if row.at >= 0:
            now = at[row.at]
            rows[n] = (
                in_hand(row) if now < 0 else row.called(words[now], now, row.person and row.calls[-1] == words[now])
            )
    return replace(turn, rows=tuple(rows))


def stayed(turn: Turn, step: Step) -> Turn:
    """No disc has moved, but some may have come off, and calls may have changed."""
    words = calls_after(step)
    places = kept_places(step, step.before)
    rows = list(turn.rows)
    for n, row in enumerate(rows):
        at = places[row.at] if 0 <= row.at < len(places) else -1
        if at >= 0:
            rows[n] = row.called(words[at], at, row.person and row.calls[-1] == words[at])
        else:
            rows[n] = replace(row, at=-1)
    return replace(turn, rows=tuple(rows))


def corrected(log: Log, step: Step) -> Log:
    """People have corrected how an earlier turn ended."""
    at = next((n for n in reversed(range(len(log))) if log[n].number == step.event[1] - 1), -1)
    if at < 0:
        return log
    lies = kept_places(step, step.event[2]) if step.state.old and log[at] is lying_turn(log) else [-1] * len(step.words)
    ends = [*zip(step.words, lies, strict=True), *[(GONE, -1)] * (len(log[at].rows) - len(lies))]
    rows = [*log[at].rows, *[Row(())] * (len(lies) - len(log[at].rows))]
    pairs = zip(rows, ends, strict=True)
    new_rows = tuple(row.called(word, index, row.person or row.calls[-1:] != (word,)) for row, (word, index) in pairs)
    return (*log[:at], replace(log[at], rows=new_rows, void=False), *log[at + 1 :])


def lying_turn(log: Log) -> Turn:
    """The turn whose discs lie on the board, else the last one."""
    found = [turn for turn in log[-2:] if any(row.at >= 0 for row in turn.rows)]
    return found[-1] if found else log[-1] if log else Turn(-1, 0)


def off_the_board(turn: Turn) -> Turn:
    """The turn with none of its discs on the board."""
    return replace(turn, rows=tuple(replace(row, at=-1) for row in turn.rows))


STARTS = {rules.SHOVE: shoved, rules.NINE: tried, rules.DART: darted, rules.ATTEMPT: unmoved}
HANDLERS: dict[int, Callable[[Turn, Step], Turn]] = {
    **STARTS,
    rules.TOUCH: moved,
    rules.INTERFERE: moved,
    rules.DECIDE: decided,
    rules.RETAKE: taken_back,
    rules.CHOOSE: chosen,
}


def added(rows: tuple[Row, ...], word: str, at: int) -> tuple[Row, ...]:
    """The rows with one disc more. A disc taken back and shoved again keeps its row."""
    for n, row in enumerate(rows):
        if row.hand:
            return (*rows[:n], Row((*row.calls, word), False, at), *rows[n + 1 :])
    return (*rows, Row((word,), False, at))


def in_hand(row: Row) -> Row:
    """The row of a disc that was taken back."""
    return replace(row, at=-1, hand=True, person=False)


def carried(rows: tuple[Row, ...], step: Step, listed: Discs, known: int) -> tuple[Row, ...]:
    """The rows once discs lie as `listed`. Its first `known` are the game's discs in order, without those gone."""
    where, words, at = found_again(step.before, listed[:known]), step.words, kept_places(step, listed)
    now, out = calls_after(step), []
    for row in rows:
        disc = where[row.at] if 0 <= row.at < len(where) else -1
        if row.at < 0:
            out.append(row)
        elif disc < 0:
            out.append(row.called(GONE, -1))
        else:
            word = now[at[disc]] if at[disc] >= 0 else words[disc]
            same = step.before[row.at][:2] == listed[disc][:2] and row.calls[-1] == word
            out.append(row.called(word, at[disc], row.person and same))
    return tuple(out)


def calls_after(step: Step) -> list[str]:
    """The calls of the game's discs after the step."""
    return [brief(verdict) for verdict in lying.verdicts(step.state, step.state.discs)]


def kept_places(step: Step, listed: Discs) -> list[int]:
    """For each disc that the event lists its index among the game's discs, -1 if the game has not kept it."""
    kept = lying.pair(listed, step.state.discs)
    return [kept.index(n) if n in kept else -1 for n in range(len(listed))]


def found_again(before: Discs, listed: Discs) -> list[int]:
    """For each disc its index in the new list, -1 if it is gone.

    The order stays. Where several could be gone, the choice with the shortest moves is taken.
    """
    if len(before) <= len(listed):
        return list(range(len(before)))
    stay = lying.pair(before, listed)
    where = [stay.index(n) if n in stay else -1 for n in range(len(before))]
    free_before = [n for n in range(len(before)) if n not in stay]
    free_now = [n for n in range(len(listed)) if stay[n] < 0]

    def moved_hmm(choice: tuple[int, ...]) -> float:
        ends = zip(choice, free_now, strict=True)
        return sum(hypot(before[a][0] - listed[b][0], before[a][1] - listed[b][1]) for a, b in ends)

    stayed_on = min(combinations(free_before, len(free_now)), key=moved_hmm, default=())
    for was, now in zip(stayed_on, free_now, strict=False):
        where[was] = now
    return where


def spots(discs: Any) -> list[tuple[int, ...]]:
    """Where discs lie."""
    return [disc[:2] for disc in discs]


def place_in(discs: Discs, disc: tuple[int, ...]) -> int:
    """The index of the game's disc exactly there, the last of several; -1 for none."""
    return next((n for n in reversed(range(len(discs))) if discs[n][:2] == disc[:2]), -1)
