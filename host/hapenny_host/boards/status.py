"""What is wrong with a board, in one sentence for people."""

from hapenny_link.conversation import Disc

from hapenny_host.boards.state import BoardState

NOT_BARE = "not_bare"  # the board's fault while its sensors have no zero
FROZEN = "frozen"  # the board's state while its sensor readings do not change


def trouble(state: BoardState) -> str:
    """Why there is no board, "" if there is one."""
    return "" if state.link.connected else state.link.trouble or "nobody answers"


def ailment(state: BoardState) -> str:
    """What is wrong with a connected board, "" if nothing is."""
    health = state.picture.health
    if not state.link.connected:
        return ""
    if state.picture.state == FROZEN:
        return "The board's sensors have stopped: nothing counts until they are back. If it lasts, pull its plug once"
    if health == "ok":
        return ""
    if health == NOT_BARE:
        return "Take every disc off: the board has to see itself bare once"
    near = health.removeprefix("no call near ")
    if near == health:
        return f"not whole: {health}"
    place, _, more = near.partition(", ")
    return f"it asks people about every disc near {place}" + (f" ({more})" if more else "")


def urgent(state: BoardState) -> str:
    """What stops play until somebody acts, "" if nothing does."""
    stopped = state.picture.health == NOT_BARE or state.picture.state == FROZEN
    return state.alarm or (ailment(state) if stopped else "")


def visible_discs(state: BoardState) -> list[Disc]:
    """The discs as the board sees them, or while it is away as the game remembers them."""
    if state.link.connected:
        return list(state.picture.discs)
    return [Disc(d["x"], d["y"], d["verdict"], 0, 0, 0) for d in state.match.discs]
