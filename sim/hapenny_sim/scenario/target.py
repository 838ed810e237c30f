"""What a scenario runs on: the small protocol every target follows, and where each is found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from hapenny.rules import geometry
from hapenny.rules.game import Game
from hapenny_link.errors import UserError

from hapenny_sim.scenario.file import Step
from hapenny_sim.scenario.match import Match


@dataclass(frozen=True)
class Reply:
    """What followed from one step, in the words of SCENARIOS.md (names, `line`, millimetres nowhere)."""

    refused: str = ""
    got: dict[str, Any] = field(default_factory=dict)


class Target(Protocol):
    """A place where scenarios happen. One object runs any number of files, one after another."""

    def unfit(self, steps: Sequence[Step]) -> str:
        """Why these steps cannot happen here, in one sentence; '' if they can."""
        ...

    def start(self, match: Match) -> None:
        """Begin a new match on an empty board."""
        ...

    def do(self, do: str, keys: dict[str, Any]) -> Reply:
        """Let one step happen (`file.Step.do` and `.keys`) and wait until all that follows from it has followed."""
        ...

    def close(self) -> None:
        """Give back whatever was opened."""
        ...


# name -> module:factory; a factory takes what follows the name and a colon (a port), and the seed
TARGETS = {
    "engine": "hapenny_sim.scenario.engine_target:EngineTarget",
    "unix": "hapenny_sim.scenario.board_target:open_unix",
    "emulated": "hapenny_sim.scenario.board_target:open_emulated",
    "serial": "hapenny_sim.scenario.board_target:open_serial",
}


def open_target(name: str, seed: int | None) -> Target:
    """The target of that name, such as "engine" or "serial:/dev/ttyACM0". UserError if there is none."""
    kind, _, address = name.partition(":")
    if kind not in TARGETS or (kind == "serial") != bool(address):
        raise UserError(f"there is no target '{name}': it is engine, unix, emulated or serial:PORT")
    module, _, factory = TARGETS[kind].partition(":")
    try:
        return getattr(import_module(module), factory)(address, seed)
    except (ImportError, AttributeError) as missing:
        raise UserError(f"target '{kind}' is not available here: {missing}") from missing


def reply_of(match: Match, game: Game, outcome: Any) -> Reply:
    """The reply for an engine's outcome; boards whose events are folded with a Game use it too."""
    return Reply(outcome.refused, state_of(match, game) | outcome_of(match, outcome))


def state_of(match: Match, game: Game) -> dict[str, Any]:
    """How the match now stands."""
    state = game.state
    names = [match.side_name(side) for side in range(len(match.sides))]
    return {
        "marks": {name: list(state.marks[i * 9 : i * 9 + 9]) for i, name in enumerate(names)},
        "points": {name: state.points[i] for i, name in enumerate(names)},
        "turn": match.player_name(state.player()),
        "shoves_left": state.shoves_left,
        "winner": match.side_name(state.winner),
        "order": [names[side] for side in state.order],
    }


def outcome_of(match: Match, outcome: Any) -> dict[str, Any]:
    """What this one step did."""
    words = geometry.VERDICTS
    rows = {match.side_name(i): outcome.extras(i) for i in range(len(match.sides))}
    got: dict[str, Any] = {
        "verdicts": [words[word] for word in outcome.verdicts],
        "extras": {name: row for name, row in rows.items() if any(row)},
        "badges": list(outcome.badges),
        "void": outcome.void,
    }
    if outcome.last is not None:
        got["last"] = {"disc": outcome.last[0], "verdict": words[outcome.last[1]]}
    return got
