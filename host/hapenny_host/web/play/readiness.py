"""Whether people may shove a disc now, and if not, why."""

from hapenny_link.board import Table

from hapenny_host.boards.misplaced import leftovers_lie, may_play_on
from hapenny_host.boards.opponent import Opponent
from hapenny_host.boards.state import BoardState
from hapenny_host.boards.table_hand import is_cleared


def why_no_shove(state: BoardState, table: Table | None, opponent: Opponent, moving: bool) -> str:
    """Why no disc may be shoved now, "" if one may. `moving`: discs of the table still slide."""
    match = state.match
    if not state.link.connected:
        return "Waiting for the board"
    if match.number == 0 or match.winner >= 0:
        return "Start a match"
    if match.preset == "darts":
        return "This match is played with darts"
    if opponent.is_in_turn(state) and "clear" not in match.asks:
        return opponent.doing(match.player)
    return what_comes_first(state, table, moving)


def what_comes_first(state: BoardState, table: Table | None, moving: bool) -> str:
    """What has to happen before people shove, "" if nothing."""
    match = state.match
    if state.picture.state == "waiting":
        return "The board is looking"
    if moving or state.picture.state in ("moving", "hand", "frozen"):
        return "Let the discs come to rest"
    if state.picture.state == "asking" and "clear" not in match.asks:
        return "First answer the question"
    if "clear" in match.asks:
        cleared = is_cleared(table) and not may_play_on(state, table)
        return "The board is looking" if cleared else "Take the discs off first"
    if leftovers_lie(state):
        return "Take the discs off first"
    if match.shoves_left == 0 and "nine" not in match.asks:
        return "The turn is not settled yet"
    if table and table.in_hand() == 0:
        return "All discs are on the board"
    return ""
