"""One match on the engine and on the plain model, compared after every step, with the laws that always hold."""

from random import Random

from hapenny.desktop import exact
from hapenny.rules import events
from hapenny_sim.scenario.engine_target import EngineTarget
from hapenny_sim.scenario.match import Match
from hapenny_sim.scenario.steps import event_of
from plain_rules import BEDS, Plain
from random_play import random_match, random_step


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
        before = exact.whole(self.engine.game.state)
        side, winner = self.plain.side, self.plain.tally().winner
        reply = self.engine.do(do, keys)
        refused, got = self.plain.do(do, {"disc" if key == "disc" else key: value for key, value in keys.items()})
        assert (reply.refused, reply.got) == (refused, got), self.log
        self.check_undo(do, reply.refused, before)
        self.check_laws(do, got, side, winner)

    def check_undo(self, do: str, refused: str, before: bytes) -> None:
        game = self.engine.game
        after = exact.whole(game.state)
        if refused or do == "power_cut":
            assert after == before, "a refused step changed something"
        elif do != "undo":
            game.do(events.undo())
            assert exact.whole(game.state) == before, ("undo is not exact", self.log)
            keys = self.log[-1][1]
            game.do(event_of(do, keys, self.match))
            assert exact.whole(game.state) == after

    def check_laws(self, do: str, got: dict, side: str, winner: str) -> None:
        for name, row in got["marks"].items():
            assert all(0 <= row[bed - 1] <= self.plain.target(name, bed) for bed in BEDS)
        by_rule = do in ("shove", "record", "clear", "decide", "dart", "claim", "give", "choose", "attempt")
        if got["winner"] and not winner and by_rule and not self.plain.options["turns"]:
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
