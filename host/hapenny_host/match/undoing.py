"""What Undo takes back, in words. Of a corrected call it first takes back only the correction."""

from dataclasses import dataclass
from typing import Any

from hapenny.rules import events as rules

from hapenny_host.match.turns import Log, Turn

Event = tuple[Any, ...]

WORDS = {
    rules.ATTEMPT: "the disc that did not move",
    rules.CLEAR: "the discs taken off",
    rules.RECORD: "the score written up",
    rules.TOUCH: "the touch",
    rules.INTERFERE: "the discs that somebody moved",
    rules.OPTIONS: "the other options",
    rules.CORRECT: "the correction",
    rules.RETAKE: "the disc taken back",
}
CHOSEN = {rules.REPLAY: "that it is shoved again", rules.REPLACE: "that they are put back", rules.PLACE: "the place"}
OVERRULED = {rules.MARKS: "the marks", rules.WINNER: "the game given", rules.VOID: "the void turn"}


@dataclass(frozen=True)
class ShoveBefore:
    """A shove before people corrected a call of it: the event, the list of turns after it, its words."""

    event: Event
    log: Log
    words: str


@dataclass(frozen=True)
class Done:
    """An event that can be undone: its words, the list of turns before it, its shove before each correction."""

    words: str
    log_before: Log
    corrected: tuple[ShoveBefore, ...] = ()


@dataclass(frozen=True)
class Undone:
    """The event that was just taken back, what was noted of it, and the list of turns that it had led to."""

    event: Event
    done: Done
    log: Log

    def restored(self) -> tuple[Log, Done]:
        """The list of turns and the note once the last correction of the shove is taken back."""
        earlier = self.done.corrected[-1]
        return earlier.log, Done(earlier.words, self.done.log_before, self.done.corrected[:-1])

    def corrected(self, log: Log) -> tuple[Log, Done]:
        """The list of turns and the note once the shove is corrected; `log` ends with the shove as people see it."""
        turn = log[-1].corrected_from(self.log[-1])
        pairs = zip(self.log[-1].rows, turn.rows, strict=False)
        number = next((n for n, (was, row) in enumerate(pairs, 1) if was.calls != row.calls), 0)
        words = f"the call of disc {number}" if number else "the call"
        earlier = (*self.done.corrected, ShoveBefore(self.event, self.log, self.done.words))
        return (*log[:-1], turn), Done(words, self.done.log_before, earlier)


def in_words(event: Event, player: str, names: list[list[str]], before: Turn, after: Turn) -> str:
    """An event for the button that takes it back.

    `player` was in turn. `before` and `after` are the turn without and with the event.
    """
    kind, of = (*event, 0)[:2]
    if kind in (rules.SHOVE, rules.NINE, rules.DART):
        return shove_in_words(event, player, names, before, after)
    if kind == rules.DECIDE:
        number = after.number_of(of - 1)
        return f"the answer about disc {number}" if number else "the answer"
    if kind == rules.DAMP:
        return f"that {names[of // 2][of % 2]} held the board down"
    if kind in (rules.CLAIM, rules.GIVE):
        return f"the extra in {event[2]} for {' & '.join(names[of // 2])}"
    if kind == rules.CHOOSE:
        return CHOSEN.get(of, "the choice")
    if kind == rules.OVERRULE:
        return OVERRULED.get(of, "the referee's word")
    return WORDS.get(kind, "the last thing done")


def shove_in_words(event: Event, player: str, names: list[list[str]], before: Turn, after: Turn) -> str:
    """Whose shove or dart, and which of the turn."""
    by = event[1]
    if event[0] == rules.SHOVE and by >= 0 and names[by // 2][by % 2] != player:
        return f"{names[by // 2][by % 2]}'s shove out of turn"
    what = "dart" if event[0] == rules.DART else "shove"
    if event[0] == rules.NINE:
        return f"{player}'s {what} for the order of play"
    again = next((n for n, row in enumerate(before.rows, 1) if row.hand), 0)
    return f"{player}'s {what} {again or len(after.rows)}"
