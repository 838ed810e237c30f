"""A board in lockstep does the same every time, however busy the machine is: what a scenario says, it says again."""

import itertools
from types import SimpleNamespace

import pytest
from emulator import image_or_skip
from hapenny import layout
from hapenny_link.errors import UserError
from hapenny_sim.boards.lockstep import Lockstep
from hapenny_sim.boards.table import SimulatedTable


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


@pytest.mark.xdist_group("emulated")
def test_a_step_of_the_emulated_board_ends_by_its_own_time(monkeypatch):
    """On a computer that is ever so slow, too: what the chip does next must not depend on it."""
    image = image_or_skip()
    from hapenny_sim.boards.emulated_machine import STEP_NS, EmulatedBoard

    board = EmulatedBoard(SimulatedTable(layout), image, [])
    monkeypatch.setattr("time.monotonic", itertools.count().__next__)
    for _ in range(20):
        board.step()
    monkeypatch.undo()
    assert 20 <= board.now_s / (STEP_NS / 1e9) < 25
