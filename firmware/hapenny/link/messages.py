"""The wire: the one table of messages and their framing, for both ends of the link.

A line is `JSON*xxxxxxxx\\n`: one ASCII JSON object, the CRC32 of its bytes in eight hex digits, a newline.
Runs unchanged on MicroPython and CPython; docs/link.md tells who sends what, and when.
"""

import binascii
import json

PROTOCOL = 1
MAX_LINE = 200  # bytes with the newline: the board's USB receive ring is 512
MAX_DATA = 99  # bytes of an encoded rules event before base64
MAX_INT = 0x3FFFFFFF  # beyond this MicroPython allocates a big integer

# Kinds of a field: an int, a short text, bytes in base64, a list of ints. An optional field ends in "?".
INT = "int"
TEXT = "text"
DATA = "data"
INTS = "ints"

# What the board sends.
FROM_BOARD = {
    "hello": {
        "p": INT,  # protocol version
        "fw": TEXT,
        "board": TEXT,
        "boot": INT,
        "lay": TEXT,  # CRC of the layout
        "cal": TEXT,  # CRC of the calibration
        "log": INT,  # id of the journal, made when the journal was
        "first": INT,  # oldest journal sequence still held
        "last": INT,  # newest
        "re": INT,  # nonce of the host's hello answered; 0: nobody asked
    },
    "refuse": {"p": INT, "text": TEXT},
    "beat": {"n": INT, "first": INT, "last": INT, "ms": INT},
    "event": {"boot": INT, "seq": INT, "e": DATA},
    "result": {"id": INT, "code": TEXT},
    "status": {"rev": INT, "n": INT, "state": TEXT, "health": TEXT},
    "disc": {"rev": INT, "i": INT, "x": INT, "y": INT, "v": TEXT, "margin": INT, "se": INT, "flags": INT},
    "discs": {"ms": INT, "p": INTS},
    "evidence": {
        "seq": INT,
        "i": INT,
        "of": INT,
        "x": INT,
        "y": INT,
        "v": TEXT,
        "margin": INT,
        "se": INT,
        "chi2": INT,
        "flags": INT,
    },
    "frame": {"n": INT, "at": INT, "of": INT, "passes": INT, "d": DATA},  # a piece of a reading: sensing/calibrating.py
    "log": {"level": TEXT, "text": TEXT},
}

# What the host sends.
FROM_HOST = {
    "hello": {"p": INT, "host": TEXT, "nonce": INT, "to": INT},
    "credit": {"to": INT, "want": INT, "rev": INT},
    "ack": {"boot": INT, "seq": INT},
    "from": {"seq": INT},
    "command": {"id": INT, "do": TEXT, "e?": DATA},
}


def fits(value, kind):
    """Whether a decoded JSON value is of the kind that the table asks for."""
    if kind == INT:
        return type(value) is int and -MAX_INT <= value <= MAX_INT
    if kind == INTS:
        return type(value) is list and all(fits(item, INT) for item in value)
    if kind == DATA:
        return isinstance(value, (bytes, bytearray))
    return type(value) is str


def pack(table, name, fields):
    """One line for the wire. ValueError if the message is not in the table, a field is wrong or the line too long."""
    kinds = table[name] if name in table else None
    if kinds is None or not complete(fields, kinds):
        raise ValueError("message %s with wrong fields" % name)
    return line(name, fields)


def line(name, fields):
    """The same for a sender that knows its messages: without a look at the table. ValueError as for `pack`."""
    out = {"m": name}
    for key in fields:
        value = fields[key]
        data = isinstance(value, (bytes, bytearray))
        out[key] = binascii.b2a_base64(bytes(value)).strip().decode() if data else value
    body = json.dumps(out, separators=(",", ":")).encode()
    whole = body + b"*%08x\n" % binascii.crc32(body)
    if len(whole) > MAX_LINE:
        raise ValueError("message %s is too long" % name)
    if not printable(body):
        raise ValueError("message %s is not ASCII" % name)
    return whole


def complete(fields, kinds):
    """Whether every field asked for is there and of its kind, and none is unknown."""
    known = 0
    for key in kinds:
        name = key[:-1] if key[-1] == "?" else key
        if name in fields:
            known += 1
            if not fits(fields[name], kinds[key]):
                return False
        elif key[-1] != "?":
            return False
    return known == len(fields)


def unpack(table, line):
    """The fields of one line with its name under "m", or None where it is not a whole, known, well-formed message.

    `line` comes without its newline. Fields beyond the table are dropped: a newer sender may add some.
    """
    if not 11 <= len(line) < MAX_LINE or line[-9] != 42:  # 42 = "*"
        return None
    body = line[:-9]
    try:
        if int(line[-8:], 16) != binascii.crc32(body):
            return None
        found = json.loads(body)
    except (ValueError, RuntimeError):  # RuntimeError: nested too deeply
        return None
    if type(found) is not dict or type(found.get("m")) is not str:
        return None
    return picked(table.get(found["m"]), found)


def picked(kinds, found):
    """The message's own fields out of a decoded object, or None where one is missing or of a wrong kind."""
    if kinds is None:
        return None
    out = {"m": found["m"]}
    for key in kinds:
        name = key[:-1] if key[-1] == "?" else key
        value = found.get(name)
        if kinds[key] == DATA:
            value = from_base64(value)
        if fits(value, kinds[key]):
            out[name] = value
        elif name == key or name in found:
            return None
    return out


def from_base64(text):
    """The bytes of a base64 text, or None where it is none or too long."""
    if type(text) is not str or len(text) > MAX_DATA * 4 // 3:
        return None
    try:
        data = binascii.a2b_base64(text)
    except ValueError:
        return None
    return data if binascii.b2a_base64(data).strip() == text.encode() else None


def printable(body):
    """Whether all bytes are printable ASCII: nothing a terminal, or MicroPython's Ctrl-C, would act upon."""
    for byte in body:
        if not 32 <= byte < 127:
            return False
    return True


def plain(text, most):
    """A text cut to `most` characters, with whatever is not printable ASCII, or needs escaping, turned into '?'."""
    return "".join(c if " " <= c <= "~" and c not in '"\\' else "?" for c in text[:most])


class Lines:
    """Cuts a stream of bytes into lines; what is longer than a line comes in pieces, so memory stays bounded."""

    def __init__(self):
        self.rest = b""

    def feed(self, data):
        """The lines completed by these bytes, without their newlines."""
        pieces = (self.rest + data).split(b"\n")
        self.rest = pieces.pop()
        while len(self.rest) > MAX_LINE:
            pieces.append(self.rest[:MAX_LINE])
            self.rest = self.rest[MAX_LINE:]
        return [piece[:-1] if piece[-1:] == b"\r" else piece for piece in pieces]
