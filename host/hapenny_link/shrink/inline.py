"""Functions that one place alone calls move into that place: no call, and no function to keep."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hapenny_link.shrink.modules import Module, Modules, functions, locals_of

NEVER = (ast.FunctionDef, ast.Lambda, ast.Yield, ast.YieldFrom, ast.Global, ast.ListComp, ast.GeneratorExp)
NONE = ast.Constant(None)
Give = Callable[[ast.expr | None], list[ast.stmt]]


class Stays(Exception):
    """A function that cannot move."""


@dataclass
class Site:
    """Where a function is called: `part`, which is in `body`, in `caller`."""

    caller: ast.FunctionDef
    body: list[ast.stmt]
    part: ast.stmt
    call: ast.Call


def inline(modules: Modules, foreign: set[str]) -> None:
    """Moves what can move, those first that call no other such function. Names in `foreign` stay."""
    refused: set[str] = set()
    while True:
        moving, uses = {}, uses_of(modules)
        for module in modules.values():
            moving |= {function.name: (module, function) for function in movable(module, uses, foreign | refused)}
        leaves = [name for name, (_, function) in moving.items() if not called_in(function) & moving.keys()]
        if not leaves:
            return
        sites = {module.name: sites_of(module) for module in modules.values()}
        for name in leaves:
            try:
                module, function = moving[name]
                move(module, function, sites[module.name].get(name))
            except Stays:
                refused.add(name)


def movable(module: Module, uses: Counter[str], staying: set[str]) -> list[ast.FunctionDef]:
    """The functions and methods of a module whose name stands in one place only."""
    found = []
    for function in functions(module.tree):
        name, given = function.name, function.args
        plain = not (function.decorator_list or given.vararg or given.kwarg or given.kwonlyargs)
        if plain and uses[name] == 1 and name not in staying and not name.startswith("__"):
            inner = any(isinstance(node, NEVER) for node in ast.walk(function) if node is not function)
            found += [] if inner else [function]
    return found


def uses_of(modules: Modules) -> Counter[str]:
    """How often each name is written, definitions of functions aside; a second definition counts as a use."""
    found: Counter[str] = Counter()
    for node in [node for module in modules.values() for node in ast.walk(module.tree)]:
        if isinstance(node, ast.Name):
            found[node.id] += 1
        elif isinstance(node, ast.Attribute):
            found[node.attr] += 1
        elif isinstance(node, ast.FunctionDef):
            found[node.name] += 1
        elif isinstance(node, ast.alias | ast.arg | ast.keyword):
            found[getattr(node, "arg", None) or getattr(node, "name", "")] += 1
    defined = {node.name for module in modules.values() for node in functions(module.tree)}
    return Counter({name: count - (name in defined) for name, count in found.items()})


def called_in(function: ast.FunctionDef) -> set[str]:
    calls = [node.func for node in ast.walk(function) if isinstance(node, ast.Call)]
    return {getattr(each, "attr", getattr(each, "id", "")) for each in calls}


def move(module: Module, function: ast.FunctionDef, site: Site | None) -> None:
    """Puts a function's body where it is called. Stays if that is no place for it."""
    if site is None or site.caller is function:
        raise Stays
    method = isinstance(site.call.func, ast.Attribute)
    owner = next((each for each in ast.walk(module.tree) if function in getattr(each, "body", ())), None)
    if method is not isinstance(owner, ast.ClassDef) or not isinstance(owner, ast.ClassDef | ast.Module):
        raise Stays
    given = list(site.call.args)
    if isinstance(site.call.func, ast.Attribute):
        given.insert(0, site.call.func.value)
    before, body = fitted(function, arguments_of(function, site.call, given), site.caller)
    place = next(k for k, part in enumerate(site.body) if part is site.part)
    site.body[place : place + 1] = [*before, *placed(site.part, body, site.call)] or [ast.Pass()]
    ast.fix_missing_locations(site.caller)
    owner.body.remove(function)
    if not owner.body:
        owner.body.append(ast.Pass())


def sites_of(module: Module) -> dict[str, Site]:
    """The statements that begin with a call, by the name of what they call."""
    found = {}
    for caller in functions(module.tree):
        for body, part in statements(caller) if not caller.decorator_list else ():
            call = called_by(part)
            if call is not None:
                found[getattr(call.func, "attr", getattr(call.func, "id", ""))] = Site(caller, body, part, call)
    return found


def statements(function: ast.FunctionDef) -> Iterator[tuple[list[ast.stmt], ast.stmt]]:
    """Every statement, with the list that holds it."""
    for node in ast.walk(function):
        lists = [getattr(node, field, None) for field in ("body", "orelse", "finalbody")]
        yield from ((body, part) for body in lists if isinstance(body, list) for part in body)


def called_by(part: ast.stmt) -> ast.Call | None:
    """The call that a statement makes before it does anything else."""
    value = part.test if isinstance(part, ast.If) else getattr(part, "value", None)
    if isinstance(part, ast.If) and isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.Not):
        value = value.operand
    fits = isinstance(part, ast.Expr | ast.Return | ast.If) or (isinstance(part, ast.Assign) and len(part.targets) == 1)
    return value if fits and isinstance(value, ast.Call) else None


