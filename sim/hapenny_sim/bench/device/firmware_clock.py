"""Runs on a board, or in the Unix port: the stop-watch of the firmware's bench, and how it tells what it finds."""

import gc
import json
import time


def timed(function, *arguments):
    """(microseconds, bytes allocated) of a call that has been made once before."""
    function(*arguments)
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    begun = time.ticks_us()
    function(*arguments)
    took = time.ticks_diff(time.ticks_us(), begun)
    allocated = gc.mem_alloc() - before
    gc.enable()
    return took, allocated


def mean_us(function, rounds, *arguments):
    function(*arguments)
    begun = time.ticks_us()
    for _ in range(rounds):
        function(*arguments)
    return time.ticks_diff(time.ticks_us(), begun) // rounds


def step(name):
    """A sign of life: the next figure is being measured."""
    print("STEP " + name)


def tell(found):
    """The figures, for whoever runs the bench."""
    print("FIGURES " + json.dumps(found))


class Kernels:
    """Stands for the module."""


class Watch:
    """The kernels with a stop-watch: give `kernels` to a Locator; `took` and `calls` are by name."""

    def __init__(self, kernels):
        self.kernels = Kernels()
        self.took = {}
        self.calls = {}
        self.cost = 0
        for name in dir(kernels):
            kernel = getattr(kernels, name)
            if name[0] != "_":
                setattr(self.kernels, name, self.watched(name, kernel) if callable(kernel) else kernel)
        self.watched("", gc.isenabled)()
        self.cost = self.took.pop("")
        self.calls.pop("")

    def watched(self, name, kernel):
        took, calls = self.took, self.calls
        took[name] = calls[name] = 0

        def call(*arguments):
            begun = time.ticks_us()
            result = kernel(*arguments)
            took[name] += time.ticks_diff(time.ticks_us(), begun) - self.cost
            calls[name] += 1
            return result

        return call

    def clear(self):
        for name in self.took:
            self.took[name] = self.calls[name] = 0

    def table(self):
        """[name, calls, microseconds] of each kernel that was called, the costliest first."""
        rows = [[name, self.calls[name], self.took[name]] for name in self.took if self.calls[name]]
        return sorted(rows, key=lambda row: -row[2])
