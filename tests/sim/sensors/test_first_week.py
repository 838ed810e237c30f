"""The first week in a pub: each thing that happens there, with its right answer, through the device's own code."""

import numpy as np
import pytest
from hapenny.finding.judge import Judge
from hapenny.finding.locate import SATURATED, Locator
from hapenny.rules import geometry
from hapenny.sensing.health import Health
from hapenny_sim.sensors.build import BUILDS, NO_DISCS, Board, DiscSet
from hapenny_sim.sensors.compiled import COMPILED
from hapenny_sim.sensors.taught import tare, teach
from hapenny_sim.studies.accuracy import Bench, Settings, layout_of
from hapenny_sim.studies.calls import mistaken

LAYOUT = layout_of("standard")


class Pub:
    """A tared, swept board with discs at known places; `look` is one verdict."""

    def __init__(self, seed: int = 1) -> None:
        self.board = Board(LAYOUT, BUILDS["good"], seed)
        self.calibration = teach(self.board, LAYOUT, "swept", seed)
        self.health = Health(LAYOUT, self.calibration)
        tare(self.board, self.calibration, self.health)
        self.locator = Locator(LAYOUT, self.calibration, COMPILED)
        self.judge = Judge(LAYOUT, self.calibration, COMPILED)
        self.discs = DiscSet(BUILDS["good"], 5, seed)

    def look(self, scene: np.ndarray, hands=()) -> list[int]:
        halls, lit, dark = (np.zeros(n, np.int32) for n in (LAYOUT.HALLS, LAYOUT.LIGHTS, LAYOUT.LIGHTS))
        field = np.zeros(LAYOUT.HALLS, np.int16)
        self.board.halls(scene, 64, halls)
        self.board.light(scene, 16, lit, dark, hands)
        self.lit, self.dark = lit, dark
        self.calibration.field(halls, 64, field)
        self.locator.forget()
        self.locator.find(field, 64)
        self.judge.judge(self.locator, lit, dark, 16)
        return list(self.judge.verdict[: self.locator.count])

    def bed(self, which: int, x: float, bed: int) -> np.ndarray:
        """A disc in the middle of a bed."""
        return self.discs.scene([which], [x], [117.475 + 31.75 * (bed - 1)])


@pytest.fixture(scope="module")
def pub() -> Pub:
    return Pub()


@pytest.fixture(autouse=True)
def whole(pub: Pub):
    """Every test starts with a whole, tared, bare board."""
    pub.board.faults.clear()
    for _ in range(3):
        tare(pub.board, pub.calibration, pub.health)


def test_an_empty_board_has_no_disc(pub: Pub):
    """Nothing lies there, nothing is found."""
    assert pub.look(NO_DISCS) == []


def test_warm_up_drift_between_tares_calls_nothing_wrong(pub: Pub):
    """Ten minutes of drift without a tare: a disc in a bed is still in it."""
    pub.board.advance(600.0)
    assert pub.look(pub.bed(0, 150.0, 5)) == [5]


def test_a_moved_table_or_a_steel_frame_asks_for_a_tare(pub: Pub):
    """All channels step together: health says so, and after a tare all is well."""
    pub.board.faults.common_ut = 150.0
    pub.look(pub.bed(0, 150.0, 5))
    assert pub.health.moved(pub.locator.level_ut)
    for _ in range(3):
        tare(pub.board, pub.calibration, pub.health)
    assert pub.look(pub.bed(0, 150.0, 5)) == [5]
    assert not pub.health.moved(pub.locator.level_ut)


def test_a_phone_on_the_board_is_never_a_bed(pub: Pub):
    """Strong magnets 8 mm up: nothing scores there; a disc far away still does."""
    phone = pub.discs.scene([1, 2], [250.0, 262.0], [150.0, 158.0], None, [False, True], 6.0)
    phone[:, 3] *= 6.0
    phone[:, 9] = 0.1
    pub.board.faults.things = [phone]
    pub.look(pub.bed(0, 60.0, 8))
    near = [pub.judge.verdict[i] for i in range(pub.locator.count) if pub.locator.y_hmm[i] < 25000]
    far = [pub.judge.verdict[i] for i in range(pub.locator.count) if pub.locator.y_hmm[i] >= 25000]
    assert all(verdict > LAYOUT.BEDS for verdict in near) and far == [8]


def test_a_plain_coin_is_seen_by_light_alone(pub: Pub):
    """No magnet: no disc, no verdict, but `plain` says that something covers a line: a person is asked."""
    coin = pub.discs.scene([1], [200.0], [197.0])
    coin[:, 3] = 0.0
    assert pub.look(coin) == []
    assert pub.judge.plain(pub.locator, pub.lit, pub.dark, 16) >= 1
    pub.look(pub.bed(0, 200.0, 4))
    assert pub.judge.plain(pub.locator, pub.lit, pub.dark, 16) == 0


