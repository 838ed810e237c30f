"""Players: spread, levels, and an opponent that finds the shove worth most."""

import math
from importlib import import_module

import numpy as np
import pytest
from hapenny.desktop import agree
from hapenny.rules import events, geometry
from hapenny.rules.game import Game
from hapenny_link.errors import UserError
from hapenny_sim.boards.table import SimulatedTable
from hapenny_sim.physics import Physics, Rest, Shove, simulate
from hapenny_sim.physics.batch import play
from hapenny_sim.players import (
    LEVELS,
    PLACED,
    SPREADS,
    STEADY_M_S,
    Gains,
    Player,
    aim_at,
    bed_middle_mm,
    beds,
    needed,
    opening_aim,
    placed,
    plan,
    speed_for,
)


def match(marks=None):
    game = Game()
    assert not game.do(agree.start("encyclopedia", (1, 1), {"order": "given"}, marks=marks)).refused
    return game


@pytest.mark.parametrize("name", LEVELS)
def test_levels_place_as_many_discs_as_they_say(name):
    """A beginner, a regular and a county player put as many of five discs into a bed as PLACED states, within 0.15."""
    assert placed(Player.level(name), turns=3000, seed=7) == pytest.approx(PLACED[name], abs=0.15)


def test_spread_is_what_skill_says():
    """Speeds scatter by the skill and the hand's own unsteadiness, angles and spins in proportion; a perfect player
    hits the aim.
    """
    aim = Shove(184.0, 6.0, 1.0, 2.0, 5.0)
    rows = Player("", 0.02).spread(aim, 4000, np.random.default_rng(1))
    assert rows[:, 2].std() == pytest.approx(0.02 * math.hypot(1.0, STEADY_M_S), rel=0.05)
    assert rows[:, 3].std() == pytest.approx(0.02 * SPREADS["direction_deg"], rel=0.05)
    assert Player("", 0.0).shove(aim, np.random.default_rng(1)) == aim


def test_gentle_shoves_are_hard_too():
    """A county player gets a gentle shove into bed 1 right more often than one into bed 9, but by far not always."""
    player, hits = Player.level("county"), []
    for bed in (1, 9):
        rows = player.spread(aim_at(184.15, bed_middle_mm(bed), Physics()), 4000, np.random.default_rng(1))
        played = play(rows[:, None, :], Physics())
        hits.append((beds(played.x_mm[:, 0], played.y_mm[:, 0]) == bed).mean())
    assert 0.4 < hits[1] < hits[0] < 0.87


def test_aims_come_to_rest_where_they_aim():
    """A perfect shove rests within 0.2 mm of its aim, on a plain and on a grained, tilted board."""
    for physics in (Physics(), Physics(friction=0.25, friction_across=0.2, tilt_far_deg=0.3)):
        rest = simulate([], aim_at(184.15, bed_middle_mm(5), physics), physics).final[0]
        assert (rest.x_mm, rest.y_mm) == pytest.approx((184.15, bed_middle_mm(5)), abs=0.2)
    assert speed_for(337.03) == pytest.approx(1.15, abs=1e-3)


def test_beds_are_those_of_the_rules():
    """The verdicts for arrays are the engine's."""
    rng = np.random.default_rng(3)
    x, y = rng.integers(0, 36830, 5000), rng.integers(0, 61000, 5000)
    words = [geometry.verdict(int(a), int(b)) for a, b in zip(x, y, strict=True)]
    assert (beds(x / 100, y / 100) == [word if word <= 9 else 0 for word in words]).all()


def test_gains_are_the_engines():
    """A needed bed is worth a mark, a full one costs the gift, the last mark is worth the win."""
    full = [3, 3, 3, 3, 3, 3, 3, 3, 2]
    game = match({0: full, 1: [0] * 9})
    spot = {bed: (18415, round(bed_middle_mm(bed) * 100)) for bed in (1, 9)}
    gains = Gains(game)
    assert gains.value([spot[9]]) == 1 + Gains.WIN
    assert gains.value([spot[1]]) == pytest.approx(-Gains.GIFT)
    assert gains.value([]) == 0.0
    assert needed(game) == [9]


def test_plan_goes_for_the_last_bed():
    """With one bed open the opponent aims there, and past the disc that lies in the way."""
    game = match({0: [3, 3, 3, 3, 3, 3, 0, 3, 3], 1: [0] * 9})
    lying = [Rest(184.15, 120.0)]
    assert not game.do(events.shove([events.disc(18415, 12000)])).refused
    aim = plan(lying, game, Player.level("county"), seed=3)
    path = simulate(lying, aim)
    ends = [beds(np.array(f.x_mm), np.array(f.y_mm)) for f in path.final]
    assert 7 in ends
    assert aim == plan(lying, game, Player.level("county"), seed=3)


def test_bad_players_are_refused():
    """Unknown levels and impossible skills: a ValueError naming what is allowed."""
    with pytest.raises(ValueError, match="county"):
        Player.level("champion")
    with pytest.raises(ValueError, match="skill"):
        Player("", -0.1)


def test_a_simulated_table_has_players_that_shove():
    """A player at the table shoves one disc, into a bed still needed more often than not; never while discs move."""
    scored = 0
    for seed in range(6):
        table = SimulatedTable(import_module("hapenny.layout"), seed=seed)
        assert table.players() == tuple(LEVELS)
        table.shove_as("county", match())
        assert table.in_hand() == 4
        with pytest.raises(UserError, match="lie still"):
            table.shove_as("county", match())
        table.advance(5.0)
        (disc,) = table.lying
        scored += 1 <= geometry.verdict(round(100 * disc.x_mm), round(100 * disc.y_mm)) <= 9
    assert scored >= 3
    with pytest.raises(ValueError, match="beginner, regular, county"):
        SimulatedTable(import_module("hapenny.layout")).shove_as("champion", match())


def test_the_order_of_play_is_shoved_for_into_bed_9():
    """Before the first turn all shove at bed 9, past what lies in the way."""
    lying = [Rest(184.15, 250.0)]
    aim = opening_aim(lying)
    (end,) = simulate(lying, aim).final[1:]
    assert end.y_mm == pytest.approx(bed_middle_mm(9), abs=0.5)
    assert 25.4 < abs(end.x_mm - 184.15) < 60
