"""The kernels: 32-bit range over the whole board, viper twins bit for bit, and generated twins up to date."""

import math
import os
import shutil
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import numpy as np
import pytest
from hapenny import layout
from hapenny.desktop.kernels import plain as kernels
from hapenny.finding.fit import FAR
from hapenny.finding.locate import Locator
from hapenny.finding.seek import REGION
from hapenny.kernels import words as K
from hapenny.sensing.calibration import Calibration
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ROOT = Path(__file__).parents[3]
LIMIT = 1 << 30


class Checked(int):
    """An int whose every result must stay within 31 bits, as on the board."""


def _checked(name: str):
    plain = getattr(int, name)

    def operate(self, other):
        result = plain(self, other)
        if result is NotImplemented:
            return result
        assert -LIMIT <= result < LIMIT, f"{int(self)} {name} {int(other)} leaves 31 bits"
        return Checked(result)

    return operate


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "floordiv", "rfloordiv", "lshift", "rlshift", "rshift",
              "rrshift", "mod", "rmod", "and", "rand", "or", "xor"):  # fmt: skip
    setattr(Checked, f"__{_name}__", _checked(f"__{_name}__"))
Checked.__neg__ = lambda self: Checked(-int(self))

ROWS = list(Locator(layout, Calibration(layout)).state[K.HALL_ROWS : K.HALL_ROWS + 5 * (layout.BEDS + 1)])
TABLE = [Checked(v) for v in layout.FIELD_UT]


def board(draw) -> tuple[list, list, list]:
    """A state, places and a rest, anything within all tolerances and somewhat beyond."""
    whole = st.integers
    state = [Checked(0)] * K.WORDS
    seed = draw(whole(0, 2**32))
    spread = draw(whole(0, 120))
    high = draw(st.sampled_from([50, 1500, 20000, 32000]))
    places, rest = [], []
    for k in range(layout.HALLS):
        seed = (seed * 1103515245 + 12345) % 2**31
        places += [Checked(layout.HALL_X_HMM[k] + seed % (2 * spread + 1) - spread)]
        places += [Checked(layout.HALL_Y_HMM[k] + (seed >> 8) % (2 * spread + 1) - spread)]
        places += [Checked(4096 + (seed >> 16) % 1481 - 740)]
        rest.append(Checked((seed >> 5) % (2 * high + 1) - high))
        state[K.VAR + k] = Checked(56 + (seed >> 12) % draw(st.just(4000)))
    values = {
        K.X: whole(-3000, 40000), K.Y: whole(-1000, 45000), K.MOMENT: st.sampled_from([3200, -3200, 4096, 5000, -5000]),
        K.MOMENT2: st.sampled_from([3200, 4096, 5000, -5000]), K.GAIN_ERROR: whole(7, 52), K.PLACE_ERROR: whole(6, 25),
        K.TILT_ERROR: whole(0, 30), K.LEVEL: whole(-500, 500), K.TRIES: whole(0, 3),
        K.REACH: st.sampled_from([2000, 4500, 6500]),
    }  # fmt: skip
    for at, strategy in values.items():
        state[at] = Checked(draw(strategy))
    state[K.X2] = state[K.X] + draw(whole(-4000, 4000))
    state[K.Y2] = state[K.Y] + draw(whole(-4000, 4000))
    state[K.FROM_X], state[K.FROM_Y] = state[K.X], state[K.Y]
    state[K.HALLS], state[K.PRIOR], state[K.SIGN] = Checked(layout.HALLS), Checked(160000), Checked(1)
    state[K.QUIET] = Checked(draw(whole(60, 1000)))
    state[K.ROWS_OF_HALLS] = len(ROWS) // 5
    state[K.HALL_ROWS : K.HALL_ROWS + len(ROWS)] = [Checked(number) for number in ROWS]
    return state, places, rest


@st.composite
def boards(draw):
    """Boards for hypothesis."""
    return board(draw)


SLOW = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)


