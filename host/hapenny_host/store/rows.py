"""The store's tables as JSON lines, one a row: what exports hold, and how a store goes from one database to another."""

import json
from base64 import b64decode, b64encode
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from hapenny_link.errors import UserError
from sqlalchemy import Connection, MetaData, Table, insert, select

from hapenny_host.store import schema

AT_ONCE = 1000  # rows on their way

Row = tuple[str, dict[str, Any]]  # the name of its table, its columns


def tables_of(connection: Connection) -> list[Table]:
    """Our tables as they are there, which may be an older schema."""
    there = MetaData()
    there.reflect(connection, only=lambda name, _: name in schema.metadata.tables)
    return [there.tables[name] for name in sorted(there.tables)]


def rows_of(connection: Connection) -> Iterator[Row]:
    """Every row of the store in the order it came. `id` only says that order, so it is left out."""
    for table in tables_of(connection):
        columns = [column for column in table.c if column.name != "id"]
        query = select(*columns).order_by(table.c.id).execution_options(yield_per=AT_ONCE)
        for row in connection.execute(query).mappings():
            yield table.name, dict(row)


def write(rows: Iterable[Row], out: BinaryIO) -> Counter[str]:
    """Write a line for each row; how many that is by table."""
    counts: Counter[str] = Counter()
    for name, row in rows:
        out.write(json.dumps({"table": name, **row}, default=in_base64).encode() + b"\n")
        counts[name] += 1
    return counts


def in_base64(data: bytes) -> dict[str, str]:
    """Bytes as JSON can say them."""
    return {"base64": b64encode(data).decode()}


def read(path: Path) -> Iterator[Row]:
    """The rows that `write` wrote. UserError names the line that is none."""
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                row = json.loads(line)
                name = row.pop("table")
                yield name, {column: from_base64(value) for column, value in row.items()}
            except (ValueError, LookupError, AttributeError, TypeError) as error:
                raise UserError(f"{path}, line {number}: this is no row of a store") from error


def from_base64(value: Any) -> Any:
    """The value as it was before JSON."""
    return b64decode(value["base64"]) if isinstance(value, dict) else value


def load(connection: Connection, rows: Iterable[Row]) -> Counter[str]:
    """Put rows into the empty tables that are there; how many that is by table."""
    tables = {table.name: table for table in tables_of(connection)}
    counts: Counter[str] = Counter()
    for name, some in in_batches(rows):
        if name not in tables:
            raise UserError(f"a store has no table '{name}'")
        connection.execute(insert(tables[name]), some)
        counts[name] += len(some)
    return counts


def in_batches(rows: Iterable[Row]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """A few rows at a time, all of one table."""
    of, some = "", []
    for name, row in rows:
        if some and (name != of or len(some) == AT_ONCE):
            yield of, some
            some = []
        of = name
        some.append(row)
    if some:
        yield of, some
