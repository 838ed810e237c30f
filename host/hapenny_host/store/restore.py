"""Puts a backup in the place of a store, which is moved aside; nothing is ever deleted."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path

from hapenny_link.errors import UserError
from sqlalchemy import Connection, Engine, inspect, text
from sqlalchemy.exc import SQLAlchemyError

from hapenny_host.store import rows, schema
from hapenny_host.store.backup import LINES, Manifest, check, manifest_of, to_disk
from hapenny_host.store.database import NAME, engine_of, file_of, read_only, reason, shown, url_of
from hapenny_host.store.migrate import lock, upgrade

IN_USE = "{} is in use: end 'hapenny run' first"
OTHERS = text(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND application_name = :name AND pid <> pg_backend_pid()"
)


def restore(made: Path, where: str | Path) -> tuple[Manifest, str]:
    """Replace the store by the backup in folder `made`. Returns its manifest and where the old store is, "" if none.

    UserError: the backup is damaged or of a newer hapenny, or the store is in use; then nothing has changed.
    """
    url = url_of(where)
    manifest = manifest_of(made)
    check(made, manifest)
    aside = f"before_restore_{datetime.now():%Y%m%d_%H%M%S_%f}"
    file = file_of(url)
    try:
        with rows_in(made, manifest) as backed_up:
            if file:
                return manifest, into_file(file, manifest, backed_up, aside)
            return manifest, into_server(engine_of(url), manifest, backed_up, aside)
    except (OSError, sqlite3.Error, SQLAlchemyError) as error:
        raise UserError(f"cannot restore {made} to {shown(url)}: {reason(error)}") from error


@contextmanager
def rows_in(made: Path, manifest: Manifest) -> Iterator[Iterator[rows.Row]]:
    """The rows of a backup, of either form."""
    if manifest.file == LINES:
        yield rows.read(made / LINES)
        return
    engine = read_only(made / manifest.file)
    try:
        with engine.connect() as connection:
            yield rows.rows_of(connection)
    finally:
        engine.dispose()


def fill(connection: Connection, manifest: Manifest, backed_up: Iterator[rows.Row]) -> None:
    """Make the tables as they were, fill them, and bring them up to date."""
    upgrade(connection, 0, manifest.schema)
    if dict(rows.load(connection, backed_up)) != manifest.counts:
        raise UserError("the backup does not hold what its manifest says; take another")
    upgrade(connection, manifest.schema, schema.VERSION)


def into_file(file: Path, manifest: Manifest, backed_up: Iterator[rows.Row], aside: str) -> str:
    """Make the new file first, then swap it with the old one."""
    file.parent.mkdir(parents=True, exist_ok=True)
    new = file.with_name(f"{file.name}.restoring")
    new.unlink(missing_ok=True)
    engine = engine_of(url_of(new))
    try:
        with engine.begin() as connection:
            fill(connection, manifest, backed_up)
    finally:
        engine.dispose()
    alone(new)
    to_disk(new)
    kept = move_aside(file, aside) if file.exists() else ""
    new.replace(file)
    return kept


def move_aside(file: Path, aside: str) -> str:
    """Give the store another name as well; where it is then."""
    try:
        alone(file)
    except sqlite3.DatabaseError as error:
        if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
            raise UserError(IN_USE.format(f"the store {file}")) from error
        # It is damaged, which may be why one restores: what belongs to it is kept beside it.
        for beside in file.parent.glob(f"{file.name}-*"):
            beside.rename(beside.with_name(beside.name.replace(file.name, f"{file.name}.{aside}")))
    kept = file.with_name(f"{file.name}.{aside}")
    try:
        kept.hardlink_to(file)  # at no instant is there no store
    except OSError:
        file.rename(kept)
    return str(kept)


def alone(file: Path) -> None:
    """Gather everything in the one file. sqlite3.DatabaseError if somebody else has it open."""
    with closing(sqlite3.connect(file, timeout=0)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")


def into_server(engine: Engine, manifest: Manifest, backed_up: Iterator[rows.Row], aside: str) -> str:
    """All in one transaction: the tables go to a schema of the server of their own, new ones take their place."""
    try:
        with engine.begin() as connection:
            lock(connection)
            if connection.scalar(OTHERS, {"name": NAME}):
                raise UserError(IN_USE.format(f"the store {shown(engine.url)}"))
            there = set(inspect(connection).get_table_names()) & {*schema.metadata.tables, "alembic_version"}
            if there:
                connection.execute(text(f"CREATE SCHEMA {aside}"))
            for name in sorted(there):
                connection.execute(text(f"ALTER TABLE {name} SET SCHEMA {aside}"))
            fill(connection, manifest, backed_up)
        return f"schema {aside} of the same database" if there else ""
    finally:
        engine.dispose()
