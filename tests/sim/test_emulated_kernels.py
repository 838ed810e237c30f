"""The 32-bit viper kernels on the emulated RP2040 against the plain kernels on CPython, bit for bit."""

import pytest
from emulator import board_with
from kernel_calls import Recorder, kernel_names, packed, replay_of, scene

pytestmark = [pytest.mark.xdist_group("emulated"), pytest.mark.slow, pytest.mark.timeout(900)]
SCENES = 6
A_SCENE = 4  # calls of each kernel


def recorded():
    calls = []
    for seed in range(1, SCENES + 1):
        with pytest.MonkeyPatch.context() as patch:
            recorder = Recorder(patch, A_SCENE)
            scene(seed)
            calls += recorder.calls
    return calls


def test_every_kernel_gives_bit_for_bit_what_its_plain_twin_gives_on_the_desktop():
    """Hundreds of calls of all kernels with the arguments of real scenes; each array and each result is compared."""
    calls = recorded()
    data, names = packed(calls)
    assert set(names) == set(kernel_names()), "a kernel that no scene calls"
    assert len(calls) >= 300
    board = board_with(replay_of(names), files={"calls.bin": data})
    assert board.until(lambda: b"SAME" in board.usb.received or b"BAD" in board.usb.received, 30)
    board.advance(0.01)
    assert f"SAME {len(calls)}" in bytes(board.usb.received).decode()


def test_a_kernel_that_differs_in_one_bit_is_found():
    """The comparison itself: a recorded outcome with one bit wrong."""
    calls = recorded()[:20]
    name, before, after, result = calls[7]
    calls[7] = (name, before, after, (result or 0) ^ 1)
    data, names = packed(calls)
    board = board_with(replay_of(names), files={"calls.bin": data})
    assert board.until(lambda: b"SAME" in board.usb.received or b"returns" in board.usb.received, 10)
    board.advance(0.01)
    assert f"BAD {name} call 7" in bytes(board.usb.received).decode()
