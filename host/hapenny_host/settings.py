"""The configuration file: one TOML file. Defaults apply without it, and its comments stay when it is changed."""

import os
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import platformdirs
from hapenny_link.errors import UserError

# A new file: every setting with its default, commented out.
TEMPLATE = """\
# How this machine runs hapenny. To change a setting, take the # from its line and edit the value.
# Options on the command line override this file. `hapenny config` shows what applies.

[run]
# boards = ["unix:"]       # or "serial:", "serial:SERIALNUMBER", "socket://HOST:PORT"
# address = "127.0.0.1"    # "0.0.0.0" shows the pages to the whole house
# port = 8080

[store]
# at = ""                  # a file, or "postgresql://USER@HOST/DATABASE"; empty: hapenny's own folder
# backups = ""             # a folder; empty: beside the store
# evidence_days = 365      # how long what the sensors measured is kept, 0: for ever
"""


@dataclass(frozen=True)
class RunSettings:
    """What `hapenny run` serves, and where."""

    boards: list[str] = field(default_factory=lambda: ["unix:"])
    address: str = "127.0.0.1"
    port: int = 8080


@dataclass(frozen=True)
class StoreSettings:
    """Where the store and its backups are, "" for the default places, and how long evidence is kept."""

    at: str = ""
    backups: str = ""
    evidence_days: int = 365

    def place(self, said: str | None = None) -> str | Path:
        """The store: a file, or a server's URL. `said`, from the command line, overrides it."""
        at = said or self.at
        if not at:
            return Path(platformdirs.user_data_dir("hapenny", appauthor=False)) / "hapenny.sqlite"
        return at if "://" in at else Path(at).expanduser()

    def backups_folder(self) -> Path | None:
        """Where backups go, None: beside the store."""
        return Path(self.backups).expanduser() if self.backups else None


@dataclass(frozen=True)
class Settings:
    """Every setting of the file."""

    run: RunSettings = field(default_factory=RunSettings)
    store: StoreSettings = field(default_factory=StoreSettings)


def default_path() -> Path:
    """Where the file is unless you name another."""
    return Path(platformdirs.user_config_dir("hapenny", appauthor=False)) / "hapenny.toml"


def load(path: Path | None = None) -> Settings:
    """The settings of the file; the defaults without one. UserError names the line or the key that is wrong."""
    place = path or default_path()
    try:
        said = tomllib.loads(place.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        if path:
            raise UserError(f"there is no configuration file {place}") from error
        return Settings()
    except (OSError, ValueError) as error:
        raise UserError(f"the configuration file {place} cannot be read: {error}") from error
    return understood(said, place)


def understood(said: dict[str, Any], place: Path) -> Settings:
    """The settings of the parsed file. UserError: there is no such key, or the value does not fit."""
    settings = Settings()
    for room, values in said.items():
        part = getattr(settings, room, None)
        if part is None or not isinstance(values, dict):
            raise UserError(f"{place}: {unknown(room, [part.name for part in fields(Settings)])}")
        known = [key.name for key in fields(part)]
        for key, value in values.items():
            if key not in known:
                raise UserError(f"{place}: {unknown(f'{room}.{key}', [f'{room}.{name}' for name in known])}")
            check(place, f"{room}.{key}", value, getattr(part, key))
        settings = replace(settings, **{room: replace(part, **values)})
    return settings


def unknown(key: str, known: list[str]) -> str:
    """Say that there is no such key, and which was meant."""
    near = get_close_matches(key, known, 1)
    advice = f"did you mean '{near[0]}'?" if near else f"there are {', '.join(known)}"
    return f"there is no setting '{key}'; {advice}"


KINDS = {str: 'a text in "quotes"', int: "a whole number", list: 'a list of texts, ["like", "this"]'}
RANGES = {"run.port": range(1, 65536), "store.evidence_days": range(36501)}


def check(place: Path, key: str, value: Any, normal: Any) -> None:
    """UserError if the value is of another kind than its default, or out of range."""
    texts = not isinstance(value, list) or (value and all(isinstance(item, str) for item in value))
    if type(value) is not type(normal) or not texts:
        raise UserError(f"{place}: {key} is {KINDS[type(normal)]}, not {value!r}")
    allowed = RANGES.get(key)
    if allowed and value not in allowed:
        raise UserError(f"{place}: {key} is from {allowed[0]} to {allowed[-1]}, not {value}")


def all_of(settings: Settings) -> Iterator[tuple[str, Any]]:
    """(key, value) of every setting."""
    for room in fields(settings):
        part = getattr(settings, room.name)
        yield from ((f"{room.name}.{key.name}", getattr(part, key.name)) for key in fields(part))


def change(path: Path, key: str, word: str) -> None:
    """Change a setting in the file, which is created if missing. UserError: it cannot be; nothing changes."""
    import tomlkit

    room, _, name = key.partition(".")
    known = dict(all_of(Settings()))
    if key not in known:
        raise UserError(unknown(key, list(known)))
    if path.exists():
        load(path)  # first complain of what is wrong already
    document = tomlkit.parse(path.read_text(encoding="utf-8") if path.exists() else TEMPLATE)
    document.setdefault(room, tomlkit.table())[name] = value_of(word, known[key])
    text = tomlkit.dumps(document)
    understood(tomllib.loads(text), path)
    write(path, text)


def value_of(word: str, normal: Any) -> Any:
    """What was typed, as a value of the same kind as the default."""
    if isinstance(normal, list):
        return [part.strip() for part in word.split(",") if part.strip()]
    return int(word) if isinstance(normal, int) and word.strip().isdecimal() else word


def write(path: Path, text: str) -> None:
    """Replace the whole file at once. Only its owner may read it, because a store's URL may hold a password."""
    new = path.with_name(f"{path.name}.new")
    path.parent.mkdir(parents=True, exist_ok=True)
    with new.open("w", encoding="utf-8") as file:
        new.chmod(0o600)
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    new.replace(path)
