"""Backup, export and restore: what comes back is what was kept, and nothing is lost by asking."""

import json
import sqlite3
from pathlib import Path

import pytest
from hapenny_host.store import Store
from hapenny_host.store.backup import MANIFEST, backup, check, listed, manifest_of
from hapenny_host.store.database import existing
from hapenny_host.store.export import export
from hapenny_host.store.restore import restore
from hapenny_link.conversation import Received
from hapenny_link.errors import UserError
from host.store.stores import contents, make_first, play
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.fixture
def kept(place):
    """An address where a store with a match of two boards is, closed."""
    store = Store(place)
    play(store)
    play(store, "B", 8, turns=2)
    store.close()
    return place


def held(where):
    """What is in the store at that address."""
    store = Store(where)
    found = contents(store)
    store.close()
    return found


def backed_up(where, folder):
    engine = existing(where)
    made = backup(engine, folder)
    engine.dispose()
    return made


def test_a_backup_restores_to_either_kind_of_store(kept, other, tmp_path):
    """A file goes to a server and back: every event, name, measurement and time is the same."""
    made = backed_up(kept, tmp_path / "backups")
    manifest, aside = restore(made, other)
    assert aside == "" and held(other) == held(kept)
    assert manifest.counts["events"] == 20 and manifest.schema == 2 and len(manifest.sha256) == 64
    assert made.stat().st_mode & 0o077 == 0, "only its owner may read it"


def test_the_store_before_is_moved_aside(kept, tmp_path):
    """What a restore replaces can be brought back, and no other backup is touched."""
    backups = tmp_path / "backups"
    old = backed_up(kept, backups)
    before = held(kept)
    store = Store(kept)
    play(store, "C", 9)
    store.close()
    after = held(kept)
    newer = backed_up(kept, backups)
    _, aside = restore(old, kept)
    assert held(kept) == before and "before_restore_" in aside
    if isinstance(kept, Path):
        assert held(aside) == after
    assert [made for made, _ in listed(backups)] == sorted([old, newer])
    restore(newer, kept)
    assert held(kept) == after


@pytest.mark.xdist_group("postgres")
def test_a_server_keeps_the_tables_before_in_a_schema_of_their_own(server, tmp_path):
    """And the new tables count on: what comes next is the newest."""
    where = server.new()
    store = Store(where)
    play(store)
    store.close()
    _, aside = restore(backed_up(where, tmp_path), where)
    store = Store(where)
    with store.engine.connect() as connection:
        schema = aside.split()[1]
        assert connection.exec_driver_sql(f"SELECT count(*) FROM {schema}.events").scalar_one() == 7
    store.append(Received("A", 7, 1, 8, b"next", 2000.0))
    assert store.latest() == ("A", 7)
    store.close()


def test_a_store_in_use_is_not_replaced(kept, tmp_path):
    """While a host has it open, its events would go to the file moved aside: refused, and nothing changes."""
    made = backed_up(kept, tmp_path / "backups")
    host = Store(kept)
    play(host, "C", 9)
    with pytest.raises(UserError, match="is in use: end 'hapenny run' first"):
        restore(made, kept)
    assert len(host.journals()) == 3
    host.close()


def test_a_backup_can_be_made_while_a_host_writes(kept, tmp_path):
    """It is of one moment, and the host's write goes on."""
    host = Store(kept)
    with host.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM evidence")
        made = backed_up(kept, tmp_path / "backups")
    assert manifest_of(made).counts["evidence"] == 20
    host.close()


@pytest.mark.parametrize(
    ("harm", "clue"),
    [
        (lambda made: change_manifest(made, schema=99), "newer hapenny"),
        (lambda made: change_manifest(made, kind="photos"), "no backup of a hapenny store"),
        (lambda made: change_manifest(made, file="../../etc/passwd"), "no backup of a hapenny store"),
        (lambda made: (made / MANIFEST).write_text("{"), "cannot be read"),
        (lambda made: (made / MANIFEST).unlink(), "is no backup"),
        (lambda made: (made / manifest_of(made).file).unlink(), "No such file"),
        (lambda made: flip(made / manifest_of(made).file), "damaged"),
    ],
)
def test_a_backup_that_cannot_be_used_changes_nothing(kept, tmp_path, harm, clue):
    """Newer, foreign, torn, damaged at one bit: one sentence, and the store is as it was."""
    made = backed_up(kept, tmp_path / "backups")
    before = held(kept)
    harm(made)
    with pytest.raises(UserError, match=clue) as refused:
        restore(made, kept)
    assert "\n" not in str(refused.value) and held(kept) == before


