"""Turns at one board: people shove, take back, answer and take off; every shove and every look is compared."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from hapenny.desktop import agree
from hapenny.rules import geometry
from hapenny.rules.game import ASK_CHOOSE, ASK_DECIDE, ASK_RECORD, ASK_RETAKE
from hapenny.scorer import CLEAR_FIRST, DECIDE, NO_QUESTION, SHOVED, UNTOUCHED, WHO_MOVED
from hapenny_link.errors import UserError

from hapenny_sim.physics import Shove
from hapenny_sim.studies.play.board import PlayBoard
from hapenny_sim.studies.play.hands import DOING, ENDINGS, MISHAPS, TOUCHED, take_all
from hapenny_sim.studies.play.people import Shover, drawn, next_preset, next_shover
from hapenny_sim.studies.play.truth import PLAYED_MM, RECORDS, Look, Names, Truth

HUNG_S = 3.0  # a board that still sees something move this long after all is at rest hangs
SLIDE_S = 20.0  # no shove lasts so long
QUIET_S = 0.3  # a question that lasts so long is one: while a disc is lifted the board may ask for a moment
PAUSE_S = (0.0, 0.5)  # between a verdict and the next shove
SHOVES_MAX = 15  # of one turn, those taken back included
ANSWER_S = 0.05  # from an answer to what comes of it
ANSWERS_MAX = 8  # to questions in a row


@dataclass(frozen=True)
class Fault:
    """Something that went wrong: in which shove of the job, and of its kind how many."""

    turn: int
    shove: int
    kind: str
    count: int
    what: str


@dataclass
class Tally:
    """What a job has counted."""

    shoves: int = 0
    turns: int = 0
    questions: int = 0
    snatched: int = 0  # discs taken off before a verdict: such shoves are not compared
    false_starts: int = 0  # discs that went less than PLAYED_MM, and are shoved again
    nudges: int = 0  # discs touched by the shover's hand
    look: Look = field(default_factory=Look)
    counts: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


class Session:
    """People at one board, in one style, until `limit` shoves are made."""

    def __init__(self, board: PlayBoard, style: str, preset: str, rng: np.random.Generator, limit: int) -> None:
        self.board, self.style, self.preset, self.rng, self.limit = board, style, preset, rng, limit
        self.table = board.table
        self.truth, self.names = Truth(board.table), Names()
        self.tally = Tally()
        self.before: Callable[[int], None] = lambda number: None  # called before every shove, with its number
        self.said = ""  # the shove just made, in words
        self.mishap = ""  # of this turn
        self.good = True  # nothing has gone wrong in this turn that breaks it off
        self.hung = False  # nor is the board known to hang: that counts once a turn

    # One turn

    def turn(self) -> None:
        """A whole turn, from a bare board to a bare board."""
        self.tally.turns += 1
        self.hung = False
        self.begin_match()
        self.good = True
        who = next_shover(self.style, self.rng, self.table.physics)
        self.mishap = mishap = drawn({**MISHAPS, "": 1 - sum(MISHAPS.values())}, self.rng)
        ending = drawn(ENDINGS, self.rng)
        at = int(self.rng.integers(1, 5))  # the mishap comes before this shove of the turn
        for number in range(SHOVES_MAX):
            if mishap and number == at and self.table.lying:
                DOING[mishap](self)
            if not self.good or not self.may_shove():
                break
            if not self.shove(who, ending == "early"):
                break
            self.tidy()
        self.end(ending)

    def begin_match(self) -> None:
        """A new match where none is being played, or one is won."""
        state = self.board.game.state
        if self.good and state.players and state.winner < 0 and not state.old and not state.discs and state.seat >= 0:
            return
        preset = next_preset(self.style, self.preset, self.rng)
        refused = self.board.say(agree.start(preset, (1, 1), {"order": "given"}))
        if refused:
            raise UserError(f"the board refuses a match of {preset}: {refused}.")

    def may_shove(self) -> bool:
        """Whether the player in turn has a disc left in hand, and shoves left."""
        state = self.board.game.state
        more = self.tally.shoves < self.limit and self.table.in_hand() > 0
        return more and not state.old and state.winner < 0 and state.shoves > 0

    def shove(self, who: Shover, early: bool) -> bool:
        """One shove until the board has said what came of it; whether the turn goes on.

        `early`: the turn's last disc is snatched away before that, so that there is nothing to compare.
        """
        aim = who.shove(self.table.rests())
        self.before(self.tally.shoves)
        last, which = self.board.app.journal.last_seq, self.table.free_disc()
        self.make(aim)
        if early and self.board.game.state.shoves == 1:
            self.board.until(lambda: not self.table.acts, SLIDE_S)
            self.tally.snatched += 1
            return False
        if self.settled():
            self.answer(SHOVED)
            self.compare_shove(last, which)
            self.look()
        self.pause()
        return self.good

    def make(self, aim: Shove) -> None:
        """A disc starts to slide."""
        self.tally.shoves += 1
        self.said = (f"x {aim.x_mm:.2f} mm, {aim.speed_m_s:.4f} m/s, {aim.direction_deg:.2f} degrees, "
                     f"over {where(self.table.discs())}")  # fmt: skip
        self.table.shove(aim.x_mm, aim.speed_m_s, float(np.radians(aim.direction_deg)), aim.spin_rad_s)

    def settled(self) -> bool:
        """Until all is at rest and the board has seen it; False, a fault, if it never does."""
        board = self.board
        board.until(lambda: not self.table.acts, SLIDE_S)
        if board.until(lambda: board.at_rest, HUNG_S):
            board.advance(QUIET_S)
            if board.until(lambda: board.at_rest, HUNG_S):
                return True
        if not self.hung:
            self.fault("hung")
        self.hung = True
        return False

    def compare_shove(self, last: int, which: int) -> None:
        """Was the shove of disc `which` recorded once, and are the discs who they are?"""
        records = [event for event in self.board.recorded(last) if event[0] in RECORDS]
        mine = [disc for disc in self.table.lying if disc.which == which]
        if not records:
            if mine and mine[0].y_mm < PLAYED_MM:
                self.tally.false_starts += 1
                self.take_off(which)
            else:
                self.fault("missed")
        elif len(records) > 1:
            self.fault("doubled", len(records) - 1)
        elif not self.names.shove(records[0], self.board.game.state, which, self.table.lying):
            self.fault("misattributed")

    def look(self) -> None:
        """Compares the picture with the table."""
        found, total = self.truth.look(self.board.seen()), self.tally.look
        for kind in ("lost", "ghosts", "misplaced", "wrong"):
            if getattr(found, kind):
                self.fault(kind, getattr(found, kind), stop=kind != "wrong")
        for name in vars(found):
            setattr(total, name, getattr(total, name) + getattr(found, name))

    def fault(self, kind: str, count: int = 1, stop: bool = True) -> None:
        """Notes a fault; the turn is broken off where the board's account of it no longer holds."""
        tally = self.tally
        tally.counts[kind] = tally.counts.get(kind, 0) + count
        what = f"{self.said}; lie {where(self.table.discs())}; seen {where(self.board.seen())}"
        what += f"; a turn with a {self.mishap}" if self.mishap else ""
        tally.faults.append(Fault(tally.turns - 1, tally.shoves - 1, kind, count, what))
        self.good = self.good and not stop

    def pause(self) -> None:
        self.board.advance(float(self.rng.uniform(*PAUSE_S)))

    # Between shoves

    def tidy(self) -> None:
        """Dead discs come off, and a short one comes back to the hand where it may."""
        board = self.board
        short = bool(board.game.asks() & ASK_RETAKE) and bool(self.names.which)
        last = self.names.which[-1] if short else -1
        for disc in [d for d in self.table.lying if d.which not in self.names.which]:
            self.take_off(disc.which)
        if short:
            self.take_off(last)
        self.names.keep(board.game.state, self.table.lying)

    def take_off(self, which: int) -> None:
        """A hand takes a disc off, and the board sees that it has gone."""
        self.table.take_off([d.which for d in self.table.lying].index(which))
        if self.settled():
            self.answer()

    # Questions

    def answer(self, who: int = UNTOUCHED) -> None:
        """Answers what the board asks as somebody does who has seen all; `who` moved discs, if that is asked."""
        scorer = self.board.app.scorer
        for _ in range(ANSWERS_MAX):
            if scorer.question in (NO_QUESTION, CLEAR_FIRST):
                return
            self.tally.questions += 1
            if scorer.question == WHO_MOVED:
                scorer.answer(who)
            elif scorer.question == DECIDE:
                scorer.answer(self.decided())
            who = UNTOUCHED
            self.board.advance(ANSWER_S)

    def decided(self) -> bool:
        """Whether the disc that the board asks about lies in its bed."""
        game = self.board.game
        x, y = game.state.discs[game.undecided()[0] - 1][:2]
        lying = self.table.lying
        if not lying:
            return False
        disc = min(lying, key=lambda d: (d.x_mm - x / 100) ** 2 + (d.y_mm - y / 100) ** 2)
        return 0 < self.truth.verdict(disc) < geometry.LINE

    # The end of a turn

    def end(self, ending: str) -> None:
        """The score is taken, the discs are taken off; whatever went wrong, the board is bare and at rest then."""
        board, ok = self.board, self.good
        if ok:
            self.answer()
            if board.game.asks() & (ASK_RECORD | ASK_DECIDE) and not board.game.state.shoves:
                board.app.scorer.next()
        take_all(self, ending if ok else "together")
        if not self.settled():
            self.restart()
        self.answer(TOUCHED)
        if board.seen():
            self.fault("ghosts", len(board.seen()))
            self.restart()
        elif board.game.asks() & ASK_CHOOSE:
            self.good = False
        self.truth.forget()
        self.names = Names()
        self.pause()

    def restart(self) -> None:
        """People switch the board off and on."""
        self.board.restart()
        self.board.until(lambda: self.board.at_rest, HUNG_S)


def where(places: list[tuple]) -> str:
    """Places in words, the furthest first."""
    return " ".join(f"({p[0]:.1f}, {p[1]:.1f})" for p in sorted(places, key=lambda p: -p[1])) or "nothing"
