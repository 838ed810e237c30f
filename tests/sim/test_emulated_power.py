"""Power cuts on the emulated RP2040: the journal on MicroPython's littlefs, cut at random instants while it writes."""

import ast
import random

import pytest
from emulator import board_with

pytestmark = [pytest.mark.xdist_group("emulated"), pytest.mark.slow]

PROGRAM = """
import time
time.sleep_ms(40)
from hapenny.journal import Journal
from hapenny.rules import events, setup
from hapenny.rules.game import Game

journal = Journal("journal")
game = Game()
for seq, data in journal.match_events():
    game.do(events.decode(data))
def say(what):
    print(what, (journal.last_seq, game.state.turn, game.state.shoves_left, journal.trouble), "END")
say("WOKE")
MIDDLE = [10160 + 3175 * bed + 1587 for bed in range(9)]
def play(event):
    if not game.do(event).refused:
        journal.append(events.encode(event))
        say("DID")
if not journal.last_seq:
    journal.begin_match()
    play(setup.start("pub", (1, 1), {"order": "given", "target": 9}))
while True:
    lying = [events.disc(5000 + 2600 * i, MIDDLE[2 * i]) for i in range(5 - game.state.shoves_left)]
    if game.state.shoves_left and not game.state.old:
        play(events.shove(lying + [events.disc(5000 + 2600 * len(lying), MIDDLE[2 * len(lying)])]))
    else:
        play(events.clear())
        journal.tidy()
"""


def said(board, what: str) -> list[tuple]:
    """Every state the board has said after that word, as far as it came whole."""
    text = bytes(board.usb.received).decode(errors="replace")
    lines = [line for line in text.splitlines() if line.startswith(what + " ") and line.endswith(" END")]
    return [ast.literal_eval(line[len(what) + 1 : -4]) for line in lines]


def test_five_power_cuts_lose_no_recorded_mark_and_no_turn():
    """After each cut the board wakes with every event it had confirmed, in the same turn, and plays on."""
    rng = random.Random(7)
    board = board_with(PROGRAM)
    assert board.until(lambda: len(said(board, "DID")) > 2, 4)
    for _ in range(5):
        board.advance(rng.uniform(0.01, 0.12))
        states = [*said(board, "WOKE"), *said(board, "DID")]
        last = max(states)
        board.power_cut()
        assert board.until(lambda: bool(said(board, "WOKE")), 4), bytes(board.usb.received[-300:])
        woke = said(board, "WOKE")[0]
        assert woke[3] == ""
        assert woke[0] >= last[0]
        if woke[0] == last[0]:
            assert woke[:3] == last[:3]
    assert woke[0] > 10
