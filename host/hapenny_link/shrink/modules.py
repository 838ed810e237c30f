"""What the firmware's modules define and import: the tables that every step of shrinking reads."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

PACKAGE = "hapenny"


@dataclass
class Module:
    """One module: its tree, and what its imports bind. A binding is (module, name), name "" for a module itself."""

    name: str
    tree: ast.Module
    bindings: dict[str, tuple[str, str]] = field(default_factory=dict)
    others: dict[str, tuple[str, str]] = field(default_factory=dict)  # what a name is bound to where the first fails

    @property
    def foreign(self) -> set[str]:
        """The modules that it imports from MicroPython."""
        return {module for module, _ in self.bindings.values() if not ours(module)}


Modules = dict[str, Module]


def ours(module: str) -> bool:
    """Whether a dotted name is in the firmware's package."""
    return module.partition(".")[0] == PACKAGE


def read(sources: dict[str, str]) -> Modules:
    """Modules from their dotted names and texts."""
    found = {name: Module(name, ast.parse(text)) for name, text in sources.items()}
    bind(found)
    return found


def bind(modules: Modules) -> None:
    """Notes what every module imports."""
    for module in modules.values():
        module.bindings, module.others = {}, {}
        imports = [node for node in ast.walk(module.tree) if isinstance(node, ast.Import | ast.ImportFrom)]
        for name, place in [pair for node in imports for pair in bound_by(node, modules).items()]:
            if module.bindings.setdefault(name, place) != place:
                module.others[name] = place


def bound_by(node: ast.Import | ast.ImportFrom, modules: Modules) -> dict[str, tuple[str, str]]:
    """What one import binds."""
    if isinstance(node, ast.Import):
        return {alias.asname or alias.name: (alias.name, "") for alias in node.names}
    found = {}
    for alias in node.names:
        whole = f"{node.module}.{alias.name}"
        found[alias.asname or alias.name] = (whole, "") if whole in modules else (node.module or "", alias.name)
    return found


def resolve(modules: Modules, module: str, name: str) -> tuple[str, str] | None:
    """Where a name of a module comes from in the end, through imports of imports; None if it is no import."""
    seen = set()
    found = None
    while module in modules and name in modules[module].bindings and (module, name) not in seen:
        seen.add((module, name))
        found = module, name = modules[module].bindings[name]
    return found


class Direct(ast.NodeTransformer):
    """Has every import name the module that defines what it takes, not one that imports it itself."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules

    def visit_ImportFrom(self, node: ast.ImportFrom) -> list[ast.stmt]:
        found: list[ast.stmt] = []
        for alias in node.names:
            module, name = resolve(self.modules, node.module or "", alias.name) or (node.module, alias.name)
            if name:
                asname = alias.asname or (alias.name if name != alias.name else None)
                found.append(ast.ImportFrom(module, [ast.alias(name, asname)], 0))
            else:
                found.append(ast.ImportFrom(node.module, [alias], 0))
        return found


def direct(modules: Modules) -> None:
    """Applies `Direct`, so that a module may move into another while a third takes a name through it."""
    for module in modules.values():
        module.tree = Direct(modules).visit(module.tree)
    bind(modules)


def module_of(modules: Modules, module: str, node: ast.expr) -> str:
    """The module of ours that an expression names, "" if it names none."""
    if not isinstance(node, ast.Name):
        return ""
    found = resolve(modules, module, node.id)
    return found[0] if found and not found[1] and found[0] in modules else ""


def targets(part: ast.stmt) -> list[str]:
    """The names that a statement of a module defines."""
    if isinstance(part, ast.FunctionDef | ast.ClassDef):
        return [part.name]
    if isinstance(part, ast.Assign):
        return [node.id for target in part.targets for node in ast.walk(target) if isinstance(node, ast.Name)]
    return []


def arguments(function: ast.FunctionDef | ast.Lambda) -> list[ast.arg]:
    """All arguments of a function, in order."""
    found = function.args
    star = [argument for argument in (found.vararg, found.kwarg) if argument]
    return [*found.posonlyargs, *found.args, *found.kwonlyargs, *star]


def locals_of(function: ast.AST) -> set[str]:
    """Every name that a function, or anything within it, binds for itself."""
    found, outer = set(), set()
    for node in ast.walk(function):
        if isinstance(node, ast.FunctionDef | ast.Lambda):
            found |= {argument.arg for argument in arguments(node)}
            found |= {node.name} if isinstance(node, ast.FunctionDef) and node is not function else set()
        elif isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            found.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.Global):
            outer |= set(node.names)
    return found - outer


def functions(part: ast.AST) -> Iterator[ast.FunctionDef]:
    """The outermost functions below a node: those of a module and of its classes."""
    for node in ast.iter_child_nodes(part):
        if isinstance(node, ast.FunctionDef):
            yield node
        elif isinstance(node, ast.stmt):
            yield from functions(node)


def statements(function: ast.FunctionDef) -> Iterator[tuple[list[ast.stmt], ast.stmt]]:
    """Every statement, with the list that holds it."""
    for node in ast.walk(function):
        lists = [getattr(node, field, None) for field in ("body", "orelse", "finalbody")]
        yield from ((body, part) for body in lists if isinstance(body, list) for part in body)
