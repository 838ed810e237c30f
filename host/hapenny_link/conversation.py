"""The host's end of the link without clock, thread or device: bytes and seconds in, bytes out.

It says hello, acknowledges what is committed, asks for what is missing, grants credit, and repeats commands until
they are answered. session.py runs it over a transport. Lockstep runs drive it themselves.
"""

import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from random import SystemRandom
from typing import Any, Protocol

from hapenny.link import messages
from hapenny.link.messages import FROM_BOARD, FROM_HOST

VERSION = "0.1.0"
WINDOW = 64  # lines that a board may send ahead of what we have read
HELLO_S = 1.0  # between hellos while nobody answers
CREDIT_S = 0.5
SILENCE_S = 4.0  # a board beats every second; after this silence it is gone
ASK_S = 0.5  # between two requests for the same gap
COMMAND_S = 0.7  # after this time an unanswered command is sent again
GONE = "board_gone"  # the code of a command that was on its way when the connection broke
FREE = ("hello", "refuse", "beat")  # lines that cost the board no credit


@dataclass(frozen=True)
class Received:
    """A journal event as it came. `log` is the id of the journal, `boot` that of the run that sent it."""

    board: str
    log: int
    boot: int
    seq: int
    data: bytes
    received_at: float  # seconds since 1970


@dataclass(frozen=True)
class Disc:
    """A disc at rest as the board sees it: place, verdict, distance to the next verdict, standard error."""

    x_mm: float
    y_mm: float
    verdict: str
    margin_mm: float
    se_mm: float
    flags: int


@dataclass(frozen=True)
class Picture:
    """What the board sees now. `state`: rest, moving, hand, frozen, waiting, asking."""

    state: str = "rest"
    health: str = "ok"
    discs: tuple[Disc, ...] = ()


@dataclass(frozen=True)
class LinkState:
    """Whether a board is connected, which one, and why not."""

    connected: bool = False
    board: str = ""
    log: int = 0
    boot: int = 0
    firmware: str = ""
    layout: str = ""
    calibration: str = ""
    trouble: str = "no board yet"
    missing: int = 0  # events that we never got and the board no longer holds


class Sink(Protocol):
    """Gets what a board sends, in the session's thread. Only `last` may take its time."""

    def last(self, board: str, log: int) -> int:
        """The newest committed sequence of that journal, 0 for none."""
        ...

    def event(self, event: Received, done: Callable[[], None]) -> None:
        """Commit the event, then call `done` from any thread. Only then may the board forget it."""
        ...

    def picture(self, picture: Picture) -> None:
        """The board sees something else now."""
        ...

    def message(self, name: str, fields: dict[str, Any]) -> None:
        """Telemetry: `discs`, `evidence`, `log`; and `stray`, a line that is not a message."""
        ...

    def link(self, state: LinkState) -> None:
        """The board came, went, or cannot be talked with."""
        ...


@dataclass
class Counters:
    """How well the link does."""

    good: int = 0
    stray: int = 0
    duplicates: int = 0
    gaps: int = 0


@dataclass
class Command:
    """A command on its way."""

    number: int
    do: str
    data: bytes
    sent_s: float = -1e9
    answered: Callable[[str], None] = field(default=lambda code: None)


