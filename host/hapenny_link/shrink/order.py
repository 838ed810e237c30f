"""What a statement reckons before anything else, so that it can as well be done in a statement before it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

PLACES: dict[type, str] = {
    ast.Assign: "value", ast.Return: "value", ast.Expr: "value", ast.If: "test", ast.For: "iter",
}  # fmt: skip


def reckoned(part: ast.stmt) -> ast.expr | None:
    """The expression that a statement reckons once, and first."""
    return getattr(part, PLACES[type(part)]) if type(part) in PLACES else None


class Put(ast.NodeTransformer):
    """Writes one expression in the place of another."""

    def __init__(self, old: ast.expr, new: ast.expr) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> ast.AST:
        return self.new if node is self.old else self.generic_visit(node)


def put(part: ast.stmt, old: ast.expr, new: ast.expr) -> None:
    """Changes what a statement reckons."""
    setattr(part, PLACES[type(part)], Put(old, new).visit(getattr(part, PLACES[type(part)])))


def plain(node: ast.expr) -> bool:
    """Whether an expression is only looked up, and nothing can change it meanwhile."""
    return isinstance(node, ast.Name | ast.Constant)


def first(node: ast.expr | None) -> Iterator[ast.expr]:
    """What an expression reckons, each with nothing before it that matters but its own parts; itself last."""
    if node is None:
        return
    for each in parts(node):
        yield from first(each)
        if not plain(each):
            break
    yield node


def looked_up(node: ast.expr) -> list[ast.expr]:
    """A function to be called: the method of an object does not change."""
    return [] if isinstance(node, ast.Attribute) and plain(node.value) else [node]


ORDER: dict[type, Callable] = {
    ast.Call: lambda node: [*looked_up(node.func), *node.args],
    ast.BinOp: lambda node: [node.left, node.right],
    ast.Compare: lambda node: [node.left, node.comparators[0]],
    ast.BoolOp: lambda node: node.values[:1],
    ast.UnaryOp: lambda node: [node.operand],
    ast.IfExp: lambda node: [node.test],
    ast.Subscript: lambda node: [node.value, node.slice],
    ast.Attribute: lambda node: [node.value],
    ast.Tuple: lambda node: node.elts,
    ast.List: lambda node: node.elts,
    ast.Starred: lambda node: [node.value],
}  # what is reckoned first, in order


def parts(node: ast.expr) -> list[ast.expr]:
    """What an expression reckons at any rate, in order."""
    return ORDER[type(node)](node) if type(node) in ORDER else []
