"""The commands for the store: `backup`, `restore`, `export`, `prune`; and `config` for the configuration file."""

from __future__ import annotations

import re
from contextlib import closing
from pathlib import Path
from typing import Annotated

import typer
from hapenny_link.errors import UserError

from hapenny_host import settings

# Slow imports stand inside the commands, so that `hapenny --help` is quick.

Config = Annotated[Path | None, typer.Option("--config", help="The configuration file.")]
Where = Annotated[str | None, typer.Option("--store", help="A file, or postgresql://USER@HOST/DATABASE.")]


def backup(
    folder: Annotated[Path | None, typer.Argument(help="Where backups go; by default beside the store.")] = None,
    store: Where = None,
    config: Config = None,
) -> None:
    """Copy the store into a new dated folder, even while `hapenny run` uses it."""
    from hapenny_host.store import backup as backups
    from hapenny_host.store.database import existing

    said = settings.load(config).store
    engine = existing(said.place(store))
    made = backups.backup(engine, folder or said.backups_folder() or backups.backups_of(engine.url))
    engine.dispose()
    typer.echo(f"{made}: {backups.manifest_of(made).words()}")


def restore(
    folder: Annotated[Path | None, typer.Argument(help="A backup or an export; without it, a list.")] = None,
    store: Where = None,
    config: Config = None,
) -> None:
    """Replace the store by a backup. The store before is kept under another name."""
    from hapenny_host.store import backup as backups
    from hapenny_host.store.database import url_of
    from hapenny_host.store.restore import restore as put_back

    said = settings.load(config).store
    place = said.place(store)
    if folder is None:
        there = said.backups_folder() or backups.backups_of(url_of(place))
        for made, words in backups.listed(there):
            typer.echo(f"{made}: {words}")
        typer.echo("Choose one: hapenny restore FOLDER" if any(backups.listed(there)) else f"no backups in {there}")
        return
    manifest, aside = put_back(folder, place)
    typer.echo(f"Restored: {manifest.words()}." + (f" The store before is {aside}." if aside else ""))


def export(
    folder: Annotated[Path, typer.Argument(help="A new folder.")], store: Where = None, config: Config = None
) -> None:
    """Write everything out as CSV for spreadsheets, as JSON, and as lines that `restore` reads."""
    from hapenny_host.store.database import existing
    from hapenny_host.store.export import export as write_out
    from hapenny_host.store.store import Store

    said = settings.load(config).store
    existing(said.place(store)).dispose()
    with closing(Store(said.place(store), said.backups_folder())) as kept:
        typer.echo(f"{write_out(kept, folder)}: {', '.join(sorted(path.name for path in folder.iterdir()))}")


def prune(
    days: Annotated[int | None, typer.Option(min=1, max=36500, help="How many days to keep.")] = None,
    store: Where = None,
    config: Config = None,
) -> None:
    """Delete old sensor evidence, as `hapenny run` does daily. Events, and so scores, stay for ever."""
    from hapenny_host.store.database import existing
    from hapenny_host.store.store import Store

    said = settings.load(config).store
    days = days or said.evidence_days
    if not days:
        raise UserError("store.evidence_days keeps evidence for ever; name another time with --days N")
    existing(said.place(store)).dispose()
    with closing(Store(said.place(store), said.backups_folder())) as kept:
        gone = kept.prune(days)
    typer.echo(f"{gone} measurements older than {days} days are gone; every event is still there.")


def config(
    key: Annotated[str | None, typer.Argument(help="What to change, for example store.evidence_days.")] = None,
    value: Annotated[str | None, typer.Argument(help="Its new value; several boards with commas between.")] = None,
    config: Config = None,
) -> None:
    """Show what the configuration file says, or change it. Its comments stay."""
    path = config or settings.default_path()
    if key and value is None:
        raise UserError(f"a value is missing: hapenny config {key} VALUE")
    if key and value is not None:
        settings.change(path, key, value)
    there = path.exists()
    typer.echo(f"{path}{'' if there else ' (not there; these values apply)'}")
    for name, holds in settings.all_of(settings.load(path) if there else settings.Settings()):
        shown = ", ".join(holds) if isinstance(holds, list) else hidden(str(holds))
        typer.echo(f"  {name:22} {shown}")


def hidden(said: str) -> str:
    """A value without the password that a URL may hold."""
    return re.sub(r"(://[^:/@]*):[^@]*@", r"\1:***@", said)
