"""The only thread that writes: takes what the link brings, commits it, and only then lets the board forget it."""

import time
from collections.abc import Callable
from queue import Queue
from threading import Thread
from typing import Any

from hapenny_link.conversation import LinkState, Picture, Received
from hapenny_link.errors import LinkDown
from sqlalchemy.exc import SQLAlchemyError

from hapenny_host.boards.state import Live
from hapenny_host.store.database import reason
from hapenny_host.store.store import DAY_S, Names, Store

RETRY_S = 1.0  # between attempts to write to a store that refuses


class Unshown(Exception):
    """An event is saved, but the screens cannot take it."""


class Writer:
    """A sink for sessions. Events go to the store and then to the screens; telemetry goes to the screens at once."""

    def __init__(self, store: Store, live: Live, evidence_days: float = 0) -> None:
        """`evidence_days`: how long evidence is kept, 0 for ever."""
        self.store = store
        self.live = live
        self.evidence_days = evidence_days
        self.pruned_s: float | None = None  # when old evidence was last let go, of this machine's steady clock
        self.shown: dict[tuple[str, int], int] = {}  # the newest event of each journal that the screens know
        self.queue: Queue[Callable[[], None] | None] = Queue()
        self.names: Names | None = None  # of the match about to start
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
        self.live.load(board, log, events, self.store.names(board, log))

    def stop(self) -> None:
        """Write what is queued, then end."""
        self.queue.put(None)
        if self.thread.is_alive():
            self.thread.join(timeout=5)

    def run(self) -> None:
        while (work := self.queue.get()) is not None:
            self.persist(work)

    def persist(self, work: Callable[[], None]) -> None:
        """Do it, again and again if the disk is full or the file locked: the board keeps its events meanwhile."""
        while True:
            try:
                work()
                self.live.alarm("")
                return
            except (SQLAlchemyError, OSError) as error:
                self.live.alarm(f"the score cannot be saved ({reason(error)}); the board keeps it until it can")
                time.sleep(RETRY_S)
            except Unshown as fault:
                self.live.alarm(f"an event cannot be shown ({fault}); it is saved")
                return
            except Exception as fault:  # noqa: BLE001 - what no store can take must not end the saving of the rest
                self.live.alarm(f"a message cannot be saved ({fault!r}); the board keeps it")
                return

    # The sink

    def last(self, board: str, log: int) -> int:
        try:
            return self.store.last(board, log)
        except SQLAlchemyError as error:
            raise LinkDown(f"the store cannot be read ({reason(error)})") from error

    def event(self, event: Received, done: Callable[[], None]) -> None:
        self.queue.put(lambda: self.keep(event, done))

    def keep(self, event: Received, done: Callable[[], None]) -> None:
        names = self.names if self.live.starts_match(event.data) else None
        self.store.append(event, names)
        done()
        journal = event.board, event.log
        if event.seq <= self.shown.get(journal, 0):
            return
        # By what was shown, not by what was new: a server that goes away as it commits has kept what we try again.
        self.shown[journal] = event.seq
        self.names = None if names else self.names
        try:
            self.live.event(event, names)
        except Exception as fault:
            raise Unshown(repr(fault)) from fault

    def keep_evidence(self, fields: dict[str, Any]) -> None:
        """Keep it with the board that is there: queued behind the link's news, so that this is who sent it."""
        state = self.live.now.link
        self.store.append_evidence(state.board, state.log, fields)
        if self.pruned_s is None or time.monotonic() - self.pruned_s > DAY_S:
            self.prune()

    def prune(self) -> None:
        """Let old evidence go."""
        if self.evidence_days:
            self.store.prune(self.evidence_days)
        self.pruned_s = time.monotonic()

    def picture(self, picture: Picture) -> None:
        self.live.picture(picture)

    def message(self, name: str, fields: dict[str, Any]) -> None:
        if name == "evidence":
            self.queue.put(lambda: self.keep_evidence(fields))
        elif name == "discs":
            self.live.positions(fields["ms"] / 1000, fields["p"])
        elif name in ("log", "stray"):
            self.live.note(fields["text"])

    def link(self, state: LinkState) -> None:
        """Queued behind the events before it; a board met anew has its own match, which the store knows."""
        if not state.connected:
            self.live.wait()
        self.queue.put(lambda: self.meet(state))

    def meet(self, state: LinkState) -> None:
        if state.connected and (state.board, state.log) != self.live.journal:
            self.load(state.board, state.log)
        self.live.link(state)
