"""Folds for the screens: from a match's events to what a person wants to read, by the board's own rules engine."""

from dataclasses import asdict, dataclass, field
from typing import Any

from hapenny.rules import events as rules
from hapenny.rules import game as engine
from hapenny.rules import lying, score, setup
from hapenny.rules.geometry import DOUBTED, LIFTED, LINE, OFF, OVER, SHORT, STACKED, WIDE, bed_of

BEDS = 9
SAID = {
    LINE: "On the line",
    WIDE: "Over the side",
    SHORT: "Short",
    OVER: "Over the far end",
    STACKED: "Stacked",
    LIFTED: "On a lift",
    DOUBTED: "Too close to call",
    OFF: "Off the board",
}
BRIEF = {LINE: "line", WIDE: "side", SHORT: "short", OVER: "over", STACKED: "stack", LIFTED: "lift"}
BRIEF |= {DOUBTED: "doubt", OFF: "off"}
DECIDED = "Decided"  # what is called out then is a person's word
BADGES = {"sergeant": "Sergeant!", "sergeant-major": "Sergeant-major!"}
BEFORE_PLAY = -1
LOG_TURNS = 6  # last turns kept for the screens

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


def said(verdict: int) -> str:
    """A verdict as a marker would call it."""
    return f"Bed {verdict}" if 1 <= verdict <= BEDS else SAID.get(verdict, "")


def brief(verdict: int) -> str:
    """A verdict in one short word."""
    return str(verdict) if 1 <= verdict <= BEDS else BRIEF.get(verdict, "")


def thrown(event: tuple[Any, ...]) -> tuple[str, str]:
    """Where a dart hit: as it is called, and in short."""
    hit, times = event[2], event[3]
    called = {0: ("Miss", "miss"), rules.OUTER: ("Outer bull", "outer"), rules.BULL: ("Bull", "bull")}
    if hit in called:
        return called[hit]
    return ("", "Double ", "Treble ")[times - 1] + str(hit), ("", "D", "T")[times - 1] + str(hit)


@dataclass(frozen=True)
class Side:
    """One side's column."""

    names: list[str]
    marks: list[int]
    targets: list[int]
    given: list[int]  # of the marks, those the last event gave them
    points: int | None
    out: bool


@dataclass(frozen=True)
class Word:
    """What a shove or dart came to, or what a person decided of the disc at that place (hundredths of a mm)."""

    verdict: str
    place: tuple[int, int] | None = None
    decided: bool = False


@dataclass(frozen=True)
class TurnLine:
    """A turn in the log: whose, and what each shove came to."""

    side: int
    number: int  # turns recorded before it, BEFORE_PLAY for a try at the order of play
    words: tuple[Word, ...] = ()
    void: bool = False

    def plain(self) -> dict[str, Any]:
        """As the screens want it; `decided` are the places in `verdicts` where a person's word stands."""
        verdicts = tuple(word.verdict for word in self.words)
        decided = tuple(i for i, word in enumerate(self.words) if word.decided)
        return {"side": self.side, "verdicts": verdicts, "decided": decided, "void": self.void}

    def joined(self, word: Word) -> tuple[Word, ...]:
        """The words with this one: of a disc that lies where its shove left it, a decision takes the place of that."""
        places = [old.place for old in self.words]
        if word.decided and word.place in places:
            at = places.index(word.place)
            return self.words[:at] + (word,) + self.words[at + 1 :]
        return self.words + (word,)


@dataclass(frozen=True)
class MatchView:
    """A match as the screens show it. `turn` and `winner` are sides, -1 for none; verdicts are in words."""

    number: int = 0  # sequence of the event that started it; 0: no match
    preset: str = ""
    sides: list[Side] = field(default_factory=list)
    turn: int = -1
    player: str = ""
    shoves: int = 5
    shoves_left: int = 0
    winner: int = -1
    discs: list[dict[str, Any]] = field(default_factory=list)  # x, y in mm, verdict
    last: str = ""
    last_disc: int = -1  # index in discs of the one just shoved
    asks: list[str] = field(default_factory=list)
    undecided: list[int] = field(default_factory=list)  # indices in discs
    log: list[dict[str, Any]] = field(default_factory=list)
    badges: list[str] = field(default_factory=list)
    void: bool = False
    give_bed: int = 0
    takers: list[int] = field(default_factory=list)  # sides that may be given it
    claims: list[tuple[int, int]] = field(default_factory=list)  # (side, bed) of extras that wait to be claimed
    places: int = 0  # how many places in the order of play the best placed may choose from
    best: int = -1  # the side that chooses
    seq: int = 0

    def plain(self) -> dict[str, Any]:
        """As JSON for a page."""
        return asdict(self)


