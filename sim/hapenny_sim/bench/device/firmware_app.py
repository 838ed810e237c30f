"""Runs on a board, or in the Unix port: the application as it is wired, a shove while it runs, heap and allocations.

`PHASE shove` asks whoever runs it for a shove.
"""

import gc
import time

import micropython
from firmware_clock import step, tell


def start_match(board):
    from firmware_match import pub_match

    board.scorer.propose(pub_match(3))


NONE = object()


class Watched:
    """A call of the application, counting the most bytes that it ever allocated. That takes 16 ms on an RP2040."""

    def __init__(self, call):
        self.call = call
        self.most = self.longest_us = 0

    def __call__(self, a=NONE, b=NONE, c=NONE, d=NONE):
        before = gc.mem_alloc()
        result = self.pass_on(a, b, c, d)
        self.most = max(self.most, gc.mem_alloc() - before)
        return result

    def pass_on(self, a, b, c, d):
        """The call, without the list that `*arguments` would allocate."""
        if a is NONE:
            return self.call()
        if b is NONE:
            return self.call(a)
        if c is NONE:
            return self.call(a, b)
        return self.call(a, b, c) if d is NONE else self.call(a, b, c, d)


class Timed(Watched):
    """The longest that a call ever took."""

    def __call__(self, a=NONE, b=NONE, c=NONE, d=NONE):
        begun = time.ticks_us()
        result = self.pass_on(a, b, c, d)
        self.longest_us = max(self.longest_us, time.ticks_diff(time.ticks_us(), begun))
        return result


class Locked(Watched):
    """A call that must not allocate: the heap is locked meanwhile. `most` is 1 if it has tried to."""

    def __call__(self, a=NONE, b=NONE, c=NONE, d=NONE):
        micropython.heap_lock()
        try:
            return self.pass_on(a, b, c, d)
        except MemoryError:
            self.most = 1
        finally:
            micropython.heap_unlock()
        return self.pass_on(a, b, c, d)


def watch(board, watched=Watched):
    """Watches what must not allocate: scan, locate and track in one, and the pegs."""
    board.tracker.tick = watched(board.tracker.tick)
    board.pegs.render = watched(board.pegs.render)
    board.hardware.show = watched(board.hardware.show)
    return board.tracker.tick, board.pegs.render, board.hardware.show


def watch_verdict(board, found):
    """Every part of a verdict, and what follows it until the pegs show it."""
    parts = {
        "verdict_frame_us": (board.scan, "verdict"),
        "verdict_refine_us": (board.locator, "refine"),
        "verdict_judge_us": (board.judge, "judge"),
        "verdict_settle_us": (board.tracker, "settle"),
        "look_scan_us": (board.scan, "quick"),
        "look_follow_us": (board.locator, "follow"),
        "look_tracks_us": (board.tracker.tracks, "follow"),
        "look_hand_us": (board.tracker, "hand"),
        "verdict_compare_us": (board.tracker, "compare"),
        "verdict_scorer_us": (board.scorer, "settled"),
        "verdict_append_us": (board.journal, "append"),
        "verdict_report_us": (board, "report"),
        "verdict_link_us": (board.link, "poll"),
    }
    for name in parts:
        place, call = parts[name]
        watched = Timed(getattr(place, call))
        setattr(place, call, watched)
        parts[name] = watched

    def told():
        for name in parts:
            found[name] = parts[name].longest_us

    return told


def loops(board, limit_ms, found):
    """The application's own loop, without the collector, until an event has been recorded and a little longer."""
    worst = tracking = 0
    board.pegs.render(board.scorer, time.ticks_ms(), False)  # a match's first picture takes its room
    watched = watch(board, Locked)
    told = watch_verdict(board, found)
    gc.collect()
    gc.disable()
    begun = time.ticks_ms()
    before = board.journal.last_seq
    after = 0
    while after < 4 and time.ticks_diff(time.ticks_ms(), begun) < limit_ms:
        started = time.ticks_us()
        board.loop()
        took = time.ticks_diff(time.ticks_us(), started)
        worst = max(worst, took)
        if board.journal.last_seq > before:
            after += 1
        elif board.tracker.active:
            tracking = max(tracking, took)
    gc.enable()
    found["loop_max_us"], found["track_loop_max_us"] = worst, tracking
    found["alloc_per_cycle"] = max([part.most for part in watched])
    found["shove_recorded"] = board.journal.last_seq - before
    told()


def settle(board, limit_ms):
    """Until the first picture after power-up stands."""
    begun = time.ticks_ms()
    while board.first and time.ticks_diff(time.ticks_ms(), begun) < limit_ms:
        board.loop()


def run(moving=True):
    """All figures; `moving` when somebody shoves as the phases say."""
    gc.threshold(16384)  # importing fills the heap with what is garbage at once: else no room in one piece is left
    from hapenny import layout
    from hapenny.rp2040.board import Hardware

    hardware = Hardware(layout)  # before the application is imported, as rp2040/start.py does it: the heap is narrow
    from hapenny.app import start

    running = start(hardware, layout)
    found = {}
    step("settle")
    settle(running, 4000)
    gc.collect()
    found["heap_live"], found["heap_free"] = gc.mem_alloc(), gc.mem_free()
    if moving:
        start_match(running)
        step("shove")
        print("PHASE shove")
        loops(running, 6000, found)
    tell(found)
