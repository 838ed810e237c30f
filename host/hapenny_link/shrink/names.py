"""Third step: short names for everything that is ours, the same in every module."""

from __future__ import annotations

import array
import ast
import builtins
import io
import itertools
import keyword
import re
import string
from collections import Counter, defaultdict

from hapenny_link.shrink.modules import (
    Module,
    Modules,
    arguments,
    functions,
    locals_of,
    module_of,
    ours,
    targets,
)
from hapenny_link.shrink.pool import ROM

TYPES = (int, str, bytes, bytearray, memoryview, list, tuple, dict, set, array.array, io.RawIOBase, io.StringIO,
         builtins, BaseException, OSError, property)  # fmt: skip
MICROPYTHON = ("ipoll", "ticks_ms", "ticks_us", "ticks_diff", "sleep_ms", "sleep_us", "mem_alloc", "mem_free", "const",
               "ptr8", "ptr16", "ptr32", "uint", "print_exception", "viper", "native")  # fmt: skip
SCOPES = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
DYNAMIC = ("getattr", "setattr", "hasattr")
ANY = ""  # the class of an object that may be any
METHOD = "def"  # of all methods, so that each keeps a name of its own in a traceback
LETTERS = string.ascii_letters
FUNCTIONS = [name for name in dir(builtins) if name.islower()]
OFTEN = 8  # calls of a builtin for which the module has it at hand
LOCALS = 8  # letters that arguments have as names at any rate


def foreign_names(modules: Modules, programs: list[str]) -> set[str]:
    """Names that belong to MicroPython, to files or to the programs that call the firmware: they stay."""
    found = {name for kind in TYPES for name in dir(kind)} | set(MICROPYTHON) | set(keyword.kwlist)
    found |= {part for name in modules for part in name.split(".")}
    for text in programs:
        found |= words_of(text)
    for module in modules.values():
        found |= asked_of_others(modules, module)
    return found


def words_of(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]\w*", text))


def asked_of_others(modules: Modules, module: Module) -> set[str]:
    """Names that a module takes from MicroPython's modules, and, if it drives hardware, all it asks of objects."""
    found = {name for place, name in module.bindings.values() if not ours(place)}
    found |= {name for name, (place, _) in module.bindings.items() if not ours(place)}
    dynamic = any(isinstance(node, ast.Name) and node.id in DYNAMIC for node in ast.walk(module.tree))
    drives = bool(module.foreign & {"machine", "rp2", "select", "micropython"})
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            place = module.bindings.get(node.value.id, ("", ""))[0]
            if place and not ours(place):
                found.add(node.attr)
        if isinstance(node, ast.Attribute) and drives and not owned(modules, module, node.value):
            found.add(node.attr)
        if isinstance(node, ast.keyword) and drives and node.arg:
            found.add(node.arg)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and dynamic:
            found.add(node.value)
    return found


def owned(modules: Modules, module: Module, node: ast.expr) -> bool:
    """Whether an object is surely one of ours."""
    text = ast.unparse(node)
    return text in ("self", "layout", "self._layout") or bool(module_of(modules, module.name, node))