def change_manifest(made, **changes):
    said = json.loads((made / MANIFEST).read_text())
    (made / MANIFEST).write_text(json.dumps({**said, **changes}))


def flip(path):
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_a_backup_of_the_first_hapenny_restores(tmp_path, place):
    """It is filled in as it was, then brought up to date."""
    make_first(tmp_path / "old.sqlite")
    restore(backed_up(tmp_path / "old.sqlite", tmp_path / "backups"), place)
    journals, found, _ = held(place)
    assert journals == [("A", 7)] and len(found["A", 7][0]) == 6 and len(found["A", 7][2]) == 2


def test_a_damaged_store_is_moved_aside_too(tmp_path):
    """That it cannot be read is why one restores."""
    path = tmp_path / "hapenny.sqlite"
    store = Store(path)
    play(store)
    store.close()
    before, made = held(path), backed_up(path, tmp_path / "backups")
    path.write_bytes(b"rubbish" * 1000)
    _, aside = restore(made, path)
    assert held(path) == before and Path(aside).read_bytes() == b"rubbish" * 1000


def test_a_full_disk_leaves_no_half_a_backup(tmp_path, monkeypatch):
    """The folder begun is taken away, what was there stays."""
    path = tmp_path / "hapenny.sqlite"
    store = Store(path)
    play(store)
    made = backup(store.engine, tmp_path / "backups")

    def full(path):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("hapenny_host.store.backup.to_disk", full)
    with pytest.raises(UserError, match="No space left on device"):
        backup(store.engine, tmp_path / "backups")
    assert [*(tmp_path / "backups").iterdir()] == [made]
    check(made, manifest_of(made))
    store.close()


def test_a_damaged_store_is_not_backed_up_as_if_it_were_whole(tmp_path):
    """SQLite's own check of the copy finds it."""
    path = tmp_path / "hapenny.sqlite"
    store = Store(path)
    play(store, turns=10)
    store.close()
    with sqlite3.connect(path) as file:
        (page,) = file.execute("SELECT rootpage FROM sqlite_master WHERE name = 'evidence'").fetchone()
        file.execute("PRAGMA journal_mode = DELETE")
    data = bytearray(path.read_bytes())
    data[(page - 1) * 4096 + 100 : page * 4096] = b"\xff" * 3996
    path.write_bytes(data)
    with pytest.raises(UserError, match=r"cannot back up .*(damaged|malformed)"):
        backed_up(path, tmp_path / "backups")


JOURNALS = st.tuples(st.text("AB=\u00e5\u0000", min_size=1), st.integers(0, 2**30 - 1))
EVENTS = st.lists(
    st.tuples(JOURNALS, st.integers(1, 2**30 - 1), st.binary(max_size=99), st.floats(0, 1e11), st.booleans()),
    max_size=12,
)


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(EVENTS)
def test_export_then_restore_gives_an_equal_store(tmp_path_factory, kept_events):
    """Whatever boards sent: bytes, names with quotes and formulas, any time, to the last bit."""
    folder = tmp_path_factory.mktemp("law")
    store = Store(folder / "one.sqlite")
    for (board, log), seq, data, at, named in kept_events:
        store.append(Received(board, log, 1, seq, data, at), [["=1+1", 'a"b\n']] if named else None)
        store.append_evidence(board, log, {"seq": seq, "i": 0, "x": -5, "y": 7, "se": 1, "v": "\u0000"})
    export(store, folder / "out")
    restore(folder / "out", folder / "two.sqlite")
    assert held(folder / "two.sqlite") == contents(store)
    store.close()
