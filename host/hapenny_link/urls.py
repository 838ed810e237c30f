"""Opens the board that a URL names: the schemes, and the function that opens each."""

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import entry_points

from hapenny_link.board import Board
from hapenny_link.errors import UserError

Opener = Callable[[str], Board]

GROUP = "hapenny.boards"  # other packages add schemes by entry points of this group: `scheme = "module:function"`
OURS = {
    "unix": "hapenny_sim.boards.unix:open_board",
    "emulated": "hapenny_sim.boards.emulated:open_board",
    "serial": "hapenny_link.transports.serial:open_board",
    "socket": "hapenny_link.transports.socket:open_board",
    "replay": "hapenny_link.transports.replay:open_board",
}


def schemes() -> dict[str, str]:
    """scheme -> "module:function", for every scheme that can be opened."""
    added = {point.name: point.value for point in entry_points(group=GROUP)}
    return added | OURS


def open_board(url: str) -> Board:
    """Open the board that the URL names. UserError says what is wrong with the URL, or what is missing."""
    scheme = scheme_of(url)
    return opener(scheme, schemes()[scheme])(url)


def scheme_of(url: str) -> str:
    """The URL's scheme. UserError if no board has it."""
    known = schemes()
    scheme, colon, _ = url.partition(":")
    if not colon or scheme not in known:
        names = ", ".join(name + ":" for name in sorted(known))
        raise UserError(f"there is no board '{url}': a board's URL begins with one of {names}")
    return scheme


def opener(scheme: str, where: str) -> Opener:
    """Import the function of a scheme. Imported only now: a pub with a real board needs no simulator."""
    module, _, name = where.partition(":")
    try:
        return getattr(import_module(module), name)
    except ImportError as missing:
        extra = "sim" if module.startswith("hapenny_sim") else "host"
        raise UserError(
            f"boards '{scheme}:' need '{missing.name}', which is not installed: pip install 'hapenny[{extra}]'"
        ) from missing
