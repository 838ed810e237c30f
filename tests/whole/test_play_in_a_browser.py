"""The main job, whole: `hapenny run`, a browser, flicks; the firmware on MicroPython sees, scores, lights the pegs."""

import shutil
import sys
from pathlib import Path

import pytest
from host.browsing import AGAIN, BED_2, begin_match, chromium, free_port, served, shove, visiting, wait_for_score

HAPENNY = Path(sys.executable).with_name("hapenny")
pytestmark = [
    pytest.mark.xdist_group("browser"),
    pytest.mark.skipif(not HAPENNY.exists(), reason="the command hapenny is not installed: pip install -e ."),
    pytest.mark.skipif(
        not (HAPENNY.with_name("micropython").exists() or shutil.which("micropython")),
        reason="no MicroPython here; name one in $HAPENNY_MICROPYTHON",
    ),
]


def test_a_turn_is_played_by_flicking(tmp_path):
    """Five discs flicked into bed 2: the firmware's verdicts, three marks and two gifts, pegs lit, the turn passes."""
    port = free_port()
    command = [str(HAPENNY), "run", "--board", "unix:", "--port", str(port), "--store", str(tmp_path / "s.sqlite")]
    with served(command, port) as (address, _), chromium() as browser, visiting(browser, address) as visit:
        play, tv = visit("/play"), visit("/tv")
        play.wait_for_selector(".link.there", timeout=60000)
        begin_match(play)
        for n in range(5):
            shove(play, ["ArrowLeft"] * 15 + AGAIN if n else BED_2)
            play.wait_for_function(f"document.querySelectorAll('.tag.bed').length === {n + 1}", timeout=60000)
        for page in (play, tv):
            wait_for_score(page, "^Ann: 0 3 0 0 0 0 0 0 0; Bob: 0 2 0 0 0 0 0 0 0. Bob to shove")
        assert play.locator(".tag text").all_text_contents() == ["2"] * 5
        play.wait_for_function(
            "document.querySelectorAll('.pegs .lit').length === 3 + 2 + 5"
        )  # marks, gifts, shoves left
        play.get_by_role("button", name="Take the discs off").click()
        play.wait_for_selector(".hand .ready", timeout=60000)
        assert play.locator(".tag").count() == 0
