"""The state of a match: plain numbers in named places."""

from hapenny.rules.roll import Roll

# Everything a match is, in the order of its bytes. First what was agreed, then the flow of play, then the order of
# play, then the book (what `score` folds out of the ledger).
FIELDS = (
    "players", "opts", "handicaps", "given",
    "order", "seat", "shoves", "played", "started", "discs", "old", "retake", "badged", "saved", "missed", "offended",
    "groups", "shots", "nines", "owners", "offenders", "places", "limit",
    "marks", "targets", "points", "copies", "queue", "thrower", "out", "winner", "plays", "turn_no", "last_side",
    "playing", "quota",
)  # fmt: skip


class State:
    """One match. Change it only by events (`game.Game.do`)."""

    def __init__(self):
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
        self.playing = self.quota = 0  # in a timed game: sides that still contest it, turns they have
        self.ledger = Roll()  # every entry that ever scored, see `score`

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
        """Whether all is shoved and the score is not yet recorded."""
        return self.shoves == 0 and self.played == 1 and not self.queue

    def player(self):
        """The number of the player in turn, -1 after a win."""
        side = self.turn
        if side < 0:
            return -1
        return side * 2 + self.plays[side] % self.players[side]

    def is_in(self, side):
        return not self.out >> side & 1

    def snapshot(self):
        """Everything but the ledger, for `restore`."""
        return [copied(getattr(self, name)) for name in FIELDS]

    def restore(self, values):
        """Take everything but the ledger from a snapshot."""
        for i, name in enumerate(FIELDS):
            setattr(self, name, copied(values[i]))

    def pack(self):
        """The bytes of the whole state: equal states, equal bytes."""
        from hapenny.rules import exact

        return exact.whole(self)


def copied(value):
    """A copy of whatever is changed in place."""
    if isinstance(value, list):
        return value[:]
    return bytearray(value) if isinstance(value, bytearray) else value
