"""All steps, one after the other, over the whole of the firmware."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass

from hapenny_link.shrink.bundle import bundle
from hapenny_link.shrink.constants import KNOWN, KNOWN_64, fold
from hapenny_link.shrink.inline import inline
from hapenny_link.shrink.loops import loops
from hapenny_link.shrink.modules import bind, direct, read
from hapenny_link.shrink.names import foreign_names, nearer, rename
from hapenny_link.shrink.reach import prune, wanted

PROGRAM = "program %d"  # not a name that could be imported


@dataclass(frozen=True)
class Shrunk:
    """The text of each module that a board needs, and what the short names of its functions stand for."""

    texts: dict[str, str]
    functions: dict[str, list[str]]  # a function and a method may share a short name

    def readable(self, traceback: str) -> str:
        """A board's traceback with the names of the source."""

        def meant(found: re.Match[str]) -> str:
            return found[1] + " or ".join(self.functions.get(found[2], [found[2]]))

        return re.sub(r"(?m)(, in )(\w+)\s*$", meant, traceback)


def shrink(sources: dict[str, str], programs: list[str], unix: bool = False) -> Shrunk:
    """The modules (dotted name: text) as a board gets them.

    Names of plain numbers become the numbers, what no program leads to is left out, and what remains gets short names;
    the names that `programs` use stay as they are. Nothing else changes. `unix`: for the Unix port, not for a board.
    """
    called = {PROGRAM % number: text for number, text in enumerate(programs)}
    modules = read(sources | called)
    fold(modules, set(called), KNOWN_64 if unix else KNOWN)
    bind(modules)
    prune(modules)
    direct(modules)
    loaded = wanted(modules, set(called))
    kept = bundle({name: module for name, module in modules.items() if name in loaded}, set(called))
    bind(kept)
    loops(kept)
    inline(kept, foreign_names(kept, programs))
    names = rename(kept, programs)
    return Shrunk({name: text_of(nearer(module.tree)) for name, module in kept.items()}, names)


class Bare(ast.NodeTransformer):
    """`a, b = c, d` as it was written: with brackets, as `ast` writes it, MicroPython makes a tuple first."""

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        value = node.value
        if isinstance(node.targets[0], ast.Tuple) and isinstance(value, ast.Tuple) and len(node.targets) == 1:
            node.value = ast.Name(", ".join([ast.unparse(each) for each in value.elts]))
        return node


def text_of(tree: ast.Module) -> str:
    """The text of a module."""
    return ast.unparse(Bare().visit(tree)) + "\n"
