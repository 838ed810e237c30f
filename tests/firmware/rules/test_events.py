"""Events: a few bytes there and back, and damage is refused, never misread."""

import pytest
from hapenny.desktop import agree
from hapenny.rules import events
from hypothesis import given
from hypothesis import strategies as st
from random_events import anything


@given(anything)
def test_every_event_comes_back_as_it_was(event):
    assert events.decode(events.encode(event)) == event


@given(anything, st.data())
def test_truncated_or_lengthened_events_are_refused(event, data):
    line = events.encode(event)
    cut = data.draw(st.integers(0, len(line) - 1))
    for damaged in (line[:cut], line + b"\x00", line + line[:cut] + b"\xff"):
        with pytest.raises(ValueError):
            events.decode(damaged)


@given(anything, st.data())
def test_one_or_two_flipped_bits_or_a_spoiled_byte_are_refused(event, data):
    line = bytearray(events.encode(event))
    place = data.draw(st.integers(0, len(line) - 1))
    spoiled = bytearray(line)
    spoiled[place] ^= data.draw(st.integers(1, 255))
    bits = data.draw(st.lists(st.integers(0, 8 * len(line) - 1), min_size=1, max_size=2, unique=True))
    for bit in bits:
        line[bit // 8] ^= 1 << bit % 8
    for damaged in (spoiled, line):
        with pytest.raises(ValueError):
            events.decode(damaged)


@given(st.binary(max_size=60))
def test_noise_raises_value_error_and_nothing_else(noise):
    try:
        event = events.decode(noise)
    except ValueError:
        return
    assert events.encode(event)


def test_a_shove_takes_a_few_bytes():
    assert len(events.encode(events.shove([(1000, 2000)]))) == 13
    assert len(events.encode(events.shove([(n * 2600, 2000) for n in range(5)]))) == 29
    assert len(events.encode(events.clear())) == 5


def test_the_longest_start_fits_a_line_of_the_wire():
    longest = agree.start(
        "pub", [2] * 8, {"order": "given"}, [-1] * 8, {side: [3] * 8 + [2] for side in range(8)}, explicit=True
    )
    assert len(events.encode(longest)) <= 92


def test_numbers_out_of_range_are_refused_by_encode():
    for event in (events.shove([(-1, 0)]), events.shove([(0, 70000)]), events.shove([(0, 0)] * 16), (6, 1)):
        with pytest.raises(ValueError):
            events.encode(event)


@pytest.mark.parametrize("hit", ["0", "21", "D0", "T21", "X7", "", "D", "07", "bulls", "7 ", "-7"])
def test_darts_that_do_not_exist_are_refused(hit):
    with pytest.raises(ValueError):
        events.dart(hit)
