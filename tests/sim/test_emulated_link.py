"""The link of the emulated RP2040 under bad hosts: the loop goes on, nothing is lost, each event comes once."""

import random

import pytest
from emulator import image_or_skip
from hapenny.rules import events, setup

pytestmark = [pytest.mark.xdist_group("emulated"), pytest.mark.slow]


def test_stalled_garbage_and_vanishing_hosts_cost_nothing():
    """A match is entered by a host that stalls, sends garbage, closes the port and comes back."""
    image_or_skip()
    from hapenny_sim.boards.emulated_lockstep import EmulatedLockstep

    board = EmulatedLockstep()
    usb = board.board.usb
    start = events.encode(setup.start("pub", (1, 1), {"order": "given", "target": 9}))
    assert board.command("event", start) == ""
    recorded = len(board.sink.events)

    usb.stall()  # the host sends, and reads nothing
    codes: list[str] = []
    for _ in range(3):
        board.conversation.command("event", events.encode(events.attempt()), codes.append)
    usb.send(board.conversation.tick(board.table.now_s))
    frames = board.board.strip.frame_count
    board.board.advance(1.0)
    assert board.board.strip.frame_count - frames >= 7, "the pegs are drawn ten times a second, whatever the host does"
    usb.resume()
    board.advance(1.0)

    noise = bytes(value for value in random.Random(5).randbytes(600) if value != 3)  # 3 is Ctrl-C
    usb.send(noise + b"\n")
    board.advance(0.5)
    usb.vanish()
    board.board.advance(0.5)
    usb.come_back()
    board.conversation.restart("the port was closed")
    board.wait(lambda: board.conversation.state.connected, "the board says hello again")
    board.advance(1.0)

    seqs = [event.seq for event in board.sink.events]
    assert seqs == list(range(1, len(seqs) + 1)), "all, in order, each once"
    assert len(seqs) >= recorded
    assert board.board.resets == 0
