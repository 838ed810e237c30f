"""The drivers of the RP2040 on the emulator: what they read and show, how long they take, what they allocate."""

import ast

import numpy as np
import pytest
from emulator import board_with, image_or_skip, run_program
from hapenny import layout

pytestmark = pytest.mark.xdist_group("emulated")

SCAN = """
import gc
from array import array
from hapenny import layout
from hapenny.rp2040.sensors import Sensors
sensors = Sensors(layout)
halls = array('i', bytes(4 * layout.HALLS)); lit = array('i', bytes(4 * layout.LIGHTS)); dark = array('i', lit)
spares = array('i', bytes(4 * len(layout.SPARE_INPUTS)))
def used(function, *arguments):
    function(*arguments)
    gc.collect(); gc.disable()
    before = gc.mem_alloc(); start = time.ticks_us()
    function(*arguments)
    took = time.ticks_diff(time.ticks_us(), start)
    return took, gc.mem_alloc() - before
print(used(sensors.scan_halls, halls, 4), used(sensors.scan_light, lit, dark, 2), used(sensors.lifts))
sensors.spares(spares)
print(list(halls)); print(list(lit)); print(list(dark)); print(list(spares))
"""


@pytest.fixture(scope="module")
def scanned():
    _, text = run_program(SCAN)
    lines = text.strip().splitlines()
    return [ast.literal_eval(line if line[0] == "[" else f"[{line.replace(') (', '), (')}]") for line in lines[-5:]]


def test_a_hall_pass_takes_at_most_1100_us_and_allocates_nothing(scanned):
    took_us, allocated = scanned[0][0]
    assert took_us / 4 <= 1100
    assert allocated == 0


def test_a_verdict_frame_of_64_passes_and_16_pairs_takes_at_most_130_ms(scanned):
    (halls_us, _), (light_us, allocated), (_, lifts_allocated) = scanned[0]
    assert 16 * halls_us + 8 * light_us <= 130_000
    assert allocated == lifts_allocated == 0


def test_every_channel_reads_its_own_sensor(scanned):
    """What the firmware reads through muxes and settling is what the truth model put there, channel by channel."""
    from hapenny_sim.boards.table import SimulatedTable

    table = SimulatedTable(layout, build="perfect")
    expected = table.scan_halls(64) / 64
    assert np.abs(np.array(scanned[1]) / 4 - expected).max() < 6
    lit, dark = table.scan_light(64)
    returned = (np.array(scanned[2]) - np.array(scanned[3])) / 2  # ambient light goes up and down with the mains
    assert np.abs(returned - (lit - dark) / 64).max() < 12


def test_spare_inputs_carry_their_references(scanned):
    for (what, _, _), code in zip(layout.SPARE_INPUTS, scanned[4], strict=True):
        low, high = {"ground": (0, 60), "mid_rail": (1950, 2150)}.get(what, (3900, 4095))
        assert low <= code <= high, what


def test_pixels_arrive_in_order_by_dma_without_stopping_interrupts():
    """A frame is on its way within a millisecond; a timer interrupt is never more than 100 us late meanwhile."""
    board, text = run_program(
        """
from machine import Timer
from hapenny import layout
from hapenny.rp2040.pixels import Pixels
pixels = Pixels(layout.PIN_PIXELS, layout.PIXELS)
frame = bytearray([i for i in range(3 * layout.PIXELS)])
pixels.show(frame); time.sleep_ms(5)
late = last = 0
def tick(timer):
    global late, last
    now = time.ticks_us()
    if last:
        late = max(late, time.ticks_diff(now, last) - 1000)
    last = now
timer = Timer(period=1, mode=Timer.PERIODIC, callback=tick, hard=True)
time.sleep_ms(3)
start = time.ticks_us()
taken = pixels.show(frame)
took = time.ticks_diff(time.ticks_us(), start)
busy = pixels.show(frame)
time.sleep_ms(4)
timer.deinit()
print(took, taken, busy, late)
"""
    )
    took_us, taken, busy, late_us = text.split()[-4:]
    assert (taken, busy) == ("True", "False")
    assert int(took_us) <= 1000
    assert int(late_us) <= 100
    assert board.strip.pixels == [(3 * i + 1, 3 * i, 3 * i + 2) for i in range(layout.PIXELS)]


def test_a_host_that_does_not_read_never_makes_the_board_wait():
    """Bytes written while the host stalls are refused, not waited for; reading goes on."""
    board = board_with(
        """
import time
from hapenny.rp2040.usb import Stream
stream = Stream()
time.sleep_ms(60)
sent = worst = 0
got = b''
for _ in range(40):
    start = time.ticks_us()
    sent += stream.write(b'0123456789' * 6)
    got += stream.read()
    worst = max(worst, time.ticks_diff(time.ticks_us(), start))
    time.sleep_ms(1)
with open('result', 'w') as file: file.write(repr((sent, worst, got)))
while True: time.sleep_ms(1)
"""
    )
    board.until(lambda: board.usb.connected, 1)
    board.usb.stall()
    board.usb.send(b"hello\n" * 30)
    board.until(lambda: "result" in board.files().listdir("/"), 2)
    board.advance(0.01)
    with board.files().open("result", "r") as file:
        sent, worst_us, got = ast.literal_eval(file.read())
    assert 0 < sent < 1000
    assert worst_us < 12_000
    assert got == b"hello\n" * 30


def test_service_flag_and_buttons_start_nothing_and_ctrl_c_gets_in():
    """With the flag, or a button held at power-up, main.py leaves the board at its prompt."""
    image_or_skip()
    from hapenny_link.firmware_files import main_text

    board = board_with(main_text().decode())
    board.buttons.hold(3)
    board.until(lambda: board.usb.connected, 1)
    board.usb.send(b"\r\n")
    assert board.until(lambda: b">>> " in board.usb.received, 1)
    board.usb.send(b"from hapenny.rp2040.rescue import enter_service\r\nenter_service()\r\n")
    assert board.until(lambda: board.resets == 1, 1)
    board.buttons.release(3)
    board.until(lambda: board.usb.connected, 1)
    board.usb.take()
    board.usb.send(b"\r\nimport os\r\nprint(os.listdir())\r\n")
    assert board.until(lambda: b"'service'" in board.usb.received, 2)