@SLOW
@given(boards())
def test_fitting_one_disc_stays_within_31_bits(made):
    """Reach, predict, normal, solve and spread: every intermediate of a whole fit, anywhere, whatever is read."""
    state, places, rest = made
    kernels.fit(state, places, TABLE, rest)
    kernels.solve(state)
    state[K.REACH] = Checked(FAR)
    kernels.spread(state, places, TABLE, rest)
    kernels.level(state, rest)


@SLOW
@given(boards())
def test_fitting_two_discs_stays_within_31_bits(made):
    """Couple, touch, eliminate, solve_pair and doubt, the regret and the peak."""
    state, places, rest = made
    state[K.REACH] = Checked(6500)
    kernels.fit_pair(state, places, TABLE, rest)
    state[K.TRIES] = Checked(0)
    kernels.fit_pair(state, places, TABLE, rest)
    kernels.doubt(state)
    kernels.regret(state, places, rest)
    kernels.peak(state, rest, places)


@SLOW
@given(boards(), st.sampled_from([(900, 225, 5), (2400, 1200, 5), (5400, 2700, 5)]))
def test_searching_stays_within_31_bits(made, grid):
    """Weigh and search on the grids in use."""
    state, places, rest = made
    half, spacing, columns = grid
    state[K.REACH] = Checked(half + 3300)
    state[K.LEFT] = state[K.TOP] = Checked(-half)
    state[K.SPACING], state[K.COLUMNS], state[K.ROWS] = Checked(spacing), Checked(columns), Checked(columns)
    state[K.COARSE], state[K.SIGN] = Checked(2), Checked(0)
    kernels.reach(state, places)
    kernels.weigh(state, rest)
    kernels.search(state, TABLE)


def pair_at(x, y, x2, y2, field=None):
    """A quiet nominal board with the field of two discs (or another field), loaded for `fit_pair`."""
    locator = Locator(layout, Calibration(layout), kernels)
    state, places, rest = locator.state, locator.calibration.places, locator.rest
    for k in range(layout.HALLS):
        state[K.VAR + k] = 40
    for at, value in ((K.GAIN_ERROR, 7), (K.PLACE_ERROR, 6), (K.TILT_ERROR, 13), (K.SIGN, -1), (K.REACH, FAR)):
        state[at] = value
    for state[K.X], state[K.Y] in field or ((x, y), (x2, y2)):
        state[K.MOMENT] = 4096
        kernels.spread(state, places, layout.FIELD_UT, rest)
    state[K.X], state[K.Y], state[K.X2], state[K.Y2] = x, y, x2, y2
    state[K.MOMENT] = state[K.MOMENT2] = 4096
    for k in range(layout.HALLS):
        state[K.VAR + k] = 40
    state[K.FROM_X], state[K.FROM_Y], state[K.REACH] = (x + x2) // 2, (y + y2) // 2, 6500
    return state, places, rest


@settings(deadline=None, max_examples=60)
@given(st.integers(6000, 30000), st.integers(12000, 37000), st.floats(0, 6.3), st.integers(2200, 4400))
def test_a_pair_is_as_unsure_as_the_inverse_of_its_equations(x, y, angle, away):
    """SE_X and SE_Y against the inverse of the whole 6 x 6 matrix, neighbour's doubt and touching included."""
    state, places, rest = pair_at(x, y, x + int(away * math.cos(angle)), y + int(away * math.sin(angle)))
    state[K.TRIES] = 0
    kernels.fit_pair(state, places, layout.FIELD_UT, rest)
    whole = np.array(state[K.PAIR : K.PAIR + 42], float).reshape(6, 7)[:, :6]
    whole = np.triu(whole) + np.triu(whole, 1).T + np.diag([0, 0, state[K.PRIOR], 0, 0, state[K.PRIOR]])
    wanted = 81920 / np.sqrt(1 / np.diag(np.linalg.inv(whole))[:2])
    kernels.doubt(state)
    assert [state[K.SE_X], state[K.SE_Y]] == pytest.approx(list(wanted), rel=0.25, abs=3)  # 14 bits


