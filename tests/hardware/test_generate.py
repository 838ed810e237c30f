"""The board description is the one source of truth: generated files follow it; a broken one is refused in one line."""

import subprocess
import sys
from pathlib import Path

import pytest
from description import DescriptionError, read
from hapenny import layout, layout_lite

HARDWARE = Path(__file__).parents[2] / "hardware"
BOARD = (HARDWARE / "board.toml").read_text(encoding="utf-8")


def test_generated_files_are_as_new_as_their_descriptions() -> None:
    """`make generate` has been run since board.toml or lite.toml changed."""
    done = subprocess.run(
        [sys.executable, str(HARDWARE / "generate.py"), "--check"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("board", [layout, layout_lite], ids=lambda board: board.NAME)
def test_a_pass_reads_every_sensor_once(board) -> None:
    """Every Hall and every light segment stands at one step and one ADC input."""
    for channels, count in ((board.HALL_CHANNELS, board.HALLS), (board.LIGHT_CHANNELS, board.LIGHTS)):
        assert sorted(channel for channel in channels if channel != board.NO_CHANNEL) == list(range(count))


def test_the_standard_board_is_the_one_of_the_design() -> None:
    """256 sensors, 76 Hall steps, rows at the beds' centres, 24 muxes, 64 pixels."""
    assert (layout.HALLS, layout.LIGHTS, len(layout.HALL_SELECTS)) == (196, 60, 76)
    assert layout.HALL_X_HMM[0] == 3937 and layout.HALL_X_HMM[19] == 32893
    assert [layout.HALL_Y_HMM[20 * bed] for bed in (0, 8)] == [11748, 37148]
    assert layout.HALL_Y_HMM[180] == 4000
    assert len(read(HARDWARE / "board.toml").muxes) == 24
    assert (layout.PIXELS, layout.STRIP_PIXELS) == (64, 32)


BROKEN = [
    ("length = 610.0", "length = 610.0.0", "not valid TOML"),
    ("[magnet]", "[magnets]", "[magnet] is missing"),
    ("per_bed = 20", 'per_bed = "twenty"', "[hall] per_bed must be a positive whole number"),
    ("depth = 7.0", "depth = -7.0", "[hall] depth must be a positive number"),
    ("pixels = 14", "pixels = 13", "GPIO 13 is used by emitter_off and by pixels"),
    ('strip = "approach"', 'strip = "porch"', '"approach" or "lines N-M"'),
    ("group = 3\nadc = 0", "group = 2\nadc = 0", "share group 2 and adc 0"),
    ("group = 3\nadc = 0\ncount = 16", "group = 3\nadc = 0\ncount = 15", "are on no [[mux]]"),
    ('spare = { 12 = "lift_1"', 'spare = { 3 = "lift_1"', "spare inputs are numbered 12 to 15"),
    ("width = 368.3", "width = 368.3\nbreadth = 1.0", "unknown key breadth"),
]


@pytest.mark.parametrize(("old", "new", "said"), BROKEN, ids=[said for _, _, said in BROKEN])
def test_a_broken_description_is_refused_in_one_sentence(tmp_path: Path, old: str, new: str, said: str) -> None:
    """It names the file, the key and what would be right; nothing is written."""
    assert BOARD.count(old) >= 1
    path = tmp_path / "board.toml"
    path.write_text(BOARD.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(DescriptionError) as error:
        read(path)
    assert said in str(error.value) and "\n" not in str(error.value) and "board.toml" in str(error.value)


def test_the_command_says_it_in_one_line_and_exits_with_2(tmp_path: Path) -> None:
    """No traceback reaches a maker."""
    path = tmp_path / "board.toml"
    path.write_text("name = ", encoding="utf-8")
    for wrong in (path, tmp_path / "none.toml"):
        done = subprocess.run(
            [sys.executable, str(HARDWARE / "generate.py"), str(wrong)], capture_output=True, text=True, check=False
        )
        assert done.returncode == 2
        assert done.stderr.startswith("generate: ") and done.stderr.count("\n") == 1