class Gathered:
    """Every name of ours, by what it names, and how often it is written."""

    def __init__(self, modules: Modules, foreign: set[str], programs: list[str]) -> None:
        self.shared: Counter[str] = Counter()  # of modules: anybody's name for them
        self.attributes: Counter[str] = Counter()  # of objects only
        self.keywords: set[str] = set()
        self.dotted: set[str] = set()  # what is written behind a dot anywhere
        self.words: set[str] = words_of("".join(programs))  # all that is written anywhere
        written: Counter[str] = Counter()
        inner: set[str] = set()
        for module in modules.values():
            self.of_module(module)
            self.words |= words_of(ast.unparse(module.tree))
            inner |= {name for function in functions(module.tree) for name in locals_of(function)}
            for node in ast.walk(module.tree):
                written.update([node.attr] if isinstance(node, ast.Attribute) else [])
                written.update([node.id] if isinstance(node, ast.Name) else [])
                self.dotted |= {node.attr} if isinstance(node, ast.Attribute) else set()
        self.shared.update(self.keywords & inner)
        self.owners = owners_of(modules)
        self.shared = counted(self.shared, written, foreign)
        self.attributes = counted(self.attributes, written, foreign | set(self.shared))

    def of_module(self, module: Module) -> None:
        """What one module defines."""
        inside = {id(node) for function in functions(module.tree) for node in ast.walk(function)}
        methods = {id(part) for node in ast.walk(module.tree) if isinstance(node, ast.ClassDef) for part in node.body}
        for node in ast.walk(module.tree):
            if isinstance(node, ast.FunctionDef | ast.ClassDef):
                (self.attributes if id(node) in methods else self.shared)[node.name] += 1
            elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and id(node) not in inside:
                self.shared[node.id] += 1
            elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                self.attributes[node.attr] += 1
            elif isinstance(node, ast.keyword) and node.arg:
                self.keywords.add(node.arg)
            elif isinstance(node, ast.Global):
                self.shared.update(node.names)
        self.shared.update([name for name, place in module.bindings.items() if ours(place[0])])


def owners_of(modules: Modules) -> dict[str, set[str]]:
    """For each attribute the classes whose objects have it; a class and those made from it count as one."""
    nodes = [node for module in modules.values() for node in ast.walk(module.tree)]
    classes = [node for node in nodes if isinstance(node, ast.ClassDef)]
    family = {node.name: node.name for node in classes}
    for node in classes:
        bases = [base.id for base in node.bases if isinstance(base, ast.Name) and base.id in family]
        joined = {family[each] for each in [node.name, *bases]}
        family = {name: family[node.name] if root in joined else root for name, root in family.items()}
    owners: dict[str, set[str]] = defaultdict(set)
    inside = set()
    for node in classes:
        for name in [each for part in node.body for each in targets(part)]:
            owners[name].add(family[node.name])
        for part in functions(node):
            owners[part.name].add(METHOD)
        own = [part for part in ast.walk(node) if isinstance(part, ast.Attribute) and ast.unparse(part.value) == "self"]
        inside |= {id(part) for part in own}
        for part in own:
            owners[part.attr].add(family[node.name])
    for node in nodes:
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store) and id(node) not in inside:
            owners[node.attr].add(ANY)
    return owners


def short_names(gathered: Gathered, foreign: set[str]) -> tuple[dict[str, str], dict[str, str]]:
    """New names of what is shared and of attributes, the shortest for those used most.

    What is never an attribute and what always is one may share a new name, and so may attributes of which no object
    has two.
    """
    doubles = ["".join(pair) for pair in itertools.product(LETTERS, LETTERS + string.digits)]
    free = [name for name in ROM if name not in gathered.words]
    free += [name for name in doubles if name not in foreign and name not in ROM]
    shared = dict(zip([name for name, _ in gathered.shared.most_common()], free, strict=False))
    both = {new for name, new in shared.items() if name in gathered.dotted}
    pool = [name for name in LETTERS[:LOCALS] if name not in foreign] + [name for name in free if name not in both]
    attributes: dict[str, str] = {}
    taken: dict[str, set[str]] = {name: set() for name in pool}
    for name, _ in gathered.attributes.most_common():
        owners = gathered.owners[name] or {ANY}
        new = next(each for each in pool if not meet(taken[each], owners))
        taken[new] |= owners
        attributes[name] = new
    return shared, attributes


def meet(some: set[str], others: set[str]) -> bool:
    """Whether an object may be of both sets of classes."""
    return bool(some & others) or (ANY in some | others and bool(some) and bool(others))


def counted(names: Counter[str], written: Counter[str], foreign: set[str]) -> Counter[str]:
    """How often each name that may change is written."""
    return Counter({name: written[name] for name in names if name not in foreign and not name.startswith("__")})


