"""`hapenny bench firmware` on the Unix port: all keys, and nothing allocated from scan to pegs."""

import tomllib
from pathlib import Path

import pytest
from hapenny_link.errors import UserError
from hapenny_sim.bench import firmware

pytestmark = pytest.mark.slow
BUDGETS = tomllib.loads((Path(__file__).parents[3] / "firmware" / "budgets.toml").read_text())


@pytest.fixture(scope="module")
def figures():
    from hapenny_sim.boards.unix import interpreter

    try:
        interpreter()
    except UserError as missing:
        pytest.skip(str(missing))
    said = []
    found = firmware.measure("unix", say=said.append)
    return found, said


def test_every_key_is_there_and_every_part_gave_a_sign_of_life(figures):
    found, said = figures
    assert set(firmware.KEYS) <= set(found)
    assert said == list(firmware.PARTS)
    report = firmware.report(found)
    assert str(found["locate5_us"]) in report and "[" not in report and "  mm  places (x y): 99." in report


def test_scan_to_pegs_allocates_nothing_with_the_collector_off(figures):
    """Locating, following, judging five discs; the whole cycle while discs move and come to rest."""
    found, _ = figures
    names = ("locate_alloc", "follow_alloc", "judge_alloc", "alloc_per_cycle")
    limit = BUDGETS["memory"]["alloc_per_cycle"]
    assert {name: found[name] for name in names} == dict.fromkeys(names, limit)


def test_an_unknown_target_or_part_is_refused_in_a_sentence():
    for target in ("pico", "emulated:thawed", "unix:frozen"):
        with pytest.raises(UserError, match=f"no target '{target}'.* emulated:frozen, "):
            firmware.measure(target)
    with pytest.raises(UserError, match="no part 'legs'"):
        firmware.steps("unix", ("legs",))
    with pytest.raises(UserError, match="no part 'legs'"):
        firmware.measure("unix", ("legs",))
