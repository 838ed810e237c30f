"""The board's end of the link: polled, spends the host's credits, never blocks, drops telemetry first.

Lines go out one at a time, the most important kind first: hello and beat, results, journal events, the status,
evidence, log, live positions. Only the last three are dropped when the host is slow; the others stay readable where
they come from (the journal, the last status) and are asked for again. The message table is in messages.py.
"""

from hapenny.finding.tracks import TICKS_MASK, since
from hapenny.link import messages
from hapenny.link.messages import FROM_HOST

HOST_GONE_MS = 5000  # this long without a word: the host is gone
BEACON_MS = 2000
BEAT_MS = 1000
RESEND_MS = 2000  # events sent and not acknowledged for so long go out again
STATUS_RESEND_MS = 500
LINES_A_POLL = 3  # each takes some 6 ms: one poll stays short
KEPT_RESULTS = 8
KEPT_LOGS = 8
KEPT_EVIDENCE = 16
LIVE_MOST = 24  # numbers that fit a line: twelve discs
PIECE = 84  # bytes of a frame in one line


class Link:
    """Talks with one host over a stream that never blocks.

    `stream`: `read() -> bytes`, `write(data) -> int` taken. `journal`: see journal.py. `identity`: dict with the texts
    `fw`, `board`, `lay`, `cal`. `commands`: dict of name to `function(data) -> code`, "" when done.
    """

    def __init__(self, stream, journal, identity, commands):
        self.stream = stream
        self.journal = journal
        self.identity = identity
        self.commands = commands
        self.present = False
        self.wants_positions = False
        self.wants_frames = False
        self.incoming = messages.Lines()
        self.rest = b""  # of the line on its way out
        self.sent = 0
        self.limit = 0
        self.reply_to = 0  # nonce of a hello not yet answered
        self.nonce = 0  # of the host we talk with
        self.heard_ms = self.beacon_ms = self.beat_ms = self.event_ms = self.status_ms = 0
        self.started = False
        self.refusing = False
        self.results = []  # (id, code) still to be sent
        self.answered = []  # (id, code) of the last commands
        self.cursor = 1  # next journal sequence to send
        self.picture = None
        self.rev = 0
        self.next_part = -1  # of the status: 0 = its head, 1.. = a disc, -1 = all sent
        self.evidences = []
        self.logs = []
        self.live = None
        self.reading = None  # (number, passes, bytes) of the frame on its way, ...
        self.reading_at = 0  # ... and what of it has gone

    # What the application calls

    def poll(self, now_ms):
        """Read, obey and send what the stream takes. Never blocks and never raises on anything received."""
        if not self.started:
            self.started = True
            self.beacon_ms = (now_ms - BEACON_MS) & TICKS_MASK
        data = self.stream.read()
        if data:
            for line in self.incoming.feed(data):
                self.receive(line, now_ms)
        if self.present and since(now_ms, self.heard_ms) > HOST_GONE_MS:
            self.leave()
        for _ in range(LINES_A_POLL):
            if not self.push(now_ms):
                break

    def status(self, state, health, discs):
        """Show the picture: `discs` is a list of (x, y, verdict, margin, se, flags). An unchanged one is not sent."""
        picture = (state, health, discs)
        if picture != self.picture:
            self.picture = (state, health, list(discs))
            self.rev = (self.rev + 1) & TICKS_MASK
            self.next_part = 0

    def positions(self, now_ms, flat):
        """Live positions [x, y, x, y, ...]; only the newest is kept, and only while a host wants them."""
        if self.wants_positions:
            self.live = {"ms": now_ms & TICKS_MASK, "p": flat[:LIVE_MOST]}

    def evidence(self, seq, discs):
        """What was measured for event `seq`: (x, y, verdict, margin, se, chi2, flags) of each disc."""
        if not self.present:
            return
        for i in range(len(discs)):
            x, y, v, margin, se, chi2, flags = discs[i]
            fields = {"seq": seq, "i": i, "of": len(discs), "x": x, "y": y, "v": v}
            fields["margin"] = margin
            fields["se"] = se
            fields["chi2"] = chi2
            fields["flags"] = flags
            keep(self.evidences, ("evidence", fields), KEPT_EVIDENCE)

    def frame(self, number, passes, data):
        """A reading of every channel; one that is still on its way gives way to it."""
        if self.present:
            self.reading = (number, passes, data)
            self.reading_at = 0

    def log(self, level, text):
        """A line for people; `level` is info, warn or error."""
        keep(self.logs, ("log", {"level": level, "text": messages.plain(text, 120)}), KEPT_LOGS)

    # What comes in

    def receive(self, line, now_ms):
        """Obey one line; whatever is not a message of ours is passed over."""
        message = messages.unpack(FROM_HOST, line)
        if message is None:
            return
        name = message["m"]
        if name == "hello":
            self.greet(message, now_ms)
        elif self.present:
            self.heard_ms = now_ms
            if name == "credit":
                self.credit(message, now_ms)
            elif name == "ack":
                self.acknowledge(message, now_ms)
            elif name == "from":
                self.cursor = max(1, message["seq"])
            elif name == "command":
                self.obey(message)

    def greet(self, message, now_ms):
        """A host says hello: start afresh with it, or refuse it."""
        self.heard_ms = now_ms
        self.reply_to = message["nonce"]
        if self.present and self.reply_to == self.nonce:
            return  # our answer to this very hello is on its way
        self.nonce = self.reply_to
        self.beat_ms = now_ms
        self.refusing = message["p"] != messages.PROTOCOL
        self.present = not self.refusing
        self.sent = 0
        self.limit = message["to"]
        self.results = []
        self.answered = []
        self.cursor = self.journal.last_seq + 1  # the host asks for what it lacks
        if self.picture is not None:
            self.next_part = 0

    def credit(self, message, now_ms):
        self.limit = message["to"]
        self.wants_positions = message["want"] & 1 != 0
        self.wants_frames = message["want"] & 2 != 0
        late = since(now_ms, self.status_ms) > STATUS_RESEND_MS
        if self.picture is not None and message["rev"] != self.rev and self.next_part < 0 and late:
            self.next_part = 0

    def acknowledge(self, message, now_ms):
        if message["boot"] == self.journal.boot and message["seq"] <= self.journal.last_seq:
            self.journal.acknowledge(message["seq"])
            self.event_ms = now_ms

    def obey(self, message):
        """Do a command once, however often it arrives, and answer each time."""
        number = message["id"]
        for answer in self.answered:
            if answer[0] == number:
                keep(self.results, answer, KEPT_RESULTS)
                return
        answer = (number, self.outcome(message["do"], message.get("e", b"")))
        keep(self.answered, answer, KEPT_RESULTS)
        keep(self.results, answer, KEPT_RESULTS)

    def outcome(self, do, data):
        command = self.commands.get(do)
        if command is None:
            return "unknown_command"
        try:
            return command(data)
        except Exception as fault:  # noqa: BLE001 - a command must not take the link down with it
            self.log("error", "command %s: %r" % (messages.plain(do, 16), fault))
            return "fault"

    def leave(self):
        """The host is gone: keep nothing that only it wanted."""
        self.present = False
        self.wants_positions = False
        self.wants_frames = False
        self.live = None
        self.reading = None
        self.evidences = []

    # What goes out

    def push(self, now_ms):
        """Give the stream the rest of a line, or the next one. False when it takes no more, or nothing is left."""
        if not self.rest:
            line = self.next_line(now_ms)
            if line is None:
                return False
            self.rest = line
        taken = self.stream.write(self.rest)
        self.rest = self.rest[taken:]
        return not self.rest

    def next_line(self, now_ms):
        if self.reply_to or (not self.present and since(now_ms, self.beacon_ms) >= BEACON_MS):
            return self.greeting(now_ms)
        if not self.present:
            return None
        if since(now_ms, self.beat_ms) >= BEAT_MS:
            return self.beat(now_ms)
        if self.sent >= self.limit:
            return None
        line = self.paid_line(now_ms)
        if line is not None:
            self.sent += 1
        return line

    def beat(self, now_ms):
        """The heartbeat, with what lets the host notice lost lines."""
        self.beat_ms = now_ms
        fields = {"n": self.sent, "ms": now_ms & TICKS_MASK}
        fields["first"] = self.journal.first_seq
        fields["last"] = self.journal.last_seq
        return messages.line("beat", fields)

    def greeting(self, now_ms):
        """The answer to a host's hello, or the beacon for nobody in particular."""
        self.beacon_ms = now_ms
        if self.refusing:
            self.refusing = False
            self.reply_to = 0
            text = "the board speaks link protocol %d, not yours: run 'hapenny flash'" % messages.PROTOCOL
            return messages.line("refuse", {"p": messages.PROTOCOL, "text": text})
        journal = self.journal
        fields = {"p": messages.PROTOCOL, "boot": journal.boot, "log": getattr(journal, "id", 0)}
        fields["first"] = journal.first_seq
        fields["last"] = journal.last_seq
        fields["re"] = self.reply_to
        fields.update(self.identity)
        self.reply_to = 0
        return messages.line("hello", fields)

    def paid_line(self, now_ms):
        """The most important line that waits, or None."""
        if self.results:
            number, code = self.results.pop(0)
            return messages.line("result", {"id": number, "code": messages.plain(code, 40)})
        line = self.event_line(now_ms)
        if line is None and self.next_part >= 0:
            line = self.status_line(now_ms)
        if line is None and self.evidences:
            line = messages.line(*self.evidences.pop(0))
        if line is None and self.reading is not None:
            line = self.reading_line()
        if line is None and self.logs:
            line = messages.line(*self.logs.pop(0))
        if line is None and self.live is not None:
            line = messages.line("discs", self.live)
            self.live = None
        return line

    def event_line(self, now_ms):
        """The next journal event that the host has not been sent, or has not acknowledged in time."""
        journal = self.journal
        if self.cursor > journal.last_seq:
            owed = journal.acknowledged < journal.last_seq
            if not owed or since(now_ms, self.event_ms) < RESEND_MS:
                return None
            self.cursor = journal.acknowledged + 1
        self.cursor = max(self.cursor, journal.first_seq)
        data = journal.event(self.cursor)
        if len(data) > messages.MAX_DATA:
            data = b""  # the host notes it as missing; a line too long would stop all that follows
        fields = {"boot": journal.boot, "seq": self.cursor, "e": data}
        self.cursor += 1
        self.event_ms = now_ms
        return messages.line("event", fields)

    def reading_line(self):
        """The next piece of the frame on its way."""
        number, passes, data = self.reading  # pyright: ignore[reportGeneralTypeIssues] - only called with one
        at = self.reading_at
        fields = {"n": number, "at": at, "of": len(data), "passes": passes, "d": data[at : at + PIECE]}
        self.reading_at = at + PIECE
        if self.reading_at >= len(data):
            self.reading = None
        return messages.line("frame", fields)

    def status_line(self, now_ms):
        state, health, discs = self.picture  # pyright: ignore[reportGeneralTypeIssues] - only called with a picture
        part = self.next_part
        self.status_ms = now_ms
        self.next_part = part + 1 if part < len(discs) else -1
        if part == 0:
            fields = {"rev": self.rev, "n": len(discs), "state": state, "health": messages.plain(health, 60)}
            return messages.line("status", fields)
        x, y, v, margin, se, flags = discs[part - 1]
        fields = {"rev": self.rev, "i": part - 1, "x": x, "y": y, "v": v, "margin": margin, "se": se, "flags": flags}
        return messages.line("disc", fields)


def keep(queue, item, most):
    """Append to a bounded queue; the oldest goes when it is full."""
    if len(queue) >= most:
        queue.pop(0)
    queue.append(item)
