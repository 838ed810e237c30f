"""The board's end and the host's, over a good wire and over bad ones."""

import pytest
from hapenny.link import messages
from hapenny.link.messages import FROM_BOARD, FROM_HOST
from link.wire import FakeJournal, Wire, bad


def filled(count, **options):
    journal = FakeJournal(**options)
    for n in range(count):
        journal.append(b"event %d" % n)
    return journal


def expected(journal):
    return sorted(journal.events.items())


def test_a_host_gets_the_events_from_before_it_came_and_since():
    """All events arrive once, in order, and the board learns that they are safe."""
    wire = Wire(filled(5))
    wire.run(1)
    assert wire.sink.state.connected and wire.sink.state.board == "E6605838834F2A2B"
    wire.journal.append(b"later")
    wire.run(0.1)
    assert wire.events() == expected(wire.journal)
    wire.run(0.1)
    assert wire.journal.acknowledged == 6


def test_an_event_is_at_the_host_within_a_tenth_of_a_second():
    """From the journal to the sink in less than 100 ms, with a status and positions flowing."""
    wire = Wire()
    wire.host.want_positions = True
    wire.run(2)
    wire.journal.append(b"shove")
    n = 0
    while not wire.events():
        wire.link.status("rest", "ok", [(n, 0, "1", 0, 0, 0)] * 5)
        wire.link.positions(wire.now_ms, [1, 2] * 5)
        wire.run(0.01)
        n += 1
    assert n < 10


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize(
    "faults",
    [{"drop": 0.3}, {"double": 0.5}, {"flip": 0.3}, {"noise": 0.4}, {"drop": 0.2, "double": 0.2, "flip": 0.2}],
    ids=["drop", "double", "flip", "noise", "all"],
)  # fmt: skip
def test_no_fault_of_the_wire_loses_or_doubles_an_event(faults, seed):
    """Lines dropped, doubled, damaged, foreign ones between: every event is at the host exactly once, in order."""
    wire = Wire(filled(20), spoil=bad(**faults), seed=seed)
    for n in range(30):
        wire.journal.append(b"live %d" % n)
        wire.run(0.2)
    wire.spoil = lambda data, rng: data
    wire.run(8)
    assert wire.events() == expected(wire.journal)
    assert wire.journal.acknowledged == wire.journal.last_seq


@pytest.mark.parametrize("seed", range(5))
def test_a_command_is_done_once_however_bad_the_wire(seed):
    """A command repeated because its answer was lost is answered again, not done again."""
    done, answers = [], []
    wire = Wire(commands={"event": lambda data: done.append(data) or ""}, spoil=bad(drop=0.3, double=0.3), seed=seed)
    wire.run(4)
    for n in range(10):
        while not wire.host.state.connected:
            wire.run(0.1)
        wire.host.command("event", b"%d" % n, answers.append)
        wire.run(3)
    wire.spoil = lambda data, rng: data
    wire.run(5)
    kept = [b"%d" % n for n in range(10)]
    assert done == kept or (answers.count("board_gone") and sorted(set(done)) == sorted(done))
    assert len(answers) == 10


def test_refusals_come_back_as_codes():
    """A refusal code, an unknown command and a fault in a command are told apart, and the link lives on."""

    def faulty(data):
        raise KeyError("disc 7")

    wire = Wire(commands={"event": lambda data: "not_allowed", "tare": faulty})
    wire.run(1)
    answers = []
    for do in ("event", "sing", "tare"):
        wire.host.command(do, b"", answers.append)
        wire.run(0.2)
    assert answers == ["not_allowed", "unknown_command", "fault"]
    assert any("disc 7" in fields["text"] for name, fields in wire.sink.messages if name == "log")


def test_a_host_that_stops_reading_never_holds_the_board_up():
    """Nobody reads: the board writes no more than the stream takes, keeps little, and catches up afterwards."""
    wire = Wire(filled(3))
    wire.run(1)
    wire.connected = False
    for n in range(200):
        wire.journal.append(b"unseen %d" % n)
        wire.link.log("info", f"line {n}")
        wire.link.evidence(n, [(0, 0, "1", 0, 0, 0, 0)] * 5)
        wire.link.status("rest", "ok", [(n, 0, "1", 0, 0, 0)])
        wire.link.positions(wire.now_ms, [1, 2])
        wire.run(0.1)
    assert len(wire.stream.outbox) <= wire.stream.room
    assert len(wire.link.logs) <= 8 and len(wire.link.evidences) <= 16 and not wire.link.present
    wire.connected = True
    wire.run(10)
    assert wire.events() == expected(wire.journal)


