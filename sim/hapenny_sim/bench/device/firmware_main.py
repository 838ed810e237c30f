"""Runs on a board, or in the Unix port, for `hapenny bench firmware`: times each part; prints figures as one JSON line.

Between the parts it prints `PHASE name`; whoever runs it does with the table what the name says.
"""

import gc
import json
import time

PRESS_US = 1000
MIDDLE = [10160 + 3175 * bed + 1587 for bed in range(9)]


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


def start_match(app):
    from hapenny.rules import setup

    app.scorer.propose(setup.start("pub", (1, 1), {"order": "given", "target": 3}))


def rules_turn_us():
    """A turn: five shoves, and the discs come off."""
    from hapenny.rules import events, setup
    from hapenny.rules.game import Game

    game = Game()
    game.do(setup.start("pub", (1, 1), {"order": "given", "target": 9}))
    discs = [events.disc(5000 + 2600 * i, MIDDLE[2 * i]) for i in range(5)]
    turn = [events.shove(discs[: count + 1]) for count in range(5)] + [events.clear()]

    def play():
        for event in turn:
            game.do(event)

    return mean_us(play, 4)


class Watched:
    """A call of the application, and the most bytes that it ever allocated."""

    def __init__(self, call):
        self.call = call
        self.most = 0

    def __call__(self, *arguments):
        before = gc.mem_alloc()
        result = self.call(*arguments)
        self.most = max(self.most, gc.mem_alloc() - before)
        return result


def watch(app):
    """Watches what must not allocate: scan, locate and track in one, and the pegs."""
    app.tracker.tick = Watched(app.tracker.tick)
    app.pegs.render = Watched(app.pegs.render)
    app.hardware.show = Watched(app.hardware.show)
    return app.tracker.tick, app.pegs.render, app.hardware.show


def loops(app, limit_ms, found):
    """The application's own loop, without the collector, until an event has been recorded and a little longer."""
    worst = tracking = 0
    watched = watch(app)
    gc.collect()
    gc.disable()
    begun = time.ticks_ms()
    before = app.journal.last_seq
    after = 0
    while after < 4 and time.ticks_diff(time.ticks_ms(), begun) < limit_ms:
        started = time.ticks_us()
        app.loop()
        took = time.ticks_diff(time.ticks_us(), started)
        worst = max(worst, took)
        if app.journal.last_seq > before:
            after += 1
        elif app.tracker.active and took < 100_000:
            tracking = max(tracking, took)
    gc.enable()
    found["loop_max_us"], found["track_loop_max_us"] = worst, tracking
    found["alloc_per_cycle"] = max([part.most for part in watched])
    found["shove_recorded"] = app.journal.last_seq - before


def pegs_us(app):
    def update():
        app.pegs.render(app.scorer, app.hardware.ticks_ms(), False)
        app.hardware.show(app.pegs.pixels)

    return mean_us(update, 5)


def late_us(app):
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
    for _ in range(4):
        app.pegs.render(app.scorer, app.hardware.ticks_ms(), False)
        app.hardware.show(app.pegs.pixels)
        app.scan.quick(4)
    timer.deinit()
    return state[1]


def five(app, found):
    """Five discs lie there: the verdict frame, finding and refining them."""
    print("PHASE five")
    time.sleep_ms(30)
    scan, locator = app.scan, app.locator
    found["scan_us"] = mean_us(app.hardware.scan_halls, 4, scan.part, 4) // 4
    found["frame_us"] = timed(scan.verdict)[0]
    locator.forget()
    begun = time.ticks_us()
    found["five_found"] = locator.find(scan.field, 64)
    found["find5_us"] = time.ticks_diff(time.ticks_us(), begun)
    found["locate5_us"], found["locate_alloc"] = timed(locator.refine, scan.field, 64)
    found["judge_us"], found["judge_alloc"] = timed(app.judge.judge, locator, scan.lit, scan.dark, 16)


def settle(app, limit_ms):
    begun = time.ticks_ms()
    while app.first and time.ticks_diff(time.ticks_ms(), begun) < limit_ms:
        app.loop()


def measure(app, moving, found=None):
    """All figures; `moving` when somebody shoves as the phases say."""
    found = found or {}
    settle(app, 4000)
    if moving:
        start_match(app)
        print("PHASE shove")
        loops(app, 4000, found)
    gc.collect()
    found["heap_live"], found["heap_free"] = gc.mem_alloc(), gc.mem_free()
    five(app, found)
    found["pegs_us"] = pegs_us(app)
    if moving:
        found["irq_off_us"] = late_us(app)
    found["rules_turn_us"] = rules_turn_us()
    print("FIGURES " + json.dumps(found))
