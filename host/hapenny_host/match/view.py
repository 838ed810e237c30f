"""The match as screens show it: its events applied, one by one, by the board's own rules engine."""

from dataclasses import asdict, dataclass, field, replace
from math import hypot
from typing import Any

from hapenny.rules import events as rules
from hapenny.rules import game as engine
from hapenny.rules import lying, score, setup

from hapenny_host.match.turns import BEFORE_PLAY, Log, Step, Turn, logged, lying_turn, place_in
from hapenny_host.match.undoing import Done, Undone, in_words
from hapenny_host.match.words import BEDS, brief, ruling, said, thrown
from hapenny_host.match.wrong_calls import is_correction

BADGES = {"sergeant": "Sergeant!", "sergeant-major": "Sergeant-major!"}
SAME_MM = 12.0  # less than a disc's radius: two places this near belong to the same disc
LOG_TURNS = 6  # how many of the last turns screens get

ASKS = {
    engine.ASK_CLEAR: "clear",
    engine.ASK_RECORD: "record",
    engine.ASK_RETAKE: "retake",
    engine.ASK_DECIDE: "decide",
    engine.ASK_CHOOSE: "choose",
    engine.ASK_GIVE: "give",
    engine.ASK_NINE: "nine",
    engine.ASK_PLACE: "place",
}


@dataclass(frozen=True)
class Side:
    """One side's column."""

    names: list[str]
    marks: list[int]
    targets: list[int]
    given: list[int]  # marks that the last event gave them
    points: int | None  # its marks, or points, where turns are counted
    out: bool


@dataclass(frozen=True)
class MatchView:
    """A match as the screens show it. `turn` and `winner` are sides, -1 for none; verdicts are in words."""

    number: int = 0  # sequence of the event that started it; 0: no match
    preset: str = ""
    sides: list[Side] = field(default_factory=list)
    turn: int = -1
    player: str = ""
    limit: str = ""  # which of its turns this is, and who leads, where turns are counted
    shoves: int = 5
    shoves_left: int = 0
    winner: int = -1
    discs: list[dict[str, Any]] = field(default_factory=list)  # x, y in mm, verdict, number in its turn, person
    last: str = ""
    ruled: bool = False  # `last` was decided by a person
    out_of_turn: bool = False  # `last` was a shove out of turn; its disc does not count
    last_disc: int = -1  # index in discs of the disc just shoved
    asks: list[str] = field(default_factory=list)
    undecided: list[int] = field(default_factory=list)  # indices in discs
    log: list[dict[str, Any]] = field(default_factory=list)
    badges: list[str] = field(default_factory=list)
    void: bool = False
    give_bed: int = 0
    takers: list[int] = field(default_factory=list)  # sides that may be given it
    claims: list[tuple[int, int]] = field(default_factory=list)  # (side, bed) of extras that wait to be claimed
    places: int = 0  # how many places in the order of play the best placed side may choose from
    best_placed: int = -1  # that side
    seq: int = 0
    cleared: bool = False  # the last thing done was to undo taking the discs off
    undoes: str = ""  # what Undo would take back, "" if there is nothing

    def plain(self) -> dict[str, Any]:
        """As JSON for a page."""
        return asdict(self)

    def counts(self, x_mm: float, y_mm: float) -> bool:
        """Whether the game has a disc at that place."""
        return any(hypot(x_mm - disc["x"], y_mm - disc["y"]) < SAME_MM for disc in self.discs)


