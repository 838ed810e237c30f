"""Keeps one board's conversation going over its transport, in its own thread, until stopped."""

import time
from collections.abc import Callable
from queue import Empty, Queue
from threading import Event, Lock, Thread
from typing import Any

from hapenny_link.board import Board
from hapenny_link.conversation import GONE, Conversation, LinkState, Picture, Received, Sink
from hapenny_link.errors import BoardGone, LinkDown

READ_S = 0.02  # the longest that an acknowledgement or a command waits
FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 5.0


class Session:
    """Connects, talks, and reconnects with growing pauses. `stop` ends it."""

    def __init__(self, board: Board, sink: Sink, record: Callable[[bytes], None] = lambda data: None) -> None:
        self.board = board
        self.conversation = Conversation(sink)
        self.record = record
        self.requests: Queue[Callable[[], None]] = Queue()
        self.stopping = Event()
        self.thread = Thread(target=self.run, name=f"link {board.url}", daemon=True)

    @property
    def state(self) -> LinkState:
        """Whether the board is connected."""
        return self.conversation.state

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        """End the thread and close the transport."""
        self.stopping.set()
        if self.thread.is_alive():
            self.thread.join(timeout=5)

    def want_positions(self, wanted: bool) -> None:
        """Ask for live positions, or stop asking."""
        self.conversation.want_positions = wanted

    def command(self, do: str, data: bytes = b"", timeout_s: float = 3.0) -> str:
        """Have the board do something. Returns its refusal code, "" when done. BoardGone if it does not answer."""
        answer: Queue[str] = Queue()
        if not self.state.connected:
            raise BoardGone("the board is not connected")
        numbers: list[int] = []
        self.requests.put(lambda: numbers.append(self.conversation.command(do, data, answer.put)))
        try:
            code = answer.get(timeout=timeout_s)
        except Empty:
            self.requests.put(lambda: self.conversation.drop(numbers[0]))
            code = GONE
        if code == GONE:
            raise BoardGone("the board did not answer; the score shows whether it was done")
        return code

    def run(self) -> None:
        """The thread: one connection after another."""
        pause_s = FIRST_PAUSE_S
        while not self.stopping.is_set():
            try:
                self.board.transport.open()
                self.conversation.restart("connected; waiting for the board's hello")
                self.talk()
            except LinkDown as down:
                if self.state.connected:
                    pause_s = FIRST_PAUSE_S
                self.conversation.restart(str(down))
            finally:
                self.board.transport.close()
            self.stopping.wait(pause_s)
            pause_s = min(pause_s * 2, LONGEST_PAUSE_S)

    def talk(self) -> None:
        """One connection, until it breaks (LinkDown) or the session stops."""
        while not self.stopping.is_set():
            while not self.requests.empty():
                self.requests.get()()
            out = self.conversation.tick(time.monotonic())
            if out:
                self.board.transport.write(out)
            data = self.board.transport.read(READ_S)
            if data:
                self.record(data)
                self.conversation.feed(data, time.monotonic())


class MemorySink:
    """Keeps what comes in lists, for scenarios, benches and tests."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.events: list[Received] = []
        self.status = Picture()
        self.messages: list[tuple[str, dict[str, Any]]] = []
        self.state = LinkState()

    def last(self, board: str, log: int) -> int:
        with self.lock:
            return max((e.seq for e in self.events if (e.board, e.log) == (board, log)), default=0)

    def event(self, event: Received, done: Callable[[], None]) -> None:
        with self.lock:
            self.events.append(event)
        done()

    def picture(self, picture: Picture) -> None:
        self.status = picture

    def message(self, name: str, fields: dict[str, Any]) -> None:
        self.messages.append((name, fields))

    def link(self, state: LinkState) -> None:
        self.state = state
