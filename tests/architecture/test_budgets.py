"""Modules stay short, functions small, and say what they are for (DESIGN.md's budget)."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULE_LINES = 400
FUNCTION_LINES = 35
NESTING = 3
BRANCHES = 10
FOLDERS = ("firmware", "host", "sim", "hardware")
GENERATED = {"layout.py", "layout_lite.py", "viper.py", "viper64.py"}
BLOCKS = (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.AsyncFor, ast.AsyncWith)
# Kernels that a compiler must see whole: their bodies are one formula, and a call inside would cost more than the work.
WHOLE = {"disc.py", "frame.py", "light.py", "pair.py", "hall.py", "step.py"}
WHOLE_NESTING = 4


def modules() -> list[Path]:
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return [path for path in paths if path.name not in GENERATED and path.name != "manifest.py"]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def code_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Lines of a function without its docstring and decorators."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def depth(node: ast.AST, held: int = 0) -> int:
    """How deep blocks stand in blocks; `elif` does not count as deeper, nor does a function inside."""
    deepest = held
    for name, field in ast.iter_fields(node):
        for child in field if isinstance(field, list) else [field]:
            if not isinstance(child, ast.AST) or isinstance(child, ast.FunctionDef | ast.Lambda):
                continue
            chained = isinstance(node, ast.If) and name == "orelse" and isinstance(child, ast.If)
            deepest = max(deepest, depth(child, held + (isinstance(child, BLOCKS) and not chained)))
    return deepest


def branches(function: ast.AST) -> int:
    kinds = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.AsyncFor)
    inner = [node for child in ast.iter_child_nodes(function) for node in ast.walk(child)]
    return sum(isinstance(node, kinds) for node in inner)


@pytest.mark.parametrize("path", modules(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_module_keeps_its_budget(path: Path) -> None:
    """A docstring on line one; at most 400 lines; functions at most 35 lines, three deep, ten branches."""
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "line one says the module's only job"
    assert text.count("\n") <= MODULE_LINES, f"{text.count(chr(10))} lines"
    for function in functions(tree):
        where = f"{path.name}:{function.lineno} {function.name}"
        allowed = WHOLE_NESTING if path.name in WHOLE else NESTING
        assert depth(function) <= allowed, f"{where} nests {depth(function)} deep"
        assert branches(function) <= BRANCHES, f"{where} has {branches(function)} branches"
        if path.name not in WHOLE:
            assert code_lines(function) <= FUNCTION_LINES, f"{where} has {code_lines(function)} lines"
