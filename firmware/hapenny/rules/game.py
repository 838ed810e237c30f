"""A match as it is played: events in, outcomes out, and exact undo. The engine's front door."""

from hapenny.rules import darts, events, geometry, lying, order, penalty, score, setup, shove
from hapenny.rules.roll import Roll
from hapenny.rules.state import State, waiting

# what a match may be waiting for
ASK_CLEAR, ASK_RECORD, ASK_RETAKE, ASK_DECIDE, ASK_CHOOSE, ASK_GIVE, ASK_NINE, ASK_PLACE = 1, 2, 4, 8, 16, 32, 64, 128

CHECK_EVENTS = 24  # so many are played again at most twice for an undo
ASIDE = (events.START, events.UNDO, events.POWER_CUT)  # not played as others are
AFTER_THE_END = (events.CLEAR, events.UNDO, events.OVERRULE, events.CORRECT, events.POWER_CUT)
UNTOLD = []  # the verdicts of an outcome whose event listed no discs


class Outcome:
    """What one event led to; `refused` is '' or a code, and then nothing changed."""

    refused = ""
    verdicts = UNTOLD  # per disc listed, those that died in this step included
    badges = ()
    void = False
    coded = b""  # the bytes of a move of the match (`events.body`)
    given = b""  # side * 9 + bed of every mark that others got

    # For hosts

    @property
    def last(self):
        """(number, verdict) of the disc just shoved, None if none was."""
        if not self.coded or self.coded[0] not in (events.SHOVE, events.NINE):
            return None
        gone = self.coded[-1]
        return (0, geometry.OFF) if gone else (len(self.verdicts), self.verdicts[-1])

    def extras(self, side):
        """How many marks a side got from others in each bed."""
        return [self.given.count(bytes((side * 9 + bed,))) for bed in range(9)]


class Game:
    """One board's match. `state` is to be read; only `do` changes it."""

    def __init__(self):
        self.state = State()
        self.tape = Roll()  # the bytes of every event that stands: not refused, not undone
        self.checks = []  # (place on the tape, snapshot, length of the ledger), the last two

    def do(self, event):
        """Apply `event` to the match. Returns its Outcome."""
        out = Outcome()
        if event[0] in ASIDE:
            code = self.aside(event, out)
        else:
            code = self.play(event, out)
        if code:
            out.refused = code
        if code or out.verdicts is UNTOLD:
            discs = self.state.discs
            out.verdicts = lying.verdicts(self.state, discs) if discs else []
        return out

    def aside(self, event, out):
        """What is no move of the match in play."""
        if event[0] == events.START:
            return self.start(event)
        if event[0] == events.POWER_CUT:
            return ""
        return self.undo() if self.tape.count else "not_allowed"

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
        state, tape, checks = self.state, self.tape, self.checks
        if not tape.count:
            return "not_allowed"
        check = None
        if not checks or tape.count >= checks[-1][0] + CHECK_EVENTS:
            check = (tape.count, state.snapshot(), state.ledger.count)
            state.ledger.least = state.ledger.count
        code = apply(state, event, out)
        if code:
            return code
        out.coded = out.coded or events.body(event)
        tape.append(out.coded)
        if check:
            checks = self.checks = checks[-1:] + [check]
        while checks and checks[-1][2] > state.ledger.least:  # it is not what it was
            checks.pop()
        return ""

    def undo(self):
        """Take back the last event that stands, with all it caused."""
        if self.tape.count < 2:
            return "nothing_to_undo"
        self.tape.pop()
        while self.checks and self.checks[-1][0] > self.tape.count:
            self.checks.pop()
        if self.checks:
            place, values, ledger = self.checks[-1]
            self.state.restore(values)
            self.state.ledger.cut(ledger)
        else:
            place = 1
            first = self.tape.read(1, self.tape.read(0, 1)[0])
            self.state = begin(events.parse(first, len(first)))
        for line in self.tape.items(place):
            apply(self.state, events.parse(line, len(line)), Outcome())
        return ""

    def asks(self):
        """What is being waited for, as ASK_ bits."""
        state = self.state
        bits = 0
        if (state.old or state.winner >= 0) and state.discs:
            bits |= ASK_CLEAR
        if state.winner >= 0 or not state.players:
            return bits
        if waiting(state):
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
    state.missed = bytearray(len(state.players))
    score.open_book(state)
    order.open_order(state)
    return state


def apply(state, event, out):
    """Fold one event into `state`. Returns '' or the code with which it is refused, `state` then unchanged."""
    kind = event[0]
    handler = HANDLERS.get(kind)
    if handler is None:
        return "not_allowed"
    if kind in events.BY_PLAYER and event[1] >= 0:
        side = event[1] // 2
        if side >= len(state.players) or event[1] % 2 >= state.players[side]:
            return "unknown_side"
    if state.winner >= 0 and kind not in AFTER_THE_END:
        return "game_over"
    return handler(state, event, out)


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
