"""A match as it is played: events in, outcomes out, and exact undo. The engine's front door."""

from hapenny.rules import darts, events, lying, order, penalty, score, setup, shove
from hapenny.rules.roll import Roll
from hapenny.rules.state import State

# what a match may be waiting for
ASK_CLEAR, ASK_RECORD, ASK_RETAKE, ASK_DECIDE, ASK_CHOOSE, ASK_GIVE, ASK_NINE, ASK_PLACE = 1, 2, 4, 8, 16, 32, 64, 128

# these may rewrite entries of the ledger, of which a check only keeps the number
REWRITERS = (events.CORRECT, events.OVERRULE, events.DAMP, events.OPTIONS)
AFTER_THE_END = (events.CLEAR, events.UNDO, events.OVERRULE, events.CORRECT, events.POWER_CUT)
UNTOLD = []  # the verdicts of an outcome whose event listed no discs


class Outcome:
    """What one event led to; `refused` is '' or a code, and then nothing changed."""

    def __init__(self, sides):
        self.refused = ""
        self.verdicts = UNTOLD  # per disc listed, those that died in this step included
        self.last = None  # (number, verdict) of the disc just shoved
        self.extras = bytearray(sides * 9)
        self.badges = []
        self.void = False


class Game:
    """One board's match. `state` is to be read; only `do` changes it."""

    def __init__(self):
        self.state = State()
        self.tape = Roll()  # the bytes of every event that stands: not refused, not undone
        self.checks = []  # (place on the tape, snapshot, length of the ledger, turn) at the last beginnings of turns

    def do(self, event):
        """Apply `event` to the match. Returns its Outcome."""
        out = Outcome(self.state.sides)
        kind = event[0]
        if kind == events.START:
            out.refused = self.start(event)
            out.extras = bytearray(self.state.sides * 9)
        elif kind == events.POWER_CUT:
            pass
        elif not len(self.tape):
            out.refused = "not_allowed"
        elif kind == events.UNDO:
            out.refused = self.undo()
        else:
            out.refused = self.play(event, out)
        if out.verdicts is UNTOLD or out.refused:
            out.verdicts = lying.verdicts(self.state, self.state.discs)
        return out

    def start(self, event):
        """A new match; the old one is forgotten."""
        if setup.problem(event[1], event[2], event[3], event[4]):
            return "not_allowed"
        self.state = begin(event)
        self.tape.cut(0)
        self.tape.append(events.body(event))
        self.checks = []
        return ""

    def play(self, event, out):
        check = None
        if not self.checks or self.checks[-1][3] != self.state.turn_no:
            check = (len(self.tape), self.state.snapshot(), len(self.state.ledger), self.state.turn_no)
        code = apply(self.state, event, out)
        if code:
            return code
        if check:
            self.checks = self.checks[-1:] + [check]
        self.tape.append(events.body(event))
        if event[0] in REWRITERS:
            self.checks = []
        return ""

    def undo(self):
        """Take back the last event that stands, with all it caused."""
        if len(self.tape) < 2:
            return "nothing_to_undo"
        self.tape.pop()
        while self.checks and self.checks[-1][0] > len(self.tape):
            self.checks.pop()
        if self.checks:
            place, values, ledger, _ = self.checks[-1]
            self.state.restore(values)
            self.state.ledger.cut(ledger)
        else:
            place = 1
            first = self.tape.read(1, self.tape.read(0, 1)[0])
            self.state = begin(events.parse(first, len(first)))
        for line in self.tape.items(place):
            apply(self.state, events.parse(line, len(line)), Outcome(self.state.sides))
        return ""

    def asks(self):
        """What is being waited for, as ASK_ bits."""
        state = self.state
        bits = 0
        if (state.old or state.winner >= 0) and state.discs:
            bits |= ASK_CLEAR
        if state.winner >= 0 or not state.sides:
            return bits
        if state.waiting:
            bits |= ASK_RECORD if state.opts[setup.RECORD] else 0
            bits |= ASK_DECIDE if self.undecided() else 0
        bits |= ASK_RETAKE if state.retake else 0
        bits |= ASK_CHOOSE if state.saved is not None else 0
        bits |= ASK_GIVE if state.queue else 0
        bits |= ASK_NINE if state.groups else 0
        bits |= ASK_PLACE if state.places and not state.started else 0
        return bits

    def undecided(self):
        """Numbers of the discs that a person may decide."""
        if self.state.old:
            return []
        words = lying.verdicts(self.state, self.state.discs)
        return [i + 1 for i in lying.undecided(self.state, words)]


def begin(event):
    """The state at the start of a match."""
    state = State()
    state.players, state.handicaps, state.given = event[1], event[3], event[4]
    state.opts = bytearray(event[2])
    state.missed = bytearray(state.sides)
    score.open_book(state)
    order.open_order(state)
    return state


def apply(state, event, out):
    """Fold one event into `state`. Returns '' or the code with which it is refused, `state` then unchanged."""
    kind = event[0]
    if kind not in HANDLERS:
        return "not_allowed"
    if events.SHAPES[kind][:1] == "p" and event[1] >= 0:
        side = event[1] // 2
        if side >= state.sides or event[1] % 2 >= state.players[side]:
            return "unknown_side"
    if state.winner >= 0 and kind not in AFTER_THE_END:
        return "game_over"
    return HANDLERS[kind](state, event, out)


def agree(state, event, _out):
    """Options change, which only goes before the first shove."""
    if state.started:
        return "locked"
    opts = bytearray(state.opts)
    pairs = event[1]
    if len(pairs) % 2 or any([pairs[i] >= len(opts) or pairs[i] == setup.PRESET for i in range(0, len(pairs), 2)]):
        return "not_allowed"
    setup.change(opts, pairs)
    if setup.problem(state.players, opts, state.handicaps, state.given):
        return "not_allowed"
    reorder = opts[setup.ORDER] != state.opts[setup.ORDER]
    state.opts = opts
    score.rejudge(state)
    if reorder:
        order.open_order(state)
    elif not state.groups:
        state.shoves = opts[setup.SHOVES]
    return ""


HANDLERS = {
    events.SHOVE: shove.shove, events.ATTEMPT: shove.attempt, events.RETAKE: shove.retake, events.CLEAR: shove.clear,
    events.RECORD: shove.record, events.DECIDE: shove.decide, events.TOUCH: penalty.touch, events.DAMP: penalty.damp,
    events.INTERFERE: penalty.interfere, events.CHOOSE: penalty.choose, events.CLAIM: penalty.claim,
    events.GIVE: penalty.give, events.OVERRULE: penalty.overrule, events.CORRECT: penalty.correct,
    events.OPTIONS: agree, events.NINE: order.nine, events.DART: darts.dart,
}  # fmt: skip
