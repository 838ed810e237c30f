"""`hapenny bench rules`: what it measures holds, game after game."""

import json

import pytest
from hapenny_link.errors import UserError
from hapenny_sim.bench import rules
from hapenny_sim.boards.unix import interpreter


def missing():
    try:
        interpreter()
    except UserError as error:
        return str(error)
    return ""


@pytest.mark.skipif(bool(missing()), reason=missing())
def test_no_growth_over_games_and_a_small_state():
    figures = rules.measure(games=50)
    assert figures["winner"] == 0, "the game that is played over and over is won"
    assert figures["growth_bytes"] == 0
    assert figures["live_bytes_8_sides"] < 2048 and figures["live_heap_bytes_8_sides"] < 2048
    assert figures["turns_8_sides"] == 24 and figures["turn_us"] > 0
    assert json.loads(json.dumps(figures)) == figures
    assert len(rules.report(figures).splitlines()) == len(rules.LABELS)


def test_a_missing_interpreter_is_told(monkeypatch):
    monkeypatch.setenv("HAPENNY_MICROPYTHON", "/nowhere/micropython")
    with pytest.raises(UserError, match="nowhere"):
        rules.measure(games=1)
