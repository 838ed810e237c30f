"""The target `engine`: the rules alone, no board."""

from collections.abc import Sequence
from typing import Any

from hapenny.desktop import exact
from hapenny.rules import events
from hapenny.rules.game import Game

from hapenny_sim.scenario.file import Step
from hapenny_sim.scenario.match import Match
from hapenny_sim.scenario.steps import event_of
from hapenny_sim.scenario.target import Reply, reply_of


class EngineTarget:
    """Feeds the engine, and keeps a journal of bytes to come back from after a power cut."""

    def __init__(self, _address: str = "", _seed: int | None = None) -> None:
        self.game = Game()
        self.journal: list[bytes] = []

    def unfit(self, _steps: Sequence[Step]) -> str:
        return ""

    def start(self, match: Match) -> None:
        self.match = match
        self.game = Game()
        self.journal = []
        self.feed(match.start)

    def do(self, do: str, keys: dict[str, Any]) -> Reply:
        if do == "power_cut":
            self.game = self.recovered()
        return reply_of(self.match, self.game, self.feed(event_of(do, keys, self.match)))

    def feed(self, event: tuple) -> Any:
        outcome = self.game.do(event)
        if not outcome.refused:
            self.journal.append(events.encode(event))
        return outcome

    def recovered(self) -> Game:
        """A new engine fed from the journal alone, which must come to the very same state."""
        game = Game()
        for line in self.journal:
            game.do(events.decode(line))
        if exact.whole(game.state) != exact.whole(self.game.state):
            raise RuntimeError("the journal does not lead to the same state")
        return game

    def close(self) -> None:
        pass
