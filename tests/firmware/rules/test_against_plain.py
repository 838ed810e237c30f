"""The engine and the plain model never differ, whatever happens at the board."""

import os
from random import Random

import pytest
from both_rules import Both
from hapenny.desktop import agree
from hapenny.rules import events, setup
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from random_play import random_match

SOAK = int(os.environ.get("HAPENNY_SOAK", "1"))  # this many times the usual number of games


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
    for name, (_, values) in agree.CHOICES.items():
        if name not in ("target", "beds", "shoves", "turns", "order"):
            wanted |= {(name, str(value)) for value in values}
    assert wanted - seen <= {("claim", "auto")}
