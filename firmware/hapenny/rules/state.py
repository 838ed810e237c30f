"""The state of a match: plain numbers in named places, and their exact bytes."""

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

    def live(self):
        """The bytes of everything but the ledger."""
        out = bytearray()
        for name in FIELDS:
            pack(out, getattr(self, name))
        return bytes(out)

    def pack(self):
        """The bytes of the whole state: equal states, equal bytes."""
        out = bytearray(self.live())
        pack(out, list(self.ledger.items()))
        return bytes(out)

    def restore(self, live):
        """Take everything but the ledger from the bytes of `live`."""
        at = [0]
        for name in FIELDS:
            setattr(self, name, unpack(live, at))


def pack(out, value):
    """Append the bytes of an int, None, bytes, bytearray, list or tuple of such."""
    if value is None:
        out.append(0)
    elif isinstance(value, int):
        out.append(1)
        number = value * 2 if value >= 0 else -value * 2 - 1
        pack_count(out, number)
    elif isinstance(value, (bytes, bytearray)):
        out.append(3 if isinstance(value, bytearray) else 2)
        pack_count(out, len(value))
        out.extend(value)
    else:
        out.append(5 if isinstance(value, tuple) else 4)
        pack_count(out, len(value))
        for item in value:
            pack(out, item)


def pack_count(out, number):
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)


def unpack(data, at):
    """The value whose bytes begin at `at[0]`, which moves on behind it."""
    tag = data[at[0]]
    at[0] += 1
    if tag == 0:
        return None
    count = unpack_count(data, at)
    if tag == 1:
        return -(count + 1) // 2 if count & 1 else count // 2
    if tag < 4:
        start = at[0]
        at[0] += count
        return bytes(data[start : at[0]]) if tag == 2 else bytearray(data[start : at[0]])
    items = [unpack(data, at) for _ in range(count)]
    return tuple(items) if tag == 5 else items


def unpack_count(data, at):
    number, shift = 0, 0
    while True:
        byte = data[at[0]]
        at[0] += 1
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            return number
