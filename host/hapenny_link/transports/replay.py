"""A recorded board: `replay:FILE` plays what `hapenny run --record FILE` wrote, as fast as it happened.

Each line of the file is `SECONDS LINE`, where LINE is what the board sent. `replay:FILE?speed=10` plays faster.
"""

import time
from collections import deque
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

from hapenny.link import messages
from hapenny.link.messages import FROM_BOARD, FROM_HOST

from hapenny_link.board import Board
from hapenny_link.errors import UserError


class ReplayTransport:
    """Sends the recorded lines. It answers a hello with the recorded one, and beats when all is played."""

    def __init__(self, recording: list[tuple[float, bytes]], speed: float) -> None:
        self.recording = recording
        self.speed = speed
        self.lines = messages.Lines()
        self.open()

    def open(self) -> None:
        self.waiting = deque(self.recording)
        self.hello: dict[str, Any] = {}
        self.ready: list[bytes] = []
        self.met = False  # the recording stands still until the host has heard the hello
        self.played_s = 0.0
        self.clock_s = self.beat_s = time.monotonic()
        self.play()  # up to the first hello

    def read(self, timeout_s: float) -> bytes:
        self.play()
        if not self.ready:
            time.sleep(timeout_s)
        data = b"".join(self.ready)
        self.ready.clear()
        return data

    def play(self) -> None:
        """Queue all that was sent up to now."""
        now_s = time.monotonic()
        if self.met:
            self.played_s += (now_s - self.clock_s) * self.speed
        self.clock_s = now_s
        while self.waiting and self.waiting[0][0] <= self.played_s and (self.met or not self.hello):
            line = self.waiting.popleft()[1]
            message = messages.unpack(FROM_BOARD, line)
            if message and message.pop("m") == "hello":
                self.restart(message)
            else:
                self.ready.append(line + b"\n")
        if not self.waiting and now_s - self.beat_s > 1:
            self.beat_s = now_s
            self.ready.append(messages.pack(FROM_BOARD, "beat", {"n": 0, "first": 0, "last": 0, "ms": 0}))

    def restart(self, hello: dict[str, Any]) -> None:
        """A recorded hello. If it is of another run, the board had started again."""
        again = bool(self.hello) and hello["boot"] != self.hello["boot"]
        if again or not self.hello:
            self.hello = {**hello, "first": self.first_event(hello["first"])}
            self.met = False
        if again:
            self.ready.append(messages.pack(FROM_BOARD, "hello", {**self.hello, "re": 0}))

    def first_event(self, otherwise: int) -> int:
        """The sequence of the next event in the recording. Nobody can ask for earlier ones."""
        for _, line in self.waiting:
            message = messages.unpack(FROM_BOARD, line)
            if message and message["m"] == "event":
                return message["seq"]
        return otherwise

    def write(self, data: bytes) -> None:
        for line in self.lines.feed(data):
            message = messages.unpack(FROM_HOST, line)
            if message and message["m"] == "hello" and self.hello:
                self.ready.append(messages.pack(FROM_BOARD, "hello", {**self.hello, "re": message["nonce"]}))
                self.met = True

    def close(self) -> None:
        self.waiting.clear()
        self.ready.clear()


class Recorder:
    """Writes what a board sends as a recording."""

    def __init__(self, path: Path) -> None:
        try:
            self.file = path.open("wb")
        except OSError as error:
            raise UserError(f"cannot write the recording {path}: {error.strerror}") from error
        self.lines = messages.Lines()
        self.started_s = time.monotonic()

    def __call__(self, data: bytes) -> None:
        for line in self.lines.feed(data):
            self.file.write(b"%.3f %s\n" % (time.monotonic() - self.started_s, line))
        self.file.flush()


def open_board(url: str) -> Board:
    """Open a recording. UserError: there is no such file, it has no hello, or a line is no recorded line."""
    name, _, query = url.removeprefix("replay:").partition("?")
    path = Path(name).expanduser()
    recording = load(path)
    heard = [messages.unpack(FROM_BOARD, line) for _, line in recording]
    first = next((n for n, message in enumerate(heard) if message and message["m"] == "hello"), None)
    if first is None:
        raise UserError(f"{path} holds no board's hello, so it is no recording by 'hapenny run --record'")
    begin_s = recording[first][0]
    return Board(url, ReplayTransport([(s - begin_s, line) for s, line in recording[first:]], speed_of(url, query)))


def load(path: Path) -> list[tuple[float, bytes]]:
    """The times and lines of a recording."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UserError(f"cannot read the recording {path}: {error.strerror}") from error
    recording = []
    for number, line in enumerate(content.splitlines(), start=1):
        seconds, _, sent = line.partition(b" ")
        try:
            recording.append((float(seconds), sent))
        except ValueError:
            raise UserError(f"{path} line {number} does not begin with a time in seconds") from None
    return recording


def speed_of(url: str, query: str) -> float:
    """The speed asked for; 1 is as recorded."""
    try:
        speed = float(parse_qs(query).get("speed", ["1"])[0])
    except ValueError:
        speed = 0.0
    if not 0 < speed < 1e6:
        raise UserError(f"'{url}': speed must be a number above 0")
    return speed
