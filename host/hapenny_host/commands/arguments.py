"""Options that several commands share."""

from importlib import import_module
from typing import Annotated, Any

import typer
from hapenny_link.errors import UserError

LAYOUTS = {"standard": "hapenny.layout", "lite": "hapenny.layout_lite"}

BoardUrl = Annotated[str, typer.Option(help="The board's URL: unix: serial: socket://HOST:PORT")]
Layout = Annotated[str, typer.Option(help="standard or lite.")]


def layout_module(name: str) -> Any:
    """The tables of a layout. UserError if there is no such layout."""
    if name not in LAYOUTS:
        raise UserError(f"there is no layout '{name}'; say standard or lite")
    return import_module(LAYOUTS[name])
