"""The journal on an ordinary file system: order, matches, room, acknowledgement, damage."""

from pathlib import Path

import pytest
from hapenny.keeping import journal as journal_module
from hapenny.keeping import records
from hapenny.keeping.journal import Journal
from hypothesis import given
from hypothesis import strategies as st

MATCH = 12  # events


def event_of(seq: int) -> bytes:
    return bytes([seq & 0xFF, seq >> 8, seq * 37 & 0xFF])


def play(folder: Path, matches: int, tidy: bool = True, length: int = MATCH) -> Journal:
    journal = Journal(str(folder))
    for _ in range(matches):
        journal.begin_match()
        for i in range(length):
            journal.append(event_of(journal.last_seq + 1))
            if tidy and i % 6 == 5:
                journal.tidy()
    return journal


@pytest.mark.parametrize("tidy", [True, False])
def test_everything_comes_back_after_a_restart(tmp_path, tidy):
    journal = play(tmp_path / "j", 20, tidy)
    again = Journal(str(tmp_path / "j"))
    assert (again.id, again.boot, again.last_seq) == (journal.id, 2, 240)
    assert list(again.events_from(1)) == [(seq, event_of(seq)) for seq in range(1, 241)]
    assert [seq for seq, _ in again.match_events()] == list(range(229, 241))
    assert again.event(100) == event_of(100)
    assert again.event(241) == b""
    assert (again.first_seq, again.trouble, again.lost) == (1, "", 0)


def test_reading_goes_on_while_the_journal_is_tidied(tmp_path):
    """A reader that was begun before appends and moves to the archive sees each event once."""
    journal = play(tmp_path / "j", 1, tidy=False)
    reader = journal.events_from(1)
    seen = [next(reader)[0] for _ in range(3)]
    journal.tidy()
    for _ in range(40):
        journal.append(event_of(journal.last_seq + 1))
        journal.tidy()
    assert seen + [seq for seq, _ in reader] == list(range(1, 53))


def test_an_acknowledgement_survives_with_the_next_segment(tmp_path):
    journal = play(tmp_path / "j", 2)
    journal.acknowledge(17)
    journal.append(b"x")
    journal.acknowledge(9)
    journal.acknowledge(1000)
    assert journal.acknowledged == 25
    journal.append(b"y" * 90)
    journal.tidy()
    assert Journal(str(tmp_path / "j")).acknowledged == 25


def test_there_is_room_for_200_matches_of_300_events(tmp_path):
    """200 matches of 300 events of 10 bytes fit, none dropped; after that the oldest acknowledged go first."""
    journal = Journal(str(tmp_path / "j"))
    for _ in range(200):
        journal.begin_match()
        for i in range(300):
            journal.append(b"0123456789")
            if i % 10 == 9:
                journal.tidy()
    size = sum(file.stat().st_size for file in (tmp_path / "j").rglob("*.*"))
    assert journal.first_seq == 1
    assert size < journal_module.ROOM_BYTES


def test_the_oldest_acknowledged_events_go_first(tmp_path, monkeypatch):
    monkeypatch.setattr(journal_module, "ARCHIVE_BYTES", 400)
    monkeypatch.setattr(journal_module, "ROOM_BYTES", 2000)
    journal = play(tmp_path / "j", 40)
    assert journal.first_seq == 1, "nothing goes without an acknowledgement while the flash has room"
    journal.acknowledge(240)
    journal.begin_match()
    for _ in range(100):
        journal.append(event_of(journal.last_seq + 1))
        journal.tidy()
    assert 100 < journal.first_seq <= 241
    assert journal.dropped == 0
    assert [seq for seq, _ in Journal(str(tmp_path / "j")).events_from(1)] == list(range(journal.first_seq, 581))


def test_the_match_in_play_is_never_dropped(tmp_path, monkeypatch):
    monkeypatch.setattr(journal_module, "ARCHIVE_BYTES", 400)
    monkeypatch.setattr(journal_module, "ROOM_BYTES", 800)
    monkeypatch.setattr(journal_module, "RESERVE_BYTES", 1 << 62)
    journal = play(tmp_path / "j", 20)
    journal.begin_match()
    for _ in range(400):
        journal.append(event_of(journal.last_seq + 1))
        journal.tidy()
    assert journal.dropped > 0
    assert [seq for seq, _ in Journal(str(tmp_path / "j")).match_events()] == list(range(241, 641))


@given(st.data())
def test_flipped_bits_cut_the_match_at_the_first_bad_record_and_are_told(tmp_path_factory, data):
    """Whatever bit of whatever file flips: what comes back is true, a match has no hole, and the journal says so."""
    folder = tmp_path_factory.mktemp("flip") / "j"
    journal = play(folder, 3, data.draw(st.booleans(), "tidied"))
    file = data.draw(st.sampled_from(sorted(path for path in folder.rglob("*.*") if path.stat().st_size)), "file")
    content = bytearray(file.read_bytes())
    bit = data.draw(st.integers(0, len(content) * 8 - 1), "bit")
    content[bit // 8] ^= 1 << bit % 8
    file.write_bytes(content)
    again = Journal(str(folder))
    events = list(again.events_from(1))
    assert all(data == event_of(seq) for seq, data in events)
    match = [seq for seq, _ in again.match_events()]
    assert match == list(range(match[0], match[0] + len(match))) if match else True
    complete = len(events) == journal.last_seq
    assert complete or "cut after event" in again.trouble or "damaged" in again.trouble
    fresh = again.append(event_of(again.last_seq + 1))
    assert fresh > journal.last_seq or complete, "a seq that a host may know is not used again"
    assert Journal(str(folder)).event(fresh) == event_of(fresh)


def test_a_torn_tail_is_cut_and_told(tmp_path):
    """On a file system that writes in place an append can stop half-way: the whole records before it stay."""
    play(tmp_path / "j", 1, tidy=False)
    segment = max((tmp_path / "j").glob("*.seg"))
    segment.write_bytes(segment.read_bytes()[:-3])
    again = Journal(str(tmp_path / "j"))
    assert [seq for seq, _ in again.match_events()] == list(range(1, 12))
    assert again.trouble.startswith("the journal was cut after event 11: ")
    assert again.lost == 10
    assert Journal(str(tmp_path / "j")).trouble == "", "once is enough"


def test_a_failed_append_changes_nothing(tmp_path, monkeypatch):
    journal = play(tmp_path / "j", 1)

    def full(*_):
        raise OSError(28)

    monkeypatch.setattr(journal_module, "open", full, raising=False)
    with pytest.raises(OSError):
        journal.append(b"x")
    monkeypatch.undo()
    assert journal.last_seq == 12
    assert journal.append(b"x") == 13
    assert [seq for seq, _ in Journal(str(tmp_path / "j")).events_from(12)] == [12, 13]


@pytest.mark.parametrize("size", [0, records.MAX_EVENT + 1])
def test_an_event_of_impossible_size_is_refused(tmp_path, size):
    with pytest.raises(ValueError, match="1 to 96 bytes"):
        Journal(str(tmp_path / "j")).append(bytes(size))
