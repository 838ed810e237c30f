"""Functions that one place alone calls move into that place: no call, and no function to keep."""

from __future__ import annotations

import ast
import copy
import itertools
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from hapenny_link.shrink.modules import Module, Modules, functions, locals_of, statements
from hapenny_link.shrink.order import Put, first, put, reckoned

NEVER = (ast.FunctionDef, ast.Lambda, ast.Yield, ast.YieldFrom, ast.Global, ast.ListComp, ast.GeneratorExp)
NONE = ast.Constant(None)
Give = Callable[[ast.expr | None], list[ast.stmt]]


class Stays(Exception):
    """A function that cannot move."""


@dataclass
class Site:
    """Where a function is called: `part`, which is in `body`, in `caller`, and reckons the call first (or else not)."""

    caller: ast.FunctionDef
    body: list[ast.stmt]
    part: ast.stmt
    call: ast.Call
    is_first: bool


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
        changed: list[ast.stmt] = []
        for name in leaves:
            module, function = moving[name]
            site = sites[module.name].get(name)
            if site and site.part in changed:
                continue  # in the next round: it may now be reckoned elsewhere
            try:
                move(module, function, site)
                changed += [site.part] if site else []
            except Stays:
                refused.add(name)


def movable(module: Module, uses: Counter[str], staying: set[str]) -> list[ast.FunctionDef]:
    """The functions and methods of a module whose name stands in one place only."""
    found = []
    for function in functions(module.tree):
        name, given = function.name, function.args
        plain = kind(function) is not None and not (given.vararg or given.kwarg or given.kwonlyargs)
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


def kind(function: ast.FunctionDef) -> str | None:
    """How a function is compiled: "" for Python, "micropython.viper"; None for anything else."""
    names = [ast.unparse(each) for each in function.decorator_list] or [""]
    return names[0] if names in ([""], ["micropython.viper"]) else None


def called_in(function: ast.FunctionDef) -> set[str]:
    return {called(node) for node in ast.walk(function) if isinstance(node, ast.Call)}


def move(module: Module, function: ast.FunctionDef, site: Site | None) -> None:
    """Puts a function's body where it is called. Stays if that is no place for it."""
    if site is None or site.caller is function or kind(site.caller) != kind(function):
        raise Stays
    method = isinstance(site.call.func, ast.Attribute)
    owner = next((each for each in ast.walk(module.tree) if function in getattr(each, "body", ())), None)
    if method is not isinstance(owner, ast.ClassDef) or not isinstance(owner, ast.ClassDef | ast.Module):
        raise Stays
    given = list(site.call.args)
    if isinstance(site.call.func, ast.Attribute):
        given.insert(0, site.call.func.value)
    before, body = fitted(function, arguments_of(function, site.call, given), site.caller)
    value = only_value(body)
    if site.is_first:
        place = next(k for k, part in enumerate(site.body) if part is site.part)
        site.body[place : place + 1] = [*before, *placed(site, body)] or [ast.Pass()]
    elif before or value is None:
        raise Stays
    else:
        Put(site.call, value).visit(site.part)
    ast.fix_missing_locations(site.caller)
    owner.body.remove(function)
    if not owner.body:
        owner.body.append(ast.Pass())


def sites_of(module: Module) -> dict[str, Site]:
    """Where each function is called last, by its name; a statement within a statement counts, not the one around."""
    found = {}
    for caller in functions(module.tree):
        for body, part in statements(caller):
            firsts = [id(each) for each in first(reckoned(part))]
            for call in [each for each in ast.walk(part) if isinstance(each, ast.Call)]:
                found[called(call)] = Site(caller, body, part, call, id(call) in firsts)
    return found


def called(call: ast.Call) -> str:
    """The name of what is called."""
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


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
    if {node.id for node in ast.walk(function) if isinstance(node, ast.Name)} & around - own:
        raise Stays
    written = {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    new: dict[str, ast.expr] = {}
    before: list[ast.stmt] = []
    free = unused(around)
    for name in [*given, *sorted(own - given.keys())]:
        value = given.get(name)
        same = isinstance(value, ast.Constant) or (isinstance(value, ast.Name) and value.id in around)
        if value and same and name not in written:
            new[name] = value
            continue
        fresh = next(free)
        new[name] = ast.Name(fresh, ast.Load())
        before += [ast.Assign([ast.Name(fresh, ast.Store())], value)] if value else []
    body = [Names(new).visit(copy.deepcopy(part)) for part in function.body if not idle(part)]
    return before, body


def unused(names: set[str]) -> Iterator[str]:
    """New names of a caller, one after another."""
    return (name for name in map("moved_{}".format, itertools.count()) if name not in names)


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


def placed(site: Site, body: list[ast.stmt]) -> list[ast.stmt]:
    """A body instead of the statement that called it, or before it."""
    part, call, whole = site.part, site.call, reckoned(site.part) is site.call
    if whole and isinstance(part, ast.Return):
        return body if leaves(body) else [*body, ast.Return(None)]
    if whole and isinstance(part, ast.Expr):
        return given_back(body, lambda value: [] if value is None or idle(ast.Expr(value)) else [ast.Expr(value)])
    if whole and isinstance(part, ast.Assign):
        return given_back(body, lambda value: [kept(part.targets[0], value)])
    value = only_value(body)
    if value:
        put(part, call, value)
        return [part]
    name = next(unused(locals_of(site.caller) | locals_of(ast.Module(body, []))))
    before = given_back(body, lambda value: [kept(ast.Name(name, ast.Store()), value)])
    put(part, call, ast.Name(name, ast.Load()))
    return [*before, part]


def only_value(body: list[ast.stmt]) -> ast.expr | None:
    """The value that a body returns, if it does nothing else."""
    return body[0].value if len(body) == 1 and isinstance(body[0], ast.Return) else None


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
