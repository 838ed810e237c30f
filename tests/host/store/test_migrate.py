"""Migrations: a store of before is brought up to date and loses nothing, not even when that fails half way."""

import sqlite3
import time
from threading import Thread

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from hapenny_host.store import Store, schema
from hapenny_host.store.backup import listed, manifest_of
from hapenny_host.store.migrate import MIGRATIONS, lock, upgrade, version
from hapenny_link.errors import UserError
from host.store.stores import START, contents, make_first, play, shoves
from sqlalchemy import text


def test_a_store_of_the_first_hapenny_is_brought_up_to_date(tmp_path):
    """Every event, name and measurement is there; measurements are as old as their events, else from now."""
    path = tmp_path / "hapenny.sqlite"
    make_first(path)
    store = Store(path)
    assert store.timed_events("A", 7) == [(n, data, 1000.5 + n) for n, data in enumerate([START, *shoves(5)], 1)]
    assert store.names("A", 7) == {1: [["Ann"], ["Bob"]]} and store.latest() == ("A", 7)
    assert [fields["seq"] for fields in store.evidence("A", 7)] == [2, 99]
    with store.engine.connect() as connection:
        ages = dict(connection.execute(text("SELECT seq, received_at FROM evidence")).all())
    assert ages[2] == 1002.5 and time.time() - 60 < ages[99] <= time.time()
    play(store, "B")
    store.close()


def test_before_an_update_the_store_is_backed_up(tmp_path):
    """The old file as it was is in a folder beside it; opening it again makes no other."""
    path = tmp_path / "hapenny.sqlite"
    make_first(path)
    for _ in range(2):
        Store(path).close()
    ((made, _),) = listed(tmp_path / "backups")
    assert made.name.endswith("_before-update") and manifest_of(made).schema == 1
    with sqlite3.connect(made / "store.sqlite") as file:
        assert file.execute("SELECT count(*) FROM events").fetchone() == (6,)
        assert file.execute("PRAGMA user_version").fetchone() == (1,)


def test_an_update_that_fails_changes_nothing(tmp_path, monkeypatch):
    """A power cut half way leaves the old store, which the next start brings up to date."""
    path = tmp_path / "hapenny.sqlite"
    make_first(path)

    def half(connection, found, wanted):
        upgrade(connection, found, wanted)
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("hapenny_host.store.migrate.upgrade", half)
        with pytest.raises(UserError, match="No space left"):
            Store(path)
    with sqlite3.connect(path) as file:
        assert file.execute("PRAGMA user_version").fetchone() == (1,)
        columns = [row[1] for row in file.execute("PRAGMA table_info(evidence)")]
    assert "received_at" not in columns
    store = Store(path)
    assert len(store.events("A", 7)) == 6
    store.close()


def test_migrations_lead_to_the_tables_that_the_code_has(place):
    """Alembic finds no difference, and VERSION is the number of the last migration."""
    store = Store(place)
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), schema.metadata) == []
        assert version(connection) == schema.VERSION
    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    assert int(ScriptDirectory.from_config(config).get_current_head() or 0) == schema.VERSION
    store.close()


def test_a_newer_store_is_left_alone(place):
    """The number of a migration that this hapenny does not know: refused in a sentence."""
    store = Store(place)
    with store.engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '0099'"))
    store.close()
    with pytest.raises(UserError, match=r"newer hapenny \(schema 99, this one knows 2\)"):
        Store(place)


def test_two_programs_that_begin_at_once_make_one_store(place):
    """The second waits for the first, and finds the tables made."""
    first = Store(place)
    with first.engine.begin() as connection:
        for table in [*schema.metadata.tables, "alembic_version"]:
            connection.execute(text(f"DROP TABLE {table}"))
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql("PRAGMA user_version = 0")
    opened = []
    with first.engine.begin() as connection:
        lock(connection)
        other = Thread(target=lambda: opened.append(Store(place)))
        other.start()
        time.sleep(0.2)
        upgrade(connection, 0, schema.VERSION)
        assert not opened
    other.join(10)
    assert opened and contents(opened[0]) == ([], {}, None)
    opened[0].close()
    first.close()
