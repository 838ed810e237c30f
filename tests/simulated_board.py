"""A board in lockstep on which a match has begun, and the game as its events make it."""

import pytest
from hapenny.rules import events
from hapenny.rules.game import Game
from hapenny_link.errors import UserError
from hapenny_sim.boards.lockstep import Lockstep


def board_with(start):
    """Yields a board that has taken the event `start`; skips the test where there is no MicroPython."""
    try:
        made = Lockstep(seed=1)
    except UserError as missing:
        pytest.skip(str(missing))
    assert made.command("event", events.encode(start)) == ""
    yield made
    made.close()


def game(board: Lockstep) -> Game:
    """The game that the board's events make."""
    played = Game()
    for received in board.sink.events:
        played.do(events.decode(received.data))
    return played
