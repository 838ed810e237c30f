"""Who may import whom: firmware nothing of ours; link firmware; sim and host link and firmware."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
OURS = {"hapenny": "firmware", "hapenny_link": "host", "hapenny_host": "host", "hapenny_sim": "sim"}
MAY = {
    "hapenny": set(),
    "hapenny_link": {"hapenny"},
    "hapenny_host": {"hapenny", "hapenny_link"},
    "hapenny_sim": {"hapenny", "hapenny_link"},
}
HARDWARE = {"machine", "rp2", "neopixel"}
MEETS_SIM = {"host/hapenny_host/cli.py"}


def files(package: str) -> list[Path]:
    return sorted((ROOT / OURS[package] / package).rglob("*.py"))


def imported(path: Path) -> set[str]:
    """First names of every module a file imports, wherever in it."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{path}: imports are absolute"
            names.add(node.module.partition(".")[0])
    return names


@pytest.mark.parametrize("package", OURS)
def test_packages_import_only_along_the_arrows(package: str) -> None:
    """No package reaches up: a pub with a real board imports no physics."""
    for path in files(package):
        place = path.relative_to(ROOT).as_posix()
        allowed = MAY[package] | {package} | ({"hapenny_sim"} if place in MEETS_SIM else set())
        wrong = (imported(path) & set(OURS)) - allowed
        assert not wrong, f"{place} imports {', '.join(sorted(wrong))}"


def test_only_the_rp2040_folder_and_main_touch_hardware() -> None:
    """`machine`, `rp2` and `neopixel` stay where a simulator can replace them."""
    for path in sorted((ROOT / "firmware").rglob("*.py")):
        place = path.relative_to(ROOT).as_posix()
        if place == "firmware/main.py" or place.startswith("firmware/hapenny/rp2040/"):
            continue
        assert not imported(path) & HARDWARE, f"{place} imports hardware"


def test_firmware_uses_only_what_micropython_has() -> None:
    """The same files run on the board: no module that MicroPython lacks."""
    lacking = {"typing", "dataclasses", "enum", "pathlib", "abc", "functools", "__future__", "logging", "threading"}
    for path in files("hapenny"):
        assert not imported(path) & lacking, f"{path.relative_to(ROOT)} imports {imported(path) & lacking}"
