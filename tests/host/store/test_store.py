"""The store: every event once, on disk, in order; files that cannot be used are refused in a sentence."""

import sqlite3
from dataclasses import replace

import pytest
from hapenny_host.store import Store
from hapenny_host.store.store import DAY_S
from hapenny_link.conversation import Received
from hapenny_link.errors import UserError


def event(seq, data=b"shove", log=7, boot=1, board="A"):
    return Received(board, log, boot, seq, data, 1000.0 + seq)


@pytest.fixture
def store(place):
    store = Store(place)
    yield store
    store.close()


def test_an_event_is_kept_once_as_it_came(store):
    """The same (board, journal, seq) again changes nothing, not even after a reboot; another journal counts anew."""
    assert store.append(event(1, b"one")) and store.append(event(2, b"two"))
    assert not store.append(event(1, b"other")) and not store.append(event(2, b"two", boot=2))
    assert store.append(event(1, b"new journal", log=8))
    assert store.events("A", 7) == [(1, b"one"), (2, b"two")]
    assert store.last("A", 7) == 2 and store.last("A", 9) == 0 and store.latest() == ("A", 8)


def test_names_belong_to_the_event_that_starts_the_match(store):
    """Names are kept with their event, in one commit, and found by its sequence."""
    store.append(event(3), [["Ann", "Cat"], ["Bob"]])
    store.append(event(3), [["Nobody"], ["Else"]])
    assert store.names("A", 7) == {3: [["Ann", "Cat"], ["Bob"]]}


def test_evidence_is_kept_by_disc(store):
    """What was measured for a disc replaces what came before for the same disc."""
    for se in (8, 9):
        store.append_evidence("A", 7, {"seq": 3, "i": 0, "se": se})
    assert store.evidence("A", 7) == [{"seq": 3, "i": 0, "se": 9}] and store.evidence("A", 8) == []


@pytest.mark.parametrize(("now_days", "left"), [(9.0, [2, 3]), (10.5, [3]), (4000.0, [3])])
def test_old_evidence_goes_and_events_stay(store, monkeypatch, now_days, left):
    """Evidence older than seven days goes, or so much older than the newest event if the clock is far ahead of it."""
    for seq, day in ((1, 1.0), (2, 3.0), (3, 11.0)):
        monkeypatch.setattr("time.time", lambda day=day: day * DAY_S)
        store.append(replace(event(seq), received_at=day * DAY_S))
        store.append_evidence("A", 7, {"seq": seq, "i": 0})
    monkeypatch.setattr("time.time", lambda: now_days * DAY_S)
    assert store.prune(7.0) == 3 - len(left) and store.prune(7.0) == 0
    assert [fields["seq"] for fields in store.evidence("A", 7)] == left
    assert [seq for seq, _ in store.events("A", 7)] == [1, 2, 3]


def test_what_is_committed_survives_the_process(store, place):
    """Another connection sees an event as soon as `append` has returned, with the disk told to keep it."""
    store.append(event(1))
    again = Store(place)
    assert again.events("A", 7) == [(1, b"shove")]
    with again.engine.connect() as connection:
        if again.url.drivername == "sqlite":
            assert connection.exec_driver_sql("pragma synchronous").scalar_one() == 2  # FULL
            assert connection.exec_driver_sql("pragma journal_mode").scalar_one() == "wal"
        else:
            assert connection.exec_driver_sql("show synchronous_commit").scalar_one() == "on"
    again.close()


def test_a_store_of_a_newer_hapenny_is_left_alone(tmp_path):
    """A schema from the future is refused before anything is touched."""
    path = tmp_path / "store.sqlite"
    with sqlite3.connect(path) as file:
        file.execute("pragma user_version = 99")
    with pytest.raises(UserError, match="newer hapenny"):
        Store(path)


def test_a_file_that_is_no_store_is_refused(tmp_path):
    """Text, a folder, a path below a file: one sentence that names the file and --store."""
    text = tmp_path / "notes.txt"
    text.write_text("no database, and long enough to be read as a header of one " * 9)
    for path in (text, tmp_path, text / "below"):
        with pytest.raises(UserError) as refused:
            Store(path)
        assert str(path) in str(refused.value) and "--store" in str(refused.value) and "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("where", "clue"),
    [
        ("mysql://a:secret@b/c", "'mysql:'"),
        ("postgresql://ann:secret@nowhere.invalid/", "cannot be read"),
        ("postgresql://ann:secret@host:port/x", "cannot be read"),
        ("postgresql://ann:secret@127.0.0.1:9/scores", "127.0.0.1:9/scores: connection"),
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_its_password(where, clue):
    """Another kind of database, no database, no port, no server: one sentence that does not tell the secret."""
    with pytest.raises(UserError) as refused:
        Store(where)
    said = str(refused.value)
    assert clue in said and "secret" not in said and "\n" not in said


@pytest.mark.xdist_group("postgres")
def test_a_database_that_is_not_there_is_refused(server):
    """The server's own words say so."""
    with pytest.raises(UserError, match=r'database "nothing" does not exist; name another with --store'):
        Store(server.url("nothing"))


def test_without_the_driver_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setattr("hapenny_host.store.database.find_spec", lambda name: None)
    with pytest.raises(UserError, match=r"pip install 'hapenny\[postgres\]'"):
        Store("postgresql://localhost/scores")