class Conversation:
    """One host's talk with one board. Not thread-safe, except the `done` that the sink gets."""

    def __init__(self, sink: Sink, random: SystemRandom | Any = None) -> None:
        self.sink = sink
        self.random = random or SystemRandom()
        self.state = LinkState()
        self.counters = Counters()
        self.want_positions = False
        self.want_frames = False
        self.picture: Picture | None = None
        self.lines = messages.Lines()
        self.out: list[bytes] = []
        self.commands: dict[int, Command] = {}
        self.next_command = self.random.randrange(1, 1 << 20)
        self.committed: deque[tuple[int, int]] = deque()  # (log, seq), filled from other threads
        self.restart("no board yet")

    # For the session

    def restart(self, trouble: str) -> None:
        """Forget the connection. Commands fail, and the next tick says hello again."""
        for number in list(self.commands):
            self.commands.pop(number).answered(GONE)
        self.nonce = self.random.randrange(1, messages.MAX_INT)
        self.hello_s = -1e9
        self.heard_s: float | None = None
        self.asked_s = -1e9
        self.credit_s = -1e9
        self.seen = self.granted = 0
        self.expected = self.expected_at_beat = 0
        self.acknowledged = 0
        self.head: dict[str, Any] = {}
        self.parts: dict[int, Disc] = {}
        self.rev = 0
        self.announce(connected=False, trouble=trouble)

    def feed(self, data: bytes, now_s: float) -> None:
        """Take in what came from the board."""
        for line in self.lines.feed(data):
            message = messages.unpack(FROM_BOARD, line)
            if message is None:
                self.stray(line)
            else:
                self.counters.good += 1
                self.receive(message, now_s)

    def tick(self, now_s: float) -> bytes:
        """Return what to send now. Call it at least ten times a second."""
        if self.state.connected and self.heard_s is not None and now_s - self.heard_s > SILENCE_S:
            self.restart("the board does not answer")
        if not self.state.connected:
            self.greet(now_s)
        else:
            self.acknowledge()
            self.grant(now_s)
            self.send_commands(now_s)
        out = b"".join(self.out)
        self.out.clear()
        return out

    def command(self, do: str, data: bytes = b"", answered: Callable[[str], None] = lambda code: None) -> int:
        """Queue a command. Returns its number; `answered` gets the board's refusal code, "" when it was done."""
        self.next_command += 1
        self.commands[self.next_command] = Command(self.next_command, do, data, answered=answered)
        return self.next_command

    def drop(self, number: int) -> None:
        """Give up a command."""
        self.commands.pop(number, None)

    # What comes in

    def stray(self, line: bytes) -> None:
        """Log a line that is not a message: a prompt, a traceback, noise."""
        text = line.decode("ascii", "replace").strip()
        if text:
            self.counters.stray += 1
            self.sink.message("stray", {"text": text})

    def receive(self, message: dict[str, Any], now_s: float) -> None:
        """Take in a message."""
        name = message["m"]
        if name == "hello":
            self.meet(message, now_s)
            return
        if name == "refuse":
            self.announce(connected=False, trouble=message["text"])
            return
        if not self.state.connected:
            return
        self.heard_s = now_s
        if name not in FREE:
            self.seen += 1
        handler = getattr(self, f"on_{name}", None)
        if handler is not None:
            handler(message, now_s)
        else:
            self.sink.message(name, message)

    def meet(self, message: dict[str, Any], now_s: float) -> None:
        """A board said hello: it answers ours, or it has just started."""
        if message["p"] != messages.PROTOCOL:
            text = f"the board speaks link protocol {message['p']}, this host {messages.PROTOCOL}"
            advice = "run 'hapenny flash'" if message["p"] < messages.PROTOCOL else "update the host"
            self.announce(connected=False, trouble=f"{text}: {advice}")
        elif message["re"] == self.nonce:
            if not self.state.connected:
                self.begin(message, now_s)
        elif message["re"] == 0 and self.state.connected:
            self.restart("the board has started again")

    def begin(self, message: dict[str, Any], now_s: float) -> None:
        """Go on where the store ends."""
        self.heard_s = now_s
        last = self.sink.last(message["board"], message["log"])
        self.acknowledged = last
        self.expected = max(last + 1, message["first"])
        self.announce(
            connected=True,
            board=message["board"],
            log=message["log"],
            boot=message["boot"],
            firmware=message["fw"],
            layout=message["lay"],
            calibration=message["cal"],
            trouble="",
            missing=self.expected - last - 1,
        )
        if message["last"] >= self.expected:
            self.ask(now_s)
        elif last:
            self.send("ack", boot=self.state.boot, seq=min(last, message["last"]))

    def on_beat(self, message: dict[str, Any], now_s: float) -> None:
        self.seen = message["n"]  # else lines lost on the way would use up the credit
        if message["first"] > self.expected:
            self.skip(message["first"] - self.expected)
        if message["last"] >= self.expected == self.expected_at_beat:
            self.ask(now_s)  # no progress for a whole beat: the missing events are lost, not on their way
        self.expected_at_beat = self.expected

    def on_event(self, message: dict[str, Any], now_s: float) -> None:
        seq = message["seq"]
        if message["boot"] != self.state.boot:
            self.restart("the board has started again")
        elif seq < self.expected:
            self.counters.duplicates += 1
            if seq <= self.acknowledged:
                self.send("ack", boot=self.state.boot, seq=self.acknowledged)
        elif seq > self.expected:
            self.counters.gaps += 1
            self.ask(now_s)
        elif not message["e"]:
            self.skip(1)
        else:
            self.expected += 1
            log = self.state.log
            event = Received(self.state.board, log, self.state.boot, seq, bytes(message["e"]), time.time())
            self.sink.event(event, lambda: self.committed.append((log, seq)))

    def skip(self, count: int) -> None:
        """Go on without events that the board no longer holds."""
        self.expected += count
        self.announce(missing=self.state.missing + count)

    def on_result(self, message: dict[str, Any], now_s: float) -> None:
        command = self.commands.pop(message["id"], None)
        if command is not None:
            command.answered(message["code"])

    def on_status(self, message: dict[str, Any], now_s: float) -> None:
        self.head = message
        self.parts = {}
        self.complete()

    def on_disc(self, message: dict[str, Any], now_s: float) -> None:
        if message["rev"] == self.head.get("rev"):
            m = message
            disc = Disc(m["x"] / 100, m["y"] / 100, m["v"], m["margin"] / 100, m["se"] / 100, m["flags"])
            self.parts[m["i"]] = disc
            self.complete()

    def complete(self) -> None:
        """Hand on the picture once its last disc has come."""
        n = self.head["n"]
        if all(i in self.parts for i in range(n)):
            self.rev = self.head["rev"]
            discs = tuple(self.parts[i] for i in range(n))
            self.picture = Picture(self.head["state"], self.head["health"], discs)
            self.sink.picture(self.picture)

    # What goes out

    def send(self, name: str, **fields: Any) -> None:
        self.out.append(messages.pack(FROM_HOST, name, fields))

    def greet(self, now_s: float) -> None:
        if now_s - self.hello_s >= HELLO_S:
            self.hello_s = now_s
            self.granted = WINDOW
            self.seen = 0
            self.send("hello", p=messages.PROTOCOL, host=VERSION, nonce=self.nonce, to=WINDOW)

    def ask(self, now_s: float) -> None:
        """Ask for everything from the first event that is missing."""
        if now_s - self.asked_s >= ASK_S:
            self.asked_s = now_s
            self.send("from", seq=self.expected)

    def acknowledge(self) -> None:
        """Tell the board how far everything is committed."""
        newest = 0
        while self.committed:
            log, seq = self.committed.popleft()
            if log == self.state.log:
                newest = max(newest, seq)
        if newest > self.acknowledged:
            self.acknowledged = newest
            self.send("ack", boot=self.state.boot, seq=newest)

    def grant(self, now_s: float) -> None:
        """Grant credit for more lines. This is also our heartbeat."""
        due = now_s - self.credit_s >= CREDIT_S
        if due or self.granted - self.seen < WINDOW // 2:
            self.credit_s = now_s
            self.granted = self.seen + WINDOW
            want = int(self.want_positions) + 2 * int(self.want_frames)
            self.send("credit", to=self.granted, want=want, rev=self.rev)

    def send_commands(self, now_s: float) -> None:
        for command in self.commands.values():
            if now_s - command.sent_s >= COMMAND_S:
                command.sent_s = now_s
                if command.data:
                    self.send("command", id=command.number, do=command.do, e=command.data)
                else:
                    self.send("command", id=command.number, do=command.do)

    def announce(self, **changes: Any) -> None:
        state = LinkState(**{**self.state.__dict__, **changes})
        if state != self.state:
            self.state = state
            self.sink.link(state)