def test_the_board_sends_no_more_than_the_credit():
    """Without new credit the board falls silent after the lines granted, but for its beat."""
    wire = Wire(filled(500))
    hello = {"p": messages.PROTOCOL, "host": "x", "nonce": 5, "to": 10}
    wire.connected = False
    wire.stream.room = 1 << 20
    wire.stream.inbox += messages.pack(FROM_HOST, "hello", hello) + messages.pack(FROM_HOST, "from", {"seq": 1})
    wire.run(4)
    lines = [messages.unpack(FROM_BOARD, line) for line in bytes(wire.stream.outbox).splitlines()]
    assert sum(line["m"] == "event" for line in lines) == 10
    assert sum(line["m"] == "beat" for line in lines) in (3, 4)


def test_telemetry_goes_only_to_who_wants_it():
    """Live positions flow while the host wants them; the newest wins."""
    wire = Wire()

    def shown():
        return [fields["p"] for name, fields in wire.sink.messages if name == "discs"]

    wire.run(1, each=lambda: wire.link.positions(wire.now_ms, [1, 2]))
    assert not shown()
    wire.host.want_positions = True
    wire.run(1)
    wire.link.positions(wire.now_ms, [1, 2])
    wire.link.positions(wire.now_ms, [3, 4])
    wire.run(0.1)
    assert shown() == [[3, 4]]


@pytest.mark.parametrize("seed", range(5))
def test_the_picture_ends_up_the_same_at_the_host(seed):
    """After any faults the host's picture is the board's: a lost line of it is sent again."""
    wire = Wire(spoil=bad(drop=0.4, flip=0.2), seed=seed)
    for n in range(20):
        wire.link.status("rest", "ok", [(1000 * i + n, 20000, "line", -12, 8, 0) for i in range(n % 6)])
        wire.run(0.2)
    wire.spoil = lambda data, rng: data
    wire.run(6)
    assert [round(d.x_mm * 100) for d in wire.sink.status.discs] == [19]
    assert wire.sink.status.discs[0].verdict == "line" and wire.sink.status.discs[0].margin_mm == -0.12


def test_a_board_that_starts_again_is_met_again():
    """After a reboot in mid-talk the session starts over and goes on where the store ends, without doubles."""
    wire = Wire(filled(4))
    wire.run(1)
    wire.journal.boot += 1
    wire.boot_board()
    wire.journal.append(b"after")
    wire.run(4)
    assert wire.sink.state.connected and wire.sink.state.boot == 2
    assert wire.events() == expected(wire.journal)


def test_a_wiped_journal_is_a_new_one():
    """Sequences that start again belong to another journal and are not taken for old events."""
    wire = Wire(filled(4))
    wire.run(1)
    wire.journal = filled(2, log=78)
    wire.boot_board()
    wire.run(6)
    assert [(event.log, event.seq) for event in wire.sink.events] == [(77, n) for n in (1, 2, 3, 4)] + [
        (78, 1),
        (78, 2),
    ]


def test_events_that_the_board_no_longer_holds_are_counted_missing():
    """A gap nobody can fill does not stop what comes after it."""
    journal = filled(10)
    journal.forget(6)
    wire = Wire(journal)
    wire.run(3)
    assert [seq for seq, _ in wire.events()] == [7, 8, 9, 10] and wire.sink.state.missing == 6


def test_a_silent_board_is_said_to_be_gone_and_comes_back_by_itself():
    """No line for five seconds: gone, in words; when it speaks again, all is as before."""
    wire = Wire(filled(1))
    wire.run(1)
    wire.link.stream, kept = type(wire.stream)(), wire.link.stream
    wire.run(6)
    assert not wire.sink.state.connected and "does not answer" in wire.sink.state.trouble
    wire.link.stream = kept
    wire.journal.append(b"back")
    wire.run(6)
    assert wire.sink.state.connected and wire.events() == expected(wire.journal)


def test_an_incompatible_board_is_refused_with_what_to_do(monkeypatch):
    """Another protocol version: no event is taken, and the sentence names the command that helps."""
    wire = Wire(filled(1))
    monkeypatch.setattr("hapenny_link.conversation.messages.PROTOCOL", 2)
    hello = {"p": 1, "fw": "0", "board": "b", "boot": 1, "lay": "", "cal": "", "log": 1, "first": 1, "last": 1, "re": 0}
    wire.host.feed(messages.pack(FROM_BOARD, "hello", hello), 0.0)
    assert not wire.sink.state.connected and "hapenny flash" in wire.sink.state.trouble


