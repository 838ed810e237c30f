"""What goes wrong around the store: nothing that was acknowledged is lost, and all goes on by itself."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hapenny_host.boards.state import StateKeeper
from hapenny_host.store import Store
from hapenny_host.store.database import existing
from hapenny_host.store.writer import Writer
from hapenny_link.conversation import Received
from sqlalchemy import event as listen

KILLS = 6
SEED = 20261201


def take(writer, seq, done, data=b"event"):
    writer.event(Received("A", 7, 1, seq, data, 1.0), lambda: done.append(seq))


def until(condition, seconds=20.0):
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "did not come in time"
        time.sleep(0.01)


def test_a_host_that_is_killed_loses_nothing_acknowledged(place):
    """kill -9 at random instants while it writes: all that was acknowledged is there, each once, without a gap."""
    chance = random.Random(SEED)
    print(f"seed {SEED}")
    Store(place).close()
    acknowledged = 0
    for _ in range(KILLS):
        command = [sys.executable, Path(__file__).with_name("keep_writing.py"), str(place)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=0) as host:
            said = host.stdout.readline()  # it writes
            time.sleep(chance.random() * 0.15)
            host.kill()
            said += host.stdout.read()
        lines = said[: said.rfind(b"\n")].split()
        store = Store(place)
        held = store.events("A", 7)
        store.close()
        assert held == [(seq, b"%d" % seq) for seq in range(1, len(held) + 1)]
        assert len(held) >= int(lines[-1]) > acknowledged
        acknowledged = int(lines[-1])


@pytest.mark.xdist_group("postgres")
def test_a_server_that_goes_and_comes_back_loses_nothing(server, monkeypatch):
    """While it is away nothing is acknowledged and the pages say why; then all that waited is kept."""
    monkeypatch.setattr("hapenny_host.store.writer.RETRY_S", 0.1)
    writer, done = Writer(Store(server.new()), StateKeeper()), []
    writer.start()
    take(writer, 1, done)
    until(lambda: done == [1])
    server.stop()
    try:
        for seq in range(2, 20):
            take(writer, seq, done)
        until(lambda: "cannot be saved" in writer.listener.state.alarm)
        assert done == [1] and "\n" not in writer.listener.state.alarm
    finally:
        server.start()
    until(lambda: len(done) == 19)
    assert [seq for seq, _ in writer.store.events("A", 7)] == [*range(1, 20)] and writer.listener.state.alarm == ""
    writer.stop()
    writer.store.close()


def test_a_full_disk_is_told_and_waited_for(tmp_path, monkeypatch):
    """SQLite itself finds no room: nothing is acknowledged until there is some."""
    monkeypatch.setattr("hapenny_host.store.writer.RETRY_S", 0.05)
    writer, done, full = Writer(Store(tmp_path / "s.sqlite"), StateKeeper()), [], [True]

    @listen.listens_for(writer.store.engine, "begin")
    def limit(connection):
        connection.exec_driver_sql(f"PRAGMA max_page_count = {1 if full else 1000000}")

    writer.start()
    for seq in range(1, 31):
        take(writer, seq, done, b"x" * 3000)
    until(lambda: "database or disk is full" in writer.listener.state.alarm)
    before = len(done)
    assert before < 30 and len(writer.store.events("A", 7)) == before
    full.clear()
    until(lambda: len(done) == 30)
    assert len(writer.store.events("A", 7)) == 30
    writer.stop()
    writer.store.close()


def test_a_locked_store_is_told_and_waited_for(tmp_path, monkeypatch):
    """Another program writes to the file and does not end."""
    monkeypatch.setattr("hapenny_host.store.writer.RETRY_S", 0.05)
    monkeypatch.setattr("hapenny_host.store.database.WAIT_S", 0.1)
    writer, done = Writer(Store(tmp_path / "s.sqlite"), StateKeeper()), []
    writer.start()
    other = existing(tmp_path / "s.sqlite")
    with other.begin() as connection:
        connection.exec_driver_sql("DELETE FROM events")
        take(writer, 1, done)
        until(lambda: "database is locked" in writer.listener.state.alarm)
        assert not done
    until(lambda: done == [1])
    other.dispose()
    writer.stop()
    writer.store.close()
