"""Copies the store into a dated folder, with a manifest that describes the copy and checks it."""

import hashlib
import json
import os
import shutil
import sqlite3
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict, dataclass
from datetime import datetime
from pathlib import Path

import platformdirs
from hapenny_link.errors import UserError
from sqlalchemy import URL, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from hapenny_host.store import rows
from hapenny_host.store.database import file_of, read_only, reason, shown
from hapenny_host.store.migrate import refuse_newer, version

MANIFEST = "manifest.json"
KIND = "hapenny store"
SQLITE, LINES = "store.sqlite", "store.jsonl"  # the two forms that a copy can have


@dataclass(frozen=True)
class Manifest:
    """What a copy of a store is."""

    kind: str
    made_at: str  # local time, ISO 8601
    store: str  # what it is a copy of
    schema: int
    file: str  # beside the manifest
    sha256: str
    counts: dict[str, int]  # rows by table

    def words(self) -> str:
        """For a person: how much it holds, from when."""
        return f"{self.counts.get('events', 0)} events, kept {self.made_at[:16].replace('T', ' ')}"


def backups_of(url: URL) -> Path:
    """The default folder of a store's backups."""
    file = file_of(url)
    home = file.absolute().parent if file else Path(platformdirs.user_data_dir("hapenny", appauthor=False))
    return home / "backups"


def backup(engine: Engine, folder: Path, why: str = "") -> Path:
    """Copy the store, while others use it, into a new folder in `folder`; its path. UserError: it cannot be done."""
    copy, name = (copy_file, SQLITE) if file_of(engine.url) else (copy_lines, LINES)
    try:
        made = fresh(folder, why)
        try:
            finish(engine, made, name, copy(engine, made / name))
        except BaseException:
            shutil.rmtree(made, ignore_errors=True)  # half a copy is useless
            raise
    except (OSError, sqlite3.Error, SQLAlchemyError) as error:
        raise UserError(f"cannot back up {shown(engine.url)} to {folder}: {reason(error)}") from error
    return made


def fresh(folder: Path, why: str = "") -> Path:
    """A new folder in `folder` that only we may read, named by the time."""
    stamp = datetime.now().strftime("%Y-%m-%d_%H-%M-%S") + (f"_{why}" if why else "")
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, 1000):
        made = folder / (stamp if number == 1 else f"{stamp}_{number}")
        if not made.exists():
            made.mkdir(mode=0o700)
            return made
    raise FileExistsError(f"{folder / stamp} is there already")


def copy_file(engine: Engine, out: Path) -> dict[str, int]:
    """Copy a SQLite store by SQLite's own backup, which sees one moment of it; rows by table."""
    with closing(sqlite3.connect(file_of(engine.url) or "")) as source, closing(sqlite3.connect(out)) as target:
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, without others beside it
        (verdict,) = target.execute("PRAGMA quick_check").fetchone()
        if verdict != "ok":
            raise sqlite3.DatabaseError(f"the store is damaged ({verdict})")
    copy = read_only(out)
    try:
        return count(copy)
    finally:
        copy.dispose()


def copy_lines(engine: Engine, out: Path) -> dict[str, int]:
    """Copy a store as JSON lines, all of one moment; rows by table."""
    level = {} if file_of(engine.url) else {"isolation_level": "REPEATABLE READ"}
    with engine.connect().execution_options(**level) as connection, out.open("wb") as file:
        return dict(rows.write(rows.rows_of(connection), file))


def count(engine: Engine) -> dict[str, int]:
    """Rows by table."""
    with engine.connect() as connection:
        found = {t.name: connection.scalar(select(func.count()).select_from(t)) for t in rows.tables_of(connection)}
    return {name: number for name, number in found.items() if number}


def finish(engine: Engine, made: Path, file: str, counts: dict[str, int]) -> None:
    """Flush the copy to disk, then write its manifest. A copy without one does not count."""
    with engine.connect() as connection:
        number = version(connection)
    now = datetime.now().astimezone().isoformat(timespec="seconds")
    manifest = Manifest(KIND, now, shown(engine.url), number, file, hash_of(made / file), counts)
    to_disk(made / file)
    (made / MANIFEST).write_text(json.dumps(asdict(manifest), indent=2) + "\n", encoding="utf-8")
    to_disk(made / MANIFEST)


def to_disk(path: Path) -> None:
    """Wait until the file is on the disk."""
    with path.open("rb+") as file:
        os.fsync(file.fileno())


def hash_of(path: Path) -> str:
    """The file's SHA-256."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def manifest_of(made: Path) -> Manifest:
    """The manifest of a backup. UserError: it is no backup, or a newer hapenny made it."""
    try:
        manifest = Manifest(**json.loads((made / MANIFEST).read_text(encoding="utf-8")))
    except OSError as error:
        raise UserError(f"{made} is no backup: {MANIFEST}: {reason(error)}") from error
    except (ValueError, TypeError) as error:
        raise UserError(f"{made} is no backup: its {MANIFEST} cannot be read") from error
    if manifest.kind != KIND or manifest.file not in (SQLITE, LINES):
        raise UserError(f"{made} is no backup of a hapenny store")
    refuse_newer(manifest.schema, f"the backup {made}")
    return manifest


def check(made: Path, manifest: Manifest) -> None:
    """UserError if the copy has changed since it was made."""
    try:
        same = hash_of(made / manifest.file) == manifest.sha256
    except OSError as error:
        raise UserError(f"the backup {made} cannot be read: {manifest.file}: {reason(error)}") from error
    if not same:
        raise UserError(f"the backup {made} is damaged: {manifest.file} is not what its manifest says; take another")


def listed(folder: Path) -> Iterable[tuple[Path, str]]:
    """Every backup in the folder, the oldest first, and what it is in words."""
    for made in sorted(path.parent for path in folder.glob(f"*/{MANIFEST}")):
        try:
            yield made, manifest_of(made).words()
        except UserError as error:
            yield made, str(error)
