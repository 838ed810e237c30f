"""The first week in a pub, through the whole firmware on a simulated board: never a silent score."""

import numpy as np
import pytest
from hapenny import layout_lite
from hapenny.keeping.slots import Store
from hapenny.rules import events, setup
from hapenny.scorer import SHOVED, UNTOUCHED
from hapenny.sensing.calibration import Calibration
from hapenny_link.errors import LinkDown
from hapenny_sim.boards.lockstep import Lockstep
from hapenny_sim.sensors import hall
from simulated_board import board_with, game

MIDDLE = (184.0, 117.475 + 4 * 31.75)  # of bed 5


@pytest.fixture
def board():
    """A match has begun; nobody has shoved."""
    yield from board_with(setup.FRIENDLY)


def shoved(board: Lockstep) -> int:
    return sum(events.decode(received.data)[0] == events.SHOVE for received in board.sink.events)


def test_a_disc_that_a_child_puts_down_is_no_shove(board):
    """It did not come from the front: nothing scores, no shove is spent."""
    before = game(board).state.shoves_left
    board.table.put(MIDDLE)
    board.advance(3)
    assert shoved(board) == 0 and game(board).state.shoves_left == before


def test_a_disc_that_waits_to_be_shoved_is_part_of_no_zero(board):
    """It lies before the approach row, and is not played yet; moved away, nothing is stuck and nothing lies there."""
    board.table.put((174.0, 16.0))
    board.advance(3)
    board.table.carry({0: MIDDLE})
    board.advance(3)
    assert board.picture.health == "ok"
    assert [disc.verdict for disc in board.picture.discs] == ["5"]


def test_a_cannon_that_the_board_did_not_see_as_a_shove_is_one_when_people_say_so(board):
    """Discs lie otherwise and the board asks: the answer makes a shove of it, every disc as it lies now."""
    board.table.shove(184.0, 1.0)
    board.rest()
    (before,) = board.table.discs()
    board.table.put((before[0] - 60, 200.0))
    board.advance(3)
    board.table.carry({0: (before[0] + 40, before[1] + 30)})
    board.advance(3)
    assert board.picture.state == "asking" and shoved(board) == 1
    assert board.command("answer", bytes([SHOVED])) == ""
    board.advance(1)
    played = game(board)
    assert board.picture.state == "rest" and shoved(board) == 2 and played.state.shoves_left == 3
    for disc, place in zip(played.state.discs, board.table.discs(), strict=True):
        assert (disc[0] / 100, disc[1] / 100) == pytest.approx(place, abs=1.0)


def test_discs_that_moved_by_themselves_are_played_on_with_when_people_say_so(board):
    """A knock on the table: no turn is lost and nothing to be chosen; the next shove takes them as they lie."""
    board.table.shove(184.0, 1.0)
    board.rest()
    (before,) = board.table.discs()
    board.table.carry({0: (before[0] + 8, before[1])})
    board.advance(3)
    assert board.picture.state == "asking"
    assert board.command("answer", bytes([UNTOUCHED])) == ""
    board.table.shove(60.0, 1.0)
    board.rest()
    played = game(board)
    assert played.state.shoves_left == 3 and board.picture.state == "rest"
    assert played.state.discs[0][0] / 100 == pytest.approx(before[0] + 8, abs=1.0)


def test_a_steel_coin_is_no_disc(board):
    """Magnetised a little, by a magnet in somebody's pocket: too weak for a disc of ours, and nothing is shoved."""
    coin = board.table.set.scene([0], [MIDDLE[0]], [MIDDLE[1]])
    coin[:, 3] *= 0.2
    board.table.sensors.faults.things = [coin]
    board.advance(3)
    assert shoved(board) == 0
    assert all(disc.verdict == "doubt" for disc in board.picture.discs)


def test_a_hall_that_dies_is_named_at_the_next_tare_and_the_board_plays_on(board):
    """Its bed and place stand in the status; a shove still counts."""
    board.table.sensors.faults.dead = {57}
    board.table.put(MIDDLE)
    board.advance(2)
    board.table.clear()
    board.advance(3)
    assert board.picture.health == "Hall 18 of bed 3 dead"
    before = len(board.sink.events)
    board.table.shove(184.0, 1.0)
    board.rest()
    assert len(board.sink.events) > before


