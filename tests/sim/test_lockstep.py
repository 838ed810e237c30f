"""A board in lockstep does the same every time, however busy the machine is: what a scenario says, it says again."""

from types import SimpleNamespace

import pytest
from hapenny_link.errors import UserError
from hapenny_sim.boards.lockstep import Lockstep


@pytest.fixture
def board():
    try:
        made = Lockstep(seed=1)
    except UserError as missing:
        pytest.skip(str(missing))
    yield made
    made.close()


def test_the_host_looks_only_while_the_firmware_waits_for_an_answer(board):
    """Firmware and host are two processes; if both ran at once, what a line meets would depend on who is faster."""
    order, sensors, look = [], board.board.sensors, board.conversation.tick

    def recv(count):
        data = sensors.recv(count)
        order.append("asked")
        return data

    def sendall(data):
        order.append("answered")
        sensors.sendall(data)

    def tick(now_s):
        order.append("looked")
        return look(now_s)

    board.board.sensors = SimpleNamespace(recv=recv, sendall=sendall, close=sensors.close)
    board.conversation.tick = tick
    board.advance(0.3)
    looks = [n for n, what in enumerate(order) if what == "looked"]
    assert len(looks) > 20
    assert all((order[n - 1], order[n + 1]) == ("asked", "answered") for n in looks)
