"""The session over real transports: sockets that break, ports that are not there."""

import socket
import threading
import time

import pytest
from hapenny.link.link import Link
from hapenny_link.board import Board
from hapenny_link.errors import BoardGone, LinkDown
from hapenny_link.session import MemorySink, Session
from hapenny_link.transports.socket import SocketTransport
from hapenny_link.urls import open_board
from link.wire import IDENTITY, FakeJournal


class SocketBoard:
    """A board's link behind a TCP port, served by a thread; `drop` breaks the connection."""

    def __init__(self, journal, commands=None):
        self.journal = journal
        self.commands = commands or {}
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.stopping = False
        self.peer = None
        self.thread = threading.Thread(target=self.serve, daemon=True)
        self.thread.start()

    def serve(self):
        while not self.stopping:
            try:
                self.peer, _ = self.listener.accept()
            except OSError:
                return
            self.peer.setblocking(False)
            self.link = Link(self, self.journal, dict(IDENTITY), self.commands)
            self.gone = False
            while not self.gone and not self.stopping:
                self.link.poll(int(time.monotonic() * 1000) & 0x3FFFFFFF)
                time.sleep(0.002)
            self.peer.close()

    def read(self):
        try:
            data = self.peer.recv(512)
            self.gone = self.gone or not data
            return data
        except BlockingIOError:
            return b""
        except OSError:
            self.gone = True
            return b""

    def write(self, data):
        try:
            return self.peer.send(data)
        except OSError:
            return 0

    def drop(self):
        self.gone = True

    def close(self):
        self.stopping = True
        self.listener.close()
        self.thread.join(2)


def until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not come in time"
        time.sleep(0.005)


@pytest.fixture
def far():
    journal = FakeJournal()
    journal.append(b"first")
    board = SocketBoard(journal, {"event": lambda data: "locked" if data == b"x" else ""})
    yield board
    board.close()


@pytest.fixture
def session(far):
    session = Session(open_board(f"socket://127.0.0.1:{far.port}"), MemorySink())
    session.start()
    yield session
    session.stop()


def test_events_and_commands_over_a_socket(far, session):
    """A session over TCP: events come, commands are answered with their code."""
    sink = session.conversation.sink
    until(lambda: sink.events)
    assert session.command("event", b"x") == "locked"
    assert session.command("event", b"y") == ""
    until(lambda: far.journal.acknowledged == 1)


def test_a_broken_connection_heals_by_itself(far, session):
    """The connection breaks again and again: each time the session is back, and no event is lost or doubled."""
    sink = session.conversation.sink
    for n in range(3):
        until(lambda: session.state.connected)
        far.drop()
        far.journal.append(b"meanwhile %d" % n)
        until(lambda n=n: len(sink.events) == n + 2)
    assert [event.seq for event in sink.events] == [1, 2, 3, 4]


def test_a_command_to_nobody_says_so(far, session):
    """With the board gone a command fails at once and in words."""
    until(lambda: session.state.connected)
    far.close()
    until(lambda: not session.state.connected)
    with pytest.raises(BoardGone, match="not connected"):
        session.command("event", b"y")


def test_nobody_there_is_said_in_one_sentence():
    """A port that nobody listens on: LinkDown, with the place and the reason."""
    probe = socket.create_server(("127.0.0.1", 0))
    port = probe.getsockname()[1]
    probe.close()
    with pytest.raises(LinkDown, match=f"127.0.0.1:{port}"):
        SocketTransport(("127.0.0.1", port)).open()


def test_the_pauses_between_attempts_grow_and_are_capped(monkeypatch):
    """A board that cannot be opened is tried for ever, with pauses that double up to the cap."""
    pauses = []

    class Nothing:
        def open(self):
            raise LinkDown("no board is plugged in")

        def close(self):
            pass

    session = Session(Board("fake:", Nothing()), MemorySink())  # type: ignore[arg-type]
    monkeypatch.setattr(session.stopping, "wait", lambda pause: pauses.append(pause) or len(pauses) < 9)
    monkeypatch.setattr(session.stopping, "is_set", lambda: len(pauses) >= 9)
    session.run()
    assert pauses[:5] == [0.25, 0.5, 1.0, 2.0, 4.0] and set(pauses[5:]) == {5.0}
    assert session.state.trouble == "no board is plugged in"
