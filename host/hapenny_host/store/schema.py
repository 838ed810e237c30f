"""The tables of the store. Scores are not stored: they are folded from the events.

No secrets here: backups and exports carry every table. A change needs a migration, and VERSION is its number.
"""

from sqlalchemy import Column, Float, Integer, LargeBinary, MetaData, String, Table, UniqueConstraint

VERSION = 2  # the number of the newest file in migrations/versions

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("board", String, nullable=False),
    Column("log", Integer, nullable=False),  # id of the board's journal
    Column("boot", Integer, nullable=False),  # the run of the board that sent it
    Column("seq", Integer, nullable=False),
    Column("data", LargeBinary, nullable=False),  # an encoded rules event
    Column("received_at", Float, nullable=False),  # seconds since 1970
    UniqueConstraint("board", "log", "seq"),
)

# What the sensors measured for each disc of an event, as the message's own JSON: for disputes.
evidence = Table(
    "evidence",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("board", String, nullable=False),
    Column("log", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("part", Integer, nullable=False),
    Column("measured", String, nullable=False),
    Column("received_at", Float, nullable=False, index=True),  # seconds since 1970
    UniqueConstraint("board", "log", "seq", "part"),
)

# The players' names of the match that begins with that event: boards know players by number only.
names = Table(
    "names",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("board", String, nullable=False),
    Column("log", Integer, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("names", String, nullable=False),  # JSON: a list of names for each side
    UniqueConstraint("board", "log", "seq"),
)
