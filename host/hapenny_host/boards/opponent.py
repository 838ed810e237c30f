"""An opponent at a simulated table: in its turn it takes off what lies there and shoves disc after disc, as people."""

import threading
import time

from hapenny.rules import events as rules
from hapenny_link.errors import UserError

from hapenny_host.boards.misplaced import dead, homes, loose, strays
from hapenny_host.boards.served import Hall
from hapenny_host.boards.state import Now
from hapenny_host.web.play.buttons import Action, perform

LOOK_S = 0.1
PAUSE_S = 0.8  # before each shove, as people take
SHOW_S = 2.5  # before it takes its discs off: others want to see them
THEIRS_S = 6.0  # before it takes off those of whoever played before it: they may want to put a call right
READY_S = 30  # about so long it takes to get ready the first time on a machine
UNSEEN_S = 20.0  # what the board has not noticed in so long is done again
OTHERS_JOB = {"decide", "choose", "give"}  # what it leaves to people


class Opponent:
    """Plays for the last side of a match while `player` names one of the table's players; "" is nobody."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.player = ""
        self.began_s = time.monotonic()
        self.ready = False
        self.wish: tuple[str, int, int] | None = None  # what it is about to do, and when it came to want it
        self.wished_s = self.done_s = 0.0
        self.done: tuple[str, int, int] | None = None
        self.stopping = threading.Event()

    def choices(self) -> tuple[str, ...]:
        """Who may be chosen; nobody on a real board, where no hand of ours can shove."""
        return self.hall.table.players() if self.hall.table else ()

    def choose(self, player: str) -> None:
        """Play as this player from now on, "" not at all."""
        self.player = player if player in self.choices() else ""
        self.wish = self.done = None

    def plays(self, now: Now) -> bool:
        """Whether the turn is the opponent's."""
        match = now.match
        return bool(self.player) and match.number > 0 and match.winner < 0 and match.turn == len(match.sides) - 1

    def doing(self, name: str) -> str:
        """What it does in its turn, for people who wait for it."""
        if self.ready:
            return f"{name} plays"
        waited_s = int(time.monotonic() - self.began_s)
        return f"{name} warms up, once on this machine: {waited_s} s of about {READY_S}"

    def start(self) -> None:
        """Get ready, then play along, in a thread, until `stop`."""
        threading.Thread(target=self.run, name="opponent", daemon=True).start()

    def stop(self) -> None:
        self.stopping.set()

    def run(self) -> None:
        if self.choices() and self.hall.table:
            self.hall.table.get_ready()
        self.ready = True
        while not self.stopping.wait(LOOK_S):
            self.step(time.monotonic())

    def step(self, at_s: float) -> None:
        """Look, and do what there is to do once it has been wanted for long enough."""
        now = self.hall.now
        action = self.wanted(now)
        wish = (action.do, now.match.seq, len(now.picture.discs) if action.do == "dead" else 0) if action else None
        if wish != self.wish:
            self.wish, self.wished_s = wish, at_s
        if action is None or (wish == self.done and at_s - self.done_s < UNSEEN_S):
            return
        if at_s - self.wished_s < self.patience_s(action, now):
            return
        try:
            self.act(action)
            self.done, self.done_s = wish, at_s
        except UserError:  # its hand slipped onto another disc, or the discs move again: once more after a pause
            self.wish = None

    def patience_s(self, action: Action, now: Now) -> float:
        """How long it waits before it does that."""
        if action.do != "clear":
            return PAUSE_S
        return THEIRS_S if self.plays(now) else SHOW_S

    def act(self, action: Action) -> None:
        """Do it."""
        table = self.hall.table
        if table and action.do == "shove":
            table.shove_as(self.player, self.hall.live.game())
        elif action.do == "place":
            self.hall.propose(rules.choose("place", 1))
        else:
            perform(self.hall, table, action)

    def wanted(self, now: Now) -> Action | None:
        """What it would do now."""
        match, asks, table = now.match, set(now.match.asks), self.hall.table
        if not self.player or not table or not now.link.connected or match.preset in ("", "darts") or match.winner >= 0:
            return None
        if table.moving() or now.picture.state != "rest" or asks & OTHERS_JOB or strays(now):
            return None
        mine = len(match.sides) - 1
        if "clear" in asks:
            own = bool(match.log) and match.log[-1]["side"] == mine
            return Action("", "clear") if own or match.turn == mine else None  # rule 15: who is next takes them off
        if "place" in asks:
            return Action("", "place") if match.best == mine else None
        if match.turn != mine:
            return None
        return self.in_turn(now, asks, table.in_hand())

    def in_turn(self, now: Now, asks: set[str], in_hand: int) -> Action | None:
        """The same, its turn being in play."""
        if "retake" in asks:
            return Action("", "retake")
        if dead(now):
            return Action("", "dead")
        if self.hall.table and loose(now, self.hall.table):
            return Action("", "loose")
        if homes(now):
            return Action("", "home")
        if "record" in asks:
            return Action("", "record")
        return Action("", "shove") if in_hand and (now.match.shoves_left or "nine" in asks) else None
