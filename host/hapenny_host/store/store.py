"""Opens, reads and fills the store; every write is on disk when it returns."""

import json
from pathlib import Path
from typing import Any

import platformdirs
from hapenny_link.conversation import Received
from hapenny_link.errors import UserError
from sqlalchemy import Engine, create_engine, event, func, insert, select
from sqlalchemy.exc import DBAPIError

from hapenny_host.store import schema

Names = list[list[str]]


def default_path() -> Path:
    """Where the store is if nobody says otherwise."""
    return Path(platformdirs.user_data_dir("hapenny", appauthor=False)) / "hapenny.sqlite"


class Store:
    """SQLite in WAL mode with synchronous=FULL. `append` and its like are for the writer's thread, reads for any."""

    def __init__(self, path: Path) -> None:
        """Open the file, or make it. UserError says what is wrong with it."""
        self.path = path
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self.engine = engine(path)
            self.prepare()
        except (OSError, DBAPIError) as error:
            reason = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
            raise UserError(f"cannot use the store {path}: {reason}; name another with --store PATH") from error

    def prepare(self) -> None:
        """Make the tables; a store of a newer hapenny is left alone."""
        with self.engine.begin() as connection:
            version = connection.exec_driver_sql("PRAGMA user_version").scalar_one()
            if version > schema.VERSION:
                raise UserError(
                    f"the store {self.path} was written by a newer hapenny (schema {version}, this one knows "
                    f"{schema.VERSION}): update hapenny, or name another with --store PATH"
                )
            schema.metadata.create_all(connection)
            connection.exec_driver_sql(f"PRAGMA user_version = {schema.VERSION}")

    def append(self, received: Received, names: Names | None = None) -> bool:
        """Keep an event, and the names of the match that it starts. False: it was there already."""
        key = {"board": received.board, "log": received.log, "seq": received.seq}
        row = {**key, "boot": received.boot, "data": received.data, "received_at": received.received_at}
        with self.engine.begin() as connection:
            kept = connection.execute(insert(schema.events).prefix_with("OR IGNORE").values(row)).rowcount
            if kept and names:
                connection.execute(insert(schema.names).values(**key, names=json.dumps(names)))
        return bool(kept)

    def append_evidence(self, board: str, log: int, fields: dict[str, Any]) -> None:
        """Keep what was measured for one disc of an event."""
        row = {"board": board, "log": log, "seq": fields["seq"], "part": fields["i"], "measured": json.dumps(fields)}
        with self.engine.begin() as connection:
            connection.execute(insert(schema.evidence).prefix_with("OR REPLACE").values(row))

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

    def events(self, board: str, log: int) -> list[tuple[int, bytes]]:
        """All of a journal's events, (seq, data), in order."""
        t = schema.events.c
        query = select(t.seq, t.data).where(t.board == board, t.log == log).order_by(t.seq)
        with self.engine.connect() as connection:
            return [(row.seq, row.data) for row in connection.execute(query)]

    def names(self, board: str, log: int) -> dict[int, Names]:
        """The names of each match, by the sequence of the event that started it."""
        t = schema.names.c
        with self.engine.connect() as connection:
            rows = connection.execute(select(t.seq, t.names).where(t.board == board, t.log == log))
            return {row.seq: json.loads(row.names) for row in rows}

    def close(self) -> None:
        self.engine.dispose()


def engine(path: Path) -> Engine:
    """An engine whose every connection commits to the disk itself."""
    made = create_engine(f"sqlite:///{path}", connect_args={"timeout": 10})

    @event.listens_for(made, "connect")
    def pragmas(connection: Any, record: Any) -> None:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")

    return made
