"""Power cuts: whatever the byte at which the flash stops, every recorded event comes back, and nothing else."""

import random
from dataclasses import dataclass

import pytest
from hapenny.keeping import journal as journal_module
from hapenny.keeping import slots as store_module
from hapenny.keeping.journal import Journal
from hapenny.keeping.slots import Store
from hapenny_sim.boards.flash import BLOCK_BYTES, Recorder, Write, cuts, files_of, mount

BLOCKS = 16


@dataclass
class Session:
    """What was written, and how many events had been confirmed when each write began."""

    image: bytearray
    log: list[Write]
    confirmed: list[tuple[int, int, int]]  # (length of the log, last seq, first seq of the match)


@pytest.fixture
def on_flash(monkeypatch):
    """Makes journal and store use the file system on an image."""

    def use(image: bytearray) -> Recorder:
        system, flash = mount(image)
        fake_os, fake_open = files_of(system)
        for module in (journal_module, store_module):
            monkeypatch.setattr(module, "os", fake_os)
            monkeypatch.setattr(module, "open", fake_open, raising=False)
        return flash

    return use


def event_of(seq: int) -> bytes:
    return bytes([seq & 0xFF, seq >> 8]) + bytes((seq * 7 + i) & 0xFF for i in range(seq % 17))


def record(on_flash, turns: int) -> Session:
    """Two matches with tidying, an acknowledgement and a reboot between."""
    image = bytearray(b"\xff" * BLOCK_BYTES * BLOCKS)
    flash = on_flash(image)
    start = bytearray(image)
    flash.log.clear()
    journal = Journal("journal")
    confirmed = [(0, 0, 1)]
    for turn in range(turns):
        if turn % 3 == 0:
            journal.begin_match()
        for _ in range(4):
            journal.append(event_of(journal.last_seq + 1))
            confirmed.append((len(flash.log), journal.last_seq, journal.match_first))
        journal.acknowledge(journal.last_seq - 2)
        journal.tidy()
        if turn == turns // 2:
            journal = Journal("journal")
    return Session(start, list(flash.log), confirmed)


def check(on_flash, image: bytearray, done: int, session: Session) -> None:
    on_flash(image)
    journal = Journal("journal")
    _, last, _ = [item for item in session.confirmed if item[0] <= done][-1]
    events = list(journal.events_from(1))
    assert [seq for seq, _ in events] == list(range(1, journal.last_seq + 1))
    assert all(data == event_of(seq) for seq, data in events)
    assert last <= journal.last_seq <= last + 1
    matches = {seq: first for _, seq, first in session.confirmed}
    assert journal.match_first == matches[journal.last_seq]
    assert [seq for seq, _ in journal.match_events()] == list(range(journal.match_first, journal.last_seq + 1))
    assert journal.trouble == ""
    assert journal.append(b"next") == len(events) + 1


def test_no_event_is_lost_at_any_byte(on_flash):
    """The power is cut at every byte of a session, and with unsynced writes lost in any order."""
    session = record(on_flash, turns=4)
    count = 0
    for done, image in cuts(session.image, session.log, random.Random(1), shuffles=2):
        check(on_flash, image, done, session)
        count += 1
    assert count > 1000


def test_settings_are_the_old_or_the_new_at_any_byte(on_flash):
    """A store whose save is cut at any byte gives the last saved content or the one before, never nothing."""
    image = bytearray(b"\xff" * BLOCK_BYTES * 8)
    flash = on_flash(image)
    contents = [bytes([i]) * (10 + i) for i in range(5)]
    store = Store("settings")
    store.save(contents[0])
    start, saved = bytearray(image), [(0, 0)]
    flash.log.clear()
    for i, content in enumerate(contents[1:], 1):
        store.save(content)
        saved.append((len(flash.log), i))
    for done, cut in cuts(start, flash.log, random.Random(2), shuffles=2):
        on_flash(cut)
        last = [i for length, i in saved if length <= done][-1]
        again = Store("settings")
        assert again.load() in contents[last : last + 2]
        assert again.trouble == ""
        again.save(b"more")
        assert again.load() == b"more"


def test_most_appends_need_no_erase(on_flash):
    """At least 86 of 100 appends write into erased flash; `tidy` does the erasing between turns."""
    flash = on_flash(bytearray(b"\xff" * BLOCK_BYTES * 64))
    journal = Journal("journal")
    free = 0
    for i in range(600):
        before = flash.erases
        journal.append(bytes(14))
        free += flash.erases == before
        if i % 6 == 5:
            journal.tidy()
    assert free >= 516
