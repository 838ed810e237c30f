"""Reading a TOML table strictly: every key known, every value of its type, and errors that say where."""

import re
from collections.abc import Callable
from decimal import ROUND_FLOOR, Decimal
from typing import Any

from hapenny_link.errors import UserError


class Place:
    """Where in a file a value stands, for error messages."""

    def __init__(self, file: str, path: str = "", line: int | None = None) -> None:
        self.file, self.path, self.line = file, path, line

    def at(self, key: str) -> "Place":
        return Place(self.file, f"{self.path}.{key}" if self.path else key, self.line)

    def wrong(self, text: str) -> UserError:
        line = f":{self.line}" if self.line else ""
        where = f"{self.path}: " if self.path else ""
        return UserError(f"{self.file}{line}: {where}{text}")


Check = Callable[[Any, Place], Any]


def table(value: Any, place: Place, keys: dict[str, Check], needed: tuple[str, ...] = ()) -> dict[str, Any]:
    """A table whose keys are all in `keys`, each value as its check returns it. UserError otherwise."""
    if not isinstance(value, dict):
        raise place.wrong("must be a table")
    for key in value:
        if key not in keys:
            raise place.wrong(f"unknown key '{key}'; known: {', '.join(keys)}")
    for key in needed:
        if key not in value:
            raise place.wrong(f"needs the key '{key}'")
    return {key: keys[key](item, place.at(key)) for key, item in value.items()}


def text(value: Any, place: Place) -> str:
    if not isinstance(value, str):
        raise place.wrong("must be a string")
    return value


def flag(value: Any, place: Place) -> bool:
    if not isinstance(value, bool):
        raise place.wrong("must be true or false")
    return value


def whole(low: int, high: int) -> Check:
    """A check for whole numbers from `low` to `high`."""

    def check(value: Any, place: Place) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise place.wrong(f"must be a whole number from {low} to {high}")
        return value

    return check


def one_of(*values: Any) -> Check:
    """A check for one of a few values."""

    def check(value: Any, place: Place) -> Any:
        if not any(value == known and type(value) is type(known) for known in values):
            raise place.wrong(f"is {value!r}; must be one of {', '.join(str(known) for known in values)}")
        return value

    return check


def listing(item: Check, length: int | None = None) -> Check:
    """A check for an array, each item by `item`."""

    def check(value: Any, place: Place) -> list[Any]:
        if not isinstance(value, list):
            raise place.wrong("must be an array")
        if length is not None and len(value) != length:
            raise place.wrong(f"must have {length} items, not {len(value)}")
        return [item(each, place.at(str(number))) for number, each in enumerate(value, 1)]

    return check


def hundredths(value: Any, place: Place) -> int:
    """Millimetres as whole hundredths, halves up."""
    if isinstance(value, bool) or not isinstance(value, int | Decimal) or not Decimal(value).is_finite():
        raise place.wrong("must be a number of millimetres")
    if abs(Decimal(value)) > 1_000_000:
        raise place.wrong("is nowhere near the board")
    return int((Decimal(value) * 100 + Decimal("0.5")).to_integral_value(ROUND_FLOOR))


def step_lines(source: str) -> list[int]:
    """The line numbers of the `[[step]]` headers."""
    return [n for n, line in enumerate(source.splitlines(), 1) if re.match(r"\s*\[\[\s*step\s*\]\]", line)]
