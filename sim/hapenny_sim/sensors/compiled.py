"""The device's own kernels, source unchanged, compiled for studies on many boards."""

from types import FunctionType, SimpleNamespace
from typing import Any

import numpy as np
from hapenny.desktop.kernels import plain as kernels
from numba import njit


def compile_kernels() -> SimpleNamespace:
    """A namespace like hapenny.desktop.kernels.plain whose functions are compiled and whose arrays are numpy's."""
    scope: dict = {name: value for name, value in vars(kernels).items() if isinstance(value, int)}
    scope["__builtins__"] = __builtins__
    for name, value in vars(kernels).items():
        if isinstance(value, FunctionType):
            scope[name] = njit(FunctionType(value.__code__, scope, name), nogil=True)
    scope["words"] = lambda count: np.zeros(count, np.int32)
    scope["halves"] = lambda count: np.zeros(count, np.int16)
    scope["places"] = lambda count: np.zeros(count, np.uint16)
    return SimpleNamespace(**scope)


COMPILED: Any = compile_kernels()
