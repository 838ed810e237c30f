"""No module imports itself by way of others: each can be read, tested and replaced after those below it."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {"hapenny": "firmware", "hapenny_link": "host", "hapenny_host": "host", "hapenny_sim": "sim"}


def name_of(path: Path, top: Path) -> str:
    """The dotted name of a module; a package's own file has the name of its folder."""
    parts = path.relative_to(top).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(path: Path, known: set[str]) -> set[str]:
    """The modules of ours that a file imports, wherever in it, also only for its types."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            inside = {f"{node.module}.{alias.name}" for alias in node.names} & known
            found |= inside or {node.module}
    return found & known


def graph() -> dict[str, set[str]]:
    """Every module of ours, and the modules of ours that it imports."""
    files = [
        (path, ROOT / folder)
        for package, folder in PACKAGES.items()
        for path in (ROOT / folder / package).rglob("*.py")
    ]
    known = {name_of(path, top) for path, top in files}
    return {name_of(path, top): imports(path, known) for path, top in files}


def circle_in(arrows: dict[str, set[str]]) -> list[str]:
    """One circle, from a module back to itself; empty if there is none."""
    done: set[str] = set()

    def follow(module: str, way: list[str]) -> list[str]:
        if module in way:
            return [*way[way.index(module) :], module]
        if module in done:
            return []
        found = next(filter(None, (follow(other, [*way, module]) for other in sorted(arrows[module]))), [])
        done.add(module)
        return found

    return next(filter(None, (follow(module, []) for module in sorted(arrows))), [])


def test_no_module_imports_itself_by_way_of_others() -> None:
    """Imports inside functions and for types only count, too."""
    circle = circle_in(graph())
    assert not circle, f"an import circle: {' -> '.join(circle)}"


@pytest.mark.parametrize("package", ["hapenny_link", "hapenny_host"])
def test_no_room_imports_itself_by_way_of_others(package: str) -> None:
    """The same for the folders of a package: a room can be understood after those below it."""

    def room(module: str) -> str:
        return ".".join(module.split(".")[:2])

    folders = {room(module) for module in graph() if module.startswith(f"{package}.") and module.count(".") > 1}
    arrows: dict[str, set[str]] = {folder: set() for folder in folders}
    for module, others in graph().items():
        if room(module) in folders:
            arrows[room(module)] |= {room(other) for other in others} & folders - {room(module)}
    circle = circle_in(arrows)
    assert not circle, f"an import circle: {' -> '.join(circle)}"


def test_a_circle_is_found() -> None:
    """By the way from a module back to itself."""
    assert circle_in({"a": {"b"}, "b": {"c"}, "c": {"b"}, "d": set()}) == ["b", "c", "b"]
