"""The framing and the message table."""

import pytest
from hapenny.desktop import agree
from hapenny.link import messages
from hapenny.link.messages import DATA, FROM_BOARD, FROM_HOST, INT, INTS, MAX_DATA, MAX_INT, MAX_LINE, TEXT, Lines
from hapenny.rules import events
from hypothesis import given
from hypothesis import strategies as st

VALUES = {
    INT: st.integers(-MAX_INT, MAX_INT),
    TEXT: st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=12),
    DATA: st.binary(max_size=MAX_DATA),
    INTS: st.lists(st.integers(-99999, 99999), max_size=8),
}
NAMES = [(table, name) for table in (FROM_BOARD, FROM_HOST) for name in table]


@st.composite
def sent(draw):
    table, name = draw(st.sampled_from(NAMES))
    fields = {key.rstrip("?"): draw(VALUES[kind]) for key, kind in table[name].items()}
    return table, name, fields


@given(sent())
def test_what_is_packed_comes_out_again(message):
    """Whatever fits a line survives the wire, whole."""
    table, name, fields = message
    try:
        line = messages.pack(table, name, fields)
    except ValueError:
        return  # longer than a line
    assert len(line) <= MAX_LINE and line.endswith(b"\n") and line.count(b"\n") == 1
    assert messages.unpack(table, line[:-1]) == {"m": name, **fields}


@given(sent(), st.data())
def test_no_single_flipped_bit_passes(message, data):
    """A line with one bit wrong is never taken for a message."""
    table, name, fields = message
    try:
        line = messages.pack(table, name, fields)[:-1]
    except ValueError:
        return
    bit = data.draw(st.integers(0, len(line) * 8 - 1))
    broken = bytearray(line)
    broken[bit // 8] ^= 1 << bit % 8
    got = messages.unpack(table, bytes(broken))
    assert got is None or got == messages.unpack(table, line)  # "a" and "A" in the checksum are the same number


@given(st.binary(max_size=400))
def test_garbage_is_nobodys_message(data):
    """Random bytes are cut and read without a fault, and mean nothing."""
    for line in Lines().feed(data + b"\n"):
        assert messages.unpack(FROM_BOARD, line) is None
        assert messages.unpack(FROM_HOST, line) is None


@given(st.lists(st.binary(max_size=60), max_size=8), st.lists(st.integers(1, 30), max_size=20))
def test_lines_come_out_however_the_stream_is_cut(lines, cuts):
    """The cut of the stream into reads makes no difference to the lines."""
    clean = [line.replace(b"\n", b".").replace(b"\r", b".") for line in lines]
    stream = b"".join(line + b"\n" for line in clean)
    cutter, got = Lines(), []
    for cut in cuts + [len(stream)]:
        got += cutter.feed(stream[:cut])
        stream = stream[cut:]
    assert got == clean


def test_a_line_without_end_does_not_fill_the_memory():
    """A stream without newlines is kept no longer than a line."""
    cutter = Lines()
    for _ in range(100):
        cutter.feed(b"x" * 100)
    assert len(cutter.rest) <= MAX_LINE


@pytest.mark.parametrize(
    "fields",
    [{}, {"seq": 1}, {"boot": 1, "seq": "1"}, {"boot": 1, "seq": True}, {"boot": 1, "seq": MAX_INT + 1},
     {"boot": 1, "seq": 1, "more": 2}, {"boot": 1.5, "seq": 1}],
)  # fmt: skip
def test_what_is_not_in_the_table_is_not_sent(fields):
    """A field missing, unknown, of the wrong kind or too big for the board is refused where it is made."""
    with pytest.raises(ValueError, match="ack"):
        messages.pack(FROM_HOST, "ack", fields)


def test_fields_of_a_newer_sender_are_dropped():
    """A known message with an unknown field is understood without it; an unknown message is nothing."""
    newer = {"ack": {**FROM_HOST["ack"], "hue": INT}, "sing": {"song": TEXT}}
    line = messages.pack(newer, "ack", {"boot": 1, "seq": 2, "hue": 3})
    assert messages.unpack(FROM_HOST, line[:-1]) == {"m": "ack", "boot": 1, "seq": 2}
    assert messages.unpack(FROM_HOST, messages.pack(newer, "sing", {"song": "x"})[:-1]) is None


def test_a_whole_rules_event_fits_a_line_each_way():
    """The longest event data fits `event` and `command` with the longest numbers that occur."""
    data = bytes(range(MAX_DATA))
    messages.pack(FROM_BOARD, "event", {"boot": MAX_INT, "seq": MAX_INT, "e": data})
    messages.pack(FROM_HOST, "command", {"id": 1 << 21, "do": "event", "e": data})


def test_the_longest_start_of_a_match_fits():
    """Eight pairs with marks already up: the longest event that a person can enter."""
    event = agree.start("pub", (2,) * 8, {"target": 9}, [0] * 8, {side: [8] * 9 for side in range(8)})
    assert len(events.encode(event)) <= MAX_DATA


def test_no_line_holds_what_a_terminal_acts_upon():
    """Ctrl-C in a text would stop MicroPython: it never reaches the wire as it is."""
    line = messages.pack(FROM_BOARD, "log", {"level": "info", "text": "\x03\x7f"})
    assert messages.printable(line[:-1]) and not messages.printable(b"\x03")
    assert messages.plain('a"\x03\\é' + "b" * 9, 8) == "a????bbb"
