"""The only thread that writes: takes what the link brings, commits it, and only then lets the board forget it."""

import time
from collections.abc import Callable
from queue import Queue
from threading import Thread
from typing import Any

from hapenny_link.conversation import LinkState, Picture, Received
from hapenny_link.errors import LinkDown
from sqlalchemy.exc import DBAPIError

from hapenny_host.boards.state import Live
from hapenny_host.store import Store
from hapenny_host.store.store import Names

RETRY_S = 1.0  # between attempts to write to a store that refuses


class Writer:
    """A sink for sessions. Events go to the store and then to the screens; telemetry goes to the screens at once."""

    def __init__(self, store: Store, live: Live) -> None:
        self.store = store
        self.live = live
        self.queue: Queue[Callable[[], None] | None] = Queue()
        self.names: Names | None = None  # of the match about to start
        self.thread = Thread(target=self.run, name="writer", daemon=True)

    def start(self) -> None:
        """Show what the store has, and begin to write."""
        latest = self.store.latest()
        if latest:
            self.live.load(*latest, self.store.events(*latest), self.store.names(*latest))
        self.thread.start()

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
            except (DBAPIError, OSError) as error:
                reason = getattr(error, "orig", None) or error
                self.live.alarm(f"the score cannot be saved ({reason}); the board keeps it until it can")
                time.sleep(RETRY_S)
            except Exception as fault:  # noqa: BLE001 - one event nobody can show must not end the saving of the others
                self.live.alarm(f"an event cannot be shown ({fault!r}); it is saved")
                return

    # The sink

    def last(self, board: str, log: int) -> int:
        try:
            return self.store.last(board, log)
        except DBAPIError as error:
            raise LinkDown(f"the store cannot be read ({error.orig})") from error

    def event(self, event: Received, done: Callable[[], None]) -> None:
        self.queue.put(lambda: self.keep(event, done))

    def keep(self, event: Received, done: Callable[[], None]) -> None:
        names = self.names if self.live.starts_match(event.data) else None
        fresh = self.store.append(event, names)
        done()
        if fresh:
            self.names = None if names else self.names
            self.live.event(event, names)

    def picture(self, picture: Picture) -> None:
        self.live.picture(picture)

    def message(self, name: str, fields: dict[str, Any]) -> None:
        if name == "evidence":
            state = self.live.now.link
            self.queue.put(lambda: self.store.append_evidence(state.board, state.log, fields))
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
            events, names = self.store.events(state.board, state.log), self.store.names(state.board, state.log)
            self.live.load(state.board, state.log, events, names)
        self.live.link(state)