@settings(deadline=None, max_examples=40)
@given(st.integers(9000, 28000), st.integers(14000, 35000), st.floats(0, 6.3), st.integers(2300, 2520))
def test_discs_that_seem_to_overlap_are_pushed_apart(x, y, angle, away):
    """Fields of two discs nearer than two discs can lie: they are found nearly a diameter apart."""
    x2, y2 = x + int(away * math.cos(angle)), y + int(away * math.sin(angle))
    state, places, rest = pair_at(x, y, x2, y2)
    state[K.TRIES] = 8
    kernels.fit_pair(state, places, layout.FIELD_UT, rest)
    apart = math.hypot(state[K.X] - state[K.X2], state[K.Y] - state[K.Y2])
    assert (2 * math.hypot(x2 - x, y2 - y) + kernels.DIAMETER) / 3 < apart < kernels.DIAMETER + 10


def test_one_disc_on_another_is_not_pushed_off_it():
    """Centres 18 mm apart: that is no disc beside another."""
    state, places, rest = pair_at(18000, 25000, 19800, 25000)
    state[K.TRIES] = 4
    kernels.fit_pair(state, places, layout.FIELD_UT, rest)
    assert abs(state[K.X2] - state[K.X] - 1800) < 30


@given(st.integers(0, 64 * 4095), st.integers(20000, 45000), st.integers(10000, 16383), st.sampled_from([16, 64]))
def test_converting_stays_within_31_bits_and_16_bits(total, zero, gain, passes):
    """Any sum of codes, any zero, any gain: the field fits a 16-bit word."""
    total = min(total, passes * 4095)
    out = [0]
    kernels.convert([Checked(total)], [Checked(1), Checked(zero), Checked(gain)], out, passes)
    assert -32000 <= out[0] <= 32000


def test_the_square_root_is_right_to_the_last_bit():
    """root(n)^2 <= n < (root(n) + 1)^2."""
    for number in [0, 1, 2, 3, 4, 99, 2**20 - 1, 2**20, 268435455]:
        found = kernels.root(number)
        assert found * found <= number < (found + 1) ** 2


def test_viper_and_plain_kernels_agree_bit_for_bit():
    """Every kernel's two twins on 200 random boards, on MicroPython's Unix port."""
    micropython = os.environ.get("HAPENNY_MICROPYTHON") or shutil.which(
        "micropython", path=os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", "")])
    )
    if not micropython:
        pytest.skip("needs MicroPython's Unix port (HAPENNY_MICROPYTHON)")
    script = ROOT / "tests" / "firmware" / "device" / "kernels_twins.py"
    environment = {**os.environ, "MICROPYPATH": str(ROOT / "firmware")}
    done = subprocess.run([micropython, "-X", "heapsize=2M", str(script)], capture_output=True, text=True,
                          env=environment, timeout=120, check=False)  # fmt: skip
    assert done.stdout.startswith("same"), done.stdout + done.stderr


@pytest.mark.parametrize(("reach", "room"), [(5400 + 3300, K.MOST), (REGION, K.SECOND)], ids=["search", "pair"])
@pytest.mark.parametrize("name", ["layout", "layout_lite"])
def test_the_blocks_have_room_for_all_that_is_listed(name, reach, room):
    """The widest search and a pair, over a grid of places, every Hall nearer than it may seem to be."""
    made = import_module(f"hapenny.{name}")
    halls = np.stack([made.HALL_X_HMM, made.HALL_Y_HMM]).T.astype(float)
    places = np.stack(np.meshgrid(np.arange(0, made.WIDTH_HMM, 50), np.arange(0, 44000, 50)), -1).reshape(-1, 1, 2)
    most = max((((halls - some) ** 2).sum(-1) < (reach + 170) ** 2).sum(1).max() for some in np.split(places, 11))
    assert most <= room
