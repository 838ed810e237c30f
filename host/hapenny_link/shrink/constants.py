"""First step: what is known before the board runs. Numbers take the place of the constants' names; dead branches go."""

from __future__ import annotations

import ast
import operator
from collections import Counter
from typing import Any

from hapenny_link.shrink.modules import Modules, locals_of, module_of, resolve

KNOWN = {"sys.implementation.name": "micropython", "sys.maxsize": (1 << 31) - 1}  # on an RP2040
KNOWN_64 = KNOWN | {"sys.maxsize": (1 << 63) - 1}  # on the Unix port
OPERATORS: dict[type, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.BitAnd: operator.and_, ast.BitOr: operator.or_,
    ast.BitXor: operator.xor, ast.Mod: operator.mod,
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Gt: operator.gt, ast.Lt: operator.lt,
}  # fmt: skip


class Unknown(Exception):
    """An expression whose value only the board knows."""


class Constants:
    """The whole numbers that the modules define once and for ever."""

    def __init__(self, modules: Modules, facts: dict[str, Any]) -> None:
        self.modules, self.facts = modules, facts
        self.defined: dict[tuple[str, str], ast.expr] = {}
        dotted = [
            node for module in modules.values() for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)
        ]
        self.written = {node.attr for node in dotted if isinstance(node.ctx, ast.Store)}
        for module in modules.values():
            split(module.tree)
            counts = Counter(name for part in ast.walk(module.tree) for name in stored(part))
            parts = [part for part in module.tree.body if isinstance(part, ast.Assign) and len(part.targets) == 1]
            for part in parts:
                name = part.targets[0].id if isinstance(part.targets[0], ast.Name) else ""
                if counts[name] == 1 and name not in self.written:
                    self.defined[module.name, name] = part.value
        self.loose: dict[str, int] = {}
        self.loose = self.by_name(escaped(modules))

    def by_name(self, names: set[str]) -> dict[str, int]:
        """Constants of the modules that are passed about as values: there an attribute is known by its name alone."""
        found = {}
        for module, name in self.defined:
            value = self.value(module, name)
            if module in names and value is not None and name.isupper():
                found[name] = value
        return found

    def value(self, module: str, name: str) -> int | None:
        """The number that a module's name stands for, None if it is not a constant."""
        place = resolve(self.modules, module, name) or (module, name)
        if place not in self.defined:
            return None
        try:
            found = self.known(place[0], self.defined[place])
        except Unknown:
            return None
        return found if isinstance(found, int) else None

    def known(self, module: str, node: ast.expr) -> Any:
        """The value of an expression. Raises Unknown."""
        if isinstance(node, ast.Constant):
            return node.value
        if ast.unparse(node) in self.facts:
            return self.facts[ast.unparse(node)]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](self.known(module, node.left), self.known(module, node.right))
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in OPERATORS:
            return OPERATORS[type(node.ops[0])](self.known(module, node.left), self.known(module, node.comparators[0]))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.known(module, node.operand)
        return self.named(module, node)

    def named(self, module: str, node: ast.expr) -> int:
        """The value of a name or of a module's attribute. Raises Unknown."""
        found = None
        if isinstance(node, ast.Name):
            found = self.value(module, node.id)
        elif isinstance(node, ast.Attribute):
            owner = module_of(self.modules, module, node.value)
            found = self.value(owner, node.attr) if owner else self.loose_value(node)
        if found is None:
            raise Unknown
        return found

    def loose_value(self, node: ast.Attribute) -> int | None:
        plain = all(isinstance(part, ast.Name | ast.Attribute | ast.expr_context) for part in ast.walk(node))
        return self.loose.get(node.attr) if plain else None


class Folder(ast.NodeTransformer):
    """Writes the constants of one module as numbers."""

    def __init__(self, constants: Constants, module: str) -> None:
        self.constants, self.module = constants, module
        self.hidden: set[str] = set()  # by a function's own names

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        defaults = [self.visit(default) for default in node.args.defaults]  # of the scope around the function
        node.args.defaults = []
        outside, self.hidden = self.hidden, self.hidden | locals_of(node)
        self.generic_visit(node)
        self.hidden, node.args.defaults = outside, defaults
        return node

    def number(self, node: ast.expr) -> ast.expr:
        found = self.known(node)
        if not isinstance(found, int):
            return self.generic_visit(node)  # type: ignore[return-value]
        return ast.Constant(found) if found >= 0 else ast.UnaryOp(ast.USub(), ast.Constant(-found))

    def known(self, node: ast.expr) -> Any:
        """The value of an expression, None if only the board knows it."""
        if self.hidden & set(names_in(node)):
            return self.constants.loose_value(node) if isinstance(node, ast.Attribute) else None
        try:
            return self.constants.known(self.module, node)
        except Unknown:
            return None

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self.number(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        if isinstance(node.ctx, ast.Load):
            return self.number(node)
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self.number(node)

    def visit_If(self, node: ast.If) -> Any:
        holds = self.known(node.test)
        if holds is None:
            return self.generic_visit(node)
        chosen = ast.Module(node.body if holds else node.orelse, [])
        return self.generic_visit(chosen).body  # type: ignore[attr-defined]


def fold(modules: Modules, programs: set[str], facts: dict[str, Any]) -> None:
    """Numbers for names, in every module but the programs, which run as they are. `facts` are those of the machine."""
    constants = Constants(modules, facts)
    for name, module in modules.items():
        if name not in programs:
            Folder(constants, name).visit(module.tree)
            ast.fix_missing_locations(module.tree)


def names_in(node: ast.AST) -> list[str]:
    return [part.id for part in ast.walk(node) if isinstance(part, ast.Name)]


def stored(part: ast.AST) -> list[str]:
    """The names that a node writes, of whatever scope."""
    if isinstance(part, ast.Name):
        return [] if isinstance(part.ctx, ast.Load) else [part.id]
    return list(part.names) * 2 if isinstance(part, ast.Global) else []


def split(tree: ast.Module) -> None:
    """`A, B = 1, 2` and `A = B = 1` become two assignments each, where nothing depends on their order."""
    body: list[ast.stmt] = []
    for part in tree.body:
        pairs = pairs_of(part) if isinstance(part, ast.Assign) else []
        body += [ast.Assign([target], value) for target, value in pairs] or [part]
    tree.body = body
    ast.fix_missing_locations(tree)


def pairs_of(part: ast.Assign) -> list[tuple[ast.expr, ast.expr]]:
    """(target, value) of each of several constants that one statement defines."""
    target, value = part.targets[0], part.value
    plain = isinstance(value, ast.Tuple) and all(isinstance(item, ast.Constant | ast.UnaryOp) for item in value.elts)
    if plain and isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
        return list(zip(target.elts, value.elts, strict=True))
    if len(part.targets) > 1 and isinstance(value, ast.Constant):
        return [(each, value) for each in part.targets]
    return []


def escaped(modules: Modules) -> set[str]:
    """Modules that are used as values: passed to functions or kept."""
    found = set()
    for module in modules.values():
        bases = {id(node.value) for node in ast.walk(module.tree) if isinstance(node, ast.Attribute)}
        for node in ast.walk(module.tree):
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and id(node) not in bases:
                found.add(module_of(modules, module.name, node))
    return found - {""}