class MatchFold:
    """Applies the events of one journal, match after match; `view` is the newest result."""

    def __init__(self) -> None:
        self.game = engine.Game()
        self.names: list[list[str]] = []
        self.preset = ""
        self.number = 0
        self.log: Log = ()
        self.done: list[Done] = []  # every event that can be undone
        self.undone: Undone | None = None  # the event just taken back
        self.view = MatchView()

    def event(self, seq: int, data: bytes, names: list[list[str]] | None = None) -> MatchView:
        """Apply an event. One that cannot be read, or is refused, changes nothing."""
        try:
            event = rules.decode(data)
        except ValueError:
            return self.view
        state, previous, player = self.game.state, self.game.tape.last(), self.player()
        side, number = state.turn, BEFORE_PLAY if state.placing and event[0] != rules.SHOVE else state.turn_no
        before, saved = state.discs, state.saved
        out = self.game.do(event)
        if out.refused:
            return self.view
        ruled = event[0] == rules.DECIDE
        out_of_turn = event[0] == rules.SHOVE and event[1] >= 0 and event[1] // 2 != side
        undone, self.undone = self.undone, None
        if event[0] == rules.START:
            self.begin(seq, names)
        elif event[0] == rules.UNDO:
            self.take_back(rules.parse(previous, len(previous)))
        elif event[0] != rules.POWER_CUT:
            log, turn = self.log, (side, number)
            self.log = logged(log, Step(event, out, before, saved, self.game.state), side, number)
            self.done.append(Done(in_words(event, player, self.names, last_of(log, turn), last_of(self.log)), log))
            ruled = ruled or self.corrects(event, undone)
        if out_of_turn:
            last = (self.out_of_turn_words(event[1]), -1)
        else:
            last = self.called(event, out, before, undone if ruled else None)
        self.view = replace(self.viewed(seq, out, last), ruled=ruled, out_of_turn=out_of_turn)
        return self.view

    def take_back(self, event: tuple[Any, ...]) -> None:
        """Put the list of turns back to where it was before that event."""
        done = self.done.pop() if self.done else Done("", ())
        self.undone, self.log = Undone(event, done, self.log), done.log_before

    def corrects(self, event: tuple[Any, ...], undone: Undone | None) -> bool:
        """Whether the event corrects the shove just taken back. The list of turns then shows the correction.

        An event equal to the shove before the correction takes the correction back.
        """
        if undone is None:
            return False
        if undone.done.corrected and undone.done.corrected[-1].event == event:
            self.log, self.done[-1] = undone.restored()
            return False
        if not undone.log or not is_correction(undone.event, event):
            return False
        self.log, self.done[-1] = undone.corrected(self.log)
        return True

    def called(
        self, event: tuple[Any, ...], out: Any, before: list[tuple[int, ...]], undone: Undone | None
    ) -> tuple[str, int]:
        """What is called out after an event, and the index of the disc that it is about, -1 for none.

        `undone` is the shove that people have corrected, if they have.
        """
        if event[0] == rules.DART:
            return thrown(event)[0], -1
        if event[0] == rules.DECIDE:
            place, verdict = before[event[1] - 1], ruling(event, before)
        elif undone:
            pairs = zip(undone.event[2], event[2], out.verdicts, strict=True)
            place, verdict = next((new, verdict) for old, new, verdict in pairs if old != new)
        elif out.last:
            number, verdict = out.last
            return said(verdict), place_in(self.game.state.discs, event[2][number - 1]) if number else -1
        else:
            return "", -1
        at = place_in(self.game.state.discs, place)
        number = self.log[-1].number_of(at)
        return f"{f'Disc {number}' if number else 'The disc'} decided: {said(verdict).lower()}", at

    def begin(self, seq: int, names: list[list[str]] | None) -> None:
        """A match starts. Without names the same people play again; else players are numbered."""
        players = list(self.game.state.players)
        fitting = [known for known in (names, self.names) if known and [len(side) for side in known] == players]
        self.names = fitting[0] if fitting else numbered(players)
        self.number = seq
        self.preset = setup.PRESETS[self.game.state.opts[setup.PRESET]]
        self.log, self.done = (), []

    def discs(self) -> list[dict[str, Any]]:
        """The game's discs: place (mm), verdict, number in the turn, whether a person decided."""
        state, found = self.game.state, []
        turn = lying_turn(self.log)
        for n, (disc, verdict) in enumerate(zip(state.discs, lying.verdicts(state, state.discs), strict=True)):
            number = turn.number_of(n)
            person = number > 0 and turn.rows[number - 1].person
            place = {"x": disc[0] / 100, "y": disc[1] / 100}
            found.append({**place, "verdict": brief(verdict), "number": number, "person": person})
        return found

    def out_of_turn_words(self, player: int) -> str:
        """What is called out when this player shoves out of turn."""
        return f"{self.names[player // 2][player % 2]} shoved out of turn"

    def viewed(self, seq: int, out: Any, last: tuple[str, int]) -> MatchView:
        """The state as screens need it. `last`: what was called last, and of which disc."""
        state = self.game.state
        asks = self.game.asks()
        return MatchView(
            number=self.number,
            preset=self.preset,
            sides=[self.side(i, out.extras(i)) for i in range(state.sides)],
            turn=state.turn,
            player=self.player(),
            limit=self.limit(),
            shoves=state.shoves_left if state.placing else state.opts[setup.SHOVES],
            shoves_left=state.shoves_left,
            winner=state.winner,
            discs=self.discs(),
            last=last[0],
            last_disc=last[1],
            asks=[word for bit, word in ASKS.items() if asks & bit],
            undecided=[number - 1 for number in self.game.undecided()],
            log=[line.plain() for line in self.log[-LOG_TURNS:]],
            badges=[BADGES[badge] for badge in out.badges],
            void=bool(out.void),
            give_bed=state.queue[0] + 1 if asks & engine.ASK_GIVE else 0,
            takers=self.takers() if asks & engine.ASK_GIVE else [],
            claims=self.claims(),
            places=state.limit if asks & engine.ASK_PLACE else 0,
            best_placed=state.places[0] if asks & engine.ASK_PLACE else -1,
            seq=seq,
            cleared=self.undone is not None and self.undone.event[0] == rules.CLEAR,
            undoes=self.done[-1].words if self.done else "",
        )

    def side(self, i: int, given: list[int]) -> Side:
        """A side's column. `given`: marks that the last event gave it."""
        state = self.game.state
        mine = slice(i * BEDS, i * BEDS + BEDS)
        return Side(
            names=self.names[i],
            marks=list(state.marks[mine]),
            targets=list(state.targets[mine]),
            given=given,
            points=score.total(state, i) if state.quota else None,
            out=bool(state.out >> i & 1),
        )

    def takers(self) -> list[int]:
        """The sides that may be given the extra that waits."""
        state = self.game.state
        return [side for side in range(state.sides) if score.may_give(state, side, state.queue[0])]

    def claims(self) -> list[tuple[int, int]]:
        """Side and bed of each extra that may be claimed."""
        state = self.game.state
        places = [(side, bed) for side in range(state.sides) for bed in range(BEDS)]
        return [(side, bed + 1) for side, bed in places if score.may_claim(state, side, bed)]

    def limit(self) -> str:
        """Which of so many turns the side in turn plays, and who leads of those that contest the match."""
        state = self.game.state
        if not state.quota or state.turn < 0 or state.placing:
            return ""
        agreed = setup.turns(state.opts)
        number = state.plays[state.turn] + 1
        turn = f"turn {number} of {agreed}" if number <= agreed else "an extra turn"
        have = {i: score.total(state, i) for i in range(state.sides) if state.is_in(i) and state.playing >> i & 1}
        first = [i for i, total in have.items() if total == max(have.values())]
        return f"{turn}, " + (f"{' & '.join(self.names[first[0]])} ahead" if len(first) == 1 else "level")

    def player(self) -> str:
        """The name of the player in turn."""
        number = self.game.state.player()
        return self.names[number // 2][number % 2] if number >= 0 else ""


def last_of(log: Log, turn: tuple[int, int] | None = None) -> Turn:
    """The last turn of the list, or an empty one if it is not this (side, number)."""
    found = log[-1] if log else Turn(-1, 0)
    return found if turn in (None, (found.side, found.number)) else Turn(-1, 0)


def numbered(players: list[int]) -> list[list[str]]:
    """Names for players whom nobody named."""
    return [[f"Player {i + 1}"] if n == 1 else [f"Player {i + 1}a", f"Player {i + 1}b"] for i, n in enumerate(players)]
