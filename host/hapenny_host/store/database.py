"""Opens the database, a SQLite file or a PostgreSQL server, or says in one sentence why it cannot."""

from importlib.util import find_spec
from pathlib import Path
from typing import Any

from hapenny_link.errors import UserError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

WAIT_S = 10  # for a file that somebody else is writing to, or a server that does not answer
NAME = "hapenny"  # by which a server knows our connections
KINDS = "a store is a file, or postgresql://USER@HOST/DATABASE"
POSTGRES = ("postgres", "postgresql", "postgresql+psycopg")
# A server confirms only what is on its disk, and when it is gone we do not wait for ever.
SERVER = {
    "application_name": NAME,
    "options": "-c synchronous_commit=on",
    "connect_timeout": WAIT_S,
    "keepalives_idle": WAIT_S,
    "tcp_user_timeout": WAIT_S * 1000,
}


def url_of(where: str | Path) -> URL:
    """The URL of a file, or of a PostgreSQL database. UserError for any other."""
    if "://" not in str(where):
        return URL.create("sqlite", database=str(where))
    kind = str(where).partition(":")[0]
    if kind not in POSTGRES:
        raise UserError(f"there is no store of the kind '{kind}:'; {KINDS}")
    if not find_spec("psycopg"):
        raise UserError("PostgreSQL needs 'psycopg', which is not installed: pip install 'hapenny[postgres]'")
    try:
        url = make_url(str(where))
    except (ArgumentError, ValueError):
        url = URL.create(kind)
    if not url.database:  # the URL may hold a password, so it is not repeated
        raise UserError(f"the store's URL cannot be read; {KINDS}")
    return url.set(drivername="postgresql+psycopg")


def shown(url: URL) -> str:
    """The store's place for people, without a password."""
    if url.drivername == "sqlite":
        return url.database or ""
    return url.set(drivername="postgresql").render_as_string(hide_password=True)


def engine_of(url: URL) -> Engine:
    """An engine whose commits are on disk when they return. It opens nothing yet."""
    if url.drivername != "sqlite":
        return create_engine(url, connect_args=SERVER, pool_pre_ping=True)
    made = create_engine(url, connect_args={"timeout": WAIT_S})

    @event.listens_for(made, "connect")
    def ready(connection: Any, record: Any) -> None:
        connection.isolation_level = None  # we say BEGIN ourselves, so that a change of tables is undone like any other
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")

    @event.listens_for(made, "begin")
    def begin(connection: Connection) -> None:
        connection.exec_driver_sql("BEGIN")

    return made


def existing(where: str | Path) -> Engine:
    """The engine of a store that is there. UserError if it is not, or cannot be reached."""
    url = url_of(where)
    file = file_of(url)
    if file and not file.is_file():
        raise UserError(f"there is no store {file}; name another with --store")
    engine = engine_of(url)
    try:
        with engine.connect() as connection:
            connection.execute(text("SELECT 1"))
    except (OSError, SQLAlchemyError) as error:
        raise cannot_use(url, error) from error
    return engine


def read_only(file: Path) -> Engine:
    """The engine of a SQLite file that nobody changes: nothing is written beside it either."""
    query = {"mode": "ro", "immutable": "1", "uri": "true"}
    return create_engine(URL.create("sqlite", database=file.absolute().as_uri(), query=query))


def file_of(url: URL) -> Path | None:
    """The file of a SQLite store, None for a server."""
    return Path(url.database or "") if url.drivername == "sqlite" else None


def cannot_use(url: URL, error: Exception) -> UserError:
    """The error for a store that cannot be opened."""
    return UserError(f"cannot use the store {shown(url)}: {reason(error)}; name another with --store")


def reason(error: Exception) -> str:
    """What the database or the disk said, in one line without SQL."""
    said = getattr(error, "orig", None) or getattr(error, "strerror", None) or error
    return " ".join(str(said).split())
