"""Kernels in shorter machine code do what they did, shown on a small core that carries out both."""

from array import array

import pytest
from hapenny_link.firmware_files import compile_text
from hapenny_link.shrink import shorter_kernels
from hapenny_link.shrink.native import shorter
from kernel_calls import Recorder, kernel_names, kernel_text, scene
from thumb_machine import Machine


def module():
    return compile_text(kernel_text(), "kernels.py")


def recorded():
    """A call of each kernel in each of two scenes."""
    for seed in (1, 2):
        with pytest.MonkeyPatch.context() as patch:
            recorder = Recorder(patch, 1)
            scene(seed)
            yield from recorder.calls


def outcome(machine, name, before):
    given = [bytearray(each.tobytes()) if isinstance(each, array) else each for each in before]
    result = machine.call(name, given)
    return [bytes(each) for each in given if isinstance(each, bytearray)], result


def test_every_kernel_does_the_same_as_the_plain_kernel_before_and_after():
    """tests/sim/test_emulated_kernels.py shows the same of many more calls on the emulated chip."""
    before, after = Machine(module(), kernel_names()), Machine(shorter_kernels(module()), kernel_names())
    seen = set()
    for name, given, wanted, result in recorded():
        arrays = [each.tobytes() for each in wanted if isinstance(each, array)]
        for machine in (before, after) if name not in seen else (after,):
            assert outcome(machine, name, given) == (arrays, result), (name, machine is after)
        seen.add(name)
    assert seen == set(kernel_names())


def test_every_kernel_is_understood_and_half_the_size():
    assert len(shorter_kernels(module())) < 0.6 * len(module())


def test_code_that_is_not_known_stays_as_it_is():
    assert shorter(b"\xff\xff\x00\xbf") == b"\xff\xff\x00\xbf"
