"""Brings a store's tables up to date, under a lock, after a backup, all or nothing."""

from collections.abc import Callable

from hapenny_link.errors import UserError
from sqlalchemy import Connection, Engine, inspect, text

from hapenny_host.store import schema
from hapenny_host.store.database import shown

MIGRATIONS = "hapenny_host.store:migrations"
LOCK = 0x6861706E  # a number of our own among a server's advisory locks


def version(connection: Connection) -> int:
    """The schema of what is there, 0 if nothing is."""
    if inspect(connection).has_table("alembic_version"):
        number = connection.scalar(text("SELECT version_num FROM alembic_version"))
        return int(number) if str(number).isdigit() else 0
    if connection.dialect.name == "sqlite":  # a file from before there were migrations has only this
        return connection.exec_driver_sql("PRAGMA user_version").scalar_one()
    return 0


def migrate(engine: Engine, backup: Callable[[], object]) -> None:
    """Make the tables, or change them; `backup` is called before anything is changed. UserError: a newer schema."""
    with engine.connect() as connection:
        if checked(engine, connection) == schema.VERSION:
            return
    with engine.begin() as connection:
        lock(connection)
        found = checked(engine, connection)  # another program may have been first
        if found and found < schema.VERSION:
            backup()
        upgrade(connection, found, schema.VERSION)


def checked(engine: Engine, connection: Connection) -> int:
    """The schema of what is there. UserError if a newer hapenny made it."""
    found = version(connection)
    refuse_newer(found, f"the store {shown(engine.url)}")
    return found


def refuse_newer(found: int, what: str) -> None:
    """UserError if this hapenny does not know that schema."""
    if found > schema.VERSION:
        raise UserError(
            f"{what} was written by a newer hapenny (schema {found}, this one knows {schema.VERSION}): "
            "update hapenny, or name another"
        )


def lock(connection: Connection) -> None:
    """Let nobody else change tables until this transaction ends."""
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("COMMIT")  # what has only read so far begins again as a writer
        connection.exec_driver_sql("BEGIN IMMEDIATE")
    else:
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": LOCK})


def upgrade(connection: Connection, found: int, wanted: int) -> None:
    """Go from one schema to a later one, in the connection's transaction."""
    from alembic import command  # a host that starts does without, unless it has something to do
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", MIGRATIONS)
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    if found and not inspect(connection).has_table("alembic_version"):
        command.stamp(config, f"{found:04}")
    command.upgrade(config, f"{wanted:04}")
    if connection.dialect.name == "sqlite":  # a hapenny from before there were migrations looks at this
        connection.exec_driver_sql(f"PRAGMA user_version = {wanted}")
