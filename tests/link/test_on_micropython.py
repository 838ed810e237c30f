"""The board's end on the interpreter it is made for."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hapenny.link import messages
from hapenny.link.messages import FROM_BOARD, FROM_HOST

FIRMWARE = Path(messages.__file__).parents[2]
BOARD = """
import sys
sys.path.insert(0, %r)
from hapenny.link.link import Link

class Journal:
    boot = 3
    id = 9
    first_seq = 1
    last_seq = 2
    acknowledged = 0
    def event(self, seq):
        return b"event %%d" %% seq
    def acknowledge(self, seq):
        self.acknowledged = seq

class Stream:
    def __init__(self, data):
        self.data = data
    def read(self):
        data, self.data = self.data, b""
        return data
    def write(self, data):
        sys.stdout.buffer.write(data)
        return len(data)

journal = Journal()
identity = {"fw": "0", "board": "b", "lay": "", "cal": ""}
link = Link(Stream(bytes.fromhex(%r)), journal, identity, {"event": lambda d: ""})
link.status("rest", "ok", [(1, 2, "line", -3, 4, 0)])
link.log("info", "caf\\u00e9")
for n in range(50):
    link.poll(n * 10)
assert journal.acknowledged == 2
"""


def micropython() -> str | None:
    beside = Path(sys.executable).with_name("micropython")
    return os.environ.get("HAPENNY_MICROPYTHON") or (str(beside) if beside.exists() else shutil.which("micropython"))


@pytest.mark.skipif(micropython() is None, reason="no MicroPython here; name one in $HAPENNY_MICROPYTHON")
def test_the_board_answers_on_micropython():
    """Hello, events, command, status and log, with garbage of every kind in between."""
    pack = messages.pack
    sent = pack(FROM_HOST, "hello", {"p": messages.PROTOCOL, "host": "x", "nonce": 5, "to": 99})
    sent += bytes(range(10, 256)) + b"\n{}*00000000\n" + b"[" * 500 + b"\n"
    for text in ("[" * 170, '{"m":1}', '{"m":"ack","boot":1e999,"seq":null}', "\\ud800", "1" * 150):
        body = text.encode()
        sent += body + b"*%08x\n" % messages.binascii.crc32(body)
    sent += pack(FROM_HOST, "from", {"seq": 1}) + pack(FROM_HOST, "ack", {"boot": 3, "seq": 2})
    sent += pack(FROM_HOST, "command", {"id": 7, "do": "event", "e": b"\x00\xff"})
    program = BOARD % (str(FIRMWARE), sent.hex())
    run = subprocess.run([str(micropython()), "-X", "heapsize=192K", "-c", program], capture_output=True, timeout=20)
    assert run.returncode == 0, run.stderr.decode()
    got = [messages.unpack(FROM_BOARD, line) for line in run.stdout.splitlines()]
    assert None not in got
    assert [m["m"] for m in got if m] == ["hello", "result", "event", "event", "status", "disc", "log"]
    assert [m["e"] for m in got if m and m["m"] == "event"] == [b"event 1", b"event 2"]
