"""Second step: what nothing on the board ever asks for stays at home."""

from __future__ import annotations

import ast

from hapenny_link.shrink.constants import escaped
from hapenny_link.shrink.modules import Module, Modules, module_of, ours, targets

Place = tuple[str, str]  # module and name; ("", name) is an attribute of whatever object


class Reach:
    """Finds everything that the roots lead to."""

    def __init__(self, modules: Modules) -> None:
        self.modules = modules
        self.loose = escaped(modules)
        self.alive: set[Place] = set()
        self.waiting: list[tuple[str, ast.AST]] = []
        self.methods: list[tuple[str, ast.FunctionDef]] = []  # of living classes, not yet asked for

    def start(self) -> None:
        """Follows what modules do when they are loaded."""
        for module in self.modules.values():
            self.waiting += [(module.name, part) for part in module.tree.body if not lazy(part)]
        while self.waiting:
            self.follow(*self.waiting.pop())

    def ask(self, module: str, name: str) -> None:
        """A name of a module is wanted."""
        place = (module, name)
        if place in self.alive:
            return
        self.alive.add(place)
        known = self.modules.get(module)
        if known:
            for imported in (known.bindings, known.others):
                if name in imported:
                    self.ask(*imported[name])
            self.waiting += [(module, part) for part in known.tree.body if name in targets(part)]
        elif not module:
            for owner in self.loose:
                self.ask(owner, name)
            self.waiting += [(owner, method) for owner, method in self.methods if method.name == name]

    def follow(self, module: str, part: ast.AST) -> None:
        """Asks for everything that living code names."""
        if isinstance(part, ast.ClassDef):
            late = [
                inner for inner in part.body if isinstance(inner, ast.FunctionDef) and not self.wanted_method(inner)
            ]
            self.methods += [(module, inner) for inner in late]
            self.waiting += [(module, inner) for inner in [*part.body, *part.bases] if inner not in late]
            return
        for node in ast.walk(part):
            if isinstance(node, ast.Name):
                self.ask(module, node.id)
            elif isinstance(node, ast.Attribute) and not self.of_micropython(module, node.value):
                self.ask(module_of(self.modules, module, node.value), node.attr)

    def of_micropython(self, module: str, node: ast.expr) -> bool:
        """Whether an expression names a module of MicroPython's."""
        found = self.modules[module].bindings.get(node.id) if isinstance(node, ast.Name) else None
        return found is not None and not ours(found[0])

    def wanted_method(self, part: ast.stmt) -> bool:
        name = part.name if isinstance(part, ast.FunctionDef) else ""
        return name.startswith("__") or ("", name) in self.alive


def lazy(part: ast.AST) -> bool:
    """Whether a statement only defines something, which then may be left out."""
    if isinstance(part, ast.Assign):
        return all(isinstance(target, ast.Name) for target in part.targets) and not any(
            isinstance(node, ast.Call | ast.ListComp) for node in ast.walk(part.value)
        )
    text = isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant)
    return text or isinstance(part, ast.FunctionDef | ast.ClassDef | ast.Import | ast.ImportFrom)


class Pruner(ast.NodeTransformer):
    """Leaves out of one module what is not alive."""

    def __init__(self, reach: Reach, module: Module) -> None:
        self.reach, self.module = reach, module

    def prune(self) -> None:
        """The module's definitions first, then the imports that nothing needs any more."""
        tree = self.module.tree
        tree.body = [part for part in tree.body if self.lives(part)]
        for part in tree.body:
            if isinstance(part, ast.ClassDef):
                part.body = [inner for inner in part.body if self.method_lives(inner)] or [ast.Pass()]
        self.visit(tree)

    def lives(self, part: ast.stmt) -> bool:
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
            return False
        if not lazy(part) or isinstance(part, ast.Import | ast.ImportFrom):
            return True
        return any((self.module.name, name) in self.reach.alive for name in targets(part))

    def method_lives(self, part: ast.stmt) -> bool:
        if isinstance(part, ast.Expr) and isinstance(part.value, ast.Constant):
            return False
        return not isinstance(part, ast.FunctionDef) or self.reach.wanted_method(part)

    def visit_Import(self, node: ast.Import | ast.ImportFrom) -> ast.stmt | None:
        alive, here = self.reach.alive, self.module.name
        node.names = [alias for alias in node.names if (here, alias.asname or alias.name) in alive]
        return node if node.names else None

    visit_ImportFrom = visit_Import


def prune(modules: Modules) -> None:
    """Only what is reached from what the modules do by themselves stays."""
    reach = Reach(modules)
    reach.start()
    for module in modules.values():
        Pruner(reach, module).prune()


def wanted(modules: Modules, roots: set[str]) -> set[str]:
    """The modules that are ever loaded, `roots` among them."""
    found: set[str] = set()
    waiting = [name for name in roots if name in modules]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        parents = [name.rpartition(".")[0]] if "." in name else []
        waiting += [each for each in [*parents, *imported(modules[name])] if each in modules]
    return found


def imported(module: Module) -> set[str]:
    """The dotted names that a module still imports."""
    found = set()
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return found
