"""Modules that only one other needs move into it: no tables of names twice, no looking up names in modules."""

from __future__ import annotations

import ast
import builtins

from hapenny_link.shrink.constants import escaped
from hapenny_link.shrink.modules import Module, Modules, locals_of, module_of

BOARD = ("const", "ptr8", "ptr16", "ptr32", "uint", "__name__")  # what the board knows beside Python


def needed(modules: Modules, name: str, lazy: bool) -> set[str]:
    """The modules of ours that one imports when it is loaded, or (`lazy`) later, or only if it can."""
    top = {id(part) for part in modules[name].tree.body}
    found = set()
    for node in ast.walk(modules[name].tree):
        if isinstance(node, ast.Import | ast.ImportFrom) and (id(node) in top) is not lazy:
            found |= {place for place in places_of(node, modules) if place in modules and place != name}
    return found


def places_of(node: ast.Import | ast.ImportFrom, modules: Modules) -> set[str]:
    """The modules that an import names."""
    if isinstance(node, ast.Import):
        return {alias.name for alias in node.names}
    wholes = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return {whole if whole in modules else node.module or "" for whole in wholes.values()}


def groups(modules: Modules, programs: set[str]) -> dict[str, list[str]]:
    """The modules that stay, each with those that move into it, in the order in which they are loaded."""
    stay = escaped({name: module for name, module in modules.items() if name not in programs})
    stay |= {name for program in programs for name in needed(modules, program, lazy=False)}
    stay |= {place for name in modules for place in needed(modules, name, lazy=True)}
    stay |= {name for name, module in modules.items() if any(each.startswith(f"{name}.") for each in modules)}
    while True:
        found = {name: order(modules, name, stay) for name in sorted(stay)}
        members = [member for group in found.values() for member in group]
        shared = {member for member in members if members.count(member) > 1}
        if not shared:
            return found
        stay |= shared


def order(modules: Modules, name: str, stay: set[str]) -> list[str]:
    """What moves into a module, dependencies first."""
    found: list[str] = []

    def visit(each: str) -> None:
        for place in sorted(needed(modules, each, lazy=False)):
            if place not in stay and place not in found:
                visit(place)
                found.append(place)

    visit(name)
    return found


class Mover(ast.NodeTransformer):
    """Writes the names of one module as the module that takes it in knows them."""

    def __init__(self, modules: Modules, module: Module, home: str, members: set[str]) -> None:
        self.modules, self.module, self.home, self.members = modules, module, home, members
        self.globals = defined(module.tree)
        self.known = {self.place(home, name): name for name in modules[home].bindings}  # others may ask for it there
        self.hidden: set[str] = set()

    def place(self, module: str, name: str) -> tuple[str, str]:
        """Where a name is defined, or the last member that imports it."""
        while True:
            following = self.modules[module].bindings.get(name) if module in self.modules else None
            if following is None or following[0] not in self.members or not following[1]:
                return module, name
            module, name = following

    def new(self, module: str, name: str) -> str:
        """The name of a definition in its new home."""
        module, name = self.place(module, name)
        if module == self.home or module not in self.members or name in self.modules[module].bindings:
            return name
        return self.known.get((module, name)) or f"{module.rpartition('.')[2]}__{name}"

    def body(self) -> list[ast.stmt]:
        found = [self.visit(part) for part in self.module.tree.body]
        return [part for part in found if part is not None]

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> ast.stmt | None:
        if isinstance(node, ast.ImportFrom):
            whole = {alias: places_of(ast.ImportFrom(node.module, [alias], 0), self.modules) for alias in node.names}
            node.names = [alias for alias in node.names if not whole[alias] & self.members]
        return node if node.names else None

    visit_ImportFrom = visit_Import

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if not self.hidden and node.name in self.globals:
            node.name = self.new(self.module.name, node.name)
        defaults = [self.visit(default) for default in node.args.defaults]  # of the scope around the function
        node.args.defaults = []
        outside, self.hidden = self.hidden, self.hidden | locals_of(node) | {""}
        self.generic_visit(node)
        self.hidden, node.args.defaults = outside, defaults
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self.new(self.module.name, node.name)
        node.bases = [self.visit(base) for base in node.bases]
        own = {""}
        for part in node.body:
            self.hidden = {""} if isinstance(part, ast.FunctionDef) else own
            if isinstance(part, ast.Assign):
                part.value = self.visit(part.value)
                own |= defined(ast.Module([part], []))
            else:
                self.visit(part)
        self.hidden = set()
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id not in self.hidden and (node.id in self.globals or node.id in self.module.bindings):
            node.id = self.new(self.module.name, node.id)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.expr:
        owner = module_of(self.modules, self.module.name, node.value)
        hidden = isinstance(node.value, ast.Name) and node.value.id in self.hidden
        if hidden or owner not in self.members:
            return self.generic_visit(node)  # type: ignore[return-value]
        return ast.Name(self.new(owner, node.attr), node.ctx)

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self.new(self.module.name, name) for name in node.names]
        return node


def defined(tree: ast.Module) -> set[str]:
    """The names that a module defines, its imports aside."""
    found: set[str] = set()
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
            continue
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        waiting += ast.iter_child_nodes(node)
    return found


def bundle(modules: Modules, programs: set[str]) -> Modules:
    """The modules that stay, with all that they need."""
    found: Modules = {}
    for name, group in groups(modules, programs).items():
        members = {name, *group}
        body: list[ast.stmt] = []
        for member in [*group, name]:
            body += Mover(modules, modules[member], name, members).body()
        found[name] = Module(name, ast.fix_missing_locations(ast.Module(without_twice(body), [])))
        check(found[name])
    return found


def without_twice(body: list[ast.stmt]) -> list[ast.stmt]:
    """The statements, no import twice."""
    seen: set[str] = set()
    found = []
    for part in body:
        text = ast.unparse(part) if isinstance(part, ast.Import | ast.ImportFrom) else ""
        if not text or text not in seen:
            found.append(part)
        seen.add(text)
    return found


def check(module: Module) -> None:
    """Every name that a bundle uses is known in it: AssertionError for a bundle that could not run."""
    known = defined(module.tree) | set(dir(builtins)) | set(BOARD)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            known |= {alias.asname or alias.name for alias in node.names}
        known |= locals_of(node) if isinstance(node, ast.FunctionDef) else set()
        known |= defined(ast.Module(node.body, [])) if isinstance(node, ast.ClassDef) else set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.FunctionDef) and any("asm_pio" in ast.unparse(each) for each in node.decorator_list):
            known |= {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}
    used = {node.id for node in ast.walk(module.tree) if isinstance(node, ast.Name)}
    assert used <= known, f"{module.name} does not know {sorted(used - known)}"
