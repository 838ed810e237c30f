"""A call that people see to be wrong, put right on a simulated board, and held by the firmware against its sensors."""

import pytest
from hapenny.desktop import agree
from hapenny.rules import events, geometry
from hapenny_host.match.wrong_calls import correction
from hapenny_sim.boards.lockstep import Lockstep
from simulated_board import board_with, game


@pytest.fixture
def board():
    """A match has begun in which a disc over the side is dead."""
    yield from board_with(agree.start("encyclopedia", (1, 1)))


def people_say(board: Lockstep, disc: int, verdict: int) -> None:
    code, wanted = correction(game(board), disc, verdict)
    assert code == ""
    for event in wanted:
        assert board.command("event", events.encode(event)) == ""


@pytest.mark.parametrize(("x_mm", "called", "said"), [(43.5, "wide", 4), (46.5, "4", geometry.WIDE)])
def test_alive_or_dead_as_people_say_it_stays_so_at_the_next_shoves(board, x_mm, called, said):
    """The sensors see it 1.5 mm off that at every look; no question comes of it, and the others count as they lie."""
    board.table.shove(x_mm, 0.9)
    board.rest()
    assert [disc.verdict for disc in board.picture.discs] == [called]
    people_say(board, 0, said)
    if said == geometry.WIDE:
        board.table.take_off(0)
        board.rest()
    for n in (1, 2):
        board.table.shove(100.0 + 60 * n, 0.9)
        board.rest()
        assert [disc.verdict for disc in board.picture.discs][-n:] == ["4"] * n and board.picture.state == "rest"
    state = game(board).state
    alive = [geometry.verdict(*disc[:2]) for disc in state.discs]
    assert alive == ([] if said == geometry.WIDE else [said]) + [4, 4] and state.shoves_left == 2
