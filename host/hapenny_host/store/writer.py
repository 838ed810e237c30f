"""The only thread that writes. It commits what the link brings; only then may the board forget it."""

import time
from collections.abc import Callable
from queue import Queue
from threading import Thread
from typing import Any, Protocol

from hapenny.rules import events as rules
from hapenny_link.conversation import LinkState, Picture, Received
from hapenny_link.errors import LinkDown
from sqlalchemy.exc import SQLAlchemyError

from hapenny_host.store.database import reason
from hapenny_host.store.store import DAY_S, Names, Store

RETRY_S = 1.0  # between attempts to write to a store that refuses


class Listener(Protocol):
    """Who is told what was saved, and what the board says meanwhile. boards/state.py is one."""

    journal: tuple[str, int] | None  # board and journal that it shows

    def load(self, board: str, log: int, events: list[tuple[int, bytes]], names: dict[int, Names]) -> None:
        """Start over from this journal."""
        ...

    def event(self, event: Received, names: Names | None) -> None:
        """This event is saved."""
        ...

    def alarm(self, text: str) -> None:
        """Nothing can be saved, and why; "": it can again."""
        ...

    def picture(self, picture: Picture) -> None:
        """The board sees this now."""
        ...

    def positions(self, at_s: float, flat: list[int]) -> None:
        """Discs on the move: [x, y, ...] in hundredths of a millimetre, at a time of the board's clock."""
        ...

    def note(self, text: str) -> None:
        """A line of the board's own log."""
        ...

    def link(self, state: LinkState) -> None:
        """The board came, went, or cannot be talked with."""
        ...

    def wait(self) -> None:
        """The board is away: its last picture is old."""
        ...


class Unshown(Exception):
    """An event is saved, but the screens cannot show it."""


class Writer:
    """A sink for sessions. Events go to the store, then to the listener. Telemetry goes to the listener at once."""

    def __init__(self, store: Store, listener: Listener, evidence_days: float = 0) -> None:
        """`evidence_days` is how long evidence is kept; 0: for ever."""
        self.store = store
        self.listener = listener
        self.evidence_days = evidence_days
        self.pruned_s: float | None = None  # when old evidence was last deleted, by the steady clock
        self.shown: dict[tuple[str, int], int] = {}  # the newest event of each journal that the listener knows
        self.queue: Queue[Callable[[], None] | None] = Queue()
        self.names: Names | None = None  # of the match about to start
        self.journal = ("", 0)  # board and journal of the link
        self.thread = Thread(target=self.run, name="writer", daemon=True)

    def start(self) -> None:
        """Show what the store has, and begin to write."""
        latest = self.store.latest()
        if latest:
            self.load(*latest)
        self.queue.put(self.prune)
        self.thread.start()

    def load(self, board: str, log: int) -> None:
        """Show what the store has of a journal."""
        events = self.store.events(board, log)
        self.shown[board, log] = events[-1][0] if events else 0
        self.listener.load(board, log, events, self.store.names(board, log))

    def stop(self) -> None:
        """Write what is queued, then end."""
        self.queue.put(None)
        if self.thread.is_alive():
            self.thread.join(timeout=5)

    def run(self) -> None:
        """The thread."""
        while (work := self.queue.get()) is not None:
            self.persist(work)

    def persist(self, work: Callable[[], None]) -> None:
        """Do it, again and again if the disk is full or the file locked. The board keeps its events meanwhile."""
        while True:
            try:
                work()
                self.listener.alarm("")
                return
            except (SQLAlchemyError, OSError) as error:
                self.listener.alarm(f"the score cannot be saved ({reason(error)}); the board keeps it until it can")
                time.sleep(RETRY_S)
            except Unshown as fault:
                self.listener.alarm(f"an event cannot be shown ({fault}); it is saved")
                return
            except Exception as fault:  # noqa: BLE001 - what no store can take must not end the saving of the rest
                self.listener.alarm(f"a message cannot be saved ({fault!r}); the board keeps it")
                return

    # The sink

    def last(self, board: str, log: int) -> int:
        """The newest saved sequence of that journal, 0 for none. LinkDown: the store cannot be read."""
        try:
            return self.store.last(board, log)
        except SQLAlchemyError as error:
            raise LinkDown(f"the store cannot be read ({reason(error)})") from error

    def event(self, event: Received, done: Callable[[], None]) -> None:
        """Queue an event to be saved."""
        self.queue.put(lambda: self.keep(event, done))

    def keep(self, event: Received, done: Callable[[], None]) -> None:
        """Save an event, then let the board forget it, then tell the listener."""
        names = self.names if event.data[:1] == bytes([rules.START]) else None
        self.store.append(event, names)
        done()
        journal = event.board, event.log
        if event.seq <= self.shown.get(journal, 0):
            return
        # Asks what was shown, not what was new: a database that fails while it commits may have saved the event.
        self.shown[journal] = event.seq
        self.names = None if names else self.names
        try:
            self.listener.event(event, names)
        except Exception as fault:
            raise Unshown(repr(fault)) from fault

    def keep_evidence(self, fields: dict[str, Any]) -> None:
        """Save it with the board that sent it: this is queued behind the news of the link."""
        self.store.append_evidence(*self.journal, fields)
        if self.pruned_s is None or time.monotonic() - self.pruned_s > DAY_S:
            self.prune()

    def prune(self) -> None:
        """Delete old evidence."""
        if self.evidence_days:
            self.store.prune(self.evidence_days)
        self.pruned_s = time.monotonic()

    def picture(self, picture: Picture) -> None:
        """The board sees this now."""
        self.listener.picture(picture)

    def message(self, name: str, fields: dict[str, Any]) -> None:
        """Telemetry: evidence is saved, the rest is only shown."""
        if name == "evidence":
            self.queue.put(lambda: self.keep_evidence(fields))
        elif name == "discs":
            self.listener.positions(fields["ms"] / 1000, fields["p"])
        elif name in ("log", "stray"):
            self.listener.note(fields["text"])

    def link(self, state: LinkState) -> None:
        """Queued behind the events before it. A board met anew has its own match, which the store knows."""
        if not state.connected:
            self.listener.wait()
        self.queue.put(lambda: self.meet(state))

    def meet(self, state: LinkState) -> None:
        """Show the match of a board that has just come, then tell how the link is."""
        self.journal = (state.board, state.log)
        if state.connected and (state.board, state.log) != self.listener.journal:
            self.load(state.board, state.log)
        self.listener.link(state)