class Renamer(ast.NodeTransformer):
    """Writes one module with its new names."""

    def __init__(self, shared: dict[str, str], attributes: dict[str, str], keywords: set[str]) -> None:
        self.shared, self.attributes, self.keywords = shared, shared | attributes, keywords
        self.inner: dict[str, str] = {}  # the function's own names

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        if any("asm_pio" in ast.unparse(each) for each in node.decorator_list):
            node.name = self.shared.get(node.name, node.name)
            return node  # a program for the PIO: its words are not Python's
        outermost = not self.inner
        node.name = self.inner.get(node.name) or self.attributes.get(node.name, node.name)
        defaults = [self.visit(default) for default in node.args.defaults]  # of the scope around the function
        node.args.defaults = []
        if outermost:
            self.inner = self.inner_names(node) or {"": ""}
        self.generic_visit(node)
        node.args.defaults = defaults
        if outermost:
            self.inner = {}
        return node

    def inner_names(self, function: ast.FunctionDef) -> dict[str, str]:
        """One letter each for a function's own names, but for those that a caller gives by name."""
        own = locals_of(function)
        order = [argument.arg for argument in arguments(function)]
        order += sorted(own - set(order))
        letters = iter(LETTERS)
        found: dict[str, str] = {}
        inner = any(isinstance(node, SCOPES) for node in ast.walk(function) if node is not function)
        staying = self.keywords | self.shared.keys() if inner else self.keywords  # around an inner scope: may be ours
        for name in order:
            if name in own and name not in staying and not name.startswith("__"):
                found[name] = next(letters, "") or name
        return found

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        node.name = self.shared.get(node.name, node.name)
        self.generic_visit(node)
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        node.arg = self.of(node.arg)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.Name:
        node.id = self.of(node.id)
        return node

    def of(self, name: str) -> str:
        return self.inner.get(name) or self.shared.get(name, name)

    def visit_Attribute(self, node: ast.Attribute) -> ast.Attribute:
        node.attr = self.attributes.get(node.attr, node.attr)
        self.generic_visit(node)
        return node

    def visit_keyword(self, node: ast.keyword) -> ast.keyword:
        node.arg = self.shared.get(node.arg or "", node.arg)
        self.generic_visit(node)
        return node

    def visit_Global(self, node: ast.Global) -> ast.Global:
        node.names = [self.shared.get(name, name) for name in node.names]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.ExceptHandler:
        node.name = self.of(node.name) if node.name else node.name
        self.generic_visit(node)
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        for alias in node.names:
            bound = alias.asname or alias.name
            taken = self.shared.get(alias.name, alias.name) if ours(node.module or "") else alias.name
            new = self.of(bound)
            alias.name, alias.asname = taken, None if new == taken else new
        return node


def rename(modules: Modules, programs: list[str]) -> dict[str, list[str]]:
    """New names everywhere; returns what a function of a new name was called before."""
    foreign = foreign_names(modules, programs)
    gathered = Gathered(modules, foreign, programs)
    shared, attributes = short_names(gathered, foreign)
    meant: dict[str, list[str]] = {}
    for module in modules.values():
        for node in [each for each in ast.walk(module.tree) if isinstance(each, ast.FunctionDef)]:
            names = meant.setdefault((shared | attributes).get(node.name, node.name), [])
            names += [] if node.name in names else [node.name]
        Renamer(shared, attributes, gathered.keywords).visit(module.tree)
    return meant


def nearer(tree: ast.Module) -> ast.Module:
    """The module with builtin functions that it calls often as names of its own.

    MicroPython finds a module's names by their hash; builtins it looks for one after the other, for some 11 us a call.
    """
    own = {name for function in functions(tree) for name in locals_of(function)}
    own |= {name for part in tree.body for name in targets(part)}
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    calls = Counter(function.id for function in called if isinstance(function, ast.Name))
    often = [name for name, count in sorted(calls.items()) if count >= OFTEN and name in FUNCTIONS and name not in own]
    return ast.Module([*ast.parse("\n".join(f"{name} = {name}" for name in often)).body, *tree.body], [])
