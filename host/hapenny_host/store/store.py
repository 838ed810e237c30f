"""Opens, reads and fills the store; every write is on disk when it returns."""

import json
import time
from pathlib import Path
from typing import Any

from hapenny_link.conversation import Received
from sqlalchemy import delete, func, insert, select
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from hapenny_host.store import schema
from hapenny_host.store.backup import backup, backups_of
from hapenny_host.store.database import cannot_use, engine_of, file_of, shown, url_of
from hapenny_host.store.migrate import migrate

Names = list[list[str]]

DAY_S = 86400.0


class Store:
    """A SQLite file or a PostgreSQL database. `append` and its like are for the writer's thread, reads for any."""

    def __init__(self, where: str | Path, backups: Path | None = None) -> None:
        """Open what is there, or make it; before its tables change it is kept in `backups`. UserError: it cannot be."""
        self.url = url_of(where)
        self.place = shown(self.url)
        self.engine = engine_of(self.url)
        self.insert = (sqlite if self.url.drivername == "sqlite" else postgresql).insert
        file = file_of(self.url)
        try:
            if file:
                file.parent.mkdir(parents=True, exist_ok=True)
            migrate(self.engine, lambda: backup(self.engine, backups or backups_of(self.url), "before-update"))
        except (OSError, SQLAlchemyError) as error:
            raise cannot_use(self.url, error) from error

    def append(self, received: Received, names: Names | None = None) -> bool:
        """Keep an event, and the names of the match that it starts. False: it was there already."""
        key = {"board": received.board, "log": received.log, "seq": received.seq}
        row = {**key, "boot": received.boot, "data": received.data, "received_at": received.received_at}
        with self.engine.begin() as connection:
            once = self.insert(schema.events).values(row).on_conflict_do_nothing()
            kept = connection.execute(once.returning(schema.events.c.id)).first() is not None
            if kept and names:
                connection.execute(insert(schema.names).values(**key, names=json.dumps(names)))
        return kept

    def append_evidence(self, board: str, log: int, fields: dict[str, Any]) -> None:
        """Keep what was measured for one disc of an event, instead of what is there for it."""
        key = {"board": board, "log": log, "seq": fields["seq"], "part": fields["i"]}
        said = {"measured": json.dumps(fields), "received_at": time.time()}
        row = self.insert(schema.evidence).values(**key, **said)
        with self.engine.begin() as connection:
            connection.execute(row.on_conflict_do_update(index_elements=list(key), set_=said))

    def prune(self, days: float) -> int:
        """Let evidence go that is older than so many days; how many discs' that was. Events are for ever.

        Days before the newest event: a machine whose clock says next year must not throw this year's away.
        """
        with self.engine.connect() as connection:
            newest = connection.scalar(select(func.max(schema.events.c.received_at))) or 0.0
        old = schema.evidence.c.received_at < min(time.time(), newest) - days * DAY_S
        with self.engine.begin() as connection:
            return connection.execute(delete(schema.evidence).where(old)).rowcount

    def last(self, board: str, log: int) -> int:
        """The newest sequence held of that journal, 0 for none."""
        t = schema.events.c
        with self.engine.connect() as connection:
            return connection.scalar(select(func.max(t.seq)).where(t.board == board, t.log == log)) or 0

    def latest(self) -> tuple[str, int] | None:
        """Board and journal of the event received last."""
        t = schema.events.c
        with self.engine.connect() as connection:
            row = connection.execute(select(t.board, t.log).order_by(t.id.desc()).limit(1)).first()
        return (row.board, row.log) if row else None

    def journals(self) -> list[tuple[str, int]]:
        """Board and journal of all events, in the order they first came."""
        t = schema.events.c
        query = select(t.board, t.log).group_by(t.board, t.log).order_by(func.min(t.id))
        with self.engine.connect() as connection:
            return [(row.board, row.log) for row in connection.execute(query)]

    def events(self, board: str, log: int) -> list[tuple[int, bytes]]:
        """All of a journal's events, (seq, data), in order."""
        return [(seq, data) for seq, data, _ in self.timed_events(board, log)]

    def timed_events(self, board: str, log: int) -> list[tuple[int, bytes, float]]:
        """The same with the time each was received, in seconds since 1970."""
        t = schema.events.c
        query = select(t.seq, t.data, t.received_at).where(t.board == board, t.log == log).order_by(t.seq)
        with self.engine.connect() as connection:
            return [(row.seq, row.data, row.received_at) for row in connection.execute(query)]

    def evidence(self, board: str, log: int) -> list[dict[str, Any]]:
        """What was measured for each disc of a journal's events, in order: fields of the message `evidence`."""
        t = schema.evidence.c
        query = select(t.measured).where(t.board == board, t.log == log).order_by(t.seq, t.part)
        with self.engine.connect() as connection:
            return [json.loads(measured) for measured in connection.scalars(query)]

    def names(self, board: str, log: int) -> dict[int, Names]:
        """The names of each match, by the sequence of the event that started it."""
        t = schema.names.c
        with self.engine.connect() as connection:
            rows = connection.execute(select(t.seq, t.names).where(t.board == board, t.log == log))
            return {row.seq: json.loads(row.names) for row in rows}

    def close(self) -> None:
        self.engine.dispose()