def test_a_disc_of_another_set_is_a_doubt(pub: Pub):
    """A weaker magnet by half is no disc of ours."""
    stranger = pub.bed(1, 180.0, 6)
    stranger[:, 3] *= 0.5
    assert all(verdict in (geometry.DOUBTED, geometry.STACKED) for verdict in pub.look(stranger))


def test_a_flipped_disc_counts_like_any_other(pub: Pub):
    """The magnet is at mid-thickness: the field changes its sign, the place stays."""
    assert pub.look(pub.discs.scene([0], [150.0], [244.475], None, [True])) == [5]


@pytest.mark.parametrize(("near_mm", "code"), [(4, 4095), (35, 4095), (35, 0)])
def test_a_hall_at_a_rail_makes_the_disc_beside_it_a_doubt(pub: Pub, near_mm, code):
    """Since the tare: no magnet of ours brings it there; a disc far away keeps its bed."""
    scene = np.vstack([pub.bed(0, 150.0, 5), pub.bed(1, 200.0, 9)])
    away = np.hypot(np.array(LAYOUT.HALL_X_HMM) / 100 - 150 - near_mm, np.array(LAYOUT.HALL_Y_HMM) / 100 - 244.475)
    pub.board.faults.stuck[int(away.argmin())] = code
    verdicts = pub.look(scene)
    flags, high = pub.locator.flags, [y > 35000 for y in pub.locator.y_hmm[: pub.locator.count]]
    assert any(flags[i] & SATURATED for i in range(len(high)))
    assert all(verdicts[i] > LAYOUT.BEDS for i in range(len(high)) if not high[i])
    assert high.count(True) == 1 and verdicts[high.index(True)] == 9 and not flags[high.index(True)] & SATURATED


def test_a_hall_that_was_left_out_saturates_nothing(pub: Pub):
    """It was dead at the tare and reads again: what it says counts for nothing until the next tare."""
    pub.board.faults.dead = {int(np.abs(np.array(LAYOUT.HALL_X_HMM[:20]) - 15000).argmin())}
    tare(pub.board, pub.calibration, pub.health)
    pub.board.faults.clear()
    assert pub.look(pub.bed(0, 150.0, 1)) == [1]
    assert not pub.locator.flags[0]


def test_discs_that_spun_badly_are_stated_less_surely(pub: Pub):
    """What the spin test showed of the magnets is part of a disc's standard error, across a row away from it."""
    scene, learned = pub.bed(0, 150.0, 5), pub.calibration.magnet_um
    scene[0, 1] += 9.0
    errors = []
    for pub.calibration.magnet_um in (0, 250, learned):
        pub.look(scene)
        errors.append(pub.locator.se_y_um[0])
    assert errors[1] > errors[2] > errors[0] and errors[1] > 250


def test_a_hand_over_the_board_is_a_hand(pub: Pub):
    """The verdict waits."""
    pub.look(pub.bed(0, 100.0, 3), hands=[(200.0, 300.0, 70.0)])
    assert pub.judge.hand(pub.locator, pub.lit, pub.dark, 16)
    pub.look(pub.bed(0, 100.0, 3))
    assert not pub.judge.hand(pub.locator, pub.lit, pub.dark, 16)


def test_beer_over_a_line_leaves_the_halls_to_judge(pub: Pub):
    """Segments that it dims are named; a disc well inside a bed keeps its bed."""
    pub.board.faults.dirty.update({20: 0.3, 21: 0.4})
    tare(pub.board, pub.calibration, pub.health)
    assert {name for name, _ in pub.health.report()} == {"segment 3 of line 4", "segment 4 of line 4"}
    assert pub.look(pub.bed(0, 180.0, 4)) == [4]


def test_chalk_in_a_slot_is_named_or_tared_out(pub: Pub):
    """It shines: the segment is not used for lines until it is clean."""
    pub.board.faults.chalk[20] = 0.2
    tare(pub.board, pub.calibration, pub.health)
    assert pub.health.report() == [("segment 3 of line 4", "dirty")]
    assert pub.look(pub.bed(0, 165.0, 4)) == [4]


def test_a_sagging_charger_dims_every_segment_and_no_line_is_called_by_light(pub: Pub):
    """Emitters at 60 %: segments are left out, the board says so, beds in the clear are still judged."""
    pub.board.faults.rail_sag = 0.4
    tare(pub.board, pub.calibration, pub.health)
    assert len(pub.health.report()) > 50
    assert pub.look(pub.bed(0, 165.0, 4)) == [4]


def test_three_dead_neighbours_call_nothing_wrong():
    """Fifty turns on a board with three dead Halls side by side."""
    bench = Bench(Settings(calibration="swept", seed=3, dead=3))
    rows = np.vstack([bench.turn() for _ in range(50)])
    assert not mistaken(rows).any()
