"""An opponent at a simulated table: in its turn it takes off what lies there and shoves disc after disc."""

import threading
import time

from hapenny.rules import events as rules
from hapenny_link.errors import UserError

from hapenny_host.boards.actions import Action, perform
from hapenny_host.boards.misplaced import dead_discs, leftovers_lie, to_put_back, uncounted_discs
from hapenny_host.boards.served import ServedBoard
from hapenny_host.boards.state import BoardState

LOOK_S = 0.1
PAUSE_S = 0.8  # before each shove, as people pause
SHOW_S = 2.5  # before it takes its own discs off: others want to see them
THEIRS_S = 6.0  # before it takes other people's discs off: they may want to correct a call
READY_S = 30  # what getting ready takes the first time on a machine, roughly
UNSEEN_S = 20.0  # what the board has not noticed after this time is done again
OTHERS_JOB = {"decide", "choose", "give"}  # what it leaves to people

Plan = tuple[str, int, int]  # what it is about to do, at which event, with how many discs seen


class Opponent:
    """Plays for the last side of a match as `player`, one of the table's players; "" is nobody."""

    def __init__(self, served: ServedBoard) -> None:
        self.served = served
        self.player = ""
        self.began_s = time.monotonic()
        self.ready = False
        self.plan: Plan | None = None
        self.planned_s = self.done_s = 0.0
        self.done: Plan | None = None
        self.stopping = threading.Event()

    def choices(self) -> tuple[str, ...]:
        """Who may be chosen: nobody on a real board, where no simulated hand can shove."""
        return self.served.table.players() if self.served.table else ()

    def choose(self, player: str) -> None:
        """Play as this player from now on; "": do not play."""
        self.player = player if player in self.choices() else ""
        self.plan = self.done = None

    def is_in_turn(self, state: BoardState) -> bool:
        """Whether the turn is the opponent's."""
        match = state.match
        return bool(self.player) and match.number > 0 and match.winner < 0 and match.turn == len(match.sides) - 1

    def doing(self, name: str) -> str:
        """What it does in its turn, for people who wait for it."""
        if self.ready:
            return f"{name} plays"
        waited_s = int(time.monotonic() - self.began_s)
        return f"{name} warms up, once on this machine: {waited_s} s of about {READY_S}"

    def start(self) -> None:
        """Get ready, then play in a thread until `stop`."""
        threading.Thread(target=self.run, name="opponent", daemon=True).start()

    def stop(self) -> None:
        """End the thread."""
        self.stopping.set()

    def run(self) -> None:
        """The thread."""
        if self.choices() and self.served.table:
            self.served.table.get_ready()
        self.ready = True
        while not self.stopping.wait(LOOK_S):
            self.step(time.monotonic())

    def step(self, at_s: float) -> None:
        """Look, and act once the same action has been due for long enough."""
        state = self.served.state
        action = self.due(state)
        seen = len(state.picture.discs) if action and action.do == "dead" else 0
        plan = (action.do, state.match.seq, seen) if action else None
        if plan != self.plan:
            self.plan, self.planned_s = plan, at_s
        if action is None or (plan == self.done and at_s - self.done_s < UNSEEN_S):
            return
        if at_s - self.planned_s < self.patience_s(action, state):
            return
        try:
            self.act(action)
            self.done, self.done_s = plan, at_s
        except UserError:  # its hand slipped onto another disc, or the discs move again: try again after a pause
            self.plan = None

    def patience_s(self, action: Action, state: BoardState) -> float:
        """How long it waits before it acts."""
        if action.do != "clear":
            return PAUSE_S
        return THEIRS_S if self.is_in_turn(state) else SHOW_S

    def act(self, action: Action) -> None:
        """Carry out an action. UserError: its hand could not."""
        table = self.served.table
        if table and action.do == "shove":
            table.shove_as(self.player, self.served.keeper.game())
        elif action.do == "place":
            self.served.propose(rules.choose("place", 1))
        else:
            perform(self.served, table, action)

    def due(self, state: BoardState) -> Action | None:
        """What it would do now, if anything."""
        match, asks, table = state.match, set(state.match.asks), self.served.table
        if not self.player or not table or not state.link.connected:
            return None
        if match.preset in ("", "darts") or match.winner >= 0:
            return None
        if table.moving() or state.picture.state != "rest" or asks & OTHERS_JOB or leftovers_lie(state):
            return None
        mine = len(match.sides) - 1
        if "clear" in asks:
            own = bool(match.log) and match.log[-1]["side"] == mine
            return Action("", "clear") if own or match.turn == mine else None  # rule 15: who is next takes them off
        if "place" in asks:
            return Action("", "place") if match.best_placed == mine else None
        return self.due_in_turn(state, asks, table.in_hand()) if match.turn == mine else None

    def due_in_turn(self, state: BoardState, asks: set[str], in_hand: int) -> Action | None:
        """What it would do now in its own turn."""
        if "retake" in asks:
            return Action("", "retake")
        if dead_discs(state):
            return Action("", "dead")
        if self.served.table and uncounted_discs(state, self.served.table):
            return Action("", "uncounted")
        if to_put_back(state):
            return Action("", "put_back")
        if "record" in asks:
            return Action("", "record")
        return Action("", "shove") if in_hand and (state.match.shoves_left or "nine" in asks) else None
