"""The device's own kernels, source unchanged, compiled for studies on many boards."""

import hashlib
from pathlib import Path
from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
from hapenny.desktop.kernels import plain as kernels
from hapenny.kernels import words
from numba import njit


def sources_stamp() -> str:
    """Changes with the kernels' sources, of which numba's cache would watch only one file for each kernel."""
    files = [*Path(str(kernels.__file__)).parent.glob("*.py"), Path(str(words.__file__))]
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(files))).hexdigest()[:12]


def compile_kernels() -> SimpleNamespace:
    """A namespace like hapenny.desktop.kernels.plain whose functions are compiled and whose arrays are numpy's.

    Each is compiled when it is first called, which takes seconds, once on a machine: numba keeps them on disk.
    """
    stamp = sources_stamp()
    scope: dict = {name: value for name, value in vars(kernels).items() if isinstance(value, int)}
    scope |= {"__builtins__": __builtins__, "__name__": __name__}  # numba looks the module up again when it loads
    for name, value in vars(kernels).items():
        if isinstance(value, FunctionType):
            plain = FunctionType(value.__code__, scope, name)
            plain.__qualname__ = f"{name}_{stamp}"  # a part of the name of its file in numba's cache
            scope[name] = njit(plain, nogil=True, cache=True)
    scope["words"] = lambda count: np.zeros(count, np.int32)
    scope["halves"] = lambda count: np.zeros(count, np.int16)
    scope["places"] = lambda count: np.zeros(count, np.uint16)
    return SimpleNamespace(**scope)


COMPILED: Any = compile_kernels()
