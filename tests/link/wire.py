"""A board's link and a host's conversation joined by a wire that can be made bad, in virtual time."""

import random

from hapenny.link.link import Link
from hapenny_link.conversation import Conversation
from hapenny_link.session import MemorySink

IDENTITY = {"fw": "0.1.0", "board": "E6605838834F2A2B", "lay": "01234567", "cal": "89abcdef"}


class FakeJournal:
    """Events in a list; `forget` drops the oldest."""

    def __init__(self, boot=1, log=77):
        self.boot = boot
        self.id = log
        self.events = {}
        self.last_seq = 0
        self.first_seq = 1
        self.acknowledged = 0

    def append(self, data):
        self.last_seq += 1
        self.events[self.last_seq] = data
        return self.last_seq

    def event(self, seq):
        return self.events.get(seq, b"")

    def acknowledge(self, seq):
        self.acknowledged = max(self.acknowledged, seq)

    def forget(self, up_to):
        self.first_seq = up_to + 1


class Stream:
    """The board's stream: what the host wrote waits in `inbox`; of `outbox` at most `room` bytes fit."""

    def __init__(self):
        self.inbox = bytearray()
        self.outbox = bytearray()
        self.room = 256

    def read(self):
        data = bytes(self.inbox)
        self.inbox.clear()
        return data

    def write(self, data):
        taken = max(0, min(len(data), self.room - len(self.outbox)))
        self.outbox += data[:taken]
        return taken


class Wire:
    """Runs both ends a millisecond step at a time; `spoil(data, rng)` may change what passes."""

    def __init__(self, journal=None, commands=None, spoil=None, seed=1, sink=None):
        self.journal = journal or FakeJournal()
        self.commands = commands or {}
        self.spoil = spoil or (lambda data, rng: data)
        self.random = random.Random(seed)
        self.sink = sink or MemorySink()
        self.now_ms = 0
        self.connected = True  # whether the host reads at all
        self.boot_board()
        self.host = Conversation(self.sink)

    def boot_board(self):
        self.stream = Stream()
        self.link = Link(self.stream, self.journal, dict(IDENTITY), self.commands)

    def run(self, seconds, each=None):
        """Let time pass in steps of 10 ms."""
        for _ in range(round(seconds * 100)):
            self.now_ms += 10
            if each:
                each()
            self.link.poll(self.now_ms)
            if self.connected:
                self.exchange()

    def exchange(self):
        data = bytes(self.stream.outbox)
        self.stream.outbox.clear()
        if data:
            self.host.feed(self.spoil(data, self.random), self.now_ms / 1000)
        out = self.host.tick(self.now_ms / 1000)
        if out:
            self.stream.inbox += self.spoil(out, self.random)

    def events(self):
        return [(event.seq, event.data) for event in self.sink.events]


def bad(drop=0.0, flip=0.0, double=0.0, noise=0.0):
    """A spoiler: drops, damages, doubles lines and slips foreign ones in, with these chances."""

    def spoil(data, rng):
        out = b""
        for line in data.splitlines(keepends=True):
            if rng.random() < noise:
                out += bytes(rng.randrange(256) for _ in range(rng.randrange(300)))
            if rng.random() < drop:
                continue
            if rng.random() < flip:
                place = rng.randrange(len(line))
                line = line[:place] + bytes([line[place] ^ (1 << rng.randrange(8))]) + line[place + 1 :]
            out += line * (2 if rng.random() < double else 1)
        return out

    return spoil
