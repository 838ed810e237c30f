"""Boot, heap and allocations of the firmware on the emulated RP2040 within firmware/budgets.toml."""

import ast
import tomllib
from pathlib import Path

import pytest
from emulator import board_with, image_or_skip
from hapenny_link.image import holds_firmware

pytestmark = [pytest.mark.xdist_group("emulated"), pytest.mark.slow, pytest.mark.timeout(900)]
BUDGETS = tomllib.loads((Path(__file__).parents[2] / "firmware" / "budgets.toml").read_text())

RUNNING = """
import gc
import hapenny.rp2040.start
from hapenny import layout
from hapenny.app import start
from hapenny.rp2040.board import Hardware
board = start(Hardware(layout), layout)
while board.first:
    board.loop()
gc.collect()
print("HEAP", gc.mem_alloc(), gc.mem_free())
time.sleep_ms(40)
most = [0] * 3
for turn in range(8):
    gc.collect()
    gc.disable()
    before = gc.mem_alloc()
    board.tracker.tick(board.hardware.ticks_ms())
    between = gc.mem_alloc()
    board.pegs.render(board.scorer, board.hardware.ticks_ms(), False)
    board.hardware.show(board.pegs.pixels)
    after = gc.mem_alloc()
    if turn > 5:
        board.tracker.settle(board.hardware.ticks_ms())
    for place, count in enumerate((between - before, after - between, gc.mem_alloc() - after)):
        most[place] = max(most[place], count)
    gc.enable()
print("MOST", most)
print("FOUND", board.locator.count)
"""


@pytest.fixture(scope="module")
def running():
    """(heap live and free once the first picture stands, bytes allocated by a look, the pegs, a verdict)."""
    image_or_skip()
    from hapenny_sim.bench.frames import lay_five

    board = board_with(f"import time\ntime.sleep_ms(50)\n{RUNNING}")
    assert board.until(lambda: b"HEAP" in board.usb.received, 10), bytes(board.usb.received)
    board.advance(0.01)
    lay_five(board.table)
    assert board.until(lambda: b"FOUND" in board.usb.received or b"Traceback" in board.usb.received, 20)
    board.advance(0.01)
    text = bytes(board.usb.received).decode()
    assert "FOUND 5" in text, text
    live, free = (int(word) for word in text.partition("HEAP ")[2].split()[:2])
    return live, free, ast.literal_eval(text.partition("MOST ")[2].splitlines()[0])


def test_the_heap_in_use_after_the_start_keeps_its_budget(running):
    """From files where the image is MicroPython alone."""
    live, free, _ = running
    kind = "heap_free" if holds_firmware(image_or_skip()) else "heap_free_files"
    assert free >= BUDGETS["memory"][kind], f"{live} bytes are in use"


def test_scan_to_pegs_allocates_nothing_with_the_collector_off(running):
    """Looks at five discs that came, the pegs, and a verdict frame with all that is judged from it."""
    _, _, most = running
    assert most == [BUDGETS["memory"]["alloc_per_cycle"]] * 3


def test_power_up_to_the_first_hello_keeps_its_budget():
    board = board_with()
    assert board.until(lambda: b'"hello"' in board.usb.received, 10), bytes(board.usb.received[-300:])
    assert board.now_s * 1000 <= BUDGETS["times"]["boot_ms"]
