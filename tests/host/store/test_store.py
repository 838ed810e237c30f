"""The store: every event once, on disk, in order; files that cannot be used are refused in a sentence."""

import sqlite3

import pytest
from hapenny_host.store import Store
from hapenny_link.conversation import Received
from hapenny_link.errors import UserError


def event(seq, data=b"shove", log=7, boot=1, board="A"):
    return Received(board, log, boot, seq, data, 1000.0 + seq)


@pytest.fixture
def store(tmp_path):
    store = Store(tmp_path / "deep" / "er" / "store.sqlite")
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
    with sqlite3.connect(store.path) as file:
        assert [row[0] for row in file.execute("select measured from evidence")] == ['{"seq": 3, "i": 0, "se": 9}']


def test_what_is_committed_survives_the_process(store):
    """Another connection sees an event as soon as `append` has returned, with the disk told to keep it."""
    store.append(event(1))
    with sqlite3.connect(store.path) as file:
        assert file.execute("select count(*) from events").fetchone() == (1,)
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("pragma synchronous").scalar_one() == 2  # FULL
        assert connection.exec_driver_sql("pragma journal_mode").scalar_one() == "wal"


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
