"""A board that is being served: its state, its table if simulated, and what people may have it do."""

from dataclasses import dataclass

from hapenny.desktop import agree
from hapenny.rules import events as rules
from hapenny_link.board import Table
from hapenny_link.errors import BoardGone
from hapenny_link.session import Session

from hapenny_host.boards.state import BoardState, StateKeeper
from hapenny_host.match.wrong_calls import correction
from hapenny_host.store.store import Names
from hapenny_host.store.writer import Writer

REFUSALS = {
    "not_allowed": "That cannot be done now.",
    "game_over": "The game is over: undo, or start another.",
    "nothing_to_undo": "There is nothing to undo.",
    "no_shoves_left": "The turn is not settled yet.",
    "locked": "The options cannot be changed once play has started.",
    "not_your_turn": "It is not their turn.",
    "unknown_side": "No such player is in this match.",
    "bad_position": "The discs cannot lie like that.",
    "busy": "The board is busy. Try again when all discs lie still.",
}


@dataclass
class ServedBoard:
    """What pages get of a board. Its methods wait for the board's answer: run them off the event loop.

    Each method returns "" when the board did it, else a sentence that says why not.
    """

    keeper: StateKeeper
    session: Session
    writer: Writer
    table: Table | None

    @property
    def state(self) -> BoardState:
        """The newest state."""
        return self.keeper.state

    def propose(self, event: tuple) -> str:
        """Have the board take a rules event."""
        return self.command("event", rules.encode(event))

    def start_match(
        self, preset: str, names: Names, options: dict | None = None, handicaps: list[int] | None = None
    ) -> str:
        """Start a match. `names` lists the players of each side; handicaps are as in `agree.start`."""
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
        """The next disc is this player's, out of turn; -1: it is the player's in turn."""
        refused = self.command("by", bytes([player]) if player >= 0 else b"")
        if not refused:
            self.keeper.out_of_turn(player)
        return refused

    def undo(self, words: str) -> str:
        """Take back the last thing done, if `words` still describe it. A corrected call only loses its correction."""
        if self.state.match.undoes != words:
            return "Something else has happened in the meantime. Look again."
        original = self.keeper.shove_before_correction()
        refused = self.propose(rules.undo())
        return self.propose(original) if original and not refused else refused

    def correct_call(self, disc: int, verdict: int) -> str:
        """Replace the last shove by one in which that disc lies where people say. `disc` is its place in the list."""
        code, events = correction(self.keeper.game(), disc, verdict)
        if code:
            return refusal(code)
        for event in events:
            refused = self.propose(event)
            if refused:
                return refused
        return ""

    def command(self, do: str, data: bytes = b"") -> str:
        """Have the board carry out a command of the link."""
        try:
            code = self.session.command(do, data)
        except BoardGone as gone:
            return str(gone)[:1].upper() + str(gone)[1:] + "."
        return refusal(code) if code else ""


def refusal(code: str) -> str:
    """A refusal code of the rules in words."""
    return REFUSALS.get(code, f"The board refuses: {code}.")
