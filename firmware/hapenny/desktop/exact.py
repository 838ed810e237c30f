"""The exact bytes of a state: equal states, equal bytes. For tests, benches and comparisons."""

# Everything a match is, in the order of its bytes.
FIELDS = (
    "players", "opts", "handicaps", "given",
    "order", "seat", "shoves", "played", "started", "discs", "old", "retake", "badged", "saved", "missed", "offended",
    "groups", "shots", "nines", "owners", "offenders", "places", "limit",
    "marks", "targets", "points", "copies", "queue", "thrower", "out", "winner", "plays", "turn_no", "last_side",
    "playing", "quota",
)  # fmt: skip


def live(state):
    """The bytes of everything but the ledger."""
    out = bytearray()
    for name in FIELDS:
        pack(out, getattr(state, name))
    return bytes(out)


def whole(state):
    """The bytes of the whole state."""
    out = bytearray(live(state))
    pack(out, list(state.ledger.items()))
    return bytes(out)


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