def test_three_dead_neighbours_are_said_and_nothing_is_called_there(board):
    """The status says where nothing is called; a disc amid it is a doubt, and one elsewhere is called."""
    board.table.sensors.faults.dead = {88, 89, 90}  # of bed 5, about its middle
    board.table.put(MIDDLE)
    board.advance(2)
    board.table.clear()
    board.advance(3)
    assert board.picture.health == "no call near Hall 11 of bed 5, 3 sensors out"
    board.table.put(MIDDLE)
    board.advance(3)
    assert [disc.verdict for disc in board.picture.discs] == ["doubt"]
    far = (MIDDLE[0], 117.475)
    board.table.carry({0: far})
    board.advance(4)
    assert [disc.verdict for disc in board.picture.discs] == ["1"]


def test_sensors_that_all_stand_still_are_said_and_score_nothing_until_they_are_back(board):
    """The same frame again and again: no shove is told from it; what lay before is still on record afterwards."""
    board.table.shove(184.0, 1.0)
    board.rest()
    played = len(board.sink.events)
    (seen,) = board.picture.discs
    board.table.sensors.faults.frozen = True
    board.advance(0.5)
    assert board.picture.state == "frozen"
    board.table.shove(100.0, 1.1)
    board.advance(4)
    assert len(board.sink.events) == played and board.picture.discs == (seen,)
    assert board.command("tare") == "not_allowed"
    board.table.take_off(1)
    board.advance(2)
    board.table.sensors.faults.frozen = False
    board.advance(1)
    (disc,) = board.picture.discs
    assert (board.picture.state, board.picture.health, disc.x_mm, disc.y_mm) == ("rest", "ok", seen.x_mm, seen.y_mm)
    assert len(board.sink.events) == played
    board.table.shove(100.0, 1.1)
    board.rest()
    assert shoved(board) == 2 and len(game(board).state.discs) == 2


def test_sensors_that_stand_still_during_a_shove_score_it_when_they_are_back(board):
    """Where the disc was seen last is not where it rests: it is looked for again, and counted once."""
    board.table.shove(184.0, 1.0)
    board.advance(0.35)
    assert board.picture.state == "moving"
    board.table.sensors.faults.frozen = True
    board.advance(3)
    assert board.picture.state == "frozen" and shoved(board) == 0
    board.table.sensors.faults.frozen = False
    board.rest()
    (disc,) = game(board).state.discs
    assert shoved(board) == 1 and board.picture.health == "ok"
    assert board.table.discs()[0] == pytest.approx((disc[0] / 100, disc[1] / 100), abs=2.0)


def test_sensors_that_stand_still_when_power_comes_give_no_zero(board):
    """A board that has never seen itself bare waits for sensors that live."""
    for path in board.board.folder.glob("zero.*"):
        path.unlink()
    board.table.sensors.faults.frozen = True
    board.board.power_cut()
    with pytest.raises(LinkDown) as down:
        board.transport.read(0)
    board.conversation.restart(str(down.value))
    board.transport.open()
    board.advance(3)
    assert board.picture.state == "frozen" and not list(board.board.folder.glob("zero.*"))
    board.table.sensors.faults.frozen = False
    board.rest()
    assert board.picture.health == "ok" and list(board.board.folder.glob("zero.*"))


def test_a_moved_table_is_tared_again_and_scores_nothing(board):
    """A step of all Halls: take every disc off; then it is as before."""
    board.table.put(MIDDLE)
    board.advance(2)
    events_before = len(board.sink.events)
    board.table.sensors.faults.common_ut = 150.0
    board.advance(3)
    assert board.picture.health == "not_bare" and len(board.sink.events) == events_before
    board.table.clear()
    board.advance(3)
    assert board.picture.health == "ok"


def logged(board: Lockstep) -> list[str]:
    return [fields["text"] for name, fields in board.sink.messages if name == "log"]


