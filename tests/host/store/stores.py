"""Stores filled by the rules: a match in play, with names and evidence; and one as the first hapenny made them."""

import sqlite3

from hapenny.desktop import agree
from hapenny.rules import events
from hapenny_link.conversation import Received

START = events.encode(agree.start("encyclopedia", (1, 1)))
BED_1, BED_5 = (18415, 11748), (30000, 24448)
NAMES = [["Ann"], ["=Bob"]]
FIRST_TABLES = """
CREATE TABLE events (
    id INTEGER NOT NULL, board VARCHAR NOT NULL, log INTEGER NOT NULL, boot INTEGER NOT NULL, seq INTEGER NOT NULL,
    data BLOB NOT NULL, received_at FLOAT NOT NULL, PRIMARY KEY (id), UNIQUE (board, log, seq));
CREATE TABLE evidence (
    id INTEGER NOT NULL, board VARCHAR NOT NULL, log INTEGER NOT NULL, seq INTEGER NOT NULL, part INTEGER NOT NULL,
    measured VARCHAR NOT NULL, PRIMARY KEY (id), UNIQUE (board, log, seq, part));
CREATE TABLE names (
    id INTEGER NOT NULL, board VARCHAR NOT NULL, log INTEGER NOT NULL, seq INTEGER NOT NULL, names VARCHAR NOT NULL,
    PRIMARY KEY (id), UNIQUE (board, log, seq));
PRAGMA user_version = 1;
"""


def event(seq, data, board="A", log=7):
    return Received(board, log, 1, seq, data, 1000.5 + seq)


def shoves(count):
    """The first shoves of a turn: one disc after the other, side by side in bed 1."""
    return [events.encode(events.shove([(6000 + 5000 * n, 11748) for n in range(k + 1)])) for k in range(count)]


def play(store, board="A", log=7, turns=1):
    """A match of some turns, the discs taken off after each."""
    turn = [*shoves(5), events.encode(events.clear())]
    for seq, data in enumerate([START, *turn * turns], 1):
        store.append(event(seq, data, board, log), NAMES if data == START else None)
        store.append_evidence(board, log, {"seq": seq, "i": 0, "x": 6000, "y": 11748, "v": "1", "margin": 50, "se": 8})


def contents(store):
    """All that a store holds, for comparisons."""
    journals = store.journals()
    kept = {key: (store.timed_events(*key), store.names(*key), store.evidence(*key)) for key in journals}
    return journals, kept, store.latest()


def make_first(path):
    """A file as the first hapenny made it, with what `play` keeps."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with sqlite3.connect(path) as file:
        file.execute("PRAGMA journal_mode = WAL")
        file.executescript(FIRST_TABLES)
    for seq, data in enumerate([START, *shoves(5)], 1):
        file.execute("INSERT INTO events VALUES (NULL, 'A', 7, 1, ?, ?, ?)", (seq, data, 1000.5 + seq))
    file.execute("INSERT INTO names VALUES (NULL, 'A', 7, 1, '[[\"Ann\"], [\"Bob\"]]')")
    file.execute("INSERT INTO evidence VALUES (NULL, 'A', 7, 2, 0, '{\"seq\": 2, \"i\": 0}')")
    file.execute("INSERT INTO evidence VALUES (NULL, 'A', 7, 99, 0, '{\"seq\": 99, \"i\": 0}')")
    file.commit()
    file.close()
