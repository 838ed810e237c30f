"""Power cuts on the emulated RP2040: the journal on MicroPython's littlefs, cut at random instants while it writes."""

import ast
import os
import random
import re

import pytest
from emulator import board_with
from hapenny.desktop import agree
from hapenny.rules import events
from hapenny.rules.game import Game

pytestmark = [pytest.mark.xdist_group("emulated"), pytest.mark.slow]
CUTS = int(os.environ.get("HAPENNY_CUTS", "5"))  # random instants; the match has events for 20 or so
MIDDLE = [10160 + 3175 * bed + 1587 for bed in range(9)]

PROGRAM = """
import binascii, time
time.sleep_ms(20)
from hapenny.keeping.journal import Journal
EVENTS = {events!r}
journal = Journal("journal")
for _, data in journal.match_events():
    print("HAS", binascii.hexlify(data).decode(), "END")
print("WOKE", (journal.last_seq, journal.trouble), "END")
while journal.last_seq < len(EVENTS):
    if not journal.last_seq:
        journal.begin_match()
    seq = journal.append(EVENTS[journal.last_seq])
    print("DID", seq, "END")
    if seq % 6 == 0:
        journal.tidy()
while True: time.sleep_ms(5)
"""


def match() -> list[bytes]:
    """The encoded events of a match: turn after turn of five shoves and a clear."""
    found = [agree.start("pub", (1, 1), {"order": "given", "target": 9})]
    for turn in range(20):
        discs = [events.disc(5000 + 2600 * i, MIDDLE[(turn + 2 * i) % 9]) for i in range(5)]
        found += [events.shove(discs[: count + 1]) for count in range(5)] + [events.clear()]
    return [events.encode(event) for event in found]


def folded(recorded: list[bytes]) -> tuple:
    """Turn, shoves left and marks after these events."""
    game = Game()
    for data in recorded:
        assert not game.do(events.decode(data)).refused
    return game.state.turn, game.state.shoves_left, list(game.state.marks)


def test_power_cuts_lose_no_recorded_mark_and_no_turn():
    """After each cut the board wakes with every event it had confirmed, in the same turn, and writes on."""
    rng = random.Random(7)
    wanted = match()
    board = board_with(PROGRAM.format(events=wanted))
    for cut in range(CUTS):
        assert board.until(lambda: board.usb.received.count(b"DID") > 2, 3), bytes(board.usb.received[-300:])
        board.advance(rng.uniform(0.0, 0.03))
        done = [int(seq) for seq in re.findall(rb"DID (\d+) END", bytes(board.usb.received))]
        board.power_cut()
        heard = bytearray()  # taken as it comes: what is not taken stops the board after 4 kB

        def woken(heard: bytearray = heard) -> bool:
            heard += board.usb.take()
            return bool(re.search(rb"WOKE .* END", heard))

        assert board.until(woken, 10), f"cut {cut}"
        text = heard.decode()
        last, trouble = ast.literal_eval(text.partition("WOKE ")[2].partition(" END")[0])
        recorded = [bytes.fromhex(data) for data in re.findall(r"HAS (\w+) END", text)]
        assert trouble == ""
        assert done[-1] <= last <= done[-1] + 1
        assert recorded == wanted[:last]
        assert folded(recorded) == folded(wanted[:last])
