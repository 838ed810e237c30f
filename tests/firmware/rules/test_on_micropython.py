"""The same events lead to the same bytes on MicroPython as on CPython."""

import binascii
import os
import shutil
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from both_rules import match_of
from hapenny.desktop import exact
from hapenny.rules import events
from hapenny.rules.game import Game
from hapenny_sim.scenario.steps import event_of
from plain_rules import Plain
from random_play import random_match, random_step

FIRMWARE = Path(__file__).parents[3] / "firmware"

FOLD = """
import binascii, sys
from hapenny.desktop import exact
from hapenny.rules import events
from hapenny.rules.game import Game
games = {}
for line in sys.stdin:
    number, data = line.split()
    event = events.decode(bytes([int(data[i:i + 2], 16) for i in range(0, len(data), 2)]))
    if events.encode(event) != bytes([int(data[i:i + 2], 16) for i in range(0, len(data), 2)]):
        print("codec", data)
    if number not in games:
        games = {number: Game()}
    game = games[number]
    out = game.do(event)
    state = exact.whole(game.state)
    print(number, out.refused or "-", binascii.crc32(state), len(state))
"""


def micropython():
    beside = Path(sys.executable).parent / "micropython"
    return os.environ.get("HAPENNY_MICROPYTHON") or (str(beside) if beside.exists() else shutil.which("micropython"))


def played(seed):
    """The events of a random match, refused ones included, as hex, and what CPython makes of each."""
    rng = Random(seed)
    agreed = random_match(rng)
    match, plain, game = match_of(agreed), Plain(**agreed), Game()
    lines, told = [], []
    happenings = [match.start]
    for _ in range(40):
        do, keys = random_step(rng, plain)
        plain.do(do, keys)
        happenings.append(event_of(do, keys, match))
    for event in happenings:
        out = game.do(event)
        state = exact.whole(game.state)
        lines.append(f"{seed} {events.encode(event).hex()}")
        told.append(f"{seed} {out.refused or '-'} {binascii.crc32(state)} {len(state)}")
    return lines, told


@pytest.mark.skipif(micropython() is None, reason="no MicroPython here; name one in $HAPENNY_MICROPYTHON")
def test_random_matches_are_the_same_on_micropython(tmp_path):
    script = tmp_path / "fold.py"
    script.write_text(FOLD)
    lines, told = [], []
    for seed in range(40):
        more, said = played(seed)
        lines += more
        told += said
    done = subprocess.run(
        [micropython(), "-X", "heapsize=192K", str(script)],
        input="\n".join(lines) + "\n", capture_output=True, text=True, check=False, timeout=120,
        env={**os.environ, "MICROPYPATH": str(FIRMWARE)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-500:] + done.stderr
    assert done.stdout.splitlines() == told
