"""The link of the emulated RP2040 over its pty, under bad hosts: its loop goes on, nothing is lost, each event once."""

import os
import random
import tty

import pytest
from emulator import image_or_skip
from hapenny.desktop import agree
from hapenny.rules import events

pytestmark = [pytest.mark.xdist_group("emulated"), pytest.mark.slow, pytest.mark.timeout(1200)]
PEGS_MS = 150  # between two drawings of the pegs: they come every 100 ms when the loop does
ATTEMPT = events.encode(events.attempt())


class Port:
    """The host's end of the pty: opened, read or not, and closed as a program does."""

    def __init__(self, path):
        self.path = path
        self.reading = True
        self.fd = -1
        self.open()

    def open(self):
        self.fd = os.open(self.path, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.fd)

    def close(self):
        os.close(self.fd)
        self.fd = -1

    def read(self, _timeout_s):
        if self.fd < 0 or not self.reading:
            return b""
        try:
            return os.read(self.fd, 4096)
        except BlockingIOError:
            return b""

    def write(self, data):
        if self.fd >= 0:
            os.write(self.fd, data)


def played_on_the_pty():
    """An emulated board whose host talks to it over the pty; it notes the longest time without a new frame of pegs."""
    from hapenny_sim.boards.emulated_lockstep import EmulatedLockstep
    from hapenny_sim.boards.emulated_pty import PtyBridge

    class OverPty(EmulatedLockstep):
        worst_ms = 0.0

        def plug(self):
            self.bridge = PtyBridge()
            return Port(self.bridge.path)

        def step(self):
            self.bridge.pump(self.board.usb)
            super().step()
            self.worst_ms = max(self.worst_ms, (self.board.mcu.clock.nanos - self.board.strip.shown_ns) / 1e6)

        def close(self):
            self.bridge.close()

    return OverPty()


@pytest.fixture(scope="module")
def story():
    """A match entered while the host stalls, sends garbage, closes the port and comes back; what came of it."""
    image_or_skip()
    board = played_on_the_pty()
    port, usb = board.transport, board.board.usb
    assert board.command("event", events.encode(agree.start("pub", (1, 1), {"order": "given", "target": 9}))) == ""
    board.worst_ms = 0.0
    worst, codes = {}, []

    def phase(name, seconds):
        board.advance(seconds)
        worst[name], board.worst_ms = board.worst_ms, 0.0

    port.reading = usb.reading = False  # the host sends, and reads nothing
    for _ in range(3):
        board.conversation.command("event", ATTEMPT, codes.append)
    phase("stalled", 1.5)
    seen = len(board.sink.events)
    port.reading = True
    usb.resume()
    phase("reading again", 1.0)

    noise = random.Random(5).randbytes(3000).replace(b"\x03", b"")  # 3 is Ctrl-C
    for at in range(0, len(noise), 300):
        port.write(noise[at : at + 300])
        board.advance(0.03)
    port.write(b"\n")
    phase("garbage", 0.5)

    board.conversation.command("event", ATTEMPT, codes.append)
    port.write(board.conversation.tick(board.table.now_s))
    board.advance(0.005)
    port.close()
    phase("vanished", 1.0)
    port.open()
    board.conversation.restart("the port was closed")
    board.wait(lambda: board.conversation.state.connected, "the board says hello again")
    phase("back", 1.0)
    board.close()
    return board, worst, seen, codes


def test_the_loop_keeps_its_pace_whatever_the_host_does(story):
    _, worst, _, _ = story
    assert max(worst.values()) <= PEGS_MS, worst


def test_a_host_that_reads_again_has_what_was_recorded_meanwhile(story):
    _, _, seen, codes = story
    assert seen <= 1, "while it stalled it saw nothing"
    assert codes[:3] == ["", "", ""]


def test_every_event_came_once_and_in_order_also_what_was_recorded_while_the_port_was_closed(story):
    board, _, _, _ = story
    assert [event.seq for event in board.sink.events] == [1, 2, 3, 4, 5]
    assert [event.data for event in board.sink.events[1:]] == [ATTEMPT] * 4


def test_the_journal_on_flash_holds_the_same(story, monkeypatch):
    from hapenny.keeping import journal
    from hapenny_sim.boards.flash import files_of

    board, _, _, _ = story
    files = board.board.files()
    system, opener = files_of(files)
    monkeypatch.setattr(journal, "os", system)
    monkeypatch.setattr(journal, "open", opener, raising=False)
    kept = journal.Journal("journal")
    assert [data for _, data in kept.match_events()] == [event.data for event in board.sink.events]
    assert board.board.resets == 0
