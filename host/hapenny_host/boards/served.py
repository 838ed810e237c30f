"""One board as the pages meet it: what is true now, its table if simulated, and what a person may do."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hapenny.desktop import agree
from hapenny.rules import events as rules
from hapenny_link.board import Table
from hapenny_link.errors import BoardGone
from hapenny_link.session import Session

from hapenny_host.boards.state import Live, Now
from hapenny_host.match.wrong_calls import recalled
from hapenny_host.store.store import Names
from hapenny_host.store.writer import Writer

if TYPE_CHECKING:
    from hapenny_host.boards.opponent import Opponent

REFUSALS = {
    "not_allowed": "That cannot be done now.",
    "game_over": "The game is over: undo, or start another.",
    "nothing_to_undo": "There is nothing to undo.",
    "no_shoves_left": "The turn is not settled yet.",
    "locked": "The options are locked once play has started.",
    "not_your_turn": "It is not their turn.",
    "unknown_side": "No such player is in this match.",
    "bad_position": "The discs cannot lie like that.",
    "busy": "The board is busy: try again when all is at rest.",
}


@dataclass
class Hall:
    """What the pages get; calls to the board wait for its answer, so run them off the event loop."""

    live: Live
    session: Session
    writer: Writer
    table: Table | None
    opponent: "Opponent" = field(init=False)  # who may play for a side at a simulated table

    @property
    def now(self) -> Now:
        return self.live.now

    def propose(self, event: tuple) -> str:
        """Have the board take an event; "" when it did, else a sentence why not."""
        return self.command("event", rules.encode(event))

    def start_match(
        self, preset: str, names: Names, options: dict | None = None, handicaps: list[int] | None = None
    ) -> str:
        """Start a match between these players, a list of names for each side; handicaps as `agree.start` has them."""
        try:
            event = agree.start(preset, tuple(len(side) for side in names), options, handicaps)
        except ValueError as error:
            return f"{str(error)[:1].upper()}{str(error)[1:]}."
        self.writer.names = names
        refused = self.propose(event)
        if refused:
            self.writer.names = None
        return refused

    def next_by(self, player: int) -> str:
        """Have the board take the next disc for this player's, out of turn; -1: whoever is in turn."""
        refused = self.command("by", bytes([player]) if player >= 0 else b"")
        if not refused:
            self.live.out_of_turn(player)
        return refused

    def undo(self, words: str) -> str:
        """Take back the last thing done, which people know by these words: of a call they put right, only that."""
        if self.now.match.undoes != words:
            return "Something else has happened meanwhile: look again."
        told = self.live.told_before()
        refused = self.propose(rules.undo())
        return self.propose(told) if told and not refused else refused

    def recall(self, disc: int, verdict: int) -> str:
        """Have the last shove told again, its disc of that place in the list being what people say."""
        code, events = recalled(self.live.game(), disc, verdict)
        if code:
            return refusal(code)
        for event in events:
            refused = self.propose(event)
            if refused:
                return refused
        return ""

    def command(self, do: str, data: bytes = b"") -> str:
        """Have the board do something; "" when done, else a sentence why not."""
        try:
            code = self.session.command(do, data)
        except BoardGone as gone:
            return str(gone)[:1].upper() + str(gone)[1:] + "."
        return refusal(code) if code else ""


def refusal(code: str) -> str:
    """A code of the rules in words."""
    return REFUSALS.get(code, f"The board refuses: {code}.")
