"""Turns at one board: people shove, take back, answer and take off; every shove and every look is compared."""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
from hapenny.desktop import agree
from hapenny.rules import geometry
from hapenny.rules.game import ASK_CHOOSE, ASK_DECIDE, ASK_RECORD, ASK_RETAKE
from hapenny.scorer import DECIDE, NO_QUESTION, SHOVED, UNTOUCHED, WHO_MOVED
from hapenny_link.errors import UserError

from hapenny_sim.physics import Shove
from hapenny_sim.studies.play.board import PlayBoard
from hapenny_sim.studies.play.people import Shover, next_preset, next_shover
from hapenny_sim.studies.play.truth import PLAYED_MM, RECORDS, Look, Names, Truth

HUNG_S = 3.0  # a board that still sees something move this long after all is at rest hangs
SLIDE_S = 20.0  # no shove lasts so long
QUIET_S = 0.3  # a question that lasts so long is one: while a disc is lifted the board may ask for a moment
PAUSE_S = (0.2, 0.7)  # between a verdict and the next shove
SHOVES_MAX = 15  # of one turn, those taken back included
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
    false_starts: int = 0
    look: Look = field(default_factory=Look)
    counts: dict[str, int] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


class Session:
    """People at one board, in one style."""

    def __init__(self, board: PlayBoard, style: str, preset: str, rng: np.random.Generator) -> None:
        self.board, self.style, self.preset, self.rng = board, style, preset, rng
        self.table = board.table
        self.truth, self.names = Truth(board.table), Names()
        self.tally = Tally()
        self.before: Callable[[int], None] = lambda number: None  # called before every shove, with its number
        self.said = ""  # the shove just made, in words
        self.good = True  # nothing has gone wrong in this turn
        self.old_question = NO_QUESTION

    # One turn

    def turn(self) -> None:
        """A whole turn, from a bare board to a bare board."""
        self.tally.turns += 1
        self.good = True
        self.begin_match()
        who = next_shover(self.style, self.rng, self.table.physics)
        for _ in range(SHOVES_MAX):
            if not self.may_shove():
                break
            self.shove(who)
            if not self.good:
                break
            self.tidy()
        self.end()

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
        return not state.old and state.winner < 0 and state.shoves > 0 and self.table.in_hand() > 0

    def shove(self, who: Shover) -> None:
        """One shove until the board has said what came of it."""
        aim = who.shove(self.table.rests())
        self.before(self.tally.shoves)
        self.make(aim)
        self.pause()

    def make(self, aim: Shove) -> None:
        """Makes a shove and compares what the board records of it with what happened."""
        board, table = self.board, self.table
        last = board.app.journal.last_seq
        which = table.free_disc()
        self.tally.shoves += 1
        self.said = (f"x {aim.x_mm:.2f} mm, {aim.speed_m_s:.4f} m/s, {aim.direction_deg:.2f} degrees, "
                     f"over {[(round(d.x_mm, 1), round(d.y_mm, 1)) for d in table.lying]}")  # fmt: skip
        table.shove(aim.x_mm, aim.speed_m_s, float(np.radians(aim.direction_deg)), aim.spin_rad_s)
        if not self.settle():
            return
        self.answer(shoved=True)
        self.compare_shove(last, which)
        self.look()

    def settle(self) -> bool:
        """Until all is at rest and the board has seen it; False, a fault, if it never does."""
        board = self.board
        board.until(lambda: not self.table.acts, SLIDE_S)
        if board.until(lambda: board.at_rest, HUNG_S):
            board.advance(QUIET_S)
            if board.until(lambda: board.at_rest, HUNG_S):
                return True
        self.fault("hung")
        return False

    def compare_shove(self, last: int, which: int) -> None:
        """Was the shove of disc `which` recorded once, and are the discs who they are?"""
        records = [event for event in self.board.recorded(last) if event[0] in RECORDS]
        mine = [disc for disc in self.table.lying if disc.which == which]
        if not records:
            if mine and mine[0].y_mm < PLAYED_MM:
                self.tally.false_starts += 1
                self.good = False
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
        tally.faults.append(Fault(tally.turns - 1, tally.shoves - 1, kind, count, what))
        self.good = self.good and not stop

    def pause(self) -> None:
        self.board.advance(float(self.rng.uniform(*PAUSE_S)))

    # Between shoves

    def tidy(self) -> None:
        """Dead discs come off, and a short one comes back to the hand where it may."""
        board, state = self.board, self.board.game.state
        short = bool(board.game.asks() & ASK_RETAKE) and bool(self.names.which)
        last = self.names.which[-1] if short else -1
        for disc in [d for d in self.table.lying if d.which not in self.names.which]:
            self.take_off(disc.which)
        if short and state.shoves:
            self.take_off(last)
        self.names.keep(board.game.state, self.table.lying)

    def take_off(self, which: int) -> None:
        """A hand takes a disc off, and the board sees that it has gone."""
        self.table.take_off([d.which for d in self.table.lying].index(which))
        if self.settle():
            self.answer()

    # Questions

    def answer(self, shoved: bool = False) -> None:
        """Answers what the board asks as somebody does who has seen all; `shoved`: what happened was a shove."""
        scorer = self.board.app.scorer
        for _ in range(ANSWERS_MAX):
            if scorer.question == NO_QUESTION:
                return
            self.tally.questions += 1
            if scorer.question == WHO_MOVED:
                scorer.answer(SHOVED if shoved else UNTOUCHED)
            elif scorer.question == DECIDE:
                scorer.answer(self.decided())
            else:
                return
            shoved = False
            self.board.advance(0.05)

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

    def end(self) -> None:
        """The score is taken, the discs are taken off; whatever went wrong, the board is bare and at rest then."""
        board = self.board
        if self.good:
            self.answer()
            if board.game.asks() & (ASK_RECORD | ASK_DECIDE) and not board.game.state.shoves:
                board.app.scorer.next()
        self.table.clear()
        if not self.settle() and not self.restart():
            return
        self.answer()
        if self.good and board.seen():
            self.fault("ghosts", len(board.seen()))
        if board.game.asks() & ASK_CHOOSE or board.seen():
            self.good = False
            self.restart()
        self.truth.forget()
        self.names = Names()
        self.pause()

    def restart(self) -> bool:
        """People switch the board off and on; whether it is at rest then."""
        self.board.power_up()
        return self.board.until(lambda: self.board.at_rest, HUNG_S)


def where(places: list[tuple]) -> str:
    """Places in words, the furthest first."""
    return " ".join(f"({p[0]:.1f}, {p[1]:.1f})" for p in sorted(places, key=lambda p: -p[1])) or "nothing"
