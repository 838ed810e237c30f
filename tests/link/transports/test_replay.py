"""Recordings: what was recorded plays again, and what is none is refused."""

import time

import pytest
from hapenny_link.errors import UserError
from hapenny_link.session import MemorySink, Session
from hapenny_link.transports.replay import Recorder
from hapenny_link.urls import open_board
from link.wire import Wire


@pytest.fixture
def recording(tmp_path):
    """A board met, two events, a reboot, another event: as its lines were recorded."""
    path = tmp_path / "evening.log"
    recorder = Recorder(path)
    wire = Wire()
    feed = wire.host.feed
    wire.host.feed = lambda data, now_s: (recorder(data), feed(data, now_s))
    wire.journal.append(b"one")
    wire.run(1)
    wire.journal.append(b"two")
    wire.run(1)
    wire.journal.boot = 2
    wire.boot_board()
    wire.run(2)
    wire.journal.append(b"three")
    wire.run(1)
    recorder.file.close()
    return path


def test_a_recording_plays_its_events_again(recording):
    """A session on `replay:` gets every event that the recorded one got, over a reboot too."""
    session = Session(open_board(f"replay:{recording}?speed=50"), MemorySink())
    session.start()
    sink, end = session.conversation.sink, time.monotonic() + 5
    while len(sink.events) < 3 and time.monotonic() < end:
        time.sleep(0.01)
    session.stop()
    assert [(event.seq, event.data) for event in sink.events] == [(1, b"one"), (2, b"two"), (3, b"three")]


@pytest.mark.parametrize(
    ("content", "said"), [(b"", "no board's hello"), (b"hello\n", "line 1"), (b"0.5 noise\n", "no board's hello")]
)
def test_what_is_no_recording_is_refused(tmp_path, content, said):
    """An empty file, one without times, one without a board: each is named in a sentence."""
    path = tmp_path / "x.log"
    path.write_bytes(content)
    with pytest.raises(UserError, match=said):
        open_board(f"replay:{path}")


def test_the_speed_must_be_a_number(recording):
    """A speed of nonsense or zero is refused."""
    for speed in ("fast", "0", "nan"):
        with pytest.raises(UserError, match="speed"):
            open_board(f"replay:{recording}?speed={speed}")
