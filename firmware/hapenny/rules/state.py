"""The state of a match: plain numbers in named places."""

from hapenny.rules.roll import Roll

CHANGED_IN_PLACE = (list, bytearray)
APART = ("ledger", "seen")  # not in a snapshot


class State:
    """One match. Change it only by events (`game.Game.do`)."""

    # at hand only: a list that was `discs`, how an event listed it, its verdicts, the event's bytes (`shove.joined`)
    seen = (None, (), [], None)

    def __init__(self):
        # what was agreed, the flow of play, the order of play, the book (what `score` folds out of the ledger)
        self.players = b""  # players per side
        self.opts = bytearray()
        self.handicaps = b""  # per side 128 + handicap, 128 - plus
        self.given = b""  # marks up before the start, packed
        self.order = []  # sides in order of play
        self.seat = -1  # the side whose turn is in play, also under a referee's early end
        self.shoves = 0
        self.played = 0  # something was shoved in this turn and it is not recorded
        self.started = 0
        self.discs = []  # (x, y, flags, on, decision) of every disc lying
        self.old = 0  # the discs belong to a turn that is over (2: to the order of play)
        self.retake = 0
        self.badged = 0
        self.saved = None  # the discs as they lay before an interference
        self.missed = bytearray()  # turns a side still has to miss
        self.offended = 0  # sides that played out of turn during this one
        self.groups = []  # places by the shove for order: equals share a group
        self.shots = []  # by side: offence, how it lies, how far from the middle of bed 9
        self.nines = 0  # shoves (throws) for order so far
        self.owners = []  # whose disc each is, in the shove for order
        self.offenders = 0  # sides that struck a disc
        self.places = []  # the placing, once known
        self.limit = 0  # the last place that the best may choose
        self.marks = bytearray()
        self.targets = bytearray()
        self.points = []
        self.copies = bytearray()  # extras each side may still claim
        self.queue = []  # beds of extras that wait for the thrower's word
        self.thrower = self.winner = self.last_side = -1
        self.out = 0  # sides that damped the board
        self.plays = []  # turns each side has had, missed ones too
        self.turn_no = 0
        self.playing = self.quota = 0  # sides that still contest the match, turns they have (0: until won)
        self.ledger = Roll()  # every entry that ever scored, see `score`

    # For hosts. A board does without: where a class has properties, every store to an attribute takes 10 us more.

    @property
    def sides(self):
        return len(self.players)

    @property
    def placing(self):
        """Whether the order of play is still being shoved for."""
        return len(self.groups) > 0

    @property
    def turn(self):
        """The side in turn, -1 after a win."""
        return -1 if self.winner >= 0 else self.seat

    @property
    def shoves_left(self):
        return 0 if self.winner >= 0 else self.shoves

    @property
    def waiting(self):
        return waiting(self)

    # For all

    def player(self):
        """The number of the player in turn, -1 after a win."""
        side = self.seat
        if side < 0 or self.winner >= 0:
            return -1
        return side * 2 + self.plays[side] % self.players[side]

    def is_in(self, side):
        return not self.out >> side & 1

    def snapshot(self):
        """Everything but the ledger, for `restore`."""
        return copied(self.__dict__)

    def restore(self, values):
        """Take everything but the ledger from a snapshot."""
        values = copied(values)
        for name in values:
            setattr(self, name, values[name])


def waiting(state):
    """Whether all is shoved and the score is not yet recorded."""
    return state.shoves == 0 and state.played == 1 and not state.queue


def copied(values):
    """A copy of a snapshot, and of all in it that is changed in place."""
    found = values.copy()
    for name in APART:
        found.pop(name, None)
    for name in found:
        if type(found[name]) in CHANGED_IN_PLACE:
            found[name] = found[name][:]
    return found
