"""The main job, whole: `hapenny run`, a browser, flicks; the firmware on MicroPython sees, scores, lights the pegs."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from host.browsing import (
    Keys,
    begin_match,
    begun,
    chromium,
    free_port,
    served,
    shove,
    visiting,
    wait_for_hand,
    wait_for_score,
)

HAPENNY = Path(sys.executable).with_name("hapenny")
pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(not HAPENNY.exists(), reason="the command hapenny is not installed: pip install -e ."),
    pytest.mark.skipif(
        not (HAPENNY.with_name("micropython").exists() or shutil.which("micropython")),
        reason="no MicroPython here; name one in $HAPENNY_MICROPYTHON",
    ),
]


FLICKS = ((2, 300), (4, 240), (6, 180), (8, 120), (3, 64))  # bed, and where along the edge in mm


def run(folder, port):
    """The command that serves a simulated board whose match and discs are kept in the folder."""
    kept = ["--board", f"unix:?folder={folder / 'board'}", "--store", str(folder / "s.sqlite")]
    return [str(HAPENNY), "run", "--port", str(port), *kept]


def test_a_turn_is_played_by_flicking(tmp_path):
    """Five discs flicked into five beds: the firmware's verdicts, a mark each, pegs lit, the turn passes."""
    port = free_port()
    with served(run(tmp_path, port), port) as (address, _), chromium() as browser, visiting(browser, address) as visit:
        play, tv = visit("/play"), visit("/tv")
        play.wait_for_selector(".link.there", timeout=60000)
        begin_match(play)
        keys = Keys()
        for n, (bed, x_mm) in enumerate(FLICKS):
            shove(play, keys.into(bed, x_mm))
            play.wait_for_function(f"document.querySelectorAll('.tag.bed').length === {n + 1}", timeout=60000)
        for page in (play, tv):
            wait_for_score(page, "^Ann: 0 1 1 1 0 1 0 1 0; Bob: 0 0 0 0 0 0 0 0 0. Bob to shove")
        assert sorted(play.locator(".tag .call").all_text_contents()) == ["2", "3", "4", "6", "8"]
        lit = 5 + 5  # Ann's marks, Bob's shoves
        play.wait_for_function(f"document.querySelectorAll('.peg.lit').length === {lit}")
        play.get_by_role("button", name="Take the discs off").click()
        wait_for_hand(play)
        assert play.locator(".tag").count() == 0


def ctrl_c(process):
    """As a terminal does it: the whole group gets the signal."""
    os.killpg(process.pid, signal.SIGINT)


def children(process):
    """Processes that this one has started and that live."""
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True)
    return [Path("/proc") / pid for pid in listed.stdout.split()]


def test_ctrl_c_is_no_trouble(tmp_path):
    """It ends with one line, which is no complaint about a board that is gone; no process is left."""
    with begun(run(tmp_path, free_port()), subprocess.PIPE) as process:
        assert process.stdout is not None
        while "is connected" not in process.stdout.readline():
            assert process.poll() is None
        started = children(process)
        assert started
        ctrl_c(process)
        said, _ = process.communicate(timeout=30)
    assert said == "Ended. The score is saved.\n" and process.returncode == 0
    assert not [child for child in started if child.exists()]


@pytest.mark.parametrize("how", [subprocess.Popen.terminate, subprocess.Popen.kill, ctrl_c])
def test_a_match_outlasts_the_host(tmp_path, how):
    """The host ends in mid-turn, or is killed: started again, the discs lie there, and the turn and its marks go on."""
    port, keys = free_port(), Keys()
    with chromium() as browser:
        with served(run(tmp_path, port), port) as (address, process), visiting(browser, address) as visit:
            play = visit("/play")
            play.wait_for_selector(".link.there", timeout=60000)
            begin_match(play)
            for n, (bed, x_mm) in enumerate(FLICKS[:3]):
                shove(play, keys.into(bed, x_mm))
                play.wait_for_function(f"document.querySelectorAll('.tag.bed').length === {n + 1}", timeout=60000)
            how(process)
            process.wait(timeout=20)
        with served(run(tmp_path, port), port) as (address, _), visiting(browser, address) as visit:
            play, keys = visit("/play"), Keys()
            play.wait_for_function("document.querySelectorAll('.tag.bed').length === 3", timeout=60000)
            assert sorted(play.locator(".tag .call").all_text_contents()) == ["2", "4", "6"]
            for n, (bed, x_mm) in enumerate(FLICKS[3:]):
                shove(play, keys.into(bed, x_mm))
                play.wait_for_function(f"document.querySelectorAll('.tag.bed').length === {n + 4}", timeout=60000)
            wait_for_score(play, "^Ann: 0 1 1 1 0 1 0 1 0; Bob: 0 0 0 0 0 0 0 0 0. Bob to shove")