def arguments_of(function: ast.FunctionDef, call: ast.Call, given: list[ast.expr]) -> dict[str, ast.expr]:
    """What each argument is, in the order in which they are reckoned."""
    names = [each.arg for each in function.args.args]
    found = dict(zip(names, given, strict=False))
    found |= {each.arg: each.value for each in call.keywords if each.arg}
    defaults = dict(zip(reversed(names), reversed(function.args.defaults), strict=False))
    for name in names:
        if name not in found:
            if not isinstance(defaults.get(name), ast.Constant):
                raise Stays
            found[name] = defaults[name]
    if any(isinstance(each, ast.Starred) for each in given) or len(found) != len(names):
        raise Stays
    return found


def fitted(
    function: ast.FunctionDef, given: dict[str, ast.expr], caller: ast.FunctionDef
) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """(assignments of arguments, the body in the caller's names)."""
    own, around = locals_of(function), locals_of(caller)
    free = {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} - own
    if free & around:
        raise Stays
    written = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    new: dict[str, ast.expr] = {}
    before: list[ast.stmt] = []
    for place, name in enumerate([*given, *sorted(own - given.keys())]):
        value = given.get(name)
        same = isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and value.id in around)
        new[name] = value if value and same and name not in written else ast.Name(f"moved_{place}", ast.Load())
        if value and new[name] is not value:
            before.append(ast.Assign([ast.Name(f"moved_{place}", ast.Store())], value))
    body = [Names(new).visit(copy.deepcopy(part)) for part in function.body if not idle(part)]
    return before, body


def idle(part: ast.stmt) -> bool:
    """Whether a statement only names a value."""
    return isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant | ast.Name)


class Names(ast.NodeTransformer):
    """Writes a body with what the caller has for its names."""

    def __init__(self, new: dict[str, ast.expr]) -> None:
        self.new = new

    def visit_Name(self, node: ast.Name) -> ast.expr:
        found = self.new.get(node.id)
        if found is None:
            return node
        return ast.Name(found.id, node.ctx) if isinstance(found, ast.Name) else copy.deepcopy(found)

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        if node.name:
            raise Stays
        self.generic_visit(node)
        return node


def placed(part: ast.stmt, body: list[ast.stmt], call: ast.Call) -> list[ast.stmt]:
    """A body instead of the statement that called it."""
    if isinstance(part, ast.Return):
        return body if leaves(body) else [*body, ast.Return(None)]
    if isinstance(part, ast.Expr):
        return given_back(body, lambda value: [] if value is None or idle(ast.Expr(value)) else [ast.Expr(value)])
    if isinstance(part, ast.Assign):
        return given_back(body, lambda value: [kept(part.targets[0], value)])
    assert isinstance(part, ast.If)
    if len(body) == 1 and isinstance(body[0], ast.Return) and body[0].value:
        value = body[0].value
        part.test = value if part.test is call else ast.UnaryOp(ast.Not(), value)
        return [part]
    name = ast.Name("moved_to_test", ast.Load())
    before = given_back(body, lambda value: [kept(ast.Name(name.id, ast.Store()), value)])
    part.test = name if part.test is call else ast.UnaryOp(ast.Not(), name)
    return [*before, part]


def kept(target: ast.expr, value: ast.expr | None) -> ast.stmt:
    """An assignment; no node may stand in two places, for names are changed once in each."""
    return ast.Assign([copy.deepcopy(target)], value or copy.copy(NONE))


def given_back(body: list[ast.stmt], give: Give) -> list[ast.stmt]:
    """A body that hands its value on instead of returning. Stays if it returns from within a loop."""
    found: list[ast.stmt] = []
    for k, part in enumerate(body):
        rest = body[k + 1 :]
        if isinstance(part, ast.Return):
            return found + give(part.value)
        if not any(isinstance(node, ast.Return) for node in ast.walk(part)):
            found.append(part)
            continue
        if not isinstance(part, ast.If) or not (leaves(part.body) or leaves(part.orelse)):
            raise Stays
        yes = part.body if leaves(part.body) else part.body + rest
        no = part.orelse + rest if leaves(part.body) else part.orelse
        return found + either(part.test, given_back(yes, give), given_back(no, give))
    return found if leaves(body) else found + give(None)


def either(test: ast.expr, yes: list[ast.stmt], no: list[ast.stmt]) -> list[ast.stmt]:
    """`if`, one side of which may be empty."""
    if yes:
        return [ast.If(test, yes, no)]
    return [ast.If(ast.UnaryOp(ast.Not(), test), no, [])] if no else [ast.Expr(test)]


def leaves(body: list[ast.stmt]) -> bool:
    """Whether nothing comes after a body."""
    last = body[-1] if body else None
    return isinstance(last, ast.Return | ast.Raise) or (
        isinstance(last, ast.If) and leaves(last.body) and leaves(last.orelse)
    )
