"""The engine and the plain model never differ, whatever happens at the board."""

import os
from random import Random

import pytest
from hapenny.rules import events, setup
from hapenny_sim.scenario.engine_target import EngineTarget
from hapenny_sim.scenario.match import Match
from hapenny_sim.scenario.steps import event_of
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from plain_rules import BEDS, Plain
from random_play import random_match, random_step

SOAK = int(os.environ.get("HAPENNY_SOAK", "1"))  # this many times the usual number of games


class Both:
    """One match on the engine and on the plain model, compared after every step."""

    def __init__(self, rng: Random):
        agreed = random_match(rng)
        self.match = match_of(agreed)
        self.plain = Plain(**agreed)
        self.engine = EngineTarget()
        self.engine.start(self.match)
        self.log: list = [agreed]

    def step(self, rng: Random) -> None:
        do, keys = random_step(rng, self.plain)
        self.log.append((do, keys))
        before = self.engine.game.state.pack()
        side, winner = self.plain.side, self.plain.tally().winner
        reply = self.engine.do(do, keys)
        refused, got = self.plain.do(do, {"disc" if key == "disc" else key: value for key, value in keys.items()})
        assert (reply.refused, reply.got) == (refused, got), self.log
        self.check_undo(do, reply.refused, before)
        self.check_laws(do, got, side, winner)

    def check_undo(self, do: str, refused: str, before: bytes) -> None:
        game = self.engine.game
        after = game.state.pack()
        if refused or do == "power_cut":
            assert after == before, "a refused step changed something"
        elif do != "undo":
            game.do(events.undo())
            assert game.state.pack() == before, ("undo is not exact", self.log)
            keys = self.log[-1][1]
            game.do(event_of(do, keys, self.match))
            assert game.state.pack() == after

    def check_laws(self, do: str, got: dict, side: str, winner: str) -> None:
        for name, row in got["marks"].items():
            assert all(0 <= row[bed - 1] <= self.plain.target(name, bed) for bed in BEDS)
        by_rule = do in ("shove", "record", "clear", "decide", "dart", "claim", "give", "choose", "attempt")
        if got["winner"] and not winner and by_rule and self.plain.preset != "timed":
            assert got["winner"] == side and do not in ("claim", "give"), ("won by a gift", self.log)
        state = self.engine.game.state
        for value in [*state.points, *state.plays, *state.missed, state.quota]:
            assert -1 <= value < 1 << 30


def match_of(agreed: dict) -> Match:
    firsts = [side[0] for side in agreed["sides"]]
    return Match(
        sides=tuple(tuple(side) for side in agreed["sides"]),
        preset=agreed["preset"],
        options=agreed["options"],
        explicit=agreed["explicit"],
        handicaps=tuple(agreed["handicaps"].get(name, 0) for name in firsts),
        marks={firsts.index(name): row for name, row in agreed["start"].items()},
    )


class Differ(RuleBasedStateMachine):
    @initialize(rng=st.randoms(use_true_random=False))
    def begin(self, rng):
        self.both = Both(rng)

    @rule(rng=st.randoms(use_true_random=False))
    def happen(self, rng):
        self.both.step(rng)

    @invariant()
    def decodes(self):
        if hasattr(self, "both"):
            for line in self.both.engine.journal[-1:]:
                assert events.encode(events.decode(line)) == line


TestDiffer = Differ.TestCase
TestDiffer.settings = settings(
    max_examples=40 * SOAK, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)


@pytest.mark.parametrize("part", range(4))
def test_thousands_of_steps_of_random_games_agree(part):
    for seed in range(part * 1_000_000, part * 1_000_000 + 30 * SOAK):
        rng = Random(seed)
        both = Both(rng)
        for _ in range(60):
            both.step(rng)


def test_every_option_value_is_among_the_random_matches():
    seen = set()
    for seed in range(2000):
        agreed = random_match(Random(seed))
        seen |= {(name, str(value)) for name, value in agreed["options"].items()}
        seen.add(("preset", agreed["preset"]))
    wanted = {("preset", preset) for preset in setup.PRESETS}
    for name, (_, values) in setup.CHOICES.items():
        if name not in ("target", "beds", "shoves", "turns", "order"):
            wanted |= {(name, str(value)) for value in values}
    assert wanted - seen <= {("claim", "auto")}
