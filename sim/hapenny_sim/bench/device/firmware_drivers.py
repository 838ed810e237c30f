"""Runs on a board: times its drivers: scans, pegs, and how late an interrupt comes meanwhile."""

import time

from firmware_clock import mean_us, step, tell, timed
from firmware_match import pub_match
from hapenny import layout
from hapenny.sensing.calibration import Calibration
from hapenny.sensing.health import Health
from hapenny.pegs import Pegs
from hapenny.rp2040.board import Hardware
from hapenny.rules.game import Game
from hapenny.sensing.scan import Scan


class Playing:
    """What pegs want to know of a match."""

    def __init__(self):
        self.game = Game()
        self.game.do(pub_match(3))
        self.question = 0

    def empty_beds(self):
        return ()

    def light_all(self):
        """Marks in every bed of both sides: one, two, or filled."""
        marks = self.game.state.marks
        for k in range(len(marks)):
            marks[k] = 1 + k % 3


def late_us(update, look):
    """How late a timer's interrupt comes at most while pegs are updated and sensors scanned."""
    from machine import Timer

    state = [0, 0]

    def tick(timer):
        now = time.ticks_us()
        if state[0]:
            late = time.ticks_diff(now, state[0]) - 1000
            if late > state[1]:
                state[1] = late
        state[0] = now

    timer = Timer(period=1, mode=Timer.PERIODIC, callback=tick, hard=True)
    for _ in range(2):
        update()
        look(4)
    timer.deinit()
    return state[1]


def run(moving=False):
    found = {}
    hardware = Hardware(layout)
    calibration = Calibration(layout)
    scan = Scan(hardware, layout, calibration, Health(layout, calibration))
    pegs = Pegs(layout)
    scorer = Playing()

    def update():
        pegs.render(scorer, hardware.ticks_ms(), False)
        hardware.show(pegs.pixels)

    step("scan")
    found["scan_us"] = mean_us(hardware.scan_halls, 1, scan.part, 4) // 4
    found["quick_us"] = mean_us(scan.quick, 1, 2)
    found["pair_us"] = mean_us(hardware.scan_light, 1, scan.lit, scan.dark, 1)
    step("frame")
    begun = time.ticks_us()
    scan.verdict()
    found["frame_us"] = time.ticks_diff(time.ticks_us(), begun)
    step("pegs")
    time.sleep_ms(3)
    found["pegs_start_us"], found["pegs_alloc"] = timed(update)
    scorer.light_all()
    time.sleep_ms(3)
    begun = time.ticks_us()
    update()
    found["pegs_drawn_us"] = time.ticks_diff(time.ticks_us(), begun)
    time.sleep_ms(3)
    found["pegs_us"], _ = timed(update)
    found["irq_off_us"] = late_us(update, scan.quick)
    tell(found)