def test_an_incompatible_host_is_refused_with_what_to_do():
    """A host of another version gets one line that says so, and nothing else."""
    wire = Wire(filled(3))
    wire.connected = False
    wire.run(0.1)
    wire.stream.outbox.clear()
    wire.stream.inbox += messages.pack(FROM_HOST, "hello", {"p": 9, "host": "x", "nonce": 5, "to": 10})
    wire.run(1)
    (line,) = [messages.unpack(FROM_BOARD, line) for line in bytes(wire.stream.outbox).splitlines()]
    assert line["m"] == "refuse" and "hapenny flash" in line["text"]


def test_tracebacks_and_prompts_are_kept_as_log():
    """Lines that are not ours reach the log as they are, and nothing else."""
    wire = Wire()
    wire.run(1)
    wire.host.feed(b">>> \r\nTraceback (most recent call last):\r\n", 1.0)
    strays = [fields["text"] for name, fields in wire.sink.messages if name == "stray"]
    assert strays == [">>>", "Traceback (most recent call last):"]


def test_the_clock_may_wrap():
    """The talk goes on over the wrap of ticks_ms at 2^30 without a break."""
    wire = Wire(filled(2))
    wire.now_ms = (1 << 30) - 2000
    polled = wire.link.poll
    wire.link.poll = lambda now_ms: polled(now_ms & 0x3FFFFFFF)
    wire.run(1)
    breaks = []
    wire.sink.link = lambda state: breaks.append(state.trouble)
    wire.run(8)
    assert not breaks and wire.events() == expected(wire.journal)


def test_a_long_journal_comes_quickly():
    """Credit grows with every line read, not only with the beats: 500 events take less than three seconds."""
    wire = Wire(filled(500))
    wire.run(3)
    assert len(wire.events()) == 500


def losing(kind, times):
    """A spoiler that loses the first so many messages of a kind."""
    left = [times]

    def spoil(data, rng):
        kept = []
        for line in data.splitlines(keepends=True):
            lost = b'"m":"%s"' % kind in line and left[0] > 0
            left[0] -= lost
            kept += [] if lost else [line]
        return b"".join(kept)

    return spoil


def test_a_gap_is_asked_for_at_once():
    """An event is lost and the next one arrives: the host has both a moment later, before any repetition by time."""
    wire = Wire()
    wire.run(2.2)
    wire.spoil = losing(b"event", 1)
    wire.journal.append(b"lost")
    wire.run(0.02)
    wire.journal.append(b"after")
    wire.run(0.2)
    assert wire.events() == expected(wire.journal)


def test_lost_acknowledgements_are_given_again():
    """The board that heard no acknowledgement sends again, and then hears one."""
    wire = Wire(spoil=losing(b"ack", 2))
    wire.run(1)
    for n in range(2):
        wire.journal.append(b"event %d" % n)
        wire.run(0.1)
    assert wire.journal.acknowledged == 0
    wire.run(4)
    assert wire.journal.acknowledged == 2 and len(wire.events()) == 2


def board_alone(*lines, commands=None):
    """A board to which only these host lines are said; returns the wire and what the board then sends in 5 s."""
    wire = Wire(filled(2), commands)
    wire.connected = False
    wire.stream.room = 1 << 20
    for line in lines:
        wire.stream.inbox += line
        wire.run(0.05)
    wire.run(4.5)
    return wire, [messages.unpack(FROM_BOARD, line) for line in bytes(wire.stream.outbox).splitlines()]


HELLO = messages.pack(FROM_HOST, "hello", {"p": messages.PROTOCOL, "host": "x", "nonce": 5, "to": 50})


def test_unacknowledged_events_go_out_again():
    """A host that neither acknowledges nor asks gets the events again after two seconds."""
    _, sent = board_alone(HELLO, messages.pack(FROM_HOST, "from", {"seq": 1}))
    assert [message["seq"] for message in sent if message["m"] == "event"] == [1, 2, 1, 2, 1, 2]


def test_a_repeated_hello_is_the_same_host():
    """Its second hello, on its way when the answer to the first came, does not make the board forget what it did."""
    done = []
    command = messages.pack(FROM_HOST, "command", {"id": 7, "do": "event", "e": b"x"})
    _, sent = board_alone(HELLO, command, HELLO, command, commands={"event": lambda data: done.append(data) or ""})
    assert done == [b"x"] and sum(message["m"] == "result" for message in sent) == 2


def test_an_event_of_another_boot_ends_the_session():
    """A board that started again while its hello was lost is found out by its first event."""
    wire = Wire(filled(1))
    wire.run(1)
    wire.host.feed(messages.pack(FROM_BOARD, "event", {"boot": 2, "seq": 2, "e": b"x"}), 1.0)
    assert not wire.sink.state.connected and len(wire.events()) == 1
