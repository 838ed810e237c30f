"""The writer: commit first, then acknowledge; a disk that refuses loses nothing."""

import time

import pytest
from hapenny.desktop import agree
from hapenny.rules import events
from hapenny_host.boards.state import StateKeeper
from hapenny_host.store import Store
from hapenny_host.store.store import DAY_S
from hapenny_host.store.writer import Writer
from hapenny_link.conversation import Disc, LinkState, Picture, Received
from hapenny_link.errors import LinkDown
from sqlalchemy.exc import OperationalError

START = events.encode(agree.start("encyclopedia", (1, 1)))
SHOVE = events.encode(events.shove([(18415, 11748)]))
HERE = LinkState(connected=True, board="A", log=7, boot=1)


def event(seq, data):
    return Received("A", 7, 1, seq, data, 1000.0)


def until(condition, seconds=5.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not come in time"
        time.sleep(0.005)


@pytest.fixture
def writer(place, monkeypatch):
    monkeypatch.setattr("hapenny_host.store.writer.RETRY_S", 0.01)
    writer = Writer(Store(place), StateKeeper())
    writer.start()
    yield writer
    writer.stop()
    writer.store.close()


def test_an_event_is_acknowledged_when_it_is_on_disk(writer):
    """`done` is called after the commit, and the screens know the event a moment later."""
    on_disk = []
    writer.link(HERE)
    writer.event(event(1, START), lambda: on_disk.append(writer.store.last("A", 7)))
    writer.event(event(2, SHOVE), lambda: on_disk.append(writer.store.last("A", 7)))
    until(lambda: len(on_disk) == 2)
    assert on_disk == [1, 2]
    until(lambda: writer.listener.state.match.last == "Bed 1")


def test_a_full_disk_is_said_and_nothing_is_acknowledged(writer, monkeypatch):
    """While the store refuses, no `done` and an alarm; when it takes again, all goes on by itself."""
    done, append, broken = [], writer.store.append, [True]

    def refuse(received, names=None):
        if broken:
            raise OSError(28, "No space left on device")
        return append(received, names)

    monkeypatch.setattr(writer.store, "append", refuse)
    writer.event(event(1, START), lambda: done.append(1))
    until(lambda: "No space left" in writer.listener.state.alarm)
    assert not done
    broken.clear()
    until(lambda: done)
    until(lambda: writer.listener.state.alarm == "" and writer.listener.state.match.number == 1)


def test_an_event_that_comes_twice_counts_once(writer):
    """A doubled event is acknowledged again but neither kept nor folded again."""
    done = []
    for seq, data in ((1, START), (2, SHOVE), (2, SHOVE)):
        writer.event(event(seq, data), lambda seq=seq: done.append(seq))
    until(lambda: done == [1, 2, 2] and writer.listener.state.match.number == 1)
    until(lambda: writer.listener.state.match.shoves_left == 4)


def test_names_come_with_the_match_they_were_given_for(writer):
    """The names asked for are shown with the next start, and are still there after a restart of the host."""
    writer.names = [["Ann"], ["Bob"]]
    writer.link(HERE)
    writer.event(event(1, START), lambda: None)
    until(lambda: writer.listener.state.match.player == "Ann")
    again = Writer(writer.store, StateKeeper())
    again.start()
    assert [side.names for side in again.listener.state.match.sides] == [["Ann"], ["Bob"]]
    again.stop()


def test_another_board_brings_its_own_match(writer):
    """A board met anew shows the match of its own journal, not the last one's."""
    writer.event(event(1, START), lambda: None)
    writer.link(LinkState(connected=True, board="B", log=9, boot=1))
    until(lambda: writer.listener.state.link.board == "B")
    assert writer.listener.state.match.number == 0
    writer.link(HERE)
    until(lambda: writer.listener.state.match.number == 1)


def test_an_event_that_cannot_be_shown_is_saved_and_the_next_one_shown(writer, monkeypatch):
    """A fault in the fold ends neither the saving nor the thread."""
    done, event_of = [], writer.listener.event

    def faulty(received, names):
        if received.seq == 1:
            raise IndexError("fold")
        event_of(received, names)

    monkeypatch.setattr(writer.listener, "event", faulty)
    writer.event(event(1, SHOVE), lambda: done.append(1))
    until(lambda: "cannot be shown" in writer.listener.state.alarm)
    writer.event(event(2, START), lambda: done.append(2))
    until(lambda: writer.listener.state.match.number == 2)
    assert done == [1, 2] and writer.listener.state.alarm == ""


def test_a_store_that_cannot_be_read_is_tried_again(writer, monkeypatch):
    """The session takes it as a broken link, and so comes back by itself."""

    def broken(board, log):
        raise OperationalError("select", {}, Exception("disk I/O error"))

    monkeypatch.setattr(writer.store, "last", broken)
    with pytest.raises(LinkDown, match="disk I/O error"):
        writer.last("A", 7)


def test_nobody_plays_by_an_old_picture(writer):
    """Before the board's first picture, and while it is away, the state is `waiting`, whatever is queued."""
    assert writer.listener.state.picture.state == "waiting"
    writer.queue.put(lambda: time.sleep(0.2))
    writer.link(HERE)
    writer.picture(Picture("rest", "ok", (Disc(1, 2, "3", 4, 0.1, 0),)))
    assert writer.listener.state.picture.state == "rest"
    writer.link(LinkState(connected=False, trouble="unplugged"))
    assert (writer.listener.state.picture.state, len(writer.listener.state.picture.discs)) == ("waiting", 1)
    writer.link(HERE)
    writer.picture(Picture("rest"))
    until(lambda: writer.listener.state.link == HERE)
    assert writer.listener.state.picture == Picture("rest")


def test_evidence_is_kept_with_the_board_that_sent_it(writer):
    """Also when that board's coming is still queued behind other writes."""
    writer.queue.put(lambda: time.sleep(0.1))
    writer.link(LinkState(connected=True, board="B", log=9, boot=1))
    writer.message("evidence", {"seq": 1, "i": 0, "se": 8})
    until(lambda: writer.store.evidence("B", 9) == [{"seq": 1, "i": 0, "se": 8}])


def test_old_evidence_goes_by_itself(writer, monkeypatch):
    """At the start, and a day later with the next that comes; for ever means for ever."""
    pruned = []
    monkeypatch.setattr(writer.store, "prune", pruned.append)
    writer.pruned_s = None
    writer.message("evidence", {"seq": 1, "i": 0})
    until(lambda: writer.pruned_s)
    assert pruned == []
    writer.evidence_days, writer.pruned_s = 30, time.monotonic() - DAY_S - 1
    for part in (1, 2):
        writer.message("evidence", {"seq": 1, "i": part})
    until(lambda: len(writer.store.evidence("", 0)) == 3)
    assert pruned == [30]


def test_an_event_committed_as_the_server_went_is_shown_once(writer, monkeypatch):
    """The first try was kept though it seemed to fail: the second finds it there, and the screens still get it."""
    append, tries, done = writer.store.append, [], []

    def unlucky(received, names=None):
        append(received, names)
        tries.append(received.seq)
        if len(tries) == 1:
            raise OperationalError("commit", {}, Exception("server closed the connection unexpectedly"))
        return False

    monkeypatch.setattr(writer.store, "append", unlucky)
    writer.event(event(1, START), lambda: done.append(1))
    until(lambda: done == [1] and writer.listener.state.match.number == 1)
    assert tries == [1, 1] and len(writer.store.events("A", 7)) == 1


def test_what_no_store_can_take_is_not_said_to_be_saved(writer, monkeypatch):
    """It is not acknowledged, and the next event is saved."""
    done, append = [], writer.store.append

    def refuse(received, names=None):
        if received.seq == 1:
            raise UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
        return append(received, names)

    monkeypatch.setattr(writer.store, "append", refuse)
    writer.event(event(1, START), lambda: done.append(1))
    until(lambda: "cannot be saved" in writer.listener.state.alarm)
    writer.event(event(2, START), lambda: done.append(2))
    until(lambda: done == [2])
