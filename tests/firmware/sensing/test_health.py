"""Faulty channels: named, left out, taken in again; bad frames refused."""

import pytest
from hapenny import layout
from hapenny.sensing.calibration import Calibration
from hapenny.sensing.health import Health


def bare(code: int = 2048) -> tuple[list[int], list[int], list[int]]:
    halls = [code * 64 + k for k in range(layout.HALLS)]
    return halls, [380 * 16] * layout.LIGHTS, [230 * 16] * layout.LIGHTS


def made() -> tuple[Health, Calibration]:
    calibration = Calibration(layout)
    health = Health(layout, calibration)
    assert health.look(*arguments(bare())) == 0
    return health, calibration


def arguments(frame):
    halls, lit, dark = frame
    return halls, 64, lit, dark, 16


def changed(frame, hall: int | None = None, code: int = 0, step: int = 1):
    halls, lit, dark = frame
    halls = [h + step for h in halls]
    if hall is not None:
        halls[hall] = code * 64
    return halls, lit, dark


def test_a_dead_hall_is_named_left_out_and_taken_in_when_whole():
    """It reads 0: the report names bed and place; no disc is fitted to it until it reads again."""
    health, calibration = made()
    assert health.look(*arguments(changed(bare(), 47, 0))) == 1
    assert health.report() == [("Hall 8 of bed 3", "dead")]
    assert calibration.places[3 * 47 + 2] == 0
    assert health.look(*arguments(changed(bare(), step=2))) == 0
    assert calibration.places[3 * 47 + 2] == 4096


def test_a_stuck_hall_is_named():
    """A zero that no tolerance explains."""
    health, _ = made()
    health.look(*arguments(changed(bare(), 190, 2400)))
    assert health.report() == [("Hall 11 of the approach row", "stuck")]


def test_a_frozen_hall_is_named():
    """The same sum of 64 noisy readings again and again."""
    health, _ = made()
    for step in range(5):
        health.look(*arguments(changed(bare(), 12, 2050, step)))
    assert health.report() == [("Hall 13 of bed 1", "frozen")]


@pytest.mark.parametrize(("first", "alive", "place"), [(80, 0, "bed 5"), (0, 4, "bed 1"), (180, 0, "the approach row")])
def test_a_row_that_hangs_within_a_verdict_is_left_out_until_a_bare_look_finds_it_alive(first, alive, place):
    """A multiplexer of 16 suffices; and chance, which makes one Hall of 20 read the same, does not."""
    health, calibration = made()
    last = min(first + 20, layout.HALLS)
    early = [k % 7 for k in range(layout.HALLS)]
    field = [e if first <= k < last - alive or k % 20 < 5 else e + 1 for k, e in enumerate(early)]
    health.hang(field, early)
    assert health.text() == f"no call near {place}, {last - first} sensors out"
    assert [k for k in range(layout.HALLS) if not calibration.places[3 * k + 2]] == list(range(first, last))
    health.look(*arguments(changed(bare(), step=1)))
    assert health.report()[0][1] == "frozen" and health.text() == f"no call near {place}, {last - first} sensors out"
    health.hang([e + 1 for e in early], early)
    health.look(*arguments(changed(bare(), step=2)))
    assert health.text() == "ok" and all(calibration.places[2::3])


@pytest.mark.parametrize("value", [-27000, 27000])
def test_halls_that_come_to_a_rail_are_left_out_at_once(value):
    """Until a bare look finds them whole; a disc brings none there; most of them at once are no frame."""
    health, calibration = made()
    field = [0] * layout.HALLS
    field[5], field[100], field[101], field[120] = 15000, value, value, -15000
    health.rail(field)
    assert [name for name, why in health.report() if why == "dead"] == ["Hall 1 of bed 6", "Hall 2 of bed 6"]
    assert [k for k in range(layout.HALLS) if not calibration.places[3 * k + 2]] == [100, 101]
    assert health.text() == "no call near Hall 2 of bed 6, 2 sensors out"
    health.look(*arguments(changed(bare())))
    assert health.text() == "ok" and calibration.places[3 * 100 + 2] == 4096
    health.rail([value] * layout.HALLS)
    assert health.text() == "ok"


def test_dirty_and_blocked_segments_are_named_and_judge_no_line():
    """Less than three quarters of what it showed clean; nothing at all."""
    health, calibration = made()
    halls, lit, dark = changed(bare())
    lit[20], lit[59] = (230 + 90) * 16, 231 * 16
    health.look(halls, 64, lit, dark, 16)
    assert health.report() == [("segment 3 of line 4", "dirty"), ("segment 6 of line 10", "blocked")]
    assert not calibration.usable[20] and calibration.usable[21]


@pytest.mark.parametrize(("dead", "place"), [
    ((47, 48, 49), "Hall 10 of bed 3"), ((47, 67), "Hall 8 of bed 4"), ((189, 190), "Hall 11 of the approach row"),
])  # fmt: skip
def test_dead_neighbours_degrade_their_region(dead, place):
    """One sentence names the place where nothing is called, and every sensor stands in the report."""
    health, _ = made()
    frame = changed(bare())
    for k in dead:
        frame[0][k] = 0
    assert health.look(*arguments(frame)) == len(dead)
    assert health.text() == f"no call near {place}, {len(dead)} sensors out" and len(health.report()) == len(dead)
    health.look(*arguments(changed(bare(), step=2)))
    assert health.text() == "ok"


def test_any_dead_hall_and_any_dirty_segment_are_named_together():
    """Each by a name of its own; the Hall is left out, the segment decides no line."""
    names = set()
    for k in range(layout.HALLS):
        health, calibration = made()
        halls, lit, dark = changed(bare(), k, 0)
        lit[k % layout.LIGHTS] = (230 + 90) * 16
        health.look(halls, 64, lit, dark, 16)
        (hall, dead), (segment, dirty) = health.report()
        assert (dead, dirty) == ("dead", "dirty") and health.text() == f"{hall} dead, 2 sensors out"
        assert calibration.places[3 * k + 2] == 0 and not calibration.usable[k % layout.LIGHTS]
        names |= {hall, segment}
    assert len(names) == layout.HALLS + layout.LIGHTS


def test_dead_halls_far_apart_degrade_nothing():
    """Ends of neighbouring rows follow each other in number only."""
    health, _ = made()
    frame = changed(bare())
    frame[0][39] = frame[0][40] = 0
    health.look(*arguments(frame))
    assert health.text() == "Hall 20 of bed 2 dead, 2 sensors out"


def test_a_frame_of_another_board_is_refused():
    """One sentence with both numbers."""
    health, _ = made()
    with pytest.raises(ValueError, match="has 100 Halls"):
        health.check([0] * 100, [0] * 60, [0] * 60)
    health.check(*bare())


def test_a_common_step_means_tare_again():
    """Steel came near, or the table was moved."""
    health, _ = made()
    assert health.moved(80) and health.moved(-80) and not health.moved(20)