def test_a_corrupt_calibration_is_said_and_the_board_plays_without_it(board):
    """One flipped byte in both slots: the log says so, and doubt is wide."""
    for name in ("calibration.a", "calibration.b"):
        path = board.board.folder / name
        if path.exists():
            data = bytearray(path.read_bytes())
            data[len(data) // 2] ^= 1
            path.write_bytes(bytes(data))
    board.power_cut()
    assert board.conversation.state.calibration == "0"
    assert logged(board) == ["no calibration; sweep the board again with `hapenny calibrate`"]
    board.table.put(MIDDLE)
    board.advance(3)
    assert len(board.picture.discs) == 1 and board.picture.discs[0].se_mm > 0.1
    assert not np.isnan(board.picture.discs[0].x_mm)


def test_a_calibration_of_another_layout_is_said_and_not_used(board):
    """As it would be after a flash of the wrong layout: the log says so, and doubt is wide."""
    Store(str(board.board.folder / "calibration")).save(Calibration(layout_lite).encode())
    board.power_cut()
    assert board.conversation.state.calibration == "0"
    assert logged(board) == ["the calibration is for another layout; sweep the board again with `hapenny calibrate`"]
    board.table.put(MIDDLE)
    board.advance(3)
    assert len(board.picture.discs) == 1 and board.picture.discs[0].se_mm > 0.1


@pytest.mark.parametrize("code", [0, 4095])
def test_sensors_that_all_hang_at_a_rail_never_score(board, code):
    """A reference voltage gone in mid turn: what lies there is asked for or not seen, the status says why."""
    board.table.shove(184.0, 1.0)
    board.rest()
    before = len(board.sink.events)
    board.table.sensors.faults.stuck = dict.fromkeys(range(196), code)
    board.advance(4)
    board.table.shove(100.0, 1.0)
    board.advance(6)
    assert len(board.sink.events) == before
    assert board.picture.state == "frozen"


def row(bed: int, halls: int = 20) -> range:
    return range(20 * bed - 20, min(196, 20 * bed - 20 + halls))


@pytest.mark.parametrize(("halls", "code", "place"), [
    (row(5), 0, "bed 5"), (row(5), 4095, "bed 5"), (row(5), None, "bed 5"), (row(3, 16), None, "bed 3"),
])  # fmt: skip
def test_a_row_whose_cable_breaks_in_mid_turn_is_said_and_nothing_is_called_there(board, halls, code, place):
    """At a rail, or at what it read last, all of it or one multiplexer's 16: the discs of that row are seen by the rows
    beside it, and are questions from then on; none is lost or called; what lies elsewhere is called; it comes back."""
    bed = halls[0] // 20 + 1
    middle = 117.475 + 31.75 * (bed - 1)
    board.table.shove(100.0, 0.98 if bed == 5 else 0.81)
    board.rest()
    sums = np.zeros(196, np.int32)
    board.table.sensors.halls(board.table.scene(), 1, sums)
    board.table.sensors.faults.stuck = {k: int(sums[k]) if code is None else code for k in halls}
    board.advance(1)
    assert code is None or board.picture.health != "ok"  # what stands still may pass for a board at rest, or not
    board.table.shove(250.0, 1.13)
    board.rest()
    assert board.picture.health == f"no call near {place}, 20 sensors out"
    near, far = board.picture.discs
    assert abs(near.y_mm - middle) < 16 and near.verdict == "doubt" and far.verdict not in ("doubt", str(bed))
    discs = game(board).state.discs
    assert shoved(board) == 2 and [disc[2] & events.DOUBT for disc in discs] == [events.DOUBT, 0]
    board.table.clear()
    board.advance(3)
    assert board.picture.health == f"no call near {place}, 20 sensors out" and not board.picture.discs
    board.table.sensors.faults.stuck = {}
    board.table.put((184.0, 117.475 + 31.75 * (bed + 1)))
    board.advance(2)
    board.table.clear()
    board.advance(3)
    assert board.picture.health == "ok"


def test_a_third_of_the_sensors_frozen_is_named_and_left_out(board):
    """One ADC stands still: its Halls read the same to the last bit; they are left out, and near them all is doubt."""
    offsets = board.table.sensors._sensors[:, hall.OFFSET]
    board.table.sensors.faults.stuck = {k: round(2048 + offsets[k]) for k in range(60, 120)}
    board.table.put((184.0, 117.5))
    board.advance(2)
    assert board.picture.health == "no call near bed 6, 60 sensors out"
    board.table.clear()
    board.advance(2)
    board.table.shove(184.0, 1.0)
    board.rest()
    assert not any(disc.verdict in ("4", "5", "6") for disc in board.picture.discs)
