"""List comprehensions become loops: each is a function of its own, called with what it needs of the one around it."""

from __future__ import annotations

import ast

from hapenny_link.shrink.modules import Modules, functions, locals_of, statements
from hapenny_link.shrink.order import first, put, reckoned

KINDS = (ast.ListComp, ast.GeneratorExp)  # no generator of the firmware's is there to stop early


def loops(modules: Modules) -> None:
    """Every list comprehension that its statement carries out before anything else becomes a loop before it."""
    for module in modules.values():
        for function in functions(module.tree):
            if not function.decorator_list:
                Loops(function).write()


class Loops:
    """The comprehensions of one function."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.function = function
        inner = {id(node) for each in ast.walk(function) if isinstance(each, KINDS) for node in ast.walk(each)}
        stored = [node for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
        self.taken = {each.arg for each in function.args.args} | {node.id for node in stored if id(node) not in inner}
        self.count = 0

    def write(self) -> None:
        while any(self.written(body, part) for body, part in list(statements(self.function))):
            pass

    def written(self, body: list[ast.stmt], part: ast.stmt) -> bool:
        """Writes the first comprehension of a statement as a loop; whether there was one."""
        found = next((each for each in first(reckoned(part)) if simple(each)), None)
        if not isinstance(found, KINDS):
            return False
        target = part.targets[0] if isinstance(part, ast.Assign) and part.value is found else None
        place = next(k for k, each in enumerate(body) if each is part)
        if isinstance(target, ast.Name) and target.id not in names_in(found):
            body[place : place + 1] = self.loop(found, target.id)
        else:
            name = self.free()
            put(part, found, ast.Name(name, ast.Load()))
            body[place:place] = self.loop(found, name)
        ast.fix_missing_locations(self.function)
        return True

    def free(self) -> str:
        self.count += 1
        return f"listed_{self.count}"

    def loop(self, comprehension: ast.ListComp | ast.GeneratorExp, name: str) -> list[ast.stmt]:
        """`name = []`, and what fills it."""
        own = {node.id for node in ast.walk(comprehension) if isinstance(node, ast.Name)} & locals_of(comprehension)
        new = {each: self.free() for each in sorted(own & self.taken)}
        self.taken |= {name}
        add = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        body: list[ast.stmt] = [ast.Expr(ast.Call(add, [comprehension.elt], []))]
        given = comprehension.generators[0]
        for test in reversed(given.ifs):
            body = [ast.If(test, body, [])]
        around = ast.For(given.target, ast.Constant(0), body, [])
        renamed = Renamed(new).visit(around)
        renamed.iter = given.iter
        return [ast.Assign([ast.Name(name, ast.Store())], ast.List([], ast.Load())), renamed]


class Renamed(ast.NodeTransformer):
    """Writes a comprehension's own names as the function has them free."""

    def __init__(self, new: dict[str, str]) -> None:
        self.new = new

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.new.get(node.id, node.id)
        return node


def simple(node: ast.expr) -> bool:
    """Whether a loop can take the place of an expression."""
    return isinstance(node, KINDS) and len(node.generators) == 1


def names_in(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