class Fold:
    """The matches of one journal, event by event."""

    def __init__(self) -> None:
        self.game = engine.Game()
        self.names: list[list[str]] = []
        self.preset = ""
        self.number = 0
        self.log: tuple[TurnLine, ...] = ()
        self.before: list[tuple[TurnLine, ...]] = []  # the log before each step, for undo
        self.view = MatchView()

    def event(self, seq: int, data: bytes, names: list[list[str]] | None = None) -> MatchView:
        """Fold one event in. One that cannot be read or is refused changes nothing but the sequence."""
        try:
            event = rules.decode(data)
        except ValueError:
            return self.view
        side, number = self.game.state.turn, BEFORE_PLAY if self.game.state.placing else self.game.state.turn_no
        before = self.game.state.discs
        out = self.game.do(event)
        if out.refused:
            return self.view
        if event[0] == rules.START:
            self.begin(seq, names)
        elif event[0] == rules.UNDO:
            self.log = self.before.pop() if self.before else ()
        elif event[0] != rules.POWER_CUT:
            self.before.append(self.log)
            self.log = logged(self.log, worded(event, out, before), bool(out.void), side, number)
        self.view = self.look(seq, out, *called(event, out, before))
        return self.view

    def begin(self, seq: int, names: list[list[str]] | None) -> None:
        """A match starts. Without names it is the same people again, or players with numbers."""
        players = list(self.game.state.players)
        fitting = [known for known in (names, self.names) if known and [len(side) for side in known] == players]
        self.names = fitting[0] if fitting else numbered(players)
        self.number = seq
        self.preset = setup.PRESETS[self.game.state.opts[setup.PRESET]]
        self.log, self.before = (), []

    def look(self, seq: int, out: Any, last: str, last_disc: int) -> MatchView:
        """The state as the screens need it; `last` was called last, of the disc of that number (from 1)."""
        state = self.game.state
        verdicts = lying.verdicts(state, state.discs)
        discs = [
            {"x": disc[0] / 100, "y": disc[1] / 100, "verdict": brief(verdict)}
            for disc, verdict in zip(state.discs, verdicts, strict=True)
        ]
        asks = self.game.asks()
        return MatchView(
            number=self.number,
            preset=self.preset,
            sides=[self.side(i, out.extras) for i in range(state.sides)],
            turn=state.turn,
            player=self.player(),
            shoves=state.shoves_left if state.placing else state.opts[setup.SHOVES],
            shoves_left=state.shoves_left,
            winner=state.winner,
            discs=discs,
            last=last,
            last_disc=last_disc - 1 if last_disc <= len(discs) else -1,
            asks=[word for bit, word in ASKS.items() if asks & bit],
            undecided=[number - 1 for number in self.game.undecided()],
            log=[line.plain() for line in self.log[-LOG_TURNS:]],
            badges=[BADGES[badge] for badge in out.badges],
            void=bool(out.void),
            give_bed=state.queue[0] + 1 if asks & engine.ASK_GIVE else 0,
            takers=self.takers() if asks & engine.ASK_GIVE else [],
            claims=self.claims(),
            places=state.limit if asks & engine.ASK_PLACE else 0,
            best=state.places[0] if asks & engine.ASK_PLACE else -1,
            seq=seq,
        )

    def side(self, i: int, extras: Any) -> Side:
        state = self.game.state
        mine = slice(i * BEDS, i * BEDS + BEDS)
        return Side(
            names=self.names[i],
            marks=list(state.marks[mine]),
            targets=list(state.targets[mine]),
            given=list(extras[mine]) if extras else [0] * BEDS,
            points=state.points[i] if self.preset == "timed" else None,
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

    def player(self) -> str:
        """The name of the player in turn."""
        number = self.game.state.player()
        return self.names[number // 2][number % 2] if number >= 0 else ""


def numbered(players: list[int]) -> list[list[str]]:
    """Names for players nobody named."""
    return [[f"Player {i + 1}"] if n == 1 else [f"Player {i + 1}a", f"Player {i + 1}b"] for i, n in enumerate(players)]


def ruling(event: tuple[Any, ...], before: list[tuple[int, ...]]) -> int:
    """The verdict that a person's decision makes of its disc; `before` are the game's discs before it."""
    return bed_of(before[event[1] - 1][1]) if event[2] else LINE


def called(event: tuple[Any, ...], out: Any, before: list[tuple[int, ...]]) -> tuple[str, int]:
    """What is called out after an event, and the number of its disc, 0 for none."""
    if event[0] == rules.DECIDE:
        return f"{DECIDED}: {said(ruling(event, before)).lower()}", event[1]
    if event[0] == rules.DART:
        return thrown(event)[0], 0
    return (said(out.last[1]), out.last[0]) if out.last else ("", 0)


def worded(event: tuple[Any, ...], out: Any, before: list[tuple[int, ...]]) -> Word | None:
    """What an event adds to its turn's line."""
    if event[0] in (rules.SHOVE, rules.NINE) and out.last:
        number, verdict = out.last
        return Word(brief(verdict), event[2][number - 1][:2] if number else None)
    if event[0] == rules.DECIDE:
        return Word(brief(ruling(event, before)), before[event[1] - 1][:2], decided=True)
    return Word(thrown(event)[1]) if event[0] == rules.DART else None


def logged(log: tuple[TurnLine, ...], word: Word | None, void: bool, side: int, number: int) -> tuple[TurnLine, ...]:
    """The log with this word in it: each shove joins its turn's line, and a turn that is lost is struck out."""
    if word is None and not void:
        return log
    if not log or (log[-1].side, log[-1].number) != (side, number):
        log += (TurnLine(side, number),)
    last = log[-1]
    return log[:-1] + (TurnLine(side, number, last.joined(word) if word else last.words, last.void or void),)
